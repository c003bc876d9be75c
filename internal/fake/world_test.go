package fake_test

import (
	"encoding/json"
	"math/big"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/internal/fake/world"
)

type worldBalance struct {
	Mint     string      `json:"mint"`
	Balance  json.Number `json:"balance"`
	Decimals int         `json:"decimals"`
}

// worldOf returns what a wallet holds, and its transactions.
func worldOf(t *testing.T, s *fake.Service, wallet string) (held []worldBalance, past []transaction) {
	t.Helper()
	for page := "1"; page != ""; {
		status, body := get(t, s, "/v1/wallet/"+wallet+"/balances?showZeroBalance=true&page="+page)
		require.Equal(t, 200, status, body)
		var p struct {
			Balances   []worldBalance `json:"balances"`
			Pagination struct {
				Page    json.Number `json:"page"`
				HasMore bool        `json:"hasMore"`
			} `json:"pagination"`
		}
		require.NoError(t, json.Unmarshal([]byte(body), &p))
		held = append(held, p.Balances...)
		n, err := p.Pagination.Page.Int64()
		require.NoError(t, err)
		if page = ""; p.Pagination.HasMore {
			page = big.NewInt(n + 1).String()
		}
	}
	for before := ""; ; {
		status, body := get(t, s, "/v1/wallet/"+wallet+"/history?tokenAccounts=all"+before)
		require.Equal(t, 200, status, body)
		var p restPage[transaction]
		require.NoError(t, json.Unmarshal([]byte(body), &p))
		past = append(past, p.Data...)
		if !p.Pagination.HasMore {
			return held, past
		}
		before = "&before=" + url.QueryEscape(p.Pagination.Next)
	}
}

// requireOneWorld fails unless balances, balances at a time and the history of a
// wallet agree. Explained says that the history explains all that is held.
func requireOneWorld(t *testing.T, s *fake.Service, wallet string, explained bool) {
	t.Helper()
	held, past := worldOf(t, s, wallet)
	sums := map[string]*big.Rat{}
	for _, x := range past {
		for _, c := range x.Changes {
			if sums[c.Mint] == nil {
				sums[c.Mint] = new(big.Rat)
			}
			sums[c.Mint].Add(sums[c.Mint], rat(t, c.Amount))
		}
	}
	for i, b := range held {
		mint, name := b.Mint, b.Mint
		if i == 0 {
			mint, name = nativeMint, "SOL" // as histories call it
		}
		status, body := get(t, s, "/v1/wallet/"+wallet+"/balance-at?time=4000000000&mint="+mint)
		require.Equal(t, 200, status, body)
		var at struct {
			Balance  json.Number `json:"balance,string"`
			Decimals int         `json:"decimals"`
		}
		require.NoError(t, json.Unmarshal([]byte(body), &at))
		require.Zero(t, rat(t, at.Balance).Cmp(rat(t, b.Balance)), "%s %s: %s, not %s", wallet, mint, at.Balance, b.Balance)
		require.Equal(t, b.Decimals, at.Decimals, mint)
		if sum := sums[name]; explained && rat(t, b.Balance).Sign() != 0 {
			require.NotNil(t, sum, mint)
			require.Zero(t, sum.Cmp(rat(t, b.Balance)), "%s: history has %s of %s, not %s", wallet, sum.FloatString(20), mint, b.Balance)
		}
	}
}

func TestWalletsAreOfOneWorld(t *testing.T) {
	t.Parallel()
	s := fake.New()
	requireOneWorld(t, s, fake.Wallet, true)
	requireOneWorld(t, s, fake.Collector, true)
	requireOneWorld(t, s, fake.Exchange, false)

	all, _ := follow[transfer](t, s, "/transfers?limit=100", "cursor")
	seen := map[string]bool{}
	for _, x := range all {
		if seen[x.Counterparty] {
			continue
		}
		seen[x.Counterparty] = true
		status, body := get(t, s, "/v1/wallet/"+x.Counterparty+"/transfers?limit=100")
		require.Equal(t, 200, status)
		require.Contains(t, body, `"counterparty":"`+fake.Wallet+`"`, "the other side knows of it")
	}
	require.Greater(t, len(seen), 20)
	other := all[len(all)/2].Counterparty
	requireOneWorld(t, s, other, other != fake.Exchange)
}

func TestEventsChangeTheWorld(t *testing.T) {
	t.Parallel()
	s := fake.New()
	_, before := worldOf(t, s, fake.Wallet)
	out, err := sendSOL(s, fake.Wallet, fake.Collector, 1_500_000_000)
	require.NoError(t, err)
	swap, err := s.Swap(fake.Wallet)
	require.NoError(t, err)
	in, err := sendSOL(s, someone, fake.Wallet, 7)
	require.NoError(t, err)
	_, after := worldOf(t, s, fake.Wallet)
	require.Equal(t, before, after[3:])
	for i, e := range []*world.Transaction{in, swap, out} {
		require.Equal(t, e.Signature, after[i].Signature)
	}
	for _, wallet := range []string{fake.Wallet, fake.Collector} {
		requireOneWorld(t, s, wallet, true)
	}
	requireOneWorld(t, s, someone, false)
	raw := s.Book().Of(out).Raw
	require.Contains(t, raw, `"preBalances":[1523754213877,`)
	require.Contains(t, raw, `"postBalances":[1522254208877,`)
}

// sendSOL lets one wallet send lamports to another.
func sendSOL(s *fake.Service, from, to string, lamports uint64) (*world.Transaction, error) {
	return s.Make(func(b *world.Builder) {
		b.Transact(world.Transaction{Kind: "TRANSFER", Fee: 5000, FeePayer: from}, []world.Leg{{From: from, To: to, Amount: world.Text(lamports, 9)}})
	})
}
