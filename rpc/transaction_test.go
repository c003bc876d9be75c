package rpc_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

const (
	sigA types.Signature = "caDyTGu8dJ3qFfZpxhyni8DKjgWQapcfiX7MpJ8R67FdiSMcyNHyKjwskBCv45X4CVFZK4nrCCATdW9zysMQFoJ"
	sigB types.Signature = "5G7Zzq8J63xVUVheNVuW9KaXmXvFB8Zh6kLEmoRiedVTXTN5crxWY9qZiyPfaWM6xpWf3aMTtGaQZsc1xPt8fHVi"
	sigC types.Signature = "tyXLh4zKWqnE52H3rxcCL7qSnssJCzxGmJyPbJvBgi67A24FLkqg1GxKCgNZSfhPGEJrVfM4eVvpza3sNw61RFh"
)

func TestTransactionsAreReadInBatchesOfHundred(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Intercept = func(w http.ResponseWriter, _ *fakeapi.Incoming) bool {
		requests := s.Requests()
		n := strings.Count(requests[len(requests)-1].Body, `"getTransaction"`)
		first := (len(requests) - 1) * 100 // slots
		var list []string
		for i := n; i > 0; i-- { // in any order
			list = append(list, fmt.Sprintf(`{"id":"%d","result":{"slot":%d,"transaction":{"signatures":["%s"]}}}`, i, first+i, sigA))
		}
		_, _ = fmt.Fprintf(w, "[%s]", strings.Join(list, ","))
		return true
	}
	signatures := make([]types.Signature, 201)
	for i := range signatures {
		signatures[i] = sigA
	}
	got, err := clientOf(t, s).Transactions(t.Context(), signatures, nil)
	require.NoError(t, err)
	require.Len(t, s.Requests(), 3)
	for i, transaction := range got {
		require.Equal(t, uint64(i+1), transaction.Slot)
	}
}

// Nodes that share a host have a transaction at different times.
func TestTransactionWaitsForTheNodeToHaveIt(t *testing.T) {
	t.Parallel()
	for _, wait := range []time.Duration{0, time.Second, 10 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			s, began := fakeapi.New(), time.Now()
			s.Intercept = func(w http.ResponseWriter, _ *fakeapi.Incoming) bool {
				result := "null"
				if time.Since(began) > 3*time.Second {
					result = `{"slot":1,"transaction":{"signatures":["` + string(sigA) + `"]}}`
				}
				_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","result":%s}`, result)
				return true
			}
			got, err := clientOf(t, s).Transaction(t.Context(), sigA, &rpc.TransactionOptions{Wait: wait})
			if wait > 3*time.Second {
				require.NoError(t, err)
				require.Equal(t, uint64(1), got.Slot)
				require.Less(t, time.Since(began), 8*time.Second)
				return
			}
			require.ErrorIs(t, err, types.ErrNotFound)
			require.Equal(t, wait, time.Since(began))
		})
	}
}

func TestBadTransactionKeepsTheOthers(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, `[{"id":"1","result":{"slot":1,"transaction":{"signatures":["`+string(sigA)+`"]}}},{"id":"2","result":null},
		{"id":"3","error":{"code":-32015,"message":"Transaction version (2) is not supported"}}]`)
	got, err := clientOf(t, s).Transactions(t.Context(), []types.Signature{sigA, sigB, sigC}, nil)
	var batch *types.BatchError
	require.ErrorAs(t, err, &batch)
	require.NoError(t, batch.Errs[0])
	require.NoError(t, batch.Errs[1])
	require.EqualError(t, err, "getTransaction of tyXLh4zKWqnE52H3rxcCL7qSnssJCzxGmJyPbJvBgi67A24FLkqg1GxKCgNZSfhPGEJrVfM4eVvpza3sNw61RFh: code -32015: Transaction version (2) is not supported (set MaxVersion) (1 of 3 inputs failed)")
	require.Equal(t, uint64(1), got[0].Slot)
	require.Nil(t, got[1], "unknown")
	require.Nil(t, got[2], "failed")
}

// The others keep their positions.
func TestUnreadableTransactionLeavesTheBlock(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	transaction := func(s types.Signature, fee string) string {
		return fmt.Sprintf(`{"transaction":{"signatures":[%q]},"meta":{"err":null,"fee":%s}}`, s, fee)
	}
	s.Answer(200, `{"jsonrpc":"2.0","result":{"blockhash":"x","transactions":[`+transaction(sigA, "1")+","+transaction(sigB, `"5000"`)+","+transaction(sigC, "3")+`]}}`)
	block, err := clientOf(t, s).Block(t.Context(), 5, nil)
	var item *types.ItemError
	require.ErrorAs(t, err, &item)
	require.Equal(t, string(sigB), item.ID)
	require.Equal(t, "meta.fee", item.Path)
	require.Len(t, block.Transactions, 2)
	require.Equal(t, uint64(2), block.Transactions[1].IndexWithinBlock)
	require.Equal(t, sigC, block.Transactions[1].Signature)
}

