package webhooks_test

import (
	"strings"
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
	third := addresses(t, 1)[0]
	want := webhooks.Wanted{Inactive: true, Settings: webhooks.Settings{
		URL: "https://example.org", Type: webhooks.TypeRaw, TransactionTypes: []txtype.Type{txtype.Any},
		AccountAddresses: []types.Address{another, third, third}, AuthHeader: "Bearer new",
		Encoding: types.EncodingBase64, Outcome: types.OutcomeFailed,
	}}
	d, err := c.Reconcile(t.Context(), made.ID, want, nil)
	require.NoError(t, err)
	require.False(t, d.Empty())
	require.Equal(t, &webhooks.Differences{
		Missing:  []types.Address{third},
		Unwanted: []types.Address{account},
		Settings: []webhooks.Difference{
			{"URL", "https://example.com/hooks", "https://example.org"},
			{"TransactionTypes", "[SWAP NFT_SALE]", "[ANY]"},
			{"Type", "enhanced", "raw"},
			{"AuthHeader", "***", "***"},
			{"Encoding", "jsonParsed", "base64"},
			{"Outcome", "all", "failed"},
		},
		ActiveDiffers: true,
	}, d)
	require.Equal(t, 9, strings.Count(d.String(), "\n")+1)
	require.Contains(t, d.String(), `URL is "https://example.com/hooks" instead of "https://example.org"`)
	require.Contains(t, d.String(), "AuthHeader differs")
	require.Equal(t, "GET", methods(s), "nothing is written without Apply")
}

// Raw webhooks deliver all types, and the service may not return the types that were set.
func TestReconcileOfARawWebhookWithoutTypes(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, `{"webhookID":"`+hookID+`","webhookURL":"https://example.org","webhookType":"raw","accountAddresses":["`+string(account)+`"]}`)
	d, err := client(t, s).Reconcile(t.Context(), hookID, webhooks.Wanted{Settings: webhooks.Settings{
		URL: "https://example.org", Type: webhooks.TypeRaw, TransactionTypes: []txtype.Type{txtype.Any}, AccountAddresses: []types.Address{account},
	}}, &webhooks.ReconcileOptions{Apply: true})
	require.NoError(t, err)
	require.True(t, d.Empty(), d.String())
}

func TestReconcileAppliesTheDifferences(t *testing.T) {
	t.Parallel()
	s, c, made := existing(t, full())
	third := addresses(t, 1)[0]
	want := webhooks.Wanted{Inactive: true, Settings: webhooks.Settings{
		URL: "https://example.org", TransactionTypes: []txtype.Type{txtype.Any}, AccountAddresses: []types.Address{another, third},
	}}
	d, err := c.Reconcile(t.Context(), made.ID, want, &webhooks.ReconcileOptions{Apply: true})
	require.NoError(t, err)
	require.False(t, d.Empty(), "those that it removed")
	require.Equal(t, "GET PUT GET PATCH", methods(s))
	got, err := c.Get(t.Context(), made.ID)
	require.NoError(t, err)
	settings := full()
	settings.URL, settings.TransactionTypes, settings.AccountAddresses = want.URL, want.TransactionTypes, want.AccountAddresses
	require.Equal(t, settings, got.Settings, "empty settings stay")
	require.False(t, *got.Active)

	d, err = c.Reconcile(t.Context(), made.ID, want, &webhooks.ReconcileOptions{Apply: true})
	require.NoError(t, err)
	require.True(t, d.Empty())
	require.Equal(t, "no differences", d.String())
	require.Equal(t, "GET PUT GET PATCH GET GET", methods(s))

	want.Inactive = false
	_, err = c.Reconcile(t.Context(), made.ID, want, &webhooks.ReconcileOptions{Apply: true})
	require.NoError(t, err)
	require.Equal(t, "GET PUT GET PATCH GET GET GET PATCH", methods(s))
}

func TestReconcileKeepsOtherAddresses(t *testing.T) {
	t.Parallel()
	_, c, made := existing(t, full())
	third := addresses(t, 1)[0]
	want := webhooks.Wanted{Settings: webhooks.Settings{AccountAddresses: []types.Address{third}}}
	d, err := c.Reconcile(t.Context(), made.ID, want, &webhooks.ReconcileOptions{Apply: true, AddOnly: true})
	require.NoError(t, err)
	require.Equal(t, &webhooks.Differences{Missing: []types.Address{third}}, d)
	got, err := c.Get(t.Context(), made.ID)
	require.NoError(t, err)
	require.Equal(t, []types.Address{account, another, third}, got.AccountAddresses)
}

func TestReconcileWithUnreturnedSettings(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, `{"webhookID":"`+hookID+`","webhookURL":"https://example.com","webhookType":"raw","accountAddresses":["`+account+`"]}`)
	s.Answer(200, `{"webhookID":"`+hookID+`"}`)
	s.Answer(200, `{"webhookID":"`+hookID+`","webhookURL":"https://example.com","webhookType":"raw","accountAddresses":["`+another+`"]}`)
	d, err := client(t, s).Reconcile(t.Context(), hookID,
		webhooks.Wanted{Inactive: true, Settings: webhooks.Settings{AccountAddresses: []types.Address{another}, Outcome: types.OutcomeFailed}},
		&webhooks.ReconcileOptions{Apply: true})
	require.NoError(t, err)
	require.Equal(t, &webhooks.Differences{Missing: []types.Address{another}, Unwanted: []types.Address{account}}, d, "the rest is unknown")
	require.Contains(t, s.Requests()[1].Body, `"txnStatus":"failed"`)
}

func TestReconcileRefusesAnEmptyList(t *testing.T) {
	t.Parallel()
	s, c, made := existing(t, full())
	for says, list := range map[string][]types.Address{
		"AccountAddresses is empty, and the service wants at least one; use Delete or SetActive instead":              nil,
		`AccountAddresses[0] "x": address has length 1, not 32 to 44`:                                                 {"x"},
		"AccountAddresses has 100001 addresses; a webhook takes 100000; divide them among webhooks with the same URL": make([]types.Address, 100_001),
	} {
		d, err := c.Reconcile(t.Context(), made.ID, webhooks.Wanted{Settings: webhooks.Settings{AccountAddresses: list}}, &webhooks.ReconcileOptions{Apply: true})
		require.EqualError(t, err, "webhooks.Client.Reconcile: "+says+": invalid argument")
		require.Nil(t, d)
	}
	require.Empty(t, methods(s))
}
