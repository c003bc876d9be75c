package webhooks_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
)

const (
	sig1 types.Signature = "5wHu1qwD7q5ifaN5nwdcDqNFo53GJqa7nLp2BeeEpcHCusb4GzARz4GjgzsEHMkBMgCJMGa6GSQ1VG96Exv8kt2W"
	sig2 types.Signature = "3Ww3Wz9C1b7RM8P3xEzyWmeHk7H7jE7VtCFTJwEsqz2MrJxt2Cb7D1YzTFY6hYC1Hn7QWQcX5dUoZ7r2A5rQ7tPb"
	sig3 types.Signature = "2nBhEBYYvfaAe16UMNqRHre4YNSskvuYgx3M6E4JP1oDYvZEJHvoPzyUidNgNX5r9sTyN1J9UxtbCXy2rqYcuyuv"
	sig4 types.Signature = "4S5tCQwcPBBmpbyjPc1RbWkUDSfc1LnhMUJyPcP3vJEtjvJLEtPkCpN6qMKFUwqk6f7iHYPJJoRAQDkuh9aCiZR1"

	usdc   types.Address = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
	pyusd  types.Address = "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo" // also stands for a token account
	third  types.Address = "8x5VqbHA8D7NkD52uNuS5nnt3PwA8pLD34ymskeSo2Wn"
	fourth types.Address = "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU"
	fifth  types.Address = "J1S9H3QjnRtBbbuD4HjPV6RpRhwuk4zKbxsnCHuTgh9w"
	asset  types.Address = "4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R"
	orca   types.Address = "whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc"
	jup    types.Address = "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4"
)

func TestEnhancedOnTheWire(t *testing.T) {
	t.Parallel()
	events, err := webhooks.ParseEvents([]byte(golden(t, "enhanced.json")))
	require.NoError(t, err)
	require.Len(t, events, 3)
	for i, want := range []*webhooks.EnhancedTransaction{swapped(), sold(), minted()} {
		require.Equal(t, want, events[i].Enhanced)
		require.Nil(t, events[i].Raw)
		require.Equal(t, want.Signature, events[i].Signature)
		require.Equal(t, want.Slot, events[i].Slot)
		require.Equal(t, want.Timestamp, events[i].Time)
		require.True(t, json.Valid(events[i].JSON))
		require.Contains(t, golden(t, "enhanced.json"), string(events[i].JSON))
	}
	require.Contains(t, string(events[0].JSON), "somethingNew") // what no type here knows is not lost
	amount := events[0].Enhanced.AccountData[1].TokenBalanceChanges[0].RawTokenAmount
	require.Equal(t, "-18446744073709.551615", amount.Tokens().String())
}

