package conformance_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/types"
)

// One item of another shape is the error of its input. The other inputs have their results.
func TestUnreadableItemOfABatchIsTheErrorOfItsInput(t *testing.T) {
	t.Parallel()
	ids := []types.Address{owner, delegate, mint}
	hashes := []types.Hash{owner, delegate, mint}
	signatures := []types.Signature{
		"5wHu1qwD7q5ifaN5nwdcDqNFo53GJqa7nLp2BeeEpcHCusb4GzARz4GjgzsEHMkBMgCJMGa6GSQ1VG96Exv8kt2W",
		"3Ww3Wz9C1b7RM8P3xEzyWmeHk7H7jE7VtCFTJwEsqz2MrJxt2Cb7D1YzTFY6hYC1Hn7QWQcX5dUoZ7r2A5rQ7tPb",
		"2nBhEBYYvfaAe16UMNqRHre4YNSskvuYgx3M6E4JP1oDYvZEJHvoPzyUidNgNX5r9sTyN1J9UxtbCXy2rqYcuyuv",
	}
	const account = `{"data":["","base64"],"executable":false,"lamports":7,"owner":"11111111111111111111111111111111","rentEpoch":0,"space":0}`
	const oddAccount = `{"data":["","base64"],"executable":false,"lamports":"7","owner":"11111111111111111111111111111111"}`
	inContext := func(list string) string { return `{"context":{"slot":1},"value":` + list + `}` }
	type row struct {
		first, odd, last, whole, path string
		call                          func(context.Context, *clients) (any, error)
	}
	for name, r := range map[string]row{
		"rpc.Client.Accounts": {account, oddAccount, account, inContext(`[%s,%s,%s]`), "lamports", func(ctx context.Context, c *clients) (any, error) {
			return c.rpc.Accounts(ctx, ids, nil)
		}},
		"rpc.Client.Balances": {account, oddAccount, account, inContext(`[%s,%s,%s]`), "lamports", func(ctx context.Context, c *clients) (any, error) {
			return c.rpc.Balances(ctx, ids, nil)
		}},
		"rpc.Client.InflationRewards": {`{"amount":7}`, `{"amount":null}`, `{"amount":0}`, `[%s,%s,%s]`, "amount", func(ctx context.Context, c *clients) (any, error) {
			return c.rpc.InflationRewards(ctx, ids, nil)
		}},
		"rpc.Client.SignatureStatuses": {`{"slot":7}`, `{"slot":-7}`, `{"slot":8}`, inContext(`[%s,%s,%s]`), "slot", func(ctx context.Context, c *clients) (any, error) {
			return c.rpc.SignatureStatuses(ctx, signatures, nil)
		}},
		"wallet.Client.Identities": {
			`{"address":"` + owner + `","type":"exchange"}`, `{"address":"` + delegate + `","tags":7}`, `{"address":"` + mint + `","type":"wallet"}`, `[%[3]s,%[2]s,%[1]s]`, "tags",
			func(ctx context.Context, c *clients) (any, error) {
				return c.wallet.Identities(ctx, []string{owner, delegate, mint})
			},
		},
		"compressed.Client.Accounts": {
			`{"hash":"` + owner + `","lamports":7}`, `{"hash":"` + delegate + `","lamports":7.5}`, `{"hash":"` + mint + `","lamports":8}`, inContext(`{"items":[%s,%s,%s]}`), "lamports",
			func(ctx context.Context, c *clients) (any, error) { return c.compressed.Accounts(ctx, hashes) },
		},
		"compressed.Client.AccountProofs": {
			`{"hash":"` + owner + `","leafIndex":7}`, `{"hash":"` + delegate + `","proof":[7]}`, `{"hash":"` + mint + `","leafIndex":8}`, inContext(`[%s,%s,%s]`), "proof[0]",
			func(ctx context.Context, c *clients) (any, error) { return c.compressed.AccountProofs(ctx, hashes) },
		},
		"compressed.Client.NewAddressProofs": {
			`{"address":"` + owner + `","nextIndex":7}`, `{"address":"` + delegate + `","nextIndex":"7"}`, `{"address":"` + mint + `","nextIndex":8}`, inContext(`[%s,%s,%s]`), "nextIndex",
			func(ctx context.Context, c *clients) (any, error) {
				return c.compressed.NewAddressProofs(ctx, []compressed.NewAddress{{Address: owner}, {Address: delegate}, {Address: mint}})
			},
		},
		"das.Client.Assets": {
			`{"id":"` + owner + `"}`, `{"id":"` + delegate + `","token_info":{"supply":-1}}`, `{"id":"` + mint + `"}`, `[%s,%s,%s]`, "token_info.supply",
			func(ctx context.Context, c *clients) (any, error) { return c.das.Assets(ctx, ids, nil) },
		},
		"das.Client.Proofs": {
			`{"root":"a"}`, `{"root":"a","proof":["b",7]}`, `{"root":"a"}`, `{"` + owner + `":%s,"` + delegate + `":%s,"` + mint + `":%s}`, "proof[1]",
			func(ctx context.Context, c *clients) (any, error) { return c.das.Proofs(ctx, ids) },
		},
		"parsedapi.Client.Transactions": {
			fmt.Sprintf(`{"signature":%q,"parserStatus":"ok","parsed":{"slot":7}}`, signatures[0]), fmt.Sprintf(`{"signature":%q,"parserStatus":"ok","parsed":{"fee":"7"}}`, signatures[1]),
			fmt.Sprintf(`{"signature":%q,"parserStatus":"ok","parsed":{"slot":8}}`, signatures[2]), `[%s,%s,%s]`, "parsed.fee",
			func(ctx context.Context, c *clients) (any, error) { return c.parsed.Transactions(ctx, signatures, nil) },
		},
		"enhancedapi.Client.Transactions": {
			fmt.Sprintf(`{"signature":%q}`, signatures[0]), fmt.Sprintf(`{"signature":%q,"nativeTransfers":[{"amount":1},{"amount":null}]}`, signatures[1]), fmt.Sprintf(`{"signature":%q}`, signatures[2]),
			`[%s,%s,%s]`, "nativeTransfers[1].amount",
			func(ctx context.Context, c *clients) (any, error) {
				return c.enhanced.Transactions(ctx, signatures, nil)
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body := fmt.Sprintf(r.whole, r.first, r.odd, r.last)
			if !strings.HasPrefix(name, "wallet.") && !strings.HasPrefix(name, "parsedapi.") && !strings.HasPrefix(name, "enhancedapi.") {
				body = `{"jsonrpc":"2.0","id":null,"result":` + body + `}`
			}
			s, c := serve(t, answer{200, body})
			got, err := r.call(t.Context(), c)
			require.Equal(t, 1, s.count())
			var failed *types.BatchError
			require.ErrorAs(t, err, &failed)
			require.Len(t, failed.Errs, 3)
			require.NoError(t, failed.Errs[0])
			require.NoError(t, failed.Errs[2])
			var item *types.ItemError
			require.ErrorAs(t, failed.Errs[1], &item)
			require.Equal(t, r.path, item.Path)
			require.JSONEq(t, r.odd, string(item.JSON))
			require.Contains(t, []string{delegate, string(signatures[1])}, item.ID)
			results := reflect.ValueOf(got)
			require.False(t, results.Index(0).IsZero())
			require.True(t, results.Index(1).IsZero())
			require.False(t, results.Index(2).IsZero())
		})
	}
}

