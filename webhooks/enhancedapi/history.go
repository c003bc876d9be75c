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
// like nil, selects all of them and starts at the newest one.
type HistoryOptions struct {
	// Of PageOptions, Limit is at most 100, and 0 means 100. The price of a page is the same.
	types.PageOptions

	// Ascending reverses the order, which is from new to old.
	Ascending bool

	Commitment types.Commitment // empty means CommitmentFinalized; not CommitmentProcessed

	// Type selects transactions of one type; empty means all types. A type that the
	// service does not know in histories selects nothing, without an error.
	Type txtype.Type

	// Source selects transactions of one program or marketplace, such as MAGIC_EDEN;
	// empty means all.
	Source string

	// SinceSlot and UntilSlot select transactions at or after the slot SinceSlot and
	// before UntilSlot. 0 means no bound.
	SinceSlot, UntilSlot uint64

	// Since and Until select transactions at or after Since and before Until; zero means
	// no bound. The service takes bounds of time or of slots, not both.
	Since, Until time.Time

	// TokenAccounts adds the transactions that name only a token account of the address, such
	// as incoming transfers of tokens. Empty means [types.TokenAccountHistoryChanged];
	// [types.TokenAccountHistoryNone] leaves them out. A page costs the same either way.
	TokenAccounts types.TokenAccountHistory

	// MaxSearches ends a listing with a Type with [types.ErrIncomplete] after so many
	// empty pages in a row, at 100 credits each. 0 means 10.
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
	order := ""
	if o.Ascending {
		order = "asc"
	}
	times := argument.NewTimes(o.Since, o.Until)
	q := url.Values{}
	for name, value := range map[string]string{
		"limit": strconv.Itoa(cmp.Or(o.Limit, opHistory.Facts().Items)), "sort-order": order, "commitment": string(o.Commitment),
		"type": string(o.Type), "source": o.Source, "token-accounts": string(cmp.Or(o.TokenAccounts, types.TokenAccountHistoryChanged)),
		"gte-slot": text(&o.SinceSlot), "lt-slot": text(&o.UntilSlot), "gte-time": text(times.Since), "lt-time": text(times.Until),
	} {
		if value != "" {
			q.Set(name, value)
		}
	}
	return q
}

// text returns a bound, empty if there is none.
func text[T int64 | uint64](bound *T) string {
	if bound == nil || *bound == 0 {
		return ""
	}
	return fmt.Sprint(*bound)
}

// History lists the transactions of address and, if it is a wallet, of its token accounts as
// enhanced webhooks deliver them, and failed ones too. Read the list with All, Pages, Page or
// Collect; each page costs 100 credits. A page may be short although more follow, and the last
// page is empty. With a Type, the service searches a part of the history at a time: a page
// without a match is empty, but not the last (HasMore). A page out of order, a search that
// cannot continue, and MaxSearches empty pages in a row end a reading with
// [types.ErrIncomplete].
//
// The service keeps this API in maintenance: it parses no new types of transactions. Its
// successor, at a tenth of the price, is package rpc/parsedapi.
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
		if w.At != "" {
			request.Query.Set(position, w.At)
		}
		page, err := c.historyPage(ctx, request)
		if err != nil {
			return nil, err
		}
		at := func(i int) paging.Place { return paging.Place{Slot: page.Items[i].Slot} }
		if w.InOrder(len(page.Items), at, o.Ascending, true) != nil {
			page.Cursor = paging.DeadEnd("transactions are not in the order of their slots")
		}
		return page, nil
	})
}

// historyPage requests one page.
func (c *Client) historyPage(ctx context.Context, request transport.Request) (*types.Page[enhanced.Transaction], error) {
	items, err := transport.Fetch(ctx, c.api, request, paging.CheckItems[enhanced.Transaction])
	cursor, searched := continuation(err)
	if err != nil && !searched {
		return nil, err
	}
	page := new(types.Page[enhanced.Transaction])
	if !searched {
		page.Items, cursor = *items, request.Items.Last(len(*items), lastOf(*items))
	}
	if searched || len(page.Items)+len(request.Items.Unreadable) > 0 {
		page.Cursor = cmp.Or(cursor, paging.DeadEnd("there is no signature from which to continue"))
	}
	return page, nil
}

// lastOf returns the signature of the last item.
func lastOf(items []enhanced.Transaction) string {
	if len(items) == 0 {
		return ""
	}
	return string(items[len(items)-1].Signature)
}

var signature = regexp.MustCompile("[1-9A-HJ-NP-Za-km-z]{64,88}")

// continuation recognizes the refusal that ends a search for a type without a match. It returns
// the signature from which the search can continue.
func continuation(err error) (cursor string, searched bool) {
	var refusal *types.APIError
	if !errors.As(err, &refusal) || !strings.Contains(refusal.Message, "within the search period") {
		return "", false
	}
	return signature.FindString(refusal.Message), true
}
