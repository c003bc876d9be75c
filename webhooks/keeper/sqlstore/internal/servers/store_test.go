package servers

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
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
	"github.com/solwire/solwire-go/webhooks/keeper"
	"github.com/solwire/solwire-go/webhooks/keeper/sqlstore"
	"github.com/solwire/solwire-go/webhooks/keeper/storetest"
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
		for _, name := range tables(table) {
			_, err := db.Exec("DROP TABLE IF EXISTS " + name)
			require.NoError(t, err)
		}
	}
	drop()
	t.Cleanup(drop)
	return db
}

// tables are the tables of a Store, and one of the name for other tests.
func tables(table string) []string {
	return []string{table + "_events", table + "_checkpoints", table + "_processes", table + "_leader", table}
}

// store returns a Store as another process has it.
func (d database) store(db *sql.DB, table string) *sqlstore.Store {
	return &sqlstore.Store{DB: db, Dialect: d.dialect, Table: table, Lease: 4 * time.Minute}
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

func claim(t *testing.T, j keeper.Store, signature types.Signature, slot uint64) string {
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
		short := &sqlstore.Store{DB: db, Dialect: d.dialect, Table: table, Lease: 2 * time.Second}
		require.Equal(t, "new", claim(t, short, sig1, 5))
		other := d.store(db, table)
		require.Eventually(t, func() bool { return claim(t, other, sig1, 5) == "new" }, 10*time.Second, 10*time.Millisecond)
		var until int64
		require.NoError(t, db.QueryRow("SELECT due_at FROM "+table+"_events").Scan(&until))
		require.InDelta(t, time.Now().Add(4*time.Minute).UnixMilli(), until, 60_000)
	})
}

func TestStore(t *testing.T) {
	each(t, func(t *testing.T, d database, db *sql.DB, table string) {
		open := func() *sqlstore.Store { return &sqlstore.Store{DB: db, Dialect: d.dialect, Table: table} }
		require.NoError(t, storetest.TestStore(t.Context(), open(), open()))
	})
}

// Two connections change the same rows in opposite order, serializably. The statements are tried
// again at once.
func TestConflictsAreRetriedAtOnce(t *testing.T) {
	each(t, func(t *testing.T, d database, db *sql.DB, table string) {
		isolation := map[sqlstore.Dialect]string{
			sqlstore.DialectPostgreSQL: "default_transaction_isolation=serializable", sqlstore.DialectMySQL: "tx_isolation=%27SERIALIZABLE%27&innodb_lock_wait_timeout=1",
		}[d.dialect]
		if isolation != "" {
			separator := "?"
			if strings.Contains(d.dsn, "?") {
				separator = "&"
			}
			strict, err := sql.Open(d.driver, d.dsn+separator+isolation)
			require.NoError(t, err)
			defer func() { _ = strict.Close() }()
			db = strict
		}
		var all []types.Signature
		var events []keeper.Pending
		for i := range 40 {
			all = append(all, types.Signature(fmt.Sprintf("%088d", i)))
			events = append(events, keeper.Pending{Signature: all[i], Slot: 1})
		}
		_, err := d.store(db, table).Add(t.Context(), "", events...)
		require.NoError(t, err)
		var wg sync.WaitGroup
		for worker := range 4 {
			wg.Go(func() {
				store := d.store(db, table)
				mine := slices.Clone(all)
				if worker%2 == 0 {
					slices.Reverse(mine)
				}
				for range 20 {
					if err := store.Move(t.Context(), keeper.StateDead, "x", mine...); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
	})
}

// Several processes create the tables at once.
func TestTablesAreCreatedOnce(t *testing.T) {
	each(t, func(t *testing.T, d database, db *sql.DB, table string) {
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				if _, err := d.store(db, table).Checkpoints(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	})
}

// Pending events are found by an index, also among very many that are done.
func TestPendingEventsAreFoundByAnIndex(t *testing.T) {
	read := map[sqlstore.Dialect][2]string{ // the statements before and for the count of rows read
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
		j := d.store(db, table)
		require.Equal(t, "new", claim(t, j, sig1, 5))
		require.NoError(t, j.Release(t.Context(), &webhooks.Event{Signature: sig1}, ""))
		insertDone(t, db, table, done)
		exec := func(statement string) {
			_, err := db.Exec(statement)
			require.NoError(t, err)
		}
		exec(map[sqlstore.Dialect]string{sqlstore.DialectPostgreSQL: "ANALYZE ", sqlstore.DialectMySQL: "ANALYZE TABLE "}[d.dialect] + table + "_events")
		rows := func() (n int64) {
			exec(count[0])
			require.NoError(t, db.QueryRow(fmt.Sprintf(count[1], table+"_events")).Scan(&n))
			return n
		}
		before := rows()
		for range 10 {
			all, err := j.Pending(t.Context(), keeper.Query{Limit: 1000})
			require.NoError(t, err)
			require.Len(t, all, 1)
			shared, err := j.Lock(t.Context(), keeper.Process{ID: "a"}, time.Minute)
			require.NoError(t, err)
			require.Equal(t, 1, shared.Pending)
			require.EqualValues(t, 5, shared.LowestSlot)
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
		require.Equal(t, "new", claim(t, d.store(db, table), sig1, 1))
	})
}

// Handle holds the only connection when its claim is to be renewed.
func TestHandleWithTheOnlyConnection(t *testing.T) {
	each(t, func(t *testing.T, d database, db *sql.DB, table string) {
		db.SetMaxOpenConns(1)
		store := &sqlstore.Store{DB: db, Dialect: d.dialect, Table: table}
		require.Equal(t, "new", claim(t, store, sig2, 5)) // the tables exist
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
		j := d.store(db, table)
		require.Equal(t, "new", claim(t, j, sig1, 5))
		for _, name := range tables(table)[:4] {
			_, err := db.Exec("DROP TABLE " + name)
			require.NoError(t, err)
		}
		e := &webhooks.Event{Signature: sig1, Slot: 1}
		errs := []error{
			j.Done(t.Context(), e), j.Release(t.Context(), e, ""), j.Renew(t.Context(), e),
			j.Move(t.Context(), keeper.StateDead, "", sig1), j.SetCheckpoints(t.Context(), keeper.Checkpoint{}),
		}
		add := func(_ any, err error) { errs = append(errs, err) }
		add(j.Claim(t.Context(), e))
		add(j.Add(t.Context(), "", keeper.Pending{Signature: sig1}))
		add(j.Pending(t.Context(), keeper.Query{}))
		add(j.Checkpoints(t.Context()))
		add(j.Lock(t.Context(), keeper.Process{}, time.Minute))
		add(j.Lock(t.Context(), keeper.Process{}, 0))
		add(j.Clean(t.Context(), 0))
		for _, err := range errs {
			require.ErrorContains(t, err, "sqlstore: ")
			require.NotErrorIs(t, err, webhooks.ErrClaimed)
		}
	})
}
