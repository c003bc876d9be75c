package rpc

import (
	"cmp"
	"context"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var (
	opAccount  = op("rpc.Client.Account", "getAccountInfo")
	opAccounts = op("rpc.Client.Accounts", "getMultipleAccounts")
)

// An Account is a Solana account.
type Account struct {
	// Lamports of the account. In a token account, they are the deposit for rent, and for wrapped
	// SOL also the balance.
	Lamports uint64 `json:"lamports" required:"status"`

	Owner      types.Address `json:"owner" required:"status"` // the owning program
	Data       Data          `json:"data"`
	Executable bool          `json:"executable"` // true for programs

	// RentEpoch is the epoch in which rent is due next; NoRent for a rent-exempt account.
	RentEpoch Epoch `json:"rentEpoch"`

	// Space is the length of the data in bytes; 0 when the node omits it.
	Space uint64 `json:"space"`

	Status AccountStatus `json:"status"` // AccountStatusUnchanged or empty

	// Slot is the slot of the state; 0 in a list, which has one Slot for all accounts.
	Slot uint64 `json:"slot,omitempty"`
}

// An AccountStatus says whether an account changed.
type AccountStatus string

// AccountStatusUnchanged means that the account has not changed since
// ChangedSinceSlot. The service sends nothing else of such an account.
const AccountStatusUnchanged AccountStatus = "unchanged"

// Account returns an account; with ChangedSinceSlot, check its Status. It costs 1
// credit. An account that does not exist fails with [types.ErrNotFound].
//
// JSON-RPC method: getAccountInfo.
func (c *Client) Account(
	ctx context.Context, address types.Address, opts *AccountOptions,
) (*Account, error) {
	config := opts.withDefaults()
	got, slot, err := transport.Value(ctx, c.api, transport.Query[Account]{
		Op: opAccount, Invalid: cmp.Or(argument.Address("address", address), config.check()),
		Params: []any{address, config}, Null: transport.NullIsNotFound,
	})
	if err != nil {
		return nil, err
	}
	got.Slot = slot
	return got, nil
}

// Accounts returns any number of accounts in the order of their addresses, with nil for a
// missing account. It sends one request per 100 addresses, or per fewer where the response would
// be too large, one after the other. Each costs 1 credit. If requests fail, the error is a
// [types.BatchError] and the other results are valid.
//
// JSON-RPC method: getMultipleAccounts.
func (c *Client) Accounts(
	ctx context.Context, addresses []types.Address, opts *AccountOptions,
) ([]*Account, error) {
	config := opts.withDefaults()
	if err := c.api.Check(opAccounts, argument.Each("addresses", addresses, argument.Address), config.check()); err != nil {
		return nil, err
	}
	return paging.InParts(ctx, addresses, opAccounts.Facts().Inputs, func(part []types.Address, into []*Account, items *transport.Items) error {
		got, slot, err := transport.Value(ctx, c.api, multipleAccounts(opAccounts, part, config, items))
		if err != nil {
			return err
		}
		copy(into, *got)
		for _, a := range *got {
			if a != nil {
				a.Slot = slot
			}
		}
		return nil
	})
}

func multipleAccounts(op transport.Op, addresses []types.Address, config AccountOptions, items *transport.Items) transport.Query[[]*Account] {
	return transport.Query[[]*Account]{
		Op: op, Params: []any{addresses, config}, Items: items,
		Check: paging.PerInput[Account](len(addresses), nil),
	}
}
