package das

import (
	"context"
	"fmt"
	"iter"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/types"
)

// pages iterates over the pages of a listing.
func (c *Client) pages(ctx context.Context, q query) iter.Seq2[*AssetPage, error] {
	return func(yield func(*AssetPage, error) bool) {
		w := &walk{c: c, q: q, order: newOrder(&q.opts)}
		w.q.again = &repetition[Asset]{key: func(a *Asset) string { return string(a.ID) }}
		next := func(p *AssetPage) (string, error) { return p.Cursor, p.Err }
		paging.Pages(ctx, q.op.String(), q.opts.Cursor, q.opts.Prefetch, w.fetch, next)(yield)
	}
}

// all iterates over the assets of a listing.
func (c *Client) all(ctx context.Context, q query) iter.Seq2[Asset, error] {
	pages := c.pages
	if q.opts.Workers > 1 {
		if q.opts.Cursor != "" && q.err == nil {
			q.err = argument.Invalid("Cursor", "does not go with Workers; use After or Before")
		}
		if q.check() == nil && ctx != nil && c.api != nil {
			pages = c.parallel
		}
	}
	return paging.Items(pages(ctx, q), func(p *AssetPage) []Asset { return p.Items })
}

// A walk is the state of one walk over a listing.
type walk struct {
	c     *Client
	q     query // of the next page, without its cursor
	order idOrder
}

// fetch requests the page at a cursor.
func (w *walk) fetch(ctx context.Context, cursor string) (*AssetPage, error) {
	w.q.opts.Cursor = cursor
	page, err := w.c.page(ctx, &w.q)
	if err != nil {
		return nil, err
	}
	w.q.opts.Show.NativeBalance, w.q.opts.Show.GrandTotal = false, false // the first page has them
	if w.q.opts.byNumber() {
		if len(page.Items) == 0 {
			err = w.crossGap(ctx, page)
		}
		return page, err
	}
	if err := w.order.add(w.q.op, page.Items); err != nil {
		return nil, err
	}
	if page.Cursor == "" {
		missed, err := w.missed(ctx)
		if err != nil {
			return nil, err
		}
		if missed {
			page.HasMore = true
			page.Err = fmt.Errorf("%s: the service ended the listing before its last asset; try a larger Limit: %w", w.q.op, types.ErrIncomplete)
		}
	}
	return page, nil
}

// minLookahead is the number of items after an empty page that a walk by page number
// requests at least. One request covers them, unless the limit is small.
const minLookahead = 100

// crossGap gives an empty page the cursor of the next one if assets follow. The service
// removes assets that it cannot show from a page after it applied the limit, so an
// empty page is not always the end.
func (w *walk) crossGap(ctx context.Context, empty *AssetPage) error {
	q := w.q
	q.again = nil // the next page is requested again
	at, _ := placeOf(q.opts.Cursor, q.opts.Limit)
	next := at.next()
	for left := max(minLookahead, place{limit: q.opts.Limit}.size()); left > 0; left -= at.size() {
		q.opts.Cursor = at.widest().cursor()
		page, err := w.c.page(ctx, &q)
		if err != nil {
			return err
		}
		if len(page.Items) > 0 {
			empty.Cursor, empty.HasMore = next.cursor(), true
			return nil
		}
		at, _ = placeOf(q.opts.Cursor, q.opts.Limit) // smaller where the response was too large
	}
	return nil
}

// missed reports whether the listing has assets that the walk did not come to. Since
// a page of which the service removed everything has no cursor, it looks like the end.
// The page at the other end of the listing tells: all of its assets were seen.
func (w *walk) missed(ctx context.Context) (bool, error) {
	o := &w.order
	if o.none {
		return false, nil
	}
	q := w.q
	q.again = nil // the other end may start as the walk did
	lowered := q.size.N != q.opts.Limit
	if !lowered {
		q.size.N = 0 // the service may remove all of a small page
	}
	if o.sign == 0 && !o.moved && o.last != "" { // the walk started at the end; in which direction?
		first := q
		first.opts.Cursor, first.size.N = "", 0
		page, err := w.c.page(ctx, &first)
		if refused(err) || err == nil && len(page.Items) == 0 {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		o.sign = heading(page, o.last)
	}
	q.reverse = SortDirectionAscending
	if o.sign > 0 {
		q.reverse = SortDirectionDescending
	}
	missed, err := w.missedAt(ctx, &q, lowered)
	if missed || err != nil || o.sign != 0 {
		return missed, err
	}
	q.reverse = SortDirectionDescending // a walk of one asset does not show which end is the other one
	return w.missedAt(ctx, &q, lowered)
}

// missedAt is missed for the end at which q starts. Lowered says whether the pages of
// the walk became smaller; an empty page is then requested again in the largest size.
func (w *walk) missedAt(ctx context.Context, q *query, lowered bool) (bool, error) {
	page, err := w.c.page(ctx, q)
	if err == nil && lowered && len(page.Items) == 0 {
		q.size.N = 0
		page, err = w.c.page(ctx, q)
	}
	if refused(err) { // the check is an extra, and no reason to fail
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if len(page.Items) == 0 && q.size.N != 0 { // a larger page was too large, so there are assets
		return true, nil
	}
	return w.order.beyond(page.Items), nil
}