func TestSkippedSlotsHaveNoBlock(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{
		`{"jsonrpc":"2.0","id":"1","result":null}`,
		`{"jsonrpc":"2.0","id":"1","error":{"code":-32007,"message":"Slot 5 was skipped, or missing due to ledger jump to recent snapshot"}}`,
		`{"jsonrpc":"2.0","id":"1","error":{"code":-32009,"message":"Slot 5 was skipped, or missing in long-term storage"}}`,
	} {
		s := fakeapi.New()
		s.Answer(200, answer)
		_, err := clientOf(t, s).Block(t.Context(), 5, nil)
		require.ErrorIs(t, err, types.ErrNotFound)
		s.Answer(200, answer)
		_, err = clientOf(t, s).BlockTime(t.Context(), 5)
		require.ErrorIs(t, err, types.ErrNotFound)
		require.Len(t, s.Requests(), 2, "and is not asked for again")
	}
}

func TestTransactionsOfABlockHaveTheirPosition(t *testing.T) {
	t.Parallel()
	block, err := clientOf(t, captured(t, fakeapi.New(), "getBlock")).Block(t.Context(), 132, nil)
	require.NoError(t, err)
	require.Len(t, block.Transactions, 2)
	for i, transaction := range block.Transactions {
		require.Equal(t, uint64(132), transaction.Slot)
		require.Equal(t, uint64(i), transaction.IndexWithinBlock)
		require.Equal(t, block.BlockTime, transaction.BlockTime)
	}
}

func TestNodeThatIsBehindIsAskedAgain(t *testing.T) {
	t.Parallel()
	for _, behind := range []string{
		`{"code":-32016,"message":"Minimum context slot has not been reached","data":{"contextSlot":7}}`,
		`{"code":-32005,"message":"Node is behind by 42 slots","data":{"numSlotsBehind":42}}`,
		`{"code":-32004,"message":"Block not available for slot 9"}`,
	} {
		synctest.Test(t, func(t *testing.T) {
			s := fakeapi.New()
			s.Answer(200, `{"jsonrpc":"2.0","id":"1","error":`+behind+`}`)
			s.Answer(200, `{"jsonrpc":"2.0","id":"1","result":9}`)
			slot, err := clientOf(t, s).Slot(t.Context(), &rpc.ReadOptions{MinContextSlot: 9})
			require.NoError(t, err)
			require.Equal(t, uint64(9), slot)
		})
	}
}

func TestTooLargeBatchesAreHalved(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	answers := func(from, to int) string {
		var calls []string
		for slot := from; slot <= to; slot++ {
			calls = append(calls, fmt.Sprintf(`{"id":"%d","result":{"slot":%d,"transaction":{"signatures":["%s"]}}}`, slot-from+1, slot, sigA))
		}
		return "[" + strings.Join(calls, ",") + "]"
	}
	s.Answer(200, answers(1, 100))
	s.Answer(200, `{"error":{"code":-32702,"message":"Response is too big"}}`) // 101 to 180
	s.Answer(200, answers(181, 230))
	s.Answer(200, answers(231, 260))
	got, err := clientOf(t, s).Transactions(t.Context(), slices.Repeat([]types.Signature{sigA}, 180), nil)
	require.NoError(t, err)
	require.Equal(t, uint64(100), got[99].Slot)
	require.Equal(t, uint64(181), got[100].Slot)
	require.Equal(t, uint64(260), got[179].Slot)
	require.Len(t, s.Requests(), 4)
}

// One transaction is too large even alone.
func TestTooLargeTransactionKeepsTheOthers(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, `[{"id":"1","error":{"code":-32702,"message":"Response is too big"}},{"id":"2","result":{"slot":1,"transaction":{"signatures":["`+string(sigB)+`"]}}}]`)
	s.Answer(200, `[{"id":"1","error":{"code":-32702,"message":"Response is too big"}}]`)
	got, err := clientOf(t, s).Transactions(t.Context(), []types.Signature{sigA, sigB}, nil)
	require.ErrorIs(t, err, types.ErrTooLarge)
	require.Equal(t, uint64(1), got[1].Slot)
	require.Len(t, s.Requests(), 2)
}

func TestRefusedKeyEndsTheBatches(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(401, `{"error":"no"}`)
	signatures := slices.Repeat([]types.Signature{sigA}, 250)
	_, err := clientOf(t, s).Transactions(t.Context(), signatures, nil)
	var batch *types.BatchError
	require.ErrorAs(t, err, &batch)
	require.Len(t, batch.Unwrap(), 1)
	require.ErrorIs(t, batch.Errs[249], types.ErrUnauthorized)
	require.Len(t, s.Requests(), 1)
}

