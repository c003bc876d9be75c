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
//		hooks, err := webhooks.New(types.Config{APIKey: types.Key(os.Getenv("HELIUS_API_KEY"))})
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
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
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
	defaultLease  = 3 * time.Second
	schemaVersion = "3" // of the tables; there was no release with another one

	// atOnce limits the rows that a statement changes, so that it holds up nobody.
	atOnce = 200
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
	words, err := wordsOf(s.Dialect, s.Table)
	switch {
	case s.DB == nil:
		return nil, invalid("DB is nil")
	case err != nil:
		return nil, err
	case !matches(`^[ -~]{1,64}$`, name):
		return nil, invalid("name is not printable ASCII of 1 to 64 bytes")
	case s.Lease != 0 && (s.Lease < 2*time.Second || s.Lease > 5*time.Minute):
		return nil, invalid("Lease is not 2 seconds to 5 minutes; 0 means 3 seconds")
	}
	r := &record{s.DB, words, s.Dialect == DialectPostgreSQL, name, rand.Text(), cmp.Or(s.Lease, defaultLease).Milliseconds()}
	if err := r.create(ctx); err != nil {
		return nil, err
	}
	return r, nil
}

// A record is a [webhooks.Record].
type record struct {
	db       *sql.DB
	words    *strings.Replacer
	numbered bool // whether placeholders are $1, $2, … rather than ?
	name     string
	owner    string // of this record; random
	lease    int64  // milliseconds
}

// lockFact begins the name of the fact of a lock. Its value is the owner, and it is since the
// lock lapses.
const lockFact = "lock/"

// create creates the tables unless they exist, since a program may have no right to create
// any, and the row for the lock. Of several processes that create tables at once, a database
// may fail all but one, which then find them.
func (r *record) create(ctx context.Context) error {
	tables := *r
	tables.name = "" // has the facts of the tables
	add := func() error {
		return tables.Add(ctx, webhooks.Fact{Name: "schema", Value: schemaVersion}, webhooks.Fact{Name: lockFact + r.name, Value: "nobody"})
	}
	err := add()
	for attempt := 0; err != nil && attempt < 5; attempt++ {
		var created error
		for statement := range strings.SplitSeq(strings.TrimSpace(r.words.Replace(schema)), ";\n") {
			if created == nil {
				_, created = r.exec(ctx, statement)
			}
		}
		if err = add(); err != nil {
			err = cmp.Or(created, err)
			_ = wait.For(ctx, 100*time.Millisecond)
		}
	}
	if err != nil {
		return err
	}
	facts, err := tables.Facts(ctx, "schema")
	if err != nil {
		return err
	}
	if version := facts[0].Value; version != schemaVersion {
		return invalid("Table has schema version " + version + ", of another version of this module; this one knows " + schemaVersion)
	}
	return nil
}

// Claim claims an event for the time of the lease. A claim that lapses in more than the longest
// lease was made before the clock of the database was set back.
func (r *record) Claim(ctx context.Context, e *webhooks.Event) (bool, error) {
	n, err := r.exec(ctx, "{insert} INTO {table} (webhook, signature, slot, owner, lapses, done, opened, attempts, address) VALUES ({record}, ?, ?, {owner}, {now} + {lease}, 0, {now}, 1, ?){ignore}",
		string(e.Signature), int64(min(e.Slot, math.MaxInt64)), string(e.Address))
	if err != nil || n > 0 {
		return n > 0, err
	}
	n, err = r.exec(ctx, "UPDATE {table} SET owner = {owner}, lapses = {now} + {lease}, attempts = attempts + 1, address = COALESCE(NULLIF(?, ''), address) WHERE webhook = {record} AND signature = ? AND done = 0 AND (lapses <= {now} OR lapses > {now} + 300000)",
		string(e.Address), string(e.Signature))
	if err != nil || n > 0 {
		return n > 0, err
	}
	done, err := all(ctx, r, column[int64], "SELECT done FROM {table} WHERE webhook = {record} AND signature = ? AND done > 0", string(e.Signature))
	if err == nil && len(done) == 0 { // or it was deleted since
		err = webhooks.ErrClaimed
	}
	return false, err
}

