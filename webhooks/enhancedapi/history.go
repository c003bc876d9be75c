package enhancedapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/enhanced"
	"github.com/solwire/solwire-go/types/txtype"
)

var opHistory = transport.Op{Method: "enhancedapi.Client.History", Wire: "GET /v0/addresses/{address}/transactions"}

// HistoryOptions select, sort and page the transactions of an address. The zero value,
// like nil, selects all transactions, the newest first.
type HistoryOptions struct {
	// Limit is at most 100, and 0 means 100. It does not change the price of a page.
	types.PageOptions

	// Ascending lists the oldest transactions first, and not the newest.
	Ascending bool

	Commitment types.Commitment // empty means CommitmentFinalized; not CommitmentProcessed

	// Type selects transactions of one type; empty means all types. A type that the service does
	// not know here selects nothing, without an error.
	Type txtype.Type

	// Source selects transactions of one program or marketplace, such as MAGIC_EDEN;
	// empty means all.
	Source string

	// SinceSlot and UntilSlot select transactions in or after SinceSlot and before UntilSlot. 0
	// means no bound.
	SinceSlot, UntilSlot uint64

	// Since and Until select transactions at or after Since and before Until. Zero means no bound.
	// Bounds of time and of slots together fail with [types.ErrInvalid].
	Since, Until time.Time

	// TokenAccounts selects the transactions that name only a token account of the address, such
	// as incoming token transfers. Empty means [types.TokenAccountHistoryChanged], which includes
	// them. [types.TokenAccountHistoryNone] leaves them out. A page costs the same either way.
	TokenAccounts types.TokenAccountHistory

	// MaxSearches is the most empty pages in a row, at 100 credits each, in a listing with a Type.
	// Then the listing fails with [types.ErrIncomplete]. 0 means 10.
	MaxSearches int
}

func (o *HistoryOptions) check() error {
	switch {
	case o.Type == txtype.Any:
		return argument.Invalid("Type ANY", "is for webhooks; leave Type empty for all transactions")
	case (o.SinceSlot != 0 || o.UntilSlot != 0) && (!o.Since.IsZero() || !o.Until.IsZero()):
		return argument.Invalid("SinceSlot", "does not go with a time; set bounds of slots or of time")
	}
	return cmp.Or(argument.FinalCommitment(o.Commitment), argument.Fields(o))
}

func (o *HistoryOptions) query() url.Values {
	times, q := argument.NewTimes(o.Since, o.Until), url.Values{}
	if o.Ascending {
		q.Set("sort-order", "asc")
	}
	set(q, "limit", cmp.Or(o.Limit, opHistory.Facts().Items))
	set(q, "commitment", o.Commitment)
	set(q, "type", o.Type)
	set(q, "source", o.Source)
	set(q, "token-accounts", cmp.Or(o.TokenAccounts, types.TokenAccountHistoryChanged))
	set(q, "gte-slot", o.SinceSlot)
	set(q, "lt-slot", o.UntilSlot)
	for name, bound := range map[string]*int64{"gte-time": times.Since, "lt-time": times.Until} {
		if bound != nil {
			set(q, name, *bound)
		}
	}
	return q
}

// set sets a parameter unless it is zero.
func set[T comparable](q url.Values, name string, value T) {
	if value != *new(T) {
		q.Set(name, fmt.Sprint(value))
	}
}

// History lists the transactions of an address and its token accounts, as enhanced webhooks
// deliver them, and also failed transactions. Read the list with All, Pages, Page or Collect; each
// page costs 100 credits. A page may be short although more pages follow. The last page is
// empty.
//
// With a Type, the service searches a part of the history for each page. A page without a match is
// empty, and HasMore tells whether it is the last page. A listing fails with [types.ErrIncomplete]
// after a page out of order, a search that cannot continue, or MaxSearches empty pages in a row.
//
// REST: GET /v0/addresses/{address}/transactions.
func (c *Client) History(ctx context.Context, address types.Address, opts *HistoryOptions) types.List[enhanced.Transaction] {
	o := argument.Options(opts)
	searches, position := cmp.Or(o.MaxSearches, 10), "before-signature"
	if o.Ascending {
		position = "after-signature"
	}
	invalid := cmp.Or(argument.Address("address", address), o.check())
	l := paging.ListingOf(c.api, opHistory, address, strconv.FormatBool(o.Ascending), o.PageOptions)
	return paging.List(ctx, l, func(ctx context.Context, w *paging.Walk) (*types.Page[enhanced.Transaction], error) {
		if w.Empty > 0 && w.Empty >= searches {
			return nil, w.Incomplete("%d searches in a row found no transaction; raise MaxSearches or resume at the cursor", w.Empty)
		}
		request := transport.Request{Op: opHistory, Invalid: invalid, Path: []string{string(address)}, Query: o.query(), Items: &w.Items}
		set(request.Query, position, w.At)
		items, err := transport.Fetch(ctx, c.api, request, paging.CheckItems[enhanced.Transaction])
		page, cursor, more := new(types.Page[enhanced.Transaction]), "", true
		var refusal *types.APIError
		switch {
		case err == nil:
			page.Items = *items
			if n := len(page.Items); n > 0 {
				cursor = string(page.Items[n-1].Signature)
			}
			cursor, more = w.Items.Last(len(page.Items), cursor), len(page.Items)+len(w.Items.Unreadable) > 0
		case errors.As(err, &refusal) && strings.Contains(refusal.Message, "within the search period"):
			cursor = signature.FindString(refusal.Message) // the search can continue there
		default:
			return nil, err
		}
		at := func(i int) paging.Place { return paging.Place{Slot: page.Items[i].Slot} }
		switch {
		case w.InOrder(len(page.Items), at, o.Ascending, true) != nil:
			page.Cursor = paging.DeadEnd("transactions are not in the order of their slots")
		case more:
			page.Cursor = cmp.Or(cursor, paging.DeadEnd("there is no signature from which to continue"))
		}
		return page, nil
	})
}

var signature = regexp.MustCompile("[1-9A-HJ-NP-Za-km-z]{64,88}")
