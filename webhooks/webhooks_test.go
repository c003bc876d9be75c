package webhooks_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
)

const (
	hookID  = "582dcf85-fa9f-4c0d-93b4-1b6e4b4e7f1a"
	account = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"
	another = "DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263"
	secret  = "Bearer 6b1f8e4c9a"
)

// client returns a Client of s.
func client(t *testing.T, s *fakeapi.Service) *webhooks.Client {
	t.Helper()
	c, err := webhooks.New(s.Config())
	require.NoError(t, err)
	return c
}

// full returns settings with a value in every field.
func full() webhooks.Settings {
	return webhooks.Settings{
		URL:              "https://example.com/hooks",
		TransactionTypes: []txtype.Type{txtype.Swap, txtype.NFTSale},
		AccountAddresses: []types.Address{account, another},
		Type:             webhooks.TypeEnhanced,
		AuthHeader:       secret,
		Encoding:         types.EncodingJSONParsed,
		Outcome:          types.OutcomeAll,
	}
}

// addresses returns n different addresses.
func addresses(t *testing.T, n int) []types.Address {
	t.Helper()
	all := make([]types.Address, n)
	for i := range all {
		digits := strings.ReplaceAll(fmt.Sprintf("%06d", i), "0", "a") // base58 has no 0
		all[i] = types.Address(account[:len(account)-len(digits)] + digits)
	}
	_, err := all[n-1].Bytes()
	require.NoError(t, err)
	return all
}

func TestNewRefusesInvalidConfig(t *testing.T) {
	t.Parallel()
	_, err := webhooks.New(types.Config{})
	require.ErrorIs(t, err, types.ErrInvalid)
	_, err = webhooks.New(types.Config{APIKey: types.Key("k"), WebhooksURL: "http://example.com"})
	require.ErrorIs(t, err, types.ErrInvalid)
}

func TestWebhookFromCreateToDelete(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	c := client(t, s)
	all, err := c.Webhooks(t.Context())
	require.NoError(t, err)
	require.Empty(t, all)

	made, err := c.Create(t.Context(), full())
	require.NoError(t, err)
	require.Equal(t, full(), made.Settings)
	require.True(t, *made.Active)

	got, err := c.Get(t.Context(), made.ID)
	require.NoError(t, err)
	require.Equal(t, made, got)

	edited, err := c.Replace(t.Context(), made.ID, webhooks.Settings{
		URL: "https://example.org", Type: webhooks.TypeRaw, AccountAddresses: []types.Address{another},
	})
	require.NoError(t, err)
	require.Equal(t, made.ID, edited.ID)
	require.Empty(t, edited.AuthHeader) // an edit replaces everything
	require.Empty(t, edited.TransactionTypes)
	require.Equal(t, []types.Address{another}, edited.AccountAddresses)

	off, err := c.SetActive(t.Context(), made.ID, false)
	require.NoError(t, err)
	require.False(t, *off.Active)
	require.Equal(t, edited.Settings, off.Settings)

	all, err = c.Webhooks(t.Context())
	require.NoError(t, err)
	require.Len(t, all, 1)
	require.Equal(t, "https://example.org", all[0].URL)
	require.False(t, *all[0].Active)

	require.NoError(t, c.Delete(t.Context(), made.ID))
	_, err = c.Get(t.Context(), made.ID)
	require.ErrorIs(t, err, types.ErrNotFound)
	require.ErrorIs(t, c.Delete(t.Context(), made.ID), types.ErrNotFound)
}

func TestIDsAreUUIDs(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	c := client(t, s)
	for _, id := range []string{
		"", "x", hookID + "a", hookID[1:], "../" + hookID[3:], strings.ReplaceAll(hookID, "-", "a"),
		"582dcf85-fa9f-4c0d-93b4-1b6e4b4e7f1g", "-82dcf85-fa9f-4c0d-93b4-1b6e4b4e7f1a", "582dcf85afa9f-4c0d-93b4-1b6e4b4e7f1a",
	} {
		_, err := c.Get(t.Context(), id)
		require.EqualError(t, err, "webhooks.Client.Get: id is not a UUID: invalid argument", id)
	}
	require.Empty(t, s.Requests())
	_, err := c.Get(t.Context(), strings.ToUpper(hookID))
	require.ErrorIs(t, err, types.ErrNotFound)
}

func TestCreateIsRetriedOnlyIfNothingWasCreated(t *testing.T) {
	for status, requests := range map[int]int{429: 2, 500: 1, 502: 1, 503: 1, 408: 1} {
		synctest.Test(t, func(t *testing.T) {
			s := fakeapi.New()
			s.Answer(status, `{"error":"x"}`)
			_, err := client(t, s).Create(t.Context(), full())
			require.Equal(t, requests == 1, err != nil, status)
			require.Equal(t, requests == 1, errors.Is(err, types.ErrMayHaveExecuted), status)
			require.Len(t, s.Requests(), requests, status)
		})
	}
}

func TestDeleteWhoseResponseIsLostSucceeds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := fakeapi.New()
		c := client(t, s)
		made, err := c.Create(t.Context(), full())
		require.NoError(t, err)
		lost := true
		s.Intercept = func(w http.ResponseWriter, r *fakeapi.Incoming) bool {
			if r.Method != http.MethodDelete || !lost {
				return false
			}
			lost = false
			// the webhook is deleted, and the response lost
			s.ServeHTTP(httptest.NewRecorder(), r.Request)
			panic(http.ErrAbortHandler)
		}
		require.NoError(t, c.Delete(t.Context(), made.ID))
		_, err = c.Get(t.Context(), made.ID)
		require.ErrorIs(t, err, types.ErrNotFound)
	})
}

func TestDeleteAfterAFailedAttempt(t *testing.T) {
	for _, status := range []int{429, 500, 503, 408} {
		synctest.Test(t, func(t *testing.T) {
			s := fakeapi.New()
			s.Answer(status, "")
			err := client(t, s).Delete(t.Context(), hookID)
			require.Len(t, s.Requests(), 2)
			if status == 429 { // refused before it did anything
				require.ErrorIs(t, err, types.ErrNotFound)
			} else {
				require.NoError(t, err)
			}
		})
	}
}

func TestLargestWebhook(t *testing.T) {
	t.Parallel()
	settings := full()
	settings.AccountAddresses = addresses(t, 100_000)
	var list strings.Builder
	for i, a := range settings.AccountAddresses {
		if i > 0 {
			list.WriteString(",")
		}
		list.WriteString(strconv.Quote(string(a)))
	}
	body := `{"webhookID":"` + hookID + `","webhookURL":"https://example.com/hooks","webhookType":"enhanced","accountAddresses":[` + list.String() + `]}`
	s := fakeapi.New()
	c := client(t, s)

	s.Answer(200, body)
	made, err := c.Create(t.Context(), settings)
	require.NoError(t, err)
	require.Equal(t, settings.AccountAddresses, made.AccountAddresses)

	s.Answer(200, body)
	_, err = c.AddAddresses(t.Context(), hookID, account)
	require.EqualError(t, err, "webhooks.Client.AddAddresses: AccountAddresses has 100001 addresses; a webhook takes 100000; divide them among several webhooks: invalid argument")
	require.Len(t, s.Requests(), 2)
	require.Contains(t, s.Requests()[0].Body, `"accountAddresses":[`+list.String()+`]`)
}
