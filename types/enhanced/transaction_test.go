package enhanced_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/enhanced"
	"github.com/solwire/solwire-go/types/txtype"
)

const (
	account  types.Address = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"
	another  types.Address = "DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263"
	third    types.Address = "8x5VqbHA8D7NkD52uNuS5nnt3PwA8pLD34ymskeSo2Wn"
	tokens   types.Address = "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo" // a token account, mint or tree
	usdc     types.Address = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
	delegate types.Address = "J1S9H3QjnRtBbbuD4HjPV6RpRhwuk4zKbxsnCHuTgh9w"
	asset    types.Address = "4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R"
	orca     types.Address = "whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc"
	jupiter  types.Address = "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4"
)

// The file is written by hand from the service's documentation.
func TestTransactionsDecodeFromTheWire(t *testing.T) {
	t.Parallel()
	body, err := os.ReadFile("testdata/transactions.json")
	require.NoError(t, err)
	for name, unmarshal := range map[string]func([]byte, any) error{"encoding/json": json.Unmarshal, "decode": decode.JSON} {
		var all []enhanced.Transaction
		require.NoError(t, unmarshal(body, &all), name)
		require.Equal(t, []enhanced.Transaction{swap(), sale(), mint()}, all, name)
	}
}

func swap() enhanced.Transaction {
	return enhanced.Transaction{
		Description:     string(account) + " swapped 0.1 USDC for 18446744073.709551615 SOL",
		Type:            txtype.Swap,
		Source:          "JUPITER",
		FeeLamports:     5000,
		FeePayer:        account,
		Signature:       "5wHu1qwD7q5ifaN5nwdcDqNFo53GJqa7nLp2BeeEpcHCusb4GzARz4GjgzsEHMkBMgCJMGa6GSQ1VG96Exv8kt2W",
		Slot:            math.MaxUint64,
		BlockTime:       at(1735689601),
		NativeTransfers: []enhanced.NativeTransfer{{FromUserAccount: another, Lamports: math.MaxUint64}},
		TokenTransfers: []enhanced.TokenTransfer{
			{
				FromUserAccount:  account,
				FromTokenAccount: tokens,
				Amount:           exact("0.1000000000000000000001"),
				Mint:             usdc,
				TokenStandard:    types.TokenStandardFungible,
				Decimals:         new(uint8),
			},
			{Amount: exact("1.5e-7"), Mint: types.WrappedSOL, TokenStandard: "SomethingNew"},
		},
		AccountData: []enhanced.AccountData{
			{Account: account, NativeBalanceChange: -9007199254740993},
			{
				Account:             tokens,
				NativeBalanceChange: 2147483648,
				TokenBalanceChanges: []enhanced.TokenBalanceChange{change(account, tokens, usdc, "-18446744073709551615", 6)},
			},
		},
		TransactionError: json.RawMessage(`{"InstructionError": [0, {"Custom": 1}]}`),
		Instructions: []enhanced.Instruction{{
			Accounts:  []types.Address{account},
			Data:      "3Bxs4h24hBtQy9rw",
			ProgramID: jupiter,
			InnerInstructions: []enhanced.InnerInstruction{
				{Accounts: []types.Address{tokens}, Data: "A", ProgramID: orca},
			},
		}},
		Events: enhanced.Events{Swap: &enhanced.SwapEvent{
			NativeInput:  &enhanced.NativeBalanceChange{Account: account, Lamports: math.MaxUint64},
			NativeOutput: &enhanced.NativeBalanceChange{Account: another, Lamports: math.MaxUint64 - 1},
			TokenInputs:  []enhanced.TokenBalanceChange{change(account, tokens, usdc, "100000", 6)},
			TokenOutputs: []enhanced.TokenBalanceChange{change("", "", types.WrappedSOL, "7", 9)},
			TokenFees:    []enhanced.TokenBalanceChange{change("", "", tokens, "0", 0)},
			NativeFees:   []enhanced.NativeBalanceChange{{Account: third, Lamports: 25}},
			InnerSwaps: []enhanced.InnerSwap{{
				NativeInput:  &enhanced.NativeTransfer{FromUserAccount: account, ToUserAccount: third, Lamports: 1},
				TokenInputs:  []enhanced.TokenTransfer{{Amount: exact("1"), Mint: usdc}},
				TokenOutputs: []enhanced.TokenTransfer{{Amount: exact("2"), Mint: types.WrappedSOL}},
				TokenFees:    []enhanced.TokenTransfer{{Amount: exact("3"), Mint: tokens}},
				NativeFees:   []enhanced.NativeTransfer{{FromUserAccount: account, ToUserAccount: third, Lamports: 4}},
				ProgramInfo:  enhanced.ProgramInfo{Source: "ORCA", Account: orca, ProgramName: "ORCA_WHIRLPOOLS", InstructionName: "whirlpoolSwap"},
			}},
		}},
	}
}

