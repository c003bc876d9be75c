package consumer

import (
	"context"
	"testing"

	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/wallet"
	"github.com/solwire/solwire-go/webhooks"
)

func TestLook(t *testing.T) {
	cfg := fake.Config()
	wallets, err := wallet.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	o, err := Look(t.Context(), cfg, wallets, fake.WalletAddress, fake.OwnerAddress, fake.DelegateAddress)
	if err != nil || o.Swaps == 0 || o.Compressed != 3500 || o.Allowed == 0 {
		t.Errorf("got %+v, error %v", o, err)
	}
}

func TestWebhookDelivers(t *testing.T) {
	const secret = webhooks.Secret("of this test")
	events := make(chan *webhooks.Event, 10)
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
	service := fake.New(nil)
	if _, err := Watch(t.Context(), service.Config(), fake.WalletAddress, "https://example.com/hook", secret); err != nil {
		t.Fatal(err)
	}
	swap := service.Swap(fake.WalletAddress)
	report := service.Deliver(t.Context(), &fake.Delivery{Handler: receiver}, swap, swap)
	if report.Acknowledged != 2 || len(events) != 1 {
		t.Fatalf("%+v, %d events", report, len(events))
	}
	if e := <-events; e.Kind != webhooks.KindEnhanced || e.Enhanced.FeePayer != fake.WalletAddress {
		t.Errorf("got %+v", e)
	}
}
