package webhooks_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/tx"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/internal/pace"
)

// A kept is a webhook with a Keeper, in the time of a bubble.
type kept struct {
	t       *testing.T
	service *fake.Service
	hooks   *webhooks.Client
	cfg     webhooks.KeepConfig
	got     *handled

	store  *hookedStore // nil for a MemoryStore
	fail   atomic.Pointer[func(*webhooks.Event) error]
	keeper *webhooks.Keeper
	stop   func()
}

// keeping returns a webhook that is not kept yet.
func keeping(t *testing.T) *kept {
	t.Helper()
	service := fake.New(&fake.Options{World: &fake.World{}})
	hooks, err := webhooks.New(service.Config())
	require.NoError(t, err)
	k := &kept{t: t, service: service, hooks: hooks, got: &handled{}}
	k.cfg = webhooks.KeepConfig{
		Settings: webhooks.Settings{
			URL: "https://example.com/hook", Type: webhooks.TypeEnhanced, AuthHeader: secret,
			TransactionTypes: []txtype.Type{txtype.Any}, AccountAddresses: []types.Address{account, another},
		},
		Store: new(webhooks.MemoryStore),
		Handle: func(_ context.Context, e *webhooks.Event) error {
			if fail := k.fail.Load(); fail != nil && *fail != nil {
				if err := (*fail)(e); err != nil {
					return err
				}
			}
			k.got.note(e)
			return nil
		},
	}
	return k
}

// failWith lets Handle return the error of fail; nil lets it succeed.
func (k *kept) failWith(fail func(*webhooks.Event) error) { k.fail.Store(&fail) }

// no is an error of Handle.
func no(*webhooks.Event) error { return errors.New("no") }

// through sends the requests of processes that are started from now on through a transport.
func (k *kept) through(transport http.RoundTripper) {
	k.t.Helper()
	cfg := k.service.Config()
	cfg.HTTPClient = &http.Client{Transport: transport}
	var err error
	k.hooks, err = webhooks.New(cfg)
	require.NoError(k.t, err)
}

// start starts a process, and waits until its first backfill is over.
func (k *kept) start() {
	k.t.Helper()
	k.run()
	time.Sleep(2 * time.Minute)
}

// run starts a process.
func (k *kept) run() {
	k.t.Helper()
	ctx, cancel := context.WithCancel(k.t.Context())
	ended := make(chan error, 1)
	go func(keeper *webhooks.Keeper) { ended <- keeper.Run(ctx) }(k.keep())
	k.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			k.t.Error(err)
		}
	})
	k.t.Cleanup(k.stop)
}

func (k *kept) keep() *webhooks.Keeper {
	k.t.Helper()
	var err error
	k.keeper, err = k.hooks.Keep(k.cfg)
	require.NoError(k.t, err)
	return k.keeper
}

// refused returns the error of Run.
func (k *kept) refused() error {
	k.t.Helper()
	ctx, cancel := context.WithTimeout(k.t.Context(), time.Hour)
	defer cancel()
	return k.keep().Run(ctx)
}

// signatureOf returns the signature of a transaction that does not exist.
func signatureOf(n int) types.Signature {
	return types.Signature(base58.Encode(binary.BigEndian.AppendUint64(bytes.Repeat([]byte{1}, 56), uint64(n))))
}

// swap lets an account swap, and delivers the event unless it gets lost.
func (k *kept) swap(a types.Address, delivered bool) types.Signature {
	k.t.Helper()
	time.Sleep(time.Second)
	e := k.service.Swap(a)
	if delivered {
		k.service.Deliver(k.t.Context(), &fake.Delivery{Handler: k.keeper, Anywhere: true}, e)
	}
	return e.Signature()
}

// open lets account swap, and a process claim and release the event, as when Handle fails.
func (k *kept) open() types.Signature {
	k.t.Helper()
	e := &webhooks.Event{Signature: k.service.Swap(account).Signature(), Slot: 1}
	r := k.record()
	isNew, err := r.Claim(k.t.Context(), e)
	require.NoError(k.t, err)
	require.True(k.t, isNew)
	require.NoError(k.t, r.Release(k.t.Context(), e, "no"))
	return e.Signature
}

// record returns the record of the Keeper, as another process has it.
func (k *kept) record() webhooks.Record { //nolint:ireturn // as Store has it
	k.t.Helper()
	r, err := k.cfg.Store.Record(k.t.Context(), "keeper")
	require.NoError(k.t, err)
	return r
}

func (k *kept) webhook() *webhooks.Webhook {
	k.t.Helper()
	all, err := k.hooks.Webhooks(k.t.Context())
	require.NoError(k.t, err)
	require.Len(k.t, all, 1)
	w, err := k.hooks.Get(k.t.Context(), all[0].ID)
	require.NoError(k.t, err)
	return w
}

func (k *kept) status() *webhooks.Status {
	k.t.Helper()
	s, err := k.keeper.Status(k.t.Context())
	require.NoError(k.t, err)
	return s
}

