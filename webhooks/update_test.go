package webhooks_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
)

// existing returns a webhook with settings, and a Client and the service that has it.
func existing(t *testing.T, settings webhooks.Settings) (*fakeapi.Service, *webhooks.Client, *webhooks.Webhook) {
	t.Helper()
	s := fakeapi.New()
	c := client(t, s)
	made, err := c.Create(t.Context(), settings)
	require.NoError(t, err)
	return s, c, made
}

// methods returns the HTTP methods of the requests after the first one.
func methods(s *fakeapi.Service) string {
	var all []string
	for _, r := range s.Requests()[1:] {
		all = append(all, r.Method)
	}
	return strings.Join(all, " ")
}

func TestUpdateKeepsOtherSettings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		settings := full()
		settings.Outcome = types.OutcomeFailed
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
		require.Equal(t, "PATCH GET PUT GET", methods(s))
		require.Equal(t, `{"webhookURL":"https://example.org/new","transactionTypes":["SWAP","NFT_SALE"],"accountAddresses":["`+account+`","`+another+`"],`+
			`"webhookType":"enhanced","encoding":"jsonParsed","txnStatus":"failed","authHeader":"Bearer 6b1f8e4c9a"}`, s.Requests()[3].Body)
		got, err := c.Get(t.Context(), made.ID)
		require.NoError(t, err)
		require.Equal(t, w, got)
	})
}

func TestUpdateWithoutChangeWritesNothing(t *testing.T) {
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

// A field that Settings gets later is tested too.
func TestUpdateWritesAChangeOfAnyField(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fields := reflect.TypeFor[webhooks.Settings]()
		for i := range fields.NumField() {
			s, c, made := existing(t, full())
			_, err := c.Update(t.Context(), made.ID, func(s *webhooks.Settings) error {
				switch f := reflect.ValueOf(s).Elem().Field(i); f.Kind() {
				case reflect.Slice:
					f.Set(f.Slice(1, 2))
				default:
					f.SetString("x" + f.String()) // the fake may refuse it
				}
				return nil
			})
			if err != nil {
				require.ErrorAs(t, err, new(*types.APIError), fields.Field(i).Name)
			}
			require.True(t, strings.HasPrefix(methods(s), "GET PUT"), fields.Field(i).Name)
		}
	})
}

func TestUpdateWritesAChangeInPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c, made := existing(t, full())
		w, err := c.Update(t.Context(), made.ID, func(s *webhooks.Settings) error {
			s.AccountAddresses[0], s.AccountAddresses[1] = s.AccountAddresses[1], s.AccountAddresses[0]
			s.TransactionTypes[0] = txtype.Any
			return nil
		})
		require.NoError(t, err)
		require.Equal(t, []types.Address{another, account}, w.AccountAddresses)
		require.Equal(t, []txtype.Type{txtype.Any, txtype.NFTSale}, w.TransactionTypes)
		require.Equal(t, "GET PUT GET", methods(s))
	})
}

func TestErrorOfChangeIsReturned(t *testing.T) {
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

func TestUpdateRefusesInvalidSettings(t *testing.T) {
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

func TestUpdateAcceptsWhatTheWebhookHas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := fakeapi.New()
		answer := func(addresses string) {
			s.Answer(200, `{"webhookID":"`+hookID+`","webhookURL":"https://example.com","webhookType":"raw","txnStatus":"all","encoding":"json",
				"accountAddresses":[`+addresses+`],"authHeader":" x"}`)
		}
		before, after := `"`+account+`","an odd entry"`, `"`+account+`","an odd entry","`+another+`"`
		for _, addresses := range []string{before, before, after} {
			answer(addresses)
		}
		c := client(t, s)
		_, err := c.AddAddresses(t.Context(), hookID, another)
		require.NoError(t, err)
		require.Contains(t, s.Requests()[1].Body, `"accountAddresses":[`+after+`]`)
		require.Contains(t, s.Requests()[1].Body, `"authHeader":" x"`)
		for _, addresses := range []string{before, before, `"` + account + `"`} {
			answer(addresses)
		}
		_, err = c.RemoveAddresses(t.Context(), hookID, "an odd entry")
		require.NoError(t, err)
		require.Contains(t, s.Requests()[4].Body, `"accountAddresses":["`+account+`"]`)
	})
}

func TestUpdateKeepsSettingsThatTheServiceDoesNotReturn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := fakeapi.New()
		answer := func(times int, addresses string) {
			for range times {
				s.Answer(200, `{"webhookID":"`+hookID+`","webhookURL":"https://example.com/hooks","webhookType":"raw","accountAddresses":[`+addresses+`]}`)
			}
		}
		one, two := `"`+account+`"`, `"`+account+`","`+another+`"`
		settings := webhooks.Settings{
			URL: "https://example.com/hooks", Type: webhooks.TypeRaw, AccountAddresses: []types.Address{account},
			Encoding: types.EncodingBase64, Outcome: types.OutcomeFailed,
		}
		c := client(t, s)
		answer(3, one)
		answer(1, two)
		_, err := c.Create(t.Context(), settings)
		require.NoError(t, err)
		_, err = c.AddAddresses(t.Context(), strings.ToUpper(hookID), another)
		require.NoError(t, err)
		require.Contains(t, s.Requests()[2].Body, `"encoding":"base64","txnStatus":"failed"`)

		settings.Outcome = ""
		answer(4, one)
		_, err = c.Replace(t.Context(), hookID, settings)
		require.NoError(t, err)
		_, err = c.Update(t.Context(), hookID, func(s *webhooks.Settings) error {
			require.Equal(t, types.EncodingBase64, s.Encoding)
			require.Empty(t, s.Outcome, "Replace reset it")
			s.Outcome = types.OutcomeSucceeded
			return nil
		})
		require.NoError(t, err)
		require.Contains(t, s.Requests()[6].Body, `"encoding":"base64","txnStatus":"success"`)

		other := client(t, s) // does not know them
		answer(2, one)
		answer(1, two)
		_, err = other.AddAddresses(t.Context(), hookID, another)
		require.NoError(t, err)
		require.NotContains(t, s.Requests()[9].Body, "encoding")
	})
}

