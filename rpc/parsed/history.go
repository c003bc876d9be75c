package parsed

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/parsed"
)

var opHistory = transport.Op{Method: "parsed.Client.History", Wire: "POST /v1/parsed-events/transaction-history"}

const maxEmptyPages = 100 // in a row

// HistoryOptions are the options of [Client.History]. The zero value, like nil, means all
// confirmed transactions, the newest first, without their raw form.
type HistoryOptions struct {
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

	// TokenAccounts adds the transactions that name only a token account of the address, such
	// as incoming transfers of tokens. Empty means [types.TokenAccountHistoryChanged];
	// [types.TokenAccountHistoryNone] leaves them out. A page costs the same either way.
	TokenAccounts types.TokenAccountHistory `json:"tokenAccounts"`

	// ShowRaw adds the transactions as nodes encode them, which makes responses several
	// times larger. Wire name: includeRawTransaction.
	ShowRaw bool `json:"includeRawTransaction,omitempty"`

	// Limit is the number of transactions per page. 0 means 100, the most that the service
	// allows; the price is the same. Pages are smaller where the response would be too
	// large.
	Limit int `json:"limit"`

	// Cursor resumes after a page: set it to the Cursor of the last page handled, and
	// leave the other options as they were. Empty means the first page. Wire name:
	// paginationToken.
	Cursor string `json:"paginationToken,omitempty"`

	Prefetch bool `json:"-"` // from the second page on, requests the next page while the loop handles this one
}

// A historyRequest is how HistoryOptions are sent. The service refuses null and unknown
// members.
type historyRequest struct {
	Address types.Address `json:"address"`
	HistoryOptions
	Order string         `json:"sortOrder,omitempty"`
	Slots argument.Slots `json:"slot,omitzero"`
	Times argument.Times `json:"time,omitzero"`
}

// History lists the transactions of an address and, if it is a wallet, of its token accounts,
// failed ones included. Programs are not supported.
//
// Read the list with All, Pages, Page or Collect; each page costs 10 credits. A page may
// be short or empty although more follow; 100 empty pages in a row, a repeated transaction
// and one out of order end the listing with [types.ErrIncomplete].
//
// REST: POST /v1/parsed-events/transaction-history.
func (c *Client) History(ctx context.Context, address types.Address, opts *HistoryOptions) types.List[parsed.Result] {
	o := argument.Options(opts)
	o.TokenAccounts = cmp.Or(o.TokenAccounts, types.TokenAccountHistoryChanged)
	r := transport.Request{Op: opHistory, Invalid: cmp.Or(argument.Address("address", address), argument.FinalCommitment(o.Commitment), argument.Fields(&o))}
	start := paging.ListingOf(opHistory.Method, opHistory.Wire, address, strconv.FormatBool(o.Ascending), o.Cursor, o.Prefetch)
	return paging.ListOf(ctx, start, func() paging.Fetch[types.Page[parsed.Result]] {
		limit, first := cmp.Or(o.Limit, opHistory.Facts().Items), placeOf(start.Position())
		body := historyRequest{address, o, "", argument.Slots{Since: o.SinceSlot, Until: o.UntilSlot}, argument.NewTimes(o.Since, o.Until)}
		if o.Ascending {
			body.Order = "asc"
		}
		w := &walk{
			client: c, request: r, body: body,
			size: transport.Size{N: limit, Max: limit}, slot: first.slot, seen: map[types.Signature]bool{first.last: true},
		}
		return w.page
	})
}

// A walk is a reading of a history.
type walk struct {
	client  *Client
	request transport.Request
	body    historyRequest
	size    transport.Size
	empty   int                      // pages in a row
	slot    uint64                   // of the last transaction; 0 means unknown
	seen    map[types.Signature]bool // transactions of the slot
}

// A historyPage is a page as it is sent.
type historyPage struct {
	Data  []result `json:"data"`
	Token string   `json:"paginationToken"` // missing, null or empty on the last page
}

func (w *walk) page(ctx context.Context, cursor string) (*types.Page[parsed.Result], error) {
	at := placeOf(cursor)
	got, err := w.fetch(ctx, at.token)
	if err != nil {
		return nil, err
	}
	page := &types.Page[parsed.Result]{Items: make([]parsed.Result, len(got.Data)), HasMore: got.Token != ""}
	for i := range got.Data {
		page.Items[i] = got.Data[i].public()
		if err := w.follows(&page.Items[i]); err != nil {
			return nil, fmt.Errorf("%s: %w: %w", paging.Name(opHistory.Wire, string(w.body.Address)), err, types.ErrIncomplete)
		}
		at.last = page.Items[i].Signature
	}
	w.empty++
	if len(page.Items) > 0 {
		w.empty = 0
	}
	switch {
	case got.Token == "": // the last page
	case w.empty == maxEmptyPages:
		page.Cursor = paging.DeadEnd(fmt.Sprintf("%d empty pages in a row; resume at the Cursor of an earlier page", w.empty))
	default:
		page.Cursor = fmt.Sprintf("%d@%s@%s", w.slot, at.last, got.Token)
	}
	return page, nil
}

// fetch requests the page at a token, and fewer transactions if the response is too large.
func (w *walk) fetch(ctx context.Context, token string) (got *historyPage, err error) {
	w.body.Cursor = token
	err = w.size.Try(func(n int) error {
		w.body.Limit = n
		w.request.Body = w.body
		got, err = transport.Fetch(ctx, w.client.api, w.request, func(p *historyPage) error {
			return cmp.Or(transport.Require(p.Data != nil, "data"), check(p.Data), paging.CheckCursor(p.Token))
		})
		return err
	})
	return got, err
}

// follows refuses a transaction that is out of order or repeated. The order within a slot
// is not known, nor is the slot of a transaction that is not parsed.
func (w *walk) follows(r *parsed.Result) error {
	if r.Parsed != nil && r.Parsed.Slot != 0 && r.Parsed.Slot != w.slot {
		slot := r.Parsed.Slot
		if w.slot != 0 && (slot < w.slot) == w.body.Ascending {
			return fmt.Errorf("transactions are out of order at slot %d", slot)
		}
		w.slot = slot
		clear(w.seen)
	}
	if w.seen[r.Signature] {
		return fmt.Errorf("transaction %s is repeated", r.Signature)
	}
	w.seen[r.Signature] = true
	return nil
}

// A place is where a page starts: its token, and the transaction before it, with which the
// order is checked where a listing is resumed.
type place struct {
	slot  uint64
	last  types.Signature
	token string
}

// placeOf returns the place that a cursor means. A token of the service is a cursor too.
func placeOf(cursor string) place {
	parts := append(strings.SplitN(cursor, "@", 3), "", "")
	slot, err := strconv.ParseUint(parts[0], 10, 64)
	if err != nil || parts[2] == "" {
		return place{token: cursor}
	}
	return place{slot, types.Signature(parts[1]), parts[2]}
}
