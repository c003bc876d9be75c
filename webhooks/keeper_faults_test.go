package webhooks_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
)

// A script changes the responses to some requests while it is set.
type script struct {
	http.RoundTripper
	change atomic.Pointer[change]
}

// A change returns the body of the response to a request. Get requests the body of the service,
// which is the response if the result is empty.
type change func(req *http.Request, in string, get func() string) string

func (s *script) set(c change) { s.change.Store(&c) }

func (s *script) RoundTrip(req *http.Request) (*http.Response, error) {
	c := s.change.Load()
	if c == nil || *c == nil {
		return s.RoundTripper.RoundTrip(req)
	}
	req = req.Clone(req.Context())
	req.Header.Set("Accept-Encoding", "identity")
	var in []byte
	if req.Body != nil {
		in, _ = io.ReadAll(req.Body)
		req.Body = io.NopCloser(bytes.NewReader(in))
	}
	status := http.StatusOK
	out := (*c)(req, string(in), func() string {
		resp, err := s.RoundTripper.RoundTrip(req)
		if err != nil {
			return err.Error()
		}
		status = resp.StatusCode
		body, _ := io.ReadAll(resp.Body)
		return string(body)
	})
	if out == "" {
		return s.RoundTripper.RoundTrip(req)
	}
	return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader(out)), Request: req}, nil
}

// scripted sends the requests of k through a script.
func scripted(k *kept) *script {
	s := &script{RoundTripper: k.service.Transport()}
	k.through(s)
	return s
}

func isHistory(req *http.Request) bool { return strings.HasPrefix(req.URL.Path, "/v0/addresses/") }

// Each fault of which an operator is woken up is in Status within five minutes.
func TestFaultsShowInStatus(t *testing.T) {
	counted := func(key string) func(*webhooks.Status) bool {
		return func(s *webhooks.Status) bool { return s.Counts[key] > 0 }
	}
	caused := func(cause string) func(*webhooks.Status) bool {
		return func(s *webhooks.Status) bool {
			for _, p := range s.Problems {
				if p.Cause == cause && p.Text != "" && time.Since(p.Since.Time) < 5*time.Minute {
					return true
				}
			}
			return false
		}
	}
	update := func(change func(*webhooks.Settings)) func(*kept) {
		return func(k *kept) {
			_, err := k.hooks.Update(k.t.Context(), k.webhook().ID, func(s *webhooks.Settings) error { change(s); return nil })
			require.NoError(k.t, err)
		}
	}
	down := func(k *kept) {
		k.store.set(storeDown)
		k.swap(account, true)
	}
	for name, row := range map[string]struct {
		fault func(*kept)
		shown func(*webhooks.Status) bool
	}{
		"Handle fails": {
			func(k *kept) {
				k.failWith(func(*webhooks.Event) error { return errors.New("no space") })
				k.swap(account, true)
			},
			func(s *webhooks.Status) bool {
				return s.Open == 1 && s.OpenError == "no space" && !s.OpenSince.IsZero()
			},
		},
		"store is down":      {down, caused("missed")},
		"events are missed":  {down, func(s *webhooks.Status) bool { return s.Missed == 1 }},
		"service is down":    {func(k *kept) { k.service.FailShare("", 1, fake.Status(503)) }, caused("webhook")},
		"key is refused":     {func(k *kept) { k.service.FailShare("", 1, fake.Status(401)) }, caused("webhook")},
		"webhook is off":     {func(k *kept) { _, _ = k.hooks.SetActive(k.t.Context(), k.webhook().ID, false) }, counted("corrected")},
		"webhook is deleted": {func(k *kept) { _ = k.hooks.Delete(k.t.Context(), k.webhook().ID) }, counted("corrected")},
		"URL is changed":     {update(func(s *webhooks.Settings) { s.URL = "https://example.org" }), counted("corrected")},
		"address vanished":   {update(func(s *webhooks.Settings) { s.AccountAddresses = s.AccountAddresses[:1] }), counted("corrected")},
		"secret is changed": {
			func(k *kept) {
				update(func(s *webhooks.Settings) { s.AuthHeader = "changed" })(k)
				k.swap(account, true)
			},
			counted("refused_401"),
		},
		"deliveries are truncated": {func(k *kept) { post(k.t, k.keeper, `[{"signature":"`) }, counted("refused_400")},
		"events are undecodable":   {func(k *kept) { post(k.t, k.keeper, `{"signature":"`+string(sig1)+`","fee":"x"}`) }, counted("undecodable")},
		"deliveries are lost":      {func(k *kept) { k.swap(account, false); k.swap(another, false) }, counted("backfilled")},
		"history is down": {
			func(k *kept) {
				k.service.FailShare("GET /v0/addresses/{address}/transactions", 1, fake.Status(500))
				k.swap(account, false)
				k.swap(another, false)
			},
			func(s *webhooks.Status) bool {
				return caused("histories")(s) && s.Problems[0].Address != "" && strings.Contains(s.Problems[0].Text, "500")
			},
		},
	} {
		keep(t, func(t *testing.T, k *kept) {
			store := k.hooked()
			k.start()
			time.Sleep(7 * time.Minute) // between two checks
			row.fault(k)
			begin := time.Now()
			for {
				s, _ := k.keeper.Status(t.Context())
				if row.shown(s) {
					break
				}
				require.Less(t, time.Since(begin), 5*time.Minute+30*time.Second, name)
				time.Sleep(5 * time.Second)
			}
			t.Logf("%-26s after %3.0f s", name, time.Since(begin).Seconds())
			store.set(nil)
		})
	}
}