func TestUpdateNeedsTheAddressesOfTheWebhook(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"webhookID":"` + hookID + `","webhookURL":"https://example.com","webhookType":"raw"}`,
		`{"webhookID":"` + hookID + `","webhookURL":"https://example.com","webhookType":"raw","accountAddresses":null}`,
	} {
		s := fakeapi.New()
		s.Answer(200, body)
		_, err := client(t, s).AddAddresses(t.Context(), hookID, another)
		require.EqualError(t, err, "GET /v0/webhooks/{webhookID} of 582dcf85-fa9f-4c0d-93b4-1b6e4b4e7f1a: the response has no accountAddresses")
		require.Len(t, s.Requests(), 1)
	}
}

func TestUpdateRefusesInvalidArguments(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	c := client(t, s)
	_, err := c.Update(t.Context(), hookID, nil)
	require.EqualError(t, err, "webhooks.Client.Update: change is nil: invalid argument")
	_, err = c.Update(t.Context(), "x", func(*webhooks.Settings) error { return nil })
	require.EqualError(t, err, "webhooks.Client.Update: id is not a UUID: invalid argument")
	_, err = c.AddAddresses(nil, hookID, account) //nolint:staticcheck // nil is the case
	require.EqualError(t, err, "webhooks.Client.AddAddresses: ctx is nil: invalid argument")
	_, err = c.RemoveAddresses(t.Context(), "x", account)
	require.EqualError(t, err, "webhooks.Client.RemoveAddresses: id is not a UUID: invalid argument")
	require.Empty(t, s.Requests())
	require.Zero(t, webhooks.Locked(c))
}

func TestAddAddresses(t *testing.T) {
	t.Parallel()
	third := addresses(t, 1)[0]
	settings := full()
	settings.AccountAddresses = []types.Address{account, another}
	for name, row := range map[string]struct {
		add  []types.Address
		want []types.Address
		sent string
	}{
		"new":        {[]types.Address{third}, []types.Address{account, another, third}, "GET PUT GET"},
		"new, twice": {[]types.Address{third, another, third}, []types.Address{account, another, third}, "GET PUT GET"},
		"known":      {[]types.Address{another, account}, []types.Address{account, another}, "GET"},
		"none":       {nil, []types.Address{account, another}, "GET"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, c, made := existing(t, settings)
				w, err := c.AddAddresses(t.Context(), made.ID, row.add...)
				require.NoError(t, err)
				require.Equal(t, row.want, w.AccountAddresses)
				require.Equal(t, row.sent, methods(s))
			})
		})
	}
	s, c, made := existing(t, settings)
	_, err := c.AddAddresses(t.Context(), made.ID, account, "x")
	require.EqualError(t, err, `webhooks.Client.AddAddresses: addresses[1] "x": address has length 1, not 32 to 44: invalid argument`)
	require.Empty(t, methods(s))
}

func TestRemoveAddresses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		third := addresses(t, 1)[0]
		settings := full()
		settings.AccountAddresses = []types.Address{account, another, third, account}
		s, c, made := existing(t, settings)
		w, err := c.RemoveAddresses(t.Context(), made.ID, another)
		require.NoError(t, err)
		require.Equal(t, []types.Address{account, third}, w.AccountAddresses, "without duplicates")
		require.Equal(t, "GET PUT GET", methods(s))

		s, c, made = existing(t, settings)
		w, err = c.RemoveAddresses(t.Context(), made.ID, account)
		require.NoError(t, err)
		require.Equal(t, []types.Address{another, third}, w.AccountAddresses)
		require.Equal(t, "GET PUT GET", methods(s))

		w, err = c.RemoveAddresses(t.Context(), made.ID, account)
		require.NoError(t, err)
		require.Equal(t, []types.Address{another, third}, w.AccountAddresses)
		require.Equal(t, "GET PUT GET GET", methods(s))

		_, err = c.RemoveAddresses(t.Context(), made.ID, third, another)
		require.ErrorIs(t, err, types.ErrInvalid)
		require.EqualError(t, err, "webhooks.Client.RemoveAddresses: AccountAddresses is empty, and the service wants at least one; use Delete or SetActive instead: invalid argument")
		require.Equal(t, "GET PUT GET GET GET", methods(s))

		_, err = c.RemoveAddresses(t.Context(), made.ID, third, "x")
		require.EqualError(t, err, `webhooks.Client.RemoveAddresses: addresses[1] "x": address has length 1, not 32 to 44: invalid argument`)
		// whether the webhook has it, only the service can tell
		require.Equal(t, "GET PUT GET GET GET GET", methods(s))
	})
}
