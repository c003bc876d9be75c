// Package sqlstore keeps the record of a webhooks.Keeper in a SQL database: which events of
// Helius webhooks were handled, and how far the histories of the Solana addresses were read.
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
//		"github.com/solwire/solwire-go/webhooks/sqlstore"
//	)
//
//	func main() {
//		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
//		defer stop()
//		db, err := sql.Open("sqlite", "file:events.db?_pragma=busy_timeout(2000)")
//		check(err)
//		_, err = db.ExecContext(ctx, "CREATE TABLE IF NOT EXISTS swaps (signature VARCHAR(88) PRIMARY KEY, event TEXT)")
//		check(err)
//		hooks, err := webhooks.New(types.Config{APIKey: os.Getenv("HELIUS_API_KEY")})
//		check(err)
//		keeper, err := hooks.Keep(webhooks.KeepConfig{
//			Settings: webhooks.Settings{ // what must be delivered
//				URL:              os.Getenv("WEBHOOK_URL"), // where this program is reached
//				AuthHeader:       webhooks.Secret(os.Getenv("WEBHOOK_SECRET")),
//				Type:             webhooks.TypeEnhanced,
//				TransactionTypes: []txtype.Type{txtype.Swap},
//				AccountAddresses: []types.Address{"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY"},
//			},
//			Store: sqlstore.New(db, sqlstore.DialectSQLite),
//			Handle: func(ctx context.Context, e *webhooks.Event) error { // idempotent; also if e.Err is set
//				_, err := db.ExecContext(ctx, "INSERT INTO swaps VALUES (?, ?) ON CONFLICT DO NOTHING", e.Signature, string(e.JSON))
//				return err
//			},
//			Logger: slog.Default(),
//		})
//		check(err)
//		go func() { check(http.ListenAndServe(":8080", keeper)) }()
//		go func() { check(http.ListenAndServe("127.0.0.1:8081", http.HandlerFunc(keeper.ServeStatus))) }()
//		check(keeper.Run(ctx)) // until a signal, and then until running calls of Handle end
//	}
//
//	func check(err error) {
//		if err != nil {
//			log.Fatal(err)
//		}
//	}
//
// It runs on PostgreSQL, MySQL or MariaDB, and SQLite, for which set a busy timeout. The
// package has no driver: import one. Tables are created if they do not exist; to create
// them in a migration, use [Schema].
//
// An event takes a row of some 600 bytes on PostgreSQL (with autovacuum) and MariaDB, and of
// 430 on SQLite, indexes included. A Keeper deletes it after a week.
//
// The database must not lose what it committed, or events that were handled or read in a
// history may be lost with it: keep synchronous_commit of PostgreSQL on, and
// innodb_flush_log_at_trx_commit of MySQL at 1.
//
// While Handle runs, a claim holds for the Lease, 3 seconds, and is renewed twice a second,
// which needs a connection. If none becomes free for so long, such as with
// SetMaxOpenConns(1) and a transaction in Handle, another process may handle the event,
// too.
//
// # Exactly once
//
// An event is handled twice if a process dies or loses the database between Handle and
// Done, or is stopped for longer than the Lease while Handle runs. No store can rule that
// out. If Handle writes to one database, insert the signature into a table with a primary
// key, in the same transaction, and treat a duplicate key as an event that was handled before:
// INSERT … ON CONFLICT DO NOTHING.
//
// # Without a Keeper
//
// A [webhooks.Record] is a [webhooks.Seen] for a Receiver and for Backfill:
//
//	record, err := sqlstore.New(db, sqlstore.DialectPostgreSQL).Record(ctx, "swaps")
//	if err != nil {
//		return err
//	}
//	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
//		Secrets: []webhooks.Secret{secret},
//		Seen:    record,
//		Handle:  handle,
//	})
package sqlstore

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/solwire/solwire-go/internal/wait"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

// DefaultTable is the table of events if a [Store] names none. The facts of records are
// in the table with the same name and the ending _facts.
const DefaultTable = "webhook_events"

const (
	defaultLease = 3 * time.Second

	// maxLease bounds claims and locks, in milliseconds: those that lapse later were made before
	// the clock of the database was set back.
	maxLease = 5 * 60 * 1000

	schemaVersion = "3" // of the tables; there was no release with another one
)

// A Store is a [webhooks.Store] in a SQL database. It is safe for concurrent use.
type Store struct {
	DB      *sql.DB // required
	Dialect Dialect // required
	Table   string  // of the events; empty means DefaultTable

	// Lease is how long a claim holds after it was made or renewed, which happens every half
	// second. 0 means 3 seconds; it must be 2 seconds to 5 minutes.
	Lease time.Duration
}

