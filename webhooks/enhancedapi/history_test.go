package enhancedapi_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks/enhancedapi"
)

const account = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"

const (
	sig1 types.Signature = "5wHu1qwD7q5ifaN5nwdcDqNFo53GJqa7nLp2BeeEpcHCusb4GzARz4GjgzsEHMkBMgCJMGa6GSQ1VG96Exv8kt2W"
	sig2 types.Signature = "3Ww3Wz9C1b7RM8P3xEzyWmeHk7H7jE7VtCFTJwEsqz2MrJxt2Cb7D1YzTFY6hYC1Hn7QWQcX5dUoZ7r2A5rQ7tPb"
	sig3 types.Signature = "2nBhEBYYvfaAe16UMNqRHre4YNSskvuYgx3M6E4JP1oDYvZEJHvoPzyUidNgNX5r9sTyN1J9UxtbCXy2rqYcuyuv"
)

func client(t *testing.T, s *fakeapi.Service) *enhancedapi.Client {
	t.Helper()
	c, err := enhancedapi.New(s.Config())
	require.NoError(t, err)
	return c
}

// past returns a service in whose history the account has n transfers, and their
// signatures.
func past(n int) (*fakeapi.Service, []types.Signature) {
	b := world.NewBuilder("default")
	var all []types.Signature
	for i := range n {
		s := world.Seed(7).Item(i)
		all = append(all, types.Signature(s.Signature()))
		x := world.Transaction{Signature: string(all[i]), Kind: "TRANSFER", Fee: 5000, At: time.Unix(1735689600+int64(i), 0)}
		b.Transact(x, []world.Leg{{From: account, To: s.Address(), Amount: "0.5"}})
	}
	w, err := b.World()
	if err != nil {
		panic(err)
	}
	return fakeapi.NewOf(w), all
}

func TestTransactionsAreMatchedBySignature(t *testing.T) {
	t.Parallel()
	s, signatures := past(199)
	wanted := append([]types.Signature{sig1, signatures[198]}, signatures...)
	got, err := client(t, s).Transactions(t.Context(), wanted, nil)
	require.NoError(t, err)
	require.Len(t, s.Requests(), 2, "one for 100 different signatures")
	require.Len(t, got, len(wanted))
	require.Nil(t, got[0], "the service does not know it")
	for i, tx := range got[1:] {
		require.Equal(t, wanted[i+1], tx.Signature)
	}

	s = fakeapi.New()
	s.Answer(200, `[null,{"signature":"`+string(sig2)+`"},{"signature":"`+string(sig3)+`"}]`)
	got, err = client(t, s).Transactions(t.Context(), []types.Signature{sig1, sig2}, nil)
	require.NoError(t, err)
	require.Nil(t, got[0])
	require.Equal(t, sig2, got[1].Signature)

	got, err = client(t, s).Transactions(t.Context(), nil, nil)
	require.NoError(t, err)
	require.Empty(t, got)
}

// walked returns the signatures of a walk, and its error.
func walked(ctx context.Context, c *enhancedapi.Client, opts *enhancedapi.HistoryOptions) (all []types.Signature, last error) {
	for tx, err := range c.History(ctx, account, opts).All() {
		if last = err; err == nil {
			all = append(all, tx.Signature)
		}
	}
	return all, last
}

func TestHistoryIsWalkedToItsEnd(t *testing.T) {
	t.Parallel()
	s, signatures := past(25)
	for _, prefetch := range []bool{false, true} {
		got, err := walked(t.Context(), client(t, s), &enhancedapi.HistoryOptions{PageOptions: types.PageOptions{Limit: 10, Prefetch: prefetch}, Ascending: true})
		require.NoError(t, err)
		require.Equal(t, signatures, got)
	}
	requests := s.Requests()
	require.Len(t, requests, 8, "the last page is empty")
	require.Equal(t, string(signatures[19]), requests[2].Query.Get("after-signature"))

	opts := &enhancedapi.HistoryOptions{PageOptions: types.PageOptions{Limit: 10}}
	newest, err := client(t, s).History(t.Context(), account, opts).Page()
	require.NoError(t, err)
	require.Equal(t, signatures[24], newest.Items[0].Signature)
	opts.Cursor = newest.Cursor
	rest, err := walked(t.Context(), client(t, s), opts)
	require.NoError(t, err)
	require.Len(t, rest, 15, "a walk resumes at a cursor")
	for range client(t, s).History(t.Context(), account, opts).Pages() {
		break
	}
}

