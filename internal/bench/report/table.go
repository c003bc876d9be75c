package main

import (
	"fmt"
	"go/version"
	"io"
	"runtime"
	"text/tabwriter"
)

// A row is a line of the table. Where there is no target, the measured value
// is there for comparison.
type row struct {
	id, what string
	metric   string
	unit     unit
	target   float64
	with127  float64 // the target from Go 1.27 on, where encoding/json is faster; 0 when it is the same
}

// A unit says how a value is shown and which way is better.
type unit struct {
	format string
	value  func(measured float64) float64
	more   bool // is better
}

// rows are those of the table. The long walk is over so many accounts.
func rows(long int) []row {
	same := func(x float64) float64 { return x }
	count := unit{"%.4g", same, false}
	quotient := unit{"%.2fx", same, false}
	speedup := unit{"%.2fx", func(x float64) float64 { return 1 / x }, true}
	share := unit{"%.0f %%", func(x float64) float64 { return 100 * x }, false}
	extra := unit{"%+.0f %%", func(x float64) float64 { return 100 * (x - 1) }, false}
	walk := func(n int, how string) string { return fmt.Sprintf("Walk/%d/latency=%s", n, how) }
	peak := walk(long, "0s/work=0s/prefetch=false/procs=1 peak-MB")
	return []row{
		{"D1", "decode 1000 compressed accounts, against encoding/json", "Decode/CompressedAccounts ours/other", speedup, 5.5, 2.2},
		{"D1", "decode 1000 compressed token accounts", "Decode/CompressedTokenAccounts ours/other", speedup, 5.5, 2.2},
		{"D1", "decode 1000 jsonParsed token accounts", "Decode/ParsedTokenAccounts ours/other", speedup, 5, 2.2},
		{"", "... against encoding/json and a type that takes jsonParsed alone", "Decode/ParsedAlone ours/other", speedup, 0, 0},
		{"D2", "decode 100 balances, decimals exact", "Decode/Balances ours/other", speedup, 2.5, 1.7},
		{"D3", "allocations, a compressed account", "Decode/CompressedAccounts allocs/item", count, 8.5, 0},
		{"D3", "allocations, a compressed token account", "Decode/CompressedTokenAccounts allocs/item", count, 12, 0},
		{"D3", "allocations, a jsonParsed token account", "Decode/ParsedTokenAccounts allocs/item", count, 16, 0},
		{"C1", "allocations, a small call", "SmallCall/1Callers allocs/ours", count, 90, 0},
		{"C1", "CPU of a small call, against the raw client: 1 caller", "SmallCall/1Callers ours/other", extra, 10, 0},
		{"C1", "... 8 callers", "SmallCall/8Callers ours/other", extra, 10, 0},
		{"C1", "... 64 callers", "SmallCall/64Callers ours/other", extra, 10, 0},
		{"C2", "CPU of a page of 1000 accounts, of the raw client's", "Page/Plain ours/other", share, 30, 60},
		{"", "... that comes zipped, as by default", "Page/Zipped ours/other", share, 0, 0},
		{"C3", "bytes allocated for it, over those of decoding alone", "Page/Plain bytes/decode", quotient, 1.10, 0},
		{"C4", "connections, 64 callers, 10 000 calls, TLS HTTP/1.1", "Connections connections", count, 100, 0},
		{"", "... the most in a round", "Connections connections-at-most", count, 0, 0},
		{"P1", "ms a page, 20 ms latency, 10 ms work, Prefetch", walk(long/10, "20ms/work=10ms/prefetch=true/procs=1 ms/page"), count, 24, 0},
		{"", "... without Prefetch", walk(long/10, "20ms/work=10ms/prefetch=false/procs=1 ms/page"), count, 0, 0},
		{"M1", "peak MB, a walk over 1 000 000 accounts", peak, count, 24, 0},
		{"M1", "... over that of 100 000", peak + " over " + walk(long/10, "0s/work=0s/prefetch=false/procs=1 peak-MB"), quotient, 1.15, 0},
		{"", "... on two processors", walk(long, "0s/work=0s/prefetch=false/procs=2 peak-MB"), count, 0, 0},
		{"", "1000 jsonParsed token accounts by a call, against solana-go", "TokenAccountsByDelegate/Decoded ours/other", speedup, 0, 0},
		{"", "... that leaves the data undecoded", "TokenAccountsByDelegate/Raw ours/other", speedup, 0, 0},
		{"", "allocations, such an account, ours", "TokenAccountsByDelegate/Decoded allocs/item-ours", count, 0, 0},
		{"", "... solana-go's", "TokenAccountsByDelegate/Decoded allocs/item-other", count, 0, 0},
	}
}

func (m metrics) print(out io.Writer) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintf(table, "\t%s %s/%s\ttarget\tmeasured\t\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	for _, r := range rows(long(false)) {
		if r.with127 != 0 && version.Compare(runtime.Version(), "go1.27") >= 0 {
			r.target = r.with127
		}
		measured, ok := m.median(r.metric)
		value := r.unit.value(measured)
		target, verdict := "", ""
		if r.target != 0 {
			target, verdict = "≤ ", "met"
			if r.unit.more {
				target = "≥ "
			}
			target += fmt.Sprintf(r.unit.format, r.target)
			if value != r.target && (value > r.target) != r.unit.more {
				verdict = "missed"
			}
		}
		shown := fmt.Sprintf(r.unit.format, value)
		if !ok {
			shown, verdict = "", "not measured"
		}
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", r.id, r.what, target, shown, verdict)
	}
	return table.Flush()
}