// New returns a Store with the default table. What is wrong with db or d is the error of its
// Record.
func New(db *sql.DB, d Dialect) *Store { return &Store{DB: db, Dialect: d} }

// Record returns the record with a name, and creates the tables if they do not exist. It
// implements [webhooks.Store].
func (s *Store) Record(ctx context.Context, name string) (webhooks.Record, error) { //nolint:ireturn // as webhooks.Store demands
	d := dialects()[s.Dialect]
	switch {
	case s.DB == nil:
		return nil, invalid("DB", "is nil")
	case d == nil:
		return nil, invalid("Dialect", "is not one of the constants")
	case name == "" || len(name) > 64 || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r > '~' }):
		return nil, invalid("name", "is not printable ASCII of 1 to 64 bytes")
	case s.Lease != 0 && (s.Lease < 2*time.Second || s.Lease > 5*time.Minute):
		return nil, invalid("Lease", "is not 2 seconds to 5 minutes; 0 means 3 seconds")
	}
	table, err := tableName(s.Table)
	if err != nil {
		return nil, err
	}
	r := &record{s.DB, d, table, name, rand.Text(), cmp.Or(s.Lease, defaultLease).Milliseconds()}
	if err := r.create(ctx); err != nil {
		return nil, err
	}
	return r, nil
}

func invalid(name, problem string) error {
	return fmt.Errorf("sqlstore.Store: %s %s: %w", name, problem, types.ErrInvalid)
}

// tableName refuses names that would have to be quoted.
func tableName(name string) (string, error) {
	if name == "" {
		return DefaultTable, nil
	}
	if len(name) > 48 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") != "" {
		return "", invalid("Table", "is not a name of at most 48 letters, digits, _ and a dot")
	}
	return name, nil
}

// A record is a [webhooks.Record].
type record struct {
	db    *sql.DB
	d     *dialect
	table string
	name  string
	owner string // of this record; random
	lease int64  // milliseconds
}

// create creates the tables unless they exist, since a program may have no right to create
// any, and the row for the lock. Of several processes that create tables at once, a database
// may fail all but one, which then find them.
func (r *record) create(ctx context.Context) error {
	var version string
	find := func() error {
		return r.row(ctx, []any{&version}, "SELECT value FROM {table}_facts WHERE record = '' AND name = 'schema'")
	}
	err := find()
	for attempt := 0; err != nil && attempt < 5; attempt++ {
		created := r.createTables(ctx)
		if err = find(); err != nil {
			err = cmp.Or(created, err)
			_ = wait.For(ctx, 100*time.Millisecond)
		}
	}
	switch {
	case err != nil:
		return err
	case version != schemaVersion:
		return invalid("Table", "has schema version "+version+", of another version of this module; this one knows "+schemaVersion)
	}
	return r.insert(ctx, r.d.ignore, r.name, webhooks.Fact{Name: lockName, Value: "nobody"})
}

func (r *record) createTables(ctx context.Context) error {
	for statement := range strings.SplitSeq(strings.TrimSpace(r.d.schema(r.table)), ";\n") {
		if _, err := r.exec(ctx, statement); err != nil {
			return err
		}
	}
	return r.insert(ctx, r.d.ignore, "", webhooks.Fact{Name: "schema", Value: schemaVersion})
}

// Claim claims an event for the time of the lease.
func (r *record) Claim(ctx context.Context, e *webhooks.Event) (bool, error) {
	inserted, err := r.exec(ctx, r.d.ignore[0]+" INTO {table} (webhook, signature, slot, owner, lapses, done, opened, attempts, address) VALUES (?, ?, ?, ?, {now} + ?, 0, {now}, 1, ?)"+r.d.ignore[1],
		r.name, string(e.Signature), int64(e.Slot), r.owner, r.lease, string(e.Address))
	if err != nil || inserted {
		return inserted, err
	}
	taken, err := r.exec(ctx, "UPDATE {table} SET owner = ?, lapses = {now} + ?, attempts = attempts + 1, address = COALESCE(NULLIF(?, ''), address) WHERE webhook = ? AND signature = ? AND done = 0 AND (lapses <= {now} OR lapses > {now} + ?)",
		r.owner, r.lease, string(e.Address), r.name, string(e.Signature), maxLease)
	if err != nil || taken {
		return taken, err
	}
	var done int64 // milliseconds do not fit an int of 32 bits
	err = r.row(ctx, []any{&done}, "SELECT done FROM {table} WHERE webhook = ? AND signature = ?", r.name, string(e.Signature))
	if errors.Is(err, sql.ErrNoRows) || err == nil && done == 0 { // or it was deleted since
		return false, webhooks.ErrClaimed
	}
	return false, err
}

