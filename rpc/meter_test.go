package rpc_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

// metered returns a Client of s and its Meter.
func metered(t *testing.T, s *fakeapi.Service) (*rpc.Client, *types.Meter) {
	t.Helper()
	cfg := s.Config()
	cfg.Meter = new(types.Meter)
	c, err := rpc.New(cfg)
	require.NoError(t, err)
	return c, cfg.Meter
}

func TestMeterCountsWhatCallsCost(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	c, meter := metered(t, s)
	_, err := c.Slot(t.Context(), nil)
	require.NoError(t, err)
	_, err = c.ProgramAccounts(t.Context(), types.Token2022Program, nil).Page()
	require.NoError(t, err)
	var asset any
	s.Answer(200, `{"result":{}}`)
	require.NoError(t, c.Call(t.Context(), "getAsset", nil, &asset))
	require.Equal(t, []types.Spent{
		{Op: "getAsset", Responses: 1, Credits: 10}, {Op: "getProgramAccountsV2", Responses: 1, Credits: 1}, {Op: "getSlot", Responses: 1, Credits: 1},
	}, meter.Spent())
	require.Equal(t, uint64(12), meter.Credits())
}

func TestMeterCountsRetriesThatWereAnswered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := fakeapi.New()
		s.Answer(503, `{}`)                                           // free
		s.Answer(200, `{"error":{"code":-32005,"message":"behind"}}`) // not free
		s.Answer(200, `{"result":`, "Content-Length", "99")           // truncated
		s.Answer(200, `{"jsonrpc":"2.0","id":"1","result":7}`)
		c, meter := metered(t, s)
		_, err := c.Slot(t.Context(), nil)
		require.NoError(t, err)
		require.Equal(t, []types.Spent{{Op: "getSlot", Responses: 3, Credits: 3}}, meter.Spent())
	})
	s := fakeapi.New()
	s.Answer(401, `{}`)
	c, meter := metered(t, s)
	_, err := c.Slot(t.Context(), nil)
	require.ErrorIs(t, err, types.ErrUnauthorized)
	require.Zero(t, meter.Credits())
}

func TestMeterCountsTheCallsOfABatch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := fakeapi.New()
		s.Answer(200, `[{"id":"1","result":1},{"id":"2","error":{"code":-32005,"message":"behind"}}]`)
		s.Answer(200, `[{"id":"2","result":2}]`)
		c, meter := metered(t, s)
		calls := []rpc.BatchCall{{Method: "getSlot"}, {Method: "getProgramAccounts"}}
		require.NoError(t, c.Batch(t.Context(), calls, nil))
		require.Equal(t, []types.Spent{{Op: "getProgramAccounts", Responses: 2, Credits: 20}, {Op: "getSlot", Responses: 1, Credits: 1}}, meter.Spent())
	})
}

func TestMeterCountsTransactionsByTheHundred(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]uint64{0: 10, 1: 10, 100: 10, 101: 20, 1000: 100} {
		s := fakeapi.New()
		s.Answer(200, fmt.Sprintf(`{"data":[%s]}`, strings.TrimSuffix(strings.Repeat(`{"slot":1,"transaction":{"signatures":["s"]}},`, n), ",")))
		s.Answer(200, `{"error":{"code":-32602,"message":"a failure is free"}}`)
		c, meter := metered(t, s)
		_, err := c.TransactionsForAddress(t.Context(), usdc, &rpc.TransactionsForAddressOptions{PageOptions: types.PageOptions{Limit: 1000}}).Page()
		require.NoError(t, err)
		require.Equal(t, want, meter.Credits())
		_, err = c.TransactionsForAddress(t.Context(), usdc, nil).Page()
		require.Error(t, err)
		require.Equal(t, want, meter.Credits())
	}
	c, meter := metered(t, fakeapi.New())
	_, err := c.TransfersByAddress(t.Context(), usdc, nil).Page()
	require.NoError(t, err)
	require.Equal(t, uint64(10), meter.Credits())
}