// credits returns what the requests cost.
func (k *kept) credits() (n int) {
	for _, r := range k.service.Requests() {
		switch {
		case !strings.HasPrefix(r.Path, "/v0/"):
			n++
		case r.Method != http.MethodGet || !strings.HasPrefix(r.Path, "/v0/webhooks"):
			n += 100
		}
	}
	return n
}

// histories returns how many pages of histories were requested.
func (k *kept) histories() int { return k.requests("/v0/addresses/") }

func (k *kept) requests(prefix string) (n int) {
	for _, r := range k.service.Requests() {
		if strings.HasPrefix(r.Path, prefix) {
			n++
		}
	}
	return n
}

func keep(t *testing.T, f func(t *testing.T, k *kept)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { f(t, keeping(t)) })
}

func TestKeeperHandlesWhatWasNotDelivered(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		k.start()
		require.Equal(t, k.cfg.Settings.AccountAddresses, k.webhook().AccountAddresses)
		first := k.swap(account, true)
		lost := k.swap(another, false)
		require.Equal(t, []types.Signature{first}, k.got.list())
		time.Sleep(11 * time.Minute) // of two addresses, one is looked at every five
		require.Equal(t, []types.Signature{first, lost}, k.got.list())

		k.stop()
		down := k.swap(account, false)
		k.start()
		require.Equal(t, []types.Signature{first, lost, down}, k.got.list())
		s := k.status()
		require.Zero(t, s.Open)
		require.False(t, s.Due)
		require.Empty(t, s.Problems)
		require.Len(t, s.Checkpoints, 2)
		require.Less(t, time.Since(s.Backfilled.Time), time.Hour)
	})
}

func TestWebhookIsCheckedEveryFiveMinutes(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, k *kept, id string) error{
		"off": func(t *testing.T, k *kept, id string) error {
			_, err := k.hooks.SetActive(t.Context(), id, false)
			return err
		},
		"deleted": func(t *testing.T, k *kept, id string) error { return k.hooks.Delete(t.Context(), id) },
		"address": func(t *testing.T, k *kept, id string) error {
			_, err := k.hooks.RemoveAddresses(t.Context(), id, account)
			return err
		},
	} {
		keep(t, func(t *testing.T, k *kept) {
			k.start()
			require.NoError(t, change(t, k, k.webhook().ID), name)
			lost := k.swap(account, true)
			require.Empty(t, k.got.list())
			time.Sleep(10 * time.Minute)
			require.Equal(t, []types.Signature{lost}, k.got.list(), name)
			require.True(t, *k.webhook().Active)
			require.Equal(t, k.status().Webhook, k.webhook().ID)
			require.Empty(t, k.status().Problems)
			require.ElementsMatch(t, k.cfg.Settings.AccountAddresses, k.webhook().AccountAddresses)
		})
	}
}

// Programs that share a record have other settings, such as in a rolling deploy.
func TestRecordBelongsToTheProgram(t *testing.T) {
	for name, change := range map[string]func(k *kept){
		"another URL":       func(k *kept) { k.cfg.Settings.URL = "https://example.org/moved" },
		"another secret":    func(k *kept) { k.cfg.Settings.AuthHeader = "another" },
		"ID of the webhook": func(k *kept) { k.cfg.Webhook = k.webhook().ID },
		"ID of a new webhook": func(k *kept) {
			require.NoError(k.t, k.hooks.Delete(k.t.Context(), k.webhook().ID))
			w, err := k.hooks.Create(k.t.Context(), k.cfg.Settings)
			require.NoError(k.t, err)
			k.cfg.Webhook = w.ID
		},
		"deleted webhook, failing store": func(k *kept) {
			require.NoError(k.t, k.hooks.Delete(k.t.Context(), k.webhook().ID))
			k.store.set(storeDown)
			time.AfterFunc(30*time.Second, func() { k.store.set(nil) })
		},
		"deleted webhook, ID set": func(k *kept) {
			k.cfg.Webhook = k.webhook().ID
			require.NoError(k.t, k.hooks.Delete(k.t.Context(), k.cfg.Webhook))
		},
	} {
		keep(t, func(t *testing.T, k *kept) {
			k.hooked()
			k.start()
			handled := k.swap(account, true)
			k.failWith(no)
			open := k.swap(account, true)
			k.stop()
			k.failWith(nil)
			lost := k.swap(another, false)
			change(k)
			k.start()
			time.Sleep(time.Minute)
			require.ElementsMatch(t, []types.Signature{handled, open, lost}, k.got.list(), name)
			require.Equal(t, handled, k.got.list()[0], name)
			require.Zero(t, k.status().Open)
			require.Equal(t, k.cfg.Settings.URL, k.webhook().URL, "one webhook")
			require.Equal(t, k.cfg.Settings.AuthHeader, k.webhook().AuthHeader)
		})
	}
}

