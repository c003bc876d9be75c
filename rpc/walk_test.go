package rpc_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

func TestAllTokenAccountsAreThoseOfBothPrograms(t *testing.T) {
	t.Parallel()
	s := fake.New()
	c := client(t, s)
	var want []rpc.TokenAccount
	for _, program := range []types.Address{types.TokenProgram, types.Token2022Program} {
		list, err := c.TokenAccountsByDelegate(t.Context(), fake.Delegate, rpc.ByProgram(program), nil)
		require.NoError(t, err)
		require.NotEmpty(t, list.Items)
		for _, item := range list.Items {
			require.Equal(t, program, item.Account.Owner)
			require.Equal(t, types.Address(fake.Delegate), item.Account.Data.Parsed.Delegate)
		}
		want = append(want, list.Items...)
	}
	all := c.AllTokenAccountsByDelegate(t.Context(), fake.Delegate, nil)
	require.Len(t, s.Requests(), 2, "nothing is sent before range")
	for range 2 { // every range starts over
		var got []rpc.TokenAccount
		for item, err := range all {
			require.NoError(t, err)
			got = append(got, item)
		}
		require.Equal(t, want, got)
	}
	require.Len(t, s.Requests(), 6)
}

func TestOptionsHoldForBothProgramsAndLaterChangesDoNot(t *testing.T) {
	t.Parallel()
	s := fake.New()
	part := &types.DataSlice{Offset: 64, Length: 8}
	opts := &rpc.TokenAccountsOptions{Commitment: rpc.Processed, MinContextSlot: 9, DataSlice: part, Encoding: rpc.Base64}
	all := client(t, s).AllTokenAccountsByDelegate(t.Context(), fake.Delegate, opts)
	*part = types.DataSlice{}
	*opts = rpc.TokenAccountsOptions{Commitment: "later"}
	for item, err := range all {
		require.NoError(t, err)
		b, err := item.Account.Data.Bytes()
		require.NoError(t, err)
		require.Len(t, b, 8)
	}
	const config = `{"commitment":"processed","minContextSlot":9,"dataSlice":{"offset":64,"length":8},"encoding":"base64"}]}`
	bodies := strings.Split(strings.TrimSpace(sent(s)), "\n")
	require.Len(t, bodies, 2)
	require.Contains(t, bodies[0], `{"programId":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"},`+config)
	require.Contains(t, bodies[1], `{"programId":"TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"},`+config)
}

func TestErrorOfTheSecondProgramComesAfterTheAccountsOfTheFirst(t *testing.T) {
	t.Parallel()
	s := fake.New()
	s.Answer(200, `{"context":{"slot":1},"value":[{"pubkey":"a"},{"pubkey":"b"}]}`)
	s.Answer(401, `{"jsonrpc":"2.0","error":{"code":-32001,"message":"Unauthorized"}}`)
	var got []types.Address
	var last error
	for item, err := range client(t, s).AllTokenAccountsByDelegate(t.Context(), fake.Delegate, nil) {
		require.NoError(t, last, "nothing follows an error")
		last = err
		got = append(got, item.Address)
	}
	require.Equal(t, []types.Address{"a", "b", ""}, got)
	require.ErrorIs(t, last, types.ErrUnauthorized)
}

func TestErrorOfTheFirstProgramEndsTheWalk(t *testing.T) {
	t.Parallel()
	s := fake.New()
	s.Answer(401, `{"jsonrpc":"2.0","error":{"code":-32001,"message":"Unauthorized"}}`)
	var last error
	for item, err := range client(t, s).AllTokenAccountsByDelegate(t.Context(), fake.Delegate, nil) {
		require.NoError(t, last)
		require.Zero(t, item)
		last = err
	}
	require.ErrorIs(t, last, types.ErrUnauthorized)
	require.Len(t, s.Requests(), 1)
}

func TestBreakSendsNothingMore(t *testing.T) {
	t.Parallel()
	s := fake.New()
	for _, err := range client(t, s).AllTokenAccountsByDelegate(t.Context(), fake.Delegate, nil) {
		require.NoError(t, err)
		break
	}
	require.Len(t, s.Requests(), 1)
}

func TestDoneContextIsAnErrorNotAnEnd(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last error
	for _, err := range client(t, fake.New()).AllTokenAccountsByDelegate(ctx, fake.Delegate, nil) {
		last = err
		cancel()
	}
	require.ErrorIs(t, last, context.Canceled)
}
