package wallet_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/wallet"
)

// at returns a time n minutes after a fixed one.
func at(n int) time.Time { return time.Unix(1_700_000_000, 0).Add(time.Duration(n) * time.Minute) }

// timed returns a page of items at these minutes, "-" for an item without a time.
func timed(cursor string, minutes ...any) string {
	var items []string
	for _, m := range minutes {
		timestamp := "null"
		if n, ok := m.(int); ok {
			timestamp = fmt.Sprint(at(n).Unix())
		}
		items = append(items, fmt.Sprintf(`{"signature":"%v","timestamp":%s,"fee":0,"amount":0}`, m, timestamp))
	}
	pagination := `{"hasMore":false}`
	if cursor != "" {
		pagination = `{"hasMore":true,"nextCursor":"` + cursor + `"}`
	}
	return `{"data":[` + strings.Join(items, ",") + `],"pagination":` + pagination + `}`
}

func TestTimeWindows(t *testing.T) {
	t.Parallel()
	never := time.Time{}
	first := []any{"-", "-", 90, 80, "-", 70}
	second := []any{60, 50, 40, 30}
	for _, row := range []struct {
		name         string
		since, until time.Time
		want         string
		requests     int
	}{
		{"open", never, never, "- - 90 80 - 70 60 50 40 30", 2},
		{"items without a time are new", at(75), never, "- - 90 80 -", 1},
		{"and not before an earlier time", never, at(75), "70 60 50 40 30", 2},
		{"those after another item are as old as it", never, at(81), "80 - 70 60 50 40 30", 2},
		{"all items are before a later time", never, time.Now().Add(time.Hour), "- - 90 80 - 70 60 50 40 30", 2},
		{"both bounds", at(40), at(60), "50 40", 2},
		{"the first bound belongs to it", at(90), at(91), "90", 1},
		{"pages without items are not the end", at(40), at(55), "50 40", 2},
		{"nothing", at(41), at(42), "", 2},
		{"newer than all", time.Now().Add(time.Hour), never, "", 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := fakeapi.New()
			for range 2 {
				for _, page := range []string{timed("next", first...), timed("", second...)}[:row.requests] {
					s.Answer(200, page)
				}
			}
			c := client(t, s)
			var history, transfers []string
			for item, err := range c.History(t.Context(), fakeapi.Wallet, &wallet.HistoryOptions{Since: row.since, Until: row.until}).All() {
				require.NoError(t, err)
				history = append(history, string(item.Signature))
			}
			for item, err := range c.Transfers(t.Context(), fakeapi.Wallet, &wallet.TransfersOptions{Since: row.since, Until: row.until}).All() {
				require.NoError(t, err)
				transfers = append(transfers, string(item.Signature))
			}
			require.Equal(t, row.want, strings.Join(history, " "))
			require.Equal(t, row.want, strings.Join(transfers, " "))
			require.Len(t, s.Requests(), 2*row.requests)
		})
	}
}

// Nodes estimate block times, so items can be out of order by seconds.
func TestTimeWindowsTolerateDisorder(t *testing.T) {
	t.Parallel()
	c := answering(t, timed("next", 10, 9, 10, 9), timed("", 10, 8, 7))
	items, err := c.History(t.Context(), fakeapi.Wallet, &wallet.HistoryOptions{Since: at(10)}).Collect(100)
	require.NoError(t, err)
	require.Len(t, items, 3)
}

func TestPageAtTheStartOfTheWindowIsTheLast(t *testing.T) {
	t.Parallel()
	for _, cursor := range []string{`"next"`, "null"} { // without a cursor, nothing follows
		c := answering(t, strings.Replace(timed("x", 9, 5), `"x"`, cursor, 1))
		page, err := c.History(t.Context(), fakeapi.Wallet, &wallet.HistoryOptions{Since: at(8)}).Page()
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
		require.False(t, page.HasMore)
		require.Empty(t, page.Cursor)
	}
}
