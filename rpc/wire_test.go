package rpc_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

// The files in testdata are written by hand after the service's description:
// they prove the names, the tags and the exactness of every field.

const usdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"

func TestTokenAccountsThatTheServiceHasReadOnTheWire(t *testing.T) {
	t.Parallel()
	s := fake.New()
	s.Answer(200, golden(t, "parsed.json"))
	list, err := client(t, s).TokenAccountsByDelegate(t.Context(), fake.Delegate, rpc.ByProgram(types.TokenProgram), &rpc.TokenAccountsOptions{
		Commitment:     rpc.Confirmed,
		MinContextSlot: 5,
	})
	require.NoError(t, err)
	require.Equal(t, golden(t, "parsed.request"), sent(s))
	require.Equal(t, &rpc.TokenAccounts{
		Slot: 18446744073709551615,
		Items: []rpc.TokenAccount{
			{Address: "HH5JPELYc1krxbZunUrd26Z5B3Yh6zz3ngqQuoaG89Hd", Account: rpc.Account{
				Lamports:  2039280,
				Owner:     types.Token2022Program,
				RentEpoch: rpc.NoRent,
				Space:     182,
				Data: rpc.Data{
					Program:  "spl-token-2022",
					Space:    182,
					Encoding: rpc.JSONParsed,
					Parsed: &rpc.TokenInfo{
						Type:              "account",
						Mint:              "CWnYLQzsvfHGcdAniz7Fyp8x1HGyMsjAgKFXrhqXxXGf",
						Owner:             fake.Wallet,
						TokenAmount:       rpc.Amount{Amount: 18446744073709551615, Decimals: 20, UIAmountString: "0.18446744073709551615"},
						State:             rpc.Frozen,
						IsNative:          true,
						Delegate:          fake.Delegate,
						DelegatedAmount:   rpc.Amount{Amount: 1, Decimals: 9, UIAmount: "1e-9", UIAmountString: "0.000000001"},
						RentExemptReserve: rpc.Amount{Amount: 2039280, Decimals: 9, UIAmount: "0.00203928", UIAmountString: "0.00203928"},
						CloseAuthority:    "H5hb7SnFCXDqRfnL8ava4TyMgY27xUxtutzN8zhNQDcs",
						Extensions: []rpc.Extension{
							{Name: "immutableOwner"},
							{Name: "transferFeeAmount", State: json.RawMessage(`{"withheldAmount":18446744073709551615}`)},
						},
					},
				},
			}},
			{Address: "4mThAfs1ozEFckia5US33J87YSaGoajoLg17XUkwLXke", Account: rpc.Account{
				Lamports:   18446744073709551615,
				Owner:      types.TokenProgram,
				Executable: true,
				RentEpoch:  18446744073709551615,
				Data: rpc.Data{
					Program:  "spl-token",
					Encoding: rpc.JSONParsed,
					Parsed: &rpc.TokenInfo{
						Mint:        usdc,
						Owner:       "not an address",
						TokenAmount: rpc.Amount{Amount: 9007199254740993, Decimals: 6, UIAmount: "9007199254.740993", UIAmountString: "9007199254.740993"},
						State:       "asleep",
					},
				},
			}},
			{Address: "ChS3AiupBJMLCp5iYno6fGbZ82jFrTgYH7KDo62hjopG", Account: rpc.Account{
				Owner: types.TokenProgram,
				Space: 165,
				Data: rpc.Data{
					Program:  "spl-token",
					Space:    165,
					Encoding: rpc.JSONParsed,
					Parsed: &rpc.TokenInfo{
						Type:            "account",
						Mint:            usdc,
						Owner:           fake.Wallet,
						TokenAmount:     rpc.Amount{Amount: 5, Decimals: 6, UIAmount: "0.000005", UIAmountString: "0.000005"},
						State:           rpc.Uninitialized,
						Delegate:        fake.Delegate,
						DelegatedAmount: rpc.Amount{Amount: 18446744073709551615, Decimals: 6},
					},
				},
			}},
			{Address: "FW23Xgu5rGQcYRyJP91CMBggntv6dcnqV4RjobbFLVya", Account: rpc.Account{
				Lamports: 1461600,
				Owner:    types.TokenProgram,
				Space:    82,
				Data:     rpc.Data{Program: "spl-token", Space: 82, Encoding: rpc.JSONParsed, Parsed: &rpc.TokenInfo{Type: "mint"}},
			}},
		},
	}, list)
}

