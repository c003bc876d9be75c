package keeper_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi/world"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/keeper"
)

// The sentences of the comment of Keeper.

func TestWebhookIsCheckedEveryFiveMinutes(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, s *setup, id string) error{
		"the webhook is off": func(t *testing.T, s *setup, id string) error {
			_, err := s.hooks.SetActive(t.Context(), id, false)
			return err
		},
		"it was deleted": func(t *testing.T, s *setup, id string) error { return s.hooks.Delete(t.Context(), id) },
		"1 missing": func(t *testing.T, s *setup, id string) error {
			_, err := s.hooks.RemoveAddresses(t.Context(), id, account)
			return err
		},
		"AuthHeader": func(t *testing.T, s *setup, id string) error {
			_, err := s.hooks.Update(t.Context(), id, func(s *webhooks.Settings) error { s.AuthHeader = "changed"; return nil })
			return err
		},
	} {
		in(t, func(t *testing.T, s *setup) {
			s.start()
			require.NoError(t, change(t, s, s.webhook().ID), name)
			lost := s.swap(account, true)
			require.Empty(t, s.handled())
			time.Sleep(5 * time.Minute)
			require.True(t, *s.webhook().Active)
			require.Equal(t, s.status().Webhook, s.webhook().ID)
			require.ElementsMatch(t, s.cfg.Settings.AccountAddresses, s.webhook().AccountAddresses)
			require.Equal(t, webhooks.Secret(secret), s.webhook().AuthHeader)
			require.Contains(t, s.problem(keeper.CauseWebhook), name)
			time.Sleep(6 * time.Minute)
			require.Equal(t, []types.Signature{lost}, s.handled(), name)
			require.Empty(t, s.problem(keeper.CauseWebhook), "the next check found it as wanted")
		})
	}
}

func TestOneAddressIsListedEveryFiveMinutes(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		s.startWith(3)
		before := s.requests("getSignaturesForAddress")
		lost := s.swap(addresses(3)[2], false)
		time.Sleep(16 * time.Minute)
		require.Equal(t, []types.Signature{lost}, s.handled())
		require.GreaterOrEqual(t, s.requests("getSignaturesForAddress")-before, 3)
	})
}

func TestEachAddressIsListedOncePerInterval(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		all := addresses(150) // more than there are five minutes in an interval
		s.cfg.Settings.AccountAddresses, s.cfg.Interval = all, 10*time.Hour
		s.start()
		before := s.requests("getSignaturesForAddress")
		time.Sleep(10*time.Hour + time.Minute)
		for _, a := range all {
			require.GreaterOrEqual(t, s.listings(a), 2)
		}
		require.InDelta(t, 150, s.requests("getSignaturesForAddress")-before, 3)
		require.Zero(t, s.status().Behind)
	})
}

func TestAllAddressesAreListedAtAStart(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		all := s.startWith(50)
		first := s.swap(all[0], true)
		s.stop()
		time.Sleep(7 * 24 * time.Hour) // it was offline for a week
		lost := []types.Signature{s.swap(all[1], false), s.swap(all[49], false)}
		before := s.credits()
		s.start()
		require.ElementsMatch(t, append(lost, first), s.handled())
		require.LessOrEqual(t, s.credits()-before, 50+3+100+1, "a credit for each address and for the end of three short histories, a hundred for the events, and the slot")
	})
}

func TestAllAddressesAreListedAfterTheWebhookWasWrong(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		all := s.startWith(100)
		time.Sleep(time.Hour)
		require.NoError(t, s.hooks.Delete(t.Context(), s.webhook().ID))
		lost := s.swap(all[70], true)
		time.Sleep(7 * time.Minute)
		require.Equal(t, []types.Signature{lost}, s.handled())
	})
}

// The service posts unreadable bodies.
func TestAllAddressesAreListedAfterADeliveryWasRefused(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		all := s.startWith(100)
		time.Sleep(time.Hour)
		before := s.requests("getSignaturesForAddress")
		require.Equal(t, 401, s.post("[]", "Authorization", "guess"))
		time.Sleep(20 * time.Minute)
		require.Less(t, s.requests("getSignaturesForAddress")-before, 10, "anybody can post without the secret")
		e := s.service.Swap(all[70])
		require.Equal(t, 400, s.post(string(e.Enhanced())[1:]))
		require.Contains(t, s.problem(keeper.CauseDeliveries), "400")
		time.Sleep(2 * time.Minute)
		require.Equal(t, []types.Signature{e.Signature()}, s.handled())
		s.swap(all[1], true)
		require.Empty(t, s.status().Problems, "a delivery was accepted")
	})
}

// A process that does not lead refuses a delivery just before it is stopped.
func TestAllAddressesAreListedAfterARefusalBeforeAStop(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		all := s.startWith(100)
		leader := s.keeper
		s.start()
		time.Sleep(time.Hour)
		e := s.service.Swap(all[70])
		require.Equal(t, 400, s.post(string(e.Enhanced())[1:]))
		s.stop()
		time.Sleep(20 * time.Second)
		require.Empty(t, leader.Status().Problems)
		time.Sleep(2 * time.Minute)
		require.Equal(t, []types.Signature{e.Signature()}, s.handled())
	})
}

