package wallet_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/wallet"
)

func TestHistoryTypesAreTheDocumentedOnes(t *testing.T) {
	t.Parallel()
	require.Equal(t, []txtype.Type{
		"SWAP", "TRANSFER", "NFT_SALE", "NFT_BID", "NFT_LISTING", "NFT_MINT", "NFT_CANCEL_LISTING", "TOKEN_MINT", "BURN",
		"COMPRESSED_NFT_MINT", "COMPRESSED_NFT_TRANSFER", "COMPRESSED_NFT_BURN", "CREATE_STORE", "WHITELIST_CREATOR",
		"ADD_TO_WHITELIST", "REMOVE_FROM_WHITELIST", "AUCTION_MANAGER_CLAIM_BID", "EMPTY_PAYMENT_ACCOUNT",
		"UPDATE_PRIMARY_SALE_METADATA", "ADD_TOKEN_TO_VAULT", "ACTIVATE_VAULT", "INIT_VAULT", "INIT_BANK", "INIT_STAKE",
		"MERGE_STAKE", "SPLIT_STAKE", "CREATE_AUCTION_MANAGER", "START_AUCTION", "CREATE_AUCTION_MANAGER_V2",
		"UPDATE_EXTERNAL_PRICE_ACCOUNT", "EXECUTE_TRANSACTION",
	}, wallet.HistoryTypes())

	changed := wallet.HistoryTypes()
	slices.Sort(changed)
	require.Equal(t, txtype.Swap, wallet.HistoryTypes()[0], "each call returns a new slice")
}

func TestHistorySendsAnyTypeButAny(t *testing.T) {
	t.Parallel()
	for _, typ := range append(wallet.HistoryTypes(), "", txtype.StakeSOL, "A_NEW_TYPE") {
		s := fakeapi.New()
		s.Answer(200, `{"data":[],"pagination":{"hasMore":false}}`)
		_, err := client(t, s).History(t.Context(), fakeapi.Wallet, &wallet.HistoryOptions{Type: typ}).Page()
		require.NoError(t, err)
		require.Equal(t, string(typ), s.Requests()[0].Query.Get("type"))
		require.Equal(t, typ != "", s.Requests()[0].Query.Has("type"))
	}
}
