package fake_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/enhanced"
	"github.com/solwire/solwire-go/wallet"
	parsing "github.com/solwire/solwire-go/webhooks/enhanced"
)

func TestParsedHistoriesAgreeWithHistories(t *testing.T) {
	t.Parallel()
	s := fake.New()
	_, err := sendSOL(s, fake.Wallet, fake.Exchange, 1_000_000)
	require.NoError(t, err)
	hooks, err := parsing.New(s.Config())
	require.NoError(t, err)
	wallets, err := wallet.New(s.Config())
	require.NoError(t, err)
	for _, address := range []types.Address{fake.Wallet, fake.Exchange, fake.Collector} {
		parsed, err := hooks.History(t.Context(), address, &parsing.HistoryOptions{TokenAccounts: types.TokenAccountHistoryAll}).Collect(1000)
		require.NoError(t, err)
		history, err := wallets.History(t.Context(), address, &wallet.HistoryOptions{TokenAccounts: types.TokenAccountHistoryAll}).Collect(1000)
		require.NoError(t, err)
		require.Len(t, parsed, len(history))
		bySignature := map[types.Signature]enhanced.Transaction{}
		var signatures []types.Signature
		for _, p := range parsed {
			bySignature[p.Signature] = p
		}
		for _, x := range history {
			p := bySignature[x.Signature]
			require.Equal(t, x.Slot, p.Slot)
			require.Equal(t, x.FeePayer, p.FeePayer)
			require.Equal(t, x.Err != "", len(p.Err) > 0)
			signatures = append(signatures, x.Signature)
		}
		some, err := hooks.Transactions(t.Context(), signatures[:1], nil)
		require.NoError(t, err)
		require.Equal(t, bySignature[signatures[0]], *some[0])
	}

	all, err := hooks.History(t.Context(), fake.Wallet, &parsing.HistoryOptions{TokenAccounts: types.TokenAccountHistoryAll}).Collect(1000)
	require.NoError(t, err)
	list, err := wallets.Transfers(t.Context(), fake.Wallet, nil).Collect(1000)
	require.NoError(t, err)
	n := 0
	for _, p := range all {
		for _, m := range p.NativeTransfers {
			if m.FromUserAccount == fake.Wallet || m.ToUserAccount == fake.Wallet {
				n++
			}
		}
		for _, m := range p.TokenTransfers {
			if m.FromUserAccount == fake.Wallet || m.ToUserAccount == fake.Wallet {
				n++
			}
		}
	}
	require.Equal(t, len(list), n, "transfers")
}
