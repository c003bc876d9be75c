package compressed_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/fake"
)

// A listing is one of the two of this package, in one form for both.
type listing struct {
	method string
	params string // that it sends always
	limit  int    // a part of the whole list, without rest
	pages  func(context.Context, *compressed.Client, options) iter.Seq2[*page, error]
	all    func(context.Context, *compressed.Client, options) iter.Seq2[string, error]
}

// A page of a listing, its items told by their hashes.
type page struct {
	hashes []string
	cursor string
}

type options struct {
	cursor   string
	limit    int
	prefetch bool
}

var listings = []listing{
	{
		method: "getCompressedAccountsByOwner",
		params: `"owner":"` + fake.Owner + `"`,
		limit:  100,
		pages: func(ctx context.Context, c *compressed.Client, o options) iter.Seq2[*page, error] {
			opts := &compressed.AccountsByOwnerOptions{Cursor: o.cursor, Limit: o.limit, Prefetch: o.prefetch}
			return told(c.AccountsByOwnerPages(ctx, fake.Owner, opts), hashOf)
		},
		all: func(ctx context.Context, c *compressed.Client, o options) iter.Seq2[string, error] {
			opts := &compressed.AccountsByOwnerOptions{Cursor: o.cursor, Limit: o.limit, Prefetch: o.prefetch}
			return toldItems(c.AllAccountsByOwner(ctx, fake.Owner, opts), hashOf)
		},
	},
	{
		method: "getCompressedTokenAccountsByDelegate",
		params: `"delegate":"` + fake.Delegate + `"`,
		limit:  500,
		pages: func(ctx context.Context, c *compressed.Client, o options) iter.Seq2[*page, error] {
			opts := &compressed.TokenAccountsByDelegateOptions{Cursor: o.cursor, Limit: o.limit, Prefetch: o.prefetch}
			return told(c.TokenAccountsByDelegatePages(ctx, fake.Delegate, opts), tokenHashOf)
		},
		all: func(ctx context.Context, c *compressed.Client, o options) iter.Seq2[string, error] {
			opts := &compressed.TokenAccountsByDelegateOptions{Cursor: o.cursor, Limit: o.limit, Prefetch: o.prefetch}
			return toldItems(c.AllTokenAccountsByDelegate(ctx, fake.Delegate, opts), tokenHashOf)
		},
	},
}

func hashOf(a compressed.Account) string           { return string(a.Hash) }
func tokenHashOf(a compressed.TokenAccount) string { return string(a.Account.Hash) }

func told[T any](pages iter.Seq2[*compressed.Page[T], error], hash func(T) string) iter.Seq2[*page, error] {
	return func(yield func(*page, error) bool) {
		for p, err := range pages {
			if p == nil {
				if !yield(nil, err) {
					return
				}
				continue
			}
			q := &page{cursor: p.Cursor}
			for _, item := range p.Items {
				q.hashes = append(q.hashes, hash(item))
			}
			if !yield(q, err) {
				return
			}
		}
	}
}

func toldItems[T any](items iter.Seq2[T, error], hash func(T) string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for item, err := range items {
			if !yield(hash(item), err) {
				return
			}
		}
	}
}

// forEach runs a test for both listings, with and without prefetch.
func forEach(t *testing.T, test func(t *testing.T, l listing, prefetch bool)) {
	t.Helper()
	for _, l := range listings {
		for _, prefetch := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, prefetch %t", l.method, prefetch), func(t *testing.T) {
				t.Parallel()
				test(t, l, prefetch)
			})
		}
	}
}

// service returns one with few enough accounts for many walks.
func service() *fake.Service { return fake.NewSized(700) }

// list returns what the service lists, without help of the client.
func (l listing) list(t *testing.T) []string {
	t.Helper()
	cfg := service().Config()
	var all []string
	for cursor := "null"; ; {
		body := `{"jsonrpc":"2.0","id":1,"method":"` + l.method + `","params":{` + l.params + `,"limit":1000,"cursor":` + cursor + `}}`
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, cfg.RPCURL+"/?api-key="+fake.Key, strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/json")
		resp, err := cfg.HTTPClient.Do(req)
		require.NoError(t, err)
		text, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		var answer struct {
			Result struct {
				Value struct {
					Items []struct {
						Hash    string
						Account struct{ Hash string }
					}
					Cursor json.RawMessage
				}
			}
		}
		require.NoError(t, json.Unmarshal(text, &answer))
		for _, item := range answer.Result.Value.Items {
			all = append(all, item.Hash+item.Account.Hash)
		}
		if cursor = string(answer.Result.Value.Cursor); cursor == "null" {
			require.Len(t, slices.Compact(slices.Sorted(slices.Values(all))), len(all))
			return all
		}
	}
}

// answer queues a page with these hashes.
func (l listing) answer(s *fake.Service, cursor string, hashes ...string) {
	items := make([]string, len(hashes))
	for i, hash := range hashes {
		items[i] = `{"hash":"` + hash + `","account":{"hash":"` + hash + `"}}`
	}
	s.Answer(200, `{"jsonrpc":"2.0","result":{"context":{"slot":1},"value":{"items":[`+strings.Join(items, ",")+`],"cursor":"`+cursor+`"}}}`)
}

// requests returns the bodies of a walk, a line for each, by what they say
// after the params that are always there.
func (l listing) requests(more ...string) string {
	var b strings.Builder
	for i, m := range more {
		fmt.Fprintf(&b, `{"jsonrpc":"2.0","id":"%d","method":"%s","params":{%s%s}}`+"\n", i+1, l.method, l.params, m)
	}
	return b.String()
}