func TestNullTransactionInABlockIsAnError(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, `{"blockhash":"h","transactions":[null]}`)
	_, err := clientOf(t, s).Block(t.Context(), 5, nil)
	require.EqualError(t, err, "getBlock of 5: item cannot be read: item 0 of the response is null")
}

func TestOptionsOfAWalkAreCopied(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, `{"data":[]}`)
	opts := &rpc.TransactionsForAddressOptions{Transfer: &rpc.TransferFilter{Direction: types.DirectionIn}}
	all := clientOf(t, s).TransactionsForAddress(t.Context(), usdc, opts)
	opts.Transfer.Direction, opts.Limit = types.DirectionOut, 7
	_, err := all.Collect(1)
	require.NoError(t, err)
	require.Contains(t, s.Requests()[0].Body, `"limit":100`)
	require.Contains(t, s.Requests()[0].Body, `"tokenTransfer":{"direction":"in"}`)
}

func TestFirstPageOfAListingHasItsSlot(t *testing.T) {
	t.Parallel()
	page, err := clientOf(t, captured(t, fakeapi.New(), "getProgramAccountsV2")).ProgramAccounts(t.Context(), types.Token2022Program, nil).Page()
	require.NoError(t, err)
	require.Equal(t, uint64(371234567), page.Slot)
	require.False(t, page.HasMore)
}

// The service continues at the cursor of a listing in the opposite order, and skips the items
// after the cursor in that listing.
func TestCursorOfTheOppositeOrderIsRefused(t *testing.T) {
	t.Parallel()
	for _, ascending := range []bool{false, true} {
		s := fakeapi.New()
		c := clientOf(t, s)
		page := func(ascending bool, cursor string) (*types.Page[rpc.SignatureInfo], error) {
			return c.TransactionSignaturesForAddress(t.Context(), usdc, &rpc.TransactionsForAddressOptions{Ascending: ascending, PageOptions: types.PageOptions{Cursor: cursor}}).Page()
		}
		s.Answer(200, `{"data":[{"signature":"a","slot":9}],"paginationToken":"9:0"}`)
		first, err := page(ascending, "")
		require.NoError(t, err)
		_, err = page(!ascending, first.Cursor)
		require.ErrorIs(t, err, types.ErrInvalid)
		require.ErrorContains(t, err, "Cursor belongs to another listing")
		transfers := &rpc.TransfersByAddressOptions{Ascending: !ascending, PageOptions: types.PageOptions{Cursor: first.Cursor}}
		_, err = c.TransfersByAddress(t.Context(), usdc, transfers).Page()
		require.ErrorIs(t, err, types.ErrInvalid)
		require.Len(t, s.Requests(), 1)

		s.Answer(200, `{"data":[{"signature":"b","slot":9}],"paginationToken":null}`)
		_, err = page(ascending, first.Cursor)
		require.NoError(t, err)
		require.Contains(t, s.Requests()[1].Body, `"paginationToken":"9:0"`)
	}
}

// The cursor of a resumed walk names the slot after which its first page begins.
func TestResumedWalkStartsAtItsCursor(t *testing.T) {
	t.Parallel()
	for ascending, first := range map[bool]int{false: 10, true: 8} {
		s := fakeapi.New()
		s.Answer(200, fmt.Sprintf(`{"data":[{"signature":"a","slot":%d}],"paginationToken":"7:0"}`, first))
		opts := &rpc.TransactionsForAddressOptions{Ascending: ascending, PageOptions: types.PageOptions{Cursor: "9:0"}}
		_, err := clientOf(t, s).TransactionSignaturesForAddress(t.Context(), usdc, opts).Page()
		require.ErrorIs(t, err, types.ErrIncomplete)
	}
}

func TestTransfersOfALongTimeAgoAreRefused(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	now := s.Config().Clock() // in 2025
	for _, window := range [][2]time.Time{{now.AddDate(-2, 0, 0), {}}, {{}, now.AddDate(-1, 0, -2)}, {now.AddDate(-3, 0, 0), now.AddDate(-2, 0, 0)}} {
		_, err := clientOf(t, s).TransfersByAddress(t.Context(), usdc, &rpc.TransfersByAddressOptions{Since: window[0], Until: window[1]}).Page()
		require.ErrorIs(t, err, types.ErrInvalid)
		require.ErrorContains(t, err, "is more than a year ago; the service lists transfers of the last year: use wallet.Client.Transfers")
	}
	require.Empty(t, s.Requests())
	_, err := clientOf(t, s).TransfersByAddress(t.Context(), usdc, &rpc.TransfersByAddressOptions{Since: now.AddDate(-1, 0, 0)}).Page()
	require.NoError(t, err)
}
