package conformance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/golden"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// streamOf opens a stream for a minute, and returns its error and the request to subscribe
// with an id of 1.
func streamOf(t *testing.T, cfg types.Config, s *fake.Service, r row, open call) (request string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := connect(t, cfg)
	defer c.stream.Close()
	_, err = open(ctx, c)
	for _, sent := range s.Requests() {
		if sent.Operation == r.wire { // the last one: a connection subscribes to slots too
			var message struct {
				JSONRPC string          `json:"jsonrpc"`
				ID      int             `json:"id"`
				Method  string          `json:"method"`
				Params  json.RawMessage `json:"params"`
			}
			require.NoError(t, json.Unmarshal([]byte(sent.Body), &message))
			message.ID = 1
			text, err := json.Marshal(message)
			require.NoError(t, err)
			request = string(text)
		}
	}
	return request, err
}

func TestSubscriptionsAreGolden(t *testing.T) {
	t.Parallel()
	eachOf(t, streamRows(), func(t *testing.T, r row) {
		for _, kind := range []struct {
			call call
			read func(string) ([]byte, bool)
		}{{r.minimal, golden.Minimal}, {r.full, golden.Full}} {
			if kind.call == nil {
				continue
			}
			synctest.Test(t, func(t *testing.T) {
				s := fake.New(nil)
				request, _ := streamOf(t, s.Config(), s, r, kind.call)
				require.JSONEq(t, r.file(t, kind.read), request)
			})
		}
	})
}

// A refused subscription names the operation, and neither its error nor the log has the key.
func TestRefusedSubscriptionsHideTheKey(t *testing.T) {
	t.Parallel()
	eachOf(t, streamRows(), func(t *testing.T, r row) {
		synctest.Test(t, func(t *testing.T) {
			s := fake.New(nil)
			var log bytes.Buffer
			cfg := s.Config()
			cfg.APIKey, cfg.Logger = key, slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
			s.FailFrom(r.wire, 1, fake.Fault{Code: -32602, Message: "what is " + key + "?"})
			_, err := streamOf(t, cfg, s, r, r.any())
			if r.wire != "slotSubscribe" { // which each connection needs, so it reconnects
				var refusal *types.APIError
				require.ErrorAs(t, err, &refusal)
				require.Equal(t, r.wire, refusal.Op)
				require.Equal(t, "what is ***?", refusal.Message)
				if r.wire != "rootSubscribe" && r.method != "stream.Client.AllLogs" { // which are about the chain
					require.NotEmpty(t, refusal.Input)
				}
			}
			require.NotContains(t, strings.ToLower(fmt.Sprintf("%v %+v %#v %s", err, err, err, log.String())), key)
		})
	})
}
