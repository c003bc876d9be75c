package demo

import (
	"context"
	"fmt"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
)

// Deliver waits while the service delivers the events of account, until an
// interrupt. Without a key it delivers made-up ones itself, some of them twice
// as the service does, and returns.
func Deliver(ctx context.Context, cfg types.Config, account types.Address) error {
	s := fake.Of(cfg)
	if s == nil {
		<-ctx.Done()
		return nil
	}
	var events []fake.Event
	for i := range 12 {
		if i%3 == 0 {
			events = append(events, fake.SwapEvent(i, string(account)))
		} else {
			events = append(events, fake.TransferEvent(i, string(account)))
		}
	}
	courier := fake.Courier{Service: s, Duplicate: 4}
	if r := courier.Deliver(ctx, events...); len(r.Lost) > 0 {
		return fmt.Errorf("%d of %d events were not taken", len(r.Lost), len(r.Lost)+r.Acknowledged)
	}
	return nil
}
