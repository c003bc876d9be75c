package conformance_test

import (
	"slices"
)

func rpcRows() []row {
	return slices.Concat(
		rpcAccountRows(), rpcTokenRows(), rpcTransactionRows(), rpcListingRows(), rpcChainRows(), rpcClusterRows(),
	)
}

const (
	token2022     = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"
	notOfAccounts = ` is not an encoding of accounts: jsonParsed, base64, base64+zstd or base58`
	wantsNoSlice  = "DataSlice does not go with jsonParsed, the default; set Encoding to EncodingBase64"
	notProcessed  = `Commitment "processed" is not confirmed or finalized, the levels of this method`
)
