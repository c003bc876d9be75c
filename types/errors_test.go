package types_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
)

func TestAPIErrorText(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		err  types.APIError
		want string
	}{
		{
			types.APIError{
				Op: "GET /v1/wallet/{wallet}/balances", StatusCode: 400, Attempts: 1,
				Message: "Invalid wallet address", Details: "'x' is not a valid Solana address",
			},
			"GET /v1/wallet/{wallet}/balances: 400 Bad Request: Invalid wallet address: 'x' is not a valid Solana address",
		},
		{
			types.APIError{Op: "getTokenAccountsByOwner", StatusCode: 200, Code: -32602, Message: "Invalid param: WrongSize", Attempts: 1},
			"getTokenAccountsByOwner: code -32602: Invalid param: WrongSize",
		},
		{
			types.APIError{
				Op: "getTokenAccountsByOwner", StatusCode: 429, Code: -32005, Message: "Too many requests",
				RetryAfter: 3 * time.Second, Attempts: 4,
			},
			"getTokenAccountsByOwner: 429 Too Many Requests: code -32005: Too many requests (retry after 3s) (4 attempts)",
		},
		{
			types.APIError{Op: "getSlot", StatusCode: 503, Message: "Service Unavailable", Attempts: 4},
			"getSlot: 503 Service Unavailable (4 attempts)",
		},
		{
			types.APIError{Op: "getSlot", StatusCode: 429, RetryAfter: 1_234_567 * time.Microsecond, Attempts: 1},
			"getSlot: 429 Too Many Requests (retry after 1.235s)",
		},
		{
			types.APIError{Op: "PUT /v0/webhooks/{webhookID}", StatusCode: 502, Details: "text/html", Attempts: 2},
			"PUT /v0/webhooks/{webhookID}: 502 Bad Gateway: text/html (2 attempts)",
		},
		{
			types.APIError{Op: "getTokenAccountsByOwner", StatusCode: 200, Message: "no code", Attempts: 1},
			"getTokenAccountsByOwner: no code",
		},
		{
			types.APIError{Op: "GET /v0/webhooks", StatusCode: 204, Code: 503, Message: "overloaded", Attempts: 4},
			"GET /v0/webhooks: code 503: overloaded (4 attempts)",
		},
		{
			types.APIError{Op: "GET /v0/webhooks", StatusCode: 401, Message: "API key required", Attempts: 1},
			"GET /v0/webhooks: 401 Unauthorized: API key required (a key was sent; it is wrong or expired)",
		},
		{
			types.APIError{Op: "GET /v0/webhooks", StatusCode: 200, Code: 401, Message: "API key required", Attempts: 1},
			"GET /v0/webhooks: code 401: API key required (a key was sent; it is wrong or expired)",
		},
		{
			types.APIError{Op: "getTokenAccountsByOwner", StatusCode: 429, Code: -32005, Message: "max usage reached", Attempts: 1},
			"getTokenAccountsByOwner: 429 Too Many Requests: code -32005: max usage reached (the plan's credits are used up; waiting does not help)",
		},
		{
			types.APIError{
				Op: "getTokenAccountsByOwner", StatusCode: 200, Code: -32702, Message: "Response is too big",
				Details: "Exceeded max limit of 10485760", Attempts: 2,
			},
			"getTokenAccountsByOwner: code -32702: Response is too big: Exceeded max limit of 10485760 (send or request fewer items, or a slice of the data) (2 attempts)",
		},
		{
			types.APIError{Op: "getTransaction", StatusCode: 200, Code: -32015, Message: "Transaction version (2) is not supported", Attempts: 1},
			"getTransaction: code -32015: Transaction version (2) is not supported (set MaxVersion)",
		},
		{
			types.APIError{Op: "GET /v0/webhooks", StatusCode: 599, Attempts: 1},
			"GET /v0/webhooks: 599",
		},
		{
			types.APIError{Op: "GET /v0/webhooks", StatusCode: 404},
			"GET /v0/webhooks: 404 Not Found",
		},
		{
			types.APIError{Op: "getSlot", StatusCode: 200, Attempts: 1},
			"getSlot: an error without a code and a message",
		},
	} {
		require.EqualError(t, &row.err, row.want)
	}
}

