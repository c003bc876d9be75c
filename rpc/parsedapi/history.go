package parsedapi

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/parsed"
)

var opHistory = transport.Op{Method: "parsedapi.Client.History", Wire: "POST /v1/parsed-events/transaction-history"}

const maxEmptyPages = 100 // in a row

// HistoryOptions are the options of [Client.History]. The zero value, like nil, means all
// confirmed transactions, the newest first, without their raw form.
type HistoryOptions struct {
	// Limit is at most 100, and 0 means 100. The price of a page does not depend on
	// Limit.
	types.PageOptions

	// Commitment is [types.CommitmentConfirmed] or [types.CommitmentFinalized]; empty
	// means types.CommitmentConfirmed.
	Commitment types.Commitment `json:"commitment,omitempty"`

	Ascending bool `json:"-"` // whether to list the oldest transactions first

	// Since and Until select transactions at or after Since and before Until; zero means
	// no bound. Block times are estimates of the validators.
	Since, Until time.Time `json:"-"`

	// SinceSlot and UntilSlot select transactions at or after the slot SinceSlot and
	// before UntilSlot; 0 means no bound. A listing that ends at a past slot gives the same
	// transactions every time.
	SinceSlot, UntilSlot uint64 `json:"-"`

	// After and Before select transactions that are newer than After and older than
	// Before; empty means no bound.
	After  types.Signature `json:"afterSignature,omitempty"`
	Before types.Signature `json:"beforeSignature,omitempty"`

	// TokenAccounts selects the transactions that name only a token account of the address, such
	// as incoming transfers of tokens. Empty includes them, as [types.TokenAccountHistoryChanged]
	// does; [types.TokenAccountHistoryNone] leaves them out. A page costs the same either way.
	TokenAccounts types.TokenAccountHistory `json:"-"`

	// Outcome selects by whether a transaction succeeded; empty means all. Wire name: status.
	Outcome types.Outcome `json:"-"`

	// MinContextSlot is the oldest acceptable slot of the service; 0 means any.
	MinContextSlot uint64 `json:"minContextSlot,omitempty"`

	// Raw adds the transactions in this encoding, as nodes send them: EncodingJSON,
	// EncodingJSONParsed or EncodingBase64. Responses are then several times larger. Empty
	// means none. Wire name: rawTransaction.
	Raw types.Encoding `json:"-"`
}

// A historyRequest is the wire form of HistoryOptions. The service refuses null and unknown
// members.
type historyRequest struct {
	Address types.Address `json:"address"`
	HistoryOptions
	Limit  int    `json:"limit"`
	Cursor string `json:"paginationToken,omitempty"`
	members
	Order string         `json:"sortOrder,omitempty"`
	Slots argument.Slots `json:"slot,omitzero"`
	Times argument.Times `json:"time,omitzero"`
}

// History lists the transactions of an address and, if it is a wallet, of its token accounts,
// failed ones included. Programs are not supported.
//
// Read the list with All, Pages, Page or Collect; each page costs 10 credits. A page may be short
// or empty although more follow. A repeated transaction, a transaction out of order, or 100 empty
// pages in a row end the listing with [types.ErrIncomplete].
//
// REST: POST /v1/parsed-events/transaction-history.
func (c *Client) History(ctx context.Context, address types.Address, opts *HistoryOptions) types.List[parsed.Result] {
	o := argument.Options(opts)
	r := transport.Request{Op: opHistory, About: address, Invalid: cmp.Or(argument.Address("address", address), argument.FinalCommitment(o.Commitment), argument.Fields(&o), checkRaw(o.Raw))}
	sent := historyRequest{Address: address, HistoryOptions: o, Slots: argument.Slots{Since: o.SinceSlot, Until: o.UntilSlot}, Times: argument.NewTimes(o.Since, o.Until)}
	if o.Ascending {
		sent.Order = "asc"
	}
	l := paging.ListingOf(c.api, opHistory, address, strconv.FormatBool(o.Ascending), o.PageOptions)
	return paging.List(ctx, l, func(ctx context.Context, w *paging.Walk) (*types.Page[parsed.Result], error) {
		r, sent := r, sent
		r.Items, sent.Cursor = &w.Items, w.At
		var got *historyPage
		w.Size.Max = cmp.Or(o.Limit, opHistory.Facts().Items)
		err := w.Size.Try(func(n int) (err error) {
			sent.Limit = cmp.Or(n, w.Size.Max)
			body := func(m members) any {
				sent.members = m
				return sent
			}
			got, err = fetch(ctx, c, r, membersOf(o.Outcome, o.TokenAccounts, o.Raw), body, func(p *historyPage) error { return check(p.Data) })
			return err
		})
		if err != nil {
			return nil, err
		}
		page := &types.Page[parsed.Result]{Items: make([]parsed.Result, len(got.Data)), Cursor: got.Token}
		for i := range got.Data {
			page.Items[i] = got.Data[i].public()
		}
		if len(page.Items) == 0 && page.Cursor != "" && w.Empty+1 == maxEmptyPages {
			page.Cursor = paging.DeadEnd(fmt.Sprintf("%d empty pages in a row; resume at the Cursor of an earlier page", maxEmptyPages))
		}
		return page, w.InOrder(len(page.Items), func(i int) paging.Place { return placeOf(&page.Items[i]) }, o.Ascending, true)
	})
}

// A historyPage is a page as it is sent.
type historyPage struct {
	Data  []result `json:"data" required:"true"`
	Token string   `json:"paginationToken"` // missing, null or empty on the last page
}

// placeOf returns the place of a transaction. The order within a slot is not known, nor is the
// slot of a transaction that is not parsed.
func placeOf(r *parsed.Result) paging.Place {
	if r.Parsed == nil {
		return paging.Place{ID: string(r.Signature)}
	}
	return paging.Place{Slot: r.Parsed.Slot, ID: string(r.Signature)}
}
