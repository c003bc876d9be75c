package parsedapi

import (
	"cmp"
	"context"
	"fmt"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/parsed"
)

var (
	opScan           = transport.Op{Method: "parsedapi.Client.Scan", Wire: "POST /v1/parsed-events/scan"}
	opScanSignatures = transport.Op{Method: "parsedapi.Client.ScanSignatures", Wire: "POST /v1/parsed-events/scan"}
	opScanCount      = transport.Op{Method: "parsedapi.Client.ScanCount", Wire: "POST /v1/parsed-events/scan"}
)

// ScanOptions are the options of [Client.Scan], [Client.ScanSignatures] and
// [Client.ScanCount]. The zero value, like nil, means the whole history, the newest
// transactions first, failed ones included.
type ScanOptions struct {
	// HistoryOptions select the transactions to search, and say how to list the matches. Limit and
	// Raw are for Scan only: a page of ScanSignatures has all matches in its part of the history.
	HistoryOptions

	// Budget limits the transactions that a request searches; 0 means 10 000, the maximum of the
	// service. Wire name: maxScannedTransactions.
	Budget int `json:"-"`
}

// A ScanPage is a page of matches, with the extent of the search.
type ScanPage[T any] struct {
	// Page has the matches. It may be empty although the scan continues.
	types.Page[T]

	Scanned
}

// Scanned is the extent of a search.
type Scanned struct {
	StoppedOn StoppedOn `json:"stoppedOn"` // why the request ended

	Searched uint64 `json:"scannedTransactions"` // wire name: scannedTransactions
	Matched  uint64 `json:"matchedTransactions"` // wire name: matchedTransactions

	// Through is the last transaction that was searched; nil if there was none. Wire name:
	// scannedThrough.
	Through *ScanPosition `json:"scannedThrough"`

	// Credits are the price that the service charged; a [types.Meter] counts them. Wire
	// name: creditsCharged.
	Credits uint64 `json:"creditsCharged"`
}

// A ScanPosition is a place in a history.
type ScanPosition struct {
	Slot      uint64     `json:"slot"`
	BlockTime types.Time `json:"blockTime"` // zero when unknown
}

// StoppedOn is why a request of a scan ended. Other values than the constants pass through.
type StoppedOn string

// The reasons. After all but the first, the scan continues.
const (
	StoppedOnWindowEnd StoppedOn = "windowEnd" // all of the history is searched
	StoppedOnLimit     StoppedOn = "limit"     // the page has Limit matches
	StoppedOnBudget    StoppedOn = "budget"    // the request has searched its Budget
	StoppedOnDeadline  StoppedOn = "deadline"  // the request has taken its time
)

// A ScanSignature is a match without its contents.
type ScanSignature struct {
	Signature types.Signature `json:"signature"`
	Slot      uint64          `json:"slot"`

	// IndexWithinBlock is the position in execution order. Wire name: transactionIndex.
	IndexWithinBlock uint64 `json:"transactionIndex"`

	BlockTime types.Time `json:"blockTime"` // zero when unknown
}

// Scan lists the matching transactions of an address, parsed. The service searches the history of
// the address: 10 000 transactions cost 20 credits, but 1000 credits with [Client.History]. The
// address may be a program. If all matches name several addresses, pass the address with the
// shortest history, since all of it is searched.
//
// Read the list with All, Pages, Page or Collect. Each page costs 10 credits and 1 more per
// 1000 transactions that were searched for it. Pages may be empty although more follow.
//
// REST: POST /v1/parsed-events/scan.
func (c *Client) Scan(ctx context.Context, address types.Address, match Match, opts *ScanOptions) types.ListOf[ScanPage[parsed.Result], parsed.Result] {
	o := argument.Options(opts)
	s := newScan(c, opScan, address, match, &o, cmp.Or(argument.NotNegative("Limit", o.Limit), checkRaw(o.Raw)))
	s.body.Limit, s.members.Raw = cmp.Or(o.Limit, opScan.Facts().Items), o.Raw
	return scanList(ctx, s, (*result).public, placeOf, check)
}

// ScanSignatures is like [Client.Scan] for the signatures alone. A page has all matches in its part
// of the history, so that there are fewer pages.
//
// Read the list with All, Pages, Page or Collect. Each page costs 10 credits and 1 more per
// 1000 transactions that were searched for it.
//
// REST: POST /v1/parsed-events/scan.
func (c *Client) ScanSignatures(
	ctx context.Context, address types.Address, match Match, opts *ScanOptions,
) types.ListOf[ScanPage[ScanSignature], ScanSignature] {
	o := argument.Options(opts)
	s := newScan(c, opScanSignatures, address, match, &o, noItems(&o))
	s.body.Shape = "signatures"
	return scanList(ctx, s, func(m *ScanSignature) ScanSignature { return *m },
		func(m *ScanSignature) paging.Place { return paging.Place{Slot: m.Slot, ID: string(m.Signature)} },
		func(list []ScanSignature) error {
			if err := paging.CheckItems(&list); err != nil {
				return err
			}
			for i := range list {
				if list[i].Signature == "" {
					return fmt.Errorf("item %d of the response has no signature", i)
				}
			}
			return nil
		})
}

