package webhooks_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types/enhanced"
	"github.com/solwire/solwire-go/webhooks"
)

// unset returns nil.
func unset() *enhanced.Transaction { return nil }

func TestPanicsAreRecovered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		r, got := receiver(t, webhooks.ReceiverConfig{
			Logger: slog.New(slog.NewJSONHandler(&log, nil)),
			Handle: func(_ context.Context, e *webhooks.Event) error {
				switch e.Signature {
				case sig1:
					panic("no luck")
				case sig2:
					panic(*e)
				case sig3:
					unset().Slot++
				}
				return webhooks.ErrSkip
			},
		})
		body := strings.ReplaceAll(list(sig1, sig2, sig3, sig4), "TRANSFER", "PRIVATE")
		require.Equal(t, 500, post(t, r, body))
		require.Len(t, got.list(), 4)
		require.Zero(t, webhooks.InFlight(r))
		synctest.Wait()
		text := log.String()
		require.Equal(t, 3, strings.Count(text, `"stack"`), text)
		for _, want := range []string{"panic: no luck", "panic: webhooks.Event", "panic: runtime error: invalid memory address or nil pointer dereference", string(sig1), "log_test.go"} {
			require.Contains(t, text, want)
		}
		require.NotContains(t, text, "PRIVATE")
		require.Equal(t, 500, post(t, r, body))
		require.Len(t, got.list(), 7) // the skipped one is done
	})
}

func TestPanicWithoutLoggerIsLogged(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	r, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
		Secrets: []webhooks.Secret{secret},
		Handle:  func(context.Context, *webhooks.Event) error { panic("no luck") },
	})
	require.NoError(t, err)
	synctest.Test(t, func(t *testing.T) {
		require.Equal(t, 500, post(t, r, list(sig1)))
		require.NoError(t, r.Shutdown(t.Context()))
	})
	require.Contains(t, log.String(), "panic: no luck")
}

func TestLogHasNeitherBodyNorSecret(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		r, _ := receiver(t, webhooks.ReceiverConfig{
			Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
			Handle: func(context.Context, *webhooks.Event) error { return errors.New("no") },
		})
		post(t, r, list(sig1), "Authorization", "guess")
		post(t, r, `{"signature":"`+string(sig1)+`","description":"PRIVATE"}`)
		post(t, r, `{"signature":"`+string(sig1)+`","slot":"`+strings.Repeat("PRIVATE", 100)+`"}`)
		post(t, r, `{"signature":"`+string(sig1)+`","description":"PRIVATE"`)
		synctest.Wait()
		text := log.String()
		require.Equal(t, 3, strings.Count(text, "level="), "one line per cause and minute")
		require.Contains(t, text, "status=401")
		require.Contains(t, text, "event not handled")
		require.Contains(t, text, "status=400")
		require.Contains(t, text, "signature="+string(sig1))
		require.NotContains(t, text, secret)
		require.NotContains(t, text, "guess")
		require.NotContains(t, text, strings.Repeat("PRIVATE", 20))
	})
}
