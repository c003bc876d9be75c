package rpc

import (
	"context"

	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/types"
)

var opLargestAccounts = op("rpc.Client.LargestAccounts", "getLargestAccounts")

// LargestAccountsOptions are the options of [Client.LargestAccounts]. The zero value, like
// nil, means finalized state and all accounts.
type LargestAccountsOptions struct {
	// Commitment is the state to read; empty means finalized.
	Commitment types.Commitment `json:"commitment,omitempty"`

	// Filter selects accounts; empty means all.
	Filter LargestAccountsFilter `json:"filter,omitempty"`
}

// A LargestAccountsFilter selects accounts by whether their lamports are in circulation.
type LargestAccountsFilter string

// The filters.
const (
	LargestAccountsCirculating    LargestAccountsFilter = "circulating"
	LargestAccountsNonCirculating LargestAccountsFilter = "nonCirculating" // locked, or the foundation's
)

// A LargestAccount is one of the accounts with the most lamports.
type LargestAccount struct {
	Address  types.Address `json:"address"`
	Lamports uint64        `json:"lamports" required:"true"`
}

// LargestAccounts returns the 20 accounts with the most lamports, as they were up to two
// hours ago. It costs 1 credit.
//
// JSON-RPC method: getLargestAccounts.
func (c *Client) LargestAccounts(ctx context.Context, opts *LargestAccountsOptions) ([]LargestAccount, error) {
	return value(ctx, c, read(opLargestAccounts, opts, nil, paging.CheckItems[LargestAccount]))
}
