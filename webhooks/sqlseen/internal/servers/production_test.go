package servers

import (
	"context"
	"database/sql"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/sqlseen"
)

// A worker has what the snippets of the production checklist do not declare.
type worker struct {
	db      *sql.DB
	dialect sqlseen.Dialect
	hooks   *webhooks.Client
	hook    *webhooks.Webhook
	created time.Time // when the webhook was created
	handled []types.Signature
	slot    uint64 // of a backfill that has not ended
}

func (w *worker) loadSlot(context.Context) (uint64, error) { return w.slot, nil }

func (w *worker) saveSlot(_ context.Context, slot uint64) error {
	w.slot = slot
	return nil
}

// start starts a process: deliveries reach it through serve from then on.
func (w *worker) start(ctx context.Context, serve func(http.Handler)) error {
	hooks, hook, created, logger, loadSlot, saveSlot := w.hooks, w.hook, w.created, slog.New(slog.DiscardHandler), w.loadSlot, w.saveSlot
	store, err := sqlseen.New(sqlseen.Config{DB: w.db, Dialect: w.dialect, Webhook: hook.ID})
	if err != nil {
		return err
	}
	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
		Secrets: []webhooks.Secret{secret},
		Seen:    store,
		MaxAge:  10 * time.Minute,
		Handle: func(_ context.Context, e *webhooks.Event) error {
			w.handled = append(w.handled, e.Signature)
			return nil
		},
	})
	if err != nil {
		return err
	}
	slot, err := loadSlot(ctx) // of an interrupted backfill, or 0
	if err != nil {
		return err
	}
	if slot == 0 {
		slot, err = receiver.SafeSlot(ctx) // before the first delivery
		if err != nil {
			return err
		}
		if err := saveSlot(ctx, slot); err != nil {
			return err
		}
	}
	serve(receiver)
	report, err := hooks.Backfill(ctx, webhooks.BackfillConfig{
		Receiver:   receiver,
		Webhook:    hook.ID,
		SinceSlot:  slot,
		Since:      created, // used if slot is 0: no event was handled yet
		Checkpoint: saveSlot,
	})
	logger.Info("backfill", "report", report)
	if err != nil {
		return err // the next start continues
	}
	return saveSlot(ctx, 0)
}

func (w *worker) daily(ctx context.Context, addresses []types.Address, logger *slog.Logger) error {
	hooks, hook := w.hooks, w.hook
	want := webhooks.Wanted{Settings: webhooks.Settings{AccountAddresses: addresses}}
	differences, err := hooks.Reconcile(ctx, hook.ID, want, &webhooks.ReconcileOptions{Apply: true})
	if err != nil {
		return err
	}
	if !differences.None() {
		logger.Warn("webhook corrected", "differences", differences.String())
	}
	return nil
}

func TestProductionWebhook(t *testing.T) {
	each(t, func(t *testing.T, d database, _ *sql.DB, _ string) {
		const account = fake.WalletAddress
		service := fake.New(&fake.Options{World: &fake.World{}})
		hooks, err := webhooks.New(service.Config())
		require.NoError(t, err)
		hook, err := hooks.Create(t.Context(), webhooks.Settings{
			URL: "https://example.com/hook", Type: webhooks.TypeEnhanced, AuthHeader: secret,
			TransactionTypes: []txtype.Type{txtype.Any}, AccountAddresses: []types.Address{account},
		})
		require.NoError(t, err)
		w := &worker{db: d.open(t, sqlseen.DefaultTable), dialect: d.dialect, hooks: hooks, hook: hook, created: time.Now()}
		var receiver http.Handler
		serve := func(h http.Handler) { receiver = h }

		early := service.Swap(account)
		require.NoError(t, w.start(t.Context(), serve))
		delivered := service.Swap(account)
		service.Deliver(t.Context(), &fake.Delivery{Handler: receiver}, delivered)
		missed := service.Swap(account)
		require.NoError(t, w.start(t.Context(), serve), "a restart")
		require.Equal(t, []types.Signature{early.Signature(), delivered.Signature(), missed.Signature()}, w.handled)
		require.Zero(t, w.slot)

		w.slot = 1 // a backfill was interrupted before anything was handled
		w.handled = nil
		_, err = w.db.Exec("DELETE FROM " + sqlseen.DefaultTable)
		require.NoError(t, err)
		require.NoError(t, w.start(t.Context(), serve))
		require.Len(t, w.handled, 3)
	})
}

// The service disables a webhook and loses one of its addresses.
func TestProductionReconcile(t *testing.T) {
	t.Parallel()
	addresses := []types.Address{fake.WalletAddress, fake.ExchangeAddress}
	hooks, err := webhooks.New(fake.Config())
	require.NoError(t, err)
	hook, err := hooks.Create(t.Context(), webhooks.Settings{URL: "https://example.com/hook", Type: webhooks.TypeRaw, AccountAddresses: addresses[:1]})
	require.NoError(t, err)
	_, err = hooks.SetActive(t.Context(), hook.ID, false)
	require.NoError(t, err)
	w := &worker{hooks: hooks, hook: hook}
	require.NoError(t, w.daily(t.Context(), addresses, slog.New(slog.DiscardHandler)))
	got, err := hooks.Get(t.Context(), hook.ID)
	require.NoError(t, err)
	require.True(t, *got.Active)
	require.Equal(t, addresses, got.AccountAddresses)
}
