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
//		"net/http"
//		"os"
//		"os/signal"
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
//		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
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
//		})
//		check(err)
//		go func() { check(http.ListenAndServe(":8080", keeper)) }()
//		check(keeper.Run(ctx)) // until an interrupt
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
// An event takes a row of some 550 bytes on PostgreSQL (with autovacuum) and MariaDB, and of
// 380 on SQLite, indexes included. A Keeper deletes it after a week.
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
// A [webhooks.Journal] is a [webhooks.Seen] for a Receiver and for Backfill:
//
//	journal, err := sqlstore.New(db, sqlstore.DialectPostgreSQL).Open(ctx, hook.ID)
//	if err != nil {
//		return err
//	}
//	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
//		Secrets: []webhooks.Secret{secret},
//		Seen:    journal,
//		Handle:  handle,
//	})
package sqlstore

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

// DefaultTable is the table of events if a [Store] names none. The checkpoints are in the
// table with the same name and the ending _checkpoints.
const DefaultTable = "webhook_events"

const (
	defaultLease = 3 * time.Second
	lockLease    = 15 * time.Second
)

// A Store is a [webhooks.Store] in a SQL database. It is safe for concurrent use.
type Store struct {
	DB      *sql.DB // required
	Dialect Dialect // required
	Table   string  // of the events; empty means DefaultTable

	// Lease is how long a claim holds after it was made or renewed, which happens every half
	// second. 0 means 3 seconds; less than 2 seconds are refused.
	Lease time.Duration
}

// New returns a Store with the default table. What is wrong with db or d is the error of its
// Open.
func New(db *sql.DB, d Dialect) *Store { return &Store{DB: db, Dialect: d} }

