package stream

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/stream/internal/merge"
	"github.com/solwire/solwire-go/types"
)

var (
	opAccount         = op("stream.Client.Account", "accountSubscribe")
	opAccountInfo     = op("stream.Client.Account", "getAccountInfo")
	opProgramAccounts = op("stream.Client.ProgramAccounts", "programSubscribe")
)

// AccountOptions are the options of [Client.Account]. The zero value, like nil, means confirmed
// states with parsed data.
type AccountOptions struct {
	Commitment types.Commitment // empty means types.CommitmentConfirmed

	// Encoding is types.EncodingJSONParsed, types.EncodingBase64 or types.EncodingBase64Zstd.
	// Empty means types.EncodingJSONParsed for Account, and types.EncodingBase64 for
	// ProgramAccounts.
	Encoding types.Encoding
}

// ProgramAccountsOptions are the options of [Client.ProgramAccounts]. The zero value, like nil,
// means all accounts that change from now on, confirmed, with data in base64.
type ProgramAccountsOptions struct {
	AccountOptions

	// An account has to match all Filters, at most 4.
	Filters []types.Filter

	// SinceSlot continues after a restart, with a Gap in the first event: see Resume in the package
	// comment. 0 means from now on.
	SinceSlot uint64
}

// An AccountEvent is a state of an account.
type AccountEvent struct {
	Address types.Address `json:"address"`
	Account *rpc.Account  `json:"account"` // nil if the account does not exist or Err is set

	Position
}

// Account iterates over the states of an account: first the current state, then each change.
// Several changes within a slot are one event. After a gap, only the current state comes. It may
// come again as a notification. A Late event has an older state than a previous event. At
// types.CommitmentProcessed, states of abandoned forks come too.
//
// The current state costs 1 credit, at the beginning and after each gap.
//
// WebSocket method: accountSubscribe.
func (c *Client) Account(ctx context.Context, address types.Address, opts *AccountOptions) iter.Seq2[AccountEvent, error] {
	o := argument.Options(opts)
	invalid := cmp.Or(argument.Address("address", address), o.check(types.EncodingJSONParsed))
	s := subscription{op: opAccount, invalid: invalid, params: []any{address, config{Commitment: o.Commitment, Encoding: o.Encoding}}}
	return follow(ctx, c, s, notified(opAccount, func(in *notification[*rpc.Account]) stateItem {
		return accountItem(address, in.Value, in.Context.Slot)
	}), func(e *AccountEvent, _ string) {
		e.Address = address
	}, merge.Merge[AccountEvent]{
		States: true, Since: 1, // the current state
		History: func(ctx context.Context, r merge.Range[AccountEvent]) error {
			if err := c.budget.take(ctx, readPrice()); err != nil {
				return err
			}
			got, slot, err := transport.Value(ctx, c.api, transport.Query[json.RawMessage]{
				Op: opAccountInfo, Null: transport.NullIsAnswer,
				Params: []any{address, rpc.AccountOptions{Commitment: o.Commitment, Encoding: o.Encoding, MinContextSlot: r.Until}},
			})
			if err != nil {
				return err
			}
			item := stateItem{Value: AccountEvent{Address: address}}
			if slot = max(slot, r.Until); got != nil {
				item = notified(opAccountInfo, func(in *rpc.Account) stateItem { return accountItem(address, in, slot) })(*got)
			}
			item.ID, item.Slot = string(address), slot
			return r.Emit(item)
		},
	})
}

// errBefore is the reason of the first Gap of ProgramAccounts with a SinceSlot.
var errBefore = errors.New("the loop began after its SinceSlot")

// ProgramAccounts iterates over the accounts of a program as they change. Several changes of an
// account within a slot are one event. There is no event for an account that is closed, or no
// longer matches the filters. After a gap, only the current states of the changed accounts come.
// They may come again as notifications. With types.EncodingJSONParsed, nodes leave out unparseable
// accounts of token programs.
//
// After a gap, it costs 1 credit per 1000 accounts that changed.
//
// WebSocket method: programSubscribe.
func (c *Client) ProgramAccounts(ctx context.Context, program types.Address, opts *ProgramAccountsOptions) iter.Seq2[AccountEvent, error] {
	o := argument.Options(opts)
	invalid := cmp.Or(argument.Address("program", program), o.check(types.EncodingBase64), argument.Each("Filters", o.Filters, argument.Filter))
	s := subscription{op: opProgramAccounts, invalid: invalid, params: []any{program, config{Commitment: o.Commitment, Encoding: o.Encoding, Filters: o.Filters}}}
	return follow(ctx, c, s, notified(opProgramAccounts, func(in *notification[programAccount]) stateItem {
		return accountItem(in.Value.Address, in.Value.Account, in.Context.Slot)
	}), func(e *AccountEvent, id string) {
		e.Address = types.Address(id)
	}, merge.Merge[AccountEvent]{
		States: true, Since: o.SinceSlot, Lost: errBefore, Finalized: o.Commitment == types.CommitmentFinalized,
		History: historyOf(c, readPrice(), []types.Address{program}, func(ctx context.Context, program types.Address, since, until uint64, cursor string) types.List[rpc.ProgramAccount] {
			return c.rpc.ProgramAccounts(ctx, program, &rpc.ProgramAccountsOptions{
				AccountOptions: rpc.AccountOptions{Commitment: o.Commitment, Encoding: o.Encoding, ChangedSinceSlot: since, MinContextSlot: until},
				Filters:        o.Filters, PageOptions: types.PageOptions{Cursor: cursor},
			})
		}, func(a rpc.ProgramAccount) stateItem {
			return stateItem{ID: string(a.Address), Value: AccountEvent{Address: a.Address, Account: &a.Account}}
		}),
	})
}

// check sets the defaults, and returns an error if an option is invalid.
func (o *AccountOptions) check(e types.Encoding) error {
	o.Commitment, o.Encoding = cmp.Or(o.Commitment, types.CommitmentConfirmed), cmp.Or(o.Encoding, e)
	return cmp.Or(
		argument.OneOf("Encoding", o.Encoding, types.EncodingJSONParsed, types.EncodingBase64, types.EncodingBase64Zstd),
		argument.Commitment(o.Commitment),
	)
}

type stateItem = merge.Item[AccountEvent]

// A programAccount is the value of a programSubscribe notification.
type programAccount struct {
	Address types.Address `json:"pubkey"`
	Account *rpc.Account  `json:"account"`
}

// accountItem returns the item of a notified state, without an ID if it is incomplete. A closed
// account is sent as an empty one.
func accountItem(address types.Address, state *rpc.Account, slot uint64) stateItem {
	if address == "" || state == nil || state.Owner == "" {
		return stateItem{}
	}
	state.Slot = slot
	if state.Lamports == 0 && state.Space == 0 && state.Owner == types.SystemProgram {
		state = nil
	}
	return stateItem{ID: fmt.Sprintf("%s at %d", address, slot), Slot: slot, Value: AccountEvent{Address: address, Account: state}}
}
