package sqlstore

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks/keeper"
)

// Checkpoints returns all checkpoints.
func (s *Store) Checkpoints(ctx context.Context) (map[types.Address]keeper.Checkpoint, error) {
	type row struct {
		keeper.Checkpoint
		since, listed int64
	}
	rows, err := all(ctx, s, func(r *row) []any {
		return []any{&r.Address, &r.Slot, &r.since, &r.listed}
	}, "SELECT address, slot, since, listed FROM {table}_checkpoints")
	checkpoints := make(map[types.Address]keeper.Checkpoint, len(rows))
	for _, r := range rows {
		r.Since, r.Listed = time.UnixMilli(r.since), time.UnixMilli(r.listed)
		checkpoints[r.Address] = r.Checkpoint
	}
	return checkpoints, err
}

// SetCheckpoints stores checkpoints.
func (s *Store) SetCheckpoints(ctx context.Context, checkpoints ...keeper.Checkpoint) error {
	for part := range slices.Chunk(checkpoints, rowsAtOnce) {
		var rows []any
		for _, c := range part {
			rows = append(rows, string(c.Address), int64(c.Slot), c.Since.UnixMilli(), c.Listed.UnixMilli())
		}
		_, err := s.exec(ctx, "INSERT INTO {table}_checkpoints (address, slot, since, listed) VALUES "+list("(?, ?, ?, ?)", len(part))+
			" ELSE UPDATE (address) slot = NEW(slot), since = NEW(since), listed = NEW(listed)", rows...)
		if err != nil {
			return err
		}
	}
	return nil
}

// Lock stores the record of a process, and begins, renews or ends its lead.
func (s *Store) Lock(ctx context.Context, own keeper.Process, hold time.Duration) (*keeper.Shared, error) {
	record, _ := json.Marshal(own) // never fails
	webhook := ""
	if own.Webhook != (keeper.Webhook{}) {
		text, _ := json.Marshal(own.Webhook)
		webhook = string(text)
	}
	_, err := s.exec(ctx, "INSERT INTO {table}_processes (process, record, seen_at) VALUES (?, ?, NOW_MS) ELSE UPDATE (process) record = NEW(record), seen_at = NEW(seen_at)", own.ID, string(record))
	if err == nil { // with a hold of 0, the lead of a leader ends
		_, err = s.exec(ctx, `UPDATE {table}_leader SET webhook = COALESCE(NULLIF(?, ''), webhook), leads_until = NOW_MS + ?, leader = ?
			WHERE leader = ? OR ? > 0 AND leads_until <= NOW_MS`, webhook, hold.Milliseconds(), own.ID, own.ID, hold.Milliseconds())
	}
	if err != nil {
		return nil, err
	}
	shared, err := all(ctx, s, func(r *keeper.Shared) []any {
		return []any{&r.Leader, document{&r.Webhook}, &r.Pending, &r.DeadLetters, &r.OldestAge, &r.LowestSlot}
	}, `SELECT CASE WHEN leads_until > NOW_MS THEN leader ELSE '' END, webhook,
		COALESCE(SUM(CASE WHEN state = 0 THEN 1 END), 0), COALESCE(SUM(CASE WHEN state = 2 THEN 1 END), 0),
		COALESCE(MAX(CASE WHEN state = 0 THEN NOW_MS - opened_at END) * 1000000, 0), COALESCE(MIN(CASE WHEN state = 0 AND slot > 0 THEN slot END), 0)
		FROM {table}_leader LEFT JOIN {table}_events ON state IN (0, 2) GROUP BY leader, leads_until, webhook`)
	if err != nil {
		return nil, err
	}
	first := append(shared, keeper.Shared{})[0]
	first.Processes, err = all(ctx, s, func(p *keeper.Process) []any { return []any{&p.ID, document{p}} },
		"SELECT process, record FROM {table}_processes WHERE seen_at > NOW_MS - 60000")
	return &first, err
}
