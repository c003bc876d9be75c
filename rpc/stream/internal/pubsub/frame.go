package pubsub

import (
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
)

// A frame is a message of the server: an answer, or a notification, which has a method.
type frame struct {
	ID     *uint64         `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
	Method string          `json:"method"`
	Params struct {
		Subscription *uint64         `json:"subscription"`
		Result       json.RawMessage `json:"result"`
	} `json:"params"`
}

// A request is a message to the server.
type request struct {
	Version string          `json:"jsonrpc"`
	ID      uint64          `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
}

func decodeFrame(message []byte) (*frame, error) {
	f := new(frame)
	if err := decode.Value(message, f); err != nil { // whose results the sinks check
		return nil, err
	}
	return f, nil
}

func attrs(slot uint64, err error, pause time.Duration, failures int) []slog.Attr {
	return []slog.Attr{
		slog.Uint64("slot", slot), slog.String("reason", err.Error()), slog.Duration("wait", pause), slog.Int("failures", failures),
	}
}

// retryAfter returns the wait that the service asked for, up to a minute.
func retryAfter(err error) time.Duration {
	var refusal *types.APIError
	if !errors.As(err, &refusal) {
		return 0
	}
	return min(refusal.RetryAfter, time.Minute)
}
