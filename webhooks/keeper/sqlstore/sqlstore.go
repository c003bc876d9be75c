// Package sqlstore is the store of a keeper.Keeper in a SQL database: which events of Helius
// webhooks were handled, and from where the Solana addresses are listed next.
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
//			Handle: func(ctx context.Context, e *webhooks.Event) error { // idempotent; also if e.Err is set
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
// It runs on PostgreSQL, MySQL or MariaDB, and SQLite, for which set a busy timeout. The
// package has no driver: import one. Tables are created if they do not exist; to create
// them in a migration, use [Schema]. Conflicts of transactions are retried at once.
//
// An event takes a row of some 600 bytes on PostgreSQL (with autovacuum) and MariaDB, and of
// 430 on SQLite, indexes included. A Keeper deletes it after a week.
//
// The database must not lose what it committed, or events may be lost with it: keep
// synchronous_commit of PostgreSQL on, and innodb_flush_log_at_trx_commit of MySQL at 1.
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
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/solwire/solwire-go/internal/wait"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/keeper"
)

// DefaultTable begins the names of the tables if a [Store] names none.
const DefaultTable = "keeper"

const (
	defaultLease = 3 * time.Second
	defaultName  = "keeper"

	// rowsAtOnce limits the rows that a statement changes, so that it holds up nobody.
	rowsAtOnce = 200

	done = 3 // the state of an event, beside those of package keeper
)

// A Store is a [keeper.Store] in a SQL database. Each process needs one of its own. It is safe for
// concurrent use.
type Store struct {
	DB      *sql.DB // required
	Dialect Dialect // required
	Table   string  // begins the names of the tables; empty means DefaultTable

	// Name tells the programs apart that share the tables, printable ASCII of 1 to 64 bytes.
	// Empty means "keeper".
	Name string

	// Lease is how long a claim holds after it was made or renewed, which happens every half
	// second. 0 means 3 seconds; it must be 2 seconds to 5 minutes.
	Lease time.Duration

	mu    sync.Mutex
	words *strings.Replacer // nil before the first call
	owner string            // of claims; random
}

// New returns a Store with the default tables. What is wrong with db or d is the error of its
// methods.
func New(db *sql.DB, d Dialect) *Store { return &Store{DB: db, Dialect: d} }

// open checks the fields and creates the tables unless they exist, since a program may have no
// right to create any. Of several processes that create tables at once, a database may fail all
// but one, which then find them.
func (s *Store) open(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.words != nil {
		return nil
	}
	words, err := wordsOf(s.Dialect, s.Table)
	switch {
	case s.DB == nil:
		return invalid("DB is nil")
	case err != nil:
		return err
	case !matches(`^[ -~]{0,64}$`, s.Name):
		return invalid("Name is not printable ASCII of at most 64 bytes")
	case s.Lease != 0 && (s.Lease < 2*time.Second || s.Lease > 5*time.Minute):
		return invalid("Lease is not 2 seconds to 5 minutes; 0 means 3 seconds")
	}
	add := func() error {
		_, err := s.run(ctx, words, "INSERT NEW INTO {table}_leaders VALUES (?, '', 0, '', '', NOW_MS) ELSE IGNORE", s.name())
		return err
	}
	err = add()
	for attempt := 0; err != nil && attempt < 5; attempt++ {
		var created error
		for statement := range strings.SplitSeq(strings.TrimSpace(words.Replace(words.Replace(schema))), ";\n") {
			if created == nil {
				_, created = s.run(ctx, words, statement)
			}
		}
		if err = add(); err != nil {
			err = cmp.Or(created, err)
			_ = wait.For(ctx, 100*time.Millisecond)
		}
	}
	if err == nil {
		s.words = words
	}
	return err
}

func (s *Store) name() string { return cmp.Or(s.Name, defaultName) }

// claimant is the owner of the claims of s.
func (s *Store) claimant() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.owner = cmp.Or(s.owner, rand.Text())
	return s.owner
}

func (s *Store) lease() int64 { return cmp.Or(s.Lease, defaultLease).Milliseconds() }

