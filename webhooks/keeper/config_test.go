package keeper_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/keeper"
)

func TestProgramThatOnlyManagesWebhooksLinksNoKeeper(t *testing.T) {
	t.Parallel()
	for pkg, without := range map[string]string{"./..": "webhooks/keeper", ".": "webhooks/keeper/"} {
		out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", pkg).CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.NotContains(t, string(out), without)
	}
}

func TestKeeperOfARawWebhook(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		s.cfg.Settings.Type, s.cfg.Settings.TransactionTypes = webhooks.TypeRaw, nil
		s.start()
		before := s.credits()
		s.failing(no)
		open := s.swap(account, true)
		s.failing(nil)
		lost := s.swap(another, false)
		time.Sleep(11 * time.Minute)
		require.Equal(t, []types.Signature{open, lost}, s.handled())
		require.LessOrEqual(t, s.credits()-before, 2+2+3+4, "a credit for each event and listing")
	})
}

// A delivery with an entry without a transaction is not repeated, and its event is found.
func TestEntryWithoutATransactionIsFoundByItsAddress(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		s.cfg.Settings.Type, s.cfg.Settings.TransactionTypes = webhooks.TypeRaw, nil
		s.start()
		s.failing(func(e *webhooks.Event) error { return e.Err })
		odd := s.service.Swap(account).Signature()
		require.Equal(t, 200, s.post(`[{"blockTime":1735689600,"slot":5,"meta":{"err":null}}]`))
		time.Sleep(6 * time.Minute)
		require.Equal(t, []types.Signature{odd}, s.handled())
	})
}

// Programs that share a Store have other settings, such as in a rolling deploy.
func TestStoreBelongsToTheProgram(t *testing.T) {
	for name, change := range map[string]func(s *setup){
		"another URL":    func(s *setup) { s.cfg.Settings.URL = "https://example.org/moved" },
		"another secret": func(s *setup) { s.cfg.Settings.AuthHeader = "another" },
		"deleted":        func(s *setup) { require.NoError(s.t, s.hooks.Delete(s.t.Context(), s.webhook().ID)) },
		"another type": func(s *setup) {
			s.cfg.Settings.TransactionTypes = []txtype.Type{txtype.Swap}
		},
	} {
		in(t, func(t *testing.T, s *setup) {
			s.start()
			handled := s.swap(account, true)
			s.failing(no)
			open := s.swap(account, true)
			s.stop()
			s.failing(nil)
			lost := s.swap(another, false)
			change(s)
			s.start()
			require.ElementsMatch(t, []types.Signature{handled, open, lost}, s.handled(), name)
			require.Zero(t, s.status().Pending)
			require.Equal(t, s.cfg.Settings.URL, s.webhook().URL, "one webhook")
			require.Equal(t, s.cfg.Settings.AuthHeader, s.webhook().AuthHeader)
		})
	}
}

// A process of a new version wants one more type. One of the old version lists the transaction, and
// does not want it.
func TestTypeThatIsAddedCountsFromTheFirstStart(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		run := func(wanted ...txtype.Type) {
			s.cfg.Settings.TransactionTypes = wanted
			s.start()
			s.stop()
		}
		run(txtype.NFTSale)
		run(txtype.NFTSale, txtype.Swap)
		lost := s.swap(account, false)
		run(txtype.NFTSale)
		require.Empty(t, s.handled())
		run(txtype.NFTSale)
		require.Equal(t, 1, s.requests("POST /v0/transactions"), "it is not requested again")
		run(txtype.Swap, txtype.NFTSale)
		require.Equal(t, []types.Signature{lost}, s.handled())
	})
}

