package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/examples/internal/demo"
	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
)

func TestOutput(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), fake.New().Config(), demo.Wallet, "", 25, &demo.Walk{Out: &out}))
	want, err := os.ReadFile("testdata/golden.txt")
	require.NoError(t, err)
	require.Equal(t, string(want), out.String())
}

func TestAsksForNoMoreThanItShows(t *testing.T) {
	t.Parallel()
	for n, requests := range map[int]int{1: 2, 100: 2, 101: 3} { // pages of 100, and a balance
		s := fake.New()
		var out bytes.Buffer
		require.NoError(t, run(t.Context(), s.Config(), demo.Wallet, "", n, &demo.Walk{Out: &out}))
		require.Len(t, s.Requests(), requests)
		require.Equal(t, n+2, strings.Count(out.String(), "\n")) // with head and foot
	}
}

func TestTypeIsAskedFor(t *testing.T) {
	t.Parallel()
	s := fake.New()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), s.Config(), demo.Wallet, "SWAP", 5, &demo.Walk{Out: &out}))
	require.Equal(t, "SWAP", s.Requests()[0].Query.Get("type"))
}

func TestErrorsEndIt(t *testing.T) {
	t.Parallel()
	s := fake.New()
	s.Answer(200, `{"data":[{"signature":"a"}],"pagination":{"hasMore":true}}`)
	var out bytes.Buffer
	require.ErrorIs(t, run(t.Context(), s.Config(), demo.Wallet, "", 25, &demo.Walk{Out: &out}), types.ErrIncomplete)

	out.Reset()
	require.ErrorIs(t, run(t.Context(), s.Config(), "toly.sol", "", 25, &demo.Walk{Out: &out}), types.ErrInvalid)
	require.Empty(t, out.String())
}

func TestNothingFoundAsksForNoBalance(t *testing.T) {
	t.Parallel()
	s := fake.New()
	s.Answer(200, `{"data":[],"pagination":{"hasMore":false}}`)
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), s.Config(), demo.Wallet, "", 25, &demo.Walk{Out: &out}))
	require.Len(t, s.Requests(), 1)
	require.Equal(t, "  TIME (UTC)  FEE IN SOL  CHANGES\n", out.String())
}

// Interrupted during any page, the list goes on with the cursor that is printed.
func TestInterruptedListIsResumed(t *testing.T) {
	t.Parallel()
	var whole bytes.Buffer
	require.NoError(t, run(t.Context(), fake.New().Config(), demo.Wallet, "", 0, &demo.Walk{Out: &whole, JSON: true}))
	pages := strings.Count(whole.String(), "\n") / 100
	require.Equal(t, 2, pages, "and a shorter one")
	for page := 1; page <= pages; page++ {
		s := fake.New()
		ctx, interrupt := context.WithCancel(t.Context())
		s.Before = func(http.ResponseWriter, *http.Request) bool {
			if len(s.Requests()) > page {
				interrupt()
			}
			return false
		}
		var before, after bytes.Buffer
		err := run(ctx, s.Config(), demo.Wallet, "", 0, &demo.Walk{Out: &before, JSON: true})
		says, cursor, _ := strings.Cut(err.Error(), "; go on with -resume ")
		require.Equal(t, fmt.Sprintf("stopped after %d", page*100), says)
		require.NoError(t, run(t.Context(), fake.New().Config(), demo.Wallet, "", 0, &demo.Walk{Out: &after, JSON: true, Resume: cursor}))
		require.Equal(t, whole.String(), before.String()+after.String())
	}
}

// A page that was cut short is shown, but its cursor leads past what was cut.
func TestListThatWasCutHasNoCursor(t *testing.T) {
	t.Parallel()
	for _, n := range []int{5, 105} {
		s := fake.New()
		ctx, interrupt := context.WithCancel(t.Context())
		s.Before = func(_ http.ResponseWriter, r *http.Request) bool {
			if strings.HasSuffix(r.URL.Path, "/balance-at") {
				interrupt()
			}
			return false
		}
		var out bytes.Buffer
		err := run(ctx, s.Config(), demo.Wallet, "", n, &demo.Walk{Out: &out})
		require.EqualError(t, err, fmt.Sprint("stopped after ", n))
		require.Equal(t, n+1, strings.Count(out.String(), "\n"))
	}
}

func TestTextsOfStrangersDoNotReachTheTerminal(t *testing.T) {
	t.Parallel()
	s := fake.New()
	s.Answer(200, `{"data":[
		{"signature":"a","slot":7,"fee":0.000005,"error":"\u001b[2J","balanceChanges":[]},
		{"signature":"b","slot":6,"fee":0.000005,"balanceChanges":[{"mint":"\u001b[31mmint of a stranger","amount":1,"decimals":0}]}
	],"pagination":{"hasMore":false}}`)
	s.Answer(200, `{"balance":"1.5","balanceRaw":"1500000000"}`)
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), s.Config(), demo.Wallet, "", 25, &demo.Walk{Out: &out}))
	require.Equal(t, ""+
		"    TIME (UTC)   FEE IN SOL  CHANGES\n"+
		"  a moment ago  0.000005000  failed\n"+
		"  a moment ago  0.000005000  ok  1 [31…nger\n"+
		"1.5 SOL were left after the oldest of these.\n", out.String())
	require.Equal(t, "6", s.Requests()[1].Query.Get("slot"))
}