// Claim claims an event for the time of the lease.
func (s *Store) Claim(ctx context.Context, e *webhooks.Event) (bool, error) {
	n, err := s.exec(ctx, `INSERT NEW INTO {table}_events (keeper, signature, slot, address, state, wanted, opened_at, due_at, claimed_by, attempts, note)
		VALUES (?, ?, ?, ?, 0, 1, NOW_MS, NOW_MS + ?, ?, 1, '') ELSE IGNORE`,
		s.name(), string(e.Signature), int64(min(e.Slot, math.MaxInt64)), string(e.Address), s.lease(), s.claimant())
	if err != nil || n > 0 {
		return n > 0, err
	}
	n, err = s.exec(ctx, `UPDATE {table}_events SET state = 0, wanted = 1, due_at = NOW_MS + ?, claimed_by = ?, attempts = attempts + 1
		WHERE keeper = ? AND signature = ? AND state <> 3 AND (claimed_by = '' OR due_at <= NOW_MS)`, s.lease(), s.claimant(), s.name(), string(e.Signature))
	if err != nil || n > 0 {
		return n > 0, err
	}
	states, err := all(ctx, s, column[int], "SELECT state FROM {table}_events WHERE keeper = ? AND signature = ?", s.name(), string(e.Signature))
	if err == nil && !slices.Contains(states, done) { // or it was deleted since
		err = webhooks.ErrClaimed
	}
	return false, err
}

// Renew renews a claim of this Store for the time of the lease.
func (s *Store) Renew(ctx context.Context, e *webhooks.Event) error {
	n, err := s.exec(ctx, "UPDATE {table}_events SET due_at = NOW_MS + ? WHERE keeper = ? AND signature = ? AND claimed_by = ? AND state = 0",
		s.lease(), s.name(), string(e.Signature), s.claimant())
	if err == nil && n == 0 {
		return fmt.Errorf("sqlstore: the claim has lapsed: %w", webhooks.ErrClaimed)
	}
	return err
}

// Done records an event as handled, also after the lease.
func (s *Store) Done(ctx context.Context, e *webhooks.Event) error {
	_, err := s.exec(ctx, "UPDATE {table}_events SET state = 3, due_at = NOW_MS, claimed_by = '' WHERE keeper = ? AND signature = ?", s.name(), string(e.Signature))
	return err
}

// retry is [keeper.RetryAfter] in SQL.
const retry = "NOW_MS + CASE WHEN NOW_MS - opened_at < 14370000 THEN 15000 + (NOW_MS - opened_at) / 2 ELSE 7200000 END"

// Release ends a claim of this Store. The event stays pending.
func (s *Store) Release(ctx context.Context, e *webhooks.Event, failure string) error {
	_, err := s.exec(ctx, "UPDATE {table}_events SET claimed_by = '', note = ?, due_at = "+retry+" WHERE keeper = ? AND signature = ? AND claimed_by = ? AND state = 0",
		failure, s.name(), string(e.Signature), s.claimant())
	return err
}

// Add adds events as pending.
func (s *Store) Add(ctx context.Context, filter string, events ...keeper.Pending) (added int, err error) {
	for part := range slices.Chunk(events, rowsAtOnce) {
		var rows []any
		var signatures []types.Signature
		for _, e := range part {
			rows = append(rows, s.name(), string(e.Signature), int64(min(e.Slot, math.MaxInt64)), string(e.Address), number(e.Wanted))
			signatures = append(signatures, e.Signature)
		}
		n, err := s.exec(ctx, `INSERT NEW INTO {table}_events (keeper, signature, slot, address, state, wanted, opened_at, due_at, claimed_by, attempts, note)
			VALUES `+list("(?, ?, ?, ?, 0, ?, NOW_MS, NOW_MS + 15000, '', 0, '')", len(part))+" ELSE IGNORE", rows...)
		added += int(n)
		if err == nil && int(n) < len(part) {
			n, err = s.exec(ctx, "UPDATE {table}_events SET state = 0, due_at = NOW_MS + 15000 WHERE keeper = ? AND state = 1 AND note <> ? AND signature IN ("+list("?", len(part))+")",
				append([]any{s.name(), filter}, texts(signatures)...)...)
			added += int(n)
		}
		if err != nil {
			return added, err
		}
	}
	return added, nil
}

