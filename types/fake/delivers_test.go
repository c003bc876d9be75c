package fake_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/rpc/parsedapi"
	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/parsed"
	"github.com/solwire/solwire-go/types/tx"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/wallet"
)

// The transactions about a wallet that each method delivers: only transactions that name it, or
// also changes of its token accounts. A transfer of tokens does not name the receiving wallet,
// as the service documents of the filter tokenAccounts.
func TestWhatEachMethodDeliversAboutAWallet(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		world := liveWorld()
		const hook, rawHook = "https://enhanced.example/", "https://raw.example/"
		world.Webhooks = []fake.Webhook{{URL: hook, AccountAddresses: []types.Address{ann}}, {URL: rawHook, Type: "raw", AccountAddresses: []types.Address{ann}}}
		world.Wallets[1].Tokens = append(world.Wallets[1].Tokens, fake.Token{Mint: usdc, Symbol: "USDC", Decimals: 6, Amount: decimal.NewFromInt(100)})
		s := fake.New(&fake.Options{World: world})
		cfg, ctx := s.Config(), t.Context()
		follow, err := stream.New(cfg)
		require.NoError(t, err)
		defer follow.Close()
		transactions := func(reach types.TokenAccountHistory) func() map[types.Signature]*stream.TransactionEvent {
			return heard(t, func(ctx context.Context) func(func(stream.TransactionEvent, error) bool) {
				return follow.Transactions(ctx, []types.Address{ann}, &stream.TransactionsOptions{TokenAccounts: reach, Encoding: types.EncodingBase64})
			}, func(e *stream.TransactionEvent) types.Signature { return e.Transaction.Signature })
		}
		named, changed := transactions(types.TokenAccountHistoryNone), transactions(types.TokenAccountHistoryChanged)
		logs := heard(t, func(ctx context.Context) func(func(stream.LogsEvent, error) bool) { return follow.Logs(ctx, ann, nil) },
			func(e *stream.LogsEvent) types.Signature { return e.Signature })
		decoded := heard(t, func(ctx context.Context) func(func(stream.ParsedTransactionEvent, error) bool) {
			return follow.ParsedTransactions(ctx, &stream.ParsedTransactionsOptions{Accounts: []types.Address{ann}})
		}, func(e *stream.ParsedTransactionEvent) types.Signature { return e.Signature })
		time.Sleep(3 * time.Second)

		of := func(from, to, mint types.Address, amount string) fake.Transfer {
			return fake.Transfer{From: from, To: to, Mint: mint, Amount: decimal.RequireFromString(amount)}
		}
		naming := []fake.Instruction{{Program: program, Accounts: []types.Address{ann}, Data: []byte{1}}}
		const (
			everything = "signatures transactions changes logs stream stream+changes events history history+changes wallet enhanced raw"
			byAccounts = "changes stream+changes history+changes wallet enhanced raw"
		)
		rows := []struct {
			kind string
			x    fake.Transaction
			want string
		}{
			{"incoming token", fake.Transaction{Transfers: []fake.Transfer{of(bob, ann, one, "1")}}, byAccounts},
			{"outgoing token", fake.Transaction{Transfers: []fake.Transfer{of(ann, bob, one, "1")}}, everything},
			{"SOL", fake.Transaction{Transfers: []fake.Transfer{of(bob, ann, "", "0.1")}}, everything},
			{"failed", fake.Transaction{FeePayer: ann, TransactionError: "InstructionError: [0, Custom(1)]", Instructions: naming}, strings.Replace(everything, " enhanced", "", 1)},
			{"only named", fake.Transaction{FeePayer: bob, Instructions: naming}, everything},
			{"created account", fake.Transaction{Transfers: []fake.Transfer{of(bob, ann, usdc, "5")}}, everything},
			{"swap", fake.Transaction{Type: txtype.Swap, FeePayer: ann, Transfers: []fake.Transfer{of(ann, bob, one, "1"), of(bob, ann, "", "0.1")}}, everything},
			{"compressed", fake.Transaction{FeePayer: ann, CompressedAccounts: []fake.CompressedAccount{{Owner: ann, Hash: leaf}}, Instructions: naming}, everything},
		}
		got := make([]map[string]bool, len(rows))
		at := map[types.Signature]int{}
		for i, row := range rows {
			e := s.Happen(row.x)
			at[e.Signature()], got[i] = i, map[string]bool{}
			for range 2 {
				s.Deliver(ctx, &fake.Delivery{Anywhere: true, Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
					got[i][strings.TrimSuffix(r.Host, ".example")] = true
				})}, e)
			}
			time.Sleep(time.Second)
		}
		time.Sleep(15 * time.Second)
		found := func(column string, all map[types.Signature]bool) {
			for signature := range all {
				got[at[signature]][column] = true
			}
		}
		found("stream", keysOf(named()))
		found("stream+changes", keysOf(changed()))
		found("logs", keysOf(logs()))
		found("events", keysOf(decoded()))
		chain := node(t, s)
		results, err := parsedapi.New(cfg)
		require.NoError(t, err)
		listed, err := chain.SignaturesForAddress(ctx, ann, nil).Collect(100)
		require.NoError(t, err)
		found("signatures", signaturesOf(listed, func(x rpc.SignatureInfo) types.Signature { return x.Signature }))
		for reach, suffix := range map[types.TokenAccountHistory]string{types.TokenAccountHistoryNone: "", types.TokenAccountHistoryChanged: "changes"} {
			full, err := chain.TransactionsForAddress(ctx, ann, &rpc.TransactionsForAddressOptions{TokenAccounts: reach}).Collect(100)
			require.NoError(t, err)
			column := "transactions"
			history := "history"
			if suffix != "" {
				column, history = suffix, "history+changes"
			}
			found(column, signaturesOf(full, func(x tx.Transaction) types.Signature { return x.Signature }))
			events, err := results.History(ctx, ann, &parsedapi.HistoryOptions{TokenAccounts: reach}).Collect(100)
			require.NoError(t, err)
			found(history, signaturesOf(events, func(x parsed.Result) types.Signature { return x.Signature }))
		}
		past, err := wallets(t, cfg).History(ctx, ann, nil).Collect(100)
		require.NoError(t, err)
		found("wallet", signaturesOf(past, func(x wallet.Transaction) types.Signature { return x.Signature }))
		for i, row := range rows {
			want := map[string]bool{}
			for column := range strings.FieldsSeq(row.want) {
				want[column] = true
			}
			require.Equal(t, want, got[i], row.kind)
		}
	})
}

