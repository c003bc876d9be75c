package fake_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/rpc/parsedapi"
	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/enhanced"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/parsed"
	"github.com/solwire/solwire-go/types/tx"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/wallet"
	webhooks_enhanced "github.com/solwire/solwire-go/webhooks/enhancedapi"
)

// native is the mint of SOL in changes.
const native = types.NativeSOLMint

// A view is the part of a transaction that all APIs show, in one form.
type view struct {
	Slot, Fee uint64
	Payer     types.Address
	Err       string
	Calls     []string          // program, data and accounts
	Changes   map[string]string // raw, by account and mint
}

func callOf(program types.Address, data string, accounts []types.Address) string {
	return fmt.Sprint(program, " ", data, accounts)
}

func nodeView(x *tx.Transaction) view {
	keys := x.Accounts()
	v := view{Slot: x.Slot, Fee: x.Meta.FeeLamports, Payer: keys[0], Err: string(x.Meta.TransactionError), Changes: map[string]string{}}
	add := func(i tx.Instruction) {
		var accounts []types.Address
		for _, n := range i.Accounts {
			accounts = append(accounts, keys[n])
		}
		v.Calls = append(v.Calls, callOf(keys[i.ProgramIDIndex], i.Data, accounts))
	}
	for at, i := range x.Signed.Message.Instructions {
		add(i)
		for _, inner := range x.Meta.InnerInstructions {
			if inner.Index == at {
				for _, i := range inner.Instructions {
					add(i)
				}
			}
		}
	}
	for _, c := range x.Changes() {
		v.Changes[fmt.Sprint(c.Account, c.Mint)] = decimal.NewFromUint64(c.RawAfter).Sub(decimal.NewFromUint64(c.RawBefore)).String()
	}
	return v
}

func parsedView(x *parsed.Transaction) view {
	v := view{Slot: x.Slot, Fee: x.FeeLamports, Payer: x.FeePayer, Err: string(x.TransactionError)}
	for _, i := range x.Instructions {
		v.Calls = append(v.Calls, callOf(i.ProgramID, i.Data, i.Accounts))
	}
	return v
}

func enhancedView(x *enhanced.Transaction) view {
	v := view{Slot: x.Slot, Fee: x.FeeLamports, Payer: x.FeePayer, Err: string(x.TransactionError), Changes: map[string]string{}}
	for _, i := range x.Instructions {
		v.Calls = append(v.Calls, callOf(i.ProgramID, i.Data, i.Accounts))
		for _, i := range i.InnerInstructions {
			v.Calls = append(v.Calls, callOf(i.ProgramID, i.Data, i.Accounts))
		}
	}
	for _, a := range x.AccountData {
		if a.NativeBalanceChange != 0 {
			v.Changes[fmt.Sprint(a.Account, native)] = fmt.Sprint(a.NativeBalanceChange)
		}
		for _, c := range a.TokenBalanceChanges {
			v.Changes[fmt.Sprint(c.UserAccount, c.Mint)] = c.RawTokenAmount.Amount.String()
		}
	}
	return v
}

// heard collects the events of streams, until stop.
func heard[E any](t *testing.T, events func(context.Context) func(func(E, error) bool), signature func(*E) types.Signature) (stop func() map[types.Signature]*E) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	got, done := map[types.Signature]*E{}, make(chan struct{})
	go func() {
		defer close(done)
		for e, err := range events(ctx) {
			if err != nil {
				return
			}
			got[signature(&e)] = &e
		}
	}()
	return func() map[types.Signature]*E { cancel(); <-done; return got }
}