func TestHistoryWindow(t *testing.T) {
	t.Parallel()
	s, signatures := past(10)
	start := time.Unix(1_735_689_600, 0)
	for _, opts := range []*enhancedapi.HistoryOptions{
		{Ascending: true, SinceSlot: 311_144_625, UntilSlot: 311_144_630},
		{Ascending: true, Since: start.Add(2 * time.Second), Until: start.Add(4 * time.Second)},
		{Ascending: true, Since: start.Add(1001 * time.Millisecond), Until: start.Add(3001 * time.Millisecond)},
	} {
		got, err := walked(t.Context(), client(t, s), opts)
		require.NoError(t, err)
		require.Equal(t, signatures[2:4], got)
	}
	require.Equal(t, "1735689602", s.Requests()[2].Query.Get("gte-time"))
	require.Equal(t, "1735689604", s.Requests()[2].Query.Get("lt-time"))
}

// A search without a match is refused with the signature from which to continue.
func TestSearchForATypeContinues(t *testing.T) {
	t.Parallel()
	s, signatures := past(350)
	swap, err := s.Swap(account)
	require.NoError(t, err)
	for _, ascending := range []bool{false, true} {
		got, err := walked(t.Context(), client(t, s), &enhancedapi.HistoryOptions{Type: txtype.Swap, Ascending: ascending})
		require.NoError(t, err)
		require.Equal(t, []types.Signature{types.Signature(swap.Signature)}, got)
	}
	page, err := client(t, s).History(t.Context(), account, &enhancedapi.HistoryOptions{Type: txtype.Swap, Ascending: true}).Page()
	require.NoError(t, err)
	position, _, _ := strings.Cut(page.Cursor, "~") // the mark of the listing
	require.Equal(t, &types.Page[any]{Cursor: string(signatures[99]), HasMore: true},
		&types.Page[any]{Cursor: position, HasMore: page.HasMore})
	require.Empty(t, page.Items)

	opts := &enhancedapi.HistoryOptions{Type: txtype.Swap, Ascending: true, MaxSearches: 2}
	var cursors []string
	for page, err := range client(t, s).History(t.Context(), account, opts).Pages() {
		if err != nil {
			require.ErrorIs(t, err, types.ErrIncomplete)
			require.NotErrorIs(t, err, types.ErrNotFound)
			require.EqualError(t, err, "GET /v0/addresses/{address}/transactions of 4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T: 2 searches in a row found no transaction; raise MaxSearches or resume at the cursor: incomplete listing")
			break
		}
		position, _, _ := strings.Cut(page.Cursor, "~")
		cursors = append(cursors, position)
	}
	require.Equal(t, []string{string(signatures[99]), string(signatures[199])}, cursors)
}

func TestSearchThatCannotContinueIsIncomplete(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"Failed to find events within the search period.",
		"Failed to find events within the search period. To continue search, query the API again with the `before` parameter set to nothing.",
	} {
		s := fakeapi.New()
		s.Answer(404, fmt.Sprintf(`{"error":%q}`, text))
		_, err := walked(t.Context(), client(t, s), &enhancedapi.HistoryOptions{Type: txtype.Swap})
		require.ErrorIs(t, err, types.ErrIncomplete)
		require.NotErrorIs(t, err, types.ErrNotFound, "a search that broke off is not an empty history")
	}
	s := fakeapi.New()
	s.Answer(404, `{"error":"Not found"}`)
	_, err := walked(t.Context(), client(t, s), nil)
	require.ErrorIs(t, err, types.ErrNotFound)
	require.NotErrorIs(t, err, types.ErrIncomplete)
}

