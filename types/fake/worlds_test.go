package fake_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

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

func made(i int) types.Address {
	const letters = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	b := []byte("2Made111111111111111111111111111111111111111")
	for j := 5; i > 0; j, i = j+1, i/58 {
		b[j] = letters[i%58]
	}
	return types.Address(b)
}

type assetList struct {
	Items []struct{ ID types.Address }
}

func TestWorldWithoutNFTs(t *testing.T) {
	t.Parallel()
	s := fake.New(&fake.Options{World: &fake.World{Wallets: []fake.Wallet{{Address: ann}}}})
	var list assetList
	require.Empty(t, ask(t, s, "getAssetsByOwner", `{"ownerAddress":"`+string(ann)+`"}`, &list))
	require.Empty(t, list.Items)
	require.Contains(t, ask(t, s, "getAsset", `{"id":"`+string(bob)+`"}`, nil), "Asset Not Found")
}

func TestWorldWithMyNFTs(t *testing.T) {
	t.Parallel()
	s := fake.New(&fake.Options{World: &fake.World{NFTs: []fake.NFT{
		{ID: cat, Owner: bob, Name: "Kits"},
		{Owner: ann, Name: "Kit 1", Collection: cat, Creators: []fake.Creator{{Address: bob, Share: 100, Verified: true}}},
		{Owner: ann, Name: "Kit 2", Collection: cat, Compressed: true},
	}}})
	for method, params := range map[string]string{
		"getAssetsByOwner": `{"ownerAddress":"` + string(ann) + `"}`,
		"getAssetsByGroup": `{"groupKey":"collection","groupValue":"` + string(cat) + `"}`,
		"searchAssets":     `{"ownerAddress":"` + string(ann) + `","tokenType":"all"}`,
	} {
		var list assetList
		require.Empty(t, ask(t, s, method, params, &list))
		require.Len(t, list.Items, 2, method)
	}
	var page struct {
		NFTs []struct{ Name, CollectionName string }
	}
	ask(t, s, "/v1/wallet/"+string(ann)+"/balances?showNfts=true", "", &page)
	require.Len(t, page.NFTs, 2)
	require.Equal(t, "Kits", page.NFTs[0].CollectionName)
}

// The pages of a large wallet take the time of their items.
func TestWorldWithAWalletOfManyTokens(t *testing.T) {
	t.Parallel()
	const count = 20_000
	ann := fake.Wallet{Address: ann}
	for i := range count {
		ann.Tokens = append(ann.Tokens, fake.Token{Mint: made(i), Decimals: 2, Amount: decimal.NewFromInt(int64(1 + i)), PriceUSD: decimal.NewFromInt(2)})
	}
	s := fake.New(&fake.Options{World: &fake.World{Wallets: []fake.Wallet{ann}}})
	began, seen := time.Now(), 0
	for n := 1; ; n++ {
		var page struct {
			Balances   []struct{ Mint string }
			Pagination struct{ HasMore bool }
		}
		ask(t, s, fmt.Sprintf("/v1/wallet/%s/balances?page=%d", ann.Address, n), "", &page)
		seen += len(page.Balances)
		if !page.Pagination.HasMore {
			break
		}
	}
	require.Equal(t, count, seen)
	require.Less(t, time.Since(began), 10*time.Second, "55 s when each page made all of them")
}

func TestWorldWithATokenOfManyHolders(t *testing.T) {
	t.Parallel()
	w := &fake.World{}
	for i := range 1000 {
		w.TokenAccounts = append(w.TokenAccounts, fake.TokenAccount{Owner: made(1 + i), Mint: cat, RawAmount: uint64(i), Decimals: 6})
	}
	s := fake.New(&fake.Options{World: w})
	var supply struct{ Value struct{ Amount string } }
	require.Empty(t, ask(t, s, "getTokenSupply", `["`+string(cat)+`"]`, &supply))
	require.Equal(t, "499500", supply.Value.Amount)
	var page struct {
		Accounts []struct{ Amount uint64 } `json:"token_accounts"`
	}
	require.Empty(t, ask(t, s, "getTokenAccounts", `{"mint":"`+string(cat)+`"}`, &page))
	require.Len(t, page.Accounts, 999, "those that hold something")
}

