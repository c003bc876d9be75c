package keeper_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/webhooks/keeper"
)

func TestStatusIsServed(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		s.start()
		s.swap(account, true)
		get := func() (status keeper.Status, code int) {
			w := httptest.NewRecorder()
			s.keeper.ServeStatus(w, httptest.NewRequest(http.MethodGet, "/status", http.NoBody))
			require.Equal(t, "application/json", w.Header().Get("Content-Type"))
			require.NotContains(t, w.Body.String(), secret)
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &status))
			again, err := json.Marshal(status)
			require.NoError(t, err)
			require.JSONEq(t, w.Body.String(), string(again))
			return status, w.Code
		}
		own, code := get()
		require.Equal(t, 200, code)
		require.NotEmpty(t, own.Leader)
		first := s.stop
		s.start() // another process knows the same
		other, _ := get()
		require.Equal(t, own.Delivered, other.Delivered)
		require.Equal(t, 2, other.Processes)
		require.Equal(t, own.Leader, other.Leader)
		s.service.FailShare("", 1, fake.Status(503))
		time.Sleep(10 * time.Minute)
		other, code = get()
		require.Equal(t, 503, code)
		require.NotEmpty(t, other.Problems, "of the process that leads")
		first()
		s.service.Recover()
		time.Sleep(10 * time.Minute)
		other, code = get()
		require.Equal(t, 200, code, "%v", other.Problems)
	})
}

func TestLogHasOneLinePerCauseAndMinute(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		var log bytes.Buffer
		s.cfg.Logger = slog.New(slog.NewTextHandler(&log, nil))
		s.start()
		s.failing(no)
		for range 121 {
			time.Sleep(time.Second)
			s.post("[" + transfer(s.service.Swap(account).Signature()) + "]")
		}
		s.stop()
		require.Less(t, strings.Count(log.String(), "\n"), 20)
		require.Contains(t, log.String(), "omitted_records=")
	})
}