// Open returns the records of a webhook, and creates the tables if they do not exist. It
// implements [webhooks.Store]. The webhook's ID is a part of every key; it is printable
// ASCII of at most 64 bytes.
func (s *Store) Open(ctx context.Context, webhook string) (webhooks.Journal, error) { //nolint:ireturn // as webhooks.Store demands
	d := dialects()[s.Dialect]
	switch {
	case s.DB == nil:
		return nil, invalid("DB", "is nil")
	case d == nil:
		return nil, invalid("Dialect", "is not one of the constants")
	case webhook == "" || len(webhook) > 64 || strings.ContainsFunc(webhook, func(r rune) bool { return r < ' ' || r > '~' }):
		return nil, invalid("webhook", "is not printable ASCII of 1 to 64 bytes")
	case s.Lease != 0 && s.Lease < 2*time.Second:
		return nil, invalid("Lease", "is less than 2 seconds; 0 means 3 seconds")
	}
	table, err := tableName(s.Table)
	if err != nil {
		return nil, err
	}
	lease := s.Lease
	if lease == 0 {
		lease = defaultLease
	}
	j := &journal{s.DB, d, table, webhook, rand.Text(), lease.Milliseconds()}
	if err := j.create(ctx); err != nil {
		return nil, err
	}
	if err := j.begin(ctx, []string{lockAddress}, 0); err != nil {
		return nil, err
	}
	return j, nil
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

// A journal is a [webhooks.Journal].
type journal struct {
	db      *sql.DB
	d       *dialect
	table   string
	webhook string
	owner   string // of this journal; random
	lease   int64  // milliseconds
}

// create creates the tables, unless they exist: a program may have no right to create any.
func (j *journal) create(ctx context.Context) error {
	var n int
	for _, table := range []string{"{table}", "{table}_checkpoints"} {
		err := j.db.QueryRowContext(ctx, j.sql("SELECT 1 FROM "+table+" WHERE 1 = 0")).Scan(&n)
		if err == nil || errors.Is(err, sql.ErrNoRows) {
			continue
		}
		for statement := range strings.SplitSeq(strings.TrimSpace(j.d.sql(j.d.schema, j.table)), ";\n") {
			if _, err := j.db.ExecContext(ctx, statement); err != nil {
				return fmt.Errorf("sqlstore: %w", err)
			}
		}
	}
	return nil
}

// Claim claims an event for the time of the lease.
func (j *journal) Claim(ctx context.Context, signature types.Signature, slot uint64) (bool, error) {
	inserted, err := j.exec(ctx, j.d.insert("{table} (webhook, signature, slot, owner, lapses, done)", "(?, ?, ?, ?, {now} + ?, 0)", 1),
		j.webhook, string(signature), int64(slot), j.owner, j.lease)
	if err != nil || inserted {
		return inserted, err
	}
	taken, err := j.exec(ctx, "UPDATE {table} SET owner = ?, lapses = {now} + ? WHERE webhook = ? AND signature = ? AND done = 0 AND lapses <= {now}",
		j.owner, j.lease, j.webhook, string(signature))
	if err != nil || taken {
		return taken, err
	}
	var done int64 // milliseconds do not fit an int of 32 bits
	err = j.db.QueryRowContext(ctx, j.sql("SELECT done FROM {table} WHERE webhook = ? AND signature = ?"), j.webhook, string(signature)).Scan(&done)
	switch {
	case errors.Is(err, sql.ErrNoRows): // it was deleted meanwhile
		return false, webhooks.ErrClaimed
	case err != nil:
		return false, fmt.Errorf("sqlstore: %w", err)
	case done == 0:
		return false, webhooks.ErrClaimed
	}
	return false, nil
}

// Renew renews a claim of this journal for the time of the lease.
func (j *journal) Renew(ctx context.Context, signature types.Signature) error {
	renewed, err := j.exec(ctx, "UPDATE {table} SET lapses = {now} + ? WHERE webhook = ? AND signature = ? AND owner = ? AND done = 0",
		j.lease, j.webhook, string(signature), j.owner)
	if err == nil && !renewed {
		return fmt.Errorf("sqlstore: the claim has lapsed: %w", webhooks.ErrClaimed)
	}
	return err
}

// Done records an event as handled, also after the lease.
func (j *journal) Done(ctx context.Context, signature types.Signature) error {
	_, err := j.exec(ctx, "UPDATE {table} SET done = {now} WHERE webhook = ? AND signature = ?", j.webhook, string(signature))
	return err
}

// Release ends a claim of this journal. The event stays open.
func (j *journal) Release(ctx context.Context, signature types.Signature) error {
	_, err := j.exec(ctx, "UPDATE {table} SET lapses = {now} WHERE webhook = ? AND signature = ? AND owner = ? AND done = 0", j.webhook, string(signature), j.owner)
	return err
}

// Open returns how many events are open, and the lowest slot of them.
func (j *journal) Open(ctx context.Context) (events int, slot uint64, err error) {
	var lowest sql.NullInt64
	err = j.db.QueryRowContext(ctx, j.sql("SELECT COUNT(*), MIN(CASE WHEN slot > 0 THEN slot END) FROM {table} WHERE webhook = ? AND done = 0"), j.webhook).
		Scan(&events, &lowest)
	if err != nil {
		return 0, 0, fmt.Errorf("sqlstore: %w", err)
	}
	return events, uint64(lowest.Int64), nil
}

// Unhandled returns open events that nobody is handling.
func (j *journal) Unhandled(ctx context.Context, idle time.Duration, after webhooks.OpenEvent, limit int) (all []webhooks.OpenEvent, err error) {
	err = j.rows(ctx, func(scan func(...any) error) error {
		var slot int64
		var e webhooks.OpenEvent
		err := scan(&slot, &e.Signature)
		e.Slot = uint64(slot)
		all = append(all, e)
		return err
	}, "SELECT slot, signature FROM {table} WHERE webhook = ? AND done = 0 AND lapses <= {now} - ? AND slot >= ? AND (slot > ? OR signature > ?) ORDER BY slot, signature LIMIT ?",
		j.webhook, idle.Milliseconds(), int64(after.Slot), int64(after.Slot), string(after.Signature), limit)
	return all, err
}

// lockAddress is the address of the row for the lock.
const lockAddress = ""

// Checkpoints returns all checkpoints.
func (j *journal) Checkpoints(ctx context.Context) (all []webhooks.Checkpoint, err error) {
	err = j.rows(ctx, func(scan func(...any) error) error {
		var slot, reached, age int64
		var c webhooks.Checkpoint
		err := scan(&c.Address, &slot, &reached, &age)
		c.Slot, c.Reached = uint64(slot), uint64(reached)
		if reached > 0 {
			c.Age = max(time.Duration(age)*time.Millisecond, 1)
		}
		all = append(all, c)
		return err
	}, "SELECT address, slot, reached, {now} - filled FROM {table}_checkpoints WHERE webhook = ? AND address <> ?", j.webhook, lockAddress)
	return all, err
}

// atOnce limits the rows that a statement changes, so that it holds up nobody.
const atOnce = 200

// Begin adds checkpoints.
func (j *journal) Begin(ctx context.Context, addresses []types.Address, slot uint64) error {
	all := make([]string, len(addresses))
	for i, a := range addresses {
		all[i] = string(a)
	}
	return j.begin(ctx, all, slot)
}

func (j *journal) begin(ctx context.Context, addresses []string, slot uint64) error {
	for len(addresses) > 0 {
		part := addresses[:min(len(addresses), atOnce)]
		addresses = addresses[len(part):]
		var args []any
		for _, a := range part {
			args = append(args, j.webhook, a, int64(slot))
		}
		insert := j.d.insert("{table}_checkpoints (webhook, address, slot, reached, filled, owner, lapses)", "(?, ?, ?, 0, 0, '', 0)", len(part))
		if _, err := j.exec(ctx, insert, args...); err != nil {
			return err
		}
	}
	return nil
}

// Advance moves a checkpoint on.
func (j *journal) Advance(ctx context.Context, c webhooks.Checkpoint) error {
	set, slot := "slot = CASE WHEN slot < ? THEN ? ELSE slot END", int64(c.Slot)
	args := []any{slot, slot}
	if c.Reached > 0 {
		set += ", reached = CASE WHEN reached < ? THEN ? ELSE reached END, filled = {now}"
		args = append(args, int64(c.Reached), int64(c.Reached))
	}
	_, err := j.exec(ctx, "UPDATE {table}_checkpoints SET "+set+" WHERE webhook = ? AND address = ?", append(args, j.webhook, string(c.Address))...)
	return err
}

// Drop deletes checkpoints.
func (j *journal) Drop(ctx context.Context, addresses []types.Address) error {
	for _, a := range addresses {
		if _, err := j.exec(ctx, "DELETE FROM {table}_checkpoints WHERE webhook = ? AND address = ?", j.webhook, string(a)); err != nil {
			return err
		}
	}
	return nil
}

// Lock locks the backfill of the webhook, or renews the lock.
func (j *journal) Lock(ctx context.Context) (bool, error) {
	locked, err := j.exec(ctx, "UPDATE {table}_checkpoints SET owner = ?, lapses = {now} + ? WHERE webhook = ? AND address = ? AND (owner = ? OR lapses <= {now})",
		j.owner, lockLease.Milliseconds(), j.webhook, lockAddress, j.owner)
	if err != nil || locked {
		return locked, err
	}
	var n int // MySQL does not count a row that was renewed in the same millisecond
	err = j.db.QueryRowContext(ctx, j.sql("SELECT COUNT(*) FROM {table}_checkpoints WHERE webhook = ? AND address = ? AND owner = ? AND lapses > {now}"),
		j.webhook, lockAddress, j.owner).Scan(&n)
	if err != nil {
		return false, fmt.Errorf("sqlstore: %w", err)
	}
	return n > 0, nil
}

// Unlock ends the lock of this journal.
func (j *journal) Unlock(ctx context.Context) error {
	_, err := j.exec(ctx, "UPDATE {table}_checkpoints SET lapses = 0 WHERE webhook = ? AND address = ? AND owner = ?", j.webhook, lockAddress, j.owner)
	return err
}

// Clean deletes old events, a few at a time, and then none for as long: a statement that
// deletes very many would keep others from claiming events until its end.
func (j *journal) Clean(ctx context.Context, age time.Duration, before uint64) (deleted int64, err error) {
	var last int64 // time of the last deleted event
	for {
		args, start := []any{j.webhook}, time.Now()
		err := j.rows(ctx, func(scan func(...any) error) error {
			var signature string
			err := scan(&signature, &last)
			args = append(args, signature)
			return err
		}, "SELECT signature, done FROM {table} WHERE webhook = ? AND done > 0 AND done >= ? AND done <= {now} - ? AND slot < ? ORDER BY done LIMIT ?",
			j.webhook, last, age.Milliseconds(), int64(before), atOnce)
		if err != nil || len(args) == 1 {
			return deleted, err
		}
		marks := strings.Repeat(", ?", len(args)-1)[2:]
		// SQLite would read the index of done from its start for "done > 0".
		n, err := j.change(ctx, "DELETE FROM {table} WHERE webhook = ? AND signature IN ("+marks+") AND done <> 0", args...)
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
func (j *journal) exec(ctx context.Context, statement string, args ...any) (bool, error) {
	n, err := j.change(ctx, statement, args...)
	return n > 0, err
}

// change returns how many rows a statement changed.
func (j *journal) change(ctx context.Context, statement string, args ...any) (int64, error) {
	result, err := j.db.ExecContext(ctx, j.sql(statement), args...)
	if err != nil {
		return 0, fmt.Errorf("sqlstore: %w", err)
	}
	n, err := result.RowsAffected()
	if err != nil {
		return 0, fmt.Errorf("sqlstore: %w", err)
	}
	return n, nil
}

// rows calls add for each row of a query.
func (j *journal) rows(ctx context.Context, add func(scan func(...any) error) error, query string, args ...any) error {
	rows, err := j.db.QueryContext(ctx, j.sql(query), args...)
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
func (j *journal) sql(query string) string { return j.d.sql(query, j.table) }
