// Package partition lists all compressed accounts of an owner on indexers whose cursors
// skip accounts, where [compressed.Client.AccountsByOwner] ends with
// types.ErrIncomplete. It lists them in parts that fit a page: the accounts with the same
// value in one byte of their data. This takes at least 260 requests of 10 credits each.
//
// A whole program:
//
//	// Count prints what a partitioned listing costs, and counts the accounts of an owner.
//	package main
//
//	import (
//		"context"
//		"errors"
//		"fmt"
//		"log"
//		"os"
//
//		"github.com/solwire/solwire-go/compressed"
//		"github.com/solwire/solwire-go/compressed/partition"
//		"github.com/solwire/solwire-go/types"
//	)
//
//	func main() {
//		client, err := compressed.New(types.Config{APIKey: types.Key(os.Getenv("HELIUS_API_KEY"))})
//		if err != nil {
//			log.Fatal(err)
//		}
//		ctx := context.Background()
//		owner := types.Address("BtJ5rdXcZs8hVqK2nTyWfMgPe7UDAoLx3Ri9GQk6uHSv")
//		plan, err := partition.PlanByOwner(ctx, client, owner, nil)
//		if err != nil {
//			log.Fatal(err)
//		}
//		fmt.Println("this costs", 10*plan.Requests, "credits or more")
//		accounts := 0
//		opts := &partition.Options{Offsets: plan.Offsets, Concurrency: 4}
//		for _, err := range partition.AccountsByOwner(ctx, client, owner, opts).All() {
//			if errors.Is(err, types.ErrIncomplete) {
//				fmt.Println("some may be missing:", err)
//				break
//			}
//			if err != nil {
//				log.Fatal(err)
//			}
//			accounts++
//		}
//		fmt.Println(accounts, "accounts")
//	}
//
// Accounts that have no data at the chosen offsets belong to no part. The list notices
// that some are missing if they have lamports, because the lamports of its accounts then
// differ from [compressed.Client.BalanceByOwner], or if one of them is on the first page
// or in a sample of about 900 accounts. It then ends with types.ErrIncomplete. With
// Filters, which the balance ignores, only the first page and the sample show missing
// accounts. If the balance changes during the listing, it ends with [ErrUnchecked].
package partition

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/types"
)

// ErrUnchecked means that the listing returned all parts, and that accounts without data
// may be missing: the lamports of the owner changed during the listing. An error that
// matches it also matches [types.ErrIncomplete].
var ErrUnchecked = errors.New("the lamports of the owner changed during the listing, so accounts without data may be missing")

// Options are the options of a partitioned listing. The zero value, like nil, selects all
// accounts, one request at a time, by bytes that the listing chooses.
type Options struct {
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

	// DataSlice is the part of AccountData.Bytes to return; nil means all of it. At
	// least the first 256 bytes are requested, to choose offsets.
	DataSlice *types.DataSlice

	// Filters are conditions that an account has to match all of. With 5 filters, the
	// most that the service takes, accounts cannot be split.
	Filters []types.Filter
}

// A Plan says what a partitioned listing will request.
type Plan struct {
	// Offsets are the offsets of the listing. They are empty if one page has all accounts,
	// or if no byte tells the accounts of the first page apart.
	Offsets []uint64

	// Requests is the number of requests that the listing sends, at 10 credits each, if
	// every part fits a page. Each part that does not adds 256.
	Requests int
}

// PlanByOwner returns what [AccountsByOwner] would do, to know its costs beforehand. It
// costs 10 credits, and none with a Cursor. Pass the Offsets on to the listing.
func PlanByOwner(ctx context.Context, client *compressed.Client, owner types.Address, opts *Options) (*Plan, error) {
	w := newWalk(client, owner, opts)
	position, err := w.selection.Position(w.options.Cursor)
	if err != nil {
		return nil, err
	}
	plan := &Plan{}
	if err := w.start(ctx, "partition.PlanByOwner", position); err != nil {
		return nil, err
	}
	if position == "" {
		plan.Requests = 1
		if _, err := w.first(); err != nil {
			return nil, err
		}
	}
	if len(w.Next) > 0 {
		plan.Offsets = w.Offsets
		plan.Requests += 2 // the next part, and the sample at the end
		for _, b := range w.Next {
			plan.Requests += 255 - int(b)
		}
		if len(w.options.Filters) == 0 {
			plan.Requests++ // the balance at the end
			if position == "" {
				plan.Requests++ // and at the beginning
			}
		}
	}
	return plan, nil
}

