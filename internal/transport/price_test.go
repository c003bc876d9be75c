package transport_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/transport"
)

func TestPrices(t *testing.T) {
	t.Parallel()
	for wire, want := range map[string]uint64{
		"getSlot":                                    1,
		"getProgramAccounts":                         10,
		"getProgramAccountsV2":                       1,
		"getAssetBatch":                              10,
		"searchAssets":                               10,
		"getCompressedAccountsByOwner":               10,
		"getMultipleCompressedAccountProofs":         10,
		"getValidityProof":                           100,
		"GET /v1/wallet/{wallet}/balances":           100,
		"POST /v1/parsed-events/transaction-history": 10,
		"GET /v0/webhooks":                           0,
		"PATCH /v0/webhooks/{webhookID}":             0,
		"POST /v0/webhooks":                          100,
		"POST /v0/transactions":                      100,
		"GET /v0/addresses/{address}/transactions":   100,
	} {
		require.Equal(t, want, transport.Op{Wire: wire}.Price(), wire)
	}
}
