package compressed_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
)

func TestArgumentsThatCannotWorkAreRefusedBeforeAnythingIsSent(t *testing.T) {
	t.Parallel()
	owned := func(owner types.Address, opts compressed.AccountsByOwnerOptions) func(*compressed.Client) error {
		return func(c *compressed.Client) error {
			page, err := c.AccountsByOwner(t.Context(), owner, &opts)
			require.Nil(t, page)
			var walked error
			for page, err := range c.AccountsByOwnerPages(t.Context(), owner, &opts) {
				require.Nil(t, page)
				walked = err
			}
			require.Equal(t, err, walked)
			return err
		}
	}
	delegated := func(delegate types.Address, opts compressed.TokenAccountsByDelegateOptions) func(*compressed.Client) error {
		return func(c *compressed.Client) error {
			page, err := c.TokenAccountsByDelegate(t.Context(), delegate, &opts)
			require.Nil(t, page)
			var walked error
			for page, err := range c.TokenAccountsByDelegatePages(t.Context(), delegate, &opts) {
				require.Nil(t, page)
				walked = err
			}
			require.Equal(t, err, walked)
			return err
		}
	}
	type (
		accounts = compressed.AccountsByOwnerOptions
		tokens   = compressed.TokenAccountsByDelegateOptions
		part     = types.DataSlice
	)
	for _, row := range []struct {
		call func(*compressed.Client) error
		want string
	}{
		{owned("", accounts{}), "owner: address: 0 characters instead of 32 to 44: invalid"},
		{owned("SOL", accounts{}), "owner: address: 3 characters instead of 32 to 44: invalid"},
		{owned(fake.Owner, accounts{Limit: -1}), "Limit: -1 is negative: invalid"},
		{owned(fake.Owner, accounts{DataSlice: &part{Offset: 1 << 31}}), "DataSlice: offset and length must be below 2147483648; leave it nil for all data: invalid"},
		{owned(fake.Owner, accounts{DataSlice: &part{Length: 1 << 31}}), "DataSlice: offset and length must be below 2147483648; leave it nil for all data: invalid"},
		{owned(fake.Owner, accounts{Filters: []compressed.Filter{compressed.Memcmp(0, []byte{1}), {}}}), "Filters[1]: compares no bytes; make it with Memcmp and at least one byte: invalid"},
		{owned(fake.Owner, accounts{Filters: []compressed.Filter{compressed.Memcmp(0, nil)}}), "Filters[0]: compares no bytes; make it with Memcmp and at least one byte: invalid"},
		{owned(fake.Owner, accounts{Filters: []compressed.Filter{compressed.Memcmp(0, make([]byte, 10<<10+1))}}), "Filters[0]: compares 10241 bytes; an account has at most 10240: invalid"},
		{delegated("0OIl567890123456789012345678901234567890", tokens{}), "delegate: address: not base58: invalid"},
		{delegated(fake.Delegate, tokens{Limit: -1000}), "Limit: -1000 is negative: invalid"},
		{delegated(fake.Delegate, tokens{Mint: "USDC"}), "Mint: address: 4 characters instead of 32 to 44: invalid"},
	} {
		s := fake.New()
		err := row.call(client(t, s))
		require.EqualError(t, err, row.want)
		require.ErrorIs(t, err, types.ErrInvalid)
		require.Empty(t, s.Requests())
	}
}

func TestWhatTheServiceMayRaiseIsLeftToIt(t *testing.T) {
	t.Parallel()
	s := fake.New()
	filters := make([]compressed.Filter, 6)
	for i := range filters {
		filters[i] = compressed.Memcmp(uint64(i), []byte{1})
	}
	_, err := client(t, s).AccountsByOwner(t.Context(), fake.Owner, &compressed.AccountsByOwnerOptions{Filters: filters})
	require.ErrorContains(t, err, "Too many filters. The maximum number of filters allowed is 5")
	_, err = client(t, s).AccountsByOwner(t.Context(), fake.Owner, &compressed.AccountsByOwnerOptions{Limit: 1001})
	require.ErrorContains(t, err, "invalid value: integer `1001`, expected a value less than or equal to 1000")
	_, err = client(t, s).TokenAccountsByDelegate(t.Context(), fake.Delegate, &compressed.TokenAccountsByDelegateOptions{Cursor: fake.Owner})
	require.ErrorContains(t, err, "Validation Error: Invalid cursor length. Expected 64. Received 32.")
	require.Len(t, s.Requests(), 3)
}

func TestFilterIsNotSeenByLaterChanges(t *testing.T) {
	t.Parallel()
	s := fake.New()
	data := make([]byte, 10<<10)
	filters := []compressed.Filter{compressed.Memcmp(7, data[:1]), compressed.Memcmp(0, data)}
	data[0] = 1
	page, err := client(t, s).AccountsByOwner(t.Context(), fake.Owner, &compressed.AccountsByOwnerOptions{Filters: filters})
	require.NoError(t, err)
	require.Empty(t, page.Items)
	require.Contains(t, s.Requests()[0].Body, `"filters":[{"memcmp":{"offset":7,"bytes":"1"}},{"memcmp":{"offset":0,"bytes":"`+strings.Repeat("1", 10<<10)+`"}}]`)
}

