package compressed_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/types"
)

const signature = "5UZuijpSnqBpgMpqnggxZ58bzZ8aJtqqVjtvzx2Pg2C58jXph1rdrXyHdTxJfsHawNJyr8syU4U1MEYccDUQeTSV"

func TestCompressionInfoHasTwoSpellings(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"compressionInfo", "compression_info"} {
		s := fakeapi.New()
		s.Answer(200, `{"jsonrpc":"2.0","id":null,"result":{"transaction":{"slot":5,"transaction":["AAE=","base64"]},
			"`+name+`":{"closedAccounts":[],"openedAccounts":[{"account":{"hash":"h","lamports":0,"merkleContext":{"tree":"t"}},"optionalTokenData":null}]}}}`)
		got, err := client(t, s).Transaction(t.Context(), signature)
		require.NoError(t, err)
		require.Empty(t, got.Closed)
		require.Equal(t, types.Address("t"), got.Opened[0].Account.Tree)
		require.Nil(t, got.Opened[0].TokenData)
		require.Empty(t, got.Version)
		stored, err := json.Marshal(got)
		require.NoError(t, err)
		require.Contains(t, string(stored), `"slot":5,"blockTime":null,`)
		var back compressed.Transaction
		require.NoError(t, json.Unmarshal(stored, &back))
		require.Equal(t, got, &back, "missing members stay nil")
		b, err := got.Bytes()
		require.NoError(t, err)
		require.Equal(t, []byte{0, 1}, b)
	}
}

func TestClosedAccountsOfVersion2HaveTheirNullifier(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	c := client(t, s)
	captured(t, s, "getTransactionWithCompressionInfoV2")
	got, err := c.Transaction(t.Context(), signature)
	require.NoError(t, err)
	require.Equal(t, types.Hash("11111111111111111111111111111111"), got.Closed[0].Nullifier)
	captured(t, s, "getTransactionWithCompressionInfo")
	old, err := c.WithVersion(compressed.WireVersion1).Transaction(t.Context(), signature)
	require.NoError(t, err)
	require.Empty(t, old.Closed[0].Nullifier)
	require.Equal(t, got.Closed[0].TokenData, old.Closed[0].TokenData)
	require.Equal(t, got.Closed[0].Account.Tree, old.Closed[0].Account.Tree)
}

func TestChangedAccountsNeedTheirLamports(t *testing.T) {
	t.Parallel()
	for closed, good := range map[string]bool{
		`{"account":{"hash":"h","lamports":0}}`:             true,
		`{"account":{"account":{"hash":"h","lamports":0}}}`: true,
		`{"account":null,"optionalTokenData":null}`:         true,
		`{"account":{"hash":"h"}}`:                          false,
		`{"account":{"account":{"hash":"h"}}}`:              false,
		`{"account":{"account":null,"lamports":null}}`:      false,
	} {
		s := fakeapi.New()
		s.Answer(200, `{"jsonrpc":"2.0","id":null,"result":{"transaction":{"slot":5,"transaction":["AAE=","base64"]},
			"compressionInfo":{"closedAccounts":[`+closed+`],"openedAccounts":[]}}}`)
		_, err := client(t, s).Transaction(t.Context(), signature)
		if good {
			require.NoError(t, err, closed)
		} else {
			require.ErrorContains(t, err, "the response has no lamports", closed)
		}
	}
}

func TestMissingTransactions(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Record Not Found: Account not found"},"id":null}`)
	_, err := client(t, s).Transaction(t.Context(), signature)
	require.ErrorIs(t, err, compressed.ErrNotIndexed)
	require.NotErrorIs(t, err, types.ErrNotFound, "the transaction exists")

	s.Answer(200, `{"jsonrpc":"2.0","id":null,"result":{"transaction":null,"compressionInfo":{"closedAccounts":[],"openedAccounts":[]}}}`)
	_, err = client(t, s).Transaction(t.Context(), signature)
	require.ErrorIs(t, err, types.ErrNotFound)
}

// More attempts do not help an unknown signature, and cost much for a proof.
func TestInternalErrorsAreTriedTwice(t *testing.T) {
	t.Parallel()
	for method, call := range map[string]func(context.Context, *compressed.Client) error{
		"getTransactionWithCompressionInfoV2": func(ctx context.Context, c *compressed.Client) error {
			_, err := c.Transaction(ctx, signature)
			return err
		},
		"getValidityProofV2": func(ctx context.Context, c *compressed.Client) error {
			_, err := c.ValidityProof(ctx, hashes(1), nil)
			return err
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := fakeapi.New()
			for range 3 {
				s.Answer(200, `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Internal server error"},"id":null}`)
			}
			err := call(t.Context(), client(t, s))
			require.ErrorContains(t, err, method)
			require.ErrorContains(t, err, ": code -32000: Internal server error (2 attempts)")
			require.Len(t, s.Requests(), 2)
		})
	}
}

func TestBytesOfAnotherEncodingAreAnError(t *testing.T) {
	t.Parallel()
	for _, tx := range []compressed.Transaction{{}, {Encoding: "base58", Encoded: "1"}, {Encoding: "base64", Encoded: "?"}} {
		_, err := tx.Bytes()
		require.Error(t, err)
	}
	_, err := (&compressed.Transaction{Meta: []byte(`[]`)}).ParseMeta()
	require.ErrorContains(t, err, "transaction: meta: ")
}
