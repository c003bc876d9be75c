package compressed_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/types"
)

// anAccount is the hash of an account.
const anAccount = "2zegR9LX5hwy52E9VdvzYiAUtvaoFLHAYB4ecEa8QJuy"

const unknownMethod = `{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":null}`

// methods returns the methods that a fake service was asked for.
func methods(s *fakeapi.Service) (names []string) {
	for _, r := range s.Requests() {
		_, after, _ := strings.Cut(r.Body, `"method":"`)
		name, _, _ := strings.Cut(after, `"`)
		names = append(names, name)
	}
	return names
}

func TestVersion1IsCalledAndRememberedWhereVersion2IsUnknown(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	c := client(t, s)
	s.Answer(200, unknownMethod)
	for range 3 {
		s.Answer(200, account1)
	}
	old, err := c.Account(t.Context(), anAccount)
	require.NoError(t, err)
	require.Nil(t, old.MerkleContext)
	_, err = c.Account(t.Context(), anAccount)
	require.NoError(t, err)
	_, err = c.AccountByAddress(t.Context(), usdc) // the same wire method
	require.NoError(t, err)
	require.Equal(t, []string{"getCompressedAccountV2", "getCompressedAccount", "getCompressedAccount", "getCompressedAccount"}, methods(s))

	_, err = c.Accounts(t.Context(), nil)
	require.NoError(t, err)
	s.Answer(200, unknownMethod)
	s.Answer(200, unknownMethod)
	_, err = c.Accounts(t.Context(), []types.Hash{anAccount})
	require.EqualError(t, err, "getMultipleCompressedAccounts of 2zegR9LX5hwy52E9VdvzYiAUtvaoFLHAYB4ecEa8QJuy: code -32601: Method not found")
}

// Version 1 does not list accounts in trees of version 2, so the rest of a walk would
// lack some.
func TestVersionDoesNotChangeDuringAWalk(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	var last error
	for _, err := range client(t, s).AccountsByOwner(t.Context(), fakeapi.Owner, &compressed.AccountsByOwnerOptions{PageOptions: types.PageOptions{Limit: 20}}).Pages() {
		last = err
		s.Answer(200, unknownMethod)
	}
	require.EqualError(t, last, "getCompressedAccountsByOwnerV2 of BtJ5rdXcZs8hVqK2nTyWfMgPe7UDAoLx3Ri9GQk6uHSv: code -32601: Method not found")
	require.Equal(t, []string{"getCompressedAccountsByOwnerV2", "getCompressedAccountsByOwnerV2"}, methods(s))
}

// Answers of both versions for anAccount.
const (
	account1 = `{"context":{"slot":1},"value":{"hash":"` + anAccount + `","lamports":0,"tree":"5uJ5kxJgg8K35b9Hsbtu2YUaQcPBKddyyqUX6RasEhyR"}}`
	account2 = `{"context":{"slot":1},"value":{"hash":"` + anAccount + `","lamports":0,"merkleContext":{"treeType":3,"tree":"CMhzGqsREAJ1uGPf98FUnK884E212zqU9ixobRjvqJsB"}}}`
)

func TestPinnedVersionDoesNotFallBack(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	c := client(t, s)
	s.Answer(200, unknownMethod)
	s.Answer(200, account1)
	s.Answer(200, account2)
	_, err := c.WithVersion(compressed.WireVersion2).Account(t.Context(), anAccount)
	require.EqualError(t, err, "getCompressedAccountV2 of 2zegR9LX5hwy52E9VdvzYiAUtvaoFLHAYB4ecEa8QJuy: code -32601: Method not found")
	_, err = c.WithVersion(compressed.WireVersion1).Account(t.Context(), anAccount)
	require.NoError(t, err)
	_, err = c.Account(t.Context(), anAccount)
	require.NoError(t, err)
	require.Equal(t, []string{"getCompressedAccountV2", "getCompressedAccount", "getCompressedAccountV2"}, methods(s))
}

func TestTreeIsSetInBothVersions(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	c := client(t, s)
	s.Answer(200, account2)
	v2, err := c.Account(t.Context(), anAccount)
	require.NoError(t, err)
	require.Equal(t, types.Address("CMhzGqsREAJ1uGPf98FUnK884E212zqU9ixobRjvqJsB"), v2.Tree)
	require.Equal(t, compressed.TreeTypeStateV2, v2.MerkleContext.TreeType)
	s.Answer(200, account1)
	v1, err := c.WithVersion(compressed.WireVersion1).Account(t.Context(), anAccount)
	require.NoError(t, err)
	require.Equal(t, types.Address("5uJ5kxJgg8K35b9Hsbtu2YUaQcPBKddyyqUX6RasEhyR"), v1.Tree)
	_, found, _ := strings.Cut(account2, `"value":`)
	s.Answer(200, `{"context":{"slot":1},"value":{"items":[`+strings.TrimSuffix(found, "}")+`]}}`)
	all, err := c.Accounts(t.Context(), []types.Hash{anAccount})
	require.NoError(t, err)
	require.Equal(t, v2, all[0])
}
