package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/examples/internal/demo"
	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
)

func TestOutput(t *testing.T) {
	t.Parallel()
	out, err := list(t, fake.New(), "", 0, demo.Walk{})
	require.NoError(t, err)
	want, err := os.ReadFile("testdata/golden.txt")
	require.NoError(t, err)
	require.Equal(t, string(want), out)
}

// list runs the example and returns what it prints.
func list(t *testing.T, s *fake.Service, file string, stop int, walk demo.Walk) (string, error) {
	var out bytes.Buffer
	walk.Out = &out
	err := run(t.Context(), s.Config(), demo.Owner, file, stop, &walk)
	return out.String(), err
}

func TestRunThatFailedGoesOnWhereItWas(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "checkpoint")
	out, err := list(t, fake.New(), file, 0, demo.Walk{})
	require.NoError(t, err)
	require.NoFileExists(t, file, "the walk is over")
	want := pages(out)
	require.Len(t, want, 4)
	for handled := range want {
		s := fake.New()
		s.Before = func(w http.ResponseWriter, _ *http.Request) bool {
			if len(s.Requests()) <= handled {
				return false
			}
			w.WriteHeader(http.StatusUnauthorized)
			return true
		}
		before, err := list(t, s, file, 0, demo.Walk{})
		require.ErrorIs(t, err, types.ErrUnauthorized)
		require.Len(t, pages(before), handled)
		after, err := list(t, fake.New(), file, 0, demo.Walk{})
		require.NoError(t, err)
		require.Equal(t, want, append(pages(before), pages(after)...))
	}
}

func TestStoppedListIsResumedWithTheCursorItPrints(t *testing.T) {
	t.Parallel()
	whole, err := list(t, fake.New(), "", 0, demo.Walk{JSON: true})
	require.NoError(t, err)
	require.Equal(t, 3500, strings.Count(whole, "\n"))
	for stop := 1; stop < 4; stop++ {
		before, err := list(t, fake.New(), "", stop, demo.Walk{JSON: true})
		says, cursor, _ := strings.Cut(err.Error(), "; go on with -resume ")
		require.Equal(t, fmt.Sprintf("stopped after %d", stop*1000), says)
		after, err := list(t, fake.New(), "", 0, demo.Walk{JSON: true, Resume: cursor})
		require.NoError(t, err)
		require.Equal(t, whole, before+after)
	}
}

func TestInterruptPrintsTheCursor(t *testing.T) {
	t.Parallel()
	s := fake.New()
	ctx, interrupt := context.WithCancel(t.Context())
	s.Before = func(http.ResponseWriter, *http.Request) bool {
		if len(s.Requests()) == 3 {
			interrupt()
		}
		return false
	}
	var out bytes.Buffer
	err := run(ctx, s.Config(), demo.Owner, "", 0, &demo.Walk{Out: &out})
	require.ErrorContains(t, err, "stopped after 2000; go on with -resume ")
	require.Len(t, pages(out.String()), 2)
}

func TestObjectsAreAccounts(t *testing.T) {
	t.Parallel()
	out, err := list(t, fake.New(), "", 1, demo.Walk{JSON: true})
	require.Error(t, err)
	for line := range strings.Lines(out) {
		var account compressed.Account
		require.NoError(t, json.Unmarshal([]byte(line), &account))
		require.NotEmpty(t, account.Hash)
	}
}

func TestCursorGoesBeforeTheCheckpoint(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "checkpoint")
	_, err := list(t, fake.New(), file, 1, demo.Walk{})
	_, first, _ := strings.Cut(err.Error(), "-resume ")
	_, err = list(t, fake.New(), file, 2, demo.Walk{})
	require.ErrorContains(t, err, "-resume ")
	s := fake.New()
	_, err = list(t, s, file, 0, demo.Walk{Resume: first})
	require.NoError(t, err)
	require.Contains(t, s.Requests()[0].Body, first)
}

func TestAccountsThatCannotBeWalkedAreAnError(t *testing.T) {
	t.Parallel()
	s := fake.New()
	s.LeafIndexOrder = true
	_, err := list(t, s, "", 0, demo.Walk{})
	require.ErrorIs(t, err, types.ErrIncomplete)
}

func TestBrokenCheckpointIsAnError(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "checkpoint")
	require.NoError(t, os.WriteFile(file, []byte(`{"cursor":`), 0o600))
	s := fake.New()
	_, err := list(t, s, file, 0, demo.Walk{})
	require.Error(t, err)
	require.Empty(t, s.Requests())
}

func TestCheckpointIsOfOneOwner(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "checkpoint")
	_, err := list(t, fake.New(), file, 1, demo.Walk{})
	require.Error(t, err)
	s := fake.New()
	err = run(t.Context(), s.Config(), demo.Wallet, file, 0, &demo.Walk{Out: io.Discard})
	require.EqualError(t, err, file+" keeps the place in a walk of another owner, "+demo.Owner)
	require.Empty(t, s.Requests())
	require.FileExists(t, file)
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
