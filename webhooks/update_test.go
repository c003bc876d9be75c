package webhooks_test

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
)

// existing returns a client and the webhook that there is.
func existing(t *testing.T, settings webhooks.Settings) (*fake.Service, *webhooks.Client, *webhooks.Webhook) {
	t.Helper()
	s := fake.New()
	c := client(t, s)
	made, err := c.Create(t.Context(), settings)
	require.NoError(t, err)
	return s, c, made
}

// methods returns those of the requests after the create.
func methods(s *fake.Service) string {
	var all []string
	for _, r := range s.Requests()[1:] {
		all = append(all, r.Method)
	}
	return strings.Join(all, " ")
}

func TestUpdateCarriesEveryFieldOver(t *testing.T) {
	t.Parallel()
	settings := full()
	settings.TxnStatus = webhooks.Failed
	s, c, made := existing(t, settings)
	_, err := c.SetActive(t.Context(), made.ID, false)
	require.NoError(t, err)
	w, err := c.Update(t.Context(), made.ID, func(s *webhooks.Settings) error {
		s.URL = "https://example.org/new"
		return nil
	})
	require.NoError(t, err)
	settings.URL = "https://example.org/new"
	require.Equal(t, settings, w.Settings)
	require.False(t, *w.Active)
	require.Equal(t, "PATCH GET PUT", methods(s))
	require.Equal(t, `{"webhookURL":"https://example.org/new","transactionTypes":["SWAP","NFT_SALE"],"accountAddresses":["`+account+`","`+another+`"],`+
		`"webhookType":"enhanced","encoding":"jsonParsed","txnStatus":"failed","authHeader":"Bearer 6b1f8e4c9a"}`, s.Requests()[3].Body)
	got, err := c.Get(t.Context(), made.ID)
	require.NoError(t, err)
	require.Equal(t, w, got)
}

func TestUpdateWithoutADifferenceWritesNothing(t *testing.T) {
	t.Parallel()
	s, c, made := existing(t, full())
	w, err := c.Update(t.Context(), made.ID, func(s *webhooks.Settings) error {
		s.AccountAddresses = slices.Clone(s.AccountAddresses)
		s.URL = strings.Clone(s.URL)
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, made, w)
	require.Equal(t, "GET", methods(s))
}

// Each field for itself is a difference; so a new field cannot be forgotten.
func TestUpdateSeesAChangeOfAnyField(t *testing.T) {
	t.Parallel()
	fields := reflect.TypeFor[webhooks.Settings]()
	for i := range fields.NumField() {
		s, c, made := existing(t, full())
		_, err := c.Update(t.Context(), made.ID, func(s *webhooks.Settings) error {
			switch f := reflect.ValueOf(s).Elem().Field(i); f.Kind() {
			case reflect.Slice:
				f.Set(f.Slice(1, 2))
			default:
				f.SetString("x" + f.String()) // the fake may refuse it: it was sent, and that counts
			}
			return nil
		})
		if err != nil {
			require.ErrorAs(t, err, new(*types.APIError), fields.Field(i).Name)
		}
		require.Equal(t, "GET PUT", methods(s), fields.Field(i).Name)
	}
}

func TestUpdateSeesAChangeInPlace(t *testing.T) {
	t.Parallel()
	s, c, made := existing(t, full())
	w, err := c.Update(t.Context(), made.ID, func(s *webhooks.Settings) error {
		s.AccountAddresses[0], s.AccountAddresses[1] = s.AccountAddresses[1], s.AccountAddresses[0]
		s.TransactionTypes[0] = txtype.Any
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, []types.Address{another, account}, w.AccountAddresses)
	require.Equal(t, []txtype.Type{txtype.Any, txtype.NFTSale}, w.TransactionTypes)
	require.Equal(t, "GET PUT", methods(s))
}

func TestUpdateEndsWithTheErrorOfTheChange(t *testing.T) {
	t.Parallel()
	s, c, made := existing(t, full())
	mine := errors.New("not today")
	w, err := c.Update(t.Context(), made.ID, func(s *webhooks.Settings) error {
		s.URL = "https://example.org"
		return mine
	})
	require.Equal(t, mine, err)
	require.Nil(t, w)
	require.Equal(t, "GET", methods(s))
	require.Zero(t, webhooks.Locked(c))
}

func TestUpdateChecksAfterTheChange(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*webhooks.Settings){
		"URL":       func(s *webhooks.Settings) { s.URL = "" },
		"type":      func(s *webhooks.Settings) { s.Type = "" },
		"address":   func(s *webhooks.Settings) { s.AccountAddresses = append(s.AccountAddresses, "x") },
		"none":      func(s *webhooks.Settings) { s.AccountAddresses = nil },
		"too many":  func(s *webhooks.Settings) { s.AccountAddresses = make([]types.Address, 100_001) },
		"is masked": func(s *webhooks.Settings) { s.AuthHeader = "***" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, c, made := existing(t, full())
			_, err := c.Update(t.Context(), made.ID, func(s *webhooks.Settings) error {
				change(s)
				return nil
			})
			require.ErrorIs(t, err, types.ErrInvalid)
			require.Equal(t, "GET", methods(s))
		})
	}
}

