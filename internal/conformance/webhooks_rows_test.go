package conformance_test

import (
	"time"

	"github.com/solwire/solwire-go/types"
	parsedtx "github.com/solwire/solwire-go/types/enhanced"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/enhancedapi"
)

func webhooksRows() []row {
	settings := webhooks.Settings{
		URL:              "https://example.com/hooks",
		TransactionTypes: []txtype.Type{txtype.Swap, txtype.NFTSale},
		AccountAddresses: []types.Address{delegate, "DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263"},
		Type:             webhooks.TypeEnhanced,
		AuthHeader:       "Bearer 6b1f8e4c9a",
		Encoding:         types.EncodingJSONParsed,
		Outcome:          types.OutcomeAll,
	}
	minimal := webhooks.Settings{URL: settings.URL, Type: webhooks.TypeRaw, AccountAddresses: []types.Address{delegate}}
	create := func(s webhooks.Settings) call { return calling("webhooks.Client.Create", s) }
	replace := func(id string, s webhooks.Settings) call { return calling("webhooks.Client.Replace", id, s) }
	with := func(change func(*webhooks.Settings)) webhooks.Settings {
		s := settings
		change(&s)
		return s
	}
	badSettings := func(f func(webhooks.Settings) call) []refusal {
		return []refusal{
			{f(with(func(s *webhooks.Settings) { s.URL = "" })), "URL is empty"},
			{f(with(func(s *webhooks.Settings) { s.Type = "" })), "Type is empty"},
			{f(with(func(s *webhooks.Settings) { s.AuthHeader = "***" })), "AuthHeader is masked; set the secret"},
			{f(with(func(s *webhooks.Settings) { s.AuthHeader = "a\n" })), "AuthHeader starts or ends with white space; trim it"},
			{f(with(func(s *webhooks.Settings) { s.AccountAddresses = []types.Address{delegate, "x"} })), `AccountAddresses[1] "x": address has length 1, not 32 to 44`},
			{f(with(func(s *webhooks.Settings) { s.AccountAddresses = make([]types.Address, 100_001) })), "AccountAddresses has 100001 addresses; a webhook takes 100000; divide them among several webhooks"},
		}
	}
	badID := func(method string, more ...any) refusal {
		return refusal{calling(method, append([]any{"582dcf85"}, more...)...), "id is not a UUID"}
	}
	return []row{
		{
			method: "webhooks.Client.Webhooks", wire: "GET /v0/webhooks", golden: "webhooks/list",
			shape: as(shownAll),
		},
		{
			method: "webhooks.Client.Get", wire: "GET /v0/webhooks/{webhookID}", golden: "webhooks/get", keys: []string{"webhookID"},
			shape: as(shown), args: []any{hookID},
			needs:   []string{"webhookID"},
			refused: []refusal{badID("webhooks.Client.Get")},
		},
		{
			method: "webhooks.Client.Create", wire: "POST /v0/webhooks", golden: "webhooks/create", shape: as(shown),
			minimal: create(minimal), full: create(settings), needs: []string{"webhookID"}, refused: badSettings(create), changes: true,
		},
		{
			method: "webhooks.Client.Replace", wire: "PUT /v0/webhooks/{webhookID}", golden: "webhooks/replace", shape: as(shown), keys: []string{"webhookID"},
			minimal: replace(hookID, minimal), full: replace(hookID, settings), needs: []string{"webhookID"},
			refused: append(badSettings(func(s webhooks.Settings) call { return replace(hookID, s) }),
				badID("webhooks.Client.Replace", settings),
				refusal{replace(hookID, with(func(s *webhooks.Settings) { s.AccountAddresses = nil })), "AccountAddresses is empty, and the service wants at least one; use Delete or SetActive instead"},
			),
		},
		{
			method: "webhooks.Client.SetActive", wire: "PATCH /v0/webhooks/{webhookID}", golden: "webhooks/set-active", keys: []string{"webhookID"},
			shape: as(shown), args: []any{hookID, false},
			needs:   []string{"webhookID"},
			refused: []refusal{badID("webhooks.Client.SetActive", true)},
		},
		{
			method: "webhooks.Client.Delete", wire: "DELETE /v0/webhooks/{webhookID}", golden: "webhooks/delete",
			args:    []any{hookID},
			null:    nullIsAnswer,
			refused: []refusal{badID("webhooks.Client.Delete")},
			changes: true,
		},
		{
			method: "enhancedapi.Client.Transactions", wire: "POST /v0/transactions", golden: "enhanced/transactions", renamed: blockTime, needs: []string{"0.nativeTransfers.0.amount"}, keys: []string{"0.signature", "1.signature"},
			minimal: calling("enhancedapi.Client.Transactions", []types.Signature{signature1, signature2}),
			full:    calling("enhancedapi.Client.Transactions", []types.Signature{signature1, signature2, signature1}, &enhancedapi.TransactionsOptions{Commitment: types.CommitmentConfirmed}),
			// without the repetition of a signature
			shape: as(func(list []*parsedtx.Transaction) any { return list[:min(len(list), 2)] }),
			refused: []refusal{
				{calling("enhancedapi.Client.Transactions", nil, &enhancedapi.TransactionsOptions{Commitment: "processed"}), `Commitment "processed" is not confirmed or finalized, the levels of this method`},
			},
		},
		{
			method: "enhancedapi.Client.History", wire: "GET /v0/addresses/{address}/transactions", golden: "enhanced/history", unlisted: "its cursors are signatures", renamed: blockTime, needs: []string{"0.nativeTransfers.0.amount"},
			args: []any{delegate}, options: &enhancedapi.HistoryOptions{
				PageOptions: types.PageOptions{Cursor: signature3, Limit: 50}, Ascending: true, Commitment: types.CommitmentConfirmed,
				Type: txtype.Transfer, Source: "SYSTEM_PROGRAM", SinceSlot: 311999999, UntilSlot: 312000003,
				TokenAccounts: types.TokenAccountHistoryChanged,
			},
			refused: badParsedHistory(),
		},
		{ // bounds of time do not go with bounds of slots
			method: "enhancedapi.Client.History", wire: "GET /v0/addresses/{address}/transactions", golden: "enhanced/history-times", renamed: blockTime, needs: []string{"0.nativeTransfers.0.amount"},
			full: calling("enhancedapi.Client.History", delegate, &enhancedapi.HistoryOptions{
				Since: noon, Until: noon.Add(time.Nanosecond), MaxSearches: 3, PageOptions: types.PageOptions{Prefetch: true},
			}),
		},
	}
}

