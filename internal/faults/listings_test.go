package faults_test

import (
	"context"
	"encoding/json"
	"iter"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/rpc/parsedapi"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/parsed"
	"github.com/solwire/solwire-go/wallet"
	"github.com/solwire/solwire-go/webhooks"
)

// usdc is the mint with the shortest listing of a delegate.
const usdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"

// clients are all clients of the module, made from one Config.
type clients struct {
	wallet     *wallet.Client
	compressed *compressed.Client
	das        *das.Client
	rpc        *rpc.Client
	webhooks   *webhooks.Client
	parsed     *parsedapi.Client
}

func connect(t testing.TB, cfg types.Config) *clients {
	t.Helper()
	var c clients
	var err error
	c.wallet, err = wallet.New(cfg)
	require.NoError(t, err)
	c.compressed, err = compressed.New(cfg)
	require.NoError(t, err)
	c.das, err = das.New(cfg)
	require.NoError(t, err)
	c.rpc, err = rpc.New(cfg)
	require.NoError(t, err)
	c.parsed, err = parsedapi.New(cfg)
	require.NoError(t, err)
	c.webhooks, err = webhooks.New(cfg)
	require.NoError(t, err)
	return &c
}

// A page is a page of any listing: its items as texts, and where the next one starts.
type page struct {
	items []string
	next  string // empty on the last page
}

// A listing is a listing of this module.
type listing struct {
	name  string
	pages func(ctx context.Context, c *clients, from string, prefetch bool) iter.Seq2[page, error]
	items func(ctx context.Context, c *clients, prefetch bool) iter.Seq2[string, error]
}

// before returns the number of the pages that a loop gets before request number at,
// from 0, of a walk over a number of pages.
func (l *listing) before(at, pages int) int { return min(at, pages-1) }

// listOf returns the listing of an operation.
func listOf[T any](name string, open func(ctx context.Context, c *clients, from string, prefetch bool) types.List[T]) listing {
	return listing{
		name,
		func(ctx context.Context, c *clients, from string, prefetch bool) iter.Seq2[page, error] {
			return seen(open(ctx, c, from, prefetch).Pages(), func(p *types.Page[T]) page { return page{texts(p.Items), p.Cursor} })
		},
		func(ctx context.Context, c *clients, prefetch bool) iter.Seq2[string, error] {
			return seen(open(ctx, c, "", prefetch).All(), text)
		},
	}
}

// Each has at least five pages, of which the last one may be empty.
var listings = []listing{
	listOf("balances", func(ctx context.Context, c *clients, from string, prefetch bool) types.List[wallet.Balance] {
		return c.wallet.Balances(ctx, fakeapi.Wallet, &wallet.BalancesOptions{PageOptions: types.PageOptions{Limit: 60, Cursor: from, Prefetch: prefetch}}).List
	}),
	listOf("history", func(ctx context.Context, c *clients, from string, prefetch bool) types.List[wallet.Transaction] {
		return c.wallet.History(ctx, fakeapi.Wallet, &wallet.HistoryOptions{PageOptions: types.PageOptions{Limit: 70, Cursor: from, Prefetch: prefetch}})
	}),
	listOf("transfers", func(ctx context.Context, c *clients, from string, prefetch bool) types.List[wallet.Transfer] {
		return c.wallet.Transfers(ctx, fakeapi.Wallet, &wallet.TransfersOptions{PageOptions: types.PageOptions{Limit: 100, Cursor: from, Prefetch: prefetch}})
	}),
	listOf("compressed accounts by owner", func(ctx context.Context, c *clients, from string, prefetch bool) types.List[compressed.Account] {
		return c.compressed.AccountsByOwner(ctx, fakeapi.Owner, &compressed.AccountsByOwnerOptions{PageOptions: types.PageOptions{Limit: 9, Cursor: from, Prefetch: prefetch}})
	}),
	listOf("compressed token accounts by delegate", func(ctx context.Context, c *clients, from string, prefetch bool) types.List[compressed.TokenAccount] {
		return c.compressed.TokenAccountsByDelegate(ctx, fakeapi.Delegate, &compressed.TokenListingOptions{Mint: usdc, PageOptions: types.PageOptions{Limit: 25, Cursor: from, Prefetch: prefetch}})
	}),
	listOf("signatures by address, before the last one", func(ctx context.Context, c *clients, from string, prefetch bool) types.List[rpc.SignatureInfo] {
		return c.rpc.SignaturesForAddress(ctx, fakeapi.Wallet, &rpc.SignaturesForAddressOptions{PageOptions: types.PageOptions{Limit: 60, Cursor: from, Prefetch: prefetch}})
	}),
	listOf("transactions by address, by cursor", func(ctx context.Context, c *clients, from string, prefetch bool) types.List[rpc.SignatureInfo] {
		return c.rpc.TransactionSignaturesForAddress(ctx, fakeapi.Wallet, &rpc.TransactionsForAddressOptions{PageOptions: types.PageOptions{Limit: 60, Cursor: from, Prefetch: prefetch}})
	}),
	listOf("decoded transactions", func(ctx context.Context, c *clients, from string, prefetch bool) types.List[parsed.Result] {
		return c.parsed.History(ctx, fakeapi.Wallet, &parsedapi.HistoryOptions{PageOptions: types.PageOptions{Limit: 60, Cursor: from, Prefetch: prefetch}})
	}),
	listOf("assets by ID", func(ctx context.Context, c *clients, from string, prefetch bool) types.List[das.Asset] {
		return c.das.AssetsByOwner(ctx, fakeapi.Collector, &das.AssetsOptions{PageOptions: types.PageOptions{Limit: 24, Cursor: from, Prefetch: prefetch}}).List
	}),
	listOf("assets by page number", func(ctx context.Context, c *clients, from string, prefetch bool) types.List[das.Asset] {
		return c.das.AssetsByOwner(ctx, fakeapi.Collector, &das.AssetsOptions{PageOptions: types.PageOptions{Limit: 24, Cursor: from, Prefetch: prefetch}, SortBy: das.SortByCreated}).List
	}),
}

// seen converts the elements of a sequence.
func seen[T, U any](all iter.Seq2[T, error], as func(T) U) iter.Seq2[U, error] {
	return func(yield func(U, error) bool) {
		for each, err := range all {
			var shown U
			if err == nil {
				shown = as(each)
			}
			if !yield(shown, err) {
				return
			}
		}
	}
}

// text returns an item as JSON.
func text[T any](item T) string {
	b, _ := json.Marshal(item) // it was decoded from JSON
	return string(b)
}

func texts[T any](items []T) []string {
	all := make([]string, 0, len(items))
	for _, item := range items {
		all = append(all, text(item))
	}
	return all
}