func TestBrokenHistoriesAreIncomplete(t *testing.T) {
	t.Parallel()
	item := func(s types.Signature, slot int) string { return fmt.Sprintf(`{"signature":%q,"slot":%d}`, s, slot) }
	list := func(items ...string) string { return "[" + strings.Join(items, ",") + "]" }
	for name, pages := range map[string][]string{
		"out of order within a page": {list(item(sig1, 5), item(sig2, 6))},
		"out of order between pages": {list(item(sig1, 5)), list(item(sig2, 6))},
		"repeated cursor":            {list(item(sig1, 5)), list(item(sig2, 4)), list(item(sig1, 3))},
		"item without a signature":   {list(item(sig1, 5), item("", 4))},
		"null":                       {list(item(sig1, 5), "null")},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := fakeapi.New()
			for _, page := range pages {
				s.Answer(200, page)
			}
			_, err := walked(t.Context(), client(t, s), nil)
			require.Len(t, s.Requests(), len(pages), name)
			if name == "null" {
				require.EqualError(t, err, "GET /v0/addresses/{address}/transactions of 4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T: item cannot be read: item 1 of the response is null")
			} else {
				require.ErrorIs(t, err, types.ErrIncomplete, name)
			}
		})
	}
	s := fakeapi.New()
	s.Answer(200, list(item(sig1, 5), item(sig2, 0), item(sig3, 5)))
	s.Answer(200, "[]")
	got, err := walked(t.Context(), client(t, s), nil)
	require.NoError(t, err, "an unknown slot is in order")
	require.Len(t, got, 3)
}

// The service takes a cursor as a position, and would skip the items on its other side.
func TestHistoryRefusesTheCursorOfAnother(t *testing.T) {
	t.Parallel()
	s, _ := past(25)
	page, err := client(t, s).History(t.Context(), account, &enhancedapi.HistoryOptions{PageOptions: types.PageOptions{Limit: 10}}).Page()
	require.NoError(t, err)
	for _, address := range []types.Address{account, types.TokenProgram} {
		opts := &enhancedapi.HistoryOptions{PageOptions: types.PageOptions{Cursor: page.Cursor}, Ascending: address == account}
		_, err = client(t, s).History(t.Context(), address, opts).Page()
		require.ErrorIs(t, err, types.ErrInvalid)
	}
	require.Len(t, s.Requests(), 1)
}

// The error names the transaction and the path; the other ones are there.
func TestUnreadableTransactionLeavesTheOthers(t *testing.T) {
	t.Parallel()
	body := fmt.Sprintf(`[{"signature":%q,"slot":3},{"signature":%q,"slot":2,"nativeTransfers":[{"amount":1},{"amount":-7}]},{"signature":%q,"slot":1}]`, sig1, sig2, sig3)
	s := fakeapi.New()
	s.Answer(200, body)
	page, err := client(t, s).History(t.Context(), account, nil).Page()
	var item *types.ItemError
	require.ErrorAs(t, err, &item)
	require.Equal(t, string(sig2), item.ID)
	require.Equal(t, "nativeTransfers[1].amount", item.Path)
	require.Len(t, page.Items, 2)

	s.Answer(200, body)
	got, err := client(t, s).Transactions(t.Context(), []types.Signature{sig1, sig2, sig3}, nil)
	var failed *types.BatchError
	require.ErrorAs(t, err, &failed)
	require.NoError(t, failed.Errs[0])
	require.ErrorAs(t, failed.Errs[1], &item)
	require.Equal(t, "nativeTransfers[1].amount", item.Path)
	require.NotNil(t, got[0])
	require.Nil(t, got[1])
	require.NotNil(t, got[2])
}
