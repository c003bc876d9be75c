package servers

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/sqlseen"
)

const (
	sig1 types.Signature = "5wHu1qwD7q5ifaN5nwdcDqNFo53GJqa7nLp2BeeEpcHCusb4GzARz4GjgzsEHMkBMgCJMGa6GSQ1VG96Exv8kt2W"
	sig2 types.Signature = "3Ww3Wz9C1b7RM8P3xEzyWmeHk7H7jE7VtCFTJwEsqz2MrJxt2Cb7D1YzTFY6hYC1Hn7QWQcX5dUoZ7r2A5rQ7tPb"
	sig3 types.Signature = "2nBhEBYYvfaAe16UMNqRHre4YNSskvuYgx3M6E4JP1oDYvZEJHvoPzyUidNgNX5r9sTyN1J9UxtbCXy2rqYcuyuv"
)

// A database is a server or a file.
type database struct {
	name    string
	driver  string
	dsn     string
	dialect sqlseen.Dialect
}

// databases are SQLite, and the servers that the environment names.
func databases(t *testing.T) []database {
	t.Helper()
	all := []database{{"sqlite", "sqlite", "file:" + t.TempDir() + "/events.db?_pragma=busy_timeout(2000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_txlock=immediate", sqlseen.DialectSQLite}}
	if dsn := os.Getenv("SQLSEEN_POSTGRESQL"); dsn != "" {
		all = append(all, database{"postgresql", "pgx", dsn, sqlseen.DialectPostgreSQL})
	}
	if dsn := os.Getenv("SQLSEEN_MYSQL"); dsn != "" {
		all = append(all, database{"mysql", "mysql", dsn, sqlseen.DialectMySQL})
	}
	return all
}

// open opens a database and creates a table.
func (d database) open(t *testing.T, table string) *sql.DB {
	t.Helper()
	db, err := sql.Open(d.driver, d.dsn)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	schema, err := sqlseen.Schema(d.dialect, table)
	require.NoError(t, err)
	for range 2 { // it may exist
		for statement := range strings.SplitSeq(strings.TrimSpace(schema), ";\n") {
			_, err := db.Exec(statement)
			require.NoError(t, err, statement)
		}
	}
	t.Cleanup(func() {
		_, err := db.Exec("DROP TABLE " + table)
		require.NoError(t, err)
	})
	return db
}

func (d database) store(t *testing.T, db *sql.DB, table, webhook string) *sqlseen.Store {
	t.Helper()
	s, err := sqlseen.New(sqlseen.Config{DB: db, Dialect: d.dialect, Table: table, Webhook: webhook, Lease: time.Hour})
	require.NoError(t, err)
	return s
}

// each runs a test on every database, with a table of its own.
func each(t *testing.T, f func(t *testing.T, d database, db *sql.DB, table string)) {
	t.Helper()
	for _, d := range databases(t) {
		t.Run(d.name, func(t *testing.T) {
			table := "t" + strings.ToLower(strings.NewReplacer("/", "_", "Test", "").Replace(t.Name()))
			f(t, d, d.open(t, table), table)
		})
	}
}

func claim(t *testing.T, s *sqlseen.Store, signature types.Signature, slot uint64) string {
	t.Helper()
	isNew, err := s.Claim(t.Context(), signature, slot)
	if err != nil {
		require.ErrorIs(t, err, webhooks.ErrClaimed)
		require.False(t, isNew)
		return "claimed"
	}
	return map[bool]string{true: "new", false: "done"}[isNew]
}

