// Package sqlseen records in a SQL database which events of Helius webhooks were handled,
// so that each Solana transaction is handled once, also by several processes and after
// a restart.
//
// A whole program:
//
//	// Catchup prints the swaps of the last day that it has not printed before.
//	package main
//
//	import (
//		"context"
//		"database/sql"
//		"fmt"
//		"log"
//		"os"
//		"time"
//
//		_ "modernc.org/sqlite"
//
//		"github.com/solwire/solwire-go/types"
//		"github.com/solwire/solwire-go/types/txtype"
//		"github.com/solwire/solwire-go/webhooks"
//		"github.com/solwire/solwire-go/webhooks/sqlseen"
//	)
//
//	func main() {
//		ctx := context.Background()
//		db, err := sql.Open("sqlite", "file:events.db?_pragma=busy_timeout(2000)")
//		if err != nil {
//			log.Fatal(err)
//		}
//		schema, err := sqlseen.Schema(sqlseen.DialectSQLite, "")
//		if err != nil {
//			log.Fatal(err)
//		}
//		if _, err := db.ExecContext(ctx, schema); err != nil {
//			log.Fatal(err)
//		}
//		store, err := sqlseen.New(sqlseen.Config{DB: db, Dialect: sqlseen.DialectSQLite})
//		if err != nil {
//			log.Fatal(err)
//		}
//		hooks, err := webhooks.New(types.Config{APIKey: os.Getenv("HELIUS_API_KEY")})
//		if err != nil {
//			log.Fatal(err)
//		}
//		const owner types.Address = "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY"
//		report, err := hooks.Backfill(ctx, webhooks.BackfillConfig{
//			Seen: store,
//			Handle: func(_ context.Context, e *webhooks.Event) error {
//				fmt.Println(e.BlockTime, e.Enhanced.Description)
//				return nil
//			},
//			Settings: webhooks.Settings{
//				Type:             webhooks.TypeEnhanced,
//				TransactionTypes: []txtype.Type{txtype.Swap},
//				AccountAddresses: []types.Address{owner},
//			},
//			Since: time.Now().AddDate(0, 0, -1),
//		})
//		if err != nil {
//			log.Fatal(err)
//		}
//		fmt.Println(report.Handled, "new,", report.Seen, "handled before")
//	}
//
// A [Store] is a [webhooks.SlotKeeper] and a [webhooks.Renewer] on database/sql, for
// PostgreSQL, MySQL or MariaDB, and SQLite. The package has no driver: import one. Set a
// busy timeout for SQLite. Run [Schema] as a migration, or at each start: if several
// processes create the table at once, PostgreSQL refuses all but one, so retry it.
//
// While Handle runs, a Store needs a connection to renew the claim. If none becomes free,
// such as with SetMaxOpenConns(1) and a transaction in Handle, the claim lapses after the
// Lease, and another process may handle the event, too.
//
// A Receiver with a Store drops the events that any process has handled:
//
//	store, err := sqlseen.New(sqlseen.Config{
//		DB:      db,
//		Dialect: sqlseen.DialectPostgreSQL,
//		Webhook: hook.ID,
//	})
//	if err != nil {
//		return err
//	}
//	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
//		Secrets: []webhooks.Secret{secret},
//		Seen:    store,
//		Handle:  handle,
//	})
//
// # Exactly once
//
// With a Store, an event is handled twice only if a process dies, or cannot reach the
// database, before Done has recorded the event. No store can rule that out. If Handle
// writes to one database, insert the signature into a table with a primary key, in the
// same transaction, and treat a duplicate key as an event that was handled before. Then a
// Store is needed only for [webhooks.Receiver.SafeSlot] and [webhooks.Client.Backfill].
package sqlseen

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

// DefaultTable is the table if [Config] names none.
const DefaultTable = "webhook_events"

// A Config configures a [Store].
type Config struct {
	DB      *sql.DB // required
	Dialect Dialect // required

	// Webhook distinguishes the webhooks that share a table, such as by their IDs. It
	// is printable ASCII of at most 64 bytes; empty is a webhook like any other.
	Webhook string

	// Table is the name of the table; empty means DefaultTable.
	Table string

	// Lease is how long a claim holds after it was made or renewed. A Receiver renews it
	// every second, so a Lease of at most a second is refused; it should be shorter than
	// the 3 seconds in which the service retries. 0 means 2 seconds.
	Lease time.Duration
}

