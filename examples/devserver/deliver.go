package main

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

// deliver sends events of now to the webhooks, a transfer and a swap in turn,
// until ctx ends. Each webhook gets those of the first account that it watches, and
// waits for no other: one that does not answer is tried for seconds.
func deliver(ctx context.Context, service *fake.Service, every time.Duration) {
	hooks, err := webhooks.New(service.Config())
	if err != nil || every <= 0 {
		return
	}
	courier := fake.Courier{Service: service, Parallel: 16}
	tick := time.NewTicker(every)
	defer tick.Stop()
	var turns sync.WaitGroup
	defer turns.Wait()
	made, turn := 0, 0
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		turn++
		all, _ := hooks.List(ctx) // -faults holds for this too; the next tick is not far
		events := map[types.Address]fake.Event{}
		for _, h := range all {
			if len(h.AccountAddresses) == 0 {
				continue
			}
			account := h.AccountAddresses[0]
			if _, has := events[account]; has {
				continue
			}
			made++
			event := fake.TransferEvent(made, string(account))
			if turn%2 == 0 {
				event = fake.SwapEvent(made, string(account))
			}
			events[account] = event.At(time.Now())
		}
		turns.Go(func() { courier.Deliver(ctx, slices.Collect(maps.Values(events))...) })
	}
}