// A process of a new version wants one more type. One of the old version narrows the webhook,
// and reads the histories once more.
func TestCheckpointSaysWhatWasLookedFor(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		k.cfg.Settings.TransactionTypes = []txtype.Type{txtype.NFTSale}
		k.start()
		k.stop()
		time.Sleep(time.Hour)
		k.cfg.Settings.TransactionTypes = []txtype.Type{txtype.Swap, txtype.NFTSale}
		k.start()
		k.stop()
		lost := k.swap(account, false)
		time.Sleep(time.Hour)
		k.cfg.Settings.TransactionTypes = []txtype.Type{txtype.NFTSale}
		k.start()
		require.Empty(t, k.got.list())
		k.stop()
		k.cfg.Settings.TransactionTypes = []txtype.Type{txtype.NFTSale, txtype.Swap}
		k.start()
		require.Equal(t, []types.Signature{lost}, k.got.list())
	})
}

// A node says slots that are ahead, in some responses to some methods.
func TestWrongSlotsLoseNothing(t *testing.T) {
	const always, hour = math.MaxInt32, 9000
	for name, row := range map[string]struct {
		first, later int32 // lies from the first start, which end after ten minutes, and from the second
		methods      string
		ahead        uint64
	}{
		"twice later, beyond signed integers":   {0, 2, "getSlot", 1 << 63},
		"at the first start":                    {always, 0, "getSlot", hour},
		"later, for good":                       {0, always, "getSlot", hour},
		"all methods, at the first start":       {always, 0, "getSlot getEpochInfo", hour},
		"all methods, later, in some readings":  {0, 20, "getSlot getEpochInfo", hour},
		"all and the block, later, three times": {0, 9, "getSlot getEpochInfo getBlockTime", hour},
	} {
		keep(t, func(t *testing.T, k *kept) {
			var lies atomic.Int32 // that are left
			scripted(k).set(func(_ *http.Request, in string, get func() string) string {
				called := func(m string) bool { return strings.Contains(in, `"`+m+`"`) }
				if !slices.ContainsFunc(strings.Fields(row.methods), called) || lies.Add(-1) < 0 {
					return ""
				}
				said := regexp.MustCompile(`"error":{[^}]*}`).ReplaceAllString(get(), `"result":1`) // of the block
				return regexp.MustCompile(`("result":|"absoluteSlot":)(\d+)`).ReplaceAllStringFunc(said, func(member string) string {
					name, n, _ := strings.Cut(member, ":")
					slot, _ := strconv.ParseUint(n, 10, 64)
					return fmt.Sprint(name, ":", slot+row.ahead)
				})
			})
			lies.Store(row.first)
			k.cfg.Interval = time.Hour
			k.start()
			lost := []types.Signature{k.swap(account, false)}
			time.Sleep(10 * time.Minute)
			k.stop()
			lies.Store(row.later)
			k.start()
			lost = append(lost, k.swap(account, false))
			time.Sleep(20 * time.Minute) // histories are read up to a slot that is some minutes ahead at most
			lost = append(lost, k.swap(account, false))
			time.Sleep(2*time.Hour + 10*time.Minute)
			require.Equal(t, lost, k.got.list(), name)
			require.False(t, k.status().Due, name)
			require.Empty(t, k.status().Problems)
		})
	}
}

// problem returns the causes and texts of the Problems of Status, also while the store fails.
func (k *kept) problem() string {
	s, _ := k.keeper.Status(k.t.Context())
	var all []string
	for _, p := range s.Problems {
		all = append(all, p.Cause+" "+string(p.Address)+": "+p.Text)
	}
	return strings.Join(all, "\n")
}

func TestOpenEventsAreListedAndGivenUp(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		k.start()
		k.failWith(func(*webhooks.Event) error { return errors.New("not this one") })
		poison := k.swap(account, true)
		time.Sleep(time.Hour)
		all, err := k.keeper.OpenEvents(t.Context(), webhooks.OpenQuery{Limit: 10})
		require.NoError(t, err)
		require.Len(t, all.Events, 1)
		e := all.Events[0]
		require.Equal(t, poison, e.Signature)
		require.Equal(t, types.Address(account), e.Address)
		require.Equal(t, "not this one", e.Error)
		require.Greater(t, e.Attempts, 4)
		require.InDelta(t, time.Hour, e.Age, float64(time.Minute))
		require.InDelta(t, e.Age, time.Since(k.status().OpenSince.Time), float64(time.Second))
		require.Equal(t, "not this one", k.status().OpenError)
		require.NoError(t, k.keeper.GiveUp(t.Context(), poison))
		require.Zero(t, k.status().Open)
		k.failWith(nil)
		time.Sleep(3 * time.Hour)
		require.Empty(t, k.got.list())
	})
}

func TestZeroKeeperIsRefused(t *testing.T) {
	t.Parallel()
	require.ErrorIs(t, new(webhooks.Keeper).Run(t.Context()), types.ErrInvalid)
}

