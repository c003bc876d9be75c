package wallet

import (
	"cmp"
	"context"
	"iter"
	"net/url"
	"time"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

const transfers transport.Op = "wallet.Client.Transfers GET /v1/wallet/{wallet}/transfers"

// TransfersOptions are the options of [Client.Transfers]. The zero value, like nil,
// means the first page of all transfers.
type TransfersOptions struct {
	Cursor string // of the last handled page; empty starts at the newest
	Limit  int    // transfers per page; 0 means 100, the most the service allows

	// Since and Until select the transfers at or after Since and before Until; zero
	// means no bound. The service has no such filter: a listing ends at Since, but
	// pages newer than Until are requested too. A transfer that has no block time
	// yet counts as new.
	Since, Until time.Time

	Prefetch bool // requests the next page while the loop handles this one
}

// defaultTransfers replaces the service's default of 50, whose pages cost the same.
const defaultTransfers = 100

func (o *TransfersOptions) query() url.Values {
	q := url.Values{}
	set(q, "cursor", o.Cursor)
	set(q, "limit", cmp.Or(o.Limit, defaultTransfers))
	return q
}

func (o *TransfersOptions) window() window { return window{o.Since, o.Until} }

func (o *TransfersOptions) check() error {
	return cmp.Or(argument.NotNegative("Limit", o.Limit), o.window().check())
}

// A Transfer is a transfer of one token to or from a wallet. A transaction can have
// several, so Signature does not identify a Transfer.
type Transfer struct {
	Signature    types.Signature `json:"signature"`    // of the transaction
	BlockTime    types.Time      `json:"timestamp"`    // of the block. Wire name: timestamp
	Direction    Direction       `json:"direction"`    // to or from the wallet
	Counterparty types.Address   `json:"counterparty"` // the other wallet: the sender or the recipient

	// Mint is the token. [types.NativeSOLMint] is native SOL, [types.WrappedSOL]
	// may be native or wrapped SOL.
	Mint   types.Address `json:"mint"`
	Symbol string        `json:"symbol"` // chosen by the token's creator; may be empty, also for SOL

	Amount    decimal.Decimal `json:"amount"`           // in whole tokens, unsigned; may be rounded
	RawAmount uint64          `json:"amountRaw,string"` // in the smallest unit. Wire name: amountRaw
	Decimals  uint8           `json:"decimals"`         // digits after the decimal point
}

// A Direction is the direction of a transfer, as the requested wallet sees it. Other
// values than the constants pass through.
type Direction string

// The directions.
const (
	DirectionIn  Direction = "in"  // the wallet received it
	DirectionOut Direction = "out" // the wallet sent it
)

// Transfers returns one page of the transfers to and from wallet, newest first. With
// a time window, a page may be short or empty although more follow (HasMore). It
// costs 100 credits.
//
// REST: GET /v1/wallet/{wallet}/transfers.
func (c *Client) Transfers(ctx context.Context, wallet types.Address, opts *TransfersOptions) (*types.Page[Transfer], error) {
	var o TransfersOptions
	if opts != nil {
		o = *opts
	}
	if err := c.transport().Check(transfers, checkWallet("wallet", wallet), o.check()); err != nil {
		return nil, err
	}
	page, err := list(ctx, c, transfers, wallet, o.query(), func(t *Transfer) bool { return t.Signature != "" })
	if err != nil {
		return nil, err
	}
	cut(page, o.window(), func(t *Transfer) types.Time { return t.BlockTime })
	return page, nil
}

// TransferPages iterates over the pages of [Client.Transfers], at 100 credits each.
// To resume, set Cursor to that of the last page that was handled. After a missing or
// repeated cursor, the error matches [types.ErrIncomplete].
func (c *Client) TransferPages(ctx context.Context, wallet types.Address, opts *TransfersOptions) iter.Seq2[*types.Page[Transfer], error] {
	var o TransfersOptions
	if opts != nil {
		o = *opts
	}
	fetch := func(ctx context.Context, cursor string) (*types.Page[Transfer], error) {
		o := o
		o.Cursor = cursor
		return c.Transfers(ctx, wallet, &o)
	}
	return paging.List(ctx, transfers.String(), o.Cursor, o.Prefetch, fetch)
}

// AllTransfers iterates over the items of [Client.TransferPages], at 100 credits per
// page. An error is the last element. Transfers that follow the first request are not
// included.
func (c *Client) AllTransfers(ctx context.Context, wallet types.Address, opts *TransfersOptions) iter.Seq2[Transfer, error] {
	return paging.ListItems(c.TransferPages(ctx, wallet, opts))
}
