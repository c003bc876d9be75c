package conformance_test

import (
	"github.com/solwire/solwire-go/rpc/parsedapi"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/parsed"
)

// A shownResult is a result with the wire name that nodes give the position of its raw
// transaction.
type shownResult struct {
	*parsed.Result
	Raw *shownTransaction `json:"rawTransaction"`
}

func shownResults(list []*parsed.Result) any {
	all := []shownResult{}
	for _, r := range list {
		if r == nil {
			continue
		}
		all = append(all, shownResult{r, shownTx(r.Raw)})
	}
	return all
}

func shownPage(page *types.Page[parsed.Result]) any {
	var list []*parsed.Result
	for i := range page.Items {
		list = append(list, &page.Items[i])
	}
	return shownResults(list)
}

// A shownScan is a page of a scan as it is sent.
type shownScan struct {
	Data any               `json:"data,omitempty"`
	Scan parsedapi.Scanned `json:"scan"`
}

func scanRows() []row {
	match := parsedapi.Match{
		Programs: []parsedapi.ProgramMatch{{
			ProgramID: jupiter, Instructions: []string{"route"}, Discriminators: []parsedapi.Discriminator{{0xe5, 0x17, 0xcb, 0x97, 0x7a, 0xe3, 0xad, 0x2a}}, Scope: parsedapi.ScopeTransaction,
		}},
		Mints: []parsedapi.MintMatch{{Mint: types.SOL, Scope: parsedapi.ScopeAddress}},
	}
	options := parsedapi.ScanOptions{Budget: 1000, HistoryOptions: parsedapi.HistoryOptions{
		Commitment: types.CommitmentFinalized, Ascending: true, Since: time1, Until: noon, SinceSlot: 7, UntilSlot: 1<<53 + 1, After: sig1, Before: signature1,
		TokenAccounts: types.TokenAccountHistoryAll, Outcome: types.OutcomeSucceeded, MinContextSlot: 5, PageOptions: types.PageOptions{Cursor: "433950192:12", Prefetch: true},
	}}
	whole, count := options, options
	whole.Raw, whole.Limit = types.EncodingJSON, 5
	count.Cursor = ""
	scan := func(method string, o *parsedapi.ScanOptions) row {
		program := parsedapi.Match{Programs: []parsedapi.ProgramMatch{{ProgramID: jupiter}}}
		of := func(m parsedapi.Match, o *parsedapi.ScanOptions) call {
			return calling("parsedapi.Client."+method, walletKey, m, o)
		}
		return row{
			method: "parsedapi.Client." + method, wire: "POST /v1/parsed-events/scan", beside: []string{"paginationToken"},
			minimal: of(program, nil), full: of(match, o),
			refused: []refusal{
				{of(parsedapi.Match{}, nil), "match is empty; set Programs or Mints"},
				{of(parsedapi.Match{Mints: []parsedapi.MintMatch{{Mint: "x"}}}, nil), `match.Mints[0].Mint "x": address has length 1, not 32 to 44`},
				{of(parsedapi.Match{Mints: []parsedapi.MintMatch{{Mint: mint, Scope: "all"}}}, nil), `match.Mints[0].Scope "all" is not address or transaction`},
				{of(parsedapi.Match{Programs: []parsedapi.ProgramMatch{{ProgramID: jupiter, Scope: "all"}}}, nil), `match.Programs[0].Scope "all" is not address or transaction`},
				{of(parsedapi.Match{Programs: []parsedapi.ProgramMatch{{}}}, nil), "match.Programs[0].ProgramID is empty"},
				{of(parsedapi.Match{Programs: []parsedapi.ProgramMatch{{ProgramID: jupiter, Discriminators: []parsedapi.Discriminator{{}}}}}, nil), "match.Programs[0].Discriminators[0] has 0 bytes, not 1 to 8"},
				{of(program, &parsedapi.ScanOptions{Budget: -1}), "Budget -1 is negative; 0 means the default"},
			},
		}
	}
	full, signatures, counted := scan("Scan", &whole), scan("ScanSignatures", &options), scan("ScanCount", &count)
	full.beside = append(full.beside, "status")
	full.golden, full.needs = "parsed/scan", []string{"data", "scan", "data.0.signature", "data.0.parsed", "data.1.signature", "data.1.parsed"}
	full.shape = as(func(p *parsedapi.ScanPage[parsed.Result]) any { return shownScan{shownPage(&p.Page), p.Scanned} })
	full.list = listOf(`{"signature":"%s","parserStatus":"ERROR"}`, `{"data":[%s],"paginationToken":%s,"scan":{"stoppedOn":"budget"}}`, walletKey, match)
	full.refused = append(full.refused, refusal{calling("parsedapi.Client.Scan", walletKey, match, &parsedapi.ScanOptions{HistoryOptions: parsedapi.HistoryOptions{Raw: types.EncodingBase58}}), `Raw "base58" is not json, jsonParsed or base64`})
	signatures.golden, signatures.needs = "parsed/scan-signatures", []string{"data", "scan", "data.0.signature", "data.1.signature"}
	signatures.shape = as(func(p *parsedapi.ScanPage[parsedapi.ScanSignature]) any { return shownScan{p.Items, p.Scanned} })
	signatures.list = listOf(`{"signature":"%s"}`, `{"data":[%s],"paginationToken":%s,"scan":{"stoppedOn":"budget"}}`, walletKey, match)
	signatures.refused = append(signatures.refused, refusal{calling("parsedapi.Client.ScanSignatures", walletKey, match, &parsedapi.ScanOptions{HistoryOptions: parsedapi.HistoryOptions{PageOptions: types.PageOptions{Limit: 5}}}), "Limit is for Scan only; set Budget"})
	counted.golden, counted.needs = "parsed/scan-count", []string{"scan"}
	counted.shape = as(func(s *parsedapi.Scanned) any { return shownScan{nil, *s} })
	counted.refused = append(counted.refused, refusal{calling("parsedapi.Client.ScanCount", walletKey, match, &parsedapi.ScanOptions{HistoryOptions: parsedapi.HistoryOptions{Raw: types.EncodingJSON}}), "Raw is for Scan only"})
	return []row{full, signatures, counted}
}

