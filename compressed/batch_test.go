package compressed_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/fakeapi"
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
func queue(s *fakeapi.Service, part []types.Hash) {
	var items []string
	for _, h := range part {
		items = append(items, fmt.Sprintf(`{"hash":"%s","lamports":0}`, h))
	}
	s.Answer(200, `{"context":{"slot":1},"value":{"items":[`+strings.Join(items, ",")+`]}}`)
}

func TestBatchIsSplitAndKeepsItsOrder(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
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
	s := fakeapi.New()
	all := hashes(2500)
	queue(s, all[:1000])
	s.Answer(200, `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Validation Error: no"},"id":null}`)
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

func TestWrongNumberOfResultsIsAnError(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	all := hashes(2)
	queue(s, all[:1])
	_, err := client(t, s).Accounts(t.Context(), all)
	require.EqualError(t, err, "getMultipleCompressedAccountsV2 of 1113diW7pnisfdBvHTXP7wvW5k5Ky1e5DVuF7aXQpX and 1 more: the response has 1 results for 2 inputs")
}
