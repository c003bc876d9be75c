package parsedapi_test

import (
	"net/http"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc/parsedapi"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/parsed"
)

func TestTransactionsAreInTheOrderOfTheirSignatures(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(1000, 1)
		s.faults, s.most = 1, 30
		// one does not exist, one is repeated
		want := append(s.signatures(), signature(5000), signature(3), signature(3))
		slices.Reverse(want)
		got, err := s.client(t).Transactions(t.Context(), want, nil)
		require.NoError(t, err)
		require.Len(t, got, len(want))
		for i, r := range got {
			if want[i] == signature(5000) {
				require.Nil(t, r)
				continue
			}
			require.Equal(t, want[i], r.Signature)
			require.Equal(t, want[i] == signature(999), r.Parsed == nil, "only the last one is not parsed")
			require.Equal(t, r.Parsed == nil, r.ParserError != nil)
		}
		require.Len(t, s.requests[0].Transactions, 100)
	})
}

func TestResultsOfOtherTransactionsAreRefused(t *testing.T) {
	t.Parallel()
	for trouble, text := range map[string]string{
		"swapped": "the response is of another transaction",
		"short":   "results",
		"null":    "item 1 of the response is null",
		"empty":   "the response has no parsed or parserError",
	} {
		s := newService(5, 1)
		s.trouble = trouble
		got, err := s.client(t).Transactions(t.Context(), s.signatures(), nil)
		require.ErrorContains(t, err, text)
		for i, r := range got {
			require.True(t, r == nil || r.Signature == s.signatures()[i], "never the result of another transaction")
		}
		var failed *types.BatchError
		require.ErrorAs(t, err, &failed)
		require.Len(t, failed.Errs, 5)
	}
}

// An unknown status of the parser does not lose the results beside it.
func TestUnknownParserStatusIsNotParsed(t *testing.T) {
	t.Parallel()
	s := newService(3, 1)
	s.trouble = "unknown status"
	got, err := s.client(t).Transactions(t.Context(), s.signatures(), nil)
	require.NoError(t, err)
	require.Equal(t, parsed.Status("SKIPPED"), got[1].ParserStatus)
	require.Nil(t, got[1].Parsed)
	require.Equal(t, &parsed.ParserError{}, got[1].ParserError)
	require.NotNil(t, got[2].Parsed)
}

func TestDevnetIsRefused(t *testing.T) {
	t.Parallel()
	for _, cfg := range []types.Config{
		{APIKey: types.Key("key"), Network: types.NetworkDevnet},
		{APIKey: types.Key("key"), Network: types.NetworkDevnet, RPCURL: "https://rpc.example"},
		{APIKey: types.Key("key"), RPCURL: types.DevnetRPCURL},
	} {
		_, err := parsedapi.New(cfg)
		require.ErrorIs(t, err, types.ErrInvalid)
	}
}

func TestRequestsCostTenCredits(t *testing.T) {
	t.Parallel()
	s := newService(150, 1)
	var meter types.Meter
	c, err := parsedapi.New(types.Config{APIKey: types.Key("key"), HTTPClient: &http.Client{Transport: s}, Meter: &meter, RPCURL: "https://rpc.example/base/"})
	require.NoError(t, err)
	_, err = c.Transactions(t.Context(), s.signatures(), nil)
	require.NoError(t, err)
	_, err = c.History(t.Context(), wallet, nil).Page()
	require.NoError(t, err)
	require.EqualValues(t, 30, meter.Credits())
	require.Equal(t, "/base/v1/parsed-events/transactions", s.requests[0].path)
}
