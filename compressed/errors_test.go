package compressed_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/types"
)

func TestErrorsOfTheIndexerAreToldApart(t *testing.T) {
	t.Parallel()
	kinds := []error{types.ErrNotFound, compressed.ErrNotIndexed, compressed.ErrNodeBehind, compressed.ErrRefused}
	for _, row := range []struct {
		code    string
		message string
		kind    error // nil for none of them
		hint    string
	}{
		{"-32000", "Record Not Found: Leaf nodes not found for hashes. Got 0 hashes. Expected 1.", types.ErrNotFound, " (unknown, spent or not indexed yet; or queued, which only WireVersion2 proves)"},
		{"-32000", "Record Not Found: Account not found", types.ErrNotFound, " (unknown, spent or not indexed yet)"},
		{"-32000", "Record Not Found: No data has been indexed", compressed.ErrNotIndexed, ""},
		{"-32000", "Record Not Found: Base account not found for token account", nil, ""},
		{"-32000", "Validation Error: Tree metadata not found for tree", compressed.ErrNotIndexed, ""},
		{"-32000", "Validation Error: Not all requested account hashes exist or are available", types.ErrNotFound, " (unknown, spent or listed twice)"},
		{
			"-32000", "Validation Error: All state trees for account proofs must have the same height", compressed.ErrRefused,
			" (request accounts of version 1 and version 2 trees separately)",
		},
		{"-32000", "Validation Error: Invalid cursor length", compressed.ErrRefused, ""},
		{"-32000", "Invalid Public Key: field 'x'", compressed.ErrRefused, " (unknown tree)"},
		{"-32602", "unknown field", compressed.ErrRefused, ""},
		{"-32001", "Node is behind 3 slots", nil, ""},
	} {
		s := fakeapi.New()
		s.Answer(200, `{"jsonrpc":"2.0","error":{"code":`+row.code+`,"message":"`+row.message+`"},"id":null}`)
		_, err := client(t, s).Balance(t.Context(), anAccount)
		require.EqualError(t, err, "getCompressedBalance of "+string(anAccount)+": code "+row.code+": "+row.message+row.hint)
		var refusal *types.APIError
		require.ErrorAs(t, err, &refusal)
		for _, kind := range kinds {
			if row.kind == kind { //nolint:errorlint // the same variable
				require.ErrorIs(t, err, kind, row.message)
			} else {
				require.NotErrorIs(t, err, kind, row.message)
			}
		}
	}
}

// An old hash is the most common mistake: the service returns null for it.
func TestUnknownHashIsNamedWithItsMeaning(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, `{"context":{"slot":1},"value":null}`)
	_, err := client(t, s).Account(t.Context(), anAccount)
	require.ErrorIs(t, err, types.ErrNotFound)
	require.EqualError(t, err, "getCompressedAccountV2 of "+anAccount+": not found (unknown, spent or not indexed yet)")
}