func TestRefusalsAreOneKindOfError(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		status   int
		answer   string
		code     int
		message  string
		details  string
		is       error
		attempts int // of four
	}{
		// The indexer answers with 200 and tells its errors apart by their words.
		{status: 200, answer: `{"jsonrpc":"2.0","error":{"code":-32602,"message":"invalid value: integer ` + "`1001`" + `"},"id":"1"}`, code: -32602, message: "invalid value: integer `1001`", attempts: 1},
		{status: 200, answer: `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Validation Error: Invalid cursor length. Expected 64. Received 32."},"id":"1"}`, code: -32000, message: "Validation Error: Invalid cursor length. Expected 64. Received 32.", attempts: 1},
		{status: 200, answer: `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Record Not Found: Account not found"},"id":"1"}`, code: -32000, message: "Record Not Found: Account not found", attempts: 1},
		{status: 200, answer: `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Internal server error"},"id":"1"}`, code: -32000, message: "Internal server error", attempts: 4},
		{status: 200, answer: `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Node is behind 42 slots"},"id":"1"}`, code: -32000, message: "Node is behind 42 slots", attempts: 4},
		{status: 200, answer: `{"jsonrpc":"2.0","error":{"code":-32702,"message":"Response is too big","data":"Exceeded max limit of 10485760"},"id":"1"}`, code: -32702, message: "Response is too big", details: "Exceeded max limit of 10485760", attempts: 1},
		{status: 200, answer: `{"jsonrpc":"2.0","error":{"code":-32603,"message":"Internal error"},"id":null}`, code: -32603, message: "Internal error", attempts: 4},
		{status: 200, answer: `{"jsonrpc":"2.0","error":{"code":-32429,"message":"rate limited"}}`, code: -32429, message: "rate limited", is: types.ErrRateLimited, attempts: 4},
		{status: 200, answer: `{"jsonrpc":"2.0","error":{"code":-32429,"message":"max usage reached"}}`, code: -32429, message: "max usage reached", is: types.ErrQuotaExceeded, attempts: 1},
		// At the gateway, the status decides, and codes mean something else.
		{status: 400, answer: `{"jsonrpc":"2.0","error":{"code":-32602,"message":"bad request"},"id":"1"}`, code: -32602, message: "bad request", attempts: 1},
		{status: 401, answer: `{"jsonrpc":"2.0","error":{"code":-32001,"message":"Unauthorized"}}`, code: -32001, message: "Unauthorized", is: types.ErrUnauthorized, attempts: 1},
		{status: 429, answer: `{"jsonrpc":"2.0","error":{"code":-32005,"message":"Too many requests"},"id":"1"}`, code: -32005, message: "Too many requests", is: types.ErrRateLimited, attempts: 4},
		{status: 429, answer: `{"jsonrpc":"2.0","error":{"code":-32005,"message":"Max usage reached"},"id":"1"}`, code: -32005, message: "Max usage reached", is: types.ErrQuotaExceeded, attempts: 1},
		{status: 500, answer: `{"jsonrpc":"2.0","error":{"code":-32603,"message":"internal","data":{"reason":"database"}},"id":7}`, code: -32603, message: "internal", details: `{"reason":"database"}`, attempts: 4},
		{status: 503, answer: `{"jsonrpc":"2.0","error":{"code":-32002,"message":"unavailable"}}`, code: -32002, message: "unavailable", attempts: 4},
		{status: 504, answer: `{"jsonrpc":"2.0","error":{"code":-32003,"message":"timeout"}}`, code: -32003, message: "timeout", attempts: 4},
	} {
		t.Run(fmt.Sprint(row.status, row.message), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := fake.New()
				for range 4 {
					s.Answer(row.status, row.answer)
				}
				_, err := client(t, s).AccountsByOwner(t.Context(), fake.Owner, nil)
				var refusal *types.APIError
				require.ErrorAs(t, err, &refusal)
				require.Equal(t, types.APIError{
					Op:         "getCompressedAccountsByOwner",
					StatusCode: row.status,
					Code:       row.code,
					Message:    row.message,
					Details:    row.details,
					Attempts:   row.attempts,
				}, *refusal)
				require.Len(t, s.Requests(), row.attempts)
				if row.is != nil {
					require.ErrorIs(t, err, row.is)
				}
			})
		})
	}
}

func TestPassingErrorsAreTriedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := fake.New()
		s.Answer(200, `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Internal server error"},"id":"1"}`)
		s.Answer(200, `{"jsonrpc":"2.0","id":"1","result":{"context":{"slot":1},"value":{"items":[{"hash":"a"`)
		s.Answer(429, `{"jsonrpc":"2.0","error":{"code":-32005,"message":"Too many requests"}}`, "Retry-After", "3")
		started := time.Now()
		page, err := client(t, s).AccountsByOwner(t.Context(), fake.Owner, &compressed.AccountsByOwnerOptions{Limit: 3})
		require.NoError(t, err)
		require.Len(t, page.Items, 3)
		require.GreaterOrEqual(t, time.Since(started), 3*time.Second)
		bodies := s.Requests()
		require.Len(t, bodies, 4)
		for _, r := range bodies {
			require.Equal(t, bodies[0].Body, r.Body)
		}
	})
}

func TestDoneContextIsTheCallsError(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("shutting down")
	cancel(cause)
	s := fake.New()
	_, err := client(t, s).TokenAccountsByDelegate(ctx, fake.Delegate, nil)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, err, cause)
	require.Empty(t, s.Requests())
}

func TestNewRefusesAConfigThatCannotWork(t *testing.T) {
	t.Parallel()
	for _, cfg := range []types.Config{{}, {APIKey: "key", RPCURL: "mainnet"}, {APIKey: "key", RPCURL: "http://example.com"}} {
		c, err := compressed.New(cfg)
		require.Nil(t, c)
		require.ErrorIs(t, err, types.ErrInvalid)
	}
}
