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
	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
)

// hashes returns n distinct hashes.
func hashes(n int) (all []types.Hash) {
	for i := range n {
		var b [32]byte
		binary.BigEndian.PutUint64(b[:], uint64(i+1)<<32)
		all = append(all, types.Hash(base58.Encode(b[:])))
	}
	return all
}

// queue queues an answer with an account for each of some hashes.
func queue(s *fake.Service, part []types.Hash) {
	var items []string
	for _, h := range part {
		items = append(items, fmt.Sprintf(`{"hash":"%s"}`, h))
	}
	s.Answer(200, `{"context":{"slot":1},"value":{"items":[`+strings.Join(items, ",")+`]}}`)
}

const (
	refused  = `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Validation Error: no"},"id":null}`
	tooLarge = `{"jsonrpc":"2.0","error":{"code":-32702,"message":"Response is too big"},"id":null}`
)

func TestBatchIsSplitAndKeepsItsOrder(t *testing.T) {
	t.Parallel()
	s := fake.New()
	all := hashes(2001)
	queue(s, all[:1000])
	queue(s, all[1000:2000])
	queue(s, all[2000:])
	got, err := client(t, s).Accounts(t.Context(), all)
	require.NoError(t, err)
	require.Len(t, got, 2001)
	for i, a := range got {
		require.Equal(t, all[i], a.Hash)
	}
	require.Contains(t, s.Requests()[2].Body, `"params":{"hashes":["`+string(all[2000])+`"]}`)
}

func TestFailedRequestOfABatchLosesNothingOfTheOthers(t *testing.T) {
	t.Parallel()
	s := fake.New()
	all := hashes(2500)
	queue(s, all[:1000])
	s.Answer(200, refused)
	queue(s, all[2000:])
	got, err := client(t, s).Accounts(t.Context(), all)
	var failed *types.BatchError
	require.ErrorAs(t, err, &failed)
	require.Len(t, failed.Errs, 2500)
	require.ErrorIs(t, err, compressed.ErrRefused)
	require.EqualError(t, err, "getMultipleCompressedAccountsV2 of 11nSfGXmm6gRbZSc2mLkttMurQgKg2pkhneaXar65m and 999 more: code -32000: Validation Error: no (1000 of 2500 inputs failed)")
	for i, a := range got {
		require.Equal(t, 1000 <= i && i < 2000, failed.Errs[i] != nil, i)
		if failed.Errs[i] != nil {
			require.Nil(t, a)
		} else {
			require.Equal(t, all[i], a.Hash)
		}
	}
}

func TestTooLargeResponsesDivideABatch(t *testing.T) {
	t.Parallel()
	s := fake.New()
	all := hashes(1001)
	s.Answer(200, tooLarge)
	queue(s, all[:500])
	queue(s, all[500:1000])
	s.Answer(200, refused)
	got, err := client(t, s).Accounts(t.Context(), all)
	var failed *types.BatchError
	require.ErrorAs(t, err, &failed)
	require.Error(t, failed.Errs[1000])
	for i := range all[:1000] {
		require.NoError(t, failed.Errs[i])
		require.Equal(t, all[i], got[i].Hash)
	}
	s.Answer(200, tooLarge)
	_, err = client(t, s).Accounts(t.Context(), all[:1])
	require.ErrorIs(t, err, types.ErrTooLarge)
}

func TestBatchGrowsAgainAfterATooLargeResponse(t *testing.T) {
	t.Parallel()
	s := fake.New()
	all := hashes(5000)
	s.Answer(200, tooLarge)
	for start := 0; start < 4000; start += 500 {
		queue(s, all[start:start+500])
	}
	queue(s, all[4000:])
	got, err := client(t, s).Accounts(t.Context(), all)
	require.NoError(t, err)
	require.Equal(t, all[4999], got[4999].Hash)
	require.Len(t, s.Requests(), 10)
}

func TestBatchStopsWhereFurtherRequestsWouldFail(t *testing.T) {
	t.Parallel()
	s := fake.New()
	all := hashes(3000)
	queue(s, all[:1000])
	s.Answer(401, `{"error":"Unauthorized"}`)
	got, err := client(t, s).Accounts(t.Context(), all)
	require.ErrorIs(t, err, types.ErrUnauthorized)
	require.ErrorContains(t, err, "(2000 of 3000 inputs failed)")
	require.NotNil(t, got[999])
	require.Len(t, s.Requests(), 2)

	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	got, err = client(t, s).Accounts(ctx, all)
	require.ErrorContains(t, err, "enough")
	require.Equal(t, make([]*compressed.Account, 3000), got)
}

func TestWrongNumberOfResultsIsAnError(t *testing.T) {
	t.Parallel()
	s := fake.New()
	all := hashes(2)
	queue(s, all[:1])
	_, err := client(t, s).Accounts(t.Context(), all)
	require.EqualError(t, err, "getMultipleCompressedAccountsV2 of 1113diW7pnisfdBvHTXP7wvW5k5Ky1e5DVuF7aXQpX and 1 more: the response has 1 results for 2 inputs")
}
