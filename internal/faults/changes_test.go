package faults_test

import (
	"context"
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

// A change is an operation on the webhooks of an account that has one.
type change struct {
	name     string
	requests int // each of which may meet a fault
	run      func(ctx context.Context, c *webhooks.Client, id string) error
	after    string // the webhooks after it, as returned by account
}

var settings = webhooks.Settings{
	URL:              "https://example.test/hook",
	TransactionTypes: []txtype.Type{txtype.NFTSale},
	AccountAddresses: []types.Address{fakeapi.Wallet, fakeapi.Owner},
	Type:             webhooks.TypeEnhanced,
	AuthHeader:       "a secret",
}

const (
	before = "https://example.test/hook true " + fakeapi.Wallet + " " + fakeapi.Owner
	other  = "https://example.test/other true " + fakeapi.Delegate
)

var changes = []change{
	{"create", 1, func(ctx context.Context, c *webhooks.Client, _ string) error {
		_, err := c.Create(ctx, webhooks.Settings{URL: "https://example.test/other", Type: webhooks.TypeRaw, AccountAddresses: []types.Address{fakeapi.Delegate}})
		return err
	}, before + "\n" + other},
	{"edit", 1, func(ctx context.Context, c *webhooks.Client, id string) error {
		_, err := c.Replace(ctx, id, webhooks.Settings{URL: "https://example.test/other", Type: webhooks.TypeRaw, AccountAddresses: []types.Address{fakeapi.Delegate}})
		return err
	}, other},
	{"add an address", 2, func(ctx context.Context, c *webhooks.Client, id string) error {
		_, err := c.AddAddresses(ctx, id, fakeapi.Delegate)
		return err
	}, before + " " + fakeapi.Delegate},
	{"remove an address", 2, func(ctx context.Context, c *webhooks.Client, id string) error {
		_, err := c.RemoveAddresses(ctx, id, fakeapi.Owner)
		return err
	}, strings.TrimSuffix(before, " "+fakeapi.Owner)},
	{"switch off", 1, func(ctx context.Context, c *webhooks.Client, id string) error {
		_, err := c.SetActive(ctx, id, false)
		return err
	}, strings.Replace(before, "true", "false", 1)},
	{"delete", 1, func(ctx context.Context, c *webhooks.Client, id string) error { return c.Delete(ctx, id) }, ""},
}

// account returns the webhooks of the account, one per line.
func account(t *testing.T, c *webhooks.Client) (id, all string) {
	t.Helper()
	list, err := c.Webhooks(t.Context())
	require.NoError(t, err)
	var lines []string
	for _, w := range list {
		words := []string{w.URL, "false"}
		if *w.Active {
			words[1] = "true"
		}
		for _, a := range w.AccountAddresses {
			words = append(words, string(a))
		}
		lines = append(lines, strings.Join(words, " "))
		id = w.ID
	}
	slices.Sort(lines)
	return id, strings.Join(lines, "\n")
}

// Whatever fails, a change is made completely or not at all, and never twice. A call
// without an error has made its change.
func TestChangesAreMadeOnceOrNotAtAll(t *testing.T) {
	t.Parallel()
	for i := range changes {
		for j := range kinds {
			ch, k := &changes[i], &kinds[j]
			t.Run(ch.name+"/"+k.name, func(t *testing.T) {
				t.Parallel()
				for at := range ch.requests {
					synctest.Test(t, func(t *testing.T) { meddle(t, ch, k, at) })
				}
			})
		}
	}
}

func meddle(t *testing.T, ch *change, k *kind, at int) {
	t.Helper()
	w := inPipes(t)
	c := connect(t, w.config()).webhooks
	_, err := c.Create(t.Context(), settings)
	require.NoError(t, err)
	id, now := account(t, c)
	require.Equal(t, before, now)

	var walk places
	w.plan = func(a *asked) *kind {
		if request, try := walk.of(a); request == at && try == 0 {
			return k
		}
		return nil
	}
	handed := w.handed.Load()
	err = ch.run(t.Context(), c, id)
	w.err(err)
	handed = w.handed.Load() - handed
	w.plan = nil

	_, now = account(t, c)
	if err == nil || now != before {
		require.Equal(t, ch.after, now, err)
	}
	switch {
	case ch.name == "create" && (!k.has(unacted) || k.has(behind)):
		require.EqualValues(t, 1, handed, "the service may have made it already")
	case k.has(passes):
		require.NoError(t, err)
	}
}