func swapped() *webhooks.EnhancedTransaction {
	return &webhooks.EnhancedTransaction{
		Description:     account + " swapped 0.1 USDC for 18446744073.709551615 SOL",
		Type:            txtype.Swap,
		Source:          "JUPITER",
		Fee:             5000,
		FeePayer:        account,
		Signature:       sig1,
		Slot:            math.MaxUint64,
		Timestamp:       at(1735689601),
		NativeTransfers: []webhooks.NativeTransfer{{FromUserAccount: another, Amount: math.MaxUint64}},
		TokenTransfers: []webhooks.TokenTransfer{
			{
				FromUserAccount:  account,
				FromTokenAccount: pyusd,
				Amount:           exact("0.1000000000000000000001"),
				Mint:             usdc,
				TokenStandard:    webhooks.Fungible,
				Decimals:         ref(uint8(0)),
			},
			{Amount: exact("1.5e-7"), Mint: types.WrappedSOL, TokenStandard: "SomethingNew"},
		},
		AccountData: []webhooks.AccountData{
			{Account: account, NativeBalanceChange: -9007199254740993},
			{
				Account:             pyusd,
				NativeBalanceChange: 2147483648,
				TokenBalanceChanges: []webhooks.TokenBalanceChange{change(account, pyusd, usdc, "-18446744073709551615", 6)},
			},
		},
		TransactionError: json.RawMessage(`{"InstructionError": [0, {"Custom": 1}]}`),
		Instructions: []webhooks.Instruction{{
			Accounts:  []types.Address{account},
			Data:      "3Bxs4h24hBtQy9rw",
			ProgramID: jup,
			InnerInstructions: []webhooks.InnerInstruction{
				{Accounts: []types.Address{pyusd}, Data: "A", ProgramID: orca},
			},
		}},
		Events: webhooks.Events{Swap: &webhooks.SwapEvent{
			NativeInput:  &webhooks.NativeBalanceChange{Account: account, Amount: math.MaxUint64},
			NativeOutput: &webhooks.NativeBalanceChange{Account: another, Amount: math.MaxUint64 - 1},
			TokenInputs:  []webhooks.TokenBalanceChange{change(account, pyusd, usdc, "100000", 6)},
			TokenOutputs: []webhooks.TokenBalanceChange{change("", "", types.WrappedSOL, "7", 9)},
			TokenFees:    []webhooks.TokenBalanceChange{change("", "", pyusd, "0", 0)},
			NativeFees:   []webhooks.NativeBalanceChange{{Account: third, Amount: 25}},
			InnerSwaps: []webhooks.InnerSwap{{
				NativeInput:  &webhooks.NativeBalanceChange{Account: account, Amount: 1},
				TokenInputs:  []webhooks.TokenTransfer{{Amount: exact("1"), Mint: usdc}},
				TokenOutputs: []webhooks.TokenTransfer{{Amount: exact("2"), Mint: types.WrappedSOL}},
				TokenFees:    []webhooks.TokenTransfer{{Amount: exact("3"), Mint: pyusd}},
				NativeFees:   []webhooks.NativeTransfer{{FromUserAccount: account, ToUserAccount: third, Amount: 4}},
				ProgramInfo:  webhooks.ProgramInfo{Source: "ORCA", Account: orca, ProgramName: "ORCA_WHIRLPOOLS", InstructionName: "whirlpoolSwap"},
			}},
		}},
	}
}

func sold() *webhooks.EnhancedTransaction {
	return &webhooks.EnhancedTransaction{
		Type:      txtype.NFTSale,
		Source:    "MAGIC_EDEN",
		Signature: sig2,
		Events: webhooks.Events{
			NFT: &webhooks.NFTEvent{
				Description: "sold for 70 SOL",
				Type:        txtype.NFTSale,
				Source:      "MAGIC_EDEN",
				Amount:      70_000_000_000,
				Fee:         10_000,
				FeePayer:    account,
				Signature:   sig2,
				Slot:        171942732,
				Timestamp:   at(1735689602),
				SaleType:    webhooks.InstantSale,
				Buyer:       account,
				Seller:      another,
				NFTs:        []webhooks.NFT{{Mint: third, TokenStandard: webhooks.ProgrammableNonFungible}},
			},
			Compressed: []webhooks.CompressedNFTEvent{{
				Type:                  txtype.CompressedNFTTransfer,
				TreeID:                pyusd,
				AssetID:               asset,
				LeafIndex:             ref(uint64(0)),
				InstructionIndex:      ref(1),
				InnerInstructionIndex: ref(2),
				NewLeafOwner:          account,
				OldLeafOwner:          another,
				Seq:                   ref(uint64(math.MaxUint64)),
				NewLeafDelegate:       fourth,
				OldLeafDelegate:       third,
				TreeDelegate:          fifth,
				Metadata:              json.RawMessage(`{"name": "x"}`),
				UpdateArgs:            json.RawMessage(`[1]`),
			}},
			SetAuthority:                 []webhooks.SetAuthorityEvent{{Account: account, From: another, To: third, InstructionIndex: ref(0)}},
			DistributeCompressionRewards: &webhooks.CompressionRewards{Amount: 12},
		},
	}
}