// Settings that the service does not take cost little, keep nothing from being handled, and
// are in Status.
func TestKeeperWhoseSettingsAreNotTaken(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		var writes atomic.Int32
		scripted(k).set(func(req *http.Request, _ string, get func() string) string {
			if !strings.HasPrefix(req.URL.Path, "/v0/webhooks/") {
				return ""
			}
			if req.Method == http.MethodPut {
				writes.Add(1)
			}
			return strings.Replace(get(), "/hook", "/hook/", 1)
		})
		k.start()
		lost := k.swap(account, false)
		time.Sleep(18 * time.Hour)
		require.Equal(t, []types.Signature{lost}, k.got.list())
		require.Contains(t, k.problem(), "PUT /v0/webhooks/{webhookID}")
		require.Less(t, int(writes.Load()), 5*16, "the waits double, up to half a day")
	})
}

// An address, and then a type, is not wanted any more while one of its events is open.
func TestKeeperHandlesOpenEventsOfFormerSettings(t *testing.T) {
	for name, change := range map[string]func(*webhooks.Settings){
		"address": func(s *webhooks.Settings) { s.AccountAddresses = []types.Address{account} },
		"type":    func(s *webhooks.Settings) { s.TransactionTypes = []txtype.Type{txtype.NFTSale} },
	} {
		keep(t, func(t *testing.T, k *kept) {
			k.start()
			k.failWith(no)
			open := k.swap(another, true)
			require.Equal(t, 1, k.status().Open)
			k.stop()
			k.failWith(nil)
			change(&k.cfg.Settings)
			k.start()
			require.Equal(t, []types.Signature{open}, k.got.list(), name)
			require.Zero(t, k.status().Open)
		})
	}
}

// A poisoned event stops neither the others nor the backfill, and costs little.
func TestKeeperGoesOnPastAPoisonedEvent(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		k.cfg.Interval = 3 * time.Hour
		k.start()
		time.Sleep(time.Second)
		e := k.service.Swap(account)
		poison := e.Signature()
		k.failWith(func(e *webhooks.Event) error {
			if e.Signature == poison {
				return no(e)
			}
			return nil
		})
		k.service.Deliver(t.Context(), &fake.Delivery{Handler: k.keeper, Anywhere: true}, e)
		var want []types.Signature
		for range 5 {
			want = append(want, k.swap(account, false))
		}
		time.Sleep(9 * time.Hour)
		require.Equal(t, want, k.got.list())
		s := k.status()
		require.Equal(t, 1, s.Open)
		require.False(t, s.Due)
		for _, c := range s.Checkpoints {
			require.LessOrEqual(t, c.Slot, s.OldestOpen, "the checkpoint is not past an unhandled event")
		}
		require.Less(t, k.credits(), 4_000)
		k.failWith(nil)
		time.Sleep(3 * time.Hour)
		require.Equal(t, append(want, poison), k.got.list())
	})
}

// Histories that cannot be read do not keep others from being read.
func TestKeeperGoesOnPastBadHistories(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		all := addresses(t, 24) // eight are read at once
		k.cfg.Settings.AccountAddresses = all
		scripted(k).set(func(req *http.Request, _ string, _ func() string) string {
			if isHistory(req) && slices.ContainsFunc(all[:20], func(a types.Address) bool { return strings.Contains(req.URL.Path, string(a)) }) {
				return `[{"slot":1}]`
			}
			return ""
		})
		k.start()
		lost := k.swap(all[23], false)
		time.Sleep(time.Hour)
		require.Equal(t, []types.Signature{lost}, k.got.list())
		require.Contains(t, k.problem(), "repeated cursor")
		require.True(t, k.status().Due)
	})
}

// An event that cannot be decoded goes to Handle, and is handled again until that is nil.
func TestKeeperKeepsUndecodableEvents(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		k.start()
		k.failWith(func(e *webhooks.Event) error { return e.Err })
		e := k.service.Swap(account)
		for range 4 { // as the service delivers it
			require.Equal(t, 500, post(t, k.keeper, `{"signature":"`+string(e.Signature())+`","fee":"x"}`))
		}
		require.Equal(t, 1, k.status().Open)
		k.failWith(no)
		time.Sleep(time.Minute + time.Second) // the service has the good form, for an attempt every 15 s
		all, err := k.keeper.OpenEvents(t.Context(), webhooks.OpenQuery{Limit: 1})
		require.NoError(t, err)
		require.Equal(t, types.Address(account), all.Events[0].Address)
		k.failWith(nil)
		time.Sleep(5 * time.Minute)
		require.Equal(t, []types.Signature{e.Signature()}, k.got.list())
	})
}

// The service posts what cannot be read, such as with another content type.
func TestKeeperFindsTheEventsOfRefusedDeliveries(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		all := addresses(t, 40) // the turn of one comes after three hours
		k.cfg.Settings.AccountAddresses = all
		k.start()
		pages := k.histories()
		var want []types.Signature
		for range 120 { // one a minute
			e := k.service.Swap(all[39])
			want = append(want, e.Signature())
			require.Equal(t, 415, post(t, k.keeper, string(e.Enhanced()), "Content-Type", "text/plain"))
			require.Equal(t, 401, post(t, k.keeper, string(e.Enhanced()), "Authorization", "guess"))
			time.Sleep(time.Minute)
		}
		require.Equal(t, 120, k.status().Counts["refused_415"])
		require.Greater(t, len(k.got.list()), 100)
		require.Less(t, k.histories()-pages, 90, "each once an hour")
		time.Sleep(65 * time.Minute)
		require.Equal(t, want, k.got.list())
	})
}