func TestWorldWithAMonthOfHistory(t *testing.T) {
	t.Parallel()
	w := &fake.World{Wallets: []fake.Wallet{{Address: ann, SOL: decimal.NewFromInt(50)}}}
	now := time.Date(2026, time.May, 1, 12, 0, 0, 0, time.UTC)
	for day := range 30 {
		w.Transactions = append(w.Transactions, fake.Transaction{
			BlockTime: types.Time{Time: now.AddDate(0, 0, -day)}, Memo: fmt.Sprint("day ", day),
			Transfers: []fake.Transfer{{From: bob, To: ann, Amount: decimal.NewFromInt(1)}},
		})
	}
	s := fake.New(&fake.Options{World: w, Clock: func() time.Time { return now }})
	var list []struct {
		Memo      string
		BlockTime int64
	}
	require.Empty(t, ask(t, s, "getSignaturesForAddress", `["`+string(ann)+`"]`, &list))
	require.Len(t, list, 30)
	require.Equal(t, "[5] day 0", list[0].Memo)
	var past struct{ Balance string }
	ask(t, s, fmt.Sprintf("/v1/wallet/%s/balance-at?mint=%s&time=%d", ann, types.NativeSOLMint, list[29].BlockTime), "", &past)
	require.Equal(t, "21", past.Balance)
}

func TestWorldWithAccountsAndInstructionsOfAProgram(t *testing.T) {
	t.Parallel()
	s := fake.New(&fake.Options{World: &fake.World{
		ProgramAccounts: []fake.ProgramAccount{{Address: bob, Program: cat, Data: []byte{1, 2, 3}}, {Program: cat, Data: []byte{9}}},
		Transactions: []fake.Transaction{{
			FeePayer: ann, Instructions: []fake.Instruction{{Program: cat, Accounts: []types.Address{bob}, Data: []byte{7}}},
		}},
	}})
	var all []struct {
		Pubkey  types.Address
		Account struct{ Space int }
	}
	require.Empty(t, ask(t, s, "getProgramAccounts", `["`+string(cat)+`",{"encoding":"base64","filters":[{"memcmp":{"offset":1,"bytes":"3"}}]}]`, &all))
	require.Len(t, all, 1)
	require.Equal(t, bob, all[0].Pubkey)
	var list []struct{ Signature string }
	require.Empty(t, ask(t, s, "getSignaturesForAddress", `["`+string(cat)+`"]`, &list))
	require.Len(t, list, 1)
	var x struct {
		Transaction struct {
			Message struct{ Instructions []struct{ Data string } }
		}
	}
	require.Empty(t, ask(t, s, "getTransaction", `["`+list[0].Signature+`"]`, &x))
	require.Equal(t, "8", x.Transaction.Message.Instructions[0].Data)
}

func TestMistakesInAWorldPanic(t *testing.T) {
	t.Parallel()
	for want, w := range map[string]*fake.World{
		"World.Wallets[1].Address":         {Wallets: []fake.Wallet{{Address: ann}, {Address: ann}}},
		"World.NFTs[0].Creators have 90":   {NFTs: []fake.NFT{{Owner: ann, Creators: []fake.Creator{{Address: bob, Share: 90}}}}},
		"World.ProgramAccounts[0].Program": {ProgramAccounts: []fake.ProgramAccount{{Program: "x"}}},
	} {
		func() {
			defer func() { require.Contains(t, fmt.Sprint(recover()), want) }()
			fake.New(&fake.Options{World: w})
		}()
	}
}

func TestTransfersThatCannotBePanic(t *testing.T) {
	t.Parallel()
	s := fake.New(nil)
	require.PanicsWithValue(t, `fake.Service.Transfer: "nope" is not an address`, func() { s.Transfer("nope", ann, 1) })
	require.Panics(t, func() { s.Transfer(fake.WalletAddress, ann, 1<<60) })
	require.Panics(t, func() { s.Swap("nope") })
}

// A client can look up the instruction that failed.
func TestFailedTransactionsHaveTheInstructionThatFailed(t *testing.T) {
	t.Parallel()
	for failure, count := range map[string]int{"InstructionError: [3, Custom(6001)]": 4, "BlockhashNotFound": 1} {
		s := fake.New(&fake.Options{World: &fake.World{Transactions: []fake.Transaction{{FeePayer: ann, Err: failure}}}})
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
		require.Len(t, x.Transaction.Message.Instructions, count)
		require.Len(t, x.Meta.LogMessages, 2*count)
		require.Contains(t, x.Meta.LogMessages[2*count-1], "failed: "+failure)
	}
}