func keysOf[E any](events map[types.Signature]E) map[types.Signature]bool {
	all := map[types.Signature]bool{}
	for signature := range events {
		all[signature] = true
	}
	return all
}

func signaturesOf[T any](items []T, signature func(T) types.Signature) map[types.Signature]bool {
	all := map[types.Signature]bool{}
	for _, item := range items {
		all[signature(item)] = true
	}
	return all
}

// The Wallet API and digital assets follow a transaction later than nodes, as long as a test says.
func TestBalancesOfTheWalletAPIAreLate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := live()
		s.SetStreams(fake.Streams{BalanceLag: 50}) // 20 s
		s.Happen(fake.Transaction{Transfers: []fake.Transfer{of(one, "2.5")}})
		balance := func() string {
			for b, err := range wallets(t, s.Config()).Balances(t.Context(), bob, nil).All() {
				require.NoError(t, err)
				if b.Mint == one {
					return b.Amount.String()
				}
			}
			return ""
		}
		assets, err := das.New(s.Config())
		require.NoError(t, err)
		indexed := func() uint64 {
			accounts, err := assets.TokenAccounts(t.Context(), das.TokenAccountsFilter{Owner: bob, Mint: one}, nil).Collect(2)
			require.NoError(t, err)
			require.Len(t, accounts, 1)
			return accounts[0].RawAmount
		}
		time.Sleep(15 * time.Second)
		before := indexed()
		accounts, err := node(t, s).TokenAccountsByOwner(t.Context(), bob, rpc.ByMint(one), nil).Collect(1)
		require.NoError(t, err)
		amount, err := node(t, s).TokenAccountBalance(t.Context(), accounts[0].Address, nil)
		require.NoError(t, err)
		require.Equal(t, "11.5", amount.UIAmountString)
		require.Equal(t, "9", balance())
		time.Sleep(6 * time.Second)
		require.Equal(t, "11.5", balance())
		require.Equal(t, amount.RawAmount, indexed())
		require.Less(t, before, amount.RawAmount)
	})
}
