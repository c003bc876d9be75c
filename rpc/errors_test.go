package rpc_test

import (
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

func TestArgumentsThatCannotWorkAreRefusedBeforeAnythingIsSent(t *testing.T) {
	t.Parallel()
	const (
		noOneOf = "filter: needs exactly one of mint and program; make it with ByMint or ByProgram: invalid"
		noSlice = "DataSlice: not with jsonParsed, which is the default too; set Encoding to Base64: invalid"
	)
	part := &types.DataSlice{Length: 8}
	for _, row := range []struct {
		delegate types.Address
		filter   rpc.TokenFilter
		opts     rpc.TokenAccountsOptions
		want     string
	}{
		{"", rpc.ByMint(usdc), rpc.TokenAccountsOptions{}, "delegate: address: 0 characters instead of 32 to 44: invalid"},
		{"me.sol", rpc.ByMint(usdc), rpc.TokenAccountsOptions{}, "delegate: address: 6 characters instead of 32 to 44: invalid"},
		{fake.Delegate, rpc.TokenFilter{}, rpc.TokenAccountsOptions{}, noOneOf},
		{fake.Delegate, rpc.TokenFilter{Mint: usdc, ProgramID: types.TokenProgram}, rpc.TokenAccountsOptions{}, noOneOf},
		{fake.Delegate, rpc.ByMint(""), rpc.TokenAccountsOptions{}, noOneOf},
		{fake.Delegate, rpc.ByProgram(""), rpc.TokenAccountsOptions{}, noOneOf},
		{fake.Delegate, rpc.ByMint("USDC"), rpc.TokenAccountsOptions{}, "filter: address: 4 characters instead of 32 to 44: invalid"},
		{fake.Delegate, rpc.ByProgram("0OIl5678901234567890123456789012"), rpc.TokenAccountsOptions{}, "filter: address: not base58: invalid"},
		{fake.Delegate, rpc.ByMint(usdc), rpc.TokenAccountsOptions{Commitment: "finalised"}, "Commitment: is none of processed, confirmed and finalized: invalid"},
		{fake.Delegate, rpc.ByMint(usdc), rpc.TokenAccountsOptions{DataSlice: part}, noSlice},
		{fake.Delegate, rpc.ByMint(usdc), rpc.TokenAccountsOptions{DataSlice: &types.DataSlice{}, Encoding: rpc.JSONParsed}, noSlice},
	} {
		s := fake.New()
		c := client(t, s)
		list, err := c.TokenAccountsByDelegate(t.Context(), row.delegate, row.filter, &row.opts)
		require.EqualError(t, err, row.want)
		require.ErrorIs(t, err, types.ErrInvalid)
		require.Nil(t, list)
		if row.filter == rpc.ByMint(usdc) { // what the iterator takes too
			var walked error
			for item, err := range c.AllTokenAccountsByDelegate(t.Context(), row.delegate, &row.opts) {
				require.NoError(t, walked)
				require.Zero(t, item)
				walked = err
			}
			require.EqualError(t, walked, row.want)
		}
		require.Empty(t, s.Requests())
	}
}

func TestEveryCommitmentAndEncodingIsSent(t *testing.T) {
	t.Parallel()
	s := fake.New()
	for _, commitment := range []rpc.Commitment{rpc.Processed, rpc.Confirmed, rpc.Finalized} {
		_, err := client(t, s).TokenAccountsByDelegate(t.Context(), fake.Delegate, rpc.ByMint(usdc), &rpc.TokenAccountsOptions{Commitment: commitment})
		require.NoError(t, err)
	}
	for _, encoding := range []rpc.Encoding{rpc.Base58, rpc.Base64, rpc.Base64Zstd} {
		_, err := client(t, s).TokenAccountsByDelegate(t.Context(), fake.Delegate, rpc.ByMint(usdc), &rpc.TokenAccountsOptions{
			Encoding: encoding, DataSlice: &types.DataSlice{Offset: 64, Length: 8},
		})
		require.NoError(t, err)
	}
	requests := s.Requests()
	for i, want := range []string{
		`{"commitment":"processed","encoding":"jsonParsed"}]}`,
		`{"commitment":"confirmed","encoding":"jsonParsed"}]}`,
		`{"commitment":"finalized","encoding":"jsonParsed"}]}`,
		`{"dataSlice":{"offset":64,"length":8},"encoding":"base58"}]}`,
		`{"dataSlice":{"offset":64,"length":8},"encoding":"base64"}]}`,
		`{"dataSlice":{"offset":64,"length":8},"encoding":"base64+zstd"}]}`,
	} {
		require.Contains(t, requests[i].Body, want)
	}
}

func TestWhatANodeRefusesIsAnAPIError(t *testing.T) {
	t.Parallel()
	s := fake.New()
	c := client(t, s)
	for _, row := range []struct {
		filter rpc.TokenFilter
		opts   *rpc.TokenAccountsOptions
		code   int
		want   string
	}{
		{rpc.ByMint(fake.Delegate), nil, -32602, "Invalid param: not a Token mint"},
		{rpc.ByProgram(types.CompressedTokenProgram), nil, -32602, "Invalid param: unrecognized Token program id"},
		{rpc.ByMint(usdc), &rpc.TokenAccountsOptions{Encoding: rpc.Base58}, -32600, "Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding."},
	} {
		_, err := c.TokenAccountsByDelegate(t.Context(), fake.Delegate, row.filter, row.opts)
		var refusal *types.APIError
		require.ErrorAs(t, err, &refusal)
		require.Equal(t, row.code, refusal.Code)
		require.Equal(t, row.want, refusal.Message)
		require.Equal(t, 1, refusal.Attempts)
	}
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
		// With status 200 it is the node that speaks, and the code decides.
		{status: 200, answer: `{"jsonrpc":"2.0","error":{"code":-32016,"message":"Minimum context slot has not been reached","data":{"contextSlot":7}},"id":"1"}`, code: -32016, message: "Minimum context slot has not been reached", details: `{"contextSlot":7}`, attempts: 4},
		{status: 200, answer: `{"jsonrpc":"2.0","error":{"code":-32005,"message":"Node is behind by 42 slots","data":{"numSlotsBehind":42}},"id":"1"}`, code: -32005, message: "Node is behind by 42 slots", details: `{"numSlotsBehind":42}`, attempts: 4},
		{status: 200, answer: `{"jsonrpc":"2.0","error":{"code":-32004,"message":"Block not available"},"id":1}`, code: -32004, message: "Block not available", attempts: 4},
		{status: 200, answer: `{"jsonrpc":"2.0","error":{"code":-32014,"message":"Block status not yet available"}}`, code: -32014, message: "Block status not yet available", attempts: 4},
		{status: 200, answer: `{"jsonrpc":"2.0","error":{"code":-32019,"message":"Long-term storage unreachable"},"id":null}`, code: -32019, message: "Long-term storage unreachable", attempts: 4},
		{status: 200, answer: `{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid param: could not find mint"},"id":"1"}`, code: -32602, message: "Invalid param: could not find mint", attempts: 1},
		{status: 200, answer: `{"jsonrpc":"2.0","error":{"code":-32010,"message":"key excluded from account secondary indexes"},"id":"1"}`, code: -32010, message: "key excluded from account secondary indexes", attempts: 1},
		{status: 200, answer: `{"jsonrpc":"2.0","error":{"code":-32012,"message":"scan aborted"},"id":"1"}`, code: -32012, message: "scan aborted", attempts: 1},
		{status: 200, answer: `{"jsonrpc":"2.0","error":{"code":-32002,"message":"simulation failed","data":"text"},"id":"1"}`, code: -32002, message: "simulation failed", details: "text", attempts: 1},
		{status: 200, answer: `{"jsonrpc":"2.0","result":null,"error":{"code":-32003,"message":"bad signature"},"id":"1"}`, code: -32003, message: "bad signature", attempts: 1},
		// With another status it is the gateway, and the status decides.
		{status: 429, answer: `{"jsonrpc":"2.0","error":{"code":-32005,"message":"Too many requests"}}`, code: -32005, message: "Too many requests", is: types.ErrRateLimited, attempts: 4},
		{status: 503, answer: `{"jsonrpc":"2.0","error":{"code":-32002,"message":"unavailable"},"id":"1"}`, code: -32002, message: "unavailable", attempts: 4},
		{status: 504, answer: `{"jsonrpc":"2.0","error":{"code":-32003,"message":"timeout"},"id":"1"}`, code: -32003, message: "timeout", attempts: 4},
		{status: 403, answer: `{"jsonrpc":"2.0","error":{"code":-32003,"message":"forbidden"},"id":"1"}`, code: -32003, message: "forbidden", attempts: 1},
		{status: 401, answer: `{"jsonrpc":"2.0","error":{"code":-32001,"message":"Unauthorized"}}`, code: -32001, message: "Unauthorized", is: types.ErrUnauthorized, attempts: 1},
	} {
		t.Run(fmt.Sprint(row.status, row.code), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := fake.New()
				for range 4 {
					s.Answer(row.status, row.answer)
				}
				_, err := client(t, s).TokenAccountsByDelegate(t.Context(), fake.Delegate, rpc.ByMint(usdc), nil)
				var refusal *types.APIError
				require.ErrorAs(t, err, &refusal)
				require.Equal(t, types.APIError{
					Op:         "getTokenAccountsByDelegate",
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

func TestNodeThatIsBehindIsAskedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := fake.New()
		s.Answer(200, `{"jsonrpc":"2.0","error":{"code":-32016,"message":"Minimum context slot has not been reached","data":{"contextSlot":7}},"id":"1"}`)
		s.Answer(200, `{"jsonrpc":"2.0","error":{"code":-32005,"message":"Node is behind by 42 slots","data":{"numSlotsBehind":42}},"id":"1"}`)
		list, err := client(t, s).TokenAccountsByDelegate(t.Context(), fake.Delegate, rpc.ByMint(usdc), nil)
		require.NoError(t, err)
		require.NotEmpty(t, list.Items)
		require.Len(t, s.Requests(), 3)
	})
}

func TestNewRefusesAConfigThatCannotWork(t *testing.T) {
	t.Parallel()
	for _, cfg := range []types.Config{{}, {APIKey: "key", RPCURL: "mainnet"}, {APIKey: "key", RPCURL: "http://example.com"}} {
		c, err := rpc.New(cfg)
		require.Nil(t, c)
		require.ErrorIs(t, err, types.ErrInvalid)
	}
}