func minted() *webhooks.EnhancedTransaction {
	return &webhooks.EnhancedTransaction{
		Type:      "UNKNOWN",
		Signature: sig3,
		Events: webhooks.Events{
			Compressed: []webhooks.CompressedNFTEvent{
				{Type: txtype.CreateMerkleTree, TreeID: pyusd},
				{Type: txtype.CompressedNFTMint, TreeID: pyusd, LeafIndex: ref(uint64(7))},
			},
			SetAuthority: []webhooks.SetAuthorityEvent{{Account: account, InnerInstructionIndex: ref(3)}},
		},
	}
}

func TestRawOnTheWire(t *testing.T) {
	t.Parallel()
	events, err := webhooks.ParseEvents([]byte(golden(t, "raw.json")))
	require.NoError(t, err)
	require.Len(t, events, 2)
	require.Equal(t, failedTransaction(), events[0].Raw)
	require.Nil(t, events[0].Enhanced)
	require.Equal(t, sig4, events[0].Signature)
	require.Equal(t, uint64(171942732), events[0].Slot)
	require.Equal(t, at(1673445241), events[0].Time)
	require.Equal(t, []types.Address{account, another, jup, third, orca}, events[0].Raw.Accounts())

	require.Equal(t, &webhooks.RawTransaction{
		BlockTime: at(1673445242), // spelt blocktime in the service's schema
		Slot:      171942733,
		Transaction: webhooks.Signed{
			Signatures: []types.Signature{sig2},
			Message:    webhooks.Message{AccountKeys: []types.Address{account}},
		},
		Version: "legacy",
	}, events[1].Raw)
	require.Equal(t, sig2, events[1].Signature)
	require.Equal(t, []types.Address{account}, events[1].Raw.Accounts())
}

func failedTransaction() *webhooks.RawTransaction {
	return &webhooks.RawTransaction{
		BlockTime:        at(1673445241),
		IndexWithinBlock: 2557,
		Slot:             171942732,
		Transaction: webhooks.Signed{
			Signatures: []types.Signature{sig4, sig1},
			Message: webhooks.Message{
				AccountKeys:         []types.Address{account, another, jup},
				Header:              webhooks.MessageHeader{NumRequiredSignatures: 2, NumReadonlySignedAccounts: 1, NumReadonlyUnsignedAccounts: 7},
				RecentBlockhash:     "3NRncb7EJuDtQEZhqoQ8oPBGwaqX6cUX1G9MBS4dmFd9",
				AddressTableLookups: []webhooks.AddressTableLookup{{AccountKey: fourth, WritableIndexes: []int{4, 255}, ReadonlyIndexes: []int{0}}},
				Instructions:        []webhooks.CompiledInstruction{{ProgramIDIndex: 2, Accounts: []int{0, 3, 1}, Data: "3GyWrkssW12wSfxjTynBnbif"}},
			},
		},
		Meta: webhooks.Meta{
			Err: json.RawMessage(`{"InstructionError": [1, "Custom"]}`),
			Fee: 10000,
			InnerInstructions: []webhooks.InnerInstructions{
				{Index: 1, Instructions: []webhooks.CompiledInstruction{{ProgramIDIndex: 4, Accounts: []int{3, 0}, Data: "A"}}},
			},
			LoadedAddresses: webhooks.LoadedAddresses{Writable: []types.Address{third}, Readonly: []types.Address{orca}},
			LogMessages:     []string{"Program 11111111111111111111111111111111 invoke [1]", "Program 11111111111111111111111111111111 success"},
			PreBalances:     []uint64{9007199254740993, 1},
			PostBalances:    []uint64{math.MaxUint64, 0},
			PreTokenBalances: []webhooks.TokenBalance{{
				AccountIndex: 1, Mint: pyusd, Owner: another, ProgramID: types.TokenProgram,
				UITokenAmount: webhooks.TokenAmount{Amount: 0, Decimals: 9, UIAmountString: "0"},
			}},
			PostTokenBalances: []webhooks.TokenBalance{{
				AccountIndex: 1, Mint: pyusd, Owner: another, ProgramID: types.TokenProgram,
				UITokenAmount: webhooks.TokenAmount{Amount: math.MaxUint64, Decimals: 9, UIAmount: "18446744073.709553", UIAmountString: "18446744073.709551615"},
			}},
			Rewards: []json.RawMessage{json.RawMessage(`{"pubkey": "` + account + `", "lamports": -1}`)},
		},
		Version: "0",
	}
}

