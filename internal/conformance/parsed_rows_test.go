package conformance_test

import (
	"github.com/solwire/solwire-go/rpc/parsed"
	"github.com/solwire/solwire-go/types"
	parsedtypes "github.com/solwire/solwire-go/types/parsed"
)

// A shownResult is a result with the wire name that nodes give the position of its raw
// transaction.
type shownResult struct {
	*parsedtypes.Result
	Raw *shownTransaction `json:"rawTransaction"`
}

func shownResults(list []*parsedtypes.Result) any {
	all := []shownResult{}
	for _, r := range list {
		if r == nil {
			continue
		}
		all = append(all, shownResult{r, shownTx(r.Raw)})
	}
	return all
}

func shownPage(page *types.Page[parsedtypes.Result]) any {
	var list []*parsedtypes.Result
	for i := range page.Items {
		list = append(list, &page.Items[i])
	}
	return shownResults(list)
}

func parsedRows() []row {
	transactions := func(o *parsed.TransactionsOptions) call {
		return calling("parsed.Client.Transactions", []types.Signature{sig1, sig2, signature1}, o)
	}
	history := func(o *parsed.HistoryOptions) call { return calling("parsed.Client.History", walletKey, o) }
	signatures := []string{"0.signature", "1.signature", "2.signature"}
	return []row{
		{
			method: "parsed.Client.Transactions", wire: "POST /v1/parsed-events/transactions",
			golden: "parsed/transactions", shape: as(shownResults), minimal: transactions(nil),
			full: transactions(&parsed.TransactionsOptions{Commitment: types.CommitmentFinalized, ShowRaw: true}),
			keys: signatures, needs: append([]string{"0.parsed", "1.parsed"}, signatures...), beside: []string{"status"},
			refused: []refusal{{transactions(&parsed.TransactionsOptions{Commitment: types.CommitmentProcessed}), notProcessed}},
		},
		{
			method: "parsed.Client.History", wire: "POST /v1/parsed-events/transaction-history",
			golden: "parsed/history", shape: as(shownPage), minimal: history(nil),
			full: history(&parsed.HistoryOptions{
				Commitment: types.CommitmentFinalized, Ascending: true, Since: time1, Until: noon, SinceSlot: 7, UntilSlot: 1<<53 + 1,
				After: sig1, Before: signature1, TokenAccounts: types.TokenAccountHistoryAll, ShowRaw: true, PageOptions: types.PageOptions{Limit: 5, Cursor: "433950192:12", Prefetch: true},
			}),
			answer: "data", beside: []string{"status"},
			needs: []string{"data", "data.0.signature", "data.0.parsed", "data.1.signature", "data.1.parsed"},
			refused: []refusal{
				{history(&parsed.HistoryOptions{SinceSlot: 5, UntilSlot: 5}), "SinceSlot 5 is not before UntilSlot 5"},
				{history(&parsed.HistoryOptions{Since: noon, Until: noon}), "Since 2026-01-01T12:00:00Z is not before Until 2026-01-01T12:00:00Z"},
				{history(&parsed.HistoryOptions{Commitment: types.CommitmentProcessed}), notProcessed},
			},
			list: listOf(`{"signature":"%s","parserStatus":"ERROR"}`, `{"data":[%s],"paginationToken":%s}`, walletKey),
		},
	}
}