// An unreadable account is not taken for its owner, which may be another input. A repeated input
// has the error at all of its places.
func TestUnreadableItemOfABatchIsNotTheErrorOfAnotherInput(t *testing.T) {
	t.Parallel()
	const program, account = `{"data":["","base64"],"lamports":7,"owner":"11111111111111111111111111111111"}`, `{"data":["","base64"],"lamports":-7,"owner":"` + owner + `"}`
	_, c := serve(t, answer{200, `{"jsonrpc":"2.0","id":null,"result":{"context":{"slot":1},"value":[` + program + `,` + account + `]}}`})
	balances, err := c.rpc.Balances(t.Context(), []types.Address{owner, delegate}, nil)
	var failed *types.BatchError
	require.ErrorAs(t, err, &failed)
	require.NoError(t, failed.Errs[0])
	require.ErrorContains(t, failed.Errs[1], "item "+delegate+" cannot be read: lamports")
	require.Equal(t, []uint64{7, 0}, balances)

	const odd = `{"hash":"` + owner + `","lamports":-7}`
	_, c = serve(t, answer{200, `{"jsonrpc":"2.0","id":null,"result":{"context":{"slot":1},"value":{"items":[` + odd + `,` + odd + `]}}}`})
	_, err = c.compressed.Accounts(t.Context(), []types.Hash{owner, owner})
	require.ErrorAs(t, err, &failed)
	require.ErrorContains(t, failed.Errs[0], "item "+owner+" cannot be read: lamports")
	require.ErrorContains(t, failed.Errs[1], "item "+owner+" cannot be read: lamports")

	_, c = serve(t, answer{200, `[{"address":"` + owner + `","tags":7}]`})
	_, err = c.wallet.Identities(t.Context(), []string{owner, delegate, owner})
	require.ErrorAs(t, err, &failed)
	require.Error(t, failed.Errs[0])
	require.NoError(t, failed.Errs[1])
	require.Error(t, failed.Errs[2])
}