func TestUpdateDoesNotJudgeAddressesThatWereThere(t *testing.T) {
	t.Parallel()
	s := fake.New()
	s.Answer(200, golden(t, "webhook.json")) // has an entry that is no address
	s.Answer(200, golden(t, "webhook.json"))
	_, err := client(t, s).AddAddresses(t.Context(), hookID, another)
	require.NoError(t, err)
	require.Contains(t, s.Requests()[1].Body, `"accountAddresses":["`+account+`","an odd entry","`+another+`"]`)
}

func TestUpdateWritesNothingWhenAddressesAreMissing(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"webhookID":"` + hookID + `","webhookURL":"https://example.com","webhookType":"raw"}`,
		`{"webhookID":"` + hookID + `","webhookURL":"https://example.com","webhookType":"raw","accountAddresses":null}`,
	} {
		s := fake.New()
		s.Answer(200, body)
		_, err := client(t, s).AddAddresses(t.Context(), hookID, another)
		require.EqualError(t, err, "GET /v0/webhooks/"+hookID+": answer has no accountAddresses")
		require.Len(t, s.Requests(), 1)
	}
}

func TestConcurrentUpdatesLoseNothing(t *testing.T) {
	t.Parallel()
	s, c, made := existing(t, full())
	more := addresses(t, 40)
	var wg sync.WaitGroup
	for i, a := range more {
		wg.Go(func() {
			var err error
			switch i % 4 {
			case 3:
				_, err = c.SetActive(t.Context(), made.ID, i%8 == 0)
			default:
				_, err = c.AddAddresses(t.Context(), made.ID, a)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	w, err := c.Get(t.Context(), made.ID)
	require.NoError(t, err)
	want := []types.Address{account, another}
	for i, a := range more {
		if i%4 != 3 {
			want = append(want, a)
		}
	}
	require.ElementsMatch(t, want, w.AccountAddresses)
	require.Zero(t, webhooks.Locked(c))
	require.Equal(t, 30, strings.Count(methods(s), "GET PUT"), methods(s)) // never two between each other
}

func TestChangesOfOneWebhookWaitForEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c, made := existing(t, full())
		other, err := c.Create(t.Context(), full())
		require.NoError(t, err)
		s.Before = func(http.ResponseWriter, *http.Request) bool {
			time.Sleep(time.Second)
			return false
		}
		start := time.Now()
		var wg sync.WaitGroup
		took := map[string]*time.Duration{}
		for name, call := range map[string]func() error{
			"update": func() error {
				_, err := c.Update(t.Context(), made.ID, func(s *webhooks.Settings) error { s.URL += "/x"; return nil })
				return err
			},
			"edit":   func() error { _, err := c.Edit(t.Context(), made.ID, full()); return err },
			"toggle": func() error { _, err := c.SetActive(t.Context(), made.ID, false); return err },
			"upper": func() error {
				_, err := c.SetActive(t.Context(), strings.ToUpper(made.ID), false)
				return ignoreNotFound(err)
			},
			"other": func() error { return c.Delete(t.Context(), other.ID) },
			"get":   func() error { _, err := c.Get(t.Context(), made.ID); return err },
		} {
			d := new(time.Duration)
			took[name] = d
			wg.Go(func() {
				if err := call(); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				*d = time.Since(start)
			})
		}
		wg.Wait()
		require.Equal(t, 5*time.Second, max(*took["update"], *took["edit"], *took["toggle"], *took["upper"]))
		require.Equal(t, time.Second, *took["other"])
		require.Equal(t, time.Second, *took["get"])
		require.Zero(t, webhooks.Locked(c))
	})
}

// ignoreNotFound drops what the fake, which compares IDs as they are, says of
// one in upper case.
func ignoreNotFound(err error) error {
	if errors.Is(err, types.ErrNotFound) {
		return nil
	}
	return err
}

func TestWaitingForAnotherChangeEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c, made := existing(t, full())
		release := make(chan struct{})
		s.Before = func(http.ResponseWriter, *http.Request) bool {
			<-release
			return false
		}
		var wg sync.WaitGroup
		wg.Go(func() { _, _ = c.SetActive(t.Context(), made.ID, true) })
		synctest.Wait()

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		_, err := c.AddAddresses(ctx, made.ID, another)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.EqualError(t, err, "GET /v0/webhooks/"+made.ID+": waiting for another change of the webhook: context deadline exceeded")
		require.Equal(t, time.Second, time.Since(start))

		mine := errors.New("mine")
		canceled, stop := context.WithCancelCause(t.Context())
		stop(mine)
		err = c.Delete(canceled, made.ID)
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, err, mine)
		require.EqualError(t, err, "DELETE /v0/webhooks/"+made.ID+": waiting for another change of the webhook: context canceled: mine")

		require.Equal(t, 1, webhooks.Locked(c))
		require.Equal(t, "PATCH", methods(s))
		close(release)
		wg.Wait()
		require.Zero(t, webhooks.Locked(c))
	})
}
