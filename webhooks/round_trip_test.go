package webhooks_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
)

// From the create to the handler and back: what the fake delivers goes to the
// URL of the webhook with its secret, as the service would send it.
func TestRoundTrip(t *testing.T) {
	for _, kind := range []webhooks.Type{webhooks.Enhanced, webhooks.Raw} {
		for name, row := range map[string]struct {
			courier  fake.Courier
			secret   webhooks.Secret // of the receiver
			failures int             // of the first event
			calls    int
			report   fake.Report
		}{
			"each event":        {fake.Courier{}, secret, 0, 4, fake.Report{Acknowledged: 4, Tries: 4}},
			"all in one post":   {fake.Courier{Group: 4}, secret, 0, 4, fake.Report{Acknowledged: 4, Tries: 1}},
			"duplicates":        {fake.Courier{Duplicate: 1, Parallel: 8}, secret, 0, 4, fake.Report{Acknowledged: 8, Tries: 8}},
			"retries":           {fake.Courier{}, secret, 3, 7, fake.Report{Acknowledged: 4, Tries: 7}},
			"retries of a list": {fake.Courier{Group: 4}, secret, 3, 7, fake.Report{Acknowledged: 4, Tries: 4}},
			"too many retries":  {fake.Courier{}, secret, 4, 7, fake.Report{Acknowledged: 3, Tries: 7, Lost: []string{fake.SwapEvent(0, account).Signature}}},
			"dropped":           {fake.Courier{Drop: 4}, secret, 0, 3, fake.Report{Acknowledged: 3, Tries: 3, Dropped: []string{fake.SwapEvent(6, account).Signature}}},
			"other secret":      {fake.Courier{Group: 4}, "other", 0, 0, fake.Report{Tries: 4, Lost: signatures(swaps())}},
		} {
			t.Run(string(kind)+", "+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := fake.New()
					_, err := client(t, s).Create(t.Context(), webhooks.Settings{
						URL: "https://example.com/hook", Type: kind, AuthHeader: secret,
						TransactionTypes: []txtype.Type{txtype.Swap}, AccountAddresses: []types.Address{account},
					})
					require.NoError(t, err)
					failures := row.failures
					r, got := receiver(t, webhooks.ReceiverConfig{
						Secrets: []webhooks.Secret{row.secret},
						Handle: func(_ context.Context, e *webhooks.Event) error {
							if e.Signature == types.Signature(fake.SwapEvent(0, account).Signature) && failures > 0 {
								failures--
								return errors.New("not now")
							}
							return nil
						},
					})
					row.courier.Service, row.courier.Client = s, &http.Client{Transport: fake.Handler(r)}
					require.Equal(t, row.report, row.courier.Deliver(t.Context(), swaps()...))
					require.Len(t, got.list(), row.calls)
				})
			})
		}
	}
}

func swaps() []fake.Event {
	var all []fake.Event
	for i := range 4 {
		all = append(all, fake.SwapEvent(2*i, account))
	}
	return all
}

func signatures(events []fake.Event) []string {
	var all []string
	for _, e := range events {
		all = append(all, e.Signature)
	}
	return all
}