// Renew renews a claim of this record for the time of the lease.
func (r *record) Renew(ctx context.Context, e *webhooks.Event) error {
	n, err := r.exec(ctx, "UPDATE {table} SET lapses = {now} + {lease} WHERE webhook = {record} AND signature = ? AND owner = {owner} AND done = 0", string(e.Signature))
	if err == nil && n == 0 {
		return fmt.Errorf("sqlstore: the claim has lapsed: %w", webhooks.ErrClaimed)
	}
	return err
}

// Done records an event as handled, also after the lease.
func (r *record) Done(ctx context.Context, e *webhooks.Event) error {
	_, err := r.exec(ctx, "UPDATE {table} SET done = {now} WHERE webhook = {record} AND signature = ?", string(e.Signature))
	return err
}

// Release ends a claim of this record. The event stays open.
func (r *record) Release(ctx context.Context, e *webhooks.Event, failure string) error {
	_, err := r.exec(ctx, "UPDATE {table} SET lapses = {now}, failure = ? WHERE webhook = {record} AND signature = ? AND owner = {owner} AND done = 0", failure, string(e.Signature))
	return err
}

// OpenEvents returns the open events. Ages are in nanoseconds.
func (r *record) OpenEvents(ctx context.Context, q webhooks.OpenQuery) (*webhooks.OpenEvents, error) {
	counts, err := all(ctx, r, func(o *webhooks.OpenEvents) []any { return []any{&o.Count, &o.Slot, &o.Oldest} },
		"SELECT COUNT(*), COALESCE(MIN(CASE WHEN slot > 0 THEN slot END), 0), COALESCE(ABS({now} - MIN(opened)) * 1000000, 0) FROM {table} WHERE webhook = {record} AND done = 0")
	if err != nil {
		return nil, err
	}
	open := &counts[0]
	if q.Limit == 0 || open.Count == 0 {
		return open, nil
	}
	open.Events, err = all(ctx, r, func(e *webhooks.OpenEvent) []any {
		return []any{&e.Slot, &e.Signature, &e.Address, &e.Age, &e.Attempts, &e.Error}
	}, "SELECT slot, signature, address, ABS({now} - opened) * 1000000, attempts, failure FROM {table} WHERE webhook = {record} AND done = 0 AND (lapses <= {now} - ? OR lapses > {now} + 300000) AND slot >= ? AND (slot > ? OR signature > ?) ORDER BY slot, signature LIMIT ?",
		q.Idle.Milliseconds(), int64(q.After.Slot), int64(q.After.Slot), string(q.After.Signature), q.Limit)
	return open, err
}

// Missing returns the signatures without a row.
func (r *record) Missing(ctx context.Context, signatures []types.Signature) ([]types.Signature, error) {
	known, err := all(ctx, r, column[types.Signature], "SELECT signature FROM {table} WHERE webhook = {record} AND "+inList(signatures), anys(signatures)...)
	return slices.DeleteFunc(slices.Clone(signatures), func(s types.Signature) bool { return slices.Contains(known, s) }), err
}

// inList compares signatures with a list.
func inList(signatures []types.Signature) string {
	return "signature IN (''" + strings.Repeat(", ?", len(signatures)) + ")"
}

func anys(signatures []types.Signature) (all []any) {
	for _, s := range signatures {
		all = append(all, string(s))
	}
	return all
}

// Facts returns facts. An age counts also if the clock was set back since.
func (r *record) Facts(ctx context.Context, prefix string) ([]webhooks.Fact, error) {
	return all(ctx, r, func(f *webhooks.Fact) []any { return []any{&f.Name, &f.Value, &f.Age} },
		"SELECT name, value, ABS({now} - since) * 1000000 FROM {table}_facts WHERE record = {record} AND SUBSTR(name, 1, ?) = ?", len(prefix), prefix)
}

