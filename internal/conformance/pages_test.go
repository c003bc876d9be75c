package conformance_test

import (
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/transport"
)

var update = flag.Bool("update", false, "write the pages of methods in docs, and the API snapshot")

// composite returns rows for the pages only: methods that combine other operations, or
// take the method of the service as an argument.
func composite() []row {
	return []row{
		{method: "rpc.Client.Balances", wire: "getMultipleAccounts", section: "Accounts", does: "the lamports of any number of accounts"},
		{method: "rpc.Client.Call", section: "Any method", does: "any other JSON-RPC method"},
		{method: "rpc.Client.Batch", section: "Any method", does: "any number of JSON-RPC calls, many in one request"},
		{method: "compressed.Client.WaitForSlot", wire: "getIndexerSlot", section: "Indexer", does: "wait until the indexer has processed a slot"},
		{method: "compressed.Client.WithMinSlot", section: "Indexer", does: "fail where a read shows a state before a slot"},
		{method: "compressed.Client.WithVersion", section: "Indexer", does: "call version 1 or 2 of the methods only"},
		{method: "webhooks.Client.Update", wire: "PUT /v0/webhooks/{webhookID}", section: "Settings", does: "change some settings of a webhook"},
		{method: "webhooks.Client.AddAddresses", wire: "PUT /v0/webhooks/{webhookID}", section: "Settings", does: "add addresses to a webhook"},
		{method: "webhooks.Client.RemoveAddresses", wire: "PUT /v0/webhooks/{webhookID}", section: "Settings", does: "remove addresses from a webhook"},
		{method: "webhooks.Client.Reconcile", wire: "PUT /v0/webhooks/{webhookID}", section: "Settings", does: "correct the addresses and settings of a webhook"},
		{
			method: "webhooks.Client.Backfill", wire: "GET /v0/addresses/{address}/transactions",
			section: "Events", does: "pass the past events of a webhook to a handler",
		},
		{
			method: "webhooks.Client.Keep", wire: "GET /v0/addresses/{address}/transactions",
			section: "Events", does: "receive the events of a webhook, and find those that were not delivered",
		},
	}
}

// page returns the page in docs that lists the methods of an area, by the sections of
// their rows.
func page(t *testing.T, area string) string {
	t.Helper()
	name := path.Base(area)
	var titles []string
	sections, listed := map[string][]row{}, map[string]bool{}
	all := append(rows(), composite()...)
	for _, r := range all {
		if !strings.HasPrefix(r.method, name+".Client.") || r.does == "" || listed[r.method] {
			continue // other rows of a method may be copies of its first one
		}
		listed[r.method] = true
		require.NotEmpty(t, r.section, "the row of %s does not say in which section of docs/%s.md it is", r.method, name)
		if sections[r.section] == nil {
			titles = append(titles, r.section)
		}
		sections[r.section] = append(sections[r.section], r)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Package %s: methods\n\n", name)
	fmt.Fprintf(&b, "Package documentation: [%s](https://pkg.go.dev/github.com/solwire/solwire-go/%s). ", name, area)
	b.WriteString("Credits are for one request, where the service documents them; of a listing, for one page.\n")
	for _, title := range titles {
		fmt.Fprintf(&b, "\n## %s\n\n| Purpose | Go | On the wire | Credits |\n|---|---|---|---|\n", title)
		for _, shown := range sections[title] {
			wires, credits := onTheWire(all, shown.method)
			fmt.Fprintf(&b, "| %s | `%s` | %s | %s |\n", shown.does, short(shown.method), strings.Join(wires, ", "), credits)
		}
	}
	return b.String()
}

// onTheWire returns the wire names of a method and the credits that it costs.
func onTheWire(all []row, method string) (wires []string, credits string) {
	for _, r := range all {
		if r.method != method || r.wire == "" {
			continue
		}
		if wire := "`" + r.wire + "`"; !slices.Contains(wires, wire) {
			wires = append(wires, wire)
		}
		if price := (transport.Op{Method: r.method, Wire: r.wire}).Price(); price != 0 && credits == "" {
			credits = strconv.FormatUint(price, 10)
		}
	}
	return wires, credits
}

// To write the pages: make update.
func TestMethodPagesMatchRows(t *testing.T) {
	t.Parallel()
	for _, area := range areas {
		if area == "rpc/stream" {
			guide, err := os.ReadFile("../../docs/streams.md") // which has a table of the methods
			require.NoError(t, err)
			for _, r := range streamRows() {
				require.Contains(t, string(guide), "`"+short(r.method), "docs/streams.md does not name %s", r.method)
			}
			continue
		}
		file := filepath.Join("../../docs", path.Base(area)+".md")
		want := page(t, area)
		requireUpdated(t, file, want)
		for i := range clientTypes[area].NumMethod() {
			method := clientTypes[area].Method(i).Name
			require.Equal(t, 1, strings.Count(want, "`"+method+"`"), "%s.Client.%s has no row with does, or several", area, method)
		}
	}
}
