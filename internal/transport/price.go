package transport

import (
	"strings"

	"github.com/solwire/solwire-go/internal/meter"
)

// Price returns the credits that the service charges for one response of an operation,
// as documented in September 2026. Where the price depends on the result, it is the
// lowest one.
func (o Op) Price() uint64 {
	switch method, route, rest := strings.Cut(o.Wire, " "); {
	case !rest:
		return methodPrice(method)
	case strings.HasPrefix(route, "/v1/wallet/"):
		return 100
	case strings.HasPrefix(route, "/v1/parsed-events/"):
		return 10
	case !strings.HasPrefix(route, "/v0/webhooks"):
		return 100 // enhanced transactions
	case method == "GET" || method == "PATCH": // without a documented price
		return 0
	}
	return 100
}

func methodPrice(method string) uint64 {
	switch method {
	case "getProgramAccounts", "getTransactionsForAddress", "getTransfersByAddress",
		"getNftEditions", "getTokenAccounts", // digital assets
		"getIndexerHealth", "getIndexerSlot", "getLatestNonVotingSignatures",
		"getMultipleNewAddressProofs", "getMultipleNewAddressProofsV2":
		return 10
	case "getValidityProof", "getValidityProofV2":
		return 100
	}
	if strings.Contains(method, "Compress") || strings.Contains(method, "Asset") {
		return 10
	}
	return 1
}

// pay counts the credits of a response with a 2xx status.
func (c *call) pay() {
	charges := c.charges
	if charges == nil {
		charges = []Op{c.op}
	}
	for _, op := range charges {
		meter.Add(c.meter, op.Wire, op.Price())
	}
}