// Somebody changes the secret of the webhook. Deliveries without the secret cost nothing.
func TestKeeperCorrectsTheSecret(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		k.start()
		id, pages := k.webhook().ID, k.histories()
		for range 5 {
			require.Equal(t, 401, post(t, k.keeper, list(sig1), "Authorization", "guess"))
			time.Sleep(time.Hour)
		}
		require.Equal(t, pages, k.histories())
		_, err := k.hooks.Update(t.Context(), id, func(s *webhooks.Settings) error { s.AuthHeader = "changed"; return nil })
		require.NoError(t, err)
		refused := k.swap(account, true)
		time.Sleep(7 * time.Minute)
		require.Equal(t, []types.Signature{refused}, k.got.list())
		require.Equal(t, webhooks.Secret(secret), k.webhook().AuthHeader)
	})
}

// An open event is handled whatever the service responds for others of the same request.
func TestKeeperGoesOnPastOddTransactions(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		scripted(k).set(func(req *http.Request, _ string, get func() string) string {
			if req.URL.Path != "/v0/transactions" {
				return ""
			}
			return strings.Replace(get(), "[", `[null,{"error":"cannot be parsed"},1,`, 1)
		})
		k.start()
		open := k.open()
		time.Sleep(time.Minute)
		require.Equal(t, []types.Signature{open}, k.got.list())
		require.Empty(t, k.status().Problems)
	})
}

// The service fails for every other open event, and for a request that has one of them: smaller
// and smaller requests find the rest.
func TestKeeperGoesOnPastFailingTransactions(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		k.start()
		var failing, others []types.Signature
		for range 50 {
			failing, others = append(failing, k.open()), append(others, k.open())
		}
		k.service.FailIf("POST /v0/transactions", func(r fake.Request) bool {
			return slices.ContainsFunc(failing, func(s types.Signature) bool { return strings.Contains(r.Body, string(s)) })
		}, fake.Status(500))
		time.Sleep(30 * time.Minute) // takes hours without smaller requests
		require.ElementsMatch(t, others, k.got.list())
	})
}

// Somebody changed the URL of the webhook, or created another one with the same URL.
func TestKeeperFindsItsWebhookAgain(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		var log bytes.Buffer
		k.cfg.Logger = slog.New(slog.NewTextHandler(&log, nil))
		k.start()
		id := k.webhook().ID
		k.stop()
		_, err := k.hooks.Update(t.Context(), id, func(s *webhooks.Settings) error { s.URL = "https://example.com/other"; return nil })
		require.NoError(t, err)
		k.start()
		require.Equal(t, k.cfg.Settings.URL, k.webhook().URL)
		k.stop()
		require.Contains(t, log.String(), `msg="webhook corrected"`)
		require.Contains(t, log.String(), "settings=[URL]")
		require.NotContains(t, log.String(), "example.com")
		_, err = k.hooks.Create(t.Context(), k.cfg.Settings)
		require.NoError(t, err)
		k.start()
		require.Equal(t, id, k.status().Webhook)
	})
}

// A process that waits for the response is not overtaken by another one.
func TestKeepersCreateOneWebhook(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		k.service.Fail("POST /v0/webhooks", 1, fake.Slow(40*time.Second))
		k.run()
		k.start()
		k.webhook() // is the only one
	})
}

// The webhook delivers from its creation on, and the first backfill is later.
func TestKeeperFindsTheEventsOfItsFirstMinute(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		time.AfterFunc(10*time.Second, func() { k.service.Swap(account) })
		k.start()
		require.Len(t, k.got.list(), 1)
	})
}

// A process that leads, with another filter, has read all that is due.
func TestKeeperReadsWhatWasNeverRead(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		time.AfterFunc(10*time.Second, func() { k.service.Swap(account) })
		time.AfterFunc(20*time.Second, func() {
			r := k.record()
			needs, _ := r.Facts(t.Context(), "need/")
			for _, f := range needs {
				_ = r.Put(t.Context(), webhooks.Fact{Name: f.Name})
			}
		})
		k.start()
		time.Sleep(7 * time.Minute)
		require.Len(t, k.got.list(), 1)
	})
}

// One of two processes backfills, and a restart continues at the checkpoint.
func TestKeepersShareTheBackfill(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		k.cfg.Settings.AccountAddresses = addresses(t, 300)
		k.service.FailShare("GET /v0/addresses/{address}/transactions", 1, fake.Slow(time.Second))
		for range 3 {
			k.run()
		}
		time.Sleep(10 * time.Minute)
		require.Equal(t, 300, k.histories(), "a page for each address")

		e := k.service.Swap(account) // which a process that died has claimed
		_, err := k.record().Claim(t.Context(), &webhooks.Event{Signature: e.Signature(), Slot: 1})
		require.NoError(t, err)
		time.Sleep(time.Minute)
		require.Equal(t, []types.Signature{e.Signature()}, k.got.list())
		require.Equal(t, 1, k.requests("/v0/transactions"))
	})
}

