package keeper_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/keeper"
)

// A creation fails although it created, and the list does not have the webhook for ten minutes.
func TestCreationWhoseResponseIsLostIsNotRepeated(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		begin := time.Now()
		scripted(s).set(func(req *http.Request, _ string, _ func() string) string {
			if req.Method == http.MethodGet && req.URL.Path == "/v0/webhooks" && time.Since(begin) < 10*time.Minute {
				return "[]"
			}
			return ""
		})
		s.service.Fail("POST /v0/webhooks", 1, fake.Lost())
		s.start()
		s.stop()
		s.start() // another process, which knows of it from the Store
		require.Contains(t, s.problem(keeper.CauseWebhook), "perhaps created")
		time.Sleep(20 * time.Minute)
		require.Equal(t, s.status().Webhook, s.webhook().ID, "it is the only one")
	})
}

// The program is stopped while the webhook is created, and the next version has another URL.
func TestWebhookThatIsCreatedAtAStopIsStored(t *testing.T) {
	for name, fault := range map[string]fake.Fault{"slow": fake.Slow(2 * time.Second), "lost": {Drop: true, Execute: true, Delay: 2 * time.Second}} {
		in(t, func(t *testing.T, s *setup) {
			s.service.FailShare("POST /v0/webhooks", 1, fault)
			s.run()
			time.Sleep(time.Second)
			s.stop()
			s.service.Recover()
			s.cfg.Settings.URL = "https://example.org/moved"
			s.start()
			require.Equal(t, "https://example.org/moved", s.webhook().URL, "%s: one webhook", name)
		})
	}
}

// The service does not respond to the creation, and a call of Handle hangs.
func TestStopWhileTheWebhookIsCreatedTakesFiveSeconds(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		hung := make(chan struct{})
		defer close(hung)
		s.failing(func(*webhooks.Event) error { <-hung; return nil })
		s.service.FailShare("POST /v0/webhooks", 1, fake.Hang())
		s.run()
		time.Sleep(time.Second)
		go s.swap(account, true)
		time.Sleep(2 * time.Second)
		stopping := time.Now()
		s.stop()
		require.LessOrEqual(t, time.Since(stopping), 5*time.Second)
	})
}

// A leader stands still between its list of webhooks and the creation, and another process leads.
func TestFormerLeaderCreatesNoWebhook(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		scripted(s).set(func(req *http.Request, _ string, get func() string) string {
			if req.Method != http.MethodGet || req.URL.Path != "/v0/webhooks" {
				return ""
			}
			s.store.mu.Lock()
			defer s.store.mu.Unlock()
			s.store.leader, s.store.until = "another", time.Now().Add(time.Minute)
			return get()
		})
		s.run()
		time.Sleep(20 * time.Second)
		require.Zero(t, s.requests("POST /v0/webhooks"))
		require.Empty(t, s.problem(keeper.CauseWebhook), "it does not lead")
	})
}

// Two programs have URLs and Stores of their own, and divide the addresses.
func TestTwoKeepersHaveTwoURLs(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		s.start()
		s.cfg.Store, s.cfg.Settings.AccountAddresses = new(keeper.MemoryStore), addresses(1)
		s.cfg.Settings.URL = "https://example.com/another"
		s.start()
		time.Sleep(time.Hour)
		require.Zero(t, s.requests("PUT /v0/webhooks/{webhookID}"))
		all, err := s.hooks.Webhooks(t.Context())
		require.NoError(t, err)
		require.Len(t, all, 2)
	})
}

// The service lists a webhook without a UUID for a while.
func TestRunContinuesAfterAnOddWebhook(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		body := `[{"webhookID":"x","webhookURL":"https://example.com/hook"}]`
		s.service.FailShare("GET /v0/webhooks", 1, fake.Fault{Status: 200, Body: body})
		s.start()
		require.Contains(t, s.problem(keeper.CauseWebhook), "id is not a UUID")
		lost := s.swap(account, false)
		time.Sleep(11 * time.Minute)
		require.Equal(t, []types.Signature{lost}, s.handled())
		s.service.Recover()
		time.Sleep(11 * time.Minute)
		require.Empty(t, s.problem(keeper.CauseWebhook))
		require.Equal(t, s.status().Webhook, s.webhook().ID)
	})
}

// Settings that the service does not take cost little, and keep nothing from being handled.
func TestSettingsThatAreNotTaken(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		x := scripted(s)
		x.set(func(req *http.Request, _ string, get func() string) string {
			if !strings.HasPrefix(req.URL.Path, "/v0/webhooks/") {
				return ""
			}
			return strings.Replace(get(), "/hook", "/hook/", 1)
		})
		s.start()
		lost := s.swap(account, false)
		time.Sleep(18 * time.Hour)
		require.Equal(t, []types.Signature{lost}, s.handled())
		require.Contains(t, s.problem(keeper.CauseWebhook), "PUT /v0/webhooks/{webhookID}")
		require.Less(t, s.requests("PUT /v0/webhooks/{webhookID}"), 5*16, "the waits double, up to a day")
		x.set(nil)
		time.Sleep(6 * time.Minute)
		require.Empty(t, s.problem(keeper.CauseWebhook), "it is read every five minutes nevertheless")
	})
}
