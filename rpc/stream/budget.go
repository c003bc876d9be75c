package stream

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/solwire/solwire-go/internal/facts"
	"github.com/solwire/solwire-go/internal/wait"
)

const (
	defaultFillCredits = 20_000                // per hour
	requestInterval    = 20 * time.Millisecond // between requests
)

// pagePrice is the price of a page of a history, also of Parsed Events.
func pagePrice() uint64 { return facts.Of("getTransactionsForAddress").Credits }

// readPrice is the price of a read.
func readPrice() uint64 { return facts.Of("getTransaction").Credits }

var errSpent = errors.New("types.Config.FillCredits are spent, so that the history is read slowly")

// A budget limits the credits for the histories of all loops. They come back evenly over
// an hour.
type budget struct {
	credit time.Duration // in which one comes back
	began  time.Time
	logger *slog.Logger

	mu    sync.Mutex
	spent uint64
	due   time.Duration // since began, when requests need not wait for credits
	next  time.Duration // since began, of the next request: after a gap, all loops read
}

// take waits until a request may be sent and paid for.
func (b *budget) take(ctx context.Context, price uint64) error {
	b.mu.Lock()
	now := time.Since(b.began)
	waiting := b.due > now
	b.spent += price
	b.due = max(b.due, now-time.Hour) + time.Duration(price)*b.credit
	b.next = max(b.next+requestInterval, now)
	pause := max(b.due, b.next) - now
	slow := b.due > now && !waiting
	b.mu.Unlock()
	if slow {
		b.logger.WarnContext(ctx, "stream fills slowly: types.Config.FillCredits are spent", "wait", pause.String())
	}
	return wait.For(ctx, pause)
}

func (b *budget) status() (spent uint64, until time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.due > time.Since(b.began) {
		until = b.began.Add(b.due)
	}
	return b.spent, until
}
