package webhooks_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
)

func TestReconcileReportsEveryDifference(t *testing.T) {
	t.Parallel()
	s, c, made := existing(t, full())
	_, err := c.SetActive(t.Context(), made.ID, false)
	require.NoError(t, err)
	third := addresses(t, 1)[0]
	d, err := c.Reconcile(t.Context(), made.ID, webhooks.Settings{
		URL: "https://example.org", Type: webhooks.TypeRaw, TransactionTypes: []txtype.Type{txtype.Any},
		AccountAddresses: []types.Address{another, third, third}, AuthHeader: "Bearer new",
		Encoding: types.EncodingBase64, Outcome: types.OutcomeFailed,
	}, nil)
	require.NoError(t, err)
	require.Equal(t, []string{
		"TransactionTypes is [SWAP NFT_SALE] instead of [ANY]",
		"URL is https://example.com/hooks instead of https://example.org",
		"Type is enhanced instead of raw",
		"AuthHeader is *** instead of ***",
		"Encoding is jsonParsed instead of base64",
		"Outcome is all instead of failed",
		"AccountAddresses: 1 missing, 1 unwanted",
		"the webhook is off",
	}, d)
	require.Equal(t, "PATCH GET", methods(s), "nothing is written without Apply")
}

// Raw webhooks deliver all types, and the service may not return the types that were set.
func TestReconcileOfARawWebhookWithoutTypes(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, `{"webhookID":"`+hookID+`","webhookURL":"https://example.org","webhookType":"raw","accountAddresses":["`+string(account)+`"]}`)
	d, err := client(t, s).Reconcile(t.Context(), hookID, webhooks.Settings{
		URL: "https://example.org", Type: webhooks.TypeRaw, TransactionTypes: []txtype.Type{txtype.Any}, AccountAddresses: []types.Address{account},
	}, &webhooks.ReconcileOptions{Apply: true})
	require.NoError(t, err)
	require.Empty(t, d)
}

func TestReconcileAppliesTheDifferences(t *testing.T) {
	t.Parallel()
	s, c, made := existing(t, full())
	_, err := c.SetActive(t.Context(), made.ID, false)
	require.NoError(t, err)
	third := addresses(t, 1)[0]
	want := webhooks.Settings{URL: "https://example.org", TransactionTypes: []txtype.Type{txtype.Any}, AccountAddresses: []types.Address{another, third}}
	d, err := c.Reconcile(t.Context(), made.ID, want, &webhooks.ReconcileOptions{Apply: true})
	require.NoError(t, err)
	require.Len(t, d, 4)
	require.Equal(t, "PATCH GET PUT GET PATCH", methods(s))
	got, err := c.Get(t.Context(), made.ID)
	require.NoError(t, err)
	settings := full()
	settings.URL, settings.TransactionTypes, settings.AccountAddresses = want.URL, want.TransactionTypes, want.AccountAddresses
	require.Equal(t, settings, got.Settings, "empty settings stay")
	require.True(t, *got.Active)

	d, err = c.Reconcile(t.Context(), made.ID, want, &webhooks.ReconcileOptions{Apply: true})
	require.NoError(t, err)
	require.Empty(t, d)
	require.Equal(t, "PATCH GET PUT GET PATCH GET GET", methods(s))
}

func TestReconcileWithUnreturnedSettings(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, `{"webhookID":"`+hookID+`","webhookURL":"https://example.com","webhookType":"raw","accountAddresses":["`+account+`"]}`)
	s.Answer(200, `{"webhookID":"`+hookID+`"}`)
	s.Answer(200, `{"webhookID":"`+hookID+`","webhookURL":"https://example.com","webhookType":"raw","accountAddresses":["`+another+`"]}`)
	want := webhooks.Settings{AccountAddresses: []types.Address{another}, Outcome: types.OutcomeFailed}
	d, err := client(t, s).Reconcile(t.Context(), hookID, want, &webhooks.ReconcileOptions{Apply: true})
	require.NoError(t, err)
	require.Equal(t, []string{"AccountAddresses: 1 missing, 1 unwanted"}, d, "the rest is unknown")
	require.Contains(t, s.Requests()[1].Body, `"txnStatus":"failed"`)
}

func TestReconcileRefusesAnEmptyList(t *testing.T) {
	t.Parallel()
	s, c, made := existing(t, full())
	for says, list := range map[string][]types.Address{
		"AccountAddresses is empty, and the service wants at least one; use Delete or SetActive instead":    nil,
		`AccountAddresses[0] "x": address has length 1, not 32 to 44`:                                       {"x"},
		"AccountAddresses has 100001 addresses; a webhook takes 100000; divide them among several webhooks": make([]types.Address, 100_001),
	} {
		d, err := c.Reconcile(t.Context(), made.ID, webhooks.Settings{AccountAddresses: list}, &webhooks.ReconcileOptions{Apply: true})
		require.EqualError(t, err, "webhooks.Client.Reconcile: "+says+": invalid argument")
		require.Nil(t, d)
	}
	require.Empty(t, methods(s))
}
