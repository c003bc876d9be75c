package conformance_test

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/facts"
)

var update = flag.Bool("update", false, "write the pages of docs that list methods, and the API snapshot")

// combined are methods that combine operations, with the wire name under which they are searched
// for. It may be empty.
func combined() map[string]string {
	const put, list = "PUT /v0/webhooks/{webhookID}", "getSignaturesForAddress"
	return map[string]string{
		"rpc.Client.Balances": "getMultipleAccounts", "rpc.Client.AssociatedTokenBalances": "getMultipleAccounts", "rpc.Client.Call": "", "rpc.Client.Batch": "",
		"compressed.Client.WaitForSlot": "getIndexerSlot", "compressed.Client.WithMinSlot": "", "compressed.Client.WithVersion": "",
		"webhooks.Client.Update": put, "webhooks.Client.AddAddresses": put, "webhooks.Client.RemoveAddresses": put,
		"webhooks.Client.Reconcile": put, "webhooks.Client.Backfill": list, "webhooks.Client.Signatures": list,
		"webhooks.Client.Events": "POST /v0/transactions", "webhooks.Client.Check": "",
	}
}

// index returns the page in docs that leads from a wire name to a method.
func index() string {
	wires := map[[2]string]bool{} // by wire name and method
	for _, r := range everyRow() {
		wires[[2]string{r.wire, r.method}] = true
	}
	for method, wire := range combined() {
		if wire != "" {
			wires[[2]string{wire, method}] = true
		}
	}
	var lines []string
	for pair := range wires {
		credits := "" // the service does not say
		if price := facts.Of(pair[0]).Credits; price != 0 {
			credits = fmt.Sprint(price)
		}
		lines = append(lines, fmt.Sprintf("|`%s`|`%s`|%s|\n", pair[0], pair[1], credits))
	}
	slices.SortFunc(lines, func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a), strings.ToLower(b)), cmp.Compare(a, b))
	})
	return "# Methods by wire name\n\nCredits are for one request; of a listing, for one page. " +
		"[prices.md](prices.md) has whole listings, `go doc` the rest.\n\n|On the wire|Go|Credits|\n|---|---|---|\n" + strings.Join(lines, "")
}

// To write the page: make update.
func TestPageOfMethodsMatchesRows(t *testing.T) {
	t.Parallel()
	const file = "../../docs/methods.md"
	want := index()
	requireUpdated(t, file, want)
	streams, err := os.ReadFile("../../docs/streams.md") // which has a table of its methods
	require.NoError(t, err)
	for _, r := range streamRows() {
		require.Contains(t, string(streams), "`"+short(r.method), "docs/streams.md does not name %s", r.method)
	}
	without := combined()
	for method := range methods() {
		_, known := without[method]
		require.True(t, known || strings.HasPrefix(method, "stream.") || strings.Contains(want, "`"+method+"`"), "%s has no row", method)
	}
}
