package fake_test

import (
	"context"
	"encoding/json"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/rpc/parsedapi"
	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/enhancedapi"
)

// A patched item cannot be read in listings, batches, histories, streams and deliveries; the others
// can.
func TestPatchedItemsCannotBeRead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		odd, next := types.Signature(strings.Repeat("2", 88)), types.Signature(strings.Repeat("3", 88))
		w := liveWorld()
		w.Transactions = []fake.Transaction{{FeePayer: ann}, {FeePayer: ann, Signature: odd}, {FeePayer: ann}}
		w.CompressedAccounts = []fake.CompressedAccount{{Owner: ann, Hash: leaf}, {Owner: ann}}
		const patch = `{"slot": "x", "logs": 5, "fee": "x", "parsed": {"slot": "x"}}`
		w.Patches = map[string]json.RawMessage{
			string(odd): json.RawMessage(patch), string(next): json.RawMessage(patch),
			string(leaf): json.RawMessage(`{"lamports": -1}`), string(numbered(1)): json.RawMessage(`{"burnt": 5}`), string(bob): json.RawMessage(`{"lamports": "x"}`),
		}
		s := fake.New(&fake.Options{World: w})
		cfg, ctx := s.Config(), t.Context()
		chain := node(t, s)
		results, err := parsedapi.New(cfg)
		require.NoError(t, err)
		hooks, err := enhancedapi.New(cfg)
		require.NoError(t, err)
		assets, err := das.New(cfg)
		require.NoError(t, err)
		indexer, err := compressed.New(cfg)
		require.NoError(t, err)
		for name, list := range map[string]func() (int, error){
			"signatures": func() (int, error) { return read(chain.SignaturesForAddress(ctx, ann, nil)) },
			"history":    func() (int, error) { return read(chain.TransactionsForAddress(ctx, ann, nil)) },
			"base64": func() (int, error) {
				return read(chain.TransactionsForAddress(ctx, ann, &rpc.TransactionsForAddressOptions{Encoding: types.EncodingBase64}))
			},
			"wallet":   func() (int, error) { return read(wallets(t, cfg).History(ctx, ann, nil)) },
			"parsed":   func() (int, error) { return read(results.History(ctx, ann, nil)) },
			"enhanced": func() (int, error) { return read(hooks.History(ctx, ann, nil)) },
			"assets":   func() (int, error) { return read(assets.AssetsByOwner(ctx, ann, nil)) },
			"indexer":  func() (int, error) { return read(indexer.AccountsByOwner(ctx, ann, nil)) },
			"batch of assets": func() (int, error) {
				all, err := assets.Assets(ctx, []types.Address{numbered(1), numbered(2)}, nil)
				require.NotNil(t, all[1])
				return 1, err
			},
			"batch of accounts": func() (int, error) {
				all, err := chain.Accounts(ctx, []types.Address{bob, ann}, nil)
				require.NotNil(t, all[1])
				return 1, err
			},
		} {
			n, err := list()
			var item *types.ItemError
			require.ErrorAs(t, err, &item, name)
			require.NotZero(t, n, name)
		}

		follow, err := stream.New(cfg)
		require.NoError(t, err)
		defer follow.Close()
		type event struct {
			signature types.Signature
			odd       bool
		}
		var events []event
		deadline, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		time.AfterFunc(3*time.Second, func() {
			s.Happen(fake.Transaction{FeePayer: ann, Signature: next})
			s.Transfer(ann, bob, 1)
		})
		for e, err := range follow.Transactions(deadline, []types.Address{ann}, nil) {
			require.NoError(t, err)
			if events = append(events, event{e.Transaction.Signature, e.Err != nil}); len(events) == 2 {
				break
			}
		}
		require.Equal(t, event{next, true}, events[0])
		require.False(t, events[1].odd)

		var delivered []error
		receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{Secrets: []webhooks.Secret{"a secret of this test"}, Handle: func(_ context.Context, e *webhooks.Event) error {
			delivered = append(delivered, e.Err)
			return nil
		}})
		require.NoError(t, err)
		e, _ := s.Event(odd)
		s.Deliver(ctx, &fake.Delivery{Handler: receiver, AuthHeader: "a secret of this test"}, e)
		require.Len(t, delivered, 1)
		require.Error(t, delivered[0])
	})
}

// read returns the number of items of a listing, and the error with which it ends.
func read[T any](list interface{ All() iter.Seq2[T, error] }) (n int, err error) {
	for _, err := range list.All() {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}
