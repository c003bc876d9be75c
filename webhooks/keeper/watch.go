package keeper

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/solwire/solwire-go/internal/wait"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/internal/pace"
)

// check reads the webhook and corrects it. A correction is a problem until the next check. A check
// is one GET, without a price.
func (l *leader) check(ctx context.Context) (time.Duration, error) {
	wrong, err := l.correct(ctx)
	first := l.right.IsZero() // then the settings may be new
	switch {
	case err != nil && wrong != "": // refused settings; each write costs credits
		l.refused++
		l.refusal, l.write = err, time.Now().Add(wait.Backoff(l.refused, checkEvery, l.cfg.Interval))
		return checkEvery, err
	case err != nil:
		return 0, err
	case wrong != "" && time.Now().Before(l.write):
		return checkEvery, l.refusal
	case wrong != "":
		l.ask()
	}
	l.refused = 0
	if first || wrong != "" {
		l.mu.Lock()
		l.right = time.Now()
		l.mu.Unlock()
	}
	if !first && wrong != "" {
		err = errors.New("was not as wanted, and is corrected: " + wrong)
	}
	return checkEvery, err
}

// correct reads the webhook and corrects it. It returns the differences.
func (l *leader) correct(ctx context.Context) (wrong string, err error) {
	known := l.own.Webhook.ID != ""
	d, err := l.reconcile(ctx)
	if errors.Is(err, types.ErrNotFound) || errors.Is(err, types.ErrInvalid) { // none, or deleted
		l.write = time.Time{}
		if err = l.find(ctx); err == nil {
			d, err = l.reconcile(ctx)
		}
		if known {
			d = append(d, "it was deleted")
		}
	}
	return strings.Join(d, "; "), err
}

func (l *leader) reconcile(ctx context.Context) ([]string, error) {
	if l.own.Webhook.ID == "" {
		return nil, types.ErrNotFound
	}
	return l.client.Reconcile(ctx, l.own.Webhook.ID, l.cfg.Settings, &webhooks.ReconcileOptions{Apply: !time.Now().Before(l.write)})
}

// set stores the webhook.
func (l *leader) set(ctx context.Context, w Webhook) error {
	l.mu.Lock()
	l.own.Webhook = w
	l.mu.Unlock()
	leads, err := l.lock(ctx, leadFor)
	if err == nil && !leads { // this process may have stood still
		err = errors.New("another process leads and stores the webhook")
	}
	return err
}

// find finds a webhook with the URL, or else creates it. A creation continues for some seconds
// after ctx has ended, so that the ID is stored.
func (l *leader) find(ctx context.Context) error {
	all, err := l.client.Webhooks(ctx)
	if err != nil {
		return err
	}
	w, url := l.own.Webhook, hashOf(l.cfg.Settings.URL)
	for _, s := range all {
		if hash := hashOf(s.URL); hash == url || hash == w.Creating {
			return l.set(ctx, Webhook{ID: s.ID})
		}
	}
	if w.Creating != "" && time.Since(w.Created) < pace.Of(createAgain) {
		return errors.New("a webhook was perhaps created, and is looked for before another one is")
	}
	if err := l.set(ctx, Webhook{Creating: url, Created: time.Now().Truncate(time.Millisecond)}); err != nil {
		return err
	}
	lasting, end := last(ctx)
	defer end()
	limited, cancel := context.WithTimeout(lasting, waitWithin)
	defer cancel()
	created, err := l.client.Create(limited, l.cfg.Settings)
	switch {
	case err == nil:
		return l.set(limited, Webhook{ID: created.ID})
	case !errors.Is(err, types.ErrMayHaveExecuted):
		return cmp.Or(l.set(limited, Webhook{Created: l.own.Webhook.Created}), err)
	}
	return err
}
