package fleet

import (
	"context"
	"database/sql"
	"time"

	"github.com/go-redis/redis_rate/v10"
	"golang.org/x/time/rate"
)

// A redisLimiter shares a rate with all processes that use the same key in Redis.
type redisLimiter struct {
	shared *redis_rate.Limiter
	key    string
	limit  redis_rate.Limit
	alone  *rate.Limiter // while Redis does not answer: the part of one process
}

func (l *redisLimiter) Wait(ctx context.Context) error {
	for {
		r, err := l.shared.Allow(ctx, l.key, l.limit)
		if err != nil {
			return l.alone.Wait(ctx)
		}
		if r.Allowed > 0 {
			return nil
		}
		select {
		case <-time.After(r.RetryAfter):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// A sqlLimiter shares a rate with all processes that use the same row in PostgreSQL.
type sqlLimiter struct {
	db       *sql.DB
	name     string
	interval time.Duration // between two requests of the fleet
	alone    *rate.Limiter // while the database does not answer: the part of one process
}

func (l *sqlLimiter) Wait(ctx context.Context) error {
	var seconds float64 // until the request may be sent
	err := l.db.QueryRowContext(ctx, `INSERT INTO rates (name, next) VALUES ($1, clock_timestamp())
		ON CONFLICT (name) DO UPDATE SET next = GREATEST(rates.next + make_interval(secs => $2), clock_timestamp())
		RETURNING EXTRACT(EPOCH FROM next - clock_timestamp())`, l.name, l.interval.Seconds()).Scan(&seconds)
	if err != nil {
		return l.alone.Wait(ctx)
	}
	select {
	case <-time.After(time.Duration(seconds * float64(time.Second))):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
