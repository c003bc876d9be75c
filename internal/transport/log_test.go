package transport_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
)

// Records have the context of the call, in which a handler finds the caller's span.
func TestLogHasOneRecordPerAttempt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		cfg := config(&script{steps: []step{answer(503, `{"error":"down"}`), failing(io.EOF), answer(200, `{"answer":7}`)}})
		cfg.Logger = slog.New(spans{slog.NewTextHandler(&log, &slog.HandlerOptions{
			Level: slog.LevelDebug,
			ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
				if a.Key == slog.TimeKey || a.Key == "duration" || a.Key == "wait" {
					return slog.Attr{Key: a.Key, Value: slog.StringValue("T")}
				}
				return a
			},
		})})
		_, err := protocols[0].call(context.WithValue(t.Context(), span{}, 9), cfg)
		require.NoError(t, err)
		require.Equal(t, `time=T level=DEBUG msg=request op="GET /v1/thing" attempt=1 duration=T status=503 error="GET /v1/thing: 503 Service Unavailable: down" wait=T span=9
time=T level=DEBUG msg=request op="GET /v1/thing" attempt=2 duration=T error=EOF wait=T span=9
time=T level=DEBUG msg=request op="GET /v1/thing" attempt=3 duration=T status=200 bytes=12 span=9
`, log.String())
	})
}

// spans adds the span in the context to each record.
type (
	spans struct{ slog.Handler }
	span  struct{}
)

func (s spans) Handle(ctx context.Context, r slog.Record) error {
	r.AddAttrs(slog.Any("span", ctx.Value(span{})))
	return s.Handler.Handle(ctx, r)
}

// A logbook is searched for the key when the test ends.
type logbook struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logbook) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

// watched returns cfg with a logger. It fails the test if a record or cfg itself shows the key,
// and if nothing is recorded.
func watched(t *testing.T, cfg types.Config) types.Config {
	t.Helper()
	l := &logbook{}
	cfg.Logger = slog.New(slog.NewJSONHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug}))
	encoded, err := json.Marshal(cfg)
	require.NoError(t, err)
	requireHidden(t, fmt.Sprintf("%v %+v %#v %s", cfg, cfg, cfg, encoded))
	t.Cleanup(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		require.NotZero(t, l.text.Len(), "nothing was logged")
		requireHidden(t, l.text.String())
	})
	return cfg
}
