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
	"github.com/solwire/solwire-go/webhooks/sqlstore"
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
	dialect sqlstore.Dialect
}

// databases are SQLite, and the servers that the environment names.
func databases(t *testing.T) []database {
	t.Helper()
	all := []database{{"sqlite", "sqlite", "file:" + t.TempDir() + "/events.db?_pragma=busy_timeout(2000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_txlock=immediate", sqlstore.DialectSQLite}}
	if dsn := os.Getenv("SQLSTORE_POSTGRESQL"); dsn != "" {
		all = append(all, database{"postgresql", "pgx", dsn, sqlstore.DialectPostgreSQL})
	}
	if dsn := os.Getenv("SQLSTORE_MYSQL"); dsn != "" {
		all = append(all, database{"mysql", "mysql", dsn, sqlstore.DialectMySQL})
	}
	return all
}

// open opens a database; its tables are dropped at the end.
func (d database) open(t *testing.T, table string) *sql.DB {
	t.Helper()
	db, err := sql.Open(d.driver, d.dsn)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	drop := func() {
		for _, name := range []string{table, table + "_checkpoints"} {
			_, err := db.Exec("DROP TABLE IF EXISTS " + name)
			require.NoError(t, err)
		}
	}
	drop()
	t.Cleanup(drop)
	return db
}

// journal opens the records of a webhook.
func (d database) journal(t *testing.T, db *sql.DB, table, webhook string) webhooks.Journal {
	t.Helper()
	j, err := (&sqlstore.Store{DB: db, Dialect: d.dialect, Table: table, Lease: time.Hour}).Open(t.Context(), webhook)
	require.NoError(t, err)
	return j
}

// each runs a test on every database, with a table of its own.
func each(t *testing.T, f func(t *testing.T, d database, db *sql.DB, table string)) {
	t.Helper()
	for _, d := range databases(t) {
		t.Run(d.name, func(t *testing.T) {
			table := "t" + strings.ToLower(strings.NewReplacer("/", "_", "Test", "").Replace(t.Name()))
			table = table[:min(len(table), 48)]
			f(t, d, d.open(t, table), table)
		})
	}
}

func claim(t *testing.T, j webhooks.Journal, signature types.Signature, slot uint64) string {
	t.Helper()
	isNew, err := j.Claim(t.Context(), signature, slot)
	if err != nil {
		require.ErrorIs(t, err, webhooks.ErrClaimed)
		require.False(t, isNew)
		return "claimed"
	}
	return map[bool]string{true: "new", false: "done"}[isNew]
}

