package rpc_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

// Without its members, a result would be a balance of 0, the block of slot 0 or a reward
// of nothing.
func TestEmptyResultsAreErrors(t *testing.T) {
	t.Parallel()
	for problem, row := range map[string]struct {
		result string
		call   func(c *rpc.Client) (any, error)
	}{
		"getTokenSupply of EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v: the response has no amount": {`{"context":{"slot":1},"value":{}}`, func(c *rpc.Client) (any, error) {
			return c.TokenSupply(t.Context(), usdc, nil)
		}},
		"getTokenAccountBalance of EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v: the response has no amount": {`{"context":{"slot":1},"value":{"decimals":6}}`, func(c *rpc.Client) (any, error) {
			return c.TokenAccountBalance(t.Context(), usdc, nil)
		}},
		"getLatestBlockhash: the response has no lastValidBlockHeight": {`{"context":{"slot":1},"value":{"blockhash":"a"}}`, func(c *rpc.Client) (any, error) {
			return c.LatestBlockhash(t.Context(), nil)
		}},
		"getSupply: the response has no circulating": {`{"context":{"slot":1},"value":{"total":5,"circulating":null,"nonCirculating":1}}`, func(c *rpc.Client) (any, error) {
			return c.Supply(t.Context(), nil)
		}},
		"getBlocks of 0: item 1 of the response is null": {`[7,null]`, func(c *rpc.Client) (any, error) {
			return c.Blocks(t.Context(), 0, 9, nil)
		}},
		"getBlocksWithLimit of 0: item 0 of the response is null": {`[null]`, func(c *rpc.Client) (any, error) {
			return c.BlocksWithLimit(t.Context(), 0, 9, nil)
		}},
		"getInflationReward of EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v and 1 more: item " + usdc + " cannot be read: amount: the response has no amount (1 of 2 inputs failed)": {`[null,{}]`, func(c *rpc.Client) (any, error) {
			_, err := c.InflationRewards(t.Context(), []types.Address{usdc, usdc}, nil)
			return nil, err
		}},
	} {
		s := fakeapi.New()
		s.Answer(200, `{"jsonrpc":"2.0","id":null,"result":`+row.result+`}`)
		got, err := row.call(clientOf(t, s))
		require.EqualError(t, err, problem)
		require.Empty(t, got)
	}
}

// JavaScript rounds the largest number.
func TestRoundedMaximaAreTheMaximum(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	for _, epoch := range []string{"18446744073709552000", "1.8446744073709552e19", "18446744073709551615"} {
		s.Answer(200, `{"jsonrpc":"2.0","id":null,"result":{"epoch":`+epoch+`,"slotsInEpoch":5e3,"slotIndex":7.0}}`)
		info, err := clientOf(t, s).EpochInfo(t.Context(), nil)
		require.NoError(t, err)
		require.Equal(t, uint64(math.MaxUint64), info.Epoch)
		require.Equal(t, uint64(5000), info.SlotsInEpoch)
		require.Equal(t, uint64(7), info.SlotIndex)
	}
	for _, epoch := range []string{"18446744073709560000", "-1", "5000.5", `"7"`} {
		s.Answer(200, `{"jsonrpc":"2.0","id":null,"result":{"epoch":`+epoch+`,"slotsInEpoch":1}}`)
		_, err := clientOf(t, s).EpochInfo(t.Context(), nil)
		require.ErrorContains(t, err, "getEpochInfo: ")
	}
	s.Answer(200, `{"jsonrpc":"2.0","id":null,"result":[{"epoch":1e40,"effectiveSlot":1}]}`)
	_, err := clientOf(t, s).InflationRewards(t.Context(), []types.Address{usdc}, nil)
	require.ErrorContains(t, err, "getInflationReward of ")
}

// A number that is null or absent is not 0: its item cannot be read, and the others can.
func TestMissingNumbersMakeTheirItemUnreadable(t *testing.T) {
	t.Parallel()
	const account = `{"lamports":1,"owner":"11111111111111111111111111111111","data":["","base64"]}`
	const odd = `{"lamports":null,"owner":"11111111111111111111111111111111","data":["","base64"]}`
	inContext := func(value string) string { return `{"context":{"slot":1},"value":` + value + `}` }
	some := []types.Address{usdc, types.TokenProgram}
	for name, row := range map[string]struct {
		result, path string
		call         func(c *rpc.Client) (int, error)
	}{
		"accounts": {inContext(`[` + account + `,` + odd + `]`), "lamports", func(c *rpc.Client) (int, error) {
			list, err := c.Accounts(t.Context(), some, nil)
			return len(slices.DeleteFunc(list, func(a *rpc.Account) bool { return a == nil })), err
		}},
		"balances": {inContext(`[` + account + `,` + odd + `]`), "lamports", func(c *rpc.Client) (int, error) {
			list, err := c.Balances(t.Context(), some, nil)
			return int(list[0]), err
		}},
		"program accounts": {`{"accounts":[{"pubkey":"a","account":` + odd + `},{"pubkey":"b","account":` + account + `}]}`, "account.lamports", func(c *rpc.Client) (int, error) {
			page, err := c.ProgramAccounts(t.Context(), types.TokenProgram, nil).Page()
			return len(page.Items), err
		}},
		"token accounts": {inContext(`[{"pubkey":"a","account":` + odd + `},{"pubkey":"b","account":` + account + `}]`), "account.lamports", func(c *rpc.Client) (int, error) {
			page, err := c.TokenAccountsByOwner(t.Context(), usdc, rpc.ByMint(usdc), nil).Page()
			return len(page.Items), err
		}},
		"largest accounts": {inContext(`[{"address":"a","amount":"5","decimals":6},{"address":"b","decimals":6}]`), "", func(c *rpc.Client) (int, error) {
			list, err := c.TokenLargestAccounts(t.Context(), usdc, nil)
			return 1 + len(list), err
		}},
		"transactions": {`{"data":[{"slot":9,"meta":{"err":null},"transaction":{"signatures":["a"]}},{"slot":8,"meta":{"err":null,"fee":0},"transaction":{"signatures":["b"]}}]}`, "meta.fee", func(c *rpc.Client) (int, error) {
			page, err := c.TransactionsForAddress(t.Context(), usdc, nil).Page()
			return len(page.Items), err
		}},
	} {
		s := fakeapi.New()
		s.Answer(200, `{"jsonrpc":"2.0","id":null,"result":`+row.result+`}`)
		read, err := row.call(clientOf(t, s))
		require.ErrorContains(t, err, "the response has no ", name)
		require.Equal(t, 1, read, name)
		if row.path != "" {
			var item *types.ItemError
			require.ErrorAs(t, err, &item, name)
			require.Equal(t, row.path, item.Path, name)
		}
	}
}
