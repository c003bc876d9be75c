package rpc

import (
	"context"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var (
	opBalance        = op("rpc.Client.Balance", "getBalance")
	opBalances       = op("rpc.Client.Balances", "getMultipleAccounts")
	opMinimumBalance = op("rpc.Client.MinimumBalanceForRentExemption", "getMinimumBalanceForRentExemption")
)

// Balance returns the lamports of an account, 0 for an account that does not exist. It
// costs 1 credit.
//
// JSON-RPC method: getBalance.
func (c *Client) Balance(
	ctx context.Context, address types.Address, opts *ReadOptions,
) (uint64, error) {
	return value(ctx, c, read[uint64](opBalance, opts, argument.Address("address", address), nil, address))
}

// Balances returns the lamports of any number of accounts in the order of their
// addresses, 0 for accounts that do not exist. It reads the accounts without their
// data, so it costs 1 credit per 100 addresses. If requests fail, the error is a
// [types.BatchError] and the other results are valid.
//
// JSON-RPC method: getMultipleAccounts.
func (c *Client) Balances(
	ctx context.Context, addresses []types.Address, opts *ReadOptions,
) ([]uint64, error) {
	o := argument.Options(opts)
	if err := c.api.Check(opBalances, argument.Each("addresses", addresses, argument.Address), argument.Commitment(o.Commitment)); err != nil {
		return nil, err
	}
	config := AccountOptions{Commitment: o.Commitment, MinContextSlot: o.MinContextSlot, DataSlice: new(types.DataSlice), Encoding: types.EncodingBase64}
	return paging.InParts(ctx, addresses, opBalances.Facts().Inputs, func(part []types.Address, into []uint64, items *transport.Items) error {
		got, err := value(ctx, c, multipleAccounts(opBalances, part, config, items))
		for i, a := range got {
			if a != nil {
				into[i] = a.Lamports
			}
		}
		return err
	})
}

// MinimumBalanceForRentExemption returns the lamports that an account with size bytes
// of data must have to be rent-exempt. It costs 1 credit.
//
// JSON-RPC method: getMinimumBalanceForRentExemption.
func (c *Client) MinimumBalanceForRentExemption(
	ctx context.Context, size uint64, opts *CommitmentOptions,
) (uint64, error) {
	return result(ctx, c, read[uint64](opMinimumBalance, opts, nil, nil, size))
}
