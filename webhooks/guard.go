package webhooks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/solwire/solwire-go/types"
)

const (
	storeWithin = 10 * time.Second // a call of a Record
	storeGrace  = time.Second      // until a call whose context has ended is given up
)

// bounded calls f, which is a call of a store: code of the caller that may panic, end its
// goroutine, ignore its context or never return. It returns soon after a time or after ctx has
// ended, whatever f does.
func bounded[T any](ctx context.Context, within time.Duration, f func(context.Context) (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	var got result
	ctx, cancel := context.WithTimeout(ctx, within)
	results := make(chan result, 1)
	go func() { // ends with f
		got := result{err: errors.New("the call ended its goroutine")}
		defer func() {
			results <- got
			cancel()
		}()
		got.err = guarded(func() (err error) {
			got.value, err = f(ctx)
			return err
		})
	}()
	select {
	case got = <-results:
		return got.value, got.err
	case <-ctx.Done():
	}
	select {
	case got = <-results:
	case <-time.After(storeGrace):
		got.err = fmt.Errorf("the call of the store does not return: %w", ctx.Err())
	}
	return got.value, got.err
}

// do is bounded for a call that returns an error alone.
func do(ctx context.Context, within time.Duration, f func(context.Context) error) error {
	_, err := bounded(ctx, within, func(ctx context.Context) (any, error) { return nil, f(ctx) })
	return err
}

// with is bounded for a call of a Record with one argument.
func with[A, T any](ctx context.Context, f func(context.Context, A) (T, error), arg A) (T, error) {
	return bounded(ctx, storeWithin, func(ctx context.Context) (T, error) { return f(ctx, arg) })
}

// guarded returns the error of f, or its panic as an error. It runs all code of the
// caller, whose panic in another goroutine would end the process.
func guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			text := fmt.Sprintf("panic: %T", p)
			switch p.(type) { // any other value may hold the event
			case error, string:
				text = fmt.Sprintf("panic: %v", p)
			}
			err = &panicError{text, string(debug.Stack())}
		}
	}()
	return f()
}

// A panicError is the panic of a callback.
type panicError struct{ text, stack string }

func (p *panicError) Error() string { return p.text }

// traced adds the stack to the record of a panic, which has to leave a trace: without a logger, it
// returns the default one.
func traced(err error, logger *slog.Logger, attrs []slog.Attr) (*slog.Logger, []slog.Attr) {
	if p, ok := err.(*panicError); ok { //nolint:errorlint // it is never wrapped, and Unwrap of another error may panic
		return cmp.Or(logger, slog.Default()), append(attrs, slog.String("stack", p.stack))
	}
	return logger, attrs
}

// A guardedRecord is a Record whose calls are bounded. A Receiver bounds those of its Seen.
type guardedRecord struct{ Record }

func (g guardedRecord) Missing(ctx context.Context, signatures []types.Signature) ([]types.Signature, error) {
	return with(ctx, g.Record.Missing, signatures)
}

func (g guardedRecord) OpenEvents(ctx context.Context, q OpenQuery) (*OpenEvents, error) {
	return with(ctx, g.Record.OpenEvents, q)
}

func (g guardedRecord) Facts(ctx context.Context, prefix string) ([]Fact, error) {
	return with(ctx, g.Record.Facts, prefix)
}

func (g guardedRecord) Add(ctx context.Context, facts ...Fact) error {
	return do(ctx, storeWithin, func(ctx context.Context) error { return g.Record.Add(ctx, facts...) })
}

func (g guardedRecord) Put(ctx context.Context, facts ...Fact) error {
	return do(ctx, storeWithin, func(ctx context.Context) error { return g.Record.Put(ctx, facts...) })
}

func (g guardedRecord) Lock(ctx context.Context, hold time.Duration) (bool, error) {
	return with(ctx, g.Record.Lock, hold)
}

func (g guardedRecord) Clean(ctx context.Context, age time.Duration, before uint64) (int64, error) {
	return bounded(ctx, storeWithin, func(ctx context.Context) (int64, error) { return g.Record.Clean(ctx, age, before) })
}