func TestClaims(t *testing.T) {
	each(t, func(t *testing.T, d database, db *sql.DB, table string) {
		one, two, other := d.journal(t, db, table, "hook"), d.journal(t, db, table, "hook"), d.journal(t, db, table, "another")
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
		short, err := (&sqlstore.Store{DB: db, Dialect: d.dialect, Table: table, Lease: 2 * time.Second}).Open(t.Context(), "hook")
		require.NoError(t, err)
		require.Equal(t, "new", claim(t, short, sig1, 5))
		other := d.journal(t, db, table, "hook")
		require.Eventually(t, func() bool { return claim(t, other, sig1, 5) == "new" }, 10*time.Second, 10*time.Millisecond)
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
			j := d.journal(t, db, table, "hook")
			wg.Go(func() {
				for i := range events {
					signature := types.Signature(fmt.Sprint("event", i))
					if isNew, err := j.Claim(t.Context(), signature, 1); err == nil && isNew {
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

// journals runs f with the journal of every database and with the one in memory.
func journals(t *testing.T, f func(t *testing.T, open func(webhook string) webhooks.Journal)) {
	t.Helper()
	each(t, func(t *testing.T, d database, db *sql.DB, table string) {
		f(t, func(webhook string) webhooks.Journal { return d.journal(t, db, table, webhook) })
	})
	t.Run("memory", func(t *testing.T) {
		store := new(webhooks.MemoryStore)
		f(t, func(webhook string) webhooks.Journal {
			j, err := store.Open(t.Context(), webhook)
			require.NoError(t, err)
			return j
		})
	})
}

func TestOpenEvents(t *testing.T) {
	journals(t, func(t *testing.T, open func(string) webhooks.Journal) {
		j, other := open("hook"), open("another")
		check := func(events int, slot uint64) {
			t.Helper()
			n, lowest, err := j.Open(t.Context())
			require.NoError(t, err)
			require.Equal(t, events, n)
			require.Equal(t, slot, lowest)
		}
		unhandled := func(after webhooks.OpenEvent, limit int) []webhooks.OpenEvent {
			t.Helper()
			all, err := j.Unhandled(t.Context(), 0, after, limit)
			require.NoError(t, err)
			return all
		}
		check(0, 0)
		require.Equal(t, "new", claim(t, other, sig1, 3))
		require.Equal(t, "new", claim(t, j, sig1, 0))
		check(1, 0)
		require.Equal(t, "new", claim(t, j, sig2, 20))
		require.Equal(t, "new", claim(t, j, sig3, 20))
		check(3, 20)
		require.Empty(t, unhandled(webhooks.OpenEvent{}, 9), "they are claimed")
		for _, s := range []types.Signature{sig1, sig2, sig3} {
			require.NoError(t, j.Release(t.Context(), s))
		}
		want := []webhooks.OpenEvent{{Signature: sig1}, {Slot: 20, Signature: sig3}, {Slot: 20, Signature: sig2}}
		require.Equal(t, want, unhandled(webhooks.OpenEvent{}, 9))
		require.Equal(t, want[:2], unhandled(webhooks.OpenEvent{}, 2))
		require.Equal(t, want[2:], unhandled(want[1], 9))
		idle, err := j.Unhandled(t.Context(), time.Minute, webhooks.OpenEvent{}, 9)
		require.NoError(t, err)
		require.Empty(t, idle)
		require.NoError(t, j.Done(t.Context(), sig3))
		require.Equal(t, "new", claim(t, j, sig1, 0))
		check(2, 20)
		require.Equal(t, want[2:], unhandled(webhooks.OpenEvent{}, 9))
	})
}

func TestCheckpoints(t *testing.T) {
	const a, b types.Address = "Vote111111111111111111111111111111111111111", "Stake11111111111111111111111111111111111111"
	journals(t, func(t *testing.T, open func(string) webhooks.Journal) {
		j := open("hook")
		all := func() map[types.Address]webhooks.Checkpoint {
			t.Helper()
			list, err := j.Checkpoints(t.Context())
			require.NoError(t, err)
			got := map[types.Address]webhooks.Checkpoint{}
			for _, c := range list {
				require.Less(t, c.Age, time.Minute)
				require.Equal(t, c.Reached == 0, c.Age == 0)
				c.Age = 0
				got[c.Address] = c
			}
			require.Len(t, got, len(list))
			return got
		}
		require.NoError(t, open("another").Begin(t.Context(), []types.Address{a}, 7))
		require.NoError(t, j.Begin(t.Context(), []types.Address{a}, 5))
		require.NoError(t, j.Begin(t.Context(), []types.Address{a, b}, 8))
		require.Equal(t, map[types.Address]webhooks.Checkpoint{a: {Address: a, Slot: 5}, b: {Address: b, Slot: 8}}, all())
		require.NoError(t, j.Advance(t.Context(), webhooks.Checkpoint{Address: a, Slot: 9}))
		require.NoError(t, j.Advance(t.Context(), webhooks.Checkpoint{Address: b, Slot: 4, Reached: 12}))
		require.Equal(t, map[types.Address]webhooks.Checkpoint{a: {Address: a, Slot: 9}, b: {Address: b, Slot: 8, Reached: 12}}, all())
		require.NoError(t, j.Advance(t.Context(), webhooks.Checkpoint{Address: b, Slot: 10, Reached: 11}))
		require.Equal(t, webhooks.Checkpoint{Address: b, Slot: 10, Reached: 12}, all()[b])
		require.NoError(t, j.Drop(t.Context(), []types.Address{b}))
		require.Equal(t, map[types.Address]webhooks.Checkpoint{a: {Address: a, Slot: 9}}, all())

		var many []types.Address
		for i := range 1001 {
			many = append(many, types.AddressOf([32]byte{1, byte(i), byte(i >> 8)}))
		}
		require.NoError(t, j.Begin(t.Context(), many, 8))
		require.Len(t, all(), 1002)
	})
}

func TestLock(t *testing.T) {
	journals(t, func(t *testing.T, open func(string) webhooks.Journal) {
		one, two, other := open("hook"), open("hook"), open("another")
		lock := func(j webhooks.Journal) bool {
			t.Helper()
			locked, err := j.Lock(t.Context())
			require.NoError(t, err)
			return locked
		}
		require.True(t, lock(one))
		require.True(t, lock(one))
		require.False(t, lock(two))
		require.True(t, lock(other))
		require.NoError(t, two.Unlock(t.Context()), "it is not its own")
		require.False(t, lock(two))
		require.NoError(t, one.Unlock(t.Context()))
		require.True(t, lock(two))
		require.False(t, lock(one))
	})
}

func TestClean(t *testing.T) {
	journals(t, func(t *testing.T, open func(string) webhooks.Journal) {
		j, other := open("hook"), open("another")
		require.Equal(t, "new", claim(t, other, sig1, 1))
		require.NoError(t, other.Done(t.Context(), sig1))
		for i := range 1000 {
			s := types.Signature(fmt.Sprint("event", i))
			require.Equal(t, "new", claim(t, j, s, uint64(i+1)))
			if i != 10 {
				require.NoError(t, j.Done(t.Context(), s))
			}
		}
		n, err := j.Clean(t.Context(), time.Hour, 1000)
		require.NoError(t, err)
		require.Zero(t, n)
		n, err = j.Clean(t.Context(), -time.Hour, 900) // as if an hour later
		require.NoError(t, err)
		require.EqualValues(t, 898, n)
		require.Equal(t, "new", claim(t, j, "event0", 1))
		require.Equal(t, "claimed", claim(t, j, "event10", 1))
		require.Equal(t, "done", claim(t, j, "event899", 1))
		require.Equal(t, "done", claim(t, other, sig1, 1))
	})
}

// The open events are found by an index, also among very many that are done.
func TestOpenEventsAreFoundByAnIndex(t *testing.T) {
	read := map[sqlstore.Dialect][2]string{ // the statement before the one that counts the rows that were read
		sqlstore.DialectPostgreSQL: {"SELECT pg_stat_force_next_flush()", "SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) FROM pg_stat_user_tables WHERE relname = '%s'"},
		sqlstore.DialectMySQL:      {"DO 0", "SELECT SUM(variable_value) FROM information_schema.session_status WHERE variable_name LIKE 'handler_read%%' AND '%s' <> ''"},
	}
	each(t, func(t *testing.T, d database, db *sql.DB, table string) {
		count := read[d.dialect]
		if count[0] == "" {
			t.Skip("SQLite does not count the rows that it reads")
		}
		const done = 20_000
		db.SetMaxOpenConns(1) // the counts are of a session
		j := d.journal(t, db, table, "hook")
		var values []string
		for i := range done {
			values = append(values, fmt.Sprintf("('hook', '%088d', %d, 'owner', 1000, %d)", i, i+1, 1000+i))
		}
		exec := func(statement string) {
			_, err := db.Exec(statement)
			require.NoError(t, err)
		}
		exec("INSERT INTO " + table + " (webhook, signature, slot, owner, lapses, done) VALUES " + strings.Join(values, ", "))
		exec(map[sqlstore.Dialect]string{sqlstore.DialectPostgreSQL: "ANALYZE " + table, sqlstore.DialectMySQL: "ANALYZE TABLE " + table}[d.dialect])
		require.Equal(t, "new", claim(t, j, sig1, 5))
		require.NoError(t, j.Release(t.Context(), sig1))
		rows := func() (n int64) {
			exec(count[0])
			require.NoError(t, db.QueryRow(fmt.Sprintf(count[1], table)).Scan(&n))
			return n
		}
		before := rows()
		for range 10 {
			events, slot, err := j.Open(t.Context())
			require.NoError(t, err)
			require.Equal(t, 1, events)
			require.EqualValues(t, 5, slot)
			all, err := j.Unhandled(t.Context(), 0, webhooks.OpenEvent{}, 1000)
			require.NoError(t, err)
			require.Len(t, all, 1)
		}
		after := rows()
		t.Logf("%s: %d rows read", d.name, after-before)
		require.Less(t, after-before, int64(done))
	})
}

// A program may have no right to create tables.
func TestTablesOfAMigration(t *testing.T) {
	each(t, func(t *testing.T, d database, db *sql.DB, table string) {
		schema, err := sqlstore.Schema(d.dialect, table)
		require.NoError(t, err)
		for range 2 { // they may exist
			for statement := range strings.SplitSeq(strings.TrimSpace(schema), ";\n") {
				_, err := db.Exec(statement)
				require.NoError(t, err, statement)
			}
		}
		require.Equal(t, "new", claim(t, d.journal(t, db, table, "hook"), sig1, 1))
	})
}

func TestRenewedClaimDoesNotLapse(t *testing.T) {
	each(t, func(t *testing.T, d database, db *sql.DB, table string) {
		one, two := d.journal(t, db, table, "hook"), d.journal(t, db, table, "hook")
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
		store, err := (&sqlstore.Store{DB: db, Dialect: d.dialect, Table: table}).Open(t.Context(), "hook")
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
	each(t, func(t *testing.T, d database, db *sql.DB, table string) {
		j := d.journal(t, db, table, "hook")
		for _, name := range []string{table, table + "_checkpoints"} {
			_, err := db.Exec("DROP TABLE " + name)
			require.NoError(t, err)
		}
		errs := []error{
			j.Done(t.Context(), sig1), j.Release(t.Context(), sig1), j.Renew(t.Context(), sig1), j.Unlock(t.Context()),
			j.Begin(t.Context(), []types.Address{"a"}, 1), j.Advance(t.Context(), webhooks.Checkpoint{}), j.Drop(t.Context(), []types.Address{"a"}),
		}
		add := func(_ any, err error) { errs = append(errs, err) }
		add(j.Claim(t.Context(), sig1, 1))
		add(j.Unhandled(t.Context(), 0, webhooks.OpenEvent{}, 1))
		add(j.Checkpoints(t.Context()))
		add(j.Lock(t.Context()))
		add(j.Clean(t.Context(), 0, 1))
		_, _, err := j.Open(t.Context())
		for _, err := range append(errs, err) {
			require.ErrorContains(t, err, "sqlstore: ")
			require.NotErrorIs(t, err, webhooks.ErrClaimed)
		}
	})
}
