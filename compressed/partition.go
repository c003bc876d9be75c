package compressed

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var (
	opPartitionedAccountsByOwner     = transport.Op{Method: "compressed.Client.PartitionedAccountsByOwner", Wire: "getCompressedAccountsByOwner"}
	opPlanPartitionedAccountsByOwner = transport.Op{Method: "compressed.Client.PlanPartitionedAccountsByOwner", Wire: "getCompressedAccountsByOwner"}
)

// PartitionOptions are the options of a partitioned listing. The zero value, like nil,
// selects all accounts, one request at a time, by bytes that it chooses itself.
type PartitionOptions struct {
	// Offsets are the places in the data of accounts whose bytes make the parts: one
	// part for each value of the byte at Offsets[0], and 256 smaller ones, by the
	// byte at Offsets[1], in place of a part that does not fit a page, and so on.
	// Offset 0 is the first byte after the discriminator. If they are missing or too
	// few, more are chosen from the first page of accounts.
	Offsets []uint64

	// Concurrency is how many parts are requested at once; 0 means 1.
	Concurrency int

	// Cursor resumes after a page: set it to the Cursor of the last page you handled.
	// Empty starts at the first page. Offsets are part of it.
	Cursor string

	// DataSlice is the part of AccountData.Bytes to return; nil means all of it. It
	// costs one more request for each set of accounts that is split.
	DataSlice *types.DataSlice

	// Filters are conditions that an account has to match all of. With 5 filters, the
	// most that the service takes, accounts cannot be split.
	Filters []types.Filter
}

// A PartitionPlan says what a partitioned listing will request.
type PartitionPlan struct {
	// Offsets are the offsets of the listing. They are empty if one page has all accounts,
	// or if no byte tells the accounts of the first page apart.
	Offsets []uint64

	// Requests is the number of requests that the listing sends, at 10 credits each, if
	// every part fits a page. Each part that does not adds 256.
	Requests int
}

// PlanPartitionedAccountsByOwner returns what [Client.PartitionedAccountsByOwner]
// would do, to know its costs beforehand. It costs 10 credits, or 20 with a DataSlice,
// and none with a Cursor. Pass the Offsets on to the listing.
func (c *Client) PlanPartitionedAccountsByOwner(
	ctx context.Context, owner types.Address, opts *PartitionOptions,
) (*PartitionPlan, error) {
	w, err := c.newPartition(ctx, opPlanPartitionedAccountsByOwner, owner, opts)
	if err != nil {
		return nil, err
	}
	defer w.stop()
	if !w.resumed {
		root, err := w.first()
		if err != nil {
			return nil, err
		}
		if !root.page.HasMore {
			return &PartitionPlan{Requests: w.requests}, nil
		}
	}
	plan := &PartitionPlan{Offsets: w.offsets, Requests: w.requests}
	if len(w.queue) > 0 {
		plan.Requests += len(w.queue) + 1 // the request of probe
		if len(w.options.Filters) == 0 {
			plan.Requests++ // the balance at the end
			if !w.resumed {
				plan.Requests++ // and at the beginning
			}
		}
	}
	return plan, nil
}

