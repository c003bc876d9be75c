package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/examples/progress"
	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

var (
	transfers = flag.Int("transfers", 500, "the number of transfers during the kills; 10000 with -kills 20 is the long form")
	kills     = flag.Int("kills", 5, "the number of times that the program is killed")
)

// The program itself, when the test runs it.
func TestMain(m *testing.M) {
	if os.Getenv("WATCH_TEST_RUNS_MAIN") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

func TestKilledProgramLosesNothing(t *testing.T) {
	t.Parallel()
	s := fake.New(nil)
	server := httptest.NewServer(s)
	defer server.Close()
	file := filepath.Join(t.TempDir(), "wallet.jsonl")
	start := func() *exec.Cmd {
		c := exec.CommandContext(t.Context(), os.Args[0], "-file", file, string(fake.WalletAddress))
		c.Env = append(os.Environ(), "WATCH_TEST_RUNS_MAIN=1", "SOLWIRE_URL="+server.URL)
		c.Stderr = os.Stderr
		require.NoError(t, c.Start())
		return c
	}
	pay := func() types.Signature { return s.Transfer(fake.WalletAddress, fake.ExchangeAddress, 1).Signature() }
	running := start()
	require.Eventually(t, func() bool { pay(); return len(read(t, file)) > 0 }, 20*time.Second, 50*time.Millisecond)

	var want []types.Signature
	for i := range *transfers {
		if want = append(want, pay()); i%(*transfers / *kills) == 0 {
			before := len(read(t, file))
			pay() // so that there is one more to write
			require.Eventually(t, func() bool { return len(read(t, file)) > before }, 20*time.Second, time.Millisecond)
			require.NoError(t, running.Process.Kill())
			_ = running.Wait()
			running = start()
		}
	}
	written := func() []types.Signature { // without the other payments
		return slices.DeleteFunc(read(t, file), func(s types.Signature) bool { return !slices.Contains(want, s) })
	}
	require.Eventually(t, func() bool { return len(written()) >= len(want) }, 60*time.Second, 100*time.Millisecond)
	require.NoError(t, running.Process.Kill())
	_ = running.Wait()
	require.Equal(t, want, written())
}

func TestKilledBeforeTheFirstEventLosesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, file := fake.New(nil), filepath.Join(t.TempDir(), "wallet.jsonl")
		ctx, kill := context.WithTimeout(t.Context(), 2*time.Second)
		defer kill()
		require.ErrorIs(t, watch(ctx, s.Config(), []types.Address{fake.WalletAddress}, file, "", 1, io.Discard), context.DeadlineExceeded)
		paid := s.Transfer(fake.WalletAddress, fake.ExchangeAddress, 1).Signature()
		time.Sleep(time.Minute)
		require.NoError(t, watch(t.Context(), s.Config(), []types.Address{fake.WalletAddress}, file, "", 1, io.Discard))
		require.Contains(t, read(t, file), paid)
	})
}

// Slots of made-up data cannot be resumed from.
func TestMadeUpFilesAreNotResumed(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "wallet.jsonl")
	require.NoError(t, os.WriteFile(file, []byte(`{"slot":344112233,"resume":344112233,"madeUp":true}`+"\n"), 0o600))
	cfg := types.Config{APIKey: types.Key("real"), RPCURL: "http://127.0.0.1:1"}
	require.ErrorContains(t, watch(t.Context(), cfg, []types.Address{fake.WalletAddress}, file, "", 1, io.Discard), "another service")
}

// read returns the signatures in the whole lines of the file.
func read(t *testing.T, name string) (all []types.Signature) {
	t.Helper()
	b, _ := os.ReadFile(name)
	for in := bufio.NewScanner(bytes.NewReader(b)); in.Scan(); {
		var e entry
		if json.Unmarshal(in.Bytes(), &e) == nil {
			all = append(all, e.Signature)
		}
	}
	return all
}

func TestDemoPrintsWhatHappens(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		s := fake.New(&fake.Options{Seed: 1})
		go progress.Demo(ctx, s, fake.WalletAddress, time.Second)
		require.NoError(t, watch(ctx, s.Config(), []types.Address{fake.WalletAddress}, os.DevNull, "", 4, &out))
		require.Equal(t, 2, strings.Count(out.String(), "USDC"))
	})
}

// A transfer of tokens names the token account of the receiving wallet, not the wallet.
func TestDepositsOfTokensAreWatched(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		wallet := types.AddressOf([32]byte{7})
		s := fake.New(nil)
		var out bytes.Buffer
		go func() {
			time.Sleep(5 * time.Second)
			for range 3 {
				s.Happen(fake.Transaction{FeePayer: fake.WalletAddress, Transfers: []fake.Transfer{
					{From: fake.WalletAddress, To: wallet, Mint: progress.USDC, Amount: decimal.NewFromInt(101)},
				}})
			}
		}()
		require.NoError(t, watch(t.Context(), s.Config(), []types.Address{wallet}, os.DevNull, "", 3, &out))
		require.Equal(t, 3, strings.Count(out.String(), "+101 USDC"), out.String())
	})
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// An alert that could not be sent is sent after a restart.
func TestFailedOutputEndsTheProgram(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, file := fake.New(nil), filepath.Join(t.TempDir(), "wallet.jsonl")
		run := func(out io.Writer) error {
			return watch(t.Context(), s.Config(), []types.Address{fake.WalletAddress}, file, "", 1, out)
		}
		go func() {
			time.Sleep(5 * time.Second)
			s.Transfer(fake.WalletAddress, fake.ExchangeAddress, 1)
		}()
		require.EqualError(t, run(full{}), "no space left on device")
		var out bytes.Buffer
		require.NoError(t, run(&out))
		require.Contains(t, out.String(), string(read(t, file)[1]))
	})
}

func TestHealthTellsWhetherTransactionsArrive(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := fake.New(nil)
		streams, err := stream.New(s.Config())
		require.NoError(t, err)
		defer streams.Close()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() {
			for range streams.Transactions(ctx, []types.Address{fake.WalletAddress}, nil) {
			}
		}()
		code := func() int {
			w := httptest.NewRecorder()
			healthOf(streams).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/health", nil))
			return w.Code
		}
		time.Sleep(10 * time.Second)
		require.Equal(t, http.StatusOK, code())
		s.FailFrom(fake.Upgrade, 1, fake.Status(503))
		s.CutStreams(1001)
		time.Sleep(10 * time.Second)
		require.Equal(t, http.StatusServiceUnavailable, code())
		s.Recover()
		time.Sleep(time.Minute)
		require.Equal(t, http.StatusOK, code())
	})
}
