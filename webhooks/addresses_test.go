package webhooks_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
)

func TestAddAddresses(t *testing.T) {
	t.Parallel()
	third := addresses(t, 1)[0]
	settings := full()
	settings.AccountAddresses = []types.Address{account, another, account}
	for name, row := range map[string]struct {
		add  []types.Address
		want []types.Address
		sent string
	}{
		"new":        {[]types.Address{third}, []types.Address{account, another, third}, "GET PUT"},
		"new, twice": {[]types.Address{third, another, third}, []types.Address{account, another, third}, "GET PUT"},
		"known":      {[]types.Address{another, account}, []types.Address{account, another, account}, "GET"},
		"none":       {nil, []types.Address{account, another, account}, "GET"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, c, made := existing(t, settings)
			w, err := c.AddAddresses(t.Context(), made.ID, row.add...)
			require.NoError(t, err)
			require.Equal(t, row.want, w.AccountAddresses)
			require.Equal(t, row.sent, methods(s))
		})
	}
	s, c, made := existing(t, settings)
	_, err := c.AddAddresses(t.Context(), made.ID, account, "x")
	require.EqualError(t, err, "addresses[1]: address: 1 characters instead of 32 to 44: invalid")
	require.Empty(t, methods(s))
}

func TestRemoveAddresses(t *testing.T) {
	t.Parallel()
	third := addresses(t, 1)[0]
	settings := full()
	settings.AccountAddresses = []types.Address{account, another, third, account}
	s, c, made := existing(t, settings)
	w, err := c.RemoveAddresses(t.Context(), made.ID, account)
	require.NoError(t, err)
	require.Equal(t, []types.Address{another, third}, w.AccountAddresses)
	require.Equal(t, "GET PUT", methods(s))

	w, err = c.RemoveAddresses(t.Context(), made.ID, account)
	require.NoError(t, err)
	require.Equal(t, []types.Address{another, third}, w.AccountAddresses)
	require.Equal(t, "GET PUT GET", methods(s))

	_, err = c.RemoveAddresses(t.Context(), made.ID, third, another)
	require.ErrorIs(t, err, types.ErrInvalid)
	require.EqualError(t, err, "AccountAddresses: none, but the service wants at least one; use Delete or SetActive instead: invalid")
	require.Equal(t, "GET PUT GET GET", methods(s))

	_, err = c.RemoveAddresses(t.Context(), made.ID, third, "x")
	require.EqualError(t, err, "addresses[1]: address: 1 characters instead of 32 to 44: invalid")
	require.Equal(t, "GET PUT GET GET GET", methods(s)) // whether the webhook has it, only the service can tell
}

func TestRemoveAddressesDropsDuplicates(t *testing.T) {
	t.Parallel()
	third := addresses(t, 1)[0]
	settings := full()
	settings.AccountAddresses = []types.Address{account, another, third, account}
	s, c, made := existing(t, settings)
	w, err := c.RemoveAddresses(t.Context(), made.ID, another)
	require.NoError(t, err)
	require.Equal(t, []types.Address{account, third}, w.AccountAddresses)
	require.Equal(t, "GET PUT", methods(s))
}

func TestRemoveAddressesTakesAnOddOneThatIsThere(t *testing.T) {
	t.Parallel()
	s := fake.New()
	s.Answer(200, golden(t, "webhook.json")) // has an entry that is no address
	s.Answer(200, golden(t, "webhook.json"))
	_, err := client(t, s).RemoveAddresses(t.Context(), hookID, "an odd entry")
	require.NoError(t, err)
	require.Contains(t, s.Requests()[1].Body, `"accountAddresses":["`+account+`"]`)
}