func TestStatusIsServed(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		k.start()
		k.swap(account, true)
		time.Sleep(2 * time.Minute)
		get := func(keeper *webhooks.Keeper) (status webhooks.Status, code int) {
			w := httptest.NewRecorder()
			keeper.ServeStatus(w, httptest.NewRequest(http.MethodGet, "/status", http.NoBody))
			require.Equal(t, "application/json", w.Header().Get("Content-Type"))
			require.NotContains(t, w.Body.String(), secret)
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &status))
			return status, w.Code
		}
		own, code := get(k.keeper)
		require.Equal(t, 200, code)
		require.Equal(t, webhooks.Counts{"delivered": 1, "handled": 1}, own.Counts)
		require.Less(t, time.Since(own.Delivered.Time), 2*time.Minute)
		require.Less(t, time.Since(own.Checked.Time), 5*time.Minute)

		first := k.stop
		k.start() // another process knows the same
		other, _ := get(k.keeper)
		require.Equal(t, own.Counts, other.Counts)
		require.Equal(t, 2, other.Processes)
		k.service.FailShare("", 1, fake.Status(503))
		time.Sleep(10 * time.Minute)
		_, code = get(k.keeper)
		require.Equal(t, 503, code)
		require.Contains(t, k.problem(), "webhook", "of the process that leads")
		first()
		k.service.Recover()
		time.Sleep(10 * time.Minute)
		other, code = get(k.keeper)
		require.Equal(t, 200, code, "the next one that leads ends the problem: %v", other.Problems)
		time.Sleep(5 * time.Hour)
		other, _ = get(k.keeper)
		require.Equal(t, own.Counts, other.Counts, "the counts of a process that ended remain")
	})
}

// Handle fails for two minutes of an event a second.
func TestLogHasOneLinePerCauseAndMinute(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		var log bytes.Buffer
		k.cfg.Logger = slog.New(slog.NewTextHandler(&log, nil))
		k.start()
		k.failWith(no)
		for range 121 {
			time.Sleep(time.Second)
			post(t, k.keeper, list(k.service.Swap(account).Signature()))
		}
		k.stop()
		require.Less(t, strings.Count(log.String(), "\n"), 20)
		require.Contains(t, log.String(), "omitted_records=")
	})
}

// While the histories are read, they are empty for some minutes.
func TestEmptyHistoryIsNotBelieved(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		s := scripted(k)
		k.cfg.Interval = 2 * time.Hour
		k.start()
		first := k.swap(account, true)
		time.Sleep(2*time.Hour - 5*time.Minute)
		empty := func(req *http.Request, _ string, _ func() string) string {
			if isHistory(req) {
				return "[]"
			}
			return ""
		}
		s.set(empty)
		lost := k.swap(account, false)
		time.Sleep(15 * time.Minute)
		require.Contains(t, k.problem(), "lacks event")
		require.Contains(t, k.problem(), string(account))
		s.set(nil)
		time.Sleep(time.Hour)
		require.Equal(t, []types.Signature{first, lost}, k.got.list())
		require.Empty(t, k.status().Problems)

		// what never comes is believed after an hour
		s.set(empty)
		k.swap(account, true)
		time.Sleep(5 * time.Hour)
		require.Empty(t, k.status().Problems)
	})
}