func TestClaims(t *testing.T) {
	each(t, func(t *testing.T, d database, db *sql.DB, table string) {
		one, two, other := d.store(t, db, table, "hook"), d.store(t, db, table, "hook"), d.store(t, db, table, "another")
		require.Equal(t, "new", claim(t, one, sig1, 5))
		require.Equal(t, "claimed", claim(t, two, sig1, 5))
		require.Equal(t, "new", claim(t, other, sig1, 5), "of another webhook")
		require.NoError(t, two.Release(t.Context(), sig1), "not its claim")
		require.Equal(t, "claimed", claim(t, two, sig1, 5))
		require.NoError(t, one.Release(t.Context(), sig1))
		require.Equal(t, "new", claim(t, two, sig1, 5))

		_, err := db.Exec("UPDATE " + table + " SET lapses = 1") // the lease is over
		require.NoError(t, err)
		require.Equal(t, "new", claim(t, one, sig1, 5))
		require.NoError(t, two.Done(t.Context(), sig1), "it was slow, but it has handled the event")
		require.Equal(t, "done", claim(t, one, sig1, 5))
		require.Equal(t, "done", claim(t, two, sig1, 5))
		require.NoError(t, one.Release(t.Context(), sig1))
		require.Equal(t, "done", claim(t, two, sig1, 5))
	})
}

func TestClaimLapsesByTheClockOfTheDatabase(t *testing.T) {
	each(t, func(t *testing.T, d database, db *sql.DB, table string) {
		short, err := sqlseen.New(sqlseen.Config{DB: db, Dialect: d.dialect, Table: table, Lease: time.Second + time.Millisecond})
		require.NoError(t, err)
		require.Equal(t, "new", claim(t, short, sig1, 5))
		other := d.store(t, db, table, "")
		require.Eventually(t, func() bool { return claim(t, other, sig1, 5) == "new" }, 10*time.Second, time.Millisecond)
		var lapses int64
		require.NoError(t, db.QueryRow("SELECT lapses FROM "+table).Scan(&lapses))
		require.InDelta(t, time.Now().Add(time.Hour).UnixMilli(), lapses, 60_000)
	})
}

func TestConcurrentClaims(t *testing.T) {
	each(t, func(t *testing.T, d database, db *sql.DB, table string) {
		const stores, events = 4, 50
		var mu sync.Mutex
		won := map[types.Signature]int{}
		var wg sync.WaitGroup
		for range stores {
			s := d.store(t, db, table, "hook")
			wg.Go(func() {
				for i := range events {
					signature := types.Signature(fmt.Sprint("event", i))
					if isNew, err := s.Claim(t.Context(), signature, 1); err == nil && isNew {
						mu.Lock()
						won[signature]++
						mu.Unlock()
					}
				}
			})
		}
		wg.Wait()
		require.Len(t, won, events)
		for signature, n := range won {
			require.Equal(t, 1, n, signature)
		}
	})
}

func TestSafeSlot(t *testing.T) {
	each(t, func(t *testing.T, d database, db *sql.DB, table string) {
		s, other := d.store(t, db, table, "hook"), d.store(t, db, table, "another")
		safe := func(want uint64) {
			t.Helper()
			slot, err := s.SafeSlot(t.Context())
			require.NoError(t, err)
			require.Equal(t, want, slot)
		}
		safe(0)
		require.Equal(t, "new", claim(t, other, sig1, 3))
		safe(0)
		for i, signature := range []types.Signature{sig1, sig2, sig3} {
			require.Equal(t, "new", claim(t, s, signature, uint64(10*(i+1))))
		}
		safe(10)
		require.NoError(t, s.Done(t.Context(), sig1))
		require.NoError(t, s.Done(t.Context(), sig3))
		safe(20)
		require.NoError(t, s.Release(t.Context(), sig2))
		safe(20)
		require.NoError(t, s.Forget(t.Context(), 20))
		safe(20)
		require.NoError(t, s.Forget(t.Context(), 21))
		safe(30)

		n, err := s.Clean(t.Context(), time.Hour)
		require.NoError(t, err)
		require.Zero(t, n)
		require.Equal(t, "done", claim(t, s, sig1, 10))
		clean := func(want int64) {
			t.Helper()
			n, err := s.Clean(t.Context(), -time.Hour) // as if an hour later
			require.NoError(t, err)
			require.Equal(t, want, n)
		}
		clean(0) // a backfill begins before them
		require.Equal(t, "new", claim(t, s, sig2, 520))
		clean(1)
		safe(520)
		require.Equal(t, "new", claim(t, s, sig1, 10), "forgotten")
		require.Equal(t, "done", claim(t, s, sig3, 30))
		require.Equal(t, "claimed", claim(t, other, sig1, 3))
	})
}

