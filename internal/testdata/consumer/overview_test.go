package consumer

import (
	"context"
	"net/http/httptest"
	"testing"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
	"github.com/solwire/solwire-go/webhooks"
)

// The addresses of which the devserver knows something.
const (
	owner    types.Address = "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY"
	holder   types.Address = "BtJ5rdXcZs8hVqK2nTyWfMgPe7UDAoLx3Ri9GQk6uHSv"
	delegate types.Address = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"
)

func TestEveryAreaAnswers(t *testing.T) {
	cfg := devserver(t)
	wallets, err := wallet.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	o, err := Look(t.Context(), cfg, wallets, owner, holder, delegate)
	if err != nil || o.Swaps == 0 || o.Compressed != 3500 || o.Allowed == 0 {
		t.Errorf("got %+v, error %v", o, err)
	}
}

func TestWebhookDeliversWhatTheOwnerDoes(t *testing.T) {
	const secret = webhooks.Secret("of this test")
	events := make(chan *webhooks.Event, 100)
	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
		Secrets: []webhooks.Secret{secret},
		Handle: func(_ context.Context, e *webhooks.Event) error {
			events <- e
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(receiver)
	defer server.Close()
	w, err := Watch(t.Context(), devserver(t, "-every", "20ms"), owner, server.URL, secret)
	if err != nil {
		t.Fatal(err)
	}
	if w.Active == nil || !*w.Active {
		t.Errorf("the webhook is not switched on: %v", w)
	}
	if e := <-events; e.Enhanced == nil || e.Enhanced.FeePayer != owner {
		t.Errorf("got %+v", e)
	}
}
