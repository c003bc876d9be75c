package stream

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/solwire/solwire-go/internal/wait"
	"github.com/solwire/solwire-go/types"
)

const (
	defaultFillCredits = 20_000                // per hour
	turns              = 20 * time.Millisecond // between the histories that are opened

	pagePrice = 10 // of a page of getTransactionsForAddress and of Parsed Events
	readPrice = 1
)

var errSpent = errors.New("types.Config.FillCredits are spent, so that the history is read slowly")

// A budget limits what the histories of all loops cost. Its credits come back evenly over
// an hour.
type budget struct {
	perHour float64
	logger  *slog.Logger

	mu    sync.Mutex
	left  float64 // at the time at; less than 0 while requests wait
	at    time.Time
	spent uint64
	next  time.Time // when another history may be opened
}

// take waits until a request may be paid for.
func (b *budget) take(ctx context.Context, price float64) error {
	b.mu.Lock()
	waiting := b.refill() > 0
	b.left -= price
	b.spent += uint64(price)
	pause := b.refill()
	b.mu.Unlock()
	if pause > 0 && !waiting {
		b.logger.WarnContext(ctx, "stream fills slowly: types.Config.FillCredits are spent", "perHour", b.perHour, "wait", pause)
	}
	return wait.For(ctx, pause)
}

// refill adds the credits that have come back, and returns how long requests wait.
func (b *budget) refill() time.Duration {
	now := time.Now()
	b.left = min(b.left+now.Sub(b.at).Hours()*b.perHour, b.perHour)
	b.at = now
	return time.Duration(max(-b.left, 0) / b.perHour * float64(time.Hour))
}

// turn waits until another history may be opened: after a break, all loops want to.
func (b *budget) turn(ctx context.Context) error {
	b.mu.Lock()
	pause := max(time.Until(b.next), 0)
	b.next = time.Now().Add(pause + turns)
	b.mu.Unlock()
	return wait.For(ctx, pause)
}

func (b *budget) status() (spent uint64, until time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if pause := b.refill(); pause > 0 {
		until = time.Now().Add(pause)
	}
	return b.spent, until
}

// priced is a Limiter of requests that all cost the same.
type priced struct {
	*budget

	price float64
	next  types.Limiter
}

func (p priced) Wait(ctx context.Context) error {
	if err := p.take(ctx, p.price); err != nil || p.next == nil {
		return err
	}
	return p.next.Wait(ctx)
}