// A delivery is refused just before all addresses are listed, and its event is not finalized then.
func TestAllAddressesAreListedAfterARefusalDuringAStart(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		all := addresses(100)
		s.cfg.Settings.AccountAddresses = all
		x := scripted(s)
		s.run()
		time.Sleep(38 * time.Second)
		e, begun := s.service.Swap(all[70]), time.Now()
		x.set(func(_ *http.Request, in string, get func() string) string {
			if !strings.Contains(in, "getSignaturesForAddress") || time.Since(begun) > 13*time.Second {
				return ""
			}
			return regexp.MustCompile(`"result":\[.*\]`).ReplaceAllString(get(), `"result":[]`)
		})
		require.Equal(t, 400, s.post(string(e.Enhanced())[1:]))
		time.Sleep(7 * time.Minute)
		require.Equal(t, []types.Signature{e.Signature()}, s.handled())
	})
}

// The service posts an unreadable body every five seconds.
func TestAllAddressesAreListedWhileDeliveriesAreRefused(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		all := s.startWith(100)
		time.Sleep(time.Hour)
		lost := s.swap(all[70], false)
		for range 12 * 7 {
			require.Equal(t, 400, s.post("{"))
			time.Sleep(5 * time.Second)
		}
		require.Equal(t, []types.Signature{lost}, s.handled())
		before := s.listings(all[3])
		for range 12 * 60 * 4 {
			require.Equal(t, 400, s.post("{"))
			time.Sleep(5 * time.Second)
		}
		require.InDelta(t, 5, s.listings(all[3])-before, 1, "after 10, 20, 40 and 60 minutes")
	})
}

// Deliveries do not arrive at all, such as behind a firewall.
func TestAllAddressesAreListedAfterAnUndeliveredEventWasFound(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		all := s.startWith(30)
		time.Sleep(time.Hour)
		for _, a := range all {
			s.swap(a, false)
		}
		time.Sleep(8 * time.Minute) // the turn of all of them takes two and a half hours
		require.Len(t, s.handled(), 30)
		require.Contains(t, s.problem(keeper.CauseDeliveries), "not delivered")
		time.Sleep(30 * time.Minute)
		before := s.requests("getSignaturesForAddress")
		time.Sleep(30 * time.Minute)
		require.Less(t, s.requests("getSignaturesForAddress")-before, 15, "nothing more was found")
	})
}

func TestListingBeginsAtTheCheckpoint(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		s.cfg.Settings.AccountAddresses = []types.Address{account}
		for range 1500 { // two pages
			s.service.Swap(account)
		}
		time.Sleep(2 * time.Hour)
		s.start()
		require.Empty(t, s.handled(), "they happened before the first start")
		require.Equal(t, 1, s.requests("getSignaturesForAddress"))
		lost := s.swap(account, false)
		time.Sleep(5 * time.Minute)
		require.Equal(t, []types.Signature{lost}, s.handled())
		all, err := s.store.Checkpoints(t.Context())
		require.NoError(t, err)
		require.Len(t, all, 1)
		require.Positive(t, all[account].Slot)
		require.Less(t, time.Since(all[account].Listed), 5*time.Minute)
	})
}

// A node lists a transaction fifty minutes late.
func TestTransactionThatIsListedLateIsFound(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		x := scripted(s)
		s.start()
		late := s.swap(account, false)
		x.set(func(_ *http.Request, in string, get func() string) string {
			if !strings.Contains(in, "getSignaturesForAddress") {
				return ""
			}
			return regexp.MustCompile(`\{[^{}]*`+string(late)+`[^{}]*\}`).ReplaceAllString(get(), "null")
		})
		var others []types.Signature
		for range 50 {
			others = append(others, s.swap(another, true))
			time.Sleep(time.Minute)
		}
		require.Equal(t, others, s.handled())
		x.set(nil)
		time.Sleep(12 * time.Minute)
		require.Equal(t, append(others, late), s.handled())
	})
}

func TestPendingEventsAreRequestedLessAndLessOften(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		s.start()
		s.swap(account, true)
		poison := s.poison()
		s.swap(account, true)
		time.Sleep(time.Minute)
		first := s.requests("POST /v0/transactions")
		require.GreaterOrEqual(t, first, 2)
		time.Sleep(10 * time.Hour)
		require.LessOrEqual(t, s.requests("POST /v0/transactions"), 20)
		all, err := s.store.Pending(t.Context(), keeper.Query{Limit: 10})
		require.NoError(t, err)
		require.Len(t, all, 1)
		require.Equal(t, poison, all[0].Signature)
		require.Equal(t, "no", all[0].Error)
		require.Equal(t, 1, s.status().Pending)
		require.InDelta(t, 10*time.Hour, time.Since(s.status().Oldest.Time), float64(5*time.Minute))
		s.failing(nil)
		time.Sleep(6 * time.Hour)
		require.Contains(t, s.handled(), poison)
		require.Zero(t, s.status().Pending)
	})
}