// An item of a history has no signature: alone, among others and at the end.
func TestItemWithoutSignatureIsGivenUp(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		s := scripted(k)
		k.cfg.Interval = 2 * time.Hour
		k.start()
		require.Len(t, k.status().Checkpoints, 2)
		slot := k.status().Checkpoints[0].Reached + 100
		var lost []types.Signature
		s.set(func(req *http.Request, _ string, _ func() string) string {
			q := req.URL.Query()
			if !isHistory(req) || !strings.Contains(req.URL.Path, string(account)) || q.Get("gte-slot") > fmt.Sprint(slot) {
				return ""
			}
			if q.Get("after-signature") == "" {
				return fmt.Sprintf(`[{"slot":%d}]`, slot)
			}
			return ""
		})
		time.Sleep(2 * time.Minute)
		lost = append(lost, k.swap(account, false))
		time.Sleep(4 * time.Hour)
		require.Equal(t, lost, k.got.list())
		require.Empty(t, k.status().Problems)
		all, err := k.keeper.GivenUp(t.Context())
		require.NoError(t, err)
		require.Len(t, all, 1)
		require.Equal(t, fmt.Sprintf("%s/%d", account, slot), string(all[0].Signature))
		require.Equal(t, 1, k.status().Counts["given_up"])
	})
}

// The service does not return an event, and refuses each request that has another one.
func TestAbsentEventIsGivenUp(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		k.service.FailIf("POST /v0/transactions", func(r fake.Request) bool { return strings.Contains(r.Body, "refused") }, fake.Status(400))
		k.start()
		for _, signature := range []types.Signature{signatureOf(1), "refused"} {
			e := &webhooks.Event{Signature: signature, Slot: 1}
			_, err := k.record().Claim(t.Context(), e)
			require.NoError(t, err)
			require.NoError(t, k.record().Release(t.Context(), e, "no"))
		}
		k.stop()
		time.Sleep(13*time.Hour + 30*time.Minute)
		k.start()
		other := k.open()
		time.Sleep(10 * time.Hour)
		require.Equal(t, []types.Signature{other}, k.got.list())
		require.Equal(t, 2, k.status().Open)
		time.Sleep(3 * time.Hour)
		s := k.status()
		require.Zero(t, s.Open)
		require.Equal(t, 2, s.GivenUp)
		require.Empty(t, s.Problems)
		all, err := k.keeper.GivenUp(t.Context())
		require.NoError(t, err)
		require.Len(t, all, 2)
		require.ElementsMatch(t, []bool{true, false}, []bool{strings.Contains(all[0].Error, "400"), strings.Contains(all[1].Error, "400")})
	})
}

// Handle fails until an event is a day old, and then the service returns nothing for some hours.
func TestEventThatWasReturnedBeforeIsKept(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		s := scripted(k)
		k.start()
		k.failWith(no)
		open := k.swap(account, true)
		k.stop()
		time.Sleep(20 * time.Hour)
		k.start()
		time.Sleep(6 * time.Hour)
		s.set(func(req *http.Request, _ string, _ func() string) string {
			if req.URL.Path == "/v0/transactions" {
				return "[]"
			}
			return ""
		})
		time.Sleep(5 * time.Hour)
		s.set(nil)
		k.failWith(nil)
		time.Sleep(3 * time.Hour)
		require.Equal(t, []types.Signature{open}, k.got.list())
		require.Zero(t, k.status().GivenUp)
	})
}

func TestEventsAreHandledAgain(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		k.start()
		require.Len(t, k.status().Checkpoints, 2)
		slot := k.status().Checkpoints[0].Reached
		first := k.swap(account, true)
		k.failWith(no)
		poison := k.swap(account, true)
		require.ErrorContains(t, k.keeper.Retry(t.Context(), poison), "no")
		require.NoError(t, k.keeper.GiveUp(t.Context(), poison))
		require.Equal(t, 1, k.status().GivenUp)
		k.failWith(nil)
		require.NoError(t, k.keeper.Retry(t.Context(), poison))
		require.Equal(t, []types.Signature{first, poison}, k.got.list())
		require.Zero(t, k.status().GivenUp)
		require.ErrorIs(t, k.keeper.Retry(t.Context(), signatureOf(1)), types.ErrNotFound)

		time.Sleep(time.Minute)
		report, err := k.keeper.Replay(t.Context(), webhooks.BackfillRange{SinceSlot: slot})
		require.NoError(t, err)
		require.Equal(t, 2, report.Handled)
		require.Equal(t, []types.Signature{first, poison, first, poison}, k.got.list())
		require.Equal(t, webhooks.Counts{"delivered": 5, "failed": 5, "given_up": 1, "handled": 4, "retried": 3}, k.status().Counts)
	})
}

