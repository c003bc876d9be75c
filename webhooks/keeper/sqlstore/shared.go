package sqlstore

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/solwire/solwire-go/webhooks/keeper"
)

// Checkpoints returns all checkpoints.
func (s *Store) Checkpoints(ctx context.Context) ([]keeper.Checkpoint, error) {
	return all(ctx, s, func(c *keeper.Checkpoint) []any {
		return []any{&c.Address, &c.Filter, &c.Slot, moment{&c.Since}, moment{&c.Listed}}
	}, "SELECT address, filter, slot, since, listed FROM {table}_checkpoints")
}

// SetCheckpoints stores checkpoints.
func (s *Store) SetCheckpoints(ctx context.Context, checkpoints ...keeper.Checkpoint) error {
	for part := range slices.Chunk(checkpoints, rowsAtOnce) {
		var rows []any
		for _, c := range part {
			rows = append(rows, string(c.Address), c.Filter, int64(c.Slot), c.Since.UnixMilli(), c.Listed.UnixMilli())
		}
		_, err := s.exec(ctx, "INSERT INTO {table}_checkpoints (address, filter, slot, since, listed) VALUES "+list("(?, ?, ?, ?, ?)", len(part))+
			" ELSE UPDATE (address, filter) slot = NEW(slot), since = NEW(since), listed = NEW(listed)", rows...)
		if err != nil {
			return err
		}
	}
	return nil
}

// Lock records a process, and takes, renews or ends its lead.
func (s *Store) Lock(ctx context.Context, own keeper.Process, hold time.Duration) (*keeper.Shared, error) {
	record, err := json.Marshal(own)
	if err != nil {
		return nil, err
	}
	if hold == 0 {
		_, err = s.exec(ctx, "DELETE FROM {table}_processes WHERE process = ?", own.ID)
	} else {
		_, err = s.exec(ctx, "INSERT INTO {table}_processes (process, record, seen_at) VALUES (?, ?, NOW_MS) ELSE UPDATE (process) record = NEW(record), seen_at = NEW(seen_at)", own.ID, string(record))
	}
	if err == nil { // with a hold of 0, the lead of a leader ends
		_, err = s.exec(ctx, "UPDATE {table}_leader SET leader = ?, leads_until = NOW_MS + ? WHERE leader = ? OR ? > 0 AND leads_until <= NOW_MS",
			own.ID, hold.Milliseconds(), own.ID, hold.Milliseconds())
	}
	if err != nil {
		return nil, err
	}
	type row struct {
		leader string
		keeper.Webhook
	}
	leaders, err := all(ctx, s, func(r *row) []any { return []any{&r.leader, document{&r.Webhook}} },
		"SELECT CASE WHEN leads_until > NOW_MS THEN leader ELSE '' END, webhook FROM {table}_leader")
	if err != nil {
		return nil, err
	}
	first := append(leaders, row{})[0]
	shared := &keeper.Shared{Leads: first.leader == own.ID, Webhook: first.Webhook}
	shared.Processes, err = all(ctx, s, func(p *keeper.Process) []any { return []any{&p.ID, document{p}} },
		"SELECT process, record FROM {table}_processes WHERE seen_at > NOW_MS - 60000")
	for i := range shared.Processes {
		shared.Processes[i].Leads = shared.Processes[i].ID == first.leader
	}
	return shared, err
}

// SetWebhook stores the known webhook.
func (s *Store) SetWebhook(ctx context.Context, w keeper.Webhook) error {
	record, err := json.Marshal(w)
	if err == nil {
		_, err = s.exec(ctx, "UPDATE {table}_leader SET webhook = ?", string(record))
	}
	return err
}