func TestHeldSlot(t *testing.T) {
	each(t, func(t *testing.T, d database, db *sql.DB, table string) {
		s, again, other := d.store(t, db, table, "hook"), d.store(t, db, table, "hook"), d.store(t, db, table, "another")
		safe := func(want uint64) {
			t.Helper()
			slot, err := again.SafeSlot(t.Context())
			require.NoError(t, err)
			require.Equal(t, want, slot)
		}
		require.NoError(t, s.HoldSlot(t.Context(), 0))
		require.NoError(t, s.HoldSlot(t.Context(), 600))
		require.NoError(t, other.HoldSlot(t.Context(), 1))
		require.Equal(t, "new", claim(t, s, sig1, 2000))
		require.NoError(t, s.Done(t.Context(), sig1))
		safe(600)
		require.NoError(t, again.HoldSlot(t.Context(), 500))
		safe(500)
		n, err := s.Clean(t.Context(), -time.Hour) // as if an hour later
		require.NoError(t, err)
		require.Zero(t, n)
		require.NoError(t, again.HoldSlot(t.Context(), 0))
		safe(2000)
	})
}

func TestRenewedClaimDoesNotLapse(t *testing.T) {
	each(t, func(t *testing.T, d database, db *sql.DB, table string) {
		one, two := d.store(t, db, table, "hook"), d.store(t, db, table, "hook")
		require.Equal(t, "new", claim(t, one, sig1, 5))
		lapse := func() {
			_, err := db.Exec("UPDATE " + table + " SET lapses = 1")
			require.NoError(t, err)
		}
		lapse()
		require.NoError(t, one.Renew(t.Context(), sig1), "nobody has taken it")
		require.Equal(t, "claimed", claim(t, two, sig1, 5))
		lapse()
		require.Equal(t, "new", claim(t, two, sig1, 5))
		require.ErrorIs(t, one.Renew(t.Context(), sig1), webhooks.ErrClaimed)
		require.NoError(t, two.Done(t.Context(), sig1))
		require.ErrorIs(t, two.Renew(t.Context(), sig1), webhooks.ErrClaimed)
	})
}

// Handle holds the only connection when its claim is to be renewed.
func TestHandleWithTheOnlyConnection(t *testing.T) {
	each(t, func(t *testing.T, d database, db *sql.DB, table string) {
		db.SetMaxOpenConns(1)
		store, err := sqlseen.New(sqlseen.Config{DB: db, Dialect: d.dialect, Table: table})
		require.NoError(t, err)
		receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
			Secrets: []webhooks.Secret{secret},
			Seen:    store,
			Handle: func(context.Context, *webhooks.Event) error {
				tx, err := db.Begin()
				if err != nil {
					return err
				}
				time.Sleep(1500 * time.Millisecond)
				return tx.Commit()
			},
		})
		require.NoError(t, err)
		req := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(fmt.Sprintf(`{"signature":%q,"slot":5}`, sig1)))
		req.Header.Set("Authorization", secret)
		req.Header.Set("Content-Type", "application/json")
		response := httptest.NewRecorder()
		receiver.ServeHTTP(response, req)
		require.Equal(t, http.StatusServiceUnavailable, response.Code, "Handle takes too long")
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		require.NoError(t, receiver.Shutdown(ctx))
		require.Equal(t, "done", claim(t, store, sig1, 5))
	})
}

func TestErrorsOfTheDatabase(t *testing.T) {
	each(t, func(t *testing.T, d database, db *sql.DB, _ string) {
		s := d.store(t, db, "no_such_table", "hook")
		_, claimed := s.Claim(t.Context(), sig1, 1)
		_, safe := s.SafeSlot(t.Context())
		_, clean := s.Clean(t.Context(), 0)
		for _, err := range []error{claimed, safe, clean, s.Done(t.Context(), sig1), s.Release(t.Context(), sig1), s.Forget(t.Context(), 1), s.Renew(t.Context(), sig1), s.HoldSlot(t.Context(), 0), s.HoldSlot(t.Context(), 1)} {
			require.ErrorContains(t, err, "sqlseen: ")
			require.NotErrorIs(t, err, webhooks.ErrClaimed)
		}
	})
}
