package compressed_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/types"
)

// bytesOf returns size bytes that are in the order of n, among them texts of base58 of
// different lengths.
func bytesOf(n, size int) []byte {
	return binary.BigEndian.AppendUint16(make([]byte, 0, size), uint16(n*n*50))[:size]
}

func text(b []byte) string { return base58.Encode(b) }

// An ordered listing has items and cursors for numbers in the order of the listing.
type ordered struct {
	item   func(n int) string
	cursor func(n int) []byte
	page   func(ctx context.Context, c *compressed.Client, cursor string) (next string, err, broken error)
}

// brokenPage returns the cursor of a page, an error, and the error that following it leads to.
func brokenPage[T any](p *types.Page[T], err error) (string, error, error) {
	if err != nil {
		return "", err, nil
	}
	if broken := deadEnd(p); broken != nil && !p.HasMore {
		return "", errors.New("HasMore is false"), broken
	}
	return p.Cursor, nil, deadEnd(p)
}

func orderedListings() map[string]ordered {
	const last = 30
	up := func(n int) []byte { return bytesOf(n, 32) }
	down := func(n int) []byte { return bytesOf(last-n, 32) }
	newest := func(n int) []byte { return bytesOf(last-n, 64) }
	slot := func(n int) uint64 { return 1<<60 - uint64(n/2) } // two transactions in each slot
	signature := ordered{
		item:   func(n int) string { return fmt.Sprintf(`{"signature":"%s","slot":%d}`, text(newest(n)), slot(n)) },
		cursor: func(n int) []byte { return append(binary.LittleEndian.AppendUint64(nil, slot(n)), newest(n)...) },
	}
	list := map[string]ordered{
		"token accounts": {
			item: func(n int) string {
				return fmt.Sprintf(`{"account":{"hash":"%s"},"tokenData":{"mint":"%s","amount":0}}`, text(up(n)), text(up(n/2)))
			},
			cursor: func(n int) []byte { return append(up(n/2), up(n)...) },
			page: func(ctx context.Context, c *compressed.Client, cursor string) (string, error, error) {
				return brokenPage(c.TokenAccountsByOwner(ctx, fakeapi.Owner, &compressed.TokenListingOptions{PageOptions: types.PageOptions{Cursor: cursor}}).Page())
			},
		},
		"token balances": {
			item:   func(n int) string { return fmt.Sprintf(`{"mint":"%s","balance":1}`, text(up(n))) },
			cursor: up,
			page: func(ctx context.Context, c *compressed.Client, cursor string) (string, error, error) {
				return brokenPage(c.TokenBalancesByOwner(ctx, fakeapi.Owner, &compressed.TokenListingOptions{PageOptions: types.PageOptions{Cursor: cursor}}).Page())
			},
		},
		"holders": {
			item:   func(n int) string { return fmt.Sprintf(`{"owner":"%s","balance":%d}`, text(down(n)), slot(n)) },
			cursor: func(n int) []byte { return append(binary.LittleEndian.AppendUint64(nil, slot(n)), down(n)...) },
			page: func(ctx context.Context, c *compressed.Client, cursor string) (string, error, error) {
				return brokenPage(c.MintTokenHolders(ctx, usdc, &compressed.ListingOptions{PageOptions: types.PageOptions{Cursor: cursor}}).Page())
			},
		},
	}
	for name, page := range map[string]func(context.Context, *compressed.Client, *compressed.ListingOptions) (*types.Page[compressed.SignatureInfo], error){
		"signatures of an address": func(ctx context.Context, c *compressed.Client, o *compressed.ListingOptions) (*types.Page[compressed.SignatureInfo], error) {
			return c.SignaturesForAddress(ctx, usdc, o).Page()
		},
		"latest signatures": func(ctx context.Context, c *compressed.Client, o *compressed.ListingOptions) (*types.Page[compressed.SignatureInfo], error) {
			return c.LatestCompressionSignatures(ctx, o).Page()
		},
		"latest nonvoting signatures": func(ctx context.Context, c *compressed.Client, o *compressed.ListingOptions) (*types.Page[compressed.SignatureInfo], error) {
			return c.LatestNonVotingSignatures(ctx, o).Page()
		},
	} {
		listing := signature
		listing.page = func(ctx context.Context, c *compressed.Client, cursor string) (string, error, error) {
			return brokenPage(page(ctx, c, &compressed.ListingOptions{PageOptions: types.PageOptions{Cursor: cursor}}))
		}
		list[name] = listing
	}
	return list
}

