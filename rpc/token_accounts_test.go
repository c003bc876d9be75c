package rpc_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/internal/golden"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

const usdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"

// clientOf returns a Client of s.
func clientOf(t *testing.T, s *fakeapi.Service) *rpc.Client {
	t.Helper()
	c, err := rpc.New(s.Config())
	require.NoError(t, err)
	return c
}

// captured makes the next answer of s a golden one.
func captured(t *testing.T, s *fakeapi.Service, name string) *fakeapi.Service {
	t.Helper()
	body, found := golden.Answer("rpc/" + name)
	require.True(t, found, name)
	s.Answer(200, strings.Replace(string(body), `"id":"1"`, `"id":null`, 1))
	return s
}

func TestNewRefusesInvalidConfig(t *testing.T) {
	t.Parallel()
	for _, cfg := range []types.Config{{}, {APIKey: types.Key("key"), RPCURL: "mainnet"}, {APIKey: types.Key("key"), RPCURL: "http://example.com"}} {
		c, err := rpc.New(cfg)
		require.Nil(t, c)
		require.ErrorIs(t, err, types.ErrInvalid)
	}
}

// An account of another shape is not lost silently.
func TestMissingAccountsAreErrors(t *testing.T) {
	t.Parallel()
	for _, items := range []string{`null`, `{}`, `{"unknown":1}`, `{"pubkey":"","account":null}`} {
		s := fakeapi.New()
		s.Answer(200, `{"context":{"slot":1},"value":[{"pubkey":"a"},`+items+`]}`)
		page, err := clientOf(t, s).TokenAccountsByDelegate(t.Context(), fakeapi.Delegate, rpc.ByMint(usdc), nil).Page()
		require.EqualError(t, err, "getTokenAccountsByDelegate of 4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T: item cannot be read: item 1 of the response is null", items)
		require.Len(t, page.Items, 1, "the other one")
	}
}

func TestWalkOfBothTokenPrograms(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	c := clientOf(t, s)
	var want []rpc.TokenAccount
	for _, program := range []types.Address{types.TokenProgram, types.Token2022Program} {
		list, err := c.TokenAccountsByDelegate(t.Context(), fakeapi.Delegate, rpc.ByProgram(program), nil).Page()
		require.NoError(t, err)
		require.NotEmpty(t, list.Items)
		for _, item := range list.Items {
			require.Equal(t, program, item.Account.Owner)
		}
		want = append(want, list.Items...)
	}
	all := c.TokenAccountsByDelegate(t.Context(), fakeapi.Delegate, rpc.AnyProgram(), nil)
	require.Len(t, s.Requests(), 2, "nothing is sent before the range")
	for range 2 { // each range starts over
		got, err := all.Collect(1000)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	require.Len(t, s.Requests(), 6)
}

func TestWalkKeepsItsOptions(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	part := &types.DataSlice{Offset: 64, Length: 8}
	opts := &rpc.TokenAccountsByDelegateOptions{Commitment: types.CommitmentProcessed, MinContextSlot: 9, DataSlice: part, Encoding: types.EncodingBase64}
	all := clientOf(t, s).TokenAccountsByDelegate(t.Context(), fakeapi.Delegate, rpc.AnyProgram(), opts)
	*part = types.DataSlice{}
	*opts = rpc.TokenAccountsByDelegateOptions{Commitment: "later"}
	_, err := all.Collect(1000)
	require.NoError(t, err)
	const config = `{"commitment":"processed","minContextSlot":9,"dataSlice":{"offset":64,"length":8},"encoding":"base64"}]}`
	requests := s.Requests()
	require.Len(t, requests, 2)
	require.Contains(t, requests[0].Body, `{"programId":"`+string(types.TokenProgram)+`"},`+config)
	require.Contains(t, requests[1].Body, `{"programId":"`+string(types.Token2022Program)+`"},`+config)
}