// More events are missed than a Keeper remembers, for twenty minutes.
func TestKeeperBackfillsAlthoughEventsAreMissed(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		store := k.hooked()
		k.start()
		store.set(func(ctx context.Context, call string) error { // it is overloaded: the claims of deliveries fail
			if end, has := ctx.Deadline(); call == "Claim" && has && time.Until(end) < time.Second {
				return errors.New("too late")
			}
			return nil
		})
		for i := range 2 {
			signatures := make([]types.Signature, 1000)
			for n := range signatures {
				signatures[n] = signatureOf(1000*i + n)
			}
			require.Equal(t, 503, post(t, k.keeper, list(signatures...)))
		}
		lost := k.swap(account, false)
		for i := range 30 {
			time.Sleep(40 * time.Second)
			require.Equal(t, 503, post(t, k.keeper, list(signatureOf(100_000+i))))
		}
		require.Equal(t, []types.Signature{lost}, k.got.list())
	})
}

func TestRunEndsAlthoughHandleHangs(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		k.start()
		k.stop()
		k.swap(account, false)
		hung, called := make(chan struct{}), make(chan struct{})
		defer close(hung)
		k.failWith(func(*webhooks.Event) error {
			close(called)
			<-hung
			return nil
		})
		k.run()
		<-called // by the backfill
		stopping := time.Now()
		k.stop()
		require.LessOrEqual(t, time.Since(stopping), 6*time.Second)
	})
}

// After Handle has failed for a while, open events do not wait for each other's ticks.
func TestKeeperHandlesManyOpenEvents(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		k.start()
		const open = 600
		for range open {
			k.open()
		}
		time.Sleep(time.Minute)
		require.Equal(t, open, len(k.got.list()), "events handled") //nolint:testifylint // Len would print them all
		require.Equal(t, open/100, k.requests("/v0/transactions"))
	})
}

// An open event does not wait for the end of a backfill.
func TestKeeperHandlesOpenEventsDuringALongBackfill(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		k.start()
		k.stop()
		for range 300 {
			time.Sleep(time.Second)
			k.service.Swap(account)
		}
		var open atomic.Value
		var failed, handled time.Time
		k.failWith(func(e *webhooks.Event) error {
			switch {
			case open.CompareAndSwap(nil, e.Signature):
				failed = time.Now()
				return errors.New("no")
			case open.Load() == e.Signature:
				handled = time.Now()
			default:
				time.Sleep(2 * time.Second)
			}
			return nil
		})
		k.start()
		time.Sleep(20 * time.Minute)
		require.Len(t, k.got.list(), 300)
		require.Less(t, handled.Sub(failed), 2*time.Minute)
	})
}

// Handle failed for an hour, such as without a database.
func TestKeeperHandlesOpenEventsSoonAfterAnOutage(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		k.start()
		k.failWith(no)
		for range 20 {
			k.swap(account, true)
			time.Sleep(3 * time.Minute)
		}
		k.failWith(nil)
		k.swap(account, true)
		time.Sleep(time.Minute)
		require.Len(t, k.got.list(), 21)
	})
}

// New transactions do not extend a backfill for ever.
func TestKeeperEndsTheBackfillOfABusyAddress(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		k.start()
		k.stop()
		ctx, cancel := context.WithCancel(t.Context())
		busy := make(chan struct{})
		var last atomic.Value
		go func() {
			defer close(busy)
			for ctx.Err() == nil {
				time.Sleep(time.Second)
				last.Store(k.service.Swap(account).Signature())
			}
		}()
		pages := k.histories()
		k.service.FailShare("GET /v0/addresses/{address}/transactions", 1, fake.Slow(time.Second))
		k.start()
		time.Sleep(3 * time.Minute)
		require.Less(t, k.histories()-pages, 20)
		require.False(t, k.status().Due)
		cancel()
		<-busy
		time.Sleep(15 * time.Minute)
		require.Contains(t, k.got.list(), last.Load())
	})
}

// The slots of the service hardly move, and the finalized one stays behind.
func TestKeeperDoesNotReadHistoriesBeforeTheyAreFinalized(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := keeping(t)
		begin := time.Now()
		k.service = fake.New(&fake.Options{World: &fake.World{}, Clock: func() time.Time { return begin.Add(time.Since(begin) / 100) }})
		var err error
		k.hooks, err = webhooks.New(k.service.Config())
		require.NoError(t, err)
		k.cfg.Interval, pace.Most = 10*time.Second, time.Second
		defer func() { k.stop(); pace.Most = 0 }()
		k.start()
		require.InDelta(t, 2*12, k.histories(), 3, "each of two addresses every 10 seconds of two minutes")
	})
}