// Neither 110 events that fail, more than a request is for, nor Handles that hang, nor a Clean without
// end delay an event.
func TestNothingDelaysARetry(t *testing.T) {
	const failing = 110
	for name, trouble := range map[string]func(k *kept){
		"failing": func(k *kept) {
			for range failing {
				k.open()
			}
		},
		"hung": func(k *kept) {
			for range 21 {
				k.swap(account, false)
			}
		},
	} {
		keep(t, func(t *testing.T, k *kept) {
			k.hooked().set(func(ctx context.Context, call string) error { // Clean does not end
				if call != "Clean" {
					return nil
				}
				<-ctx.Done()
				return ctx.Err()
			})
			k.start()
			var good atomic.Value
			hung := make(chan struct{})
			defer close(hung)
			k.failWith(func(e *webhooks.Event) error {
				if e.Signature == good.Load() {
					return nil
				}
				if name == "hung" {
					<-hung
				}
				return errors.New("no")
			})
			trouble(k)
			good.Store(types.Signature("none yet"))
			time.Sleep(10 * time.Minute)
			open := k.open()
			good.Store(open)
			time.Sleep(45 * time.Second)
			require.Equal(t, []types.Signature{open}, k.got.list(), name)
			lost := k.swap(another, false)
			good.Store(lost)
			time.Sleep(11 * time.Minute)
			require.Contains(t, k.got.list(), lost, name)
		})
	}
}

// A creation fails although it created, and the list does not have the webhook for ten minutes.
func TestDuplicateWebhooksAreDeleted(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		begin := time.Now()
		s := scripted(k)
		s.set(func(req *http.Request, _ string, _ func() string) string {
			if req.Method == http.MethodGet && req.URL.Path == "/v0/webhooks" && time.Since(begin) < 10*time.Minute {
				return "[]"
			}
			return ""
		})
		for n := range 3 {
			k.service.Fail("POST /v0/webhooks", n+1, fake.Lost())
		}
		k.start()
		time.Sleep(20 * time.Minute)
		require.Equal(t, k.status().Webhook, k.webhook().ID, "it is the only one")
		require.Equal(t, 3, k.status().Counts["duplicates_deleted"])
		time.Sleep(2 * time.Hour)
		_, err := k.hooks.Create(t.Context(), k.cfg.Settings) // somebody wants another one
		require.NoError(t, err)
		time.Sleep(time.Hour)
		all, err := k.hooks.Webhooks(t.Context())
		require.NoError(t, err)
		require.Len(t, all, 2)
	})
}

func TestRunRefuses(t *testing.T) {
	for says, change := range map[string]func(*kept){
		"names the record of a program that has another URL and other addresses": func(k *kept) {
			k.cfg.Settings.URL, k.cfg.Settings.AccountAddresses = "https://example.org/other", addresses(k.t, 3)
		},
		"Config.RPCURL is a node of devnet, and the webhook is of mainnet": func(k *kept) {
			k.through(k.service.Transport()) // with a first request
			k.service.FailShare("getGenesisHash", 1, fake.Fault{Status: 200, Body: `{"jsonrpc":"2.0","id":"1","result":"` + string(types.DevnetGenesisHash) + `"}`})
		},
	} {
		keep(t, func(t *testing.T, k *kept) {
			k.start()
			change(k)
			err := k.refused()
			require.ErrorContains(t, err, says)
			require.ErrorIs(t, err, types.ErrInvalid)
		})
	}
}

// An old and a new version run side by side, with other URLs, secrets and types.
func TestRollingDeploy(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		k.cfg.Settings.TransactionTypes = []txtype.Type{txtype.NFTSale, txtype.Swap}
		k.start()
		old, endOld := k.keeper, k.stop
		k.cfg.Secrets = []webhooks.Secret{k.cfg.Settings.AuthHeader}
		k.cfg.Settings.AuthHeader, k.cfg.Settings.URL = "new", "https://example.org/moved"
		k.cfg.Settings.TransactionTypes = []txtype.Type{txtype.Swap, txtype.Transfer}
		k.start()
		var want []types.Signature
		for i := range 40 {
			e := k.service.Swap(account)
			if i%4 == 3 {
				e = k.service.Transfer(account, another, 1)
			}
			want = append(want, e.Signature())
			if i == 20 {
				endOld()
			}
			to := k.keeper
			if k.webhook().URL == "https://example.com/hook" && i < 20 {
				to = old
			}
			k.service.Deliver(t.Context(), &fake.Delivery{Handler: to, Anywhere: true}, e)
			time.Sleep(30 * time.Second)
		}
		time.Sleep(time.Hour)
		times := make(map[types.Signature]int)
		for _, s := range k.got.list() {
			times[s]++
			require.Equal(t, 1, times[s])
		}
		require.Subset(t, k.got.list(), want)
		require.Equal(t, k.cfg.Settings.URL, k.webhook().URL, "one webhook")
		require.Equal(t, 1, k.status().Counts["corrected"])
	})
}

