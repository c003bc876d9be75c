package compressed

import (
	"cmp"
	"context"
	"iter"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

const tokenAccountsByDelegate = "getCompressedTokenAccountsByDelegate"

// TokenAccountsByDelegateOptions narrow and page the list of the token accounts
// of a delegate. Their zero value, like nil, asks for all of them, from the first
// one on.
type TokenAccountsByDelegateOptions struct {
	Mint     types.Address `json:"mint,omitempty"`   // only accounts of this token; empty means of any
	Cursor   string        `json:"cursor,omitempty"` // that of the page to go on after; empty means the first page
	Limit    int           `json:"limit,omitempty"`  // items per page; 0 means the service's default and maximum, 1000
	Prefetch bool          `json:"-"`                // when walking, ask for the next page while this one is handled
}

// A TokenAccount is a compressed account that holds tokens.
type TokenAccount struct {
	Account   Account   `json:"account"`   // its owner is the token program, not the wallet
	TokenData TokenData `json:"tokenData"` // what it holds, and for whom
}

// TokenData is what a compressed account says of the tokens in it.
type TokenData struct {
	Mint     types.Address `json:"mint"`     // which token; that of wrapped SOL is [types.WrappedSOL]
	Owner    types.Address `json:"owner"`    // the wallet
	Amount   uint64        `json:"amount"`   // in the smallest unit of the token; its decimals are with the mint
	Delegate types.Address `json:"delegate"` // who may spend of it; empty when no one. How much is not told
	State    TokenState    `json:"state"`    // such as [Frozen]
	TLV      []byte        `json:"tlv"`      // data of token extensions; nil when there is none
}

// A TokenState says whether the tokens of an account can move. The service may
// know other words than the constants here.
type TokenState string

// The states of a token account.
const (
	Initialized TokenState = "initialized" // can move
	Frozen      TokenState = "frozen"      // cannot, until the authority of the mint thaws it
)

// TokenAccountsByDelegate returns one page of the compressed token accounts of
// which delegate may spend, in the order of their mints. A delegate or mint that
// the service does not know has none. It costs 10 credits.
//
// A delegate or mint that is no address and a negative limit are refused with
// [types.ErrInvalid].
//
// JSON-RPC method: getCompressedTokenAccountsByDelegate.
func (c *Client) TokenAccountsByDelegate(ctx context.Context, delegate types.Address, opts *TokenAccountsByDelegateOptions) (*Page[TokenAccount], error) {
	o := opts.copied()
	if err := cmp.Or(argument.Address("delegate", delegate), o.check()); err != nil {
		return nil, err
	}
	params := struct {
		Delegate types.Address `json:"delegate"`
		TokenAccountsByDelegateOptions
	}{delegate, o}
	page, slot, err := transport.Call[Page[TokenAccount]](ctx, c.api, tokenAccountsByDelegate, params)
	if err != nil {
		return nil, err
	}
	if page.Items == nil {
		return nil, transport.NoList(tokenAccountsByDelegate, "items")
	}
	page.Slot = slot
	return &page, nil
}

// TokenAccountsByDelegatePages walks the pages of
// [Client.TokenAccountsByDelegate] from opts.Cursor on. Each page costs 10
// credits. To resume a walk, keep the mint and set the cursor to that of the
// last page that was handled; an empty one means that there is no more.
//
// An error ends the walk. One that matches [types.ErrIncomplete] says that the
// service promises more, but with a cursor that was there before.
func (c *Client) TokenAccountsByDelegatePages(ctx context.Context, delegate types.Address, opts *TokenAccountsByDelegateOptions) iter.Seq2[*Page[TokenAccount], error] {
	o := opts.copied()
	fetch := func(ctx context.Context, cursor string) (*Page[TokenAccount], error) {
		o := o
		o.Cursor = cursor
		return c.TokenAccountsByDelegate(ctx, delegate, &o)
	}
	return paging.Pages(ctx, tokenAccountsByDelegate, o.Cursor, o.Prefetch, fetch, (*Page[TokenAccount]).next)
}

// AllTokenAccountsByDelegate walks the items of
// [Client.TokenAccountsByDelegatePages], at its cost and with its errors.
//
// The list is no snapshot: an account that changes while it is walked has a new
// hash and with it a new place, so it may be missed or seen twice.
func (c *Client) AllTokenAccountsByDelegate(ctx context.Context, delegate types.Address, opts *TokenAccountsByDelegateOptions) iter.Seq2[TokenAccount, error] {
	return paging.Items(c.TokenAccountsByDelegatePages(ctx, delegate, opts), (*Page[TokenAccount]).items)
}

func (o *TokenAccountsByDelegateOptions) copied() TokenAccountsByDelegateOptions {
	if o == nil {
		return TokenAccountsByDelegateOptions{}
	}
	return *o
}

func (o *TokenAccountsByDelegateOptions) check() error {
	if o.Mint != "" {
		if err := argument.Address("Mint", o.Mint); err != nil {
			return err
		}
	}
	return argument.NotNegative("Limit", o.Limit)
}