// The histories are nine minutes behind, and the service's clock is six minutes behind.
func TestKeeperWithALateHistory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := keeping(t)
		k.service = fake.New(&fake.Options{World: &fake.World{}, Clock: func() time.Time { return time.Now().Add(-6 * time.Minute) }})
		late := scripted(k)
		k.cfg.Interval = 2 * time.Hour
		k.start()
		time.Sleep(2*time.Hour - 10*time.Minute)
		var e fake.Event
		for i := range 20 { // one a minute, around the next backfill
			time.Sleep(time.Minute)
			if e = k.service.Swap(account); i == 0 {
				var first struct{ Slot uint64 }
				require.NoError(t, json.Unmarshal(e.Enhanced(), &first))
				late.set(func(req *http.Request, _ string, get func() string) string {
					if !isHistory(req) {
						return ""
					}
					q := req.URL.Query()
					q.Set("lt-slot", strconv.FormatUint(first.Slot, 10))
					req.URL.RawQuery = q.Encode()
					return get()
				})
			}
			if i == 10 {
				late.set(nil)
			}
		}
		time.Sleep(3 * time.Hour)
		require.Len(t, k.got.list(), 20)
	})
}

func TestKeeperHandlesTheEventsSince(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		k.cfg.Since = time.Now().Add(30 * time.Minute)
		k.swap(account, false)
		time.Sleep(time.Hour)
		since := k.swap(account, false)
		k.start()
		require.Equal(t, []types.Signature{since}, k.got.list())
	})
}

func TestKeeperOfARawWebhook(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		k.cfg.Settings.Type, k.cfg.Settings.TransactionTypes, k.cfg.Raw = webhooks.TypeRaw, nil, rawOf()
		k.start()
		k.failWith(no)
		open := k.swap(account, true)
		k.failWith(nil)
		require.Empty(t, k.got.list())
		time.Sleep(time.Minute)
		require.Equal(t, []types.Signature{open}, k.got.list(), "getTransaction has it")
	})
}

func TestRawThatIsWrong(t *testing.T) {
	for says, list := range map[string]func(yield func(*tx.Transaction, error) bool){
		"panic: no node": func(func(*tx.Transaction, error) bool) { panic("no node") },
		"webhooks.Client.Backfill: Raw yielded nil: invalid argument": func(yield func(*tx.Transaction, error) bool) { yield(nil, nil) },
	} {
		keep(t, func(t *testing.T, k *kept) {
			k.cfg.Settings.Type, k.cfg.Settings.TransactionTypes = webhooks.TypeRaw, nil
			k.cfg.Raw = func(context.Context, types.Address, webhooks.BackfillRange) iter.Seq2[*tx.Transaction, error] {
				return list
			}
			var log bytes.Buffer
			k.cfg.Logger = slog.New(slog.NewTextHandler(&log, nil))
			k.start()
			require.Contains(t, k.problem(), "histories "+string(account)+": "+says)
			k.stop()
			require.Equal(t, strings.HasPrefix(says, "panic"), strings.Contains(log.String(), "keeper_test.go:"), "the stack is in the log")
		})
	}
}

func TestKeeperDeletesOldEvents(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		k.start()
		old := k.swap(account, true)
		k.stop()
		time.Sleep(8 * 24 * time.Hour)
		k.start()
		time.Sleep(time.Hour)
		isNew, err := k.record().Claim(t.Context(), &webhooks.Event{Signature: old, Slot: 1})
		require.NoError(t, err)
		require.True(t, isNew)
		require.Equal(t, []types.Signature{old}, k.got.list())
	})
}

func TestKeeperBeforeAndAfterRun(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		keeper := k.keep()
		require.Equal(t, 503, post(t, keeper, list(sig1)))
		s, err := keeper.Status(t.Context())
		require.NoError(t, err)
		require.True(t, s.Due)
		k.start()
		require.Equal(t, 401, post(t, k.keeper, list(sig1), "Authorization", "guess"))
		require.EqualError(t, k.keeper.Run(t.Context()), "webhooks.Keeper.Run: was called before")
		k.stop()
		require.Equal(t, 503, post(t, k.keeper, list(sig1)))

		k.cfg.Webhook = hookID // there is none
		require.NoError(t, k.refused())
	})
}

// While the service is down, events are received, and Status says why.
func TestKeeperWhileTheServiceIsDown(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		var log bytes.Buffer
		k.cfg.Logger = slog.New(slog.NewTextHandler(&log, nil))
		k.start()
		id := k.webhook().ID
		lost := k.swap(account, false)
		k.stop()
		k.cfg.Webhook = id
		k.service.FailShare("", 1, fake.Status(503))
		k.start()
		received := k.swap(account, true)
		time.Sleep(time.Hour)
		require.Equal(t, []types.Signature{received}, k.got.list())
		require.Contains(t, k.problem(), "503 Service Unavailable")
		require.True(t, k.status().Due)
		k.service.Recover()
		time.Sleep(2 * time.Hour)
		require.Equal(t, []types.Signature{received, lost}, k.got.list())
		require.Empty(t, k.status().Problems)
		k.stop() // nothing is logged from now on
		require.Less(t, strings.Count(log.String(), "level=ERROR"), 120, "one a minute and cause")
	})
}

