package storetest_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/storetest"
)

func TestMemoryStore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		require.NoError(t, storetest.TestStore(t.Context(), new(webhooks.MemoryStore)))
	})
}

// A wrong store has one mistake.
type wrong struct {
	webhooks.MemoryStore
	change func(webhooks.Record) webhooks.Record
}

func (w *wrong) Record(ctx context.Context, name string) (webhooks.Record, error) { //nolint:ireturn // as webhooks.Store demands
	r, err := w.MemoryStore.Record(ctx, name)
	return w.change(r), err
}

type keepsNothing struct{ webhooks.Record }

func (keepsNothing) Done(context.Context, *webhooks.Event) error { return nil }

type locksAll struct{ webhooks.Record }

func (locksAll) Lock(context.Context, time.Duration) (bool, error) { return true, nil }

type overwrites struct{ webhooks.Record }

func (o overwrites) Add(ctx context.Context, facts ...webhooks.Fact) error {
	return o.Put(ctx, facts...)
}

type cleansOpen struct{ webhooks.Record }

func (c cleansOpen) Clean(ctx context.Context, age time.Duration, before uint64) (int64, error) {
	n, err := c.Record.Clean(ctx, age, before+1)
	return n, err
}

type fails struct{ webhooks.Record }

func (fails) Facts(context.Context, string) ([]webhooks.Fact, error) { return nil, errors.New("down") }

func TestWrongStores(t *testing.T) {
	t.Parallel()
	for says, change := range map[string]func(webhooks.Record) webhooks.Record{
		`returns "claimed", not "false"`:                                                                  func(r webhooks.Record) webhooks.Record { return keepsNothing{r} },
		`lock: 1 Lock 60000000000: returns "true", not "false"`:                                           func(r webhooks.Record) webhooks.Record { return locksAll{r} },
		`facts: 1 Facts "a/": returns "[{a/1 again 0s} {a/2 two 0s}]", not "[{a/1 one 0s} {a/2 two 0s}]"`: func(r webhooks.Record) webhooks.Record { return overwrites{r} },
		`Clean: 0 Clean 0 13: returns "3", not "2"`:                                                       func(r webhooks.Record) webhooks.Record { return cleansOpen{r} },
		`facts: 1 Facts "": down`:                                                                         func(r webhooks.Record) webhooks.Record { return fails{r} },
	} {
		synctest.Test(t, func(t *testing.T) {
			require.ErrorContains(t, storetest.TestStore(t.Context(), &wrong{change: change}), says)
		})
	}
}
