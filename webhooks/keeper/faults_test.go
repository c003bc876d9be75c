package keeper_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/keeper"
)

// Each fault that wakes an operator is in Status soon, by its cause.
func TestFaultsShowInStatus(t *testing.T) {
	all := addresses(5)
	update := func(change func(*webhooks.Settings)) func(*setup) {
		return func(s *setup) {
			_, err := s.hooks.Update(s.t.Context(), s.webhook().ID, func(s *webhooks.Settings) error { change(s); return nil })
			require.NoError(s.t, err)
		}
	}
	hang := func(ctx context.Context, _ string) error { <-ctx.Done(); return ctx.Err() }
	for _, row := range []struct {
		name  string
		fault func(*setup)
		cause keeper.Cause
	}{
		{"Handle fails", func(s *setup) {
			s.failing(func(*webhooks.Event) error { return errors.New("no space") })
			go s.swap(all[0], true)
		}, keeper.CauseHandle},
		{"Handle hangs", func(s *setup) {
			f := func(ctx context.Context, _ *webhooks.Event) error {
				<-ctx.Done()
				time.Sleep(time.Minute)
				return ctx.Err()
			}
			s.fail.Store(&f)
			go s.swap(all[0], true)
		}, keeper.CauseHandle},
		{"store is down", func(s *setup) { s.store.set(down) }, keeper.CauseStore},
		{"store is slow", func(s *setup) {
			s.store.set(func(_ context.Context, call string) error {
				if call == "Claim" {
					time.Sleep(2 * time.Second)
					return context.DeadlineExceeded
				}
				return nil
			})
			go s.swap(all[0], true)
		}, keeper.CauseClaims},
		{"store hangs", func(s *setup) { s.store.set(hang) }, keeper.CauseStore},
		{"service is down", func(s *setup) { s.service.FailShare("", 1, fake.Status(503)) }, keeper.CauseListing},
		{"node hangs", func(s *setup) { s.service.FailShare("getSignaturesForAddress", 1, fake.Hang()) }, keeper.CauseListing},
		{"credits are used up", func(s *setup) {
			s.service.FailShare("getSignaturesForAddress", 1, fake.Fault{Status: 429, Message: "max usage reached"})
		}, keeper.CauseListing},
		{"key is refused", func(s *setup) { s.service.FailShare("", 1, fake.Status(401)) }, keeper.CauseWebhook},
		{"events are refused", func(s *setup) {
			s.service.FailShare("POST /v0/transactions", 1, fake.Status(500))
			s.swap(all[0], false)
			for _, a := range all {
				s.swap(a, false)
			}
		}, keeper.CauseEvents},
		{"webhook is off", func(s *setup) { _, _ = s.hooks.SetActive(s.t.Context(), s.webhook().ID, false) }, keeper.CauseWebhook},
		{"webhook is deleted", func(s *setup) { _ = s.hooks.Delete(s.t.Context(), s.webhook().ID) }, keeper.CauseWebhook},
		{"URL is changed", update(func(s *webhooks.Settings) { s.URL = "https://example.org" }), keeper.CauseWebhook},
		{"secret is changed", update(func(s *webhooks.Settings) { s.AuthHeader = "changed" }), keeper.CauseWebhook},
		{"deliveries are truncated", func(s *setup) { s.post(`[{"signature":"`) }, keeper.CauseDeliveries},
		{"deliveries do not arrive", func(s *setup) {
			for _, a := range all {
				s.swap(a, false)
			}
		}, keeper.CauseDeliveries},
		{"another program leads", func(s *setup) {
			s.cfg.Settings.URL = "https://example.org/other"
			s.run()
		}, keeper.CauseSettings},
	} {
		in(t, func(t *testing.T, s *setup) {
			s.cfg.Settings.AccountAddresses = all
			s.start()
			time.Sleep(8 * time.Minute)
			begun := time.Now()
			row.fault(s)
			for s.problem(row.cause) == "" {
				require.Less(t, time.Since(begun), 20*time.Minute, row.name)
				time.Sleep(time.Second)
			}
			t.Logf("| %s | %.0f | %s: %.110s |", row.name, time.Since(begun).Seconds(), row.cause, s.problem(row.cause))
			s.store.set(nil)
			s.fail.Store(nil)
			s.service.Recover()
			time.Sleep(2 * time.Minute)
			if row.cause == keeper.CauseSettings {
				return
			}
			s.swap(all[0], true)
			time.Sleep(15 * time.Minute)
			require.Empty(t, s.problem(row.cause), "%s: it has worked", row.name)
		})
	}
}

