package rpc_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

// signaturesJSON is the response with items of these signatures and slots.
func signaturesJSON(items ...any) string {
	var list []string
	for i := 0; i < len(items); i += 2 {
		list = append(list, fmt.Sprintf(`{"signature":"%s","slot":%d,"err":null}`, items[i], items[i+1]))
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","result":[%s]}`, strings.Join(list, ","))
}

func TestWalkOfSignaturesEndsWithAnEmptyPage(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, signaturesJSON(sigA, 9, sigB, 8))
	s.Answer(200, signaturesJSON(sigC, 8))
	s.Answer(200, signaturesJSON())
	got, err := clientOf(t, s).SignaturesForAddress(t.Context(), usdc, &rpc.SignaturesForAddressOptions{After: sigA}).Collect(10)
	require.NoError(t, err)
	require.Len(t, got, 3)
	require.Nil(t, got[0].TransactionError)
	requests := s.Requests()
	require.Len(t, requests, 3)
	require.NotContains(t, requests[0].Body, "before")
	require.Contains(t, requests[1].Body, `{"before":"`+string(sigB)+`","until":"`+string(sigA)+`"}`)
	require.Contains(t, requests[2].Body, `{"before":"`+string(sigC)+`","until":"`+string(sigA)+`"}`)
}

// The listing continues after the last item that has a signature.
func TestItemWithoutASignatureIsUnreadable(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, signaturesJSON(sigA, 9, "", 8))
	page, err := clientOf(t, s).SignaturesForAddress(t.Context(), usdc, nil).Page()
	require.EqualError(t, err, "getSignaturesForAddress of EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v: item cannot be read: signature: item 1 of the response has no signature")
	require.Len(t, page.Items, 1)
	require.Contains(t, page.Cursor, sigA)
}

func TestBrokenOrderEndsWalks(t *testing.T) {
	t.Parallel()
	first, second := signaturesJSON(sigA, 9, sigB, 7), signaturesJSON(sigC, 8)
	for _, pages := range [][]string{{first, second}, {signaturesJSON(sigA, 7, sigB, 9)}} {
		s := fakeapi.New()
		for _, page := range pages {
			s.Answer(200, page)
		}
		var last error
		n := 0
		for page, err := range clientOf(t, s).SignaturesForAddress(t.Context(), usdc, nil).Pages() {
			if last = err; err == nil {
				n += len(page.Items)
			}
		}
		require.ErrorIs(t, last, types.ErrIncomplete)
		require.ErrorContains(t, last, "getSignaturesForAddress of EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v: items are out of order at slot")
		require.Equal(t, 2*(len(pages)-1), n)
	}
}

// Nodes list a slot in either order. Nothing is missing.
func TestSlotsMayBeListedInEitherOrder(t *testing.T) {
	t.Parallel()
	for _, ascending := range []bool{false, true} {
		s := fakeapi.New()
		s.Answer(200, `{"data":[{"signature":"a","slot":9,"transactionIndex":1},{"signature":"b","slot":9,"transactionIndex":2}],"paginationToken":"9:2"}`)
		s.Answer(200, `{"data":[{"signature":"c","slot":9,"transactionIndex":5}]}`)
		all, err := clientOf(t, s).TransactionSignaturesForAddress(t.Context(), usdc, &rpc.TransactionsForAddressOptions{Ascending: ascending}).Collect(9)
		require.NoError(t, err)
		require.Len(t, all, 3)
	}
}

// An older node that does not know After lists everything.
func TestListingStopsAtTheSlotOfAfter(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, signaturesJSON(sigA, 9, sigB, 8))
	s.Answer(200, signaturesJSON(sigC, 7, sigA, 5))
	s.Answer(200, `{"jsonrpc":"2.0","id":null,"result":{"context":{"slot":9},"value":[{"slot":6,"confirmations":null,"err":null,"confirmationStatus":"finalized"}]}}`)
	var slots []uint64
	var last error
	for info, err := range clientOf(t, s).SignaturesForAddress(t.Context(), usdc, &rpc.SignaturesForAddressOptions{After: sigC, PageOptions: types.PageOptions{Limit: 2}}).All() {
		if last = err; err == nil {
			slots = append(slots, info.Slot)
		}
	}
	require.Equal(t, []uint64{9, 8, 7}, slots)
	require.ErrorIs(t, last, types.ErrIncomplete)
	require.ErrorContains(t, last, "the node does not know After; the listing has all transactions since its slot 6")
	require.Len(t, s.Requests(), 3)
}

func TestRepeatedTransactionEndsTheWalk(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, `{"data":[{"signature":"a","slot":9,"transactionIndex":2}],"paginationToken":"9:2"}`)
	s.Answer(200, `{"data":[{"signature":"a","slot":9,"transactionIndex":2},{"signature":"b","slot":8,"transactionIndex":1}]}`)
	_, err := clientOf(t, s).TransactionSignaturesForAddress(t.Context(), usdc, nil).Collect(9)
	require.EqualError(t, err, "getTransactionsForAddress of EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v: items are out of order at slot 9: incomplete listing")

	s = fakeapi.New() // transfers of one transaction are not repeated ones
	s.Answer(200, `{"data":[{"signature":"a","slot":9,"transactionIdx":2,"amount":"1"},{"signature":"a","slot":9,"transactionIdx":2,"instructionIdx":1,"amount":"0"}]}`)
	transfers, err := clientOf(t, s).TransfersByAddress(t.Context(), usdc, nil).Collect(9)
	require.NoError(t, err)
	require.Len(t, transfers, 2)
}

// A listing without an end in sight must not look like the transactions since After.
func TestAfterThatNoNodeKnowsEndsTheListing(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, signaturesJSON(sigA, 9, sigB, 8))
	s.Answer(200, signaturesJSON(sigC, 7, sigA, 5))
	s.Answer(200, `{"jsonrpc":"2.0","id":null,"result":{"context":{"slot":9},"value":[null]}}`)
	_, err := clientOf(t, s).SignaturesForAddress(t.Context(), usdc, &rpc.SignaturesForAddressOptions{After: sigC, PageOptions: types.PageOptions{Limit: 2}}).Collect(10)
	require.ErrorIs(t, err, types.ErrIncomplete)
	require.ErrorContains(t, err, "no node knows After")
	require.Len(t, s.Requests(), 3)
}
