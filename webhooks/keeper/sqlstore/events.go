package sqlstore

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/keeper"
)

const insert = "INSERT NEW INTO {table}_events (signature, slot, address, state, wanted, opened_at, due_at, claimed_by, attempts, note) VALUES "

// Claim claims an event for the Lease.
func (s *Store) Claim(ctx context.Context, e *webhooks.Event) (bool, error) {
	n, err := s.exec(ctx, insert+"(?, ?, '', 0, 1, NOW_MS, NOW_MS + {lease}, {me}, 1, '') ELSE IGNORE", string(e.Signature), int64(e.Slot))
	if err != nil || n > 0 {
		return n > 0, err
	}
	n, err = s.exec(ctx, `UPDATE {table}_events SET state = 0, wanted = 1, due_at = NOW_MS + {lease}, claimed_by = {me}, attempts = attempts + 1
		WHERE signature = ? AND state <> 3 AND (claimed_by = '' OR due_at <= NOW_MS)`, string(e.Signature))
	if err != nil || n > 0 {
		return n > 0, err
	}
	states, err := all(ctx, s, column[keeper.State], "SELECT state FROM {table}_events WHERE signature = ?", string(e.Signature))
	if err == nil && !slices.Contains(states, keeper.StateDone) { // or it was deleted since
		err = webhooks.ErrClaimed
	}
	return false, err
}

// Renew renews a claim of this Store for the Lease.
func (s *Store) Renew(ctx context.Context, e *webhooks.Event) error {
	n, err := s.exec(ctx, "UPDATE {table}_events SET due_at = NOW_MS + {lease} WHERE signature = ? AND claimed_by = {me} AND state = 0", string(e.Signature))
	if err == nil && n == 0 {
		return fmt.Errorf("sqlstore: the claim has lapsed: %w", webhooks.ErrClaimed)
	}
	return err
}

// Done records an event as handled, even if the claim has lapsed.
func (s *Store) Done(ctx context.Context, e *webhooks.Event) error {
	_, err := s.exec(ctx, "UPDATE {table}_events SET state = 3, due_at = NOW_MS, claimed_by = '' WHERE signature = ?", string(e.Signature))
	return err
}

// retry is SQL for the time of the next attempt, as [keeper.RetryAfter] has it.
func retry() string {
	first, last := keeper.RetryAfter(0).Milliseconds(), keeper.RetryAfter(math.MaxInt64).Milliseconds()
	return fmt.Sprintf("NOW_MS + CASE WHEN NOW_MS - opened_at < %d THEN %d + (NOW_MS - opened_at) / 2 ELSE %d END", 2*(last-first), first, last)
}

// Release ends a claim of this Store. The event stays pending.
func (s *Store) Release(ctx context.Context, e *webhooks.Event, failure string) error {
	_, err := s.exec(ctx, "UPDATE {table}_events SET claimed_by = '', note = ?, due_at = "+retry()+" WHERE signature = ? AND claimed_by = {me} AND state = 0",
		failure, string(e.Signature))
	return err
}

// Add adds events as pending.
func (s *Store) Add(ctx context.Context, filter string, events ...keeper.Pending) (added int, err error) {
	first := keeper.RetryAfter(0).Milliseconds()
	for part := range slices.Chunk(events, rowsAtOnce) {
		var rows []any
		var signatures []types.Signature
		for _, e := range part {
			rows = append(rows, string(e.Signature), int64(e.Slot), string(e.Address), map[bool]int{true: 1}[e.Wanted], first)
			signatures = append(signatures, e.Signature)
		}
		n, err := s.exec(ctx, insert+list("(?, ?, ?, 0, ?, NOW_MS, NOW_MS + ?, '', 0, '')", len(part))+" ELSE IGNORE", rows...)
		added += int(n)
		if err == nil && int(n) < len(part) {
			n, err = s.exec(ctx, "UPDATE {table}_events SET state = 0, note = '', due_at = NOW_MS + ? WHERE state + 0 = 1 AND note <> ? AND signature IN ("+list("?", len(part))+")",
				in(signatures, first, filter)...)
			added += int(n)
		}
		if err != nil {
			return added, err
		}
	}
	return added, nil
}

// Move changes the state of events that nobody claims.
func (s *Store) Move(ctx context.Context, to keeper.State, note string, signatures ...types.Signature) error {
	set := "due_at = NOW_MS"
	if to == keeper.StatePending { // MySQL assigns from left to right, so that the state comes last
		set = "due_at = CASE WHEN state = 2 THEN NOW_MS ELSE " + retry() + " END, attempts = attempts + 1"
	}
	for part := range slices.Chunk(signatures, rowsAtOnce) {
		_, err := s.exec(ctx, "UPDATE {table}_events SET "+set+", claimed_by = '', note = ?, state = ? WHERE state <> 3 AND (claimed_by = '' OR due_at <= NOW_MS) AND (wanted = 0 OR ? <> 1) AND signature IN ("+list("?", len(part))+")",
			in(part, note, int(to), int(to))...)
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
		return []any{&p.Signature, &p.Slot, &p.Address, &p.Wanted, &p.Age, &p.Attempts, &p.Error}
	}, "SELECT signature, slot, address, wanted, (NOW_MS - opened_at) * 1000000, attempts, note FROM {table}_events WHERE state = ?"+due+
		" ORDER BY attempts, due_at LIMIT ?", int(state), q.Limit)
}

// Clean deletes up to 200 old events. A statement that deletes more would hold up claims.
func (s *Store) Clean(ctx context.Context, age time.Duration) (int, error) {
	for _, old := range []string{"processes WHERE seen_at", "checkpoints WHERE listed"} {
		if _, err := s.exec(ctx, "DELETE FROM {table}_"+old+" <= NOW_MS - ?", age.Milliseconds()); err != nil {
			return 0, err
		}
	}
	lowest, err := all(ctx, s, column[int64], "SELECT COALESCE(MIN(slot), 9223372036854775807) FROM {table}_checkpoints")
	if err != nil {
		return 0, err
	}
	old, err := all(ctx, s, column[types.Signature], "SELECT signature FROM {table}_events WHERE state IN (1, 3) AND due_at <= NOW_MS - ? AND slot < ? LIMIT ?",
		age.Milliseconds(), lowest[0], rowsAtOnce)
	if err != nil || len(old) == 0 {
		return 0, err
	}
	// With "state IN", a database might read all events of the states by the other index.
	n, err := s.exec(ctx, "DELETE FROM {table}_events WHERE state + 0 IN (1, 3) AND signature IN ("+list("?", len(old))+")", in(old)...)
	return int(n), err
}
