package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVerdicts(t *testing.T) {
	t.Parallel()
	m := metrics{
		"Decode/Balances ours/other":                                     {0.25, 0.5, 0.2}, // four times as fast, by the median
		"SmallCall/1Callers ours/other":                                  {1.11},           // 11 % more
		"SmallCall/8Callers ours/other":                                  {1.09},           // 9 % more
		"Decode/CompressedAccounts allocs/item":                          {8},
		"Walk/1000000/latency=0s/work=0s/prefetch=false/procs=1 peak-MB": {30},
		"Walk/100000/latency=0s/work=0s/prefetch=false/procs=1 peak-MB":  {20},
	}
	var out strings.Builder
	require.NoError(t, m.print(&out))
	for what, want := range map[string]string{
		"decode 100 balances":               "4.00x met",
		"raw client: 1 caller":              "≤ +10 % +11 % missed",
		"... 8 callers":                     "≤ +10 % +9 % met",
		"... 64 callers":                    "≤ +10 % not measured",
		"allocations, a compressed account": "≤ 8.5 8 met",
		"peak MB":                           "≤ 24 30 missed",
		"... over that of 100 000":          "≤ 1.15x 1.50x missed",
		"... solana-go's":                   "not measured",
	} {
		_, line, found := strings.Cut(out.String(), what)
		require.True(t, found, what)
		line, _, _ = strings.Cut(line, "\n")
		require.Contains(t, strings.Join(strings.Fields(line), " "), want)
	}
}

func TestEveryRowIsOfAnotherMetric(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, r := range rows(long(false)) {
		require.False(t, seen[r.metric], r.metric)
		seen[r.metric] = true
	}
}