func sale() enhanced.Transaction {
	const signature = "3Ww3Wz9C1b7RM8P3xEzyWmeHk7H7jE7VtCFTJwEsqz2MrJxt2Cb7D1YzTFY6hYC1Hn7QWQcX5dUoZ7r2A5rQ7tPb"
	return enhanced.Transaction{
		Type:      txtype.NFTSale,
		Source:    "MAGIC_EDEN",
		Signature: signature,
		Events: enhanced.Events{
			NFT: &enhanced.NFTEvent{
				Description: "sold for 70 SOL",
				Type:        txtype.NFTSale,
				Source:      "MAGIC_EDEN",
				Lamports:    70_000_000_000,
				FeeLamports: 10_000,
				FeePayer:    account,
				Signature:   signature,
				Slot:        171942732,
				BlockTime:   at(1735689602),
				SaleType:    enhanced.SaleTypeInstantSale,
				Buyer:       account,
				Seller:      another,
				NFTs:        []types.NFT{{Mint: third, TokenStandard: types.TokenStandardProgrammableNonFungible}},
			},
			Compressed: []enhanced.CompressedNFTEvent{{
				Type:                  txtype.CompressedNFTTransfer,
				TreeID:                tokens,
				AssetID:               asset,
				LeafIndex:             new(uint64),
				InstructionIndex:      index(1),
				InnerInstructionIndex: index(2),
				NewLeafOwner:          account,
				OldLeafOwner:          another,
				Seq:                   seq(math.MaxUint64),
				NewLeafDelegate:       json.RawMessage(`"7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU"`),
				OldLeafDelegate:       json.RawMessage(`{"any": "JSON"}`),
				TreeDelegate:          delegate,
				Metadata:              json.RawMessage(`{"name": "x"}`),
				UpdateArgs:            json.RawMessage(`[1]`),
			}},
			SetAuthority:                 []enhanced.SetAuthorityEvent{{Account: account, From: another, To: third, InstructionIndex: new(int)}},
			DistributeCompressionRewards: &enhanced.CompressionRewards{Lamports: 12},
		},
	}
}

func mint() enhanced.Transaction {
	return enhanced.Transaction{
		Signature: "2nBhEBYYvfaAe16UMNqRHre4YNSskvuYgx3M6E4JP1oDYvZEJHvoPzyUidNgNX5r9sTyN1J9UxtbCXy2rqYcuyuv",
		Type:      "UNKNOWN",
		Events: enhanced.Events{
			Compressed: []enhanced.CompressedNFTEvent{
				{Type: txtype.CreateMerkleTree, TreeID: tokens},
				{Type: txtype.CompressedNFTMint, TreeID: tokens, LeafIndex: seq(7)},
			},
			SetAuthority: []enhanced.SetAuthorityEvent{{Account: account, InnerInstructionIndex: index(3)}},
		},
	}
}

func TestLamportsAreAStringOrANumber(t *testing.T) {
	t.Parallel()
	var got enhanced.Transaction
	require.NoError(t, decode.JSON([]byte(`{
		"nativeTransfers":[{"amount":"5","toUserAccount":"`+string(account)+`"},{"amount":6}],
		"events":{
			"nft":{"amount":7,"fee":8,"description":"x"},
			"distributeCompressionRewards":{"amount":9},
			"swap":{
				"nativeInput":{"amount":"18446744073709551615"},
				"nativeFees":[{"amount":10}],
				"innerSwaps":[{"nativeOutput":{"amount":11},"nativeFees":[{"amount":"12"}]}]}}}`), &got))
	require.Equal(t, []enhanced.NativeTransfer{{ToUserAccount: account, Lamports: 5}, {Lamports: 6}}, got.NativeTransfers)
	for _, lacking := range []string{`{}`, `{"amount":null,"toUserAccount":"x"}`} {
		for _, at := range []string{`{"nativeTransfers":[%s]}`, `{"events":{"swap":{"nativeInput":%s}}}`} {
			require.ErrorContains(t, decode.JSON(fmt.Appendf(nil, at, lacking), new(enhanced.Transaction)), "no amount")
		}
	}
	require.Equal(t, &enhanced.NFTEvent{Lamports: 7, FeeLamports: 8, Description: "x"}, got.Events.NFT)
	require.Equal(t, &enhanced.CompressionRewards{Lamports: 9}, got.Events.DistributeCompressionRewards)
	require.Equal(t, &enhanced.SwapEvent{
		NativeInput: &enhanced.NativeBalanceChange{Lamports: math.MaxUint64},
		NativeFees:  []enhanced.NativeBalanceChange{{Lamports: 10}},
		InnerSwaps: []enhanced.InnerSwap{{
			NativeOutput: &enhanced.NativeTransfer{Lamports: 11},
			NativeFees:   []enhanced.NativeTransfer{{Lamports: 12}},
		}},
	}, got.Events.Swap)
}

