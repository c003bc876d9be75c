package rpc

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var opProgramAccounts = transport.Op{Method: "rpc.Client.ProgramAccounts", Wire: "getProgramAccounts"}

// ProgramAccountsOptions are the options of [Client.ProgramAccounts]. The zero value,
// like nil, means all accounts, in finalized state and with parsed data.
type ProgramAccountsOptions struct {
	AccountOptions

	// Filters are conditions that an account has to match all of. Nodes accept up
	// to 4.
	Filters []types.Filter `json:"filters,omitempty"`
}

// ProgramAccounts is a list of accounts of a program.
type ProgramAccounts struct {
	Slot  uint64           `json:"slot"`  // the slot of the state that was read; 0 when the node does not say
	Items []ProgramAccount `json:"items"` // sorted by the bytes of the address; empty when no account matches
}

// A ProgramAccount is an account of a program, with its address.
type ProgramAccount struct {
	Address types.Address `json:"pubkey"`
	Account Account       `json:"account"`
}

// ProgramAccounts returns the accounts that a program owns, in one list. It costs 10
// credits. Requests for programs with many accounts fail or time out: use
// [Client.ProgramAccountsV2] for these.
//
// JSON-RPC method: getProgramAccounts.
func (c *Client) ProgramAccounts(
	ctx context.Context, program types.Address, opts *ProgramAccountsOptions,
) (*ProgramAccounts, error) {
	o := opts.withDefaults()
	config := struct {
		ProgramAccountsOptions
		WithContext bool `json:"withContext"`
	}{o, true}
	got, err := transport.Result(ctx, c.api, transport.Query[accountList]{
		Op: opProgramAccounts, Invalid: cmp.Or(argument.Address("program", program), o.check()),
		Params: []any{program, config}, Check: (*accountList).complete,
	})
	if err != nil {
		return nil, err
	}
	return &ProgramAccounts{got.slot, got.items}, nil
}

func (o *ProgramAccountsOptions) withDefaults() ProgramAccountsOptions {
	if o == nil {
		o = new(ProgramAccountsOptions)
	}
	return ProgramAccountsOptions{o.AccountOptions.withDefaults(), slices.Clone(o.Filters)}
}

func (o *ProgramAccountsOptions) check() error {
	return cmp.Or(o.AccountOptions.check(), checkFilters(o.Filters))
}

// An accountList is a list of accounts with or without a context: older nodes ignore
// the request for one.
type accountList struct {
	slot  uint64
	items []ProgramAccount
}

func (l *accountList) UnmarshalJSON(b []byte) error {
	*l = accountList{}
	switch b = bytes.TrimSpace(b); {
	case bytes.HasPrefix(b, []byte("[")):
		return decode.Value(b, &l.items)
	case bytes.HasPrefix(b, []byte("{")):
		var in struct {
			Context struct {
				Slot uint64 `json:"slot"`
			} `json:"context"`
			Value *[]ProgramAccount `json:"value"`
		}
		if err := decode.Value(b, &in); err != nil || in.Value == nil {
			return err
		}
		l.slot, l.items = in.Context.Slot, *in.Value
		return nil
	}
	return errors.New("the response has accounts that are not a list")
}

func (l *accountList) complete() error {
	return cmp.Or(transport.Require(l.items != nil, "value"), checkAccounts(l.items))
}

func checkAccounts(list []ProgramAccount) error {
	return paging.CheckItems(list, func(a *ProgramAccount) bool { return a.Address != "" })
}

// maxCompared is the most bytes that nodes compare. The cost of encoding base58 grows
// with the square of the length.
const maxCompared = 128

func checkFilters(filters []types.Filter) error {
	for i, f := range filters {
		name := fmt.Sprintf("Filters[%d]", i)
		if err := f.Check(); err != nil {
			return fmt.Errorf("%s %w", name, err)
		}
		if _, data, _ := f.Compared(); len(data) > maxCompared {
			return argument.Invalid(name, fmt.Sprintf("compares %d bytes; nodes accept at most %d", len(data), maxCompared))
		}
	}
	return nil
}