func TestTokenAccountsAsBytesOnTheWire(t *testing.T) {
	t.Parallel()
	s := fake.New()
	s.Answer(200, golden(t, "encoded.json"))
	list, err := client(t, s).TokenAccountsByDelegate(t.Context(), fake.Delegate, rpc.ByMint(usdc), &rpc.TokenAccountsOptions{
		DataSlice: &types.DataSlice{Length: 4},
		Encoding:  rpc.Base64Zstd,
	})
	require.NoError(t, err)
	require.Equal(t, golden(t, "encoded.request"), sent(s))
	account := func(address types.Address, epoch rpc.Epoch, space uint64, encoding rpc.Encoding, encoded string) rpc.TokenAccount {
		return rpc.TokenAccount{Address: address, Account: rpc.Account{
			Lamports:  2039280,
			Owner:     types.TokenProgram,
			RentEpoch: epoch,
			Space:     space,
			Data:      rpc.Data{Encoding: encoding, Encoded: encoded},
		}}
	}
	require.Equal(t, &rpc.TokenAccounts{
		Slot: 100,
		Items: []rpc.TokenAccount{
			account("HH5JPELYc1krxbZunUrd26Z5B3Yh6zz3ngqQuoaG89Hd", rpc.NoRent, 165, rpc.Base64Zstd, "KLUv/SAEIQAA3q2+7w=="),
			account("4mThAfs1ozEFckia5US33J87YSaGoajoLg17XUkwLXke", 361, 165, rpc.Base64, "3q2+7w=="),
			account("ChS3AiupBJMLCp5iYno6fGbZ82jFrTgYH7KDo62hjopG", 0, 165, rpc.Base58, "6h8cQN"),
			account("FW23Xgu5rGQcYRyJP91CMBggntv6dcnqV4RjobbFLVya", 0, 0, rpc.Base58, "6h8cQN"),
			account("DfJRPVxrzkE8ywAx5AaQ9pSRWjAAuspJbMqoipyWZpGu", 0, 0, "base2048", "3q2+7w=="),
			account("DanFQ5jq5w1vAsaCp8GrN6M298P9keGNp6hXXDZ6JpyH", 0, 0, "", ""),
		},
	}, list)
	for _, item := range list.Items[:4] {
		b, err := item.Account.Data.Bytes()
		require.NoError(t, err)
		require.Equal(t, []byte{0xde, 0xad, 0xbe, 0xef}, b)
	}
}

func TestOnlyTheEncodingIsSentByDefault(t *testing.T) {
	t.Parallel()
	for _, opts := range []*rpc.TokenAccountsOptions{nil, {}, {Encoding: rpc.JSONParsed}} {
		s := fake.New()
		s.Answer(200, `{"jsonrpc":"2.0","id":"1","result":{"context":{"slot":1},"value":[]}}`)
		list, err := client(t, s).TokenAccountsByDelegate(t.Context(), fake.Delegate, rpc.ByMint(usdc), opts)
		require.NoError(t, err)
		require.Equal(t, &rpc.TokenAccounts{Slot: 1, Items: []rpc.TokenAccount{}}, list)
		require.Equal(t, `{"jsonrpc":"2.0","id":"1","method":"getTokenAccountsByDelegate","params":[`+
			`"4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T",`+
			`{"mint":"EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"},{"encoding":"jsonParsed"}]}`+"\n", sent(s))
	}
}

func TestAnswersComeWithAndWithoutEnvelope(t *testing.T) {
	t.Parallel()
	const result = `{"context":{"slot":7},"value":[{"pubkey":"a","account":{}}]}`
	for _, answer := range []string{
		`{"jsonrpc":"2.0","result":` + result + `,"id":"1"}`,
		`{"jsonrpc":"2.0","result":` + result + `,"id":1}`,
		`{"jsonrpc":"2.0","result":` + result + `,"id":null}`,
		`{"jsonrpc":"2.0","method":"getTokenAccountsByDelegate","params":[],"error":null,"result":` + result + `}`,
		`{"result":` + result + `}`,
		result,
	} {
		s := fake.New()
		s.Answer(200, answer)
		list, err := client(t, s).TokenAccountsByDelegate(t.Context(), fake.Delegate, rpc.ByMint(usdc), nil)
		require.NoError(t, err, answer)
		require.Equal(t, &rpc.TokenAccounts{Slot: 7, Items: []rpc.TokenAccount{{Address: "a"}}}, list)
	}
}

func TestAnswerOfAnotherShapeIsAnErrorAndNotAskedForAgain(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		`{"jsonrpc":"2.0","id":"1","result":{"context":{"slot":1},"value":null}}`:                           "answer has no value",
		`{"jsonrpc":"2.0","id":"1","result":{"context":{"slot":1}}}`:                                        "answer has no value",
		`{"jsonrpc":"2.0","id":"1","result":null}`:                                                          "answer has no result",
		`{"context":{"slot":1},"value":{"items":[]}}`:                                                       "",
		`{"context":{"slot":1},"value":[{"account":{"lamports":"5"}}]}`:                                     "",
		`{"context":{"slot":1},"value":[{"account":{"rentEpoch":1.5}}]}`:                                    `epoch: "1.5" is no whole number`,
		`{"context":{"slot":1},"value":[{"account":{"data":7}}]}`:                                           "account data is neither an object nor text",
		`{"context":{"slot":1},"value":[{"account":{"data":["a",7]}}]}`:                                     "",
		`{"context":{"slot":1},"value":[{"account":{"data":{"parsed":{"info":{"delegatedAmount":"5"}}}}}]}`: "",
		`{"context":{"slot":1},"value":[{"account":{"data":{"parsed":{"info":{"delegatedAmount":-5}}}}}]}`:  "",
	} {
		s := fake.New()
		s.Answer(200, answer)
		list, err := client(t, s).TokenAccountsByDelegate(t.Context(), fake.Delegate, rpc.ByMint(usdc), nil)
		require.ErrorContains(t, err, "getTokenAccountsByDelegate: ", answer)
		require.ErrorContains(t, err, want, answer)
		require.Nil(t, list)
		require.Len(t, s.Requests(), 1)
	}
}

// client returns one that asks s.
func client(t *testing.T, s *fake.Service) *rpc.Client {
	t.Helper()
	c, err := rpc.New(s.Config())
	require.NoError(t, err)
	return c
}

func golden(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	require.NoError(t, err)
	return string(text)
}

// sent returns the bodies that came in, a line for each.
func sent(s *fake.Service) string {
	var b strings.Builder
	for _, r := range s.Requests() {
		b.WriteString(r.Body + "\n")
	}
	return b.String()
}