// PartitionedAccountsByOwner lists the accounts of an owner on indexers whose cursors skip
// accounts, in parts that it selects by single bytes of their data; accounts without data
// there may be missing, which the list notices by the owner's balance and by a sample (see
// the package comment). Most pages are one part each, and may be empty. The list ends with
// [types.ErrIncomplete] at a part that does not fit a page and cannot be split, and when
// accounts turn out to be missing. It costs 10 credits if one page has all accounts, and
// otherwise 2600 or more, which [Client.PlanPartitionedAccountsByOwner] estimates. Read
// the list with All, Pages, Page or Collect.
//
// JSON-RPC method: getCompressedAccountsByOwnerV2, or getCompressedAccountsByOwner.
func (c *Client) PartitionedAccountsByOwner(ctx context.Context, owner types.Address, opts *PartitionOptions) types.List[Account] {
	o := opts.copied()
	pages := func(yield func(*types.Page[Account], error) bool) {
		w, err := c.newPartition(ctx, opPartitionedAccountsByOwner, owner, &o)
		if err != nil {
			yield(nil, err)
			return
		}
		defer w.stop()
		w.options.Concurrency = 1 // until the caller asks for a second page
		for ; ; w.options.Concurrency = o.Concurrency {
			page, err := w.next()
			if err != nil {
				yield(nil, err)
				return
			}
			next := page.Cursor // the caller may change the page
			if !yield(page, nil) || next == "" {
				return
			}
			if err := paging.CheckDeadEnd(c.currentOp(opAccountsByOwner).Wire, next); err != nil {
				yield(nil, err)
				return
			}
		}
	}
	return types.NewList(pages)
}

func (o *PartitionOptions) copied() PartitionOptions {
	if o == nil {
		return PartitionOptions{}
	}
	p := *o
	p.Offsets = slices.Clone(o.Offsets)
	p.Filters = slices.Clone(o.Filters)
	if o.DataSlice != nil {
		part := *o.DataSlice
		p.DataSlice = &part
	}
	return p
}

// maxFilters is the most filters of a request.
const maxFilters = 5

func (o *PartitionOptions) check() error {
	listing := AccountsByOwnerOptions{DataSlice: o.DataSlice, Filters: o.Filters}
	if err := listing.check(); err != nil {
		return err
	}
	room := maxFilters - len(o.Filters)
	switch {
	case room < 1:
		return argument.Invalid("Filters", fmt.Sprintf("has %d filters; at most %d leave room for one that splits", len(o.Filters), maxFilters-1))
	case len(o.Offsets) > room:
		return argument.Invalid("Offsets", fmt.Sprintf("has %d offsets, which with %d filters is more than the service takes (%d)", len(o.Offsets), len(o.Filters), maxFilters))
	}
	for i, offset := range o.Offsets {
		if offset > maxOffset {
			return argument.Invalid(fmt.Sprintf("Offsets[%d]", i), "is beyond 2147483646")
		}
		if slices.Contains(o.Offsets[:i], offset) {
			return argument.Invalid(fmt.Sprintf("Offsets[%d]", i), "is a duplicate")
		}
	}
	return argument.NotNegative("Concurrency", o.Concurrency)
}

// A partition is the state of a partitioned listing.
type partition struct {
	client    *Client
	selection paging.Selection
	ctx       context.Context //nolint:containedctx // of one range
	cancel    context.CancelFunc
	owner     types.Address
	options   PartitionOptions
	offsets   []uint64
	queue     []*part // the next parts, in order
	resumed   bool
	started   bool
	requests  int // sent by first
	sums      sums
	forked    map[string]bool // the paths of split parts
	highest   []types.Hash    // of the accounts so far, descending
}

// sums are what is known about accounts in no part. They are carried in cursors.
type sums struct {
	balance  uint64 // of the owner when the listing began; 0 with filters
	lamports uint64 // of all accounts so far
	overflow bool
	rest     rest
}

// rest is what was seen of accounts in no part.
type rest int

const (
	noRest     rest = iota // none
	paidRest               // all have lamports, so that their sum shows them
	hiddenRest             // one has none
)

func (s *sums) add(accounts []Account) {
	for i := range accounts {
		var carry uint64
		s.lamports, carry = bits.Add64(s.lamports, accounts[i].Lamports, 0)
		s.overflow = s.overflow || carry > 0
	}
}

func (s *sums) addRest(accounts []Account) {
	s.add(accounts)
	for i := range accounts {
		if accounts[i].Lamports == 0 {
			s.rest = hiddenRest
		} else {
			s.rest = max(s.rest, paidRest)
		}
	}
}

