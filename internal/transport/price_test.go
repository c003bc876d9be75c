package transport_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/transport"
)

func TestPrices(t *testing.T) {
	t.Parallel()
	for op, want := range map[transport.Op]uint64{
		"rpc.Client.Slot getSlot":                                          1,
		"rpc.Client.ProgramAccounts getProgramAccounts":                    10,
		"rpc.Client.ProgramAccountsV2 getProgramAccountsV2":                1,
		"das.Client.Assets getAssetBatch":                                  10,
		"das.Client.SearchAssets searchAssets":                             10,
		"compressed.Client.AccountsByOwner getCompressedAccountsByOwner":   10,
		"compressed.Client.Proofs getMultipleCompressedAccountProofs":      10,
		"compressed.Client.ValidityProof getValidityProof":                 100,
		"wallet.Client.Balances GET /v1/wallet/{wallet}/balances":          100,
		"parsed.Client.History POST /v1/parsed-events/transaction-history": 10,
		"webhooks.Client.List GET /v0/webhooks":                            0,
		"webhooks.Client.SetActive PATCH /v0/webhooks/{webhookID}":         0,
		"webhooks.Client.Create POST /v0/webhooks":                         100,
		"webhooks.Client.Transactions POST /v0/transactions":               100,
		"webhooks.Client.History GET /v0/addresses/{address}/transactions": 100,
	} {
		require.Equal(t, want, op.Price(), op)
	}
}
