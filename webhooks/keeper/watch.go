package keeper

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/solwire/solwire-go/internal/wait"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/internal/pace"
)

// watch checks the webhook every five minutes until ctx ends. A check is one GET, without a
// price.
func (l *leader) watch(ctx context.Context) {
	for failures, vain := 0, 0; ctx.Err() == nil; {
		first := l.right.IsZero() // only check sets it
		wrong, err := l.check(ctx)
		switch {
		case err == nil && wrong == "":
			l.forget(CauseWebhook)
			failures, vain = 0, 0
			pause(ctx, pace.Of(checkEvery))
		case err == nil: // it was corrected; the first time, the settings may be new
			if !first {
				l.problem(ctx, CauseWebhook, errors.New("was not as wanted, and is corrected: "+wrong))
			}
			failures, vain = 0, 0
			pause(ctx, pace.Of(checkEvery))
		default:
			l.problem(ctx, CauseWebhook, err)
			failures++
			if wrong != "" { // the service does not take the settings, and each write costs credits
				vain++
				pause(ctx, pace.Of(wait.Backoff(vain, checkEvery, l.cfg.Interval)))
			} else {
				pause(ctx, pace.Of(wait.Backoff(failures, 30*time.Second, checkEvery)))
			}
		}
	}
}

// check reads the webhook and corrects it. It names the wrong settings, without their values.
func (l *leader) check(ctx context.Context) (wrong string, err error) {
	shared, err := l.read(ctx)
	if err != nil {
		return "", err
	}
	w := shared.Webhook
	d := new(webhooks.Differences)
	if err = types.ErrNotFound; w.ID != "" {
		d, err = l.reconcile(ctx, w.ID)
	}
	if errors.Is(err, types.ErrNotFound) { // there is none yet, or it was deleted
		if w.ID != "" {
			wrong = "it was deleted"
		}
		if w, err = l.findWebhook(ctx, w); err == nil {
			d, err = l.reconcile(ctx, w.ID)
		}
		if w.ID == "" && (errors.Is(err, types.ErrInvalid) || errors.Is(err, types.ErrUnauthorized) || isRefusal(err)) {
			l.stop(err)
		}
	}
	if d != nil {
		wrong = strings.Trim(wrong+"; "+describe(d), "; ")
	}
	if err != nil {
		return wrong, err
	}
	l.mu.Lock()
	if wrong != "" || l.right.IsZero() {
		l.right = time.Now()
	}
	l.mu.Unlock()
	if wrong != "" {
		l.log(ctx, slog.LevelWarn, "webhook corrected", slog.String("webhook", w.ID), slog.String("wrong", wrong))
		l.ask()
	}
	return wrong, l.deleteDuplicates(ctx, w)
}

// read returns the shared state.
func (l *leader) read(ctx context.Context) (*Shared, error) {
	limited, cancel := context.WithTimeout(ctx, storeWithin)
	defer cancel()
	return l.cfg.Store.Lock(limited, l.own(), leadFor)
}

func describe(d *webhooks.Differences) string {
	var all []string
	for _, s := range d.Settings {
		all = append(all, s.Setting)
	}
	for what, n := range map[string]int{"missing addresses": len(d.Missing), "unwanted addresses": len(d.Unwanted)} {
		if n > 0 {
			all = append(all, fmt.Sprintf("%d %s", n, what))
		}
	}
	if d.ActiveDiffers {
		all = append(all, "it was off")
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

func (l *leader) reconcile(ctx context.Context, id string) (*webhooks.Differences, error) {
	return l.client.Reconcile(ctx, id, webhooks.Wanted{Settings: l.cfg.Settings}, &webhooks.ReconcileOptions{Apply: true})
}

// findWebhook returns a webhook with the URL, and creates one if the account has none. Its ID is
// stored also while the Keeper is ended.
func (l *leader) findWebhook(ctx context.Context, last Webhook) (Webhook, error) {
	all, err := l.client.Webhooks(ctx)
	if err != nil {
		return last, err
	}
	for _, s := range all {
		if s.URL == l.cfg.Settings.URL || hashOf(s.URL) == last.Creating {
			last.ID = s.ID
			return last, l.cfg.Store.SetWebhook(ctx, last)
		}
	}
	// A creation may fail, or the process die, although the webhook was created. The list may
	// have it minutes later.
	last.Creating = hashOf(l.cfg.Settings.URL)
	if err := l.cfg.Store.SetWebhook(ctx, last); err != nil {
		return last, err
	}
	created, err := l.client.Create(l.handling, l.cfg.Settings) //nolint:contextcheck // it outlives a stop
	if err != nil {
		return last, err
	}
	last.ID = created.ID
	l.log(ctx, slog.LevelInfo, "webhook created", slog.String("webhook", created.ID))
	return last, l.cfg.Store.SetWebhook(l.handling, last) //nolint:contextcheck // it outlives a stop
}

// deleteDuplicates deletes, for an hour after a creation, the webhooks of a Create whose response was
// lost. Each would deliver every event again, for its price.
func (l *leader) deleteDuplicates(ctx context.Context, w Webhook) error {
	if w.Creating == "" {
		return nil
	}
	all, err := l.client.Webhooks(ctx)
	if err != nil {
		return err
	}
	for _, s := range all {
		if s.ID == w.ID || hashOf(s.URL) != w.Creating || s.Type != l.cfg.Settings.Type {
			continue
		}
		if err := l.client.Delete(ctx, s.ID); err != nil && !errors.Is(err, types.ErrNotFound) {
			return err
		}
		l.log(ctx, slog.LevelWarn, "duplicate webhook deleted", slog.String("webhook", s.ID))
	}
	if w.Age >= time.Hour {
		w.Creating = ""
		return l.cfg.Store.SetWebhook(ctx, w)
	}
	return nil
}
