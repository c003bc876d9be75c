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

// record stores a process, and takes or renews the lead.
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

// SetWebhook stores the known webhook.
func (s *Store) SetWebhook(ctx context.Context, w keeper.Webhook) error {
	_, err := s.exec(ctx, "UPDATE {table}_leaders SET webhook = ?, creating = ?, webhook_at = NOW_MS WHERE keeper = ?", w.ID, w.Creating, s.name())
	return err
}