func TestEveryTransactionIsSeenAlikeByAllMethods(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		world := liveWorld()
		live := kinds()
		for _, i := range []int{0, 1, 4, 5} {
			world.Transactions = append(world.Transactions, live[i])
		}
		sol := func(from, to types.Address, amount string) fake.Transfer {
			return fake.Transfer{From: from, To: to, Amount: decimal.RequireFromString(amount)}
		}
		world.Transactions = append(world.Transactions,
			fake.Transaction{Type: txtype.Swap, Transfers: []fake.Transfer{of(one, "1"), sol(bob, ann, "0.1")}},
			fake.Transaction{Transfers: []fake.Transfer{sol(ann, ann, "1")}},
			fake.Transaction{Transfers: []fake.Transfer{of(types.WrappedSOL, "0.5"), sol(ann, bob, "0.25")}})
		s := fake.New(&fake.Options{World: world})
		ctx, cfg := t.Context(), s.Config()
		follow, err := stream.New(cfg)
		require.NoError(t, err)
		defer follow.Close()
		both := []types.Address{ann, bob}
		transactions := heard(t, func(ctx context.Context) func(func(stream.TransactionEvent, error) bool) {
			return follow.Transactions(ctx, both, &stream.TransactionsOptions{Encoding: types.EncodingBase64})
		}, func(e *stream.TransactionEvent) types.Signature { return e.Transaction.Signature })
		logs := heard(t, func(ctx context.Context) func(func(stream.LogsEvent, error) bool) { return follow.AllLogs(ctx, nil) },
			func(e *stream.LogsEvent) types.Signature { return e.Signature })
		decoded := heard(t, func(ctx context.Context) func(func(stream.ParsedTransactionEvent, error) bool) {
			return follow.ParsedTransactions(ctx, &stream.ParsedTransactionsOptions{Accounts: both})
		}, func(e *stream.ParsedTransactionEvent) types.Signature { return e.Signature })
		time.Sleep(3 * time.Second)

		events := map[types.Signature]fake.Event{}
		var signatures []types.Signature
		happened := func(e fake.Event) {
			signatures, events[e.Signature()] = append(signatures, e.Signature()), e
			time.Sleep(150 * time.Millisecond) // some share a slot
		}
		for _, x := range live {
			happened(s.Happen(x))
		}
		happened(s.Swap(bob))
		sent, err := send(t, s, 0, key(1), 2500)
		require.NoError(t, err)
		event, known := s.Event(sent)
		require.True(t, known)
		happened(event)
		dropped := s.Happen(fake.Transaction{Transfers: []fake.Transfer{of("", "0.1")}, Dropped: true}).Signature()
		time.Sleep(15 * time.Second)
		streamed, logged, parsedStream := transactions(), logs(), decoded()
		require.NotContains(t, logged, dropped)
		chain := node(t, s)
		past, err := chain.SignaturesForAddress(ctx, ann, nil).Collect(100)
		require.NoError(t, err)
		for _, x := range past {
			if !slices.Contains(signatures, x.Signature) {
				signatures = append(signatures, x.Signature)
			}
		}
		require.NotContains(t, signatures, dropped)
		require.Len(t, signatures, len(live)+2+len(world.Transactions))

		parsedEvents, err := parsedapi.New(cfg)
		require.NoError(t, err)
		results, err := parsedEvents.Transactions(ctx, signatures, nil)
		require.NoError(t, err)
		hooks, err := webhooks_enhanced.New(cfg)
		require.NoError(t, err)
		delivered, err := hooks.Transactions(ctx, signatures, nil)
		require.NoError(t, err)
		listed, err := hooks.History(ctx, ann, nil).Collect(100)
		require.NoError(t, err)
		for i := range past {
			require.Equal(t, past[i].Signature, listed[i].Signature)
		}
		for i, signature := range signatures {
			about := fmt.Sprint(i, " ", signature)
			x, err := chain.Transaction(ctx, signature, nil)
			require.NoError(t, err)
			want := nodeView(x)
			taken := x.Meta.FeeLamports
			for i := range x.Meta.PostBalances {
				taken += x.Meta.PostBalances[i] - x.Meta.PreBalances[i]
			}
			require.Zero(t, taken, "lamports are conserved: %s", about)

			got := parsedView(results[i].Parsed)
			got.Changes = want.Changes
			require.Equal(t, want, got, about)
			got = enhancedView(delivered[i])
			require.Equal(t, want.Err == "", got.Err == "", about)
			got.Err = want.Err
			require.Equal(t, want, got, about)

			block, err := chain.Block(ctx, x.Slot, nil)
			require.NoError(t, err)
			require.True(t, slices.ContainsFunc(block.Transactions, func(other tx.Transaction) bool {
				return other.Signed.Signatures[0] == signature && string(other.Meta.TransactionError) == want.Err
			}), about)
			for _, key := range x.Accounts() {
				list, err := chain.SignaturesForAddress(ctx, key, nil).Collect(100)
				require.NoError(t, err)
				require.True(t, slices.ContainsFunc(list, func(o rpc.SignatureInfo) bool {
					return o.Signature == signature && string(o.TransactionError) == want.Err
				}), about)
			}
			for _, owner := range both {
				history, err := wallets(t, cfg).History(ctx, owner, nil).Collect(100)
				require.NoError(t, err)
				n := slices.IndexFunc(history, func(h wallet.Transaction) bool { return h.Signature == signature })
				received := slices.ContainsFunc(x.Meta.PostTokenBalances, func(b tx.TokenBalance) bool { return b.Owner == owner })
				require.Equal(t, received || slices.Contains(x.Accounts(), owner), n >= 0, about)
				if n < 0 {
					continue
				}
				require.Equal(t, want.Err != "", history[n].TransactionError != "", about)
				for _, c := range history[n].BalanceChanges {
					mint := c.Mint
					if mint == "SOL" {
						mint = native
					}
					require.Equal(t, want.Changes[fmt.Sprint(owner, mint)], c.Amount.Shift(int32(c.Decimals)).String(), about)
				}
			}

			e, isLive := events[signature]
			if !isLive {
				continue
			}
			var whole enhanced.Transaction
			require.NoError(t, whole.UnmarshalJSON(e.Enhanced()))
			require.Equal(t, delivered[i], &whole, about)
			require.Equal(t, x.Meta.LogMessages, logged[signature].Logs, about)
			require.Equal(t, want.Err, string(logged[signature].TransactionError), about)
			if slices.Contains(x.Accounts(), ann) || slices.Contains(x.Accounts(), bob) {
				require.Equal(t, x.Meta, streamed[signature].Transaction.Meta, about)
			}
			if p := parsedStream[signature]; p != nil {
				got := parsedView(p.Parsed)
				got.Changes = want.Changes
				require.Equal(t, want, got, about)
			}
		}
		require.Len(t, parsedStream, 9, "those with an instruction that names ann or bob")

		assets, err := das.New(cfg)
		require.NoError(t, err)
		owned, err := assets.AssetsByOwner(ctx, bob, nil).Collect(10)
		require.NoError(t, err)
		require.Len(t, owned, 2, "ann sold both")
		of, err := assets.Signatures(ctx, numbered(2), nil).Collect(10)
		require.NoError(t, err)
		require.Equal(t, signatures[3], of[0].Signature)
		for _, sale := range delivered[2:4] {
			require.Equal(t, []any{bob, ann, uint64(1_500_000_000)}, []any{sale.Events.NFT.Buyer, sale.Events.NFT.Seller, sale.Events.NFT.Lamports})
			require.Len(t, sale.Events.NFT.NFTs, 1)
			require.Contains(t, sale.Description, "for 1.5 SOL from "+string(ann))
		}
		indexer, err := compressed.New(cfg)
		require.NoError(t, err)
		_, err = indexer.Account(ctx, leaf)
		require.ErrorIs(t, err, types.ErrNotFound, "it was spent")
		opened, err := indexer.Transaction(ctx, signatures[8])
		require.NoError(t, err)
		require.Len(t, opened.Opened, 1)
		spent, err := indexer.Transaction(ctx, signatures[9])
		require.NoError(t, err)
		require.Equal(t, []int{1, 1}, []int{len(spent.Closed), len(spent.Opened)})
		require.Equal(t, leaf, spent.Closed[0].Account.Hash)
		twice, err := indexer.SignaturesForAccount(ctx, leaf)
		require.NoError(t, err)
		require.Len(t, twice, 2, "it was opened and spent")
		tokens, err := indexer.TokenAccountsByOwner(ctx, bob, nil).Collect(10)
		require.NoError(t, err)
		require.Len(t, tokens, 1)
		require.NotEqual(t, opened.Opened[0].Account.LeafIndex, tokens[0].Account.LeafIndex, "each has its own leaf")
	})
}