// AccountsByOwner lists the accounts of an owner in parts that it selects by single bytes
// of their data. Most pages are one part each, and may be empty. The list ends with
// [types.ErrIncomplete] at a part that does not fit a page and cannot be split, and when
// accounts without data are missing or may be (see the package comment). It costs 10
// credits if one page has all accounts, and otherwise 2600 or more, which [PlanByOwner]
// estimates. Read the list with All, Pages, Page or Collect.
func AccountsByOwner(ctx context.Context, client *compressed.Client, owner types.Address, opts *Options) types.List[compressed.Account] {
	first := newWalk(client, owner, opts)
	listing := paging.Listing{Op: method, About: string(owner), Selection: first.selection, Cursor: first.options.Cursor}
	return paging.ListOf(ctx, listing, func() paging.Fetch[accountPage] {
		return newWalk(client, owner, &first.options).next
	})
}

const method = "partition.AccountsByOwner"

// maxFilters is the most filters of a request, and maxOffset the largest offset.
const (
	maxFilters = 5
	maxOffset  = 1<<31 - 2
)

func (o *Options) check() error {
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

type accountPage = types.Page[compressed.Account]

// A walk is the state of one reading.
type walk struct {
	state

	client    *compressed.Client
	ctx       context.Context //nolint:containedctx // of one reading
	owner     types.Address
	options   Options
	selection paging.Selection
	split     map[string]bool                          // the paths of parts that were split
	ahead     map[string]*paging.Pending[*accountPage] // requested parts, by path
}

func newWalk(client *compressed.Client, owner types.Address, opts *Options) *walk {
	o := argument.Options(opts)
	o.Offsets, o.Filters = slices.Clone(o.Offsets), slices.Clone(o.Filters)
	if o.DataSlice != nil {
		part := *o.DataSlice
		o.DataSlice = &part
	}
	return &walk{
		state: state{Offsets: o.Offsets}, client: client, owner: owner, options: o,
		split: map[string]bool{}, ahead: map[string]*paging.Pending[*accountPage]{},
		selection: paging.Selection{method, string(owner), argument.FilterText(o.Filters)},
	}
}

// start checks the arguments and resumes at a cursor.
func (w *walk) start(ctx context.Context, method, cursor string) error {
	w.ctx = ctx
	if err := cmp.Or(w.options.check(), w.resume(cursor)); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return nil
}

// next returns the next page.
func (w *walk) next(ctx context.Context, cursor string) (*accountPage, error) {
	together := max(1, w.options.Concurrency)
	if w.ctx == nil {
		if err := w.start(ctx, method, cursor); err != nil {
			return nil, err
		}
		together = 1 // the caller may want one page only
	}
	switch {
	case w.Unchecked:
		return nil, fmt.Errorf("%s: %w: %w", paging.Name(method, string(w.owner)), ErrUnchecked, types.ErrIncomplete)
	case cursor == "":
		return w.begin()
	}
	for {
		path := w.Next
		page, err := w.part(together)
		switch {
		case err != nil:
			return nil, err
		case !page.HasMore:
			w.Next = after(path)
			return w.finish(page)
		case len(path) == len(w.Offsets):
			return w.deadEnd(page, "a part of more than 999 accounts cannot be split; set other Offsets, or Filters"), nil
		}
		if page.Items = w.divide(path, page.Items); len(page.Items) > 0 {
			return w.finish(page)
		}
	}
}

// part requests the next part, together with those after it.
func (w *walk) part(together int) (*accountPage, error) {
	next := string(w.Next)
	if w.ahead[next] == nil {
		for path := w.Next; path != nil && together > 0; path = after(path) {
			if w.ahead[string(path)] == nil {
				w.ahead[string(path)] = paging.Go(func() (*accountPage, error) { return w.request(path, "").Page() })
			}
			together--
		}
		for _, p := range w.ahead {
			p.End() // so that no goroutine outlives the loop
		}
	}
	defer delete(w.ahead, next)
	return w.ahead[next].Wait()
}

// begin returns the first page: all accounts, or accounts in no part.
func (w *walk) begin() (*accountPage, error) {
	page, err := w.first()
	switch {
	case err != nil:
		return nil, err
	case !page.HasMore:
		w.slice(page)
		return page, nil
	case len(w.Next) == 0:
		return w.deadEnd(page, "no byte of their data tells the accounts apart; set Offsets, or Filters"), nil
	case len(w.options.Filters) == 0:
		if w.Balance, err = w.client.BalanceByOwner(w.ctx, w.owner); err != nil {
			return nil, err
		}
	}
	return w.finish(page)
}

// first requests the first page of all accounts. If there are more, it chooses the offsets
// and begins with the first part, unless no byte tells the accounts apart, and leaves the accounts in
// no part.
func (w *walk) first() (*accountPage, error) {
	page, err := w.request(nil, "").Page()
	if err != nil || !page.HasMore {
		return page, err
	}
	if w.Offsets = chooseOffsets(page.Items, w.Offsets, maxFilters-len(w.options.Filters)); len(w.Offsets) > 0 {
		page.Items = w.divide(nil, page.Items)
	}
	return page, nil
}

// request lists the accounts of a part after an account, or all of them.
func (w *walk) request(path []byte, after string) types.List[compressed.Account] {
	o := &compressed.AccountsByOwnerOptions{Cursor: after, Filters: slices.Clone(w.options.Filters)}
	for i, b := range path {
		o.Filters = append(o.Filters, types.Memcmp(w.Offsets[i], []byte{b}))
	}
	if s := w.options.DataSlice; s != nil {
		o.DataSlice = &types.DataSlice{Length: max(s.Offset+s.Length, sampledBytes, slices.Max(append(w.Offsets, 0))+1)}
	}
	return w.client.AccountsByOwner(w.ctx, w.owner, o)
}

// slice cuts the data of accounts to the DataSlice of the options.
func (w *walk) slice(page *accountPage) {
	s := w.options.DataSlice
	for i := range page.Items {
		if data := page.Items[i].Data; s != nil && data != nil {
			size := uint64(len(data.Bytes))
			data.Bytes = data.Bytes[min(s.Offset, size):min(s.Offset+s.Length, size)]
		}
	}
}

// finish completes a page: its cursor, or what the checks at the end show.
func (w *walk) finish(page *accountPage) (*accountPage, error) {
	w.note(page.Items)
	w.slice(page)
	page.HasMore = len(w.Next) > 0
	if page.Cursor = ""; page.HasMore {
		page.Cursor = w.cursor()
		return page, nil
	}
	if !w.Unpaid {
		if err := w.probe(); err != nil {
			return nil, err
		}
	}
	const missing = "accounts without data, or with too little of it, are in no part and may be missing"
	switch {
	case w.Unpaid, w.Outside && len(w.options.Filters) > 0:
		return w.deadEnd(page, missing), nil
	case len(w.options.Filters) > 0:
		return page, nil
	}
	balance, err := w.client.BalanceByOwner(w.ctx, w.owner)
	switch {
	case err != nil:
		return nil, err
	case balance == w.Lamports:
	case balance == w.Balance:
		return w.deadEnd(page, missing), nil
	default:
		w.Unchecked = true
		page.Cursor, page.HasMore = w.cursor(), true
	}
	return page, nil
}

// deadEnd makes a page one after which the listing cannot continue.
func (w *walk) deadEnd(page *accountPage, why string) *accountPage {
	w.slice(page)
	page.Cursor, page.HasMore = paging.DeadEnd(why), true
	return page
}
