package wallet

import (
	"cmp"
	"context"
	"iter"
	"net/url"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/types"
)

// TransfersOptions says which page of the transfers to return. The zero value,
// like nil, asks for the newest ones.
type TransfersOptions struct {
	Cursor   string // where to start: Cursor of the page before; empty means at the newest
	Limit    int    // transfers per page, at most 100; 0 means 100
	Prefetch bool   // ask for the next page while the caller works on this one; pages and items only
}

// defaultTransfers is sent because the service's own, 50, costs as much.
const defaultTransfers = 100

func (o *TransfersOptions) query() url.Values {
	q := url.Values{}
	set(q, "cursor", o.Cursor)
	set(q, "limit", cmp.Or(o.Limit, defaultTransfers))
	return q
}

// A Transfer is one movement of a token to or from a wallet. A transaction may
// hold several, so Signature is not unique.
type Transfer struct {
	Signature    types.Signature `json:"signature"`    // of the transaction that it is part of
	Timestamp    types.Time      `json:"timestamp"`    // of the block
	Direction    Direction       `json:"direction"`    // in or out
	Counterparty types.Address   `json:"counterparty"` // the sender of what came in, the recipient of what went out

	// Mint is the token: [types.NativeSOLMint] is native SOL. [types.WrappedSOL]
	// may be native SOL as well as wrapped SOL: the answer does not tell.
	Mint      types.Address   `json:"mint"`
	Symbol    string          `json:"symbol"`           // chosen by whoever made the token; empty when unknown, also for native SOL
	Amount    decimal.Decimal `json:"amount"`           // in whole tokens, never below zero
	AmountRaw uint64          `json:"amountRaw,string"` // in the smallest unit; exact where Amount may be rounded
	Decimals  int             `json:"decimals"`         // digits after the point: the smallest unit is 10^-Decimals of a token
}

// A Direction is that of a transfer, seen from the wallet that was asked for.
// Values without a constant here pass through.
type Direction string

// The directions.
const (
	In  Direction = "in"  // the wallet received it
	Out Direction = "out" // the wallet sent it
)

// Transfers returns one page of what was sent to and from wallet, newest
// first. It costs 100 credits. The service has no filters for it.
//
// A wallet that is no address or a negative Limit is refused with
// [types.ErrInvalid] before anything is sent. A raw amount beyond the uint64
// range, which no token reaches, is an error of the whole page.
//
// REST: GET /v1/wallet/{wallet}/transfers.
func (c *Client) Transfers(ctx context.Context, wallet types.Address, opts *TransfersOptions) (*Page[Transfer], error) {
	var o TransfersOptions
	if opts != nil {
		o = *opts
	}
	if err := cmp.Or(argument.Address("wallet", wallet), argument.NotNegative("Limit", o.Limit)); err != nil {
		return nil, err
	}
	return list[Transfer](ctx, c.api, walletPath(wallet, "transfers"), o.query())
}

// TransferPages walks the pages of [Client.Transfers] from opts.Cursor on.
// Each costs 100 credits. To resume a walk, set Cursor to that of the last
// handled page. HasMore tells the end: an empty Cursor, as an option, is the
// start.
//
// An error ends the walk. One that matches [types.ErrIncomplete] comes after a
// page that promises more but gives no cursor, or one that was there before.
func (c *Client) TransferPages(ctx context.Context, wallet types.Address, opts *TransfersOptions) iter.Seq2[*Page[Transfer], error] {
	var o TransfersOptions
	if opts != nil {
		o = *opts
	}
	fetch := func(ctx context.Context, cursor string) (*Page[Transfer], error) {
		o := o
		o.Cursor = cursor
		return c.Transfers(ctx, wallet, &o)
	}
	return paging.Pages(ctx, "GET "+walletPath(wallet, "transfers"), o.Cursor, o.Prefetch, fetch, (*Page[Transfer]).next)
}

// AllTransfers walks the transfers of all pages of [Client.TransferPages], at
// its cost and with its errors. A listing is not a snapshot: transfers that
// happen after its first page was read are not in it, and what the service
// learns late of older ones may be missed.
func (c *Client) AllTransfers(ctx context.Context, wallet types.Address, opts *TransfersOptions) iter.Seq2[Transfer, error] {
	return paging.Items(c.TransferPages(ctx, wallet, opts), (*Page[Transfer]).items)
}
