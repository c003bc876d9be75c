package fake_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// ask calls a JSON-RPC method, or gets a path, and decodes the result. It returns the error of
// a refusal.
func ask(t *testing.T, s *fake.Service, what, params string, result any) string {
	t.Helper()
	method, url, body := http.MethodGet, "http://fake"+what, ""
	if !strings.HasPrefix(what, "/") {
		method, url, body = http.MethodPost, "http://fake/?api-key="+fake.Key, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, what, params)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Api-Key", fake.Key)
	resp, err := s.Transport().RoundTrip(req)
	require.NoError(t, err)
	defer func() { require.NoError(t, resp.Body.Close()) }()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	if method == http.MethodGet {
		require.NoError(t, json.Unmarshal(text, result), "%s", text)
		return ""
	}
	var envelope struct {
		Result json.RawMessage
		Error  json.RawMessage
	}
	require.NoError(t, json.Unmarshal(text, &envelope), "%s", text)
	if envelope.Error == nil && result != nil {
		require.NoError(t, json.Unmarshal(envelope.Result, result), "%s", text)
	}
	return string(envelope.Error)
}

func TestWorldWithAccountsAndInstructionsOfAProgram(t *testing.T) {
	t.Parallel()
	s := fake.New(&fake.Options{World: &fake.World{
		ProgramAccounts: []fake.ProgramAccount{{Address: bob, Program: cat, Data: []byte{1, 2, 3}}, {Program: cat, Data: []byte{9}}},
		Transactions: []fake.Transaction{{
			FeePayer: ann, Memo: "hello", Instructions: []fake.Instruction{{Program: cat, Accounts: []types.Address{bob}, Data: []byte{7}}},
		}},
	}})
	var all []struct {
		Pubkey  types.Address
		Account struct{ Space int }
	}
	require.Empty(t, ask(t, s, "getProgramAccounts", `["`+string(cat)+`",{"encoding":"base64","filters":[{"memcmp":{"offset":1,"bytes":"3"}}]}]`, &all))
	require.Len(t, all, 1)
	require.Equal(t, bob, all[0].Pubkey)
	var list []struct{ Signature, Memo string }
	require.Empty(t, ask(t, s, "getSignaturesForAddress", `["`+string(cat)+`"]`, &list))
	require.Len(t, list, 1)
	require.Equal(t, "[5] hello", list[0].Memo)
	var x struct {
		Transaction struct {
			Message struct{ Instructions []struct{ Data string } }
		}
	}
	require.Empty(t, ask(t, s, "getTransaction", `["`+list[0].Signature+`"]`, &x))
	require.Equal(t, "8", x.Transaction.Message.Instructions[0].Data)
}

// A client can look up the instruction that failed.
func TestFailedTransactionsHaveTheInstructionThatFailed(t *testing.T) {
	t.Parallel()
	four := make([]fake.Instruction, 4)
	for i := range four {
		four[i] = fake.Instruction{Program: fake.ProgramAddress}
	}
	for _, row := range []struct {
		failure, end string
		instructions []fake.Instruction
		logs         int
	}{
		{"InstructionError: [3, Custom(6001)]", "failed: custom program error: 0x1771", four, 8},
		{"InstructionError: [0, InvalidInstructionData]", "failed: invalid instruction data", nil, 2},
		{"InstructionError: [1, Custom(1)]", "failed: custom program error: 0x1", four, 4}, // the next does not run
		{"InsufficientFundsForRent", "success", nil, 2},
	} {
		s := fake.New(&fake.Options{World: &fake.World{Transactions: []fake.Transaction{{FeePayer: ann, TransactionError: row.failure, Instructions: row.instructions}}}})
		var list []struct{ Signature string }
		require.Empty(t, ask(t, s, "getSignaturesForAddress", `["`+string(ann)+`"]`, &list))
		var x struct {
			Transaction struct {
				Message struct {
					Instructions []struct{ ProgramIDIndex int }
				}
			}
			Meta struct{ LogMessages []string }
		}
		require.Empty(t, ask(t, s, "getTransaction", `["`+list[0].Signature+`"]`, &x))
		require.Len(t, x.Transaction.Message.Instructions, max(1, len(row.instructions)))
		require.Len(t, x.Meta.LogMessages, row.logs)
		require.Contains(t, x.Meta.LogMessages[row.logs-1], row.end)
	}
}

func TestImpossibleWorldsAreMistakes(t *testing.T) {
	t.Parallel()
	const odd = types.Address("2Bob1111111111111111111111111111111111111111")
	for want, w := range map[string]*fake.World{
		"Transactions[0].Err is of instruction 1, but the transaction has 1; add Instructions":   {Transactions: []fake.Transaction{{FeePayer: ann, TransactionError: "InstructionError: [1, Custom(7)]"}}},
		`Transactions[0].Err is "nonsense", but must be like "InstructionError: [0, Custom(1)]"`: {Transactions: []fake.Transaction{{FeePayer: ann, TransactionError: "nonsense"}}},
		"use the fields of World":                    {Transactions: []fake.Transaction{{FeePayer: ann, Dropped: true}}},
		"World.Wallets[1].Address":                   {Wallets: []fake.Wallet{{Address: ann}, {Address: ann}}},
		"CompressedAccounts[1].Hash":                 {CompressedAccounts: []fake.CompressedAccount{{Owner: ann, Hash: types.Hash(odd)}, {Owner: bob, Hash: types.Hash(odd)}}},
		"Tokens[0].Mint \"So11111111111111111111111": {Wallets: []fake.Wallet{{Address: ann, Tokens: []fake.Token{{Mint: types.NativeSOLMint, Decimals: 9}}}}},
		"NFTs[0].Owner":                              {NFTs: []fake.NFT{{Name: "nobody's"}}},
		"NFTs[0]: json: ":                            {NFTs: []fake.NFT{{Owner: ann, Attributes: json.RawMessage("{")}}},
		"than it holds and has sent since":           {NFTs: []fake.NFT{{ID: odd, Owner: ann}}, Transactions: []fake.Transaction{{Transfers: []fake.Transfer{{From: ann, To: bob, Mint: odd, Amount: decimal.NewFromInt(1)}}}}},
		"Transactions[0].Type":                       {Transactions: []fake.Transaction{{FeePayer: ann, Type: "no type"}}},
		"Webhooks[0].webhookType":                    {Webhooks: []fake.Webhook{{URL: "https://example.test", Type: "daily"}}},
		`World.Patches["x"] is not JSON`:             {Patches: map[string]json.RawMessage{"x": json.RawMessage("{")}},
	} {
		func() {
			defer func() { require.Contains(t, recover(), want) }()
			fake.New(&fake.Options{World: w})
		}()
	}
}