// A process loses the lock of the record while the service is down, takes it again while the
// service refuses the key, and again after a process with other settings led.
func TestProcessThatLedGoesOn(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		store := k.hooked()
		k.start()
		k.service.FailShare("", 1, fake.Status(503))
		time.Sleep(6 * time.Minute)
		require.Contains(t, k.problem(), "webhook")
		other, err := store.MemoryStore.Record(t.Context(), "keeper")
		require.NoError(t, err)
		lose := func() {
			store.fail("Lock", "no")
			time.Sleep(time.Minute)
			locked, err := other.Lock(t.Context(), time.Hour)
			require.NoError(t, err)
			require.True(t, locked)
			store.set(nil)
			time.Sleep(time.Minute)
		}
		lose()
		require.Empty(t, k.problem(), "it does not lead")

		k.service.Recover()
		k.service.FailShare("GET /v0/webhooks/{webhookID}", 1, fake.Status(401))
		_, err = other.Lock(t.Context(), 0)
		require.NoError(t, err)
		time.Sleep(10 * time.Minute)
		require.Contains(t, k.problem(), "401 Unauthorized")
		k.service.Recover()
		lost := k.swap(account, false)
		time.Sleep(15 * time.Minute)
		require.Empty(t, k.problem())
		require.Equal(t, []types.Signature{lost}, k.got.list())

		lose()
		_, err = k.hooks.SetActive(t.Context(), k.webhook().ID, false)
		require.NoError(t, err)
		require.NoError(t, other.Put(t.Context(), webhooks.Fact{Name: "check", Value: "1"})) // it has other settings
		_, err = other.Lock(t.Context(), 0)
		require.NoError(t, err)
		time.Sleep(time.Minute)
		require.True(t, *k.webhook().Active)
	})
}

// A process waits while one with other types leads, for more than an hour.
func TestNextLeaderReadsWhatTheLastDidNotWant(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		k.cfg.Settings.AccountAddresses = addresses(t, 30)
		run := func(wanted txtype.Type) (end func()) {
			k.cfg.Settings.TransactionTypes = []txtype.Type{wanted}
			k.start()
			return k.stop
		}
		run(txtype.Swap)()
		end := run(txtype.NFTSale)
		run(txtype.Swap)
		time.Sleep(90 * time.Minute)
		unwanted := k.swap(k.cfg.Settings.AccountAddresses[20], false)
		time.Sleep(2 * time.Minute)
		require.Empty(t, k.got.list())
		end()
		time.Sleep(5 * time.Minute)
		require.Equal(t, []types.Signature{unwanted}, k.got.list())
	})
}

// A program with a hundred addresses is killed five times within the hour.
func TestRestartsReadHistoriesOnce(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		k.cfg.Settings.AccountAddresses = addresses(t, 100)
		k.start()
		require.InDelta(t, 10_000, k.credits(), 300)
		first := k.credits()
		for range 5 {
			k.stop()
			k.start()
		}
		t.Log("five restarts:", k.credits()-first, "credits")
		require.Less(t, k.credits()-first, 1500)
		k.stop()
		lost := k.swap(k.cfg.Settings.AccountAddresses[7], false)
		k.start()
		require.Equal(t, []types.Signature{lost}, k.got.list())
	})
}

func TestHistoriesAreReadAtOnce(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		k.cfg.Settings.AccountAddresses = addresses(t, 250)
		k.service.FailShare("GET /v0/addresses/{address}/transactions", 1, fake.Slow(600*time.Millisecond))
		k.start() // two minutes, of which the reading has one
		require.Equal(t, 250, k.histories())
		require.False(t, k.status().Due)
	})
}