const jupiter = "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4"

func parsedRows() []row {
	transactions := func(o *parsedapi.TransactionsOptions) call {
		return calling("parsedapi.Client.Transactions", []types.Signature{sig1, sig2, signature1}, o)
	}
	history := func(o *parsedapi.HistoryOptions) call { return calling("parsedapi.Client.History", walletKey, o) }
	signatures := []string{"0.signature", "1.signature", "2.signature"}
	return append(scanRows(), []row{
		{
			method: "parsedapi.Client.Transactions", wire: "POST /v1/parsed-events/transactions",
			golden: "parsed/transactions", shape: as(shownResults), minimal: transactions(nil),
			full: transactions(&parsedapi.TransactionsOptions{Commitment: types.CommitmentFinalized, Raw: types.EncodingJSON}),
			keys: signatures, needs: append([]string{"0.parsed", "1.parsed"}, signatures...), beside: []string{"status"},
			refused: []refusal{{transactions(&parsedapi.TransactionsOptions{Commitment: types.CommitmentProcessed}), notProcessed}},
		},
		{
			method: "parsedapi.Client.History", wire: "POST /v1/parsed-events/transaction-history",
			golden: "parsed/history", shape: as(shownPage), minimal: history(nil),
			full: history(&parsedapi.HistoryOptions{
				Commitment: types.CommitmentFinalized, Ascending: true, Since: time1, Until: noon, SinceSlot: 7, UntilSlot: 1<<53 + 1,
				After: sig1, Before: signature1, TokenAccounts: types.TokenAccountHistoryAll, Outcome: types.OutcomeSucceeded, MinContextSlot: 5, Raw: types.EncodingJSON, PageOptions: types.PageOptions{Limit: 5, Cursor: "433950192:12", Prefetch: true},
			}),
			answer: "data", beside: []string{"status"},
			needs: []string{"data", "data.0.signature", "data.0.parsed", "data.1.signature", "data.1.parsed"},
			refused: []refusal{
				{history(&parsedapi.HistoryOptions{SinceSlot: 5, UntilSlot: 5}), "SinceSlot 5 is not before UntilSlot 5"},
				{history(&parsedapi.HistoryOptions{Since: noon, Until: noon}), "Since 2026-01-01T12:00:00Z is not before Until 2026-01-01T12:00:00Z"},
				{history(&parsedapi.HistoryOptions{Commitment: types.CommitmentProcessed}), notProcessed},
			},
			list: listOf(`{"signature":"%s","parserStatus":"ERROR"}`, `{"data":[%s],"paginationToken":%s}`, walletKey),
		},
	}...)
}