// Renew renews a claim of this record for the time of the lease.
func (r *record) Renew(ctx context.Context, e *webhooks.Event) error {
	renewed, err := r.exec(ctx, "UPDATE {table} SET lapses = {now} + ? WHERE webhook = ? AND signature = ? AND owner = ? AND done = 0",
		r.lease, r.name, string(e.Signature), r.owner)
	if err == nil && !renewed {
		return fmt.Errorf("sqlstore: the claim has lapsed: %w", webhooks.ErrClaimed)
	}
	return err
}

// Done records an event as handled, also after the lease.
func (r *record) Done(ctx context.Context, e *webhooks.Event) error {
	_, err := r.exec(ctx, "UPDATE {table} SET done = {now} WHERE webhook = ? AND signature = ?", r.name, string(e.Signature))
	return err
}

// Release ends a claim of this record. The event stays open.
func (r *record) Release(ctx context.Context, e *webhooks.Event, failure string) error {
	_, err := r.exec(ctx, "UPDATE {table} SET lapses = {now}, failure = ? WHERE webhook = ? AND signature = ? AND owner = ? AND done = 0",
		failure, r.name, string(e.Signature), r.owner)
	return err
}

// OpenEvents returns the open events.
func (r *record) OpenEvents(ctx context.Context, q webhooks.OpenQuery) (*webhooks.OpenEvents, error) {
	all := new(webhooks.OpenEvents)
	var lowest, oldest sql.NullInt64
	err := r.row(ctx, []any{&all.Count, &lowest, &oldest}, "SELECT COUNT(*), MIN(CASE WHEN slot > 0 THEN slot END), {now} - MIN(opened) FROM {table} WHERE webhook = ? AND done = 0", r.name)
	if err != nil {
		return nil, err
	}
	all.Slot, all.Oldest = uint64(lowest.Int64), time.Duration(max(oldest.Int64, 0))*time.Millisecond
	if q.Limit == 0 || all.Count == 0 {
		return all, nil
	}
	after := int64(q.After.Slot)
	err = r.rows(ctx, func(scan func(...any) error) error {
		var slot, age int64
		var e webhooks.OpenEvent
		err := scan(&slot, &e.Signature, &e.Address, &age, &e.Attempts, &e.Error)
		e.Slot, e.Age = uint64(slot), time.Duration(max(age, 0))*time.Millisecond
		all.Events = append(all.Events, e)
		return err
	}, "SELECT slot, signature, address, {now} - opened, attempts, failure FROM {table} WHERE webhook = ? AND done = 0 AND (lapses <= {now} - ? OR lapses > {now} + ?) AND slot >= ? AND (slot > ? OR signature > ?) ORDER BY slot, signature LIMIT ?",
		r.name, q.Idle.Milliseconds(), maxLease, after, after, string(q.After.Signature), q.Limit)
	return all, err
}

// Missing returns the signatures without a row.
func (r *record) Missing(ctx context.Context, signatures []types.Signature) ([]types.Signature, error) {
	if len(signatures) == 0 {
		return nil, nil
	}
	args, has := []any{r.name}, make(map[types.Signature]bool)
	for _, s := range signatures {
		args = append(args, string(s))
	}
	err := r.rows(ctx, func(scan func(...any) error) error {
		var s types.Signature
		err := scan(&s)
		has[s] = true
		return err
	}, "SELECT signature FROM {table} WHERE webhook = ? AND signature IN ("+strings.Repeat(", ?", len(signatures))[2:]+")", args...)
	return slices.DeleteFunc(slices.Clone(signatures), func(s types.Signature) bool { return has[s] }), err
}

// lockName is the name of the row for the lock; its value is the owner.
const lockName = "lock"

// Facts returns facts.
func (r *record) Facts(ctx context.Context, prefix string) (all []webhooks.Fact, err error) {
	err = r.rows(ctx, func(scan func(...any) error) error {
		var f webhooks.Fact
		var age int64
		err := scan(&f.Name, &f.Value, &age)
		f.Age = time.Duration(max(age, -age)) * time.Millisecond // the clock may have been set back
		all = append(all, f)
		return err
	}, "SELECT name, value, {now} - since FROM {table}_facts WHERE record = ? AND name <> ? AND SUBSTR(name, 1, ?) = ?", r.name, lockName, len(prefix), prefix)
	return all, err
}

// atOnce limits the rows that a statement changes, so that it holds up nobody.
const atOnce = 200

// Add stores facts that are new.
func (r *record) Add(ctx context.Context, facts ...webhooks.Fact) error {
	for part := range slices.Chunk(facts, atOnce) {
		if err := r.insert(ctx, r.d.ignore, r.name, part...); err != nil {
			return err
		}
	}
	return nil
}