// A Store is a [webhooks.SlotKeeper] and a [webhooks.Renewer] in a table. Make it with
// [New]. It is safe for concurrent use.
type Store struct {
	db      *sql.DB
	d       *dialect
	table   string
	webhook string
	owner   string // of this Store; random
	lease   int64  // milliseconds
}

// New returns a Store. It sends nothing to the database. Its errors match
// [types.ErrInvalid].
func New(cfg Config) (*Store, error) {
	d := dialects()[cfg.Dialect]
	switch {
	case cfg.DB == nil:
		return nil, invalid("DB", "is nil")
	case d == nil:
		return nil, invalid("Dialect", "is not one of the constants")
	case len(cfg.Webhook) > 64 || strings.ContainsFunc(cfg.Webhook, func(r rune) bool { return r < ' ' || r > '~' }):
		return nil, invalid("Webhook", "is not printable ASCII of at most 64 bytes")
	case cfg.Lease != 0 && cfg.Lease <= time.Second:
		return nil, invalid("Lease", "is not longer than a second, after which a claim is renewed; 0 means 2 seconds")
	}
	table, err := tableName(cfg.Table)
	if err != nil {
		return nil, err
	}
	lease := cfg.Lease
	if lease == 0 {
		lease = 2 * time.Second
	}
	return &Store{cfg.DB, d, table, cfg.Webhook, rand.Text(), lease.Milliseconds()}, nil
}

func invalid(name, problem string) error {
	return fmt.Errorf("sqlseen.Config: %s %s: %w", name, problem, types.ErrInvalid)
}

// tableName refuses names that would have to be quoted.
func tableName(name string) (string, error) {
	if name == "" {
		return DefaultTable, nil
	}
	if len(name) > 60 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") != "" {
		return "", invalid("Table", "is not a name of letters, digits, _ and a dot")
	}
	return name, nil
}

// Claim claims an event for the time of the lease. It implements [webhooks.Seen].
func (s *Store) Claim(ctx context.Context, signature types.Signature, slot uint64) (bool, error) {
	inserted, err := s.exec(ctx, s.d.insert, s.webhook, string(signature), int64(slot), s.owner, s.lease)
	if err != nil || inserted {
		return inserted, err
	}
	taken, err := s.exec(ctx, "UPDATE {table} SET owner = ?, lapses = {now} + ? WHERE webhook = ? AND signature = ? AND done = 0 AND lapses <= {now}",
		s.owner, s.lease, s.webhook, string(signature))
	if err != nil || taken {
		return taken, err
	}
	var done int64 // milliseconds do not fit an int of 32 bits
	err = s.db.QueryRowContext(ctx, s.sql("SELECT done FROM {table} WHERE webhook = ? AND signature = ?"), s.webhook, string(signature)).Scan(&done)
	switch {
	case errors.Is(err, sql.ErrNoRows): // it was deleted meanwhile
		return false, webhooks.ErrClaimed
	case err != nil:
		return false, fmt.Errorf("sqlseen: %w", err)
	case done == 0:
		return false, webhooks.ErrClaimed
	}
	return false, nil
}

// Renew renews the claim of this Store for the time of the lease. It implements
// [webhooks.Renewer].
func (s *Store) Renew(ctx context.Context, signature types.Signature) error {
	renewed, err := s.exec(ctx, "UPDATE {table} SET lapses = {now} + ? WHERE webhook = ? AND signature = ? AND owner = ? AND done = 0",
		s.lease, s.webhook, string(signature), s.owner)
	if err == nil && !renewed {
		return fmt.Errorf("sqlseen: the claim has lapsed: %w", webhooks.ErrClaimed)
	}
	return err
}

// Done records an event as handled, also after the lease. It implements
// [webhooks.Seen].
func (s *Store) Done(ctx context.Context, signature types.Signature) error {
	_, err := s.exec(ctx, "UPDATE {table} SET done = {now} WHERE webhook = ? AND signature = ?", s.webhook, string(signature))
	return err
}