func TestPagesOutOfOrderAreIncomplete(t *testing.T) {
	t.Parallel()
	const none = -1 // no cursor
	for name, listing := range orderedListings() {
		for _, row := range []struct {
			name  string
			start int
			items []int
			next  int
			says  string // empty for a page in order
		}{
			{"in order", none, []int{0, 1, 2, 3, 4, 5, 24}, 24, ""},
			{"resumed", 0, []int{1, 2, 3}, 3, ""},
			{"last page", 3, []int{4}, none, ""},
			{"empty page", 3, nil, none, ""},
			{"whole listing in another order", none, []int{3, 2, 1}, none, ""},
			{"items exchanged", none, []int{1, 3, 2}, 2, "item 2 of the page is out of order"},
			{"item repeated", none, []int{1, 2, 2}, 2, "item 2 of the page is out of order"},
			{"page repeated", 1, []int{0, 1}, 1, "item 0 of the page is out of order"},
			{"starts at its cursor", 1, []int{1, 2}, none, "item 0 of the page is out of order"},
		} {
			t.Run(name+"/"+row.name, func(t *testing.T) {
				t.Parallel()
				cursor := func(n int) string {
					if n == none {
						return ""
					}
					return text(listing.cursor(n))
				}
				s := fakeapi.New()
				page := func(next int, numbers ...int) {
					var items []string
					for _, n := range numbers {
						items = append(items, listing.item(n))
					}
					s.Answer(200, fmt.Sprintf(`{"context":{"slot":1},"value":{"items":[%s],"cursor":"%s"}}`, strings.Join(items, ","), cursor(next)))
				}
				start := ""
				if row.start != none { // the cursor of a page before
					page(row.start, row.start)
					var err error
					start, err, _ = listing.page(t.Context(), client(t, s), "")
					require.NoError(t, err)
				}
				page(row.next, row.items...)
				_, err, broken := listing.page(t.Context(), client(t, s), start)
				require.NoError(t, err)
				if row.says == "" {
					require.NoError(t, broken)
					return
				}
				require.ErrorIs(t, broken, types.ErrIncomplete)
				require.ErrorContains(t, broken, row.says)
			})
		}
	}
}

func TestPageOutOfOrderEndsAWalkAfterItself(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, fmt.Sprintf(`{"context":{"slot":1},"value":{"items":[{"mint":"%s","balance":0},{"mint":"%s","balance":1}],"cursor":"x"}}`, text(bytesOf(2, 32)), text(bytesOf(1, 32))))
	n, err := walked(t, client(t, s).TokenBalancesByOwner(t.Context(), fakeapi.Owner, nil).All())
	require.Equal(t, 2, n)
	require.ErrorIs(t, err, types.ErrIncomplete)
	require.EqualError(t, err, "getCompressedTokenBalancesByOwnerV2 of BtJ5rdXcZs8hVqK2nTyWfMgPe7UDAoLx3Ri9GQk6uHSv: item 1 of the page is out of order, so pages may skip or repeat items: incomplete listing")
}

// Items that are not valid, and cursors of another form, cannot be compared.
func TestUnknownItemsAndCursorsAreNotCompared(t *testing.T) {
	t.Parallel()
	for _, items := range []string{
		`{"mint":"b","balance":0},{"mint":"a","balance":0}`,
		`{"mint":"` + text(bytesOf(2, 32)) + `","balance":0},{"mint":"?","balance":1},{"mint":"` + text(bytesOf(1, 32)) + `","balance":2}`,
	} {
		s := fakeapi.New()
		s.Answer(200, `{"context":{"slot":1},"value":{"items":[`+items+`],"cursor":"opaque cursor"}}`)
		page, err := client(t, s).TokenBalancesByOwner(t.Context(), fakeapi.Owner, &compressed.TokenListingOptions{PageOptions: types.PageOptions{Cursor: "another"}}).Page()
		require.NoError(t, err)
		require.NoError(t, deadEnd(page))
		require.Equal(t, "opaque cursor", position(page.Cursor))
	}
}
