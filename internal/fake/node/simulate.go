package node

import (
	"encoding/base64"
	"errors"

	"github.com/solwire/solwire-go/internal/fake/wire"
	"github.com/solwire/solwire-go/internal/fake/world"
)

// simulateTransaction answers as if every transaction succeeds.
func simulateTransaction(c *wire.Call) []byte {
	var text string
	args := arguments(c, &text)
	var o struct {
		Encoding   string `json:"encoding"`
		Commitment string `json:"commitment"`
		Verify     bool   `json:"sigVerify"`
		Replace    bool   `json:"replaceRecentBlockhash"`
		Inner      bool   `json:"innerInstructions"`
		MinSlot    uint64 `json:"minContextSlot"`
	}
	c.Options(args, &o)
	data, err := base64.StdEncoding.DecodeString(text)
	if o.Encoding != "base64" || err != nil {
		c.Invalid("invalid base64 encoding")
		return nil
	}
	x, err := sent(data)
	if x == nil || err != nil && (o.Verify || !errors.Is(err, errForged)) {
		c.Invalid("failed to deserialize solana_transaction::versioned::VersionedTransaction: %s", err)
		return nil
	}
	return inContext(c.World.SlotOf(o.Commitment), world.JSON(
		`{"accounts":null,"err":null,"fee":?,"innerInstructions":null,"loadedAccountsDataSize":213,"loadedAddresses":{"readonly":[],"writable":[]},"logs":[],"postBalances":null,"postTokenBalances":null,"preBalances":null,"preTokenBalances":null,"replacementBlockhash":null,"returnData":null,"unitsConsumed":?}`,
		x.Fee, 150*len(x.Instructions)))
}
