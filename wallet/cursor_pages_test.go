package wallet_test

import (
	"context"
	"iter"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
)

func TestHistoryPaging(t *testing.T) {
	t.Parallel()
	listing[wallet.Transaction]{
		first: "GET /v1/wallet/86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY/history\n",
		other: "GET /v1/wallet/86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY/history?before=",
		one: func(ctx context.Context, c *wallet.Client) (*wallet.Page[wallet.Transaction], error) {
			return c.History(ctx, fake.Wallet, nil)
		},
		pages: func(ctx context.Context, c *wallet.Client, cursor string, prefetch bool) iter.Seq2[*wallet.Page[wallet.Transaction], error] {
			opts := &wallet.HistoryOptions{Cursor: cursor, Prefetch: prefetch}
			pages := c.HistoryPages(ctx, fake.Wallet, opts)
			*opts = wallet.HistoryOptions{Cursor: "changed", Limit: 1, Type: "SWAP"} // too late to matter
			return pages
		},
		items: func(ctx context.Context, c *wallet.Client) iter.Seq2[wallet.Transaction, error] {
			return c.AllHistory(ctx, fake.Wallet, nil)
		},
		name: func(item wallet.Transaction) types.Signature { return item.Signature },
	}.test(t)
}

func TestTransferPaging(t *testing.T) {
	t.Parallel()
	listing[wallet.Transfer]{
		first: "GET /v1/wallet/86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY/transfers?limit=100\n",
		other: "GET /v1/wallet/86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY/transfers?limit=100&cursor=",
		one: func(ctx context.Context, c *wallet.Client) (*wallet.Page[wallet.Transfer], error) {
			return c.Transfers(ctx, fake.Wallet, nil)
		},
		pages: func(ctx context.Context, c *wallet.Client, cursor string, prefetch bool) iter.Seq2[*wallet.Page[wallet.Transfer], error] {
			opts := &wallet.TransfersOptions{Cursor: cursor, Prefetch: prefetch}
			pages := c.TransferPages(ctx, fake.Wallet, opts)
			*opts = wallet.TransfersOptions{Cursor: "changed", Limit: 1} // too late to matter
			return pages
		},
		items: func(ctx context.Context, c *wallet.Client) iter.Seq2[wallet.Transfer, error] {
			return c.AllTransfers(ctx, fake.Wallet, nil)
		},
		name: func(item wallet.Transfer) types.Signature { return item.Signature },
	}.test(t)
}

// A listing is one with cursors, for tests of the rules that all of them keep.
// Its items are told by their signatures.
type listing[T any] struct {
	first, other string // the requests for the first page and, up to the cursor, for another one
	one          func(context.Context, *wallet.Client) (*wallet.Page[T], error)
	pages        func(ctx context.Context, c *wallet.Client, cursor string, prefetch bool) iter.Seq2[*wallet.Page[T], error]
	items        func(context.Context, *wallet.Client) iter.Seq2[T, error]
	name         func(T) types.Signature
}

func (l listing[T]) test(t *testing.T) {
	for name, rule := range map[string]func(*testing.T, bool){
		"walks to the end":           l.walksToTheEnd,
		"resumes at a cursor":        l.resumesAtACursor,
		"starts over":                l.startsOver,
		"ends on a cycle":            l.endsOnACycle,
		"ends where there is no way": l.endsWithoutACursor,
		"goes on at a cursor alone":  l.goesOnAtACursorAlone,
		"ends with the context":      l.endsWithTheContext,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rule(t, false)
			rule(t, true)
		})
	}
}

// walk returns what pages yield, as text: the signatures of a page and the
// cursor behind it.
func (l listing[T]) walk(t *testing.T, pages iter.Seq2[*wallet.Page[T], error]) (walked []string, failed error) {
	t.Helper()
	for page, err := range pages {
		require.NoError(t, failed, "nothing follows an error")
		if failed = err; err != nil {
			require.Nil(t, page)
			continue
		}
		var b strings.Builder
		for _, item := range page.Items {
			b.WriteString(string(l.name(item)))
		}
		walked = append(walked, b.String()+">"+page.Cursor)
	}
	return walked, failed
}

// serve queues pages, each written like "ab>next" for items a and b and a cursor.
func serve(pages ...string) *fake.Service {
	s := fake.New()
	for _, p := range pages {
		names, cursor, _ := strings.Cut(p, ">")
		items := make([]string, 0, len(names))
		for _, name := range names {
			items = append(items, `{"signature":"`+string(name)+`"}`)
		}
		more := `{"hasMore":true,"nextCursor":"` + cursor + `"}`
		if cursor == "" {
			more = `{"hasMore":false,"nextCursor":null}`
		}
		s.Answer(200, `{"data":[`+strings.Join(items, ",")+`],"pagination":`+more+`}`)
	}
	return s
}

func (l listing[T]) walksToTheEnd(t *testing.T, prefetch bool) {
	pages := []string{"ab>1", ">2", "c>3", "d>4", ">"} // an empty page is not the end, and a last one may be empty
	s := serve(pages...)
	walked, err := l.walk(t, l.pages(t.Context(), client(t, s), "", prefetch))
	require.NoError(t, err)
	require.Equal(t, pages, walked)
	require.Equal(t, l.first+l.other+"1\n"+l.other+"2\n"+l.other+"3\n"+l.other+"4\n", raw(s))

	var items string
	for item, err := range l.items(t.Context(), client(t, serve(pages...))) {
		require.NoError(t, err)
		items += string(l.name(item))
	}
	require.Equal(t, "abcd", items)
}