func (c *Client) newPartition(ctx context.Context, op transport.Op, owner types.Address, opts *PartitionOptions) (*partition, error) {
	o := opts.copied()
	var noContext error
	if ctx == nil {
		noContext = argument.Invalid("ctx", "is nil")
	}
	w := &partition{
		client: c, selection: paging.Selection{opPartitionedAccountsByOwner.Method, string(owner), textOf(o.Filters)},
		owner: owner, options: o, offsets: o.Offsets, forked: map[string]bool{},
	}
	if err := paging.CheckDeadEnd(c.currentOp(opAccountsByOwner).Wire, o.Cursor); err != nil {
		return nil, err
	}
	position, err := w.selection.Position(o.Cursor)
	if err != nil {
		return nil, err
	}
	if err := c.api.Check(op, noContext, argument.Address("owner", owner), o.check(), w.resume(position)); err != nil {
		return nil, err
	}
	w.ctx, w.cancel = context.WithCancel(ctx)
	return w, nil
}

// stop ends the requests that are under way.
func (w *partition) stop() {
	w.cancel()
	for _, p := range w.queue {
		p.pending.End()
	}
}

// next returns the next page.
func (w *partition) next() (*types.Page[Account], error) {
	if !w.started && !w.resumed {
		w.started = true
		return w.begin()
	}
	for {
		p := w.queue[0]
		for _, ahead := range w.queue[:min(max(w.options.Concurrency, 1), len(w.queue))] {
			w.request(ahead)
		}
		var err error
		if p.page, err = p.pending.Wait(); err != nil {
			return nil, err
		}
		w.queue = w.queue[1:]
		switch {
		case !p.page.HasMore:
			w.sums.add(p.page.Items)
			return w.finish(p.page)
		case len(p.path) == len(w.offsets):
			w.sums.add(p.page.Items)
			w.sums.rest = hiddenRest // for a listing that is resumed after this page
			incomplete(p.page, fmt.Sprintf("a part of more than %d accounts cannot be split; set other Offsets, or Filters", maxLimit-1))
			return p.page, nil
		}
		if err := w.split(p); err != nil {
			return nil, err
		}
		if page := w.restOf(p); len(page.Items) > 0 {
			return w.finish(page)
		}
	}
}

// begin returns the first page: all accounts, or the accounts in no part.
func (w *partition) begin() (*types.Page[Account], error) {
	root, err := w.first()
	switch {
	case err != nil:
		return nil, err
	case !root.page.HasMore:
		return root.page, nil
	case len(w.queue) == 0:
		incomplete(root.page, "no byte of their data tells the accounts apart; set Offsets, or Filters")
		return root.page, nil
	case len(w.options.Filters) == 0:
		if w.sums.balance, err = w.client.BalanceByOwner(w.ctx, w.owner); err != nil {
			return nil, err
		}
	}
	return w.finish(w.restOf(root))
}

// finish sets the cursor of a page, or checks what was seen if it is the last one.
func (w *partition) finish(page *types.Page[Account]) (*types.Page[Account], error) {
	w.note(page.Items)
	page.Cursor, page.HasMore = w.cursor(), len(w.queue) > 0
	if page.HasMore {
		return page, nil
	}
	whole, err := w.whole()
	if err != nil {
		return nil, err
	}
	if !whole {
		incomplete(page, "accounts without data, or with too little of it, are in no part and may be missing")
	}
	return page, nil
}

// whole reports whether there are no other accounts in no part than those seen.
func (w *partition) whole() (bool, error) {
	if w.sums.rest != hiddenRest {
		if err := w.probe(); err != nil {
			return false, err
		}
	}
	switch {
	case len(w.options.Filters) > 0 || w.sums.overflow:
		return w.sums.rest == noRest, nil
	case w.sums.rest == hiddenRest:
		return false, nil
	}
	balance, err := w.client.BalanceByOwner(w.ctx, w.owner)
	changed := balance != w.sums.balance // meanwhile, so that the sum says nothing
	return changed || balance == w.sums.lamports, err
}
