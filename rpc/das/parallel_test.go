package das_test

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

func TestRangesKeepToTheBounds(t *testing.T) {
	t.Parallel()
	w := newWorld(300)
	for _, b := range [][2]types.Address{{w.assets[100].id, w.assets[200].id}, {"", w.assets[200].id}, {w.assets[100].id, ""}} {
		for _, workers := range []int{1, 5} {
			got, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{PageOptions: types.PageOptions{Limit: 7}, AfterID: b[0], BeforeID: b[1], Concurrency: workers}).All())
			require.NoError(t, err)
			start, end := 0, len(w.assets)
			if b[0] != "" {
				start = 101
			}
			if b[1] != "" {
				end = 200
			}
			part := &world{assets: w.assets[start:end]}
			requireSame(t, part, got)
		}
	}
}

func TestConcurrencyExcludesCursor(t *testing.T) {
	t.Parallel()
	w := newWorld(30)
	_, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{PageOptions: types.PageOptions{Cursor: owner}, Concurrency: 2}).All())
	require.EqualError(t, err, "das.Client.AssetsByOwner: Cursor does not go with Concurrency; use AfterID or BeforeID: invalid argument")
	require.Empty(t, w.requests)
	got, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{SortDirection: das.SortDirectionDescending, Concurrency: 2}).All())
	require.NoError(t, err)
	requireSame(t, w, got)
}

// There are fewer IDs between the bounds than ranges.
func TestTinyRanges(t *testing.T) {
	t.Parallel()
	w := &world{}
	var key [32]byte
	for i := range 5 {
		key[31] = byte(i)
		w.assets = append(w.assets, entry{id: types.AddressOf(key), key: string(key[:])})
	}
	for workers := 2; workers < 7; workers++ {
		got, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{AfterID: w.assets[0].id, BeforeID: w.assets[4].id, Concurrency: workers}).All())
		require.NoError(t, err)
		requireSame(t, &world{assets: w.assets[1:4]}, got)
	}
}

func TestFirstIDOfARangeIsListed(t *testing.T) {
	t.Parallel()
	w := newWorld(10)
	var key [32]byte
	binary.BigEndian.PutUint64(key[:], math.MaxUint64/2)
	w.assets = append(w.assets, entry{id: types.AddressOf(key), key: string(key[:])})
	slices.SortFunc(w.assets, func(a, b entry) int { return cmp.Compare(a.key, b.key) })
	got, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{Concurrency: 2}).All())
	require.NoError(t, err)
	requireSame(t, w, got)
}

func TestErrorOfARangeEndsTheWalk(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(2000)
		w.fault = func(n int) fault {
			if n > 20 {
				return refused
			}
			return none
		}
		failures := 0
		for _, err := range w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{PageOptions: types.PageOptions{Limit: 20}, Concurrency: 8}).All() {
			require.Zero(t, failures, "the error comes last")
			if err != nil {
				require.ErrorIs(t, err, types.ErrUnauthorized)
				failures++
			}
		}
		require.Equal(t, 1, failures)
	})
}

// The bubbles fail when a goroutine outlives the loop.
func TestRangesEndWithTheLoop(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(500)
		for range w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{PageOptions: types.PageOptions{Limit: 10}, Concurrency: 8}).All() {
			break
		}
	})
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(500)
		require.PanicsWithValue(t, "of the body", func() {
			for range w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{PageOptions: types.PageOptions{Limit: 10}, Concurrency: 8}).All() {
				panic("of the body")
			}
		})
	})
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(500)
		w.fault = func(n int) fault {
			if n == 5 {
				return panics
			}
			return none
		}
		require.PanicsWithValue(t, "of the Transport", func() {
			_, _ = walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{PageOptions: types.PageOptions{Limit: 10}, Concurrency: 4}).All())
		})
	})
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(500)
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		why := errors.New("enough")
		n := 0
		var last error
		for _, err := range w.client(t).AssetsByOwner(ctx, owner, &das.AssetsOptions{PageOptions: types.PageOptions{Limit: 10}, Concurrency: 4}).All() {
			if last = err; n == 15 {
				cancel(why)
			}
			n++
		}
		require.ErrorIs(t, last, why, "a cancelled walk is not a complete one")
	})
}

// A cursor would resume one range and lose the others.
func TestUnreadableAssetHasNoCursorWithConcurrency(t *testing.T) {
	t.Parallel()
	w := &fake.World{Preset: fake.PresetEmpty, Patches: map[string]json.RawMessage{}}
	for i := range 8 {
		id := types.AddressOf([32]byte{byte(32*i + 1)}) // in each range
		w.NFTs = append(w.NFTs, fake.NFT{ID: id, Owner: owner})
		w.Patches[string(id)] = json.RawMessage(`{"interface": 7}`)
	}
	opts := &das.AssetsOptions{PageOptions: types.PageOptions{Limit: 2}, Concurrency: 2}
	cfg := fake.New(&fake.Options{World: w}).Config()
	c, err := das.New(cfg)
	require.NoError(t, err)
	_, err = c.AssetsByOwner(t.Context(), owner, opts).Collect(10)
	var item *types.ItemError
	require.ErrorAs(t, err, &item)
	require.Empty(t, item.Cursor)

	var cursors [8]string
	var n atomic.Int32
	cfg.OnItemError = func(e *types.ItemError) { cursors[n.Add(1)-1] = e.Cursor }
	c, err = das.New(cfg)
	require.NoError(t, err)
	_, err = c.AssetsByOwner(t.Context(), owner, opts).Collect(10)
	require.NoError(t, err)
	require.Equal(t, int32(8), n.Load())
	require.Empty(t, cursors)
}
