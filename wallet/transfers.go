package wallet

import (
	"cmp"
	"context"
	"net/url"
	"time"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var opTransfers = transport.Op{Method: "wallet.Client.Transfers", Wire: "GET /v1/wallet/{wallet}/transfers"}

// TransfersOptions are the options of [Client.Transfers]. The zero value, like nil,
// means the first page of all transfers.
type TransfersOptions struct {
	// Limit is at most 100, and 0 means 100.
	types.PageOptions

	// Since and Until select the transfers at or after Since and before Until; zero means no
	// bound. A listing ends at Since, but pages newer than Until are requested too, since the
	// service has no such filter. A transfer without a block time counts as just sent.
	Since, Until time.Time
}

func (o *TransfersOptions) query(cursor string) url.Values {
	q := url.Values{}
	set(q, "cursor", cursor)
	// the default of the service is 50, at the same price
	set(q, "limit", cmp.Or(o.Limit, opTransfers.Facts().Items))
	return q
}

// A Transfer is a transfer of one token to or from a wallet. A transaction can have several
// transfers with the same Signature. A transfer of a wallet to itself is listed once, as
// DirectionOut with the wallet as Counterparty: add up [Transfer.Change], not Amount by
// Direction.
type Transfer struct {
	Signature    types.Signature `json:"signature"`    // of the transaction
	BlockTime    types.Time      `json:"blockTime"`    // zero if very recent. Wire name: timestamp
	Direction    types.Direction `json:"direction"`    // as the wallet sees it
	Counterparty types.Address   `json:"counterparty"` // the other wallet, sender or recipient

	// Mint is the token. [types.NativeSOLMint] is native SOL. [types.WrappedSOL] may be
	// native or wrapped SOL. To get all SOL, add up both. In rpc.Client.TransfersByAddress,
	// native SOL is always NativeSOLMint.
	Mint   types.Address `json:"mint"`
	Symbol string        `json:"symbol"` // by the token's creator; may be empty, also for SOL

	Amount    decimal.Decimal `json:"amount" required:"true"` // in whole tokens; may be rounded
	RawAmount uint64          `json:"amountRaw,string"`       // smallest unit. Wire name: amountRaw
	Decimals  uint8           `json:"decimals"`               // digits after the decimal point
}

// Change returns the change of the balance of the listed wallet: Amount if it received, -Amount
// if it sent, and 0 if it paid itself. It leaves out fees, and is 0 for an unknown Direction.
func (t Transfer) Change(wallet types.Address) decimal.Decimal {
	switch {
	case t.Counterparty == wallet:
		return decimal.Zero
	case t.Direction == types.DirectionIn:
		return t.Amount
	case t.Direction == types.DirectionOut:
		return t.Amount.Neg()
	}
	return decimal.Zero
}

// Transfers lists the transfers to and from wallet, the newest first. With a time window, a page
// may be short or empty although HasMore is true. Transfers after the first request are not
// listed. Read the list with All, Pages, Page or Collect; each page costs 100 credits.
//
// REST: GET /v1/wallet/{wallet}/transfers.
func (c *Client) Transfers(ctx context.Context, wallet types.Address, opts *TransfersOptions) types.List[Transfer] {
	o := argument.Options(opts)
	l := paging.ListingOf(c.api, opTransfers, wallet, "", o.PageOptions)
	return paging.List(ctx, l, func(ctx context.Context, w *paging.Walk) (*types.Page[Transfer], error) {
		r := request(opTransfers, wallet, o.query(w.At), argument.Fields(&o))
		return list(ctx, c, w, r, (*wireTransfer).complete, (*wireTransfer).transfer, window{o.Since, o.Until})
	})
}

// A wireTransfer is a Transfer as the service sends it.
type wireTransfer struct {
	Transfer
	Timestamp types.Time `json:"timestamp"`
}

func (t *wireTransfer) complete() error {
	return needsRaw("amountRaw", t.RawAmount, t.Amount)
}

func (t *wireTransfer) transfer() (Transfer, types.Time) {
	t.BlockTime = t.Timestamp
	return t.Transfer, t.Timestamp
}