func TestBlockTime(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]types.Time{
		`{"timestamp":1735689601,"events":{"nft":{"timestamp":1735689601}}}`: at(1735689601),
		`{"timestamp":null,"events":{"nft":{"timestamp":null}}}`:             {},
		`{"timestamp":-1,"events":{"nft":{"timestamp":-1}}}`:                 at(-1),
	} {
		var got enhanced.Transaction
		require.NoError(t, decode.JSON([]byte(body), &got), body)
		require.Equal(t, want, got.BlockTime, body)
		require.Equal(t, want, got.Events.NFT.BlockTime, body)
	}
	require.Error(t, decode.JSON([]byte(`{"timestamp":"x"}`), new(enhanced.Transaction)))
}

// The error must not quote the value, which may be long or private.
func TestAmountsAreRefusedWithoutQuotingThem(t *testing.T) {
	t.Parallel()
	for _, amount := range []string{`"1e-3"`, `1.5`, `-1`, `""`, `"18446744073709561616"`, `"` + strings.Repeat("\u20ac", 400) + `"`} {
		err := decode.JSON([]byte(`{"nativeTransfers":[{"amount":`+amount+`}]}`), new(enhanced.Transaction))
		require.ErrorContains(t, err, "is not a whole number of 64 bits", amount)
		require.NotContains(t, err.Error(), "\u20ac")
	}
}

func TestNullAndAbsentMembersAreZero(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`null`, `{}`, `{"transactionError":null,"nativeTransfers":null,"tokenTransfers":null,"accountData":null,"instructions":null,"events":null}`,
		`{"events":{"nft":null,"swap":null,"compressed":null,"setAuthority":null,"distributeCompressionRewards":null}}`,
	} {
		var got enhanced.Transaction
		require.NoError(t, decode.JSON([]byte(body), &got), body)
		require.Equal(t, enhanced.Transaction{}, got, body)
	}
	var events enhanced.Events
	require.NoError(t, decode.JSON([]byte(`{"compressed":{"newLeafDelegate":null,"oldLeafDelegate":null,"metadata":null,"updateArgs":null}}`), &events))
	require.Equal(t, enhanced.Events{Compressed: []enhanced.CompressedNFTEvent{{}}}, events)
}

func at(seconds int64) types.Time { return types.Time{Time: time.Unix(seconds, 0).UTC()} }

func exact(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func index(n int) *int { return &n }

func seq(n uint64) *uint64 { return &n }

func change(user, tokens, mint types.Address, amount string, decimals uint8) enhanced.TokenBalanceChange {
	return enhanced.TokenBalanceChange{
		UserAccount: user, TokenAccount: tokens, Mint: mint,
		RawTokenAmount: enhanced.RawTokenAmount{Amount: exact(amount), Decimals: decimals},
	}
}

// Programs cache decoded transactions.
func TestTransactionSurvivesJSON(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"testdata/transactions.json", "../../internal/golden/enhanced/transactions.json", "../../internal/golden/enhanced/history.json"} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var compact bytes.Buffer
		require.NoError(t, json.Compact(&compact, text)) // as json.Marshal writes raw members
		var all []*enhanced.Transaction
		require.NoError(t, json.Unmarshal(compact.Bytes(), &all))
		require.NotEmpty(t, all)
		again, err := json.Marshal(all)
		require.NoError(t, err)
		require.Contains(t, string(again), `"blockTime":`)
		require.NotContains(t, string(again), `"timestamp":`)
		var cached []*enhanced.Transaction
		require.NoError(t, json.Unmarshal(again, &cached))
		require.Equal(t, all, cached)
	}
}
