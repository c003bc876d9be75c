package das

import (
	"context"
	"errors"
	"iter"
	"math/big"
	"sync"

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
			yield(l.begin()(ctx, "")) // reports it
			return
		}
		l.inRanges(ctx, yield)
	}
}

func (l listing) inRanges(ctx context.Context, yield func(*AssetPage, error) bool) {
	ctx, cancel := context.WithCancel(ctx)
	pages := make(chan *AssetPage)
	failures := make(chan error, l.opts.Concurrency) // the first one ends the walk
	var walks []*paging.Pending[struct{}]
	var running sync.WaitGroup
	for _, bounds := range ranges(&l.opts) {
		running.Add(1)
		walks = append(walks, paging.Go(func() (struct{}, error) {
			defer running.Done()
			err := errors.New("did not return") // panic or Goexit, which Wait reports
			defer func() {
				if err != nil {
					cancel()
				}
			}()
			if err = l.between(bounds[0], bounds[1]).send(ctx, pages); err != nil {
				failures <- err
			}
			return struct{}{}, err
		}))
	}
	go func() {
		running.Wait()
		close(pages)
	}()
	defer func() { // no goroutine outlives the loop, also when its body panics
		cancel()
		for range pages { // until it is closed
		}
	}()
	for page := range pages {
		if !yield(page, nil) {
			return
		}
	}
	var err error
	for _, walk := range walks {
		if _, failed := walk.Wait(); failed != nil {
			err = failed
		}
	}
	select {
	case err = <-failures:
	default:
	}
	if err != nil {
		yield(nil, err)
	}
}

// between returns the listing of the assets between two IDs.
func (l listing) between(after, before types.Address) listing {
	o := &l.opts
	o.AfterID, o.BeforeID, o.SortDirection = after, before, ""
	o.ShowNativeBalance, o.ShowGrandTotal = false, false // nobody sees them
	return l
}

// send sends the pages to a channel that is drained until send returns.
func (l listing) send(ctx context.Context, pages chan<- *AssetPage) error {
	for page, err := range paging.Pages(ctx, paging.Listing{Op: l.op.Wire, About: string(l.about()), Prefetch: l.opts.Prefetch}, l.begin, plainAssets) {
		if err != nil {
			return err
		}
		pages <- page
	}
	return nil
}

// ranges divides the IDs between AfterID and BeforeID into Concurrency ranges. The
// bounds of a range do not belong to it, so it starts after the ID before its first.
func ranges(o *AssetsOptions) [][2]types.Address {
	one := big.NewInt(1)
	low, high := new(big.Int), new(big.Int).Lsh(one, 256) // the first ID, and one beyond the last
	if b, err := o.AfterID.Bytes(); err == nil {
		low.Add(low.SetBytes(b), one)
	}
	if b, err := o.BeforeID.Bytes(); err == nil {
		high.SetBytes(b)
	}
	size := new(big.Int).Sub(high, low)
	n := int64(o.Concurrency)
	if size.Cmp(big.NewInt(n)) < 0 {
		return [][2]types.Address{{o.AfterID, o.BeforeID}}
	}
	all := make([][2]types.Address, n)
	all[0][0], all[n-1][1] = o.AfterID, o.BeforeID
	for i := int64(1); i < n; i++ {
		cut := new(big.Int).Mul(size, big.NewInt(i))
		cut.Add(cut.Div(cut, big.NewInt(n)), low) // the first ID of range i
		all[i-1][1] = address(cut)
		all[i][0] = address(cut.Sub(cut, one))
	}
	return all
}

func address(n *big.Int) types.Address {
	var key [32]byte
	n.FillBytes(key[:])
	return types.AddressOf(key)
}
