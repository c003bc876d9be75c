package transport

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
)

const upgradeKey = "0123abcd-4567-89ab-cdef-webs0cketkey"

func TestRefusalOfASubscription(t *testing.T) {
	t.Parallel()
	c, err := New(types.Config{APIKey: upgradeKey}, RPC, nil)
	require.NoError(t, err)
	err = c.Refusal("logsSubscribe", []byte(`["all"]`), []byte(`{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"Invalid key `+upgradeKey+`"}}`))
	var refusal *types.APIError
	require.ErrorAs(t, err, &refusal)
	require.Equal(t, -32602, refusal.Code)
	require.Equal(t, "logsSubscribe", refusal.Op)
	require.NotContains(t, err.Error(), upgradeKey)
}

func TestRefusalOfASubscriptionNamesItsInput(t *testing.T) {
	t.Parallel()
	const a, b = "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY", "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"
	c, err := New(types.Config{APIKey: b}, RPC, nil)
	require.NoError(t, err)
	for params, want := range map[string]string{
		`["` + a + `",{"commitment":"confirmed"}]`:                                  "x of " + a + ": code 1: no",
		`[{"mentions":["` + a + `"]},{}]`:                                           "x of " + a + ": code 1: no",
		`[{"vote":false,"include":["` + a + `","` + a + `"],"more":["` + a + `"]}]`: "x of " + a + " and 1 more: code 1: no",
		`["` + b + `"]`: "x of ***: code 1: no",
		`["all",{}]`:    "x: code 1: no",
		`[]`:            "x: code 1: no",
		``:              "x: code 1: no",
	} {
		err := c.Refusal("x", []byte(params), []byte(`{"error":{"code":1,"message":"no"}}`))
		require.EqualError(t, err, want)
	}
}
