package rpc

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var opAssociatedBalances = op("rpc.Client.AssociatedTokenBalances", "getMultipleAccounts")

// An AssociatedTokenBalance is the balance of a wallet's associated token account for one mint.
type AssociatedTokenBalance struct {
	Owner   types.Address `json:"owner"`   // the wallet
	Account types.Address `json:"account"` // the address of its associated token account

	// Exists reports whether the account exists and belongs to Owner. If not, RawAmount is 0
	// and State is empty.
	Exists bool `json:"exists"`

	RawAmount uint64           `json:"rawAmount,string"` // in the smallest unit
	Decimals  uint8            `json:"decimals"`         // of the mint: digits after the point
	State     types.TokenState `json:"state,omitempty"`  // may be frozen
	Slot      uint64           `json:"slot"`             // of the state that was read
}

// AssociatedTokenBalances returns the balances of one mint for any number of wallets, in their
// order. It reads only the associated token account of each wallet, the usual one.
// [Client.TokenAccountsByOwner] lists all accounts. A wallet without the account has Exists false
// and a balance of 0.
//
// It costs 1 credit per 100 wallets, and 1 to read the token program of the mint. A mint that
// does not exist fails with [types.ErrNotFound]. If other requests fail, the error is a
// [types.BatchError], and the results with an Owner are valid.
//
// JSON-RPC method: getMultipleAccounts.
func (c *Client) AssociatedTokenBalances(
	ctx context.Context, mint types.Address, owners []types.Address, opts *ReadOptions,
) ([]AssociatedTokenBalance, error) {
	o := argument.Options(opts)
	invalid := []error{argument.Address("mint", mint), argument.Each("owners", owners, argument.Address), argument.Commitment(o.Commitment)}
	if err := c.api.Check(opAssociatedBalances, invalid...); err != nil || len(owners) == 0 {
		return nil, err
	}
	config := AccountOptions{Commitment: o.Commitment, MinContextSlot: o.MinContextSlot, Encoding: types.EncodingJSONParsed}
	found, err := value(ctx, c, multipleAccounts(opAssociatedBalances, []types.Address{mint}, config, nil))
	if err != nil {
		return nil, err
	}
	if found[0] == nil {
		return nil, c.api.WithOp(opAssociatedBalances, fmt.Errorf("mint %s: %w", mint, types.ErrNotFound))
	}
	info, err := found[0].Data.Mint()
	if err != nil {
		return nil, c.api.WithOp(opAssociatedBalances, fmt.Errorf("mint %s is an account of program %s, not a mint: %w", mint, found[0].Owner, err))
	}
	config.DataSlice, config.Encoding = &types.DataSlice{Offset: heldOffset, Length: heldLength}, types.EncodingBase64
	return paging.InParts(ctx, owners, opAssociatedBalances.Facts().Inputs, func(part []types.Address, into []AssociatedTokenBalance, items *transport.Items) error {
		accounts := make([]types.Address, len(part))
		for i, owner := range part {
			if accounts[i], err = types.AssociatedTokenAddress(owner, mint, found[0].Owner); err != nil {
				return err
			}
		}
		got, slot, err := transport.Value(ctx, c.api, multipleAccounts(opAssociatedBalances, accounts, config, items))
		if err != nil {
			return err
		}
		for i, a := range *got {
			into[i] = AssociatedTokenBalance{Owner: part[i], Account: accounts[i], Decimals: info.Decimals, Slot: slot}
			if err := into[i].hold(a); err != nil {
				items.Fail(i, &types.ItemError{Op: opAssociatedBalances.Wire, ID: string(part[i]), Err: fmt.Errorf("account %s: %w", accounts[i], err)})
			}
		}
		return nil
	})
}

// The fields of a token account from its owner to its state: owner (32 bytes), amount (8),
// delegate (36) and state (1).
const heldOffset, heldLength = 32, 77

// hold sets the balance and the state from that part of an account.
func (b *AssociatedTokenBalance) hold(a *Account) error {
	if a == nil {
		return nil
	}
	data, err := a.Data.Bytes()
	if err != nil {
		return err
	}
	states := []types.TokenState{types.TokenStateUninitialized, types.TokenStateInitialized, types.TokenStateFrozen}
	if len(data) != heldLength || int(data[76]) >= len(states) {
		return errors.New("account data: not of a token account")
	}
	owner, err := types.AddressFromBytes(data[:32])
	if err != nil || owner != b.Owner { // an owner can give the account away
		return err
	}
	b.Exists, b.RawAmount, b.State = true, binary.LittleEndian.Uint64(data[32:40]), states[data[76]]
	return nil
}
