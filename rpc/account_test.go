package rpc_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

// some returns n valid addresses.
func some(t *testing.T, n int) []types.Address {
	t.Helper()
	list := make([]types.Address, n)
	for i := range list {
		list[i] = types.AddressOf([32]byte{31: byte(i), 30: byte(i >> 8)})
	}
	return list
}

// accountsJSON is the response for n accounts, of which every third does not exist.
func accountsJSON(slot, first, n int) string {
	items := make([]string, n)
	for i := range items {
		items[i] = fmt.Sprintf(`{"lamports":%d,"owner":"o","data":["","base64"]}`, first+i)
		if (first+i)%3 == 0 {
			items[i] = "null"
		}
	}
	return fmt.Sprintf(`{"context":{"slot":%d},"value":[%s]}`, slot, strings.Join(items, ","))
}

func TestAccountsAreReadInPartsOfHundred(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	for i, n := range []int{100, 100, 50} {
		s.Answer(200, accountsJSON(i+1, 100*i, n))
	}
	got, err := clientOf(t, s).Accounts(t.Context(), some(t, 250), nil)
	require.NoError(t, err)
	require.Len(t, got, 250)
	for i, a := range got {
		if i%3 == 0 {
			require.Nil(t, a)
			continue
		}
		require.Equal(t, uint64(i), a.Lamports)
		require.Equal(t, uint64(i/100+1), a.Slot)
	}
	requests := s.Requests()
	require.Len(t, requests, 3)
	require.Contains(t, requests[1].Body, string(some(t, 101)[100]))

	got, err = clientOf(t, s).Accounts(t.Context(), nil, nil)
	require.NoError(t, err)
	require.Empty(t, got)
	require.Len(t, s.Requests(), 3)
}

func TestTooLargePartsAreHalved(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	const tooLarge = `{"error":{"code":-32702,"message":"Response is too big"}}`
	s.Answer(413, "") // the request
	s.Answer(200, tooLarge)
	for first := 0; first < 80; first += 20 {
		s.Answer(200, accountsJSON(1, first, 20))
	}
	got, err := clientOf(t, s).Accounts(t.Context(), some(t, 80), nil)
	require.NoError(t, err)
	require.Equal(t, uint64(79), got[79].Lamports)
	require.Len(t, s.Requests(), 6)
	s.Answer(200, tooLarge)
	_, err = clientOf(t, s).Accounts(t.Context(), some(t, 1), nil)
	require.ErrorIs(t, err, types.ErrTooLarge)
}

// Nodes since version 4.3 refuse more than 32 addresses.
func TestRewardsOfManyAddressesAreAskedForInParts(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	reward := func(n int) string { return strings.TrimSuffix(strings.Repeat(`{"amount":7},`, n), ",") }
	s.Answer(200, `{"result":[`+reward(32)+`]}`)
	s.Answer(200, `{"error":{"code":-32602,"message":"no"}}`)
	s.Answer(200, `{"result":[`+reward(5)+`,null]}`)
	long := slices.Repeat([]types.Address{"4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"}, 70)
	rewards, err := clientOf(t, s).InflationRewards(t.Context(), long, nil)
	var batch *types.BatchError
	require.ErrorAs(t, err, &batch)
	require.Len(t, batch.Errs, 70)
	require.Len(t, s.Requests(), 3)
	for i, r := range rewards {
		require.Equal(t, 32 <= i && i < 64, batch.Errs[i] != nil, i)
		require.Equal(t, batch.Errs[i] == nil && i != 69, r != nil, i)
	}
}

// A retry would have to wait for the end of the epoch.
func TestRewardsOfAnIncompleteEpochAreNotRetried(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, `{"error":{"code":-32004,"message":"Block not available for slot 432000000"}}`)
	_, err := clientOf(t, s).InflationRewards(t.Context(), some(t, 1), &rpc.InflationRewardsOptions{Epoch: 999})
	require.ErrorContains(t, err, "Block not available for slot 432000000")
	require.Len(t, s.Requests(), 1)
}

func TestFeeOfSlotZeroIsNotMissing(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, `{"result":[{"slot":0,"prioritizationFee":0}]}`)
	s.Answer(200, `{"result":[{"slot":1,"prioritizationFee":0},null]}`)
	c := clientOf(t, s)
	fees, err := c.RecentPrioritizationFees(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, []rpc.PrioritizationFee{{}}, fees)
	_, err = c.RecentPrioritizationFees(t.Context(), nil)
	require.ErrorContains(t, err, "item 1 of the response is null")
}

func TestMissingEntriesOfAccountsAreErrors(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, accountsJSON(1, 1, 1))
	_, err := clientOf(t, s).Accounts(t.Context(), some(t, 2), nil)
	require.EqualError(t, err, "getMultipleAccounts of 11111111111111111111111111111111 and 1 more: the response has 1 results for 2 inputs")
}

func TestBalancesAreReadWithoutData(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, accountsJSON(1, 1, 3))
	list := some(t, 3)
	got, err := clientOf(t, s).Balances(t.Context(), list, &rpc.ReadOptions{Commitment: types.CommitmentConfirmed, MinContextSlot: 9})
	require.NoError(t, err)
	require.Equal(t, []uint64{1, 2, 0}, got)
	require.JSONEq(t, `{"jsonrpc":"2.0","id":"1","method":"getMultipleAccounts","params":[["`+
		string(list[0])+`","`+string(list[1])+`","`+string(list[2])+
		`"],{"commitment":"confirmed","minContextSlot":9,"dataSlice":{"offset":0,"length":0},"encoding":"base64"}]}`, s.Requests()[0].Body)

	_, err = clientOf(t, s).Balances(t.Context(), []types.Address{"x"}, nil)
	require.EqualError(t, err, `rpc.Client.Balances: addresses[0] "x": address has length 1, not 32 to 44: invalid argument`)
}

func TestUnknownAccountsAndMintsAreNotFound(t *testing.T) {
	t.Parallel()
	for _, message := range []string{"Invalid param: could not find account", "Invalid param: could not find mint"} {
		s := fakeapi.New()
		s.Answer(200, `{"jsonrpc":"2.0","id":"1","error":{"code":-32602,"message":"`+message+`"}}`)
		_, err := clientOf(t, s).TokenSupply(t.Context(), usdc, nil)
		require.ErrorIs(t, err, types.ErrNotFound)
	}
	s := fakeapi.New()
	s.Answer(200, `{"jsonrpc":"2.0","id":"1","error":{"code":-32602,"message":"Invalid param: not a Token mint"}}`)
	_, err := clientOf(t, s).TokenSupply(t.Context(), usdc, nil)
	require.Error(t, err)
	require.NotErrorIs(t, err, types.ErrNotFound)
}

func TestTokenAccountsOfBothPrograms(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, `{"context":{"slot":1},"value":[{"pubkey":"a"}]}`)
	s.Answer(200, `{"context":{"slot":2},"value":[{"pubkey":"b"}]}`)
	opts := &rpc.TokenAccountsByOwnerOptions{}
	opts.ChangedSinceSlot = 9
	all := clientOf(t, s).TokenAccountsByOwner(t.Context(), usdc, rpc.AnyProgram(), opts)
	opts.ChangedSinceSlot = 1
	got, err := all.Collect(10)
	require.NoError(t, err)
	require.Len(t, got, 2)
	requests := s.Requests()
	require.Contains(t, requests[0].Body, `{"programId":"`+string(types.TokenProgram)+`"},{"encoding":"jsonParsed","changedSinceSlot":9,"limit":1000}`)
	require.Contains(t, requests[1].Body, string(types.Token2022Program))
}
