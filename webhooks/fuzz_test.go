package webhooks_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

func FuzzEnhanced(f *testing.F) {
	f.Add([]byte(golden(f, "enhanced.json")))
	f.Add([]byte(fake.SwapEvent(0, account).Enhanced))
	f.Add([]byte("[" + fake.TransferEvent(1, account).Enhanced + "]"))
	seedTrouble(f, enhanced(sig1))
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, e := range parsed(t, body) {
			if e.Enhanced == nil {
				continue
			}
			want := new(webhooks.EnhancedTransaction)
			require.NoError(t, json.Unmarshal(e.JSON, want))
			want.TransactionError = orNil(want.TransactionError)
			for i := range want.Events.Compressed {
				c := &want.Events.Compressed[i]
				c.Metadata, c.UpdateArgs = orNil(c.Metadata), orNil(c.UpdateArgs)
			}
			require.Equal(t, want, e.Enhanced)
			require.Equal(t, want.Signature, e.Signature)
			require.Equal(t, want.Slot, e.Slot)
		}
	})
}

func FuzzRaw(f *testing.F) {
	f.Add([]byte(golden(f, "raw.json")))
	f.Add([]byte(fake.SwapEvent(0, account).Raw))
	f.Add([]byte("[" + fake.TransferEvent(1, account).Raw + "]"))
	seedTrouble(f, `{"transaction":{"signatures":["`+string(sig1)+`"]}}`)
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, e := range parsed(t, body) {
			if e.Raw == nil {
				continue
			}
			want := new(webhooks.RawTransaction)
			require.NoError(t, json.Unmarshal(e.JSON, want))
			want.Meta.Err = orNil(want.Meta.Err)
			require.Equal(t, want, e.Raw)
			require.Equal(t, want.Transaction.Signatures[0], e.Signature)
			loaded := want.Meta.LoadedAddresses
			require.Len(t, e.Raw.Accounts(), len(want.Transaction.Message.AccountKeys)+len(loaded.Writable)+len(loaded.Readonly))
		}
	})
}

// seedTrouble adds what a body may be besides a good one.
func seedTrouble(f *testing.F, event string) {
	f.Helper()
	for _, body := range []string{
		"", "null", "[]", "[null]", "{}", "[[]]", `"x"`, event, "[" + event + "]", "[" + event + "," + event + "]", event + event,
		"[" + event + "]]", "[" + event + ",", `{"signature":1}`, `{"transaction":[]}`, `[{"transaction":{"signatures":[""]}}]`,
	} {
		f.Add([]byte(body))
	}
}

// parsed reads a body, and fails the test unless that is refused as it should
// be, or the events are what they say and a receiver calls back for them alone.
func parsed(t *testing.T, body []byte) []*webhooks.Event {
	t.Helper()
	events, err := webhooks.ParseEvents(body)
	var called []*webhooks.Event
	r, newErr := webhooks.NewReceiver(webhooks.ReceiverConfig{
		Secrets: []webhooks.Secret{secret},
		Handle: func(_ context.Context, e *webhooks.Event) error {
			called = append(called, e)
			return nil
		},
	})
	require.NoError(t, newErr)
	var status int
	synctest.Test(t, func(t *testing.T) { status = post(t, r, string(body)) }) // whatever else the machine does
	if err != nil {
		require.Nil(t, events)
		require.NotEqual(t, errors.Is(err, types.ErrInvalid), errors.Is(err, types.ErrTooLarge), err)
		require.Contains(t, []int{400, 413}, status)
		require.Empty(t, called)
		require.Less(t, len(err.Error()), 200)
		return nil
	}
	require.Equal(t, 200, status)
	require.LessOrEqual(t, len(events), 1000)
	seen := map[types.Signature]bool{}
	var first []*webhooks.Event
	for _, e := range events {
		key, err := e.Signature.Bytes()
		require.NoError(t, err)
		require.Len(t, key, 64)
		require.Equal(t, e.Err == nil, (e.Enhanced == nil) != (e.Raw == nil))
		require.False(t, e.Err != nil && (e.Enhanced != nil || e.Raw != nil))
		require.True(t, json.Valid(e.JSON))
		again, err := webhooks.ParseEvents(append(append([]byte("["), e.JSON...), ']'))
		require.NoError(t, err)
		require.Equal(t, []*webhooks.Event{e}, again)
		if !seen[e.Signature] && e.Err == nil {
			first = append(first, e)
		}
		seen[e.Signature] = true
	}
	require.Equal(t, first, called)
	return events
}

func orNil(raw json.RawMessage) json.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
}