// Move moves events to a state.
func (s *Store) Move(ctx context.Context, to keeper.State, note string, signatures ...types.Signature) error {
	set, where := "state = ?, note = ?, due_at = NOW_MS, claimed_by = ''", "state <> 3"
	if to == keeper.StatePending {
		set, where = "state = ?, note = ?, due_at = "+retry+", claimed_by = '', attempts = attempts + 1", "state <> 3 AND (claimed_by = '' OR due_at <= NOW_MS)"
	}
	for part := range slices.Chunk(signatures, rowsAtOnce) {
		_, err := s.exec(ctx, "UPDATE {table}_events SET "+set+" WHERE keeper = ? AND "+where+" AND signature IN ("+list("?", len(part))+")",
			append([]any{int(to), note, s.name()}, texts(part)...)...)
		if err != nil {
			return err
		}
	}
	return nil
}

// Pending returns pending events, or dead letters.
func (s *Store) Pending(ctx context.Context, q keeper.Query) ([]keeper.Pending, error) {
	state, due := keeper.StatePending, ""
	if q.Dead {
		state = keeper.StateDead
	}
	if q.Due {
		due = " AND due_at <= NOW_MS"
	}
	return all(ctx, s, func(p *keeper.Pending) []any {
		return []any{&p.Signature, &p.Slot, &p.Address, &p.Wanted, (*milliseconds)(&p.Age), &p.Attempts, &p.Error}
	}, "SELECT signature, slot, address, wanted, NOW_MS - opened_at, attempts, note FROM {table}_events WHERE keeper = ? AND state = ?"+due+
		" ORDER BY attempts, due_at LIMIT ?", s.name(), int(state), q.Limit)
}

// Totals counts the events.
func (s *Store) Totals(ctx context.Context) (keeper.Totals, error) {
	counted, err := all(ctx, s, func(t *keeper.Totals) []any { return []any{&t.Pending, (*milliseconds)(&t.Oldest), &t.LowestSlot} },
		`SELECT COUNT(*), COALESCE(NOW_MS - MIN(opened_at), 0), COALESCE(MIN(CASE WHEN slot > 0 THEN slot END), 0)
		FROM {table}_events WHERE keeper = ? AND state = 0`, s.name())
	if err != nil {
		return keeper.Totals{}, err
	}
	dead, err := all(ctx, s, column[int], "SELECT COUNT(*) FROM {table}_events WHERE keeper = ? AND state = 2", s.name())
	if err != nil {
		return keeper.Totals{}, err
	}
	counted[0].DeadLetters = dead[0]
	return counted[0], nil
}

// Checkpoints returns all checkpoints.
func (s *Store) Checkpoints(ctx context.Context) ([]keeper.Checkpoint, error) {
	return all(ctx, s, func(c *keeper.Checkpoint) []any {
		return []any{&c.Address, &c.Filter, &c.Slot, (*moment)(&c.Since), (*milliseconds)(&c.Age)}
	}, "SELECT address, filter, slot, since, NOW_MS - saved_at FROM {table}_checkpoints WHERE keeper = ?", s.name())
}

