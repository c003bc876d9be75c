package main

import (
	"bytes"
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

func TestOutput(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), fake.New().Config(), "https://example.com/hook", &out))
	want, err := os.ReadFile("testdata/golden.txt")
	require.NoError(t, err)
	require.Equal(t, string(want), out.String())
}

// A webhook that is left behind costs credits for every event.
func TestWebhookIsDeletedWhateverFails(t *testing.T) {
	t.Parallel()
	for _, method := range []string{http.MethodPut, http.MethodPatch} {
		s := fake.New()
		s.Before = func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method != method {
				return false
			}
			w.WriteHeader(http.StatusUnauthorized)
			return true
		}
		var out bytes.Buffer
		require.ErrorIs(t, run(t.Context(), s.Config(), "https://example.com/hook", &out), types.ErrUnauthorized)
		hooks, err := webhooks.New(s.Config())
		require.NoError(t, err)
		all, err := hooks.List(t.Context())
		require.NoError(t, err)
		require.Empty(t, all)
		require.Contains(t, out.String(), "deleted: ")
	}
}

func TestRefusedCreateChangesNothing(t *testing.T) {
	t.Parallel()
	s := fake.New()
	var out bytes.Buffer
	require.ErrorAs(t, run(t.Context(), s.Config(), "http://example.com/hook", &out), new(*types.APIError)) // no https
	require.Len(t, s.Requests(), 1)
	require.Empty(t, out.String())
}
