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
	"github.com/solwire/solwire-go/webhooks/storetest"
)

const (
	sig1 types.Signature = "5wHu1qwD7q5ifaN5nwdcDqNFo53GJqa7nLp2BeeEpcHCusb4GzARz4GjgzsEHMkBMgCJMGa6GSQ1VG96Exv8kt2W"
	sig2 types.Signature = "3Ww3Wz9C1b7RM8P3xEzyWmeHk7H7jE7VtCFTJwEsqz2MrJxt2Cb7D1YzTFY6hYC1Hn7QWQcX5dUoZ7r2A5rQ7tPb"
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
		for _, name := range []string{table, table + "_facts"} {
			_, err := db.Exec("DROP TABLE IF EXISTS " + name)
			require.NoError(t, err)
		}
	}
	drop()
	t.Cleanup(drop)
	return db
}

// record opens a record.
func (d database) record(t *testing.T, db *sql.DB, table, name string) webhooks.Record {
	t.Helper()
	j, err := (&sqlstore.Store{DB: db, Dialect: d.dialect, Table: table, Lease: 4 * time.Minute}).Record(t.Context(), name)
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

func claim(t *testing.T, j webhooks.Record, signature types.Signature, slot uint64) string {
	t.Helper()
	isNew, err := j.Claim(t.Context(), &webhooks.Event{Signature: signature, Slot: slot})
	if err != nil {
		require.ErrorIs(t, err, webhooks.ErrClaimed)
		require.False(t, isNew)
		return "claimed"
	}
	return map[bool]string{true: "new", false: "done"}[isNew]
}

func TestClaimLapsesByTheClockOfTheDatabase(t *testing.T) {
	each(t, func(t *testing.T, d database, db *sql.DB, table string) {
		short, err := (&sqlstore.Store{DB: db, Dialect: d.dialect, Table: table, Lease: 2 * time.Second}).Record(t.Context(), "hook")
		require.NoError(t, err)
		require.Equal(t, "new", claim(t, short, sig1, 5))
		other := d.record(t, db, table, "hook")
		require.Eventually(t, func() bool { return claim(t, other, sig1, 5) == "new" }, 10*time.Second, 10*time.Millisecond)
		var lapses int64
		require.NoError(t, db.QueryRow("SELECT lapses FROM "+table).Scan(&lapses))
		require.InDelta(t, time.Now().Add(4*time.Minute).UnixMilli(), lapses, 60_000)
	})
}

func TestStore(t *testing.T) {
	each(t, func(t *testing.T, d database, db *sql.DB, table string) {
		require.NoError(t, storetest.TestStore(t.Context(), &sqlstore.Store{DB: db, Dialect: d.dialect, Table: table}))
	})
}

// The clock of the database is set forward by an hour: who is alive keeps its claim and the
// lock.
func TestClaimsOfThePastAreRenewed(t *testing.T) {
	each(t, func(t *testing.T, d database, db *sql.DB, table string) {
		one, two := d.record(t, db, table, "hook"), d.record(t, db, table, "hook")
		require.Equal(t, "new", claim(t, one, sig1, 5))
		_, err := one.Lock(t.Context(), time.Minute)
		require.NoError(t, err)
		for _, statement := range []string{"UPDATE " + table + " SET lapses = lapses - 3600000, opened = opened - 3600000", "UPDATE " + table + "_facts SET since = since - 3600000"} {
			_, err := db.Exec(statement)
			require.NoError(t, err)
		}
		require.NoError(t, one.Renew(t.Context(), &webhooks.Event{Signature: sig1}))
		require.Equal(t, "claimed", claim(t, two, sig1, 5))
		locked, err := one.Lock(t.Context(), time.Minute)
		require.NoError(t, err)
		require.True(t, locked)
		locked, err = two.Lock(t.Context(), time.Minute)
		require.NoError(t, err)
		require.False(t, locked)
	})
}

// The clock of the database is set back by an hour after a claim and a lock.
func TestClaimsOfTheFutureLapse(t *testing.T) {
	each(t, func(t *testing.T, d database, db *sql.DB, table string) {
		one, two := d.record(t, db, table, "hook"), d.record(t, db, table, "hook")
		require.Equal(t, "new", claim(t, one, sig1, 5))
		_, err := one.Lock(t.Context(), time.Minute)
		require.NoError(t, err)
		for _, statement := range []string{"UPDATE " + table + " SET lapses = lapses + 3600000", "UPDATE " + table + "_facts SET since = since + 3600000 WHERE name = 'lock/hook'"} {
			_, err := db.Exec(statement)
			require.NoError(t, err)
		}
		open, err := two.OpenEvents(t.Context(), webhooks.OpenQuery{Limit: 1})
		require.NoError(t, err)
		require.Len(t, open.Events, 1)
		require.Equal(t, "new", claim(t, two, sig1, 5))
		locked, err := two.Lock(t.Context(), time.Minute)
		require.NoError(t, err)
		require.True(t, locked)
		require.NoError(t, two.Add(t.Context(), webhooks.Fact{Name: "need/5", Value: "1"}))
		_, err = db.Exec("UPDATE " + table + "_facts SET since = since + 3600000 WHERE name = 'need/5'")
		require.NoError(t, err)
		facts, err := two.Facts(t.Context(), "need/")
		require.NoError(t, err)
		require.Greater(t, facts[0].Age, 59*time.Minute, "nothing waits for the hour")
	})
}

// Several processes create the tables at once.
func TestTablesAreCreatedOnce(t *testing.T) {
	each(t, func(t *testing.T, d database, db *sql.DB, table string) {
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				if _, err := (&sqlstore.Store{DB: db, Dialect: d.dialect, Table: table}).Record(t.Context(), "hook"); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	})
}

func TestTablesOfAnotherVersionAreRefused(t *testing.T) {
	each(t, func(t *testing.T, d database, db *sql.DB, table string) {
		d.record(t, db, table, "swaps")
		_, err := db.Exec("UPDATE " + table + "_facts SET value = '4' WHERE name = 'schema'")
		require.NoError(t, err)
		_, err = (&sqlstore.Store{DB: db, Dialect: d.dialect, Table: table}).Record(t.Context(), "swaps")
		require.ErrorContains(t, err, "schema version 4, of another version of this module")
		require.ErrorIs(t, err, types.ErrInvalid)
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
		j := d.record(t, db, table, "hook")
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
		require.NoError(t, j.Release(t.Context(), &webhooks.Event{Signature: sig1}, ""))
		rows := func() (n int64) {
			exec(count[0])
			require.NoError(t, db.QueryRow(fmt.Sprintf(count[1], table)).Scan(&n))
			return n
		}
		before := rows()
		for range 10 {
			all, err := j.OpenEvents(t.Context(), webhooks.OpenQuery{Limit: 1000})
			require.NoError(t, err)
			require.Equal(t, 1, all.Count)
			require.EqualValues(t, 5, all.Slot)
			require.Len(t, all.Events, 1)
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
		require.Equal(t, "new", claim(t, d.record(t, db, table, "hook"), sig1, 1))
	})
}

// Handle holds the only connection when its claim is to be renewed.
func TestHandleWithTheOnlyConnection(t *testing.T) {
	each(t, func(t *testing.T, d database, db *sql.DB, table string) {
		db.SetMaxOpenConns(1)
		store, err := (&sqlstore.Store{DB: db, Dialect: d.dialect, Table: table}).Record(t.Context(), "hook")
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
		j := d.record(t, db, table, "hook")
		for _, name := range []string{table, table + "_facts"} {
			_, err := db.Exec("DROP TABLE " + name)
			require.NoError(t, err)
		}
		e := &webhooks.Event{Signature: sig1, Slot: 1}
		errs := []error{
			j.Done(t.Context(), e), j.Release(t.Context(), e, ""), j.Renew(t.Context(), e),
			j.Add(t.Context(), webhooks.Fact{Name: "a", Value: "1"}), j.Put(t.Context(), webhooks.Fact{Name: "a", Value: "1"}),
		}
		add := func(_ any, err error) { errs = append(errs, err) }
		add(j.Claim(t.Context(), e))
		add(j.OpenEvents(t.Context(), webhooks.OpenQuery{}))
		add(j.Facts(t.Context(), ""))
		add(j.Lock(t.Context(), time.Minute))
		add(j.Clean(t.Context(), 0, 1))
		for _, err := range errs {
			require.ErrorContains(t, err, "sqlstore: ")
			require.NotErrorIs(t, err, webhooks.ErrClaimed)
		}
	})
}
