package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/examples/progress"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	parsedtypes "github.com/solwire/solwire-go/types/parsed"
)

const (
	operation = "getTransactionsForAddress"
	usdc      = types.Address("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")
)

var wallets = [...]types.Address{
	"5yKZaJ1YxcYmyfiiLvXWv8DoyGrGwvcBPDP28hmsqKGF", "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T", "8x5VqbHA8D7NkD52uNuS5nnt3PwA8pLD34ymskeSo2Wn",
}

// ledger returns a world with a payment of the first wallet every ten minutes, and what the job
// has to find of them.
func ledger(n int) (*fake.World, job, map[string]string) {
	j := job{Address: wallets[0], Since: time.Date(2025, 4, 1, 0, 0, 0, 0, time.UTC), Until: time.Date(2025, 5, 1, 0, 0, 0, 0, time.UTC)}
	w := &fake.World{}
	for _, address := range wallets {
		w.Wallets = append(w.Wallets, fake.Wallet{Address: address, SOL: decimal.NewFromInt(5000), Tokens: []fake.Token{
			{Mint: usdc, Symbol: "USDC", Decimals: 6, Amount: decimal.NewFromInt(1_000_000)},
		}})
	}
	sums := map[string]decimal.Decimal{}
	for i := range n { // from new to old
		x := fake.Transaction{BlockTime: types.Time{Time: j.Until.Add(time.Duration(20-i) * 10 * time.Minute)}}
		if i%10 == 3 {
			x.Err, x.FeePayer = "InstructionError: [0, Custom(6001)]", wallets[0]
			w.Transactions = append(w.Transactions, x)
			continue
		}
		for k := range 1 + i%3 {
			t := fake.Transfer{From: wallets[0], To: wallets[1+(i+k)%2], Amount: decimal.New(int64(i+k+1), -5)}
			if (i+k)%4 == 0 {
				t.Mint = usdc
			}
			if i%7 == 2 {
				t.From, t.To = t.To, t.From
			}
			x.Transfers = append(x.Transfers, t)
			if !x.BlockTime.Before(j.Since) && x.BlockTime.Before(j.Until) {
				key := fmt.Sprint(t.From, t.To, t.Mint)
				sums[key] = sums[key].Add(t.Amount)
			}
		}
		w.Transactions = append(w.Transactions, x)
	}
	want := map[string]string{}
	for key, sum := range sums {
		want[key] = sum.String()
	}
	return w, j, want
}

func TestKilledJobsAddUpToTheLedger(t *testing.T) {
	t.Parallel()
	w, j, want := ledger(4500)
	s := fake.New(&fake.Options{World: w})
	file := filepath.Join(t.TempDir(), "state.json")
	kills := 0
	for {
		sent := listed(s)
		s.Fail(operation, 2+kills%3, fake.Unauthorized()) // ends the process in the middle
		got, err := run(t.Context(), s.Config(), j, file, new(progress.Line))
		if err == nil {
			require.Equal(t, want, sumsOf(got))
			require.Equal(t, 432, got.Failed)
			require.Equal(t, 4320, got.Transactions)
			break
		}
		require.ErrorIs(t, err, types.ErrUnauthorized)
		require.Equal(t, sent+2+kills%3, listed(s))
		require.NoError(t, os.WriteFile(file+".new", []byte(`{"Cursor":"4`), 0o600)) // a kill while the state is written
		kills++
	}
	require.Greater(t, kills, 3)

	sent := len(s.Requests())
	got, err := run(t.Context(), s.Config(), j, file, new(progress.Line))
	require.NoError(t, err)
	require.Equal(t, want, sumsOf(got))
	require.Len(t, s.Requests(), sent, "a finished job sends nothing")

	j.Until = j.Until.Add(time.Second)
	_, err = run(t.Context(), s.Config(), j, file, new(progress.Line))
	require.ErrorContains(t, err, "another address or period")
}

// listed returns the number of requests for pages.
func listed(s *fake.Service) (n int) {
	for _, r := range s.Requests() {
		if r.Operation == operation {
			n++
		}
	}
	return n
}

func sumsOf(s *state) map[string]string {
	sums := map[string]string{}
	for _, f := range s.Flows {
		mint := f.Mint
		if mint == types.NativeSOLMint {
			mint = ""
		}
		sums[fmt.Sprint(f.From, f.To, mint)] = f.Amount.String()
	}
	return sums
}

// The service names only the token account where it does not know the owner.
func TestUnknownOwnersAreNotMintsAndBurns(t *testing.T) {
	t.Parallel()
	s := new(state)
	s.addTransfers(&parsedtypes.Transaction{
		Status: parsedtypes.StatusOK,
		AttemptedTokenTransfers: []parsedtypes.TokenTransfer{
			{FromTokenAccount: wallets[2], ToUserAccount: wallets[0], ToTokenAccount: wallets[1], RawAmount: 5, Mint: usdc},
			{ToUserAccount: wallets[0], ToTokenAccount: wallets[1], RawAmount: 3, Mint: usdc},
		},
		AttemptedNativeTransfers: []parsedtypes.NativeTransfer{{ToUserAccount: wallets[0], Lamports: 7e9}},
	})
	var out strings.Builder
	require.NoError(t, s.print(&out, 0))
	var rows [][]string
	for line := range strings.Lines(out.String()) {
		rows = append(rows, strings.Fields(line))
	}
	require.Equal(t, [][]string{
		{string(wallets[2]), string(wallets[0]), "5", string(usdc), "1"},
		{"new", "tokens", string(wallets[0]), "3", string(usdc), "1"},
		{"unknown", string(wallets[0]), "7", "SOL", "1"},
	}, rows[1:4])
}

func TestTableIsSorted(t *testing.T) {
	t.Parallel()
	s := &state{Transactions: 3, Failed: 1}
	s.add(wallets[0], wallets[1], types.NativeSOLMint, decimal.New(5, 0))
	s.add(wallets[0], wallets[2], types.NativeSOLMint, decimal.New(7, 0))
	s.add(wallets[0], wallets[1], types.NativeSOLMint, decimal.New(15, -1))
	s.add("", wallets[1], usdc, decimal.New(1, 0))
	var out strings.Builder
	require.NoError(t, s.print(&out, 2))
	lines := strings.Split(out.String(), "\n")
	require.Equal(t, []string{"new", "tokens", string(wallets[1]), "1", string(usdc), "1"}, strings.Fields(lines[1]))
	require.Equal(t, []string{string(wallets[0]), string(wallets[2]), "7", "SOL", "1"}, strings.Fields(lines[2]))
	require.Equal(t, "2 of 3 flows in 3 transactions, of which 1 failed and 0 could not be read", lines[3])
	out.Reset()
	require.NoError(t, s.print(&out, 0))
	require.Equal(t, []string{string(wallets[0]), string(wallets[1]), "6.5", "SOL", "2"}, strings.Fields(strings.Split(out.String(), "\n")[3]))
}