// Add stores facts that are new.
func (r *record) Add(ctx context.Context, facts ...webhooks.Fact) error {
	for part := range slices.Chunk(facts, atOnce) {
		var args []any
		for _, f := range part {
			args = append(args, f.Name, f.Value)
		}
		rows := strings.Repeat(", ({record}, ?, ?, {now})", len(part))[2:]
		if _, err := r.exec(ctx, "{insert} INTO {table}_facts (record, name, value, since) VALUES "+rows+"{ignore}", args...); err != nil {
			return err
		}
	}
	return nil
}

// Put stores facts.
func (r *record) Put(ctx context.Context, facts ...webhooks.Fact) error {
	for _, f := range facts {
		statement := "INSERT INTO {table}_facts (record, name, value, since) VALUES ({record}, ?, ?, {now}){replace}"
		if f.Value == "" {
			statement = "DELETE FROM {table}_facts WHERE record = {record} AND name = ? AND value <> ?"
		}
		if _, err := r.exec(ctx, statement, f.Name, f.Value); err != nil {
			return err
		}
	}
	return nil
}

// Lock takes, renews or ends the lock of the record. It is not renewed twice in a millisecond,
// which MySQL would not count as a change.
func (r *record) Lock(ctx context.Context, hold time.Duration) (bool, error) {
	n, err := r.exec(ctx, "UPDATE {table}_facts SET value = {owner}, since = {now} + ? WHERE record = '' AND name = ? AND (value = {owner} OR since <= {now} OR since > {now} + 300000)",
		hold.Milliseconds(), lockFact+r.name)
	return n > 0, err
}

// Clean deletes a few old events: a statement that deletes very many would keep others from
// claiming events until its end.
func (r *record) Clean(ctx context.Context, age time.Duration, before uint64) (int64, error) {
	old, err := all(ctx, r, column[types.Signature], "SELECT signature FROM {table} WHERE webhook = {record} AND done > 0 AND done <= {now} - ? AND slot < ? ORDER BY done LIMIT ?",
		age.Milliseconds(), int64(before), atOnce)
	if err != nil || len(old) == 0 {
		return 0, err
	}
	// SQLite would read the index of done from its start for "done > 0".
	return r.exec(ctx, "DELETE FROM {table} WHERE webhook = {record} AND done <> 0 AND "+inList(old), anys(old)...)
}

// exec returns how many rows a statement changed.
func (r *record) exec(ctx context.Context, statement string, args ...any) (n int64, err error) {
	statement, args = r.sql(statement, args)
	result, err := r.db.ExecContext(ctx, statement, args...)
	if err == nil {
		n, err = result.RowsAffected()
	}
	return n, wrapped(err)
}

// all returns the rows of a query; fields returns where the columns of a row go.
func all[T any](ctx context.Context, r *record, fields func(*T) []any, query string, args ...any) (list []T, err error) {
	query, args = r.sql(query, args)
	rows, err := r.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, wrapped(err)
	}
	defer func() { _ = rows.Close() }() // Err has its error
	for err == nil && rows.Next() {
		var row T
		err = rows.Scan(fields(&row)...)
		list = append(list, row)
	}
	return list, wrapped(cmp.Or(err, rows.Err()))
}

// column is for rows of one column.
func column[T any](value *T) []any { return []any{value} }

func wrapped(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("sqlstore: %w", err)
}

var argument = regexp.MustCompile(`\{\w+\}|\?`)

// sql returns a statement in the dialect of the database, and its arguments: a ? stands for the
// next one of args.
func (r *record) sql(statement string, args []any) (string, []any) {
	var all []any
	own := map[string]any{"{record}": r.name, "{owner}": r.owner, "{lease}": r.lease}
	// Words have the names of tables.
	statement = argument.ReplaceAllStringFunc(r.words.Replace(r.words.Replace(statement)), func(name string) string {
		value, ok := own[name]
		if !ok {
			value, args = args[0], args[1:]
		}
		all = append(all, value)
		if r.numbered {
			return "$" + strconv.Itoa(len(all))
		}
		return "?"
	})
	return statement, all
}
