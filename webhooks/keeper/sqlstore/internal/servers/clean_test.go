package servers

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/keeper"
)

var cleanRows = flag.Int("rows", 100_000, "how many rows Clean deletes")

// Clean does not hold up claims.
func TestCleanBesideClaims(t *testing.T) {
	each(t, func(t *testing.T, d database, db *sql.DB, table string) {
		j := d.store(db, table)
		require.NoError(t, j.SetCheckpoints(t.Context(), keeper.Checkpoint{Address: "a", Slot: uint64(*cleanRows) + 1, Listed: time.Now()}))
		insertDone(t, db, table, *cleanRows)
		var stop atomic.Bool
		var claims, failed atomic.Int64
		var slowest atomic.Int64
		var wg sync.WaitGroup
		for worker := range 4 {
			wg.Go(func() {
				for i := 0; !stop.Load(); i++ {
					ctx, cancel := context.WithTimeout(t.Context(), 800*time.Millisecond)
					begin := time.Now()
					signature := types.Signature(fmt.Sprintf("new%d-%d", worker, i))
					e := &webhooks.Event{Signature: signature, Slot: uint64(*cleanRows + i + 1)}
					isNew, err := j.Claim(ctx, e)
					if err == nil && isNew {
						err = j.Done(ctx, e)
					}
					cancel()
					slowest.Store(max(slowest.Load(), int64(time.Since(begin))))
					if claims.Add(1); err != nil || !isNew {
						failed.Add(1)
						t.Log(err)
					}
					time.Sleep(5 * time.Millisecond)
				}
			})
		}
		begin := time.Now()
		n, more, err := 0, 1, error(nil)
		for more > 0 && err == nil { // as a Keeper does
			call := time.Now()
			more, err = j.Clean(t.Context(), time.Hour)
			n += more
			time.Sleep(time.Since(call))
		}
		took := time.Since(begin)
		begin = time.Now()
		totals, totalsErr := j.Lock(t.Context(), keeper.Process{ID: "a"}, time.Minute)
		asked := time.Since(begin)
		stop.Store(true)
		wg.Wait()
		t.Logf("%s: %d rows deleted in %v; %d claims beside it, %d failed, the slowest took %v; the totals were counted in %v",
			d.name, n, took.Round(time.Millisecond), claims.Load(), failed.Load(), time.Duration(slowest.Load()).Round(time.Millisecond), asked.Round(time.Microsecond))
		require.NoError(t, err)
		require.NoError(t, totalsErr)
		require.LessOrEqual(t, totals.Pending, 4)
		require.Equal(t, *cleanRows, n)
		require.Zero(t, failed.Load())
	})
}

// insertDone inserts events that have been done for long.
func insertDone(t *testing.T, db *sql.DB, table string, n int) {
	t.Helper()
	for from := 0; from < n; from += 1000 {
		var values []string
		for i := from; i < from+1000; i++ {
			values = append(values, fmt.Sprintf("('%088d', %d, '', 3, 1, 1000, %d, '', 1, '')", i, i+1, 1000+i))
		}
		_, err := db.Exec("INSERT INTO " + table + "_events (signature, slot, address, state, wanted, opened_at, due_at, claimed_by, attempts, note) VALUES " + strings.Join(values, ", "))
		require.NoError(t, err)
	}
}
