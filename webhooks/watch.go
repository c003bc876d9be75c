package webhooks

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks/internal/pace"
)

// A watcher keeps the webhook as it should be.
type watcher struct {
	*Keeper
	checked bool     // since this process leads
	wait    patience // after settings that the service does not take, which cost credits
	last    error    // of them
}

// check checks the webhook, unless a process did within five minutes. It is one GET, without a
// price.
func (w *watcher) check(ctx context.Context) error {
	if !w.wait.due() {
		return w.last
	}
	facts, err := w.facts(ctx, factCheck)
	if checked, has := facts[factCheck]; err != nil || w.checked && has && checked.Age < pace.Of(keepCheck) {
		return err
	}
	if facts, err = w.facts(ctx, factWebhook); err != nil {
		return err
	}
	used := usedWebhooks(facts)
	last := append(used, "")[0]
	id := cmp.Or(w.cfg.Webhook, last)
	d := new(Differences)
	if err = types.ErrNotFound; id != "" {
		d, err = w.reconcile(ctx, id)
	}
	if errors.Is(err, types.ErrNotFound) { // there is none yet, or it was deleted
		if id, err = w.adopt(ctx, used); err == nil {
			d, err = w.reconcile(ctx, id)
		}
	}
	if err != nil {
		if !w.found && (errors.Is(err, types.ErrInvalid) || errors.Is(err, types.ErrUnauthorized) || refused(err)) {
			w.stop(err)
		}
		if d != nil && !d.Empty() {
			w.wait.failed(keepLook, w.interval)
			w.last = err
		}
		return err
	}
	w.wait, w.found, w.checked = patience{}, true, true
	if id != last {
		if err := w.record.Put(ctx, Fact{Name: factWebhook + id, Value: "1"}); err != nil {
			return err
		}
	}
	if !d.Empty() || last != "" && id != last {
		var settings []string // without values such as the URL
		for _, s := range d.Settings {
			settings = append(settings, s.Setting)
		}
		w.log(ctx, slog.LevelWarn, "webhook corrected", slog.String("webhook", id), slog.Any("settings", settings), slog.Int("missing_addresses", len(d.Missing)))
		w.count("corrected")
		if err := w.needNow(ctx); err != nil {
			return err
		}
	}
	if err := w.removeDuplicates(ctx, id, used); err != nil {
		return err
	}
	return w.record.Put(ctx, Fact{Name: factCheck, Value: "1"})
}

func (w *watcher) reconcile(ctx context.Context, id string) (*Differences, error) {
	return w.client.Reconcile(ctx, id, Wanted{Settings: w.cfg.Settings}, &ReconcileOptions{Apply: true})
}

// usedWebhooks returns the webhooks of a record, the last one first.
func usedWebhooks(facts map[string]Fact) (ids []string) {
	for name := range facts {
		if id, ok := strings.CutPrefix(name, factWebhook); ok {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b string) int { return cmp.Compare(facts[factWebhook+a].Age, facts[factWebhook+b].Age) })
	return ids
}

// adopt returns the last webhook of the record that still exists, or else one that has the
// URL. It creates the webhook if there is none.
func (w *watcher) adopt(ctx context.Context, used []string) (string, error) {
	all, err := w.client.Webhooks(ctx)
	if err != nil {
		return "", err
	}
	for _, id := range used {
		if slices.ContainsFunc(all, func(s Summary) bool { return s.ID == id }) {
			return id, nil
		}
	}
	for _, s := range all {
		if s.URL == w.cfg.Settings.URL {
			return s.ID, nil
		}
	}
	// A creation may fail, or the process die, although the webhook was created. The list may
	// have it minutes later.
	if err := w.record.Put(ctx, Fact{Name: factCreating, Value: "1"}); err != nil {
		return "", err
	}
	created, err := w.client.Create(ctx, w.cfg.Settings)
	if err != nil {
		return "", err
	}
	w.log(ctx, slog.LevelInfo, "webhook created", slog.String("webhook", created.ID))
	return created.ID, nil
}

// removeDuplicates deletes, for an hour after a creation, the webhooks that others left behind
// which seemed to fail. Each would deliver every event again, for its price.
func (w *watcher) removeDuplicates(ctx context.Context, id string, used []string) error {
	facts, err := w.facts(ctx, factCreating)
	creating, has := facts[factCreating]
	if err != nil || !has {
		return err
	}
	all, err := w.client.Webhooks(ctx)
	if err != nil {
		return err
	}
	want := w.cfg.Settings
	for _, s := range all {
		if s.ID == id || slices.Contains(used, s.ID) || s.URL != want.URL || s.Type != want.Type || s.AuthHeader != want.AuthHeader {
			continue
		}
		if err := w.client.Delete(ctx, s.ID); err != nil && !errors.Is(err, types.ErrNotFound) {
			return err
		}
		w.log(ctx, slog.LevelWarn, "duplicate webhook deleted", slog.String("webhook", s.ID))
		w.count("duplicates_deleted")
	}
	if creating.Age >= pace.Of(keepAgain) {
		return w.record.Put(ctx, Fact{Name: factCreating})
	}
	return nil
}
