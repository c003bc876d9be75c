package rpc

import (
	"cmp"
	"context"
	"slices"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/facts"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var (
	opProgramAccounts     = op("rpc.Client.ProgramAccounts", "getProgramAccountsV2")
	opProgramAccountsNode = op("rpc.Client.ProgramAccounts", "getProgramAccounts")
)

// ProgramAccountsOptions are the options of [Client.ProgramAccounts]. The zero value,
// like nil, means all accounts, in finalized state and with parsed data.
type ProgramAccountsOptions struct {
	// Limit is at most 10 000, and 0 means 1000.
	types.PageOptions

	AccountOptions

	// An account has to match all Filters. The service accepts up to 4.
	Filters []types.Filter `json:"filters,omitempty"`
}

// A ProgramAccount is an account of a program, with its address.
type ProgramAccount struct {
	Address types.Address `json:"pubkey"`
	Account Account       `json:"account"`
}

// ProgramAccounts lists the accounts that a program owns. Read the list with All, Pages,
// Page or Collect; each page costs 1 credit, also the empty one at the end. A page may be
// short or empty although more follow, and accounts that change during the listing may be
// missed or listed twice. A host without paged methods (see the package comment) returns
// one page.
//
// JSON-RPC method: getProgramAccountsV2, or getProgramAccounts.
func (c *Client) ProgramAccounts(
	ctx context.Context, program types.Address, opts *ProgramAccountsOptions,
) types.List[ProgramAccount] {
	o := argument.Options(opts)
	o.AccountOptions, o.Filters, o.Limit = o.withDefaults(), slices.Clone(o.Filters), cmp.Or(o.Limit, facts.AccountsPage)
	invalid := cmp.Or(argument.Address("program", program), o.check(), argument.Each("Filters", o.Filters, argument.Filter), argument.NotNegative("Limit", o.Limit))
	l := c.listingOf(opProgramAccounts, program, o.Filters, o.PageOptions)
	return paging.List(ctx, l, func(ctx context.Context, w *paging.Walk) (*types.Page[ProgramAccount], error) {
		return pagedOrWhole(c, opProgramAccounts, func() (*types.Page[ProgramAccount], error) {
			config := struct {
				ProgramAccountsOptions
				Limit       int    `json:"limit"`
				Cursor      string `json:"paginationKey,omitempty"`
				WithContext bool   `json:"withContext"` // for the slot
			}{o, o.Limit, w.At, true}
			got, err := transport.Result(ctx, c.api, transport.Query[programPage]{
				Op: opProgramAccounts, Invalid: invalid, Params: []any{program, config}, Items: &w.Items,
				Check: func(p *programPage) error { return p.Value.complete(p.keyedAccounts) },
			})
			if err != nil {
				return nil, err
			}
			return got.Value.page(got.Context.Slot, got.Value.Key), nil
		}, func() (*types.Page[ProgramAccount], error) {
			config := struct {
				AccountOptions
				Filters     []types.Filter `json:"filters,omitempty"`
				WithContext bool           `json:"withContext"`
			}{o.AccountOptions, o.Filters, true}
			return whole[ProgramAccount](ctx, c, opProgramAccountsNode, &w.Items, cmp.Or(invalid, o.checkNode(w.At)), program, config)
		})
	})
}
