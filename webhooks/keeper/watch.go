package keeper

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/solwire/solwire-go/internal/wait"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/internal/pace"
)

// check reads the webhook and corrects it, which is a problem until the next check. A check is
// one GET, without a price.
func (l *leader) check(ctx context.Context) (time.Duration, error) {
	first := l.right.IsZero() // only correct sets it
	wrong, err := l.correct(ctx)
	l.failures++
	switch {
	case err != nil && wrong != "": // refused settings; each write costs credits
		return wait.Backoff(l.failures, checkEvery, l.cfg.Interval), err
	case err != nil:
		return wait.Backoff(l.failures, 30*time.Second, checkEvery), err
	case wrong != "" && !first: // the first time, the settings may be new
		err = errors.New("was not as wanted, and is corrected: " + wrong)
	}
	l.failures = 0
	return checkEvery, err
}

// correct reads the webhook and corrects it. It returns the differences.
func (l *leader) correct(ctx context.Context) (wrong string, err error) {
	known := l.webhook.ID
	d, err := l.reconcile(ctx)
	if errors.Is(err, types.ErrNotFound) { // there is none yet, or it was deleted
		if err = l.find(ctx); err == nil {
			d, err = l.reconcile(ctx)
		}
		if known == "" && l.webhook.ID == "" && (errors.Is(err, types.ErrInvalid) || errors.Is(err, types.ErrUnauthorized) || isRefusal(err)) {
			l.stop(err)
		}
		if known != "" {
			wrong = "it was deleted"
		}
	}
	if d != nil && !d.Empty() {
		wrong = strings.Trim(wrong+"; "+strings.ReplaceAll(d.String(), "\n", "; "), "; ")
	}
	if err != nil {
		return wrong, err
	}
	l.mu.Lock()
	if wrong != "" {
		l.own.Asked++
	}
	if wrong != "" || l.right.IsZero() {
		l.right = time.Now()
	}
	l.mu.Unlock()
	if wrong != "" {
		l.log(ctx, slog.LevelWarn, "webhook corrected", slog.String("webhook", l.webhook.ID), slog.String("wrong", wrong))
	}
	return wrong, nil
}

func (l *leader) reconcile(ctx context.Context) (*webhooks.Differences, error) {
	if l.webhook.ID == "" {
		return nil, types.ErrNotFound
	}
	return l.client.Reconcile(ctx, l.webhook.ID, webhooks.Wanted{Settings: l.cfg.Settings}, &webhooks.ReconcileOptions{Apply: true})
}

// set stores the webhook.
func (l *leader) set(ctx context.Context, w Webhook) error {
	err := l.cfg.Store.SetWebhook(ctx, w)
	if err == nil {
		l.webhook = w
	}
	return err
}

// find finds a webhook with the URL, and creates one if the account has none. Its ID is stored
// also while the Keeper is ended.
func (l *leader) find(ctx context.Context) error {
	all, err := l.client.Webhooks(ctx)
	if err != nil {
		return err
	}
	w := l.webhook
	for _, s := range all {
		if s.URL == l.cfg.Settings.URL || hashOf(s.URL) == w.Creating {
			return l.set(ctx, Webhook{ID: s.ID})
		}
	}
	if w.Creating != "" && time.Since(w.Created) < pace.Of(createAgain) {
		return errors.New("a webhook was perhaps created, and is looked for before another one is")
	}
	w.Creating, w.Created = hashOf(l.cfg.Settings.URL), time.Now().Truncate(time.Millisecond)
	if err := l.set(ctx, w); err != nil {
		return err
	}
	created, err := l.client.Create(l.handling, l.cfg.Settings) //nolint:contextcheck // it outlives a stop
	switch {
	case err == nil:
		w = Webhook{ID: created.ID}
		l.log(ctx, slog.LevelInfo, "webhook created", slog.String("webhook", w.ID))
	case !errors.Is(err, types.ErrMayHaveExecuted):
		w.Creating = ""
	}
	return cmp.Or(err, l.set(l.handling, w)) //nolint:contextcheck // it outlives a stop
}