// A process that does not lead has a problem until another one has handled the event.
func TestProblemsEndWhenTheLeaderHandlesTheEvent(t *testing.T) {
	for cause, fault := range map[keeper.Cause]func(*setup){
		keeper.CauseClaims: func(s *setup) {
			s.store.set(func(_ context.Context, call string) error {
				if call == "Claim" {
					return errors.New("store is down")
				}
				return nil
			})
		},
		keeper.CauseHandle: func(s *setup) { s.failing(func(*webhooks.Event) error { return errors.New("no space") }) },
	} {
		in(t, func(t *testing.T, s *setup) {
			s.start()
			s.run()
			time.Sleep(8 * time.Minute)
			fault(s)
			x, begun := s.swap(account, true), time.Now()
			for s.problem(cause) == "" {
				require.Less(t, time.Since(begun), 2*time.Minute)
				time.Sleep(time.Second)
			}
			s.store.set(nil)
			s.failing(nil)
			time.Sleep(15 * time.Minute)
			require.Contains(t, s.handled(), x)
			require.Empty(t, s.problem(cause))
		})
	}
}

// A call of the store fails for ten minutes in any way, and then nothing is lost.
func TestKeeperContinuesAfterCallsOfTheStore(t *testing.T) {
	for name, fault := range map[string]hook{
		"fails":             down,
		"heeds its context": func(ctx context.Context, _ string) error { <-ctx.Done(); return ctx.Err() },
		"some fail": func(_ context.Context, call string) error {
			if call == "Done" || call == "Pending" {
				return errors.New("store is down")
			}
			return nil
		},
	} {
		in(t, func(t *testing.T, s *setup) {
			s.start()
			s.store.set(fault)
			first := s.swap(account, true)
			time.Sleep(10 * time.Minute)
			require.NotEmpty(t, s.status().Problems, name)
			s.store.set(nil)
			lost := s.swap(another, false)
			time.Sleep(15 * time.Minute)
			for _, signature := range []types.Signature{first, lost} {
				require.Contains(t, s.handled(), signature, name)
			}
			require.Zero(t, s.status().Pending)
			s.swap(account, true)
			require.Empty(t, s.status().Problems, name)
			s.store.set(fault)
			stopping := time.Now()
			s.stop()
			require.Less(t, time.Since(stopping), 7*time.Second, name)
		})
	}
}

// 12 000 events that fail do not delay another one.
func TestFailingEventsDelayNoOther(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		scripted(s).set(func(req *http.Request, in string, _ func() string) string {
			if req.URL.Path != "/v0/transactions" {
				return ""
			}
			var request struct{ Transactions []types.Signature }
			require.NoError(t, json.Unmarshal([]byte(in), &request))
			var events []string
			for _, signature := range request.Transactions {
				events = append(events, transfer(signature))
			}
			return "[" + strings.Join(events, ",") + "]"
		})
		var works atomic.Bool
		good := signatureOf(200)
		s.failing(func(e *webhooks.Event) error {
			if e.Signature == good && works.Load() {
				return nil
			}
			return errors.New("no")
		})
		s.start()
		var poison []keeper.Pending
		for i := range 12_000 {
			signature := base58.Encode(append(make([]byte, 61), 1, byte(i>>8), byte(i)))
			poison = append(poison, keeper.Pending{Signature: types.Signature(signature), Slot: 1, Wanted: true})
		}
		_, err := s.store.MemoryStore.Add(t.Context(), "", poison...)
		require.NoError(t, err)
		time.Sleep(20 * time.Second)
		require.Equal(t, 500, s.post("["+transfer(good)+"]")) // it fails for a while
		works.Store(true)
		time.Sleep(30 * time.Second)
		require.Equal(t, []types.Signature{good}, s.handled())
		require.Equal(t, 12_000, s.status().Pending)
	})
}

// Calls of Handle that hang do not delay another event for long.
func TestHungCallsOfHandleDelayNoOther(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		hung := make(chan struct{})
		defer close(hung)
		var good atomic.Value
		good.Store(types.Signature(""))
		s.failing(func(e *webhooks.Event) error {
			if e.Signature != good.Load() {
				<-hung
			}
			return nil
		})
		s.start()
		s.pending(21)
		time.Sleep(10 * time.Minute)
		e := s.pending(1)[0]
		good.Store(e)
		time.Sleep(90 * time.Second)
		require.Equal(t, []types.Signature{e}, s.handled())
	})
}