func TestSingleObjectIsAnEvent(t *testing.T) {
	t.Parallel()
	for _, form := range []string{"%s", "[%s]", " \r\n\t%s\n", " [ %s ] "} {
		events, err := webhooks.ParseEvents(fmt.Appendf(nil, form, enhanced(sig1)))
		require.NoError(t, err, form)
		require.Len(t, events, 1, form)
		require.Equal(t, sig1, events[0].Signature)
	}
	events, err := webhooks.ParseEvents([]byte("[]"))
	require.NoError(t, err)
	require.Empty(t, events)
}

func TestMalformedBodies(t *testing.T) {
	t.Parallel()
	good := enhanced(sig1)
	for name, body := range map[string]string{
		"nothing":                  "",
		"white space":              " \n",
		"null":                     "null",
		"a list of null":           "[null]",
		"text":                     `"x"`,
		"number":                   "1",
		"list of texts":            `["x"]`,
		"list of lists":            "[[" + good + "]]",
		"no JSON":                  "<html>",
		"breaks off":               "[" + good,
		"breaks off after a comma": "[" + good + ",",
		"breaks off inside":        "[" + good[:20],
		"comma at the end":         "[" + good + ",]",
		"no comma":                 "[" + good + good + "]",
		"wrong bracket":            "[" + good + "}",
		"text after a list":        "[" + good + "]x",
		"second list":              "[" + good + "][]",
		"text after an object":     good + "x",
		"second object":            good + good,
		"no signature":             "{}",
		"empty signature":          enhanced(""),
		"short signature":          enhanced(sig1[:60]),
		"long signature":           enhanced(types.Signature(strings.Repeat("1", 1_000_000))),
		"signature no base58":      enhanced(types.Signature(strings.Replace(string(sig1), "w", "0", 1))),
		"signature of 63 bytes":    enhanced(types.Signature(strings.Repeat("1", 62) + "22")[:63]),
		"raw without signatures":   `{"transaction":{"signatures":[]}}`,
		"raw with null signatures": `{"transaction":{"signatures":null},"signature":"` + string(sig1) + `"}`,
		"nested":                   strings.Replace(good, "{", `{"x":`+strings.Repeat("[", 64)+strings.Repeat("]", 64)+",", 1),
		"nested very deep":         "[" + strings.Repeat("[", 1_000_000),
		"good, then bad":           "[" + good + `,{"signature":1}]`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			events, err := webhooks.ParseEvents([]byte(body))
			require.ErrorIs(t, err, types.ErrInvalid)
			require.Nil(t, events)
			require.Less(t, len(err.Error()), 200) // it must not carry the body
		})
	}
}

// What is kept of an event can be read again, in another process too.
func TestKeptEventIsReadAgain(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"enhanced.json", "raw.json"} {
		events, err := webhooks.ParseEvents([]byte(golden(t, file)))
		require.NoError(t, err)
		for _, e := range events {
			again, err := webhooks.ParseEvents(e.JSON)
			require.NoError(t, err)
			require.Equal(t, []*webhooks.Event{e}, again)
		}
	}
}

// enhanced returns the least that is an event.
func enhanced(signature types.Signature) string {
	return fmt.Sprintf(`{"signature":%q,"type":"TRANSFER"}`, signature)
}

func at(seconds int64) types.Time { return types.Time{Time: time.Unix(seconds, 0).UTC()} }

func exact(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func ref[T any](v T) *T { return &v }

func change(user, tokens, mint types.Address, amount string, decimals uint8) webhooks.TokenBalanceChange {
	return webhooks.TokenBalanceChange{
		UserAccount: user, TokenAccount: tokens, Mint: mint,
		RawTokenAmount: webhooks.RawTokenAmount{Amount: exact(amount), Decimals: decimals},
	}
}