// ScanCount counts the transactions of an address that match, in as many requests as needed.
// Each costs 10 credits and 1 more per 1000 transactions that it searched. The result is the sum
// of the requests.
//
// REST: POST /v1/parsed-events/scan.
func (c *Client) ScanCount(ctx context.Context, address types.Address, match Match, opts *ScanOptions) (*Scanned, error) {
	o := argument.Options(opts)
	s := newScan(c, opScanCount, address, match, &o, noItems(&o))
	s.body.Shape = "count"
	total := Scanned{}
	none := func(*struct{}) struct{} { return struct{}{} }
	for page, err := range scanList(ctx, s, none, func(*struct{}) paging.Place { return paging.Place{} }, func([]struct{}) error { return nil }).Pages() {
		if err != nil {
			return nil, err
		}
		total.StoppedOn, total.Through = page.StoppedOn, cmp.Or(page.Through, total.Through)
		total.Searched += page.Searched
		total.Matched += page.Matched
		total.Credits += page.Credits
	}
	return &total, nil
}

func noItems(o *ScanOptions) error {
	switch {
	case o.Limit != 0:
		return argument.Invalid("Limit", "is for Scan only; set Budget")
	case o.Raw != "":
		return argument.Invalid("Raw", "is for Scan only")
	}
	return nil
}

// A scan has the arguments of a search.
type scan struct {
	client  *Client
	request transport.Request
	listing paging.Listing
	members members
	body    scanRequest
}

// A scanRequest is the wire form of a scan.
type scanRequest struct {
	Address types.Address `json:"address"`
	Match   Match         `json:"match"`
	ScanOptions
	Limit  int    `json:"limit,omitempty"`
	Cursor string `json:"paginationToken,omitempty"`
	members
	Order  string         `json:"sortOrder,omitempty"`
	Slots  argument.Slots `json:"slot,omitzero"`
	Times  argument.Times `json:"time,omitzero"`
	Budget scanBudget     `json:"budget,omitzero"`
	Shape  string         `json:"returnShape,omitempty"`
}

type scanBudget struct {
	Most int `json:"maxScannedTransactions"`
}

func newScan(c *Client, op transport.Op, address types.Address, match Match, o *ScanOptions, invalid error) *scan {
	match = match.sent()
	s := &scan{
		client: c, members: membersOf(o.Outcome, o.TokenAccounts, ""),
		request: transport.Request{Op: op, About: address, Invalid: cmp.Or(
			argument.Address("address", address), match.check(), argument.FinalCommitment(o.Commitment), argument.Fields(o), invalid,
		)},
		listing: paging.ListingOf(c.api, op, address, fmt.Sprint(o.Ascending, match.text()), o.PageOptions),
		body: scanRequest{
			Address: address, Match: match, ScanOptions: *o, Slots: argument.Slots{Since: o.SinceSlot, Until: o.UntilSlot}, Times: argument.NewTimes(o.Since, o.Until),
			Budget: scanBudget{o.Budget},
		},
	}
	if o.Ascending {
		s.body.Order = "asc"
	}
	return s
}

// A scannedPage is a page as it is sent.
type scannedPage[W any] struct {
	Data  []W      `json:"data"`            // missing in a count
	Token string   `json:"paginationToken"` // missing, null or empty on the last page
	Scan  *Scanned `json:"scan" required:"true"`
}

// scanList returns the list of a scan. Item makes an item of a sent one, and at tells its place.
func scanList[W, T any](
	ctx context.Context, s *scan, item func(*W) T, at func(*T) paging.Place, check func([]W) error,
) types.ListOf[ScanPage[T], T] {
	return paging.ListOf(ctx, s.listing, func(ctx context.Context, w *paging.Walk) (*ScanPage[T], error) {
		w.Size.Max = s.body.Limit
		var got *scannedPage[W]
		err := w.Size.Try(func(n int) (err error) {
			got, err = fetchScan(ctx, s, w, cmp.Or(n, w.Size.Max), check)
			return err
		})
		if err != nil {
			return nil, err
		}
		page := &ScanPage[T]{types.Page[T]{Items: make([]T, len(got.Data)), Cursor: got.Token}, *got.Scan}
		for i := range got.Data {
			page.Items[i] = item(&got.Data[i])
		}
		return page, w.InOrder(len(page.Items), func(i int) paging.Place { return at(&page.Items[i]) }, s.body.Ascending, true)
	}, func(p *ScanPage[T]) *types.Page[T] { return &p.Page })
}

// fetchScan requests the page of a walk, with at most n items where that applies.
func fetchScan[W any](ctx context.Context, s *scan, w *paging.Walk, n int, check func([]W) error) (*scannedPage[W], error) {
	r := s.request
	r.Items = &w.Items
	r.Credits = func(got any) uint64 {
		if page, ok := got.(*scannedPage[W]); ok && page.Scan != nil {
			return page.Scan.Credits
		}
		return r.Op.Facts().Credits
	}
	return fetch(ctx, s.client, r, s.members, func(m members) any {
		body := s.body
		body.members, body.Cursor, body.Limit = m, w.At, n
		return body
	}, func(p *scannedPage[W]) error {
		return cmp.Or(transport.Require(p.Data != nil || s.body.Shape == "count", "data"), check(p.Data))
	})
}