// The service fails for every other event, and for a request that has one of them.
func TestEventsAreHandledBesideFailingOnes(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		s.start()
		all := s.pending(100)
		var failing, others []types.Signature
		for i, signature := range all {
			if i%2 == 0 {
				failing = append(failing, signature)
			} else {
				others = append(others, signature)
			}
		}
		s.service.FailIf("POST /v0/transactions", func(r fake.Request) bool {
			return slices.ContainsFunc(failing, func(s types.Signature) bool { return strings.Contains(r.Body, string(s)) })
		}, fake.Status(500))
		time.Sleep(30 * time.Minute)
		require.ElementsMatch(t, others, s.handled())
	})
}

// An event is handled whatever the service responds for others of the same request.
func TestOddTransactionsDelayNoOther(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		x := scripted(s)
		x.set(func(req *http.Request, _ string, get func() string) string {
			if req.URL.Path != "/v0/transactions" {
				return ""
			}
			return strings.Replace(get(), "[", `[null,{"error":"cannot be parsed"},1,`, 1)
		})
		s.start()
		open := s.pending(1)
		time.Sleep(time.Minute)
		require.Equal(t, open, s.handled())
	})
}

// One odd item of a listing does not take the others with it.
func TestOddItemOfAListingHidesNoOther(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		x := scripted(s)
		s.start()
		odd, lost := s.swap(account, false), s.swap(account, false)
		x.set(func(_ *http.Request, in string, get func() string) string {
			if !strings.Contains(in, "getSignaturesForAddress") {
				return ""
			}
			text := strings.Replace(get(), `"result":[`, `"result":[null,7,{"slot":1},`, 1)
			return strings.Replace(text, `"signature":"`+string(odd)+`","slot":`, `"signature":"`+string(odd)+`","slot":"x","was":`, 1)
		})
		time.Sleep(11 * time.Minute)
		require.ElementsMatch(t, []types.Signature{odd, lost}, s.handled())
	})
}

// An address whose listing fails does not keep the others from being listed.
func TestFailingListingDelaysNoOther(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		all := addresses(24) // eight are listed at once
		s.cfg.Settings.AccountAddresses = all
		s.service.FailIf("getSignaturesForAddress", func(r fake.Request) bool {
			return slices.ContainsFunc(all[:20], func(a types.Address) bool { return strings.Contains(r.Body, string(a)) })
		}, fake.Status(400))
		s.start()
		lost := s.swap(all[23], false)
		time.Sleep(2 * time.Hour)
		require.Equal(t, []types.Signature{lost}, s.handled())
		require.Contains(t, s.problem(keeper.CauseListing), "(and 19 further addresses)")
	})
}

// A Keeper with a new address is killed while no node responds: from then on its events count.
func TestAddressIsStoredBeforeTheFirstCallToANode(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		s.service.FailShare("", 1, fake.Hang())
		s.run()
		time.Sleep(5 * time.Second)
		all, err := s.store.Checkpoints(t.Context())
		require.NoError(t, err)
		require.Len(t, all, 2)
		s.stop()
		s.service.Recover()
		lost := s.swap(account, false)
		time.Sleep(2 * time.Hour)
		s.start()
		require.Equal(t, []types.Signature{lost}, s.handled())
	})
}

// A backlog of one address is requested a hundred at a time, and handled a few at a time.
func TestBacklogOfOneAddress(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		s.start()
		s.failing(func(*webhooks.Event) error { time.Sleep(100 * time.Millisecond); return nil })
		s.pending(500)
		begun := time.Now()
		for len(s.handled()) < 500 {
			require.Less(t, time.Since(begun), 40*time.Second, "one after the other, they take fifty")
			time.Sleep(time.Second)
		}
		require.Equal(t, 5, s.requests("POST /v0/transactions"))
	})
}

// While the service is down, events are received; undelivered ones are found later.
func TestKeeperWhileTheServiceIsDown(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		var log bytes.Buffer
		s.cfg.Logger = slog.New(slog.NewTextHandler(&log, nil))
		s.start()
		lost := s.swap(account, false)
		s.stop()
		s.service.FailShare("", 1, fake.Status(503))
		s.start()
		received := s.swap(account, true)
		time.Sleep(26 * time.Hour)
		require.Equal(t, []types.Signature{received}, s.handled())
		require.Contains(t, s.problem(keeper.CauseListing), "503 Service Unavailable")
		require.Positive(t, s.status().Behind)
		s.service.Recover()
		time.Sleep(2 * time.Hour)
		require.Equal(t, []types.Signature{received, lost}, s.handled())
		require.Empty(t, s.status().Problems)
		require.Zero(t, s.status().Behind)
		require.Less(t, strings.Count(log.String(), "level=ERROR"), 60*26*2, "one a minute and cause")
	})
}
