// Package sqlstore stores the events of Helius webhooks and the checkpoints of Solana addresses
// in a SQL database, for a keeper.Keeper.
//
// A whole program:
//
//	// Keep stores each swap of a wallet in a database, once.
//	package main
//
//	import (
//		"context"
//		"database/sql"
//		"log"
//		"log/slog"
//		"net/http"
//		"os"
//		"os/signal"
//		"syscall"
//
//		_ "modernc.org/sqlite" // or the driver of another database
//
//		"github.com/solwire/solwire-go/types"
//		"github.com/solwire/solwire-go/types/txtype"
//		"github.com/solwire/solwire-go/webhooks"
//		"github.com/solwire/solwire-go/webhooks/keeper"
//		"github.com/solwire/solwire-go/webhooks/keeper/sqlstore"
//	)
//
//	func main() {
//		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
//		defer stop()
//		db, err := sql.Open("sqlite", "file:events.db?_pragma=busy_timeout(2000)")
//		check(err)
//		_, err = db.ExecContext(ctx, "CREATE TABLE IF NOT EXISTS swaps (signature VARCHAR(88) PRIMARY KEY, event TEXT)")
//		check(err)
//		hooks, err := webhooks.New(types.Config{APIKey: types.Key(os.Getenv("HELIUS_API_KEY"))})
//		check(err)
//		k, err := keeper.New(hooks, keeper.Config{
//			Settings: webhooks.Settings{ // what must be delivered
//				URL:              os.Getenv("WEBHOOK_URL"), // where this program is reached
//				AuthHeader:       webhooks.Secret(os.Getenv("WEBHOOK_SECRET")),
//				Type:             webhooks.TypeEnhanced,
//				TransactionTypes: []txtype.Type{txtype.Swap},
//				AccountAddresses: []types.Address{"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY"},
//			},
//			Store: sqlstore.New(db, sqlstore.DialectSQLite),
//			Handle: func(ctx context.Context, e *webhooks.Event) error { // idempotent
//				_, err := db.ExecContext(ctx, "INSERT INTO swaps VALUES (?, ?) ON CONFLICT DO NOTHING", e.Signature, string(e.JSON))
//				return err
//			},
//			Logger: slog.Default(),
//		})
//		check(err)
//		go func() { check(http.ListenAndServe(":8080", k)) }()
//		go func() { check(http.ListenAndServe("127.0.0.1:8081", http.HandlerFunc(k.ServeStatus))) }()
//		check(k.Run(ctx)) // until a signal, and then until running calls of Handle end
//	}
//
//	func check(err error) {
//		if err != nil {
//			log.Fatal(err)
//		}
//	}
//
// The database is PostgreSQL, MySQL, MariaDB or SQLite. The package has no driver: import one. For
// SQLite, set a busy timeout. The tables are created if they do not exist; to create them in a
// migration, use [Schema]. Conflicts of transactions are retried at once.
//
// With indexes, an event takes some 600 bytes on PostgreSQL (with autovacuum) and MariaDB, and 430
// on SQLite. A Keeper deletes it after a week.
//
// If the database loses committed transactions, events may be lost. Keep synchronous_commit of
// PostgreSQL on, and innodb_flush_log_at_trx_commit of MySQL at 1.
//
// A claim lapses after the Lease, 3 seconds. While Handle runs, the claim is renewed twice a
// second, which needs a free connection. Without one for 3 seconds, another process may handle the
// event, too. So do not use SetMaxOpenConns(1) with a transaction in Handle.
//
// # Exactly once
//
// An event is handled twice if a process dies or loses the database between Handle and Done. The
// same happens if the process stalls for longer than the Lease. No store can rule that out.
//
// If Handle writes to a database, insert the signature into a table with a primary key, in the
// same transaction: INSERT … ON CONFLICT DO NOTHING. If it is there, the event was handled before.
//
// # Without a Keeper
//
// A Store is a [webhooks.Seen] for a Receiver and for Backfill:
//
//	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
//		Secrets: []webhooks.Secret{secret},
//		Seen:    sqlstore.New(db, sqlstore.DialectPostgreSQL),
//		Handle:  handle,
//	})
package sqlstore

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/solwire/solwire-go/internal/wait"
)

// DefaultTable is the default of [Store].Table.
const DefaultTable = "keeper"

// rowsAtOnce is the most rows that a statement changes, so that others do not wait for it.
const rowsAtOnce = 200

// A Store is a [keeper.Store] in a SQL database. Each process needs a Store of its own. It is safe
// for concurrent use.
type Store struct {
	DB      *sql.DB // required
	Dialect Dialect // required

	// Table is the beginning of the names of the tables. Different programs with one database need
	// different values. Empty means DefaultTable.
	Table string

	// Lease is how long a claim lasts without a renewal: 2 seconds to 5 minutes. 0 means 3 seconds.
	Lease time.Duration

	mu    sync.Mutex
	words *strings.Replacer // nil before the first call
}

// New returns a Store with the default tables. If db is nil or d is invalid, its methods fail with
// [types.ErrInvalid].
func New(db *sql.DB, d Dialect) *Store { return &Store{DB: db, Dialect: d} }

// open checks the fields and creates the tables unless they exist, since a program may have no
// right to create any. If several processes create tables at once, a database may fail all but
// one of them: the others try again and find the tables.
func (s *Store) open(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.words != nil {
		return nil
	}
	schema, err := Schema(s.Dialect, s.Table)
	switch {
	case s.DB == nil:
		return invalid("DB is nil")
	case err != nil:
		return err
	case s.Lease != 0 && (s.Lease < 2*time.Second || s.Lease > 5*time.Minute):
		return invalid("Lease is not 2 seconds to 5 minutes; 0 means 3 seconds")
	}
	words, _ := wordsOf(s.Dialect, s.Table, "{me}", "'"+rand.Text()+"'", "{lease}", strconv.FormatInt(cmp.Or(s.Lease, 3*time.Second).Milliseconds(), 10))
	for attempt := 0; ; attempt++ {
		_, err := s.run(ctx, words, "INSERT NEW INTO {table}_leader VALUES (1, '', 0, '{}') ELSE IGNORE")
		if err == nil {
			s.words = words
			return nil
		}
		var created error
		for statement := range strings.SplitSeq(strings.TrimSpace(schema), ";\n") {
			if created == nil {
				_, created = s.run(ctx, words, statement)
			}
		}
		if attempt == 5 {
			return cmp.Or(created, err)
		}
		if created != nil {
			_ = wait.For(ctx, 100*time.Millisecond)
		}
	}
}