func TestKeeperIsPrintedWithoutSecrets(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		k.cfg.Secrets = []webhooks.Secret{"the former secret"}
		k.start()
		k.stop()
		text := fmt.Sprintf("%v %+v %#v %s %q %x", k.keeper, k.keeper, k.keeper, k.keeper, k.keeper, k.keeper)
		require.NotContains(t, text, secret)
		require.NotContains(t, text, "former")
		require.NotContains(t, text, fake.Key)
	})
}

// A cause is an error that cannot be compared.
type cause []string

func (c cause) Error() string { return c[0] }

func TestRunEndsWithItsContext(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Minute, func() { cancel(cause{"enough"}) })
		require.NoError(t, k.keep().Run(ctx))
	})
}

// The service refuses the key while a Handle hangs, and then the context ends.
func TestRunTellsWhyItEnded(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		k.service.FailShare("POST /v0/webhooks", 1, fake.Fault{Status: 401, Delay: 2 * time.Second})
		hung := make(chan struct{})
		defer close(hung)
		k.failWith(func(*webhooks.Event) error { <-hung; return nil })
		keeper := k.keep()
		time.AfterFunc(time.Second, func() { post(t, keeper, list(sig1)) })
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
		defer cancel()
		require.ErrorIs(t, keeper.Run(ctx), types.ErrUnauthorized)
	})
}

// The service refuses the key or the settings.
func TestRunEndsWhenTheServiceRefuses(t *testing.T) {
	for status, says := range map[int]string{401: "401 Unauthorized", 400: "400 Bad Request"} {
		keep(t, func(t *testing.T, k *kept) {
			k.service.FailShare("POST /v0/webhooks", 1, fake.Status(status))
			require.ErrorContains(t, k.refused(), says)
		})
	}
}

// While no node responds, a new Keeper receives events, and it handles what happens from its
// first start on.
func TestKeeperStartsWithoutANode(t *testing.T) {
	for _, restarted := range []bool{false, true} {
		keep(t, func(t *testing.T, k *kept) {
			k.service.FailShare("getSlot", 1, fake.Status(503))
			k.start()
			want := []types.Signature{k.swap(account, true)}
			require.Equal(t, want, k.got.list())
			if restarted {
				k.stop()
			}
			want = append(want, k.swap(account, false))
			time.Sleep(20 * time.Minute)
			k.service.Recover()
			if restarted {
				k.start()
			}
			time.Sleep(2 * time.Minute)
			require.Equal(t, want, k.got.list())
		})
	}
}

func TestStatusSurvivesJSON(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		k.start()
		s := k.status()
		text, err := json.Marshal(s)
		require.NoError(t, err)
		var again webhooks.Status
		require.NoError(t, json.Unmarshal(text, &again))
		same, err := json.Marshal(again)
		require.NoError(t, err)
		require.Equal(t, string(text), string(same))
	})
}

func TestKeepRefusesInvalidConfig(t *testing.T) {
	t.Parallel()
	k := keeping(t)
	for says, change := range map[string]func(*webhooks.KeepConfig){
		"Name is longer than 57 bytes": func(c *webhooks.KeepConfig) { c.Name = strings.Repeat("x", 58) },
		"Store is nil":                 func(c *webhooks.KeepConfig) { c.Store = nil },
		"Handle is nil":                func(c *webhooks.KeepConfig) { c.Handle = nil },
		"URL is empty":                 func(c *webhooks.KeepConfig) { c.Settings.URL = "" },
		"id is not a UUID":             func(c *webhooks.KeepConfig) { c.Webhook = "x" },
		"Secrets[0] is empty: a request without Authorization would match":                               func(c *webhooks.KeepConfig) { c.Secrets = []webhooks.Secret{""} },
		"Settings.AuthHeader is empty; set the secret of the deliveries":                                 func(c *webhooks.KeepConfig) { c.Settings.AuthHeader = "" },
		"Interval is less than a second; 0 means 24 hours":                                               func(c *webhooks.KeepConfig) { c.Interval = 1 },
		"Raw is nil, and the webhook is raw":                                                             func(c *webhooks.KeepConfig) { c.Settings.Type = webhooks.TypeRaw },
		`Type "discord" has no events; it is not enhanced or raw`:                                        func(c *webhooks.KeepConfig) { c.Settings.Type = webhooks.TypeDiscord },
		"AccountAddresses is empty, and the service wants at least one; use Delete or SetActive instead": func(c *webhooks.KeepConfig) { c.Settings.AccountAddresses = nil },
	} {
		cfg := k.cfg
		change(&cfg)
		keeper, err := k.hooks.Keep(cfg)
		require.EqualError(t, err, "webhooks.Client.Keep: "+says+": invalid argument")
		require.Nil(t, keeper)
	}
	require.Empty(t, k.service.Requests())
}
