package transport_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
)

// A diary is a log that is searched for the key when the test ends.
type diary struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (d *diary) Write(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.text.Write(b)
}

// watched makes cfg log all there is to log, and fails the test when a record
// shows the key, when there is none, or when cfg itself prints it.
func watched(t *testing.T, cfg types.Config) types.Config {
	t.Helper()
	d := &diary{}
	cfg.Logger = slog.New(slog.NewJSONHandler(d, &slog.HandlerOptions{Level: slog.LevelDebug}))
	encoded, err := json.Marshal(cfg)
	require.NoError(t, err)
	requireHidden(t, fmt.Sprintf("%v %+v %#v %s %q %v %+v %#v %s", cfg, cfg, cfg, cfg, cfg, &cfg, &cfg, &cfg, encoded))
	require.NotContains(t, fmt.Sprintf("%x %X", cfg, cfg), fmt.Sprintf("%x", key))
	t.Cleanup(func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		require.NotZero(t, d.text.Len(), "nothing was logged")
		requireHidden(t, d.text.String())
	})
	return cfg
}

// everySpelling of the key in one JSON text, without its quotes.
var everySpelling = escaped(strings.Join(spellings, " "))

// echoing adds the key to a header of an answer and to its body.
func echoing(s step) step {
	return func(req *http.Request) (*http.Response, error) {
		resp, err := s(req)
		if err != nil {
			return nil, err
		}
		resp.Header.Set("X-Echo", key)
		if resp.ContentLength <= 0 {
			return resp, nil
		}
		b, end := io.ReadAll(resp.Body)
		if end == nil {
			end = io.EOF
		}
		body := withKey(string(b), resp.Header.Get("Content-Type"))
		resp.ContentLength += int64(len(body) - len(b))
		resp.Body = io.NopCloser(io.MultiReader(strings.NewReader(body), failingReader{end}))
		return resp, nil
	}
}

// withKey adds the key where it leaves a body what it is: to what a refusal
// says beside its message, which errors show, in a member that nobody asks
// for, or in the text of a page.
func withKey(body, media string) string {
	switch {
	case strings.Contains(body, `"error":{`):
		return strings.Replace(body, `"error":{`, `"error":{"data":"`+everySpelling+`",`, 1)
	case body == "{}":
		return `{"details":"` + everySpelling + `"}`
	case strings.HasPrefix(body, "{"):
		return `{"details":"` + everySpelling + `",` + body[1:]
	case strings.HasPrefix(media, "text/"):
		return body + " " + strings.Join(spellings, " ")
	}
	return body
}