// Three processes of a webhook without events.
func TestIdleKeepersCostLittle(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		var statements atomic.Int64
		k.hooked().set(func(context.Context, string) error { statements.Add(1); return nil })
		for range 3 {
			k.start()
		}
		time.Sleep(time.Hour)
		credits, before := k.credits(), statements.Load()
		time.Sleep(8 * time.Hour)
		spent := k.credits() - credits
		perSecond := float64(statements.Load()-before) / (8 * 3600)
		t.Logf("eight hours cost %d credits, and %.2f statements a second", spent, perSecond)
		require.LessOrEqual(t, spent, 150)
		require.LessOrEqual(t, perSecond, 0.5)
	})
}

// The response to the fact was lost, so that GiveUp failed, and is called again.
func TestGiveUpEndsTheAttempts(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		k.start()
		k.failWith(no)
		open := k.swap(account, true)
		require.NoError(t, k.record().Add(t.Context(), webhooks.Fact{Name: "given up/" + string(open), Value: "x"}))
		require.NoError(t, k.keeper.GiveUp(t.Context(), open))
		require.Zero(t, k.status().Open)
		require.Equal(t, 1, k.status().GivenUp)
	})
}

// The Store takes seconds for a report, or for something else.
func TestDeliveryDuringAReportIsReported(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		store := k.hooked()
		k.start()
		for i := range 10 {
			time.Sleep(time.Duration(i) * 7 * time.Second)
			start := time.Now()
			var once sync.Once
			store.set(func(_ context.Context, call string) error {
				if call == "Put" {
					once.Do(func() { //nolint:contextcheck // swap has its own
						time.AfterFunc(time.Second, func() { k.swap(account, true) })
						time.Sleep(4 * time.Second)
					})
				}
				return nil
			})
			time.Sleep(3 * time.Minute)
			require.True(t, k.status().Delivered.After(start))
		}
	})
}

// The Store records for a while that no event was handled, and then for one of eleven not.
func TestUnrecordedEventDelaysNothing(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		store := k.hooked()
		k.service.FailShare("POST /v0/transactions", 1, fake.Status(503))
		k.start()
		store.fail("Put", "no")
		k.swap(account, true)
		time.Sleep(2 * time.Minute)
		store.set(nil)
		time.Sleep(time.Minute)
		require.False(t, k.status().Delivered.IsZero(), "it is reported later")

		store.fail("Done", "no")
		start := time.Now()
		for range 11 {
			k.swap(account, true)
		}
		time.Sleep(5 * time.Minute)
		require.True(t, k.status().Delivered.After(start), "it is reported")
		require.Contains(t, k.problem(), "store : no")
		require.Equal(t, 11, k.status().Open)
		var last atomic.Int64
		store.set(func(_ context.Context, call string) error {
			if now := time.Now().UnixNano(); call == "Done" && last.Swap(now) != now { // the first one of a moment
				return errors.New("no")
			}
			return nil
		})
		time.Sleep(5 * time.Minute)
		require.Equal(t, 1, k.status().Open)
	})
}

// Handle takes longer than two deliveries of an event.
func TestSlowHandleCountsOnce(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		k.start()
		k.failWith(func(*webhooks.Event) error { time.Sleep(3 * time.Second); return nil })
		require.Equal(t, 503, post(t, k.keeper, list(sig1)))
		require.Equal(t, 503, post(t, k.keeper, list(sig1)))
		time.Sleep(time.Minute)
		require.Equal(t, webhooks.Counts{"delivered": 2, "handled": 1}, k.status().Counts)
	})
}

// A Handle that changes the event, or ends its goroutine, harms nothing else.
func TestHandleThatChangesTheEvent(t *testing.T) {
	keep(t, func(t *testing.T, k *kept) {
		k.start()
		k.failWith(func(e *webhooks.Event) error { e.Signature = ""; return nil })
		k.swap(account, true)
		require.Zero(t, k.status().Open)
		k.failWith(func(e *webhooks.Event) error { e.Signature = ""; return no(e) })
		first, second := k.service.Swap(account), k.service.Swap(account)
		k.service.Deliver(t.Context(), &fake.Delivery{Handler: k.keeper, Anywhere: true}, first)
		require.Equal(t, "no", k.status().OpenError)
		k.failWith(func(*webhooks.Event) error { runtime.Goexit(); return nil })
		require.Equal(t, 503, post(t, k.keeper, "["+string(second.Enhanced())+","+string(k.service.Swap(account).Enhanced())+"]"))
		k.failWith(nil)
		time.Sleep(5 * time.Minute)
		require.Len(t, k.got.list(), 4)
	})
}
