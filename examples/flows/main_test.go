package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/examples/progress"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/parsed"
)

var wallets = [...]types.Address{
	"5yKZaJ1YxcYmyfiiLvXWv8DoyGrGwvcBPDP28hmsqKGF", "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T", "8x5VqbHA8D7NkD52uNuS5nnt3PwA8pLD34ymskeSo2Wn",
}

var april, may = time.Date(2025, 4, 1, 0, 0, 0, 0, time.UTC), time.Date(2025, 5, 1, 0, 0, 0, 0, time.UTC)

// world returns a world with a payment of the first wallet every ten minutes, and the sums of
// the payments in April.
func world(n int) (*fake.World, map[string]string) {
	w := &fake.World{}
	for _, address := range wallets {
		w.Wallets = append(w.Wallets, fake.Wallet{Address: address, SOL: decimal.NewFromInt(5000), Tokens: []fake.Token{
			{Mint: progress.USDC, Symbol: "USDC", Decimals: 6, Amount: decimal.NewFromInt(1_000_000)},
		}})
	}
	sums := map[string]decimal.Decimal{}
	for i := range n { // from new to old
		x := fake.Transaction{BlockTime: types.Time{Time: may.Add(time.Duration(20-i) * 10 * time.Minute)}}
		if i%10 == 3 {
			x.TransactionError, x.FeePayer = "InstructionError: [0, Custom(6001)]", wallets[0]
			w.Transactions = append(w.Transactions, x)
			continue
		}
		for k := range 1 + i%3 {
			t := fake.Transfer{From: wallets[0], To: wallets[1+(i+k)%2], Amount: decimal.New(int64(i+k+1), -5)}
			if (i+k)%4 == 0 {
				t.Mint = progress.USDC
			}
			if i%7 == 2 {
				t.From, t.To = t.To, t.From
			}
			x.Transfers = append(x.Transfers, t)
			if !x.BlockTime.Before(april) && x.BlockTime.Before(may) {
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
	return w, want
}

func TestFlowsAddUpToTheLedger(t *testing.T) {
	t.Parallel()
	w, want := world(4500)
	got, err := read(t.Context(), fake.New(&fake.Options{World: w}).Config(), wallets[0], april, may)
	require.NoError(t, err)
	require.Equal(t, want, sumsOf(got))
	require.Equal(t, 432, got.Failed)
	require.Equal(t, 4320, got.Transactions)
}

func sumsOf(l *ledger) map[string]string {
	sums := map[string]string{}
	for f, sum := range l.Flows {
		mint := f.Mint
		if mint == types.NativeSOLMint {
			mint = ""
		}
		sums[fmt.Sprint(f.From, f.To, mint)] = sum.Amount.String()
	}
	return sums
}

// The service names only the token account where it does not know the owner.
func TestUnknownOwnersAreNotMintsAndBurns(t *testing.T) {
	t.Parallel()
	l := &ledger{Flows: map[flow]total{}}
	l.addTransfers(&parsed.Transaction{
		Status: parsed.StatusOK,
		AttemptedTokenTransfers: []parsed.TokenTransfer{
			{FromTokenAccount: wallets[2], ToUserAccount: wallets[0], ToTokenAccount: wallets[1], RawAmount: 5, Mint: progress.USDC},
			{ToUserAccount: wallets[0], ToTokenAccount: wallets[1], RawAmount: 3, Mint: progress.USDC},
		},
		AttemptedNativeTransfers: []parsed.NativeTransfer{{ToUserAccount: wallets[0], Lamports: 7e9}},
	})
	var out strings.Builder
	require.NoError(t, l.print(t.Context(), fake.Config(), &out, 0))
	var rows [][]string
	for line := range strings.Lines(out.String()) {
		rows = append(rows, strings.Fields(line))
	}
	require.Equal(t, [][]string{
		{string(wallets[2]), string(wallets[0]), "5", "USDC", "(EPjF…)", "1"},
		{"new", "tokens", string(wallets[0]), "3", "USDC", "(EPjF…)", "1"},
		{"unknown", string(wallets[0]), "7", "SOL", "1"},
	}, rows[1:4])
}

func TestTableIsSorted(t *testing.T) {
	t.Parallel()
	l := &ledger{Transactions: 3, Failed: 1, Flows: map[flow]total{}}
	l.add(flow{wallets[0], wallets[1], types.NativeSOLMint}, decimal.New(5, 0))
	l.add(flow{wallets[0], wallets[2], types.NativeSOLMint}, decimal.New(7, 0))
	l.add(flow{wallets[0], wallets[1], types.NativeSOLMint}, decimal.New(15, -1))
	l.add(flow{"", wallets[1], progress.USDC}, decimal.New(1, 0))
	var out strings.Builder
	require.NoError(t, l.print(t.Context(), fake.Config(), &out, 2))
	lines := strings.Split(out.String(), "\n")
	require.Equal(t, []string{"new", "tokens", string(wallets[1]), "1", "USDC", "(EPjF…)", "1"}, strings.Fields(lines[1]))
	require.Equal(t, []string{string(wallets[0]), string(wallets[2]), "7", "SOL", "1"}, strings.Fields(lines[2]))
	require.Equal(t, "2 of 3 flows in 3 transactions, of which 1 failed and 0 could not be read", lines[3])
	out.Reset()
	require.NoError(t, l.print(t.Context(), fake.Config(), &out, 0))
	require.Equal(t, []string{string(wallets[0]), string(wallets[1]), "6.5", "SOL", "2"}, strings.Fields(strings.Split(out.String(), "\n")[3]))
}
