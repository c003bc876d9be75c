package das

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/big"
	"sync"

	"github.com/solwire/solwire-go/types"
)

// A delivery is a page of one of the ranges, or what ended its walk.
type delivery struct {
	page     *AssetPage
	err      error
	panicked any // of code of the caller, such as a Transport
}

// errExited is the error of a worker in which runtime.Goexit was called.
var errExited = errors.New("runtime.Goexit was called while a page was requested")

// parallel iterates over the pages of a listing in no particular order: it divides the
// IDs into ranges and walks them at the same time.
func (c *Client) parallel(ctx context.Context, q query) iter.Seq2[*AssetPage, error] {
	return func(yield func(*AssetPage, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		deliveries := make(chan delivery)
		var workers sync.WaitGroup
		for _, bounds := range ranges(&q.opts) {
			part := q
			part.opts.After, part.opts.Before, part.opts.SortDirection = bounds[0], bounds[1], ""
			part.opts.Show.NativeBalance, part.opts.Show.GrandTotal = false, false // nobody sees them
			workers.Go(func() { c.deliver(ctx, part, deliveries) })
		}
		go func() {
			workers.Wait()
			close(deliveries)
		}()
		defer func() { // no goroutine outlives the loop, also when its body panics
			cancel()
			for range deliveries { // until it is closed
			}
		}()
		for d := range deliveries {
			if d.panicked != nil {
				panic(d.panicked) //nolint:forbidigo // the caller's own panic
			}
			if !yield(d.page, d.err) || d.err != nil {
				return
			}
		}
	}
}

// deliver walks one range. Every page is received, since parallel drains the channel.
func (c *Client) deliver(ctx context.Context, q query, to chan<- delivery) {
	ended := false
	defer func() {
		if !ended {
			to <- delivery{err: fmt.Errorf("%s: %w", q.op, errExited), panicked: recover()}
		}
	}()
	for page, err := range c.pages(ctx, q) {
		to <- delivery{page: page, err: err}
	}
	ended = true
}

// ranges divides the IDs between After and Before into one range per worker. The
// bounds of a range do not belong to it, so it starts after the ID before its first.
func ranges(o *AssetsOptions) [][2]types.Address {
	one := big.NewInt(1)
	low, high := new(big.Int), new(big.Int).Lsh(one, 256) // the first ID, and one beyond the last
	if b, err := o.After.Bytes(); err == nil {
		low.Add(low.SetBytes(b), one)
	}
	if b, err := o.Before.Bytes(); err == nil {
		high.SetBytes(b)
	}
	size := new(big.Int).Sub(high, low)
	n := int64(o.Workers)
	if size.Cmp(big.NewInt(n)) < 0 {
		return [][2]types.Address{{o.After, o.Before}}
	}
	all := make([][2]types.Address, n)
	all[0][0], all[n-1][1] = o.After, o.Before
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