// insert inserts facts of a record by a statement with a begin and an end.
func (r *record) insert(ctx context.Context, statement [2]string, name string, facts ...webhooks.Fact) error {
	var args []any
	for _, f := range facts {
		args = append(args, name, f.Name, f.Value)
	}
	_, err := r.exec(ctx, statement[0]+" INTO {table}_facts (record, name, value, since) VALUES "+strings.Repeat(", (?, ?, ?, {now})", len(facts))[2:]+statement[1], args...)
	return err
}

// Put stores facts.
func (r *record) Put(ctx context.Context, facts ...webhooks.Fact) (err error) {
	for _, f := range facts {
		if f.Value == "" {
			_, err = r.exec(ctx, "DELETE FROM {table}_facts WHERE record = ? AND name = ?", r.name, f.Name)
		} else {
			err = r.insert(ctx, [2]string{"INSERT", r.d.replace}, r.name, f)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Lock takes, renews or ends the lock of the record.
func (r *record) Lock(ctx context.Context, hold time.Duration) (bool, error) {
	locked, err := r.exec(ctx, "UPDATE {table}_facts SET value = ?, since = {now} + ? WHERE record = ? AND name = ? AND (value = ? OR since <= {now} OR since > {now} + ?)",
		r.owner, hold.Milliseconds(), r.name, lockName, r.owner, maxLease)
	if err != nil || locked {
		return locked, err
	}
	var n int // MySQL does not count a row that was renewed in the same millisecond
	err = r.row(ctx, []any{&n}, "SELECT COUNT(*) FROM {table}_facts WHERE record = ? AND name = ? AND value = ?", r.name, lockName, r.owner)
	return n > 0, err
}

// Clean deletes old events, a few at a time, and then none for as long: a statement that
// deletes very many would keep others from claiming events until its end.
func (r *record) Clean(ctx context.Context, age time.Duration, before uint64) (deleted int64, err error) {
	var last int64 // time of the last deleted event
	for {
		args, start := []any{r.name}, time.Now()
		err := r.rows(ctx, func(scan func(...any) error) error {
			var signature string
			err := scan(&signature, &last)
			args = append(args, signature)
			return err
		}, "SELECT signature, done FROM {table} WHERE webhook = ? AND done > 0 AND done >= ? AND done <= {now} - ? AND slot < ? ORDER BY done LIMIT ?",
			r.name, last, age.Milliseconds(), int64(before), atOnce)
		if err != nil || len(args) == 1 {
			return deleted, err
		}
		marks := strings.Repeat(", ?", len(args)-1)[2:]
		// SQLite would read the index of done from its start for "done > 0".
		n, err := r.change(ctx, "DELETE FROM {table} WHERE webhook = ? AND signature IN ("+marks+") AND done <> 0", args...)
		if err != nil {
			return deleted, err
		}
		deleted += n
		select {
		case <-time.After(time.Since(start)):
		case <-ctx.Done():
			return deleted, fmt.Errorf("sqlstore: %w", ctx.Err())
		}
	}
}

// exec reports whether a statement changed a row.
func (r *record) exec(ctx context.Context, statement string, args ...any) (bool, error) {
	n, err := r.change(ctx, statement, args...)
	return n > 0, err
}

// change returns how many rows a statement changed.
func (r *record) change(ctx context.Context, statement string, args ...any) (int64, error) {
	result, err := r.db.ExecContext(ctx, r.sql(statement), args...)
	if err != nil {
		return 0, fmt.Errorf("sqlstore: %w", err)
	}
	n, err := result.RowsAffected()
	if err != nil {
		return 0, fmt.Errorf("sqlstore: %w", err)
	}
	return n, nil
}

// row scans the only row of a query.
func (r *record) row(ctx context.Context, into []any, query string, args ...any) error {
	if err := r.db.QueryRowContext(ctx, r.sql(query), args...).Scan(into...); err != nil {
		return fmt.Errorf("sqlstore: %w", err)
	}
	return nil
}

// rows calls add for each row of a query.
func (r *record) rows(ctx context.Context, add func(scan func(...any) error) error, query string, args ...any) error {
	rows, err := r.db.QueryContext(ctx, r.sql(query), args...)
	if err != nil {
		return fmt.Errorf("sqlstore: %w", err)
	}
	defer func() { _ = rows.Close() }() // Err has its error
	for rows.Next() {
		if err := add(rows.Scan); err != nil {
			return fmt.Errorf("sqlstore: %w", err)
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("sqlstore: %w", err)
	}
	return nil
}

// sql returns a query in the dialect of the database.
func (r *record) sql(query string) string { return r.d.sql(query, r.table) }