func (l listing[T]) resumesAtACursor(t *testing.T, prefetch bool) {
	s := serve("c>d/+=", "d>")
	walked, err := l.walk(t, l.pages(t.Context(), client(t, s), "saved", prefetch))
	require.NoError(t, err)
	require.Equal(t, []string{"c>d/+=", "d>"}, walked)
	require.Equal(t, l.other+"saved\n"+l.other+"d/+=\n", raw(s))
}

func (l listing[T]) startsOver(t *testing.T, prefetch bool) {
	s := serve("a>1", "b>", "a>1", "b>")
	pages := l.pages(t.Context(), client(t, s), "", prefetch)
	require.Empty(t, s.Requests())
	for range 2 {
		walked, err := l.walk(t, pages)
		require.NoError(t, err)
		require.Equal(t, []string{"a>1", "b>"}, walked)
	}
	require.Equal(t, strings.Repeat(l.first+l.other+"1\n", 2), raw(s))
}

func (l listing[T]) endsOnACycle(t *testing.T, prefetch bool) {
	for _, pages := range [][]string{
		{"a>1", "b>1"},
		{"a>1", "b>2", "c>1"},
		{"a>1", "b>2", "c>3", "d>4", "e>2"},
	} {
		s := serve(pages...)
		walked, err := l.walk(t, l.pages(t.Context(), client(t, s), "", prefetch))
		require.ErrorIs(t, err, types.ErrIncomplete)
		require.Equal(t, pages, walked)
		require.Len(t, s.Requests(), len(pages))
	}
}

func (l listing[T]) endsWithoutACursor(t *testing.T, prefetch bool) {
	for _, pagination := range []string{`{"hasMore":true}`, `{"hasMore":true,"nextCursor":null}`, `{"hasMore":true,"nextCursor":""}`} {
		s := serve("a>1")
		body := `{"data":[{"signature":"b"}],"pagination":` + pagination + `}`
		s.Answer(200, body)
		walked, err := l.walk(t, l.pages(t.Context(), client(t, s), "", prefetch))
		require.ErrorIs(t, err, types.ErrIncomplete)
		require.ErrorContains(t, err, strings.TrimSpace(strings.Split(l.first, "?")[0])+": ")
		require.Equal(t, []string{"a>1", "b>"}, walked)

		s.Answer(200, body)
		page, err := l.one(t.Context(), client(t, s)) // only a walk is incomplete
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
		require.Empty(t, page.Cursor)
		require.True(t, page.HasMore)
	}
}

func (l listing[T]) goesOnAtACursorAlone(t *testing.T, prefetch bool) {
	for _, more := range []string{``, `"hasMore":null,`} {
		s := fake.New()
		s.Answer(200, `{"data":[{"signature":"a"}],"pagination":{`+more+`"nextCursor":"1"}}`)
		s.Answer(200, `{"data":[{"signature":"b"}],"pagination":{`+more+`"nextCursor":null}}`)
		walked, err := l.walk(t, l.pages(t.Context(), client(t, s), "", prefetch))
		require.NoError(t, err)
		require.Equal(t, []string{"a>1", "b>"}, walked)
	}
}

func (l listing[T]) endsWithTheContext(t *testing.T, prefetch bool) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var pages int
	var last error
	for _, err := range l.pages(ctx, client(t, serve("a>1", "b>2", "c>")), "", prefetch) {
		last = err
		pages++
		cancel()
	}
	require.Equal(t, 2, pages) // a page, and the error
	require.ErrorIs(t, last, context.Canceled)
}

// raw is sent with the cursors at the end and as they are.
func raw(s *fake.Service) string {
	var b strings.Builder
	for _, r := range s.Requests() {
		b.WriteString(r.Method + " " + r.Path)
		sign := "?"
		for _, name := range []string{"limit", "before", "cursor"} {
			if r.Query.Has(name) {
				b.WriteString(sign + name + "=" + r.Query.Get(name))
				sign = "&"
			}
			r.Query.Del(name)
		}
		b.WriteString(r.Query.Encode() + "\n")
	}
	return b.String()
}

func TestCursorIsEmptyWhereThereIsNoMore(t *testing.T) {
	t.Parallel()
	for _, pagination := range []string{
		`{"hasMore":false,"nextCursor":"left over"}`, `{"hasMore":false}`, `{"hasMore":null,"nextCursor":""}`, `{}`,
	} {
		s := fake.New()
		s.Answer(200, `{"data":[{"signature":"a"}],"pagination":`+pagination+`}`)
		s.Answer(200, `{"data":[{"signature":"a"}],"pagination":`+pagination+`}`)
		c := client(t, s)
		history, err := c.History(t.Context(), fake.Wallet, nil)
		require.NoError(t, err)
		require.Empty(t, history.Cursor)
		require.False(t, history.HasMore)
		transfers, err := c.Transfers(t.Context(), fake.Wallet, nil)
		require.NoError(t, err)
		require.Empty(t, transfers.Cursor)
		require.False(t, transfers.HasMore)
	}
}

func TestListingsWithoutTheirListOrPaginationAreAnError(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{}`, `{"data":null,"pagination":{"hasMore":false}}`, `{"pagination":{"hasMore":false}}`, `null`, `[]`,
		`{"data":[{"signature":"a"}]}`, `{"data":[],"pagination":null}`,
	} {
		s := fake.New()
		s.Answer(200, body)
		s.Answer(200, body)
		c := client(t, s)
		history, err := c.History(t.Context(), fake.Wallet, nil)
		require.ErrorContains(t, err, "GET /v1/wallet/86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY/history: ")
		require.Nil(t, history)
		transfers, err := c.Transfers(t.Context(), fake.Wallet, nil)
		require.ErrorContains(t, err, "GET /v1/wallet/86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY/transfers: ")
		require.Nil(t, transfers)
		require.Len(t, s.Requests(), 2)
	}
}