// An address, and then a type, is not wanted any more while one of its events is pending.
func TestPendingEventsOfFormerSettingsAreHandled(t *testing.T) {
	for name, change := range map[string]func(*webhooks.Settings){
		"address": func(s *webhooks.Settings) { s.AccountAddresses = []types.Address{account} },
		"type":    func(s *webhooks.Settings) { s.TransactionTypes = []txtype.Type{txtype.NFTSale} },
	} {
		in(t, func(t *testing.T, s *setup) {
			s.start()
			s.failing(no)
			open := s.swap(another, true)
			require.Equal(t, 1, s.status().Pending)
			s.stop()
			s.failing(nil)
			change(&s.cfg.Settings)
			s.start()
			require.Equal(t, []types.Signature{open}, s.handled(), name)
		})
	}
}

// An old and a new version run side by side, with other URLs, secrets and types.
func TestRollingDeploy(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		s.cfg.Settings.TransactionTypes = []txtype.Type{txtype.NFTSale, txtype.Swap}
		s.start()
		old, endOld := s.keeper, s.stop
		s.cfg.Secrets = []webhooks.Secret{s.cfg.Settings.AuthHeader}
		s.cfg.Settings.AuthHeader, s.cfg.Settings.URL = "new", "https://example.org/moved"
		s.cfg.Settings.TransactionTypes = []txtype.Type{txtype.Swap, txtype.Transfer}
		s.start()
		var want []types.Signature
		for i := range 40 {
			e := s.service.Swap(account)
			if i%4 == 3 {
				e = s.service.Transfer(account, another, 1)
			}
			want = append(want, e.Signature())
			if i == 20 {
				endOld()
			}
			to := s.keeper
			if s.webhook().URL == "https://example.com/hook" && i < 20 {
				to = old
			}
			s.service.Deliver(t.Context(), &fake.Delivery{Handler: to, Anywhere: true}, e)
			time.Sleep(30 * time.Second)
		}
		time.Sleep(time.Hour)
		times := make(map[types.Signature]int)
		for _, signature := range s.handled() {
			times[signature]++
			require.Equal(t, 1, times[signature])
		}
		require.Subset(t, s.handled(), want)
		require.Equal(t, s.cfg.Settings.URL, s.webhook().URL, "one webhook")
	})
}

// Two programs share a Store and one address, or two processes have other settings for long. The
// second one never leads, and the service sends the secret of the first one.
func TestProcessWithOtherSettingsLeads(t *testing.T) {
	for says, change := range map[string]func(*webhooks.Settings){
		"another URL leads":    func(s *webhooks.Settings) { s.URL = "https://example.org/other" },
		"another secret leads": func(s *webhooks.Settings) { s.AuthHeader = "another secret" },
		"another set of types and secret leads": func(s *webhooks.Settings) {
			s.AuthHeader, s.TransactionTypes = "another secret", []txtype.Type{txtype.Swap}
		},
	} {
		in(t, func(t *testing.T, s *setup) {
			s.start()
			s.cfg.Settings.AccountAddresses = []types.Address{account}
			change(&s.cfg.Settings)
			s.start()
			require.Empty(t, s.problem(keeper.CauseSettings), "in a deploy")
			time.Sleep(16 * time.Minute)
			require.Contains(t, s.problem(keeper.CauseSettings), says)
			require.NotContains(t, s.problem(keeper.CauseSettings), "Bearer")
			require.Equal(t, "https://example.com/hook", s.webhook().URL)
		})
	}
}

func TestRunEndsWithANodeOfAnotherNetwork(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		s.start()
		s.stop()
		s.through(s.service.Transport()) // with a first request
		hash := func(h types.Hash) {
			s.service.Recover()
			s.service.FailShare("getGenesisHash", 1, fake.Fault{Status: 200, Body: `{"jsonrpc":"2.0","id":"1","result":"` + string(h) + `"}`})
		}
		hash("")
		s.start()
		require.Contains(t, s.problem(keeper.CauseListing), "the response has no hash")
		s.stop()
		hash(types.DevnetGenesisHash)
		err := s.refused()
		require.ErrorContains(t, err, "Config.RPCURL is not a node of mainnet")
		require.ErrorIs(t, err, types.ErrInvalid)
	})
}