// Release ends the claim of this Store. The event is still known to be open, for
// SafeSlot. It implements [webhooks.Seen].
func (s *Store) Release(ctx context.Context, signature types.Signature) error {
	_, err := s.exec(ctx, "UPDATE {table} SET lapses = 0 WHERE webhook = ? AND signature = ? AND owner = ? AND done = 0", s.webhook, string(signature), s.owner)
	return err
}

// SafeSlot implements [webhooks.SlotKeeper] for all processes that share the table:
// call [webhooks.Receiver.SafeSlot], which allows for late deliveries.
func (s *Store) SafeSlot(ctx context.Context) (uint64, error) {
	open, err := s.slot(ctx, "SELECT MIN(slot) FROM {table} WHERE webhook = ? AND done = 0 AND slot > 0")
	if err != nil || open > 0 {
		return open, err
	}
	return s.slot(ctx, "SELECT MAX(slot) FROM {table} WHERE webhook = ?")
}

// held is the signature of an open event that stands for the slot that is held.
const held = "held"

// HoldSlot implements [webhooks.SlotKeeper].
func (s *Store) HoldSlot(ctx context.Context, slot uint64) error {
	if slot == 0 {
		_, err := s.exec(ctx, "DELETE FROM {table} WHERE webhook = ? AND signature = ?", s.webhook, held)
		return err
	}
	if inserted, err := s.exec(ctx, s.d.insert, s.webhook, held, int64(slot), s.owner, s.lease); err != nil || inserted {
		return err
	}
	_, err := s.exec(ctx, "UPDATE {table} SET slot = ? WHERE webhook = ? AND signature = ?", int64(slot), s.webhook, held)
	return err
}

func (s *Store) slot(ctx context.Context, query string) (uint64, error) {
	var slot sql.NullInt64
	if err := s.db.QueryRowContext(ctx, s.sql(query), s.webhook).Scan(&slot); err != nil {
		return 0, fmt.Errorf("sqlseen: %w", err)
	}
	return uint64(slot.Int64), nil
}

// margin is how many slots before SafeSlot a backfill may begin.
const margin = 500

// Clean deletes the events of the webhook that were handled before the given age, and
// returns how many. It keeps open events, and the events after them: a backfill
// from [webhooks.Receiver.SafeSlot] would handle them again. Call it now and then: a row
// takes some 200 bytes. Older events are unknown afterwards, so a backfill that begins
// before them handles them again: with daily backfills that begin at the last Checkpoint,
// keep them for a week.
func (s *Store) Clean(ctx context.Context, age time.Duration) (int64, error) {
	safe, err := s.SafeSlot(ctx)
	if err != nil {
		return 0, err
	}
	return s.rows(ctx, "DELETE FROM {table} WHERE webhook = ? AND done > 0 AND done <= {now} - ? AND slot < ?",
		s.webhook, age.Milliseconds(), int64(safe-min(safe, margin)))
}

// Forget deletes the open events before a slot, and a held slot before it, so that
// SafeSlot can pass them. Call it after a backfill to that slot, when such events are
// not in the history: their blocks were dropped. Until then, Clean keeps all events
// after them.
func (s *Store) Forget(ctx context.Context, before uint64) error {
	_, err := s.exec(ctx, "DELETE FROM {table} WHERE webhook = ? AND done = 0 AND lapses <= {now} AND slot < ?", s.webhook, int64(before))
	return err
}

// exec reports whether a statement changed a row.
func (s *Store) exec(ctx context.Context, query string, args ...any) (bool, error) {
	n, err := s.rows(ctx, query, args...)
	return n > 0, err
}

func (s *Store) rows(ctx context.Context, query string, args ...any) (int64, error) {
	result, err := s.db.ExecContext(ctx, s.sql(query), args...)
	if err != nil {
		return 0, fmt.Errorf("sqlseen: %w", err)
	}
	n, err := result.RowsAffected()
	if err != nil {
		return 0, fmt.Errorf("sqlseen: %w", err)
	}
	return n, nil
}

// sql returns a query in the dialect of the database.
func (s *Store) sql(query string) string { return s.d.sql(query, s.table) }
