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

	checkpoint uint64
}

// start starts a process: deliveries reach it through serve from then on.
func (w *worker) start(ctx context.Context, serve func(http.Handler)) error {
	hooks, hook, created, logger := w.hooks, w.hook, w.created, slog.New(slog.DiscardHandler)
	checkpoint := w.checkpoint
	save := func(_ context.Context, slot uint64) error {
		w.checkpoint = slot
		return nil
	}
	store, err := sqlseen.New(sqlseen.Config{DB: w.db, Dialect: w.dialect, Webhook: hook.ID})
	if err != nil {
		return err
	}
	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
		Secrets: []webhooks.Secret{secret},
		Seen:    store,
		Handle: func(_ context.Context, e *webhooks.Event) error {
			w.handled = append(w.handled, e.Signature)
			return nil
		},
	})
	if err != nil {
		return err
	}
	slot, err := receiver.SafeSlot(ctx) // held by Seen until a backfill from it succeeds
	if err == nil && slot == 0 {
		err = store.HoldSlot(ctx, 1) // no event was handled yet: SafeSlot stays 0
	}
	if err != nil {
		return err
	}
	serve(receiver) // then wait half a minute: histories are about 13 seconds behind

	var since uint64    // 0: from the time Since
	if checkpoint > 0 { // the slot that save stored last
		since = min(slot, checkpoint)
	}
	report, err := hooks.Backfill(ctx, webhooks.BackfillConfig{
		Receiver:   receiver,
		Webhook:    hook.ID,
		SinceSlot:  since,
		Since:      created, // of the webhook; used if SinceSlot is 0
		Checkpoint: save,
	})
	logger.Info("backfill", "report", report)
	return err // after an error, the next start repeats the backfill
}

func (w *worker) daily(ctx context.Context, addresses []types.Address, logger *slog.Logger) error {
	hooks, hook := w.hooks, w.hook
	want := webhooks.Wanted{Settings: webhooks.Settings{AccountAddresses: addresses}}
	differences, err := hooks.Reconcile(ctx, hook.ID, want, &webhooks.ReconcileOptions{Apply: true})
	if err != nil {
		return err
	}
	if !differences.Empty() {
		logger.Warn("webhook corrected", "differences", differences.String())
	}
	return nil
}

const account = fake.WalletAddress

// working returns a worker with a webhook that was created an hour ago. The time of the
// service is ago before now.
func working(t *testing.T, d database) (w *worker, service *fake.Service, ago *time.Duration) {
	t.Helper()
	ago = new(time.Duration)
	*ago = time.Hour
	service = fake.New(&fake.Options{World: &fake.World{}, Clock: func() time.Time { return time.Now().Add(-*ago) }})
	hooks, err := webhooks.New(service.Config())
	require.NoError(t, err)
	hook, err := hooks.Create(t.Context(), webhooks.Settings{
		URL: "https://example.com/hook", Type: webhooks.TypeEnhanced, AuthHeader: secret,
		TransactionTypes: []txtype.Type{txtype.Any}, AccountAddresses: []types.Address{account},
	})
	require.NoError(t, err)
	return &worker{
		db: d.open(t, sqlseen.DefaultTable), dialect: d.dialect,
		hooks: hooks, hook: hook, created: time.Now().Add(-*ago),
	}, service, ago
}

func TestRestartHandlesMissedEvents(t *testing.T) {
	each(t, func(t *testing.T, d database, _ *sql.DB, _ string) {
		w, service, ago := working(t, d)
		var receiver http.Handler
		serve := func(h http.Handler) { receiver = h }

		early := service.Swap(account)
		*ago = 0
		require.NoError(t, w.start(t.Context(), serve))
		delivered := service.Swap(account)
		service.Deliver(t.Context(), &fake.Delivery{Handler: receiver}, delivered)
		missed := service.Swap(account)
		require.NoError(t, w.start(t.Context(), serve))
		require.Equal(t, []types.Signature{early.Signature(), delivered.Signature(), missed.Signature()}, w.handled)
	})
}

// The events of the outage are neither in Seen nor after a checkpoint.
func TestRestartAfterAnOutageWithoutACheckpoint(t *testing.T) {
	each(t, func(t *testing.T, d database, _ *sql.DB, _ string) {
		w, service, ago := working(t, d)
		var receiver http.Handler
		serve := func(h http.Handler) { receiver = h }

		require.NoError(t, w.start(t.Context(), serve))
		require.Zero(t, w.checkpoint)
		*ago = 40 * time.Minute
		missed := service.Swap(account)
		*ago = 0
		delivered := service.Swap(account)
		service.Deliver(t.Context(), &fake.Delivery{Handler: receiver}, delivered)
		require.NoError(t, w.start(t.Context(), serve))
		require.Equal(t, []types.Signature{delivered.Signature(), missed.Signature()}, w.handled)
	})
}

func TestRestartContinuesAnInterruptedBackfill(t *testing.T) {
	each(t, func(t *testing.T, d database, _ *sql.DB, _ string) {
		w, service, ago := working(t, d)
		var receiver http.Handler
		serve := func(h http.Handler) { receiver = h }

		early := service.Swap(account)
		*ago = 0
		service.FailShare("GET /v0/addresses/{address}/transactions", 1, fake.Unauthorized())
		require.ErrorIs(t, w.start(t.Context(), serve), types.ErrUnauthorized)
		delivered := service.Swap(account)
		service.Deliver(t.Context(), &fake.Delivery{Handler: receiver}, delivered) // increases SafeSlot
		service.Recover()
		require.NoError(t, w.start(t.Context(), serve))
		require.Equal(t, []types.Signature{delivered.Signature(), early.Signature()}, w.handled)
	})
}

// The first process dies after a delivery, before its backfill begins.
func TestRestartAfterACrashBeforeTheFirstBackfill(t *testing.T) {
	each(t, func(t *testing.T, d database, _ *sql.DB, _ string) {
		w, service, ago := working(t, d)
		early := service.Swap(account)
		*ago = 0
		delivered := service.Swap(account)
		ctx, die := context.WithCancel(t.Context())
		require.ErrorIs(t, w.start(ctx, func(h http.Handler) {
			service.Deliver(t.Context(), &fake.Delivery{Handler: h}, delivered)
			die()
		}), context.Canceled)
		require.NoError(t, w.start(t.Context(), func(http.Handler) {}))
		require.Equal(t, []types.Signature{delivered.Signature(), early.Signature()}, w.handled)
	})
}

// A delivery gets lost between two others while the process runs.
func TestBackfillCoversAnOutageOfTheNetwork(t *testing.T) {
	each(t, func(t *testing.T, d database, _ *sql.DB, _ string) {
		w, service, ago := working(t, d)
		var receiver http.Handler
		serve := func(h http.Handler) { receiver = h }

		early := service.Swap(account)
		*ago = 40 * time.Minute
		require.NoError(t, w.start(t.Context(), serve))
		lost := service.Swap(account)
		*ago = 5 * time.Minute
		delivered := service.Swap(account)
		service.Deliver(t.Context(), &fake.Delivery{Handler: receiver}, delivered)
		require.NoError(t, w.start(t.Context(), serve))
		require.Equal(t, []types.Signature{early.Signature(), delivered.Signature(), lost.Signature()}, w.handled)
	})
}

// The service disables a webhook and loses one of its addresses.
func TestReconcileActivatesAWebhook(t *testing.T) {
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
