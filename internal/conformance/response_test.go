package conformance_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
)

// A program reads members that the types lack in the response as it was sent.
func TestResponsesHaveMembersThatTypesLack(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]struct {
		body, op string
		call     func(context.Context, *clients) error
	}{
		"JSON-RPC listing": {
			`{"jsonrpc":"2.0","id":null,"result":{"data":[{"signature":"a","slot":7,"newMember":8}],"paginationToken":null}}`, "getTransactionsForAddress of " + walletKey,
			func(ctx context.Context, c *clients) error {
				_, err := c.rpc.TransactionSignaturesForAddress(ctx, walletKey, nil).Collect(10)
				return err
			},
		},
		"REST page": {
			`{"data":[{"signature":"a","amount":1,"amountRaw":"1","newMember":8}],"pagination":{"hasMore":false}}`, "GET /v1/wallet/{wallet}/transfers of " + walletKey,
			func(ctx context.Context, c *clients) error {
				_, err := c.wallet.Transfers(ctx, walletKey, nil).Page()
				return err
			},
		},
		"single read": {
			`{"jsonrpc":"2.0","id":null,"result":{"initial":0.08,"newMember":8}}`, "getInflationGovernor",
			func(ctx context.Context, c *clients) error {
				_, err := c.rpc.InflationGovernor(ctx, nil)
				return err
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var ops, bodies []string
				c := connect(t, types.Config{
					APIKey: types.Key(key), HTTPClient: &http.Client{Transport: &server{answers: []answer{{500, `{}`}, {200, r.body}}}},
					OnResponse: func(op string, body json.RawMessage) { ops, bodies = append(ops, op), append(bodies, string(body)) },
				})
				require.NoError(t, r.call(t.Context(), c))
				require.Equal(t, []string{r.op}, ops, "a refusal is left out")
				require.Equal(t, []string{r.body}, bodies)
			})
		})
	}
}