const (
	signature1 = "5wHu1qwD7q5ifaN5nwdcDqNFo53GJqa7nLp2BeeEpcHCusb4GzARz4GjgzsEHMkBMgCJMGa6GSQ1VG96Exv8kt2W"
	signature2 = "3Ww3Wz9C1b7RM8P3xEzyWmeHk7H7jE7VtCFTJwEsqz2MrJxt2Cb7D1YzTFY6hYC1Hn7QWQcX5dUoZ7r2A5rQ7tPb"
	signature3 = "4S5tCQwcPBBmpbyjPc1RbWkUDSfc1LnhMUJyPcP3vJEtjvJLEtPkCpN6qMKFUwqk6f7iHYPJJoRAQDkuh9aCiZR1"
)

// badParsedHistory are the refused options of a history.
func badParsedHistory() []refusal {
	var all []refusal
	for says, o := range map[string]enhancedapi.HistoryOptions{
		"Type ANY is for webhooks; leave Type empty for all transactions":                 {Type: txtype.Any},
		"SinceSlot 5 is not before UntilSlot 5":                                           {SinceSlot: 5, UntilSlot: 5},
		"Since 2026-01-01T12:00:00Z is not before Until 2026-01-01T12:00:00Z":             {Since: noon, Until: noon},
		"SinceSlot does not go with a time; set bounds of slots or of time":               {UntilSlot: 5, Since: noon},
		"MaxSearches -1 is negative; 0 means the default":                                 {MaxSearches: -1},
		`Commitment "processed" is not confirmed or finalized, the levels of this method`: {Commitment: "processed"},
	} {
		all = append(all, refusal{calling("enhancedapi.Client.History", delegate, &o), says})
	}
	return all
}