func TestAPIErrorMatchesErrors(t *testing.T) {
	t.Parallel()
	sentinels := []error{
		types.ErrUnauthorized, types.ErrNotFound, types.ErrRateLimited, types.ErrQuotaExceeded,
		types.ErrInvalid, types.ErrIncomplete, types.ErrTooLarge, io.EOF,
	}
	for _, row := range []struct {
		name string
		err  types.APIError
		want []error
	}{
		{"400", types.APIError{StatusCode: 400, Code: 400}, nil},
		{"401", types.APIError{StatusCode: 401}, []error{types.ErrUnauthorized}},
		{"401 with a JSON-RPC code", types.APIError{StatusCode: 401, Code: -32001}, []error{types.ErrUnauthorized}},
		{"200 with REST code 401", types.APIError{StatusCode: 200, Code: 401}, []error{types.ErrUnauthorized}},
		{"200 with -32001 of a node, a block that was cleaned up", types.APIError{StatusCode: 200, Code: -32001}, nil},
		{"403", types.APIError{StatusCode: 403, Code: -32003}, nil},
		{"404", types.APIError{StatusCode: 404, Code: 404}, []error{types.ErrNotFound}},
		{"200 with -32020, an unknown transaction of a cursor", types.APIError{StatusCode: 200, Code: -32020}, []error{types.ErrNotFound}},
		{"200 with REST code 404", types.APIError{StatusCode: 200, Code: 404}, []error{types.ErrNotFound}},
		{"404 with another code", types.APIError{StatusCode: 404, Code: 401}, []error{types.ErrNotFound}},
		{"429", types.APIError{StatusCode: 429, Code: -32005}, []error{types.ErrRateLimited}},
		{"200 with REST code 429", types.APIError{StatusCode: 200, Code: 429}, []error{types.ErrRateLimited}},
		{"200 with JSON-RPC code -32429", types.APIError{StatusCode: 200, Code: -32429}, []error{types.ErrRateLimited}},
		{"200 with -32005, a node that is behind", types.APIError{StatusCode: 200, Code: -32005}, nil},
		{"500 with code -32429", types.APIError{StatusCode: 500, Code: -32429}, nil},
		{"429, credits used up", types.APIError{StatusCode: 429, Message: "max usage reached"}, []error{types.ErrRateLimited, types.ErrQuotaExceeded}},
		{"429, credits used up, in Details", types.APIError{StatusCode: 429, Message: "x", Details: "Error: Max Usage Reached."}, []error{types.ErrRateLimited, types.ErrQuotaExceeded}},
		{"200, credits used up", types.APIError{StatusCode: 200, Code: -32000, Message: "Max usage reached"}, []error{types.ErrRateLimited, types.ErrQuotaExceeded}},
		{"429, another message", types.APIError{StatusCode: 429, Message: "max requests reached"}, []error{types.ErrRateLimited}},
		{"200 with -32702, a response that is too big", types.APIError{StatusCode: 200, Code: -32702}, []error{types.ErrTooLarge}},
		{"200 with -32008, the same of a newer indexer", types.APIError{StatusCode: 200, Code: -32008, Message: "Response is too big"}, []error{types.ErrTooLarge}},
		{"200 with -32008, a node without a snapshot", types.APIError{StatusCode: 200, Code: -32008, Message: "No snapshot"}, nil},
		{"413, a request that is too large", types.APIError{StatusCode: 413, Code: -32701}, []error{types.ErrTooLarge}},
		{"200 with REST code 413", types.APIError{StatusCode: 200, Code: 413}, []error{types.ErrTooLarge}},
		{"no status", types.APIError{}, nil},
		{"no status, code 401", types.APIError{Code: 401}, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			wrapped := fmt.Errorf("listing: %w", errors.Join(io.ErrUnexpectedEOF, &row.err))
			for _, sentinel := range sentinels {
				want := slices.Contains(row.want, sentinel)
				require.Equal(t, want, errors.Is(&row.err, sentinel), sentinel)
				require.Equal(t, want, errors.Is(wrapped, sentinel), "wrapped: %v", sentinel)
			}

			var found *types.APIError
			require.ErrorAs(t, wrapped, &found)
			require.Same(t, &row.err, found)
		})
	}
}
