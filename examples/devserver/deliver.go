package main

import (
	"context"
	"sync"
	"time"

	"github.com/solwire/solwire-go/types/fake"
)

// deliver delivers an event for every account that a webhook watches, alternately a
// transfer and a swap, until ctx ends. A webhook that does not respond does not delay
// the others.
func (c *control) deliver(ctx context.Context) {
	if c.settings.every <= 0 {
		return
	}
	tick := time.NewTicker(c.settings.every)
	defer tick.Stop()
	var turns sync.WaitGroup
	defer turns.Wait()
	for turn := 1; ; turn++ {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		s := c.service.Load()
		var events []fake.Event
		for _, account := range s.Watched() {
			if len(events) == most {
				break
			}
			event, err := occur(func() fake.Event {
				if turn%2 == 0 {
					return s.Swap(account)
				}
				return s.Transfer(account, fake.ExchangeAddress, 1_000_000)
			})
			if err == nil { // a wallet without SOL sends nothing
				events = append(events, event)
			}
		}
		turns.Go(func() { s.Deliver(ctx, &fake.Delivery{Concurrency: 16, Anywhere: c.settings.anywhere}, events...) })
	}
}

// most is the number of events of one turn.
const most = 100
