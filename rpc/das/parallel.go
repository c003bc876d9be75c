package das

import (
	"bytes"
	"context"
	"encoding/binary"
	"iter"
	"math"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/types"
)

// concurrent iterates over the pages in no particular order: it divides the IDs
// into ranges and reads them at the same time.
func (l listing) concurrent(ctx context.Context) iter.Seq2[*AssetPage, error] {
	return func(yield func(*AssetPage, error) bool) {
		if l.opts.Cursor != "" && l.invalid == nil {
			l.invalid = argument.Invalid("Cursor", "does not go with Concurrency; use AfterID or BeforeID")
		}
		if ctx == nil || l.check() != nil {
			yield(l.pages()(ctx, &paging.Walk{Listing: l.start()})) // reports it
			return
		}
		l.inRanges(ctx, yield)
	}
}

func (l listing) inRanges(ctx context.Context, yield func(*AssetPage, error) bool) {
	type result struct {
		page *AssetPage
		err  error
	}
	ctx, cancel := context.WithCancel(ctx)
	results := make(chan result)
	var walks []*paging.Pending[struct{}]
	for _, bounds := range ranges(&l.opts) {
		walks = append(walks, paging.Go(func() (struct{}, error) {
			l := l.between(bounds[0], bounds[1])
			start := l.start()
			start.Part = true
			for page, err := range paging.Pages(ctx, start, l.pages(), plainAssets) {
				results <- result{page, err}
			}
			return struct{}{}, nil
		}))
	}
	go func() {
		for _, w := range walks {
			w.End()
		}
		close(results)
	}()
	defer func() { // no goroutine outlives the loop, also when its body panics
		cancel()
		for range results { // until it is closed
		}
	}()
	for r := range results {
		if !yield(r.page, r.err) || r.err != nil {
			return
		}
	}
	for _, w := range walks {
		if _, err := w.Wait(); err != nil { // Goexit; a panic reaches the caller
			yield(nil, err)
			return
		}
	}
}

// between returns the listing of the assets between two IDs.
func (l listing) between(after, before types.Address) listing {
	o := &l.opts
	if !o.inRange() && o.SortDirection == "" {
		o.SortDirection = SortDirectionDescending // the default without ranges
	}
	o.AfterID, o.BeforeID, l.part = after, before, true
	o.ShowNativeBalance, o.ShowGrandTotal = false, false // nobody sees them
	return l
}

// ranges divides the IDs between AfterID and BeforeID into Concurrency ranges, by the first
// eight of their bytes. The bounds of a range do not belong to it.
func ranges(o *AssetsOptions) [][2]types.Address {
	n := uint64(o.Concurrency)
	low, high := uint64(0), uint64(math.MaxUint64)
	if b, err := o.AfterID.Bytes(); err == nil {
		low = binary.BigEndian.Uint64(b)
	}
	if b, err := o.BeforeID.Bytes(); err == nil {
		high = binary.BigEndian.Uint64(b)
	}
	if high < low || high-low < n {
		return [][2]types.Address{{o.AfterID, o.BeforeID}}
	}
	all := make([][2]types.Address, n)
	all[0][0], all[n-1][1] = o.AfterID, o.BeforeID
	for i := uint64(1); i < n; i++ {
		cut := low + i*((high-low)/n)
		all[i-1][1] = address(cut, 0)
		all[i][0] = address(cut-1, 0xff) // the ID before
	}
	return all
}

// address returns an address by its first eight bytes and the value of all others.
func address(first uint64, rest byte) types.Address {
	key := [32]byte(bytes.Repeat([]byte{rest}, 32))
	binary.BigEndian.PutUint64(key[:], first)
	return types.AddressOf(key)
}
