package das

import (
	"cmp"
	"context"
	"slices"

	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// numberedIn returns a listing by page number in a direction.
func (r *reading) numberedIn(d SortDirection, size *transport.Size, repeats *repeats[Asset]) *numbered[Asset] {
	return &numbered[Asset]{r.op, size, repeats, func(ctx context.Context, at place) (part[Asset], error) {
		var err error
		if r.listed, err = r.request(ctx, r.listing.numbered(at, d)); err != nil {
			return part[Asset]{}, err
		}
		return part[Asset]{items: r.listed.list().items(), page: r.listed.list().Page, slot: r.listed.Slot}, nil
	}}
}

// numberedPage requests the page at a place.
func (r *reading) numberedPage(ctx context.Context, at place) (*AssetPage, place, error) {
	got, at, err := r.numberedIn(r.opts.SortDirection, &r.size, r.repeats).page(ctx, at)
	if err != nil {
		return nil, at, err
	}
	page := r.listed.page()
	page.Items, page.Cursor, page.HasMore = got.Items, got.Cursor, got.HasMore
	return page, at, nil
}

// nextNumbered is next for a listing by page number.
func (r *reading) nextNumbered(ctx context.Context, cursor string) (*AssetPage, error) {
	at, _ := placeOf(cursor, r.opts.Limit)
	page, at, err := r.numberedPage(ctx, at)
	if err != nil {
		return nil, err
	}
	r.show.NativeBalance, r.show.GrandTotal = false, false // the first page has them
	if r.firstID == "" && len(page.Items) > 0 {
		r.firstID = page.Items[0].ID
	}
	if len(page.Items) > 0 {
		return page, nil
	}
	if next := placeAfter(at.rows()+at.size(), cmp.Or(r.size.N, r.size.Max)); next.rows() < r.gapEnd {
		page.Cursor = next.cursor()
	} else if page.Cursor, err = r.crossGap(ctx, at); err != nil {
		return nil, err
	}
	page.HasMore = page.Cursor != ""
	return page, nil
}

// maxLookahead is the number of rows that a reading requests in a gap when there must be
// assets behind it.
const maxLookahead = 10 * maxLimit

// crossGap returns the cursor after the empty page at a place; empty if the listing ends
// there. The service removes assets that it cannot show from a page after it applied the
// limit, so an empty page is not always the end.
func (r *reading) crossGap(ctx context.Context, at place) (string, error) {
	end, err := r.otherEnd(ctx)
	if end == endReached || err != nil {
		return "", err
	}
	rows, lookahead := at.rows()+at.size(), maxLimit
	if end == endMissed {
		lookahead = maxLookahead
	}
	size := sizeOf(maxLimit)
	ahead := r.numberedIn(r.opts.SortDirection, &size, nil)
	for next := placeAfter(rows, maxLimit); next.rows() < rows+lookahead; next = ahead.after(next) {
		var page *types.Page[Asset]
		if page, next, err = ahead.page(ctx, next); err != nil {
			return "", err
		}
		if len(page.Items) > 0 {
			r.gapEnd = next.rows() + next.size()
			return placeAfter(next.rows(), cmp.Or(r.size.N, r.size.Max)).cursor(), nil
		}
	}
	if end == endMissed && r.repeats.none() && at.rows() > 0 { // resumed at the end?
		before := divisor(at.rows(), maxLimit)
		page, _, err := ahead.page(ctx, place{at.rows() / before, before})
		if err != nil || slices.ContainsFunc(page.Items, func(a Asset) bool { return slices.Contains(r.end, a.ID) }) {
			return "", err
		}
	}
	if end == endMissed {
		return paging.DeadEnd(hidden), nil
	}
	return "", nil
}

// hidden is why a listing cannot go on.
const hidden = "the service ended the listing before its last asset; try a larger Limit"

// An end is what the other end of a listing says about a reading.
type end int

const (
	endUnknown end = iota
	endReached     // the reading has the assets there
	endMissed      // it has none of them
	endStart       // the reading began there
)

// otherEnd compares the reading with the assets at the other end of the listing.
func (r *reading) otherEnd(ctx context.Context) (end, error) {
	switch r.opts.SortDirection {
	case SortDirectionAscending:
		return r.endIn(ctx, SortDirectionDescending)
	case SortDirectionDescending:
		return r.endIn(ctx, SortDirectionAscending)
	}
	got, err := r.endIn(ctx, SortDirectionAscending)
	if err == nil && got == endUnknown && r.repeats.none() { // the default may be ascending
		return r.endIn(ctx, SortDirectionDescending)
	}
	if err != nil || got != endStart && (got != endMissed || !r.resumed()) {
		return got, err
	}
	other, err := r.endIn(ctx, SortDirectionDescending)
	if got == endMissed && other != endReached {
		return endMissed, err
	}
	return other, err
}

func (r *reading) resumed() bool { return r.opts.Cursor != "" }

// endIn compares the reading with the first assets of the listing in a direction.
func (r *reading) endIn(ctx context.Context, d SortDirection) (end, error) {
	page, err := r.firstShown(ctx, d)
	switch {
	case refused(err):
		return endUnknown, nil
	case err != nil:
		return endUnknown, err
	case len(page) == 0 && r.repeats.none():
		return endUnknown, nil
	case len(page) == 0:
		return endMissed, nil
	case page[0].ID == r.firstID && (len(page) > 1 || r.resumed()):
		return endStart, nil
	}
	r.end = r.end[:0]
	reached := 0
	for i := range page {
		r.end = append(r.end, page[i].ID)
		if r.repeats.has(string(page[i].ID)) {
			reached++
		}
	}
	switch {
	case reached == len(page), r.resumed() && r.repeats.has(string(page[0].ID)):
		return endReached, nil
	case reached == 0:
		return endMissed, nil
	}
	return endUnknown, nil
}

// firstShown returns the first assets of the listing in a direction. It looks further than
// the first page if the reading has seen assets, because then there are some.
func (r *reading) firstShown(ctx context.Context, d SortDirection) ([]Asset, error) {
	size := sizeOf(maxLimit)
	first := r.numberedIn(d, &size, nil)
	for at := (place{1, maxLimit}); ; at = first.after(at) {
		var page *types.Page[Asset]
		var err error
		page, at, err = first.page(ctx, at)
		if err != nil {
			return nil, err
		}
		if len(page.Items) > 0 {
			return page.Items, nil
		}
		if r.repeats.none() || at.rows()+at.size() >= maxLookahead {
			return nil, nil
		}
	}
}
