package main

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/examples/internal/demo"
	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
)

func TestOutput(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "checkpoint")
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), fake.New().Config(), demo.Owner, file, 2, &out))
	want, err := os.ReadFile("testdata/golden.txt")
	require.NoError(t, err)
	require.Equal(t, string(want), out.String())
	require.NoFileExists(t, file, "the walk is over")
}

func TestRunThatFailedGoesOnWhereItWas(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	file := filepath.Join(t.TempDir(), "checkpoint")
	require.NoError(t, run(t.Context(), fake.New().Config(), demo.Owner, file, 0, &out))
	want := pages(out.String())
	require.Len(t, want, 4)
	for handled := range want {
		out.Reset()
		s := fake.New()
		s.Before = func(w http.ResponseWriter, _ *http.Request) bool {
			if len(s.Requests()) <= handled {
				return false
			}
			w.WriteHeader(http.StatusUnauthorized)
			return true
		}
		require.ErrorIs(t, run(t.Context(), s.Config(), demo.Owner, file, 0, &out), types.ErrUnauthorized)
		require.Len(t, pages(out.String()), handled)
		require.NoError(t, run(t.Context(), fake.New().Config(), demo.Owner, file, 0, &out))
		require.Equal(t, want, pages(out.String()))
	}
}

func TestAccountsThatCannotBeWalkedAreAnError(t *testing.T) {
	t.Parallel()
	s := fake.New()
	s.LeafIndexOrder = true
	file := filepath.Join(t.TempDir(), "checkpoint")
	for _, stop := range []int{0, 1} {
		require.ErrorIs(t, run(t.Context(), s.Config(), demo.Owner, file, stop, io.Discard), types.ErrIncomplete)
	}
}

func TestBrokenCheckpointIsAnError(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "checkpoint")
	require.NoError(t, os.WriteFile(file, []byte(`{"cursor":`), 0o600))
	s := fake.New()
	require.Error(t, run(t.Context(), s.Config(), demo.Owner, file, 0, io.Discard))
	require.Empty(t, s.Requests())
}

// pages returns the lines about pages.
func pages(out string) []string {
	var found []string
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "  page ") {
			found = append(found, line)
		}
	}
	return found
}
