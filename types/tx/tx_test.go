package tx_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
)

const (
	payer    types.Address = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"
	owner    types.Address = "DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263"
	program  types.Address = "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4"
	table    types.Address = "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU"
	writable types.Address = "8x5VqbHA8D7NkD52uNuS5nnt3PwA8pLD34ymskeSo2Wn"
	readonly types.Address = "whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc"
	mint     types.Address = "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo"
)

// The file is written by hand from the service's documentation.
func TestTransactionsDecodeFromTheWire(t *testing.T) {
	t.Parallel()
	body, err := os.ReadFile("testdata/transactions.json")
	require.NoError(t, err)
	for name, unmarshal := range map[string]func([]byte, any) error{"encoding/json": json.Unmarshal, "decode": decode.JSON} {
		var all, nodes []tx.Transaction
		require.NoError(t, unmarshal(bytes.ReplaceAll(body, []byte("indexWithinBlock"), []byte("transactionIndex")), &nodes), name)
		require.NoError(t, unmarshal(body, &all), name)
		require.Equal(t, []tx.Transaction{failed(), legacy()}, all, name)
		require.Equal(t, all, nodes, "with the names of nodes")
		require.Equal(t, []types.Address{payer, owner, program, writable, readonly}, all[0].Accounts())
		require.Equal(t, []types.Address{payer}, all[1].Accounts())
	}
}

func failed() tx.Transaction {
	return tx.Transaction{
		Signature:        "4S5tCQwcPBBmpbyjPc1RbWkUDSfc1LnhMUJyPcP3vJEtjvJLEtPkCpN6qMKFUwqk6f7iHYPJJoRAQDkuh9aCiZR1",
		BlockTime:        at(1673445241),
		IndexWithinBlock: 2557,
		Slot:             171942732,
		Signed: tx.Signed{
			Signatures: []types.Signature{
				"4S5tCQwcPBBmpbyjPc1RbWkUDSfc1LnhMUJyPcP3vJEtjvJLEtPkCpN6qMKFUwqk6f7iHYPJJoRAQDkuh9aCiZR1",
				"5wHu1qwD7q5ifaN5nwdcDqNFo53GJqa7nLp2BeeEpcHCusb4GzARz4GjgzsEHMkBMgCJMGa6GSQ1VG96Exv8kt2W",
			},
			Message: tx.Message{
				AccountKeys:         []types.Address{payer, owner, program},
				Header:              tx.MessageHeader{NumRequiredSignatures: 2, NumReadonlySignedAccounts: 1, NumReadonlyUnsignedAccounts: 7},
				RecentBlockhash:     "3NRncb7EJuDtQEZhqoQ8oPBGwaqX6cUX1G9MBS4dmFd9",
				AddressTableLookups: []tx.AddressTableLookup{{AccountKey: table, WritableIndexes: []int{4, 255}, ReadonlyIndexes: []int{0}}},
				Instructions:        []tx.Instruction{{ProgramIDIndex: 2, Accounts: []int{0, 3, 1}, Data: "3GyWrkssW12wSfxjTynBnbif"}},
			},
		},
		Meta: tx.Meta{
			TransactionError: json.RawMessage(`{"InstructionError": [1, "Custom"]}`),
			FeeLamports:      10000,
			InnerInstructions: []tx.InnerInstructions{
				{Index: 1, Instructions: []tx.Instruction{{ProgramIDIndex: 4, Accounts: []int{3, 0}, Data: "A"}}},
			},
			LoadedAddresses: tx.LoadedAddresses{Writable: []types.Address{writable}, Readonly: []types.Address{readonly}},
			LogMessages:     []string{"Program 11111111111111111111111111111111 invoke [1]", "Program 11111111111111111111111111111111 success"},
			PreBalances:     []uint64{9007199254740993, 1},
			PostBalances:    []uint64{math.MaxUint64, 0},
			PreTokenBalances: []tx.TokenBalance{{
				AccountIndex: 1, Mint: mint, Owner: owner, ProgramID: types.TokenProgram,
				UITokenAmount: types.TokenAmount{RawAmount: 0, Decimals: 9, UIAmountString: "0"},
			}},
			PostTokenBalances: []tx.TokenBalance{{
				AccountIndex: 1, Mint: mint, Owner: owner, ProgramID: types.TokenProgram,
				UITokenAmount: types.TokenAmount{RawAmount: math.MaxUint64, Decimals: 9, UIAmount: "18446744073.709553", UIAmountString: "18446744073.709551615"},
			}},
			Rewards: []json.RawMessage{json.RawMessage(`{"pubkey": "` + payer + `", "lamports": -1}`)},

			ComputeUnitsConsumed: 150,
		},
		Version: "0",
	}
}

func legacy() tx.Transaction {
	return tx.Transaction{
		Signature: "3Ww3Wz9C1b7RM8P3xEzyWmeHk7H7jE7VtCFTJwEsqz2MrJxt2Cb7D1YzTFY6hYC1Hn7QWQcX5dUoZ7r2A5rQ7tPb",
		BlockTime: at(1673445242), // spelled blocktime in the service's schema
		Slot:      171942733,
		Signed: tx.Signed{
			Signatures: []types.Signature{"3Ww3Wz9C1b7RM8P3xEzyWmeHk7H7jE7VtCFTJwEsqz2MrJxt2Cb7D1YzTFY6hYC1Hn7QWQcX5dUoZ7r2A5rQ7tPb"},
			Message:    tx.Message{AccountKeys: []types.Address{payer}},
		},
		Version: "legacy",
	}
}

func TestNullAndAbsentMembersAreZero(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`null`, `{}`, `{"blockTime":null,"version":null,"meta":null,"transaction":null}`,
		`{"meta":{"err":null,"fee":0,"innerInstructions":null,"rewards":null},"transaction":{"message":{"addressTableLookups":null}}}`,
	} {
		var got tx.Transaction
		require.NoError(t, decode.JSON([]byte(body), &got), body)
		require.Equal(t, tx.Transaction{}, got, body)
		require.Empty(t, got.Accounts())
	}
}

func TestVersionIsAStringOrANumber(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]tx.Version{`"legacy"`: "legacy", `0`: "0", `12`: "12", `null`: ""} {
		v := tx.Version("before")
		require.NoError(t, decode.JSON([]byte(body), &v))
		require.Equal(t, want, v)
	}
	require.Error(t, decode.JSON([]byte(`{}`), new(tx.Version)))
}

func at(seconds int64) types.Time { return types.Time{Time: time.Unix(seconds, 0).UTC()} }

// A node sends null for a transaction whose result it has lost.
func TestUnknownResultIsNotSuccess(t *testing.T) {
	t.Parallel()
	var got tx.Transaction
	require.NoError(t, json.Unmarshal([]byte(`{"slot":5,"meta":null,"transaction":{"signatures":["a"],"message":{}}}`), &got))
	require.False(t, got.Meta.Known())
	stored, err := json.Marshal(got)
	require.NoError(t, err)
	require.NotContains(t, string(stored), "fee")
	var again tx.Transaction
	require.NoError(t, json.Unmarshal(stored, &again))
	require.Equal(t, got, again)

	require.NoError(t, json.Unmarshal([]byte(`{"meta":{"err":null,"fee":0,"preBalances":[],"postBalances":[]}}`), &got))
	require.True(t, got.Meta.Known())
}