func TestKeeperBeforeAndAfterRun(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		s.start()
		s.stop()
		require.Equal(t, 503, s.post("["+transfer(signatureOf(1))+"]"))

		var none keeper.Keeper
		require.ErrorIs(t, none.Run(t.Context()), types.ErrInvalid)
		w := httptest.NewRecorder()
		none.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", http.NoBody))
		require.Equal(t, 500, w.Code)
		require.Empty(t, none.Status().Problems)
	})
}

func TestKeeperIsPrintedWithoutSecrets(t *testing.T) {
	t.Parallel()
	s := newSetup(t)
	s.cfg.Secrets = []webhooks.Secret{"the former secret"}
	text := fmt.Sprintf("%[1]v %+[1]v %#[1]v", s.make())
	require.NotContains(t, text, secret)
	require.NotContains(t, text, "former")
	require.NotContains(t, text, fake.Key)
}

func TestNewRefusesInvalidConfig(t *testing.T) {
	t.Parallel()
	s := newSetup(t)
	s.cfg.Store = new(keeper.MemoryStore)
	for says, change := range map[string]func(*keeper.Config){
		"keeper.Config: Store is nil":  func(c *keeper.Config) { c.Store = nil },
		"keeper.Config: Handle is nil": func(c *keeper.Config) { c.Handle = nil },
		"keeper.Config: Settings.AuthHeader is empty; set the secret of the deliveries":                                         func(c *keeper.Config) { c.Settings.AuthHeader = "" },
		"keeper.Config: Interval is not 10 seconds to 24 hours; 0 means 24 hours":                                               func(c *keeper.Config) { c.Interval = 9 * time.Second },
		"webhooks.Client.Check: URL is empty":                                                                                   func(c *keeper.Config) { c.Settings.URL = "" },
		`webhooks.Client.Check: Type "discord" has no events; it is not enhanced or raw`:                                        func(c *keeper.Config) { c.Settings.Type = webhooks.TypeDiscord },
		"webhooks.ReceiverConfig: Secrets[1] is empty: a request without Authorization would match":                             func(c *keeper.Config) { c.Secrets = []webhooks.Secret{""} },
		"webhooks.Client.Check: AccountAddresses is empty, and the service wants at least one; use Delete or SetActive instead": func(c *keeper.Config) { c.Settings.AccountAddresses = nil },
	} {
		cfg := s.cfg
		change(&cfg)
		k, err := keeper.New(s.hooks, cfg)
		require.EqualError(t, err, says+": invalid argument")
		require.Nil(t, k)
	}
	_, err := keeper.New(nil, s.cfg)
	require.ErrorIs(t, err, types.ErrInvalid)
	require.Empty(t, s.service.Requests())
}

func TestKeeperHandlesTheEventsSince(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		s.cfg.Since = time.Now().Add(30 * time.Minute)
		s.swap(account, false)
		time.Sleep(time.Hour)
		since := s.swap(account, false)
		time.Sleep(time.Hour)
		s.start()
		require.Equal(t, []types.Signature{since}, s.handled())
		time.Sleep(time.Hour)
		require.Len(t, s.handled(), 1)
	})
}

// A clean stop does not log an ERROR, even while an event is handled.
func TestCleanStopIsNoError(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		var log bytes.Buffer
		s.cfg.Logger = slog.New(slog.NewTextHandler(&log, nil))
		s.start()
		s.failing(func(*webhooks.Event) error { time.Sleep(3 * time.Second); return nil })
		s.pending(5)
		time.Sleep(20 * time.Second)
		go s.swap(account, true)
		time.Sleep(1200 * time.Millisecond)
		s.stop()
		require.NotContains(t, log.String(), "level=ERROR")
		require.NotContains(t, log.String(), "context canceled")
	})
}