// SetCheckpoints stores checkpoints.
func (s *Store) SetCheckpoints(ctx context.Context, checkpoints ...keeper.Checkpoint) error {
	for part := range slices.Chunk(checkpoints, rowsAtOnce) {
		var rows []any
		for _, c := range part {
			rows = append(rows, s.name(), string(c.Address), c.Filter, int64(c.Slot), since(c.Since))
		}
		n, err := s.exec(ctx, "INSERT NEW INTO {table}_checkpoints (keeper, address, filter, slot, since, saved_at) VALUES "+
			list("(?, ?, ?, ?, ?, NOW_MS)", len(part))+" ELSE IGNORE", rows...)
		for i := 0; err == nil && int(n) < len(part) && i < len(part); i++ {
			c := part[i]
			_, err = s.exec(ctx, "UPDATE {table}_checkpoints SET slot = ?, since = ?, saved_at = NOW_MS WHERE keeper = ? AND address = ? AND filter = ?",
				int64(c.Slot), since(c.Since), s.name(), string(c.Address), c.Filter)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Lock records a process, and takes, renews or ends its lead.
func (s *Store) Lock(ctx context.Context, own keeper.Process, hold time.Duration) (*keeper.Shared, error) {
	if hold == 0 {
		_, err := s.exec(ctx, "DELETE FROM {table}_processes WHERE keeper = ? AND process = ?", s.name(), own.ID)
		if err == nil {
			_, err = s.exec(ctx, "UPDATE {table}_leaders SET leader = '', leads_until = 0 WHERE keeper = ? AND leader = ?", s.name(), own.ID)
		}
		if err != nil {
			return nil, err
		}
	} else if err := s.record(ctx, own, hold); err != nil {
		return nil, err
	}
	type row struct {
		leader string
		until  int64
		keeper.Webhook
	}
	leaders, err := all(ctx, s, func(r *row) []any {
		return []any{&r.leader, &r.until, &r.ID, &r.Creating, (*milliseconds)(&r.Age)}
	}, "SELECT leader, leads_until - NOW_MS, webhook, creating, NOW_MS - webhook_at FROM {table}_leaders WHERE keeper = ?", s.name())
	if err != nil {
		return nil, err
	}
	first := append(leaders, row{})[0]
	shared := &keeper.Shared{Leads: first.leader == own.ID && first.until > 0, Webhook: first.Webhook}
	shared.Processes, err = all(ctx, s, func(p *keeper.Process) []any {
		return []any{&p.ID, &p.Settings, (*moment)(&p.Delivered), &p.Asked, &p.Behind, (*problems)(&p.Problems)}
	}, "SELECT process, settings, delivered, asked, behind, problems FROM {table}_processes WHERE keeper = ? AND seen_at > NOW_MS - 60000", s.name())
	for i := range shared.Processes {
		p := &shared.Processes[i]
		p.Leads = p.ID == first.leader && first.until > 0
	}
	return shared, err
}

// record stores what a process says of itself, and takes or renews the lead.
func (s *Store) record(ctx context.Context, own keeper.Process, hold time.Duration) error {
	text, err := json.Marshal(own.Problems)
	if err != nil {
		return err
	}
	values := []any{own.Settings, since(own.Delivered), int64(own.Asked), own.Behind, string(text), s.name(), own.ID}
	n, err := s.exec(ctx, "UPDATE {table}_processes SET settings = ?, delivered = ?, asked = ?, behind = ?, problems = ?, seen_at = NOW_MS WHERE keeper = ? AND process = ?", values...)
	if err == nil && n == 0 {
		_, err = s.exec(ctx, "INSERT NEW INTO {table}_processes (settings, delivered, asked, behind, problems, keeper, process, seen_at) VALUES (?, ?, ?, ?, ?, ?, ?, NOW_MS) ELSE IGNORE", values...)
	}
	if err == nil {
		_, err = s.exec(ctx, "UPDATE {table}_leaders SET leader = ?, leads_until = NOW_MS + ? WHERE keeper = ? AND (leader = ? OR leads_until <= NOW_MS)",
			own.ID, hold.Milliseconds(), s.name(), own.ID)
	}
	return err
}

// SetWebhook stores what is known of the webhook.
func (s *Store) SetWebhook(ctx context.Context, w keeper.Webhook) error {
	_, err := s.exec(ctx, "UPDATE {table}_leaders SET webhook = ?, creating = ?, webhook_at = NOW_MS WHERE keeper = ?", w.ID, w.Creating, s.name())
	return err
}

// Clean deletes a few old events: a statement that deletes very many would keep others from
// claiming events until its end.
func (s *Store) Clean(ctx context.Context, age time.Duration, former ...keeper.Checkpoint) (int, error) {
	for _, c := range former {
		if _, err := s.exec(ctx, "DELETE FROM {table}_checkpoints WHERE keeper = ? AND address = ? AND filter = ?", s.name(), string(c.Address), c.Filter); err != nil {
			return 0, err
		}
	}
	if _, err := s.exec(ctx, "DELETE FROM {table}_processes WHERE keeper = ? AND seen_at < NOW_MS - ?", s.name(), age.Milliseconds()); err != nil {
		return 0, err
	}
	lowest, err := all(ctx, s, column[int64], "SELECT COALESCE(MIN(slot), 9223372036854775807) FROM {table}_checkpoints WHERE keeper = ?", s.name())
	if err != nil {
		return 0, err
	}
	deleted := 0
	for _, state := range []int{int(keeper.StateUnwanted), done} {
		old, err := all(ctx, s, column[types.Signature], "SELECT signature FROM {table}_events WHERE keeper = ? AND state = ? AND due_at <= NOW_MS - ? AND slot < ? ORDER BY due_at LIMIT ?",
			s.name(), state, age.Milliseconds(), lowest[0], rowsAtOnce)
		switch {
		case err != nil:
			return deleted, err
		case len(old) == 0:
			continue
		}
		n, err := s.exec(ctx, "DELETE FROM {table}_events WHERE keeper = ? AND state = ? AND signature IN ("+list("?", len(old))+")", append([]any{s.name(), state}, texts(old)...)...)
		deleted += int(n)
		if err != nil {
			return deleted, err
		}
	}
	return deleted, nil
}

// exec returns how many rows a statement changed.
func (s *Store) exec(ctx context.Context, statement string, args ...any) (int64, error) {
	if err := s.open(ctx); err != nil {
		return 0, err
	}
	return s.run(ctx, s.words, statement, args...)
}

func (s *Store) run(ctx context.Context, words *strings.Replacer, statement string, args ...any) (n int64, err error) {
	statement = s.sql(words, statement)
	err = again(ctx, func() error {
		result, err := s.DB.ExecContext(ctx, statement, args...)
		if err == nil {
			n, err = result.RowsAffected()
		}
		return err
	})
	return n, err
}

// all returns the rows of a query; fields returns where the columns of a row go.
func all[T any](ctx context.Context, s *Store, fields func(*T) []any, query string, args ...any) (list []T, err error) {
	if err := s.open(ctx); err != nil {
		return nil, err
	}
	query = s.sql(s.words, query)
	err = again(ctx, func() error {
		list = nil
		rows, err := s.DB.QueryContext(ctx, query, args...)
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }() // Err has its error
		for err == nil && rows.Next() {
			var row T
			err = rows.Scan(fields(&row)...)
			list = append(list, row)
		}
		return cmp.Or(err, rows.Err())
	})
	return list, err
}

// column is for rows of one column.
func column[T any](value *T) []any { return []any{value} }

var conflict = regexp.MustCompile(`\b(40001|40P01|1213|1205)\b|could not serialize|[Dd]eadlock`)

// again repeats a statement at once after a conflict with another transaction, which a database
// reports as a serialization failure, a deadlock or a lock timeout.
func again(ctx context.Context, f func() error) error {
	for attempt := 1; ; attempt++ {
		err := f()
		if err == nil {
			return nil
		}
		if attempt == 10 || !conflict.MatchString(err.Error()) || wait.For(ctx, wait.Backoff(attempt, 5*time.Millisecond, 100*time.Millisecond)) != nil {
			return fmt.Errorf("sqlstore: %w", err)
		}
	}
}

// sql returns a statement in the dialect of the database.
func (s *Store) sql(words *strings.Replacer, statement string) string {
	statement = words.Replace(statement)
	if s.Dialect != DialectPostgreSQL {
		return statement
	}
	var b strings.Builder
	for i, part := range strings.Split(statement, "?") {
		if i > 0 {
			b.WriteString("$" + strconv.Itoa(i))
		}
		b.WriteString(part)
	}
	return b.String()
}

// list repeats a part of a statement.
func list(part string, n int) string { return strings.Repeat(", "+part, n)[2:] }

func texts(signatures []types.Signature) (all []any) {
	for _, s := range signatures {
		all = append(all, string(s))
	}
	return all
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// since returns a time as it is stored: 0 is the zero time.
func since(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// milliseconds scans a duration.
type milliseconds time.Duration

// Scan implements [sql.Scanner].
func (m *milliseconds) Scan(v any) error {
	var n sql.NullInt64
	err := n.Scan(v)
	*m = milliseconds(max(n.Int64, 0) * int64(time.Millisecond))
	return err
}

// A moment scans a time.
type moment time.Time

// Scan implements [sql.Scanner].
func (m *moment) Scan(v any) error {
	var n sql.NullInt64
	err := n.Scan(v)
	if n.Int64 != 0 {
		*m = moment(time.UnixMilli(n.Int64))
	}
	return err
}

// problems scans problems, which are JSON.
type problems []keeper.Problem

// Scan implements [sql.Scanner].
func (p *problems) Scan(v any) error {
	var text sql.NullString
	if err := text.Scan(v); err != nil {
		return err
	}
	return json.Unmarshal([]byte(text.String), (*[]keeper.Problem)(p))
}
