package faults_test

import (
	"context"
	"encoding/json"
	"iter"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
	"github.com/solwire/solwire-go/webhooks"
)

// usdc is the mint of the token that makes the shortest listing of a delegate.
const usdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"

// clients are all clients of the module, made from one Config.
type clients struct {
	wallet     *wallet.Client
	compressed *compressed.Client
	rpc        *rpc.Client
	webhooks   *webhooks.Client
}

func connect(t testing.TB, cfg types.Config) *clients {
	t.Helper()
	var c clients
	var err error
	c.wallet, err = wallet.New(cfg)
	require.NoError(t, err)
	c.compressed, err = compressed.New(cfg)
	require.NoError(t, err)
	c.rpc, err = rpc.New(cfg)
	require.NoError(t, err)
	c.webhooks, err = webhooks.New(cfg)
	require.NoError(t, err)
	return &c
}

// A page is one of any listing: its items as texts, and where a walk goes on
// after it.
type page struct {
	items []string
	next  string // empty on the last page
}

// A listing is one of those of the module.
type listing struct {
	name  string
	pages func(ctx context.Context, c *clients, from string, prefetch bool) iter.Seq2[page, error]
	items func(ctx context.Context, c *clients, prefetch bool) iter.Seq2[string, error]
}

// Each has five pages. The last page of the token accounts
// is empty.
var listings = []listing{
	{
		"balances",
		func(ctx context.Context, c *clients, from string, prefetch bool) iter.Seq2[page, error] {
			number, _ := strconv.Atoi(from)
			pages := c.wallet.BalancePages(ctx, fake.Wallet, &wallet.BalancesOptions{Limit: 60, Page: number, Prefetch: prefetch})
			return seen(pages, func(p *wallet.BalancePage) page {
				if !p.Pagination.HasMore {
					return page{texts(p.Items), ""}
				}
				return page{texts(p.Items), strconv.Itoa(p.Pagination.Page + 1)}
			})
		},
		func(ctx context.Context, c *clients, prefetch bool) iter.Seq2[string, error] {
			return seen(c.wallet.AllBalances(ctx, fake.Wallet, &wallet.BalancesOptions{Limit: 60, Prefetch: prefetch}), text)
		},
	},
	{
		"history",
		func(ctx context.Context, c *clients, from string, prefetch bool) iter.Seq2[page, error] {
			opts := &wallet.HistoryOptions{Limit: 70, Cursor: from, Prefetch: prefetch}
			return seen(c.wallet.HistoryPages(ctx, fake.Wallet, opts), func(p *wallet.Page[wallet.Transaction]) page {
				return page{texts(p.Items), p.Cursor}
			})
		},
		func(ctx context.Context, c *clients, prefetch bool) iter.Seq2[string, error] {
			return seen(c.wallet.AllHistory(ctx, fake.Wallet, &wallet.HistoryOptions{Limit: 70, Prefetch: prefetch}), text)
		},
	},
	{
		"transfers",
		func(ctx context.Context, c *clients, from string, prefetch bool) iter.Seq2[page, error] {
			opts := &wallet.TransfersOptions{Limit: 80, Cursor: from, Prefetch: prefetch}
			return seen(c.wallet.TransferPages(ctx, fake.Wallet, opts), func(p *wallet.Page[wallet.Transfer]) page {
				return page{texts(p.Items), p.Cursor}
			})
		},
		func(ctx context.Context, c *clients, prefetch bool) iter.Seq2[string, error] {
			return seen(c.wallet.AllTransfers(ctx, fake.Wallet, &wallet.TransfersOptions{Limit: 80, Prefetch: prefetch}), text)
		},
	},
	{
		"compressed accounts by owner",
		func(ctx context.Context, c *clients, from string, prefetch bool) iter.Seq2[page, error] {
			opts := &compressed.AccountsByOwnerOptions{Limit: 9, Cursor: from, Prefetch: prefetch}
			return seen(c.compressed.AccountsByOwnerPages(ctx, fake.Owner, opts), func(p *compressed.Page[compressed.Account]) page {
				return page{texts(p.Items), p.Cursor}
			})
		},
		func(ctx context.Context, c *clients, prefetch bool) iter.Seq2[string, error] {
			opts := &compressed.AccountsByOwnerOptions{Limit: 9, Prefetch: prefetch}
			return seen(c.compressed.AllAccountsByOwner(ctx, fake.Owner, opts), text)
		},
	},
	{
		"compressed token accounts by delegate",
		func(ctx context.Context, c *clients, from string, prefetch bool) iter.Seq2[page, error] {
			opts := &compressed.TokenAccountsByDelegateOptions{Mint: usdc, Limit: 25, Cursor: from, Prefetch: prefetch}
			return seen(c.compressed.TokenAccountsByDelegatePages(ctx, fake.Delegate, opts), func(p *compressed.Page[compressed.TokenAccount]) page {
				return page{texts(p.Items), p.Cursor}
			})
		},
		func(ctx context.Context, c *clients, prefetch bool) iter.Seq2[string, error] {
			opts := &compressed.TokenAccountsByDelegateOptions{Mint: usdc, Limit: 25, Prefetch: prefetch}
			return seen(c.compressed.AllTokenAccountsByDelegate(ctx, fake.Delegate, opts), text)
		},
	},
}

// seen shows a sequence as something else.
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

// text shows all of an item.
func text[T any](item T) string {
	b, _ := json.Marshal(item) // it was made of JSON
	return string(b)
}

func texts[T any](items []T) []string {
	all := make([]string, 0, len(items))
	for _, item := range items {
		all = append(all, text(item))
	}
	return all
}