func TestDeadLetters(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		s.service.FailIf("POST /v0/transactions", func(r fake.Request) bool { return strings.Contains(r.Body, "refused") }, fake.Status(400))
		absent := signatureOf(9)
		_, err := s.store.Add(t.Context(), "", keeper.Pending{Signature: absent, Slot: 1, Wanted: true})
		require.NoError(t, err)
		s.start()
		poison := s.poison()
		time.Sleep(23 * time.Hour)
		s.swap(account, true)
		require.Equal(t, 2, s.status().Pending)
		for range 4 {
			time.Sleep(time.Hour)
			s.swap(account, true) // other events can be handled
		}
		require.Zero(t, s.status().Pending)
		require.Equal(t, 2, s.status().DeadLetters)
		dead, err := s.store.Pending(t.Context(), keeper.Query{Dead: true, Limit: 10})
		require.NoError(t, err)
		require.ElementsMatch(t, []string{"no", "the service does not return it"}, []string{dead[0].Error, dead[1].Error})
		require.Empty(t, s.status().Problems)

		s.failing(nil)
		require.NoError(t, s.store.Move(t.Context(), keeper.StatePending, "", poison, absent))
		time.Sleep(time.Minute)
		require.Contains(t, s.handled(), poison)
		require.Equal(t, 1, s.status().DeadLetters, "one more attempt")
	})
}

// While Handle fails for all events, such as without a database, none is given up.
func TestNoEventIsGivenUpWhileHandleFailsForAll(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		s.start()
		s.failing(no)
		lost := s.swap(account, true)
		time.Sleep(30 * time.Hour)
		require.Equal(t, 1, s.status().Pending)
		require.Contains(t, s.problem(keeper.CauseHandle), "no call of Handle has succeeded for a minute: no")
		s.stop()
		s.start()
		time.Sleep(3 * time.Hour)
		require.Zero(t, s.status().DeadLetters, "a restart does not mean that others can be handled")
		s.failing(nil)
		next := s.swap(account, true)
		time.Sleep(2 * time.Hour)
		require.Equal(t, []types.Signature{next, lost}, s.handled())
		require.Empty(t, s.problem(keeper.CauseHandle))
	})
}

// A Handle fails for an hour, and the program restarts two days later.
func TestOldEventIsTriedBeforeItIsGivenUp(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		s.start()
		s.failing(no)
		lost := s.swap(account, true)
		s.stop()
		time.Sleep(48 * time.Hour)
		s.service.FailShare("POST /v0/transactions", 1, fake.Fault{Status: 200, Body: "[]"})
		s.start()
		require.Zero(t, s.status().DeadLetters)
		s.service.Recover()
		s.failing(nil)
		time.Sleep(3 * time.Hour)
		require.Equal(t, []types.Signature{lost}, s.handled())
	})
}

func TestDoneEventsAreDeletedAfterAWeek(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		s.start()
		old := s.swap(account, true)
		s.swap(another, false)
		time.Sleep(time.Hour)
		s.stop()
		time.Sleep((6*24 - 4) * time.Hour)
		s.start()
		time.Sleep(3 * time.Hour)
		isNew, err := s.store.Claim(t.Context(), &webhooks.Event{Signature: old, Slot: 1})
		require.NoError(t, err)
		require.False(t, isNew)
		s.swap(another, true)
		time.Sleep(2 * 24 * time.Hour)
		isNew, err = s.store.Claim(t.Context(), &webhooks.Event{Signature: old, Slot: 1})
		require.NoError(t, err)
		require.True(t, isNew)
		require.Len(t, s.handled(), 3, "no listing found them again")
	})
}

func TestOneProcessLeads(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		s.startWith(20)
		first := s.stop
		leader := s.status().Leader
		s.start()
		s.start()
		require.Equal(t, 3, s.status().Processes)
		require.Equal(t, leader, s.status().Leader)
		require.Less(t, s.requests("getSignaturesForAddress"), 2*20)
		first()
		lost := s.swap(addresses(20)[7], false)
		time.Sleep(2 * time.Minute)
		require.Equal(t, []types.Signature{lost}, s.handled())
		require.Equal(t, 2, s.status().Processes)
		require.NotEqual(t, leader, s.status().Leader)
	})
}

// A transfer of tokens names the token account of the receiving wallet, and not the wallet.
func TestIncomingTokensAreFoundWithTokenAccounts(t *testing.T) {
	for accounts, found := range map[types.TokenAccountHistory]int{"": 0, types.TokenAccountHistoryChanged: 1} {
		in(t, func(t *testing.T, s *setup) {
			s.cfg.Settings.AccountAddresses = []types.Address{account}
			s.cfg.TokenAccounts = accounts
			incoming := fake.Transaction{Transfers: []fake.Transfer{{From: another, To: account, Mint: world.USDC, Amount: decimal.NewFromInt(5)}}}
			s.service.Happen(incoming) // creates the token account
			time.Sleep(time.Hour)
			s.start()
			s.service.Happen(incoming)
			time.Sleep(6 * time.Minute)
			require.Len(t, s.handled(), found)
			require.Equal(t, found == 0, s.requests("getTransactionsForAddress") == 0, "at 10 credits")
		})
	}
}
