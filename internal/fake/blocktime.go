package fake

import (
	"encoding/json"
	"strconv"
	"sync"

	"github.com/solwire/solwire-go/internal/golden"
)

// blockTimeOf answers getBlockTime: for the slot of a transaction with the block time
// of that transaction, otherwise with the time at which the world had that slot.
func blockTimeOf(s *Service, c *call) ([]byte, *refusal) {
	var args []json.RawMessage
	if json.Unmarshal(c.params, &args) != nil || len(args) != 1 {
		return nil, invalidParams("Invalid params: invalid type: %s, expected a tuple of size 1.", kind(c.params))
	}
	slot, err := strconv.ParseUint(string(args[0]), 10, 64)
	newest := nodeConfig{commitment: "processed", finalized: s.slot()}.slot()
	switch {
	case err != nil:
		return nil, invalidParams("Invalid params: invalid type: %s, expected u64.", kind(args[0]))
	case slot > newest:
		return nil, &refusal{code: -32004, message: "Block not available for slot " + strconv.FormatUint(slot, 10)}
	}
	for _, wallet := range s.wallets() {
		list := s.transactionsOf(wallet)
		for i := range list {
			if s.slotOf(&list[i]) == slot {
				return encode(s.timeOf(&list[i]).Unix()), nil
			}
		}
	}
	if at := goldenTimes()[slot]; s.world.preset && at != nil {
		return at, nil
	}
	return encode(s.timeAt(slot).Unix()), nil
}

// newestSlot answers getSlot.
func newestSlot(s *Service, c *call) ([]byte, *refusal) {
	var args []json.RawMessage
	if len(c.params) > 0 && json.Unmarshal(c.params, &args) != nil || len(args) > 1 {
		return nil, invalidParams("Invalid params: expected a configuration")
	}
	config, _, refused := s.lastConfig(args)
	return encode(config.slot()), refused
}

// goldenTimes are the block times of the transactions in golden answers by slot.
var goldenTimes = sync.OnceValue(func() map[uint64]json.RawMessage {
	times := map[uint64]json.RawMessage{}
	for _, name := range []string{
		"getTransaction", "getTransaction-base58", "getTransaction-inner-jsonParsed", "getSignaturesForAddress", "getTransactionsForAddress",
	} {
		body, _ := golden.Answer("rpc/" + name)
		collectTimes(body, times)
	}
	return times
})

// collectTimes adds the block times of all objects with a slot within raw.
func collectTimes(raw json.RawMessage, times map[uint64]json.RawMessage) {
	var list []json.RawMessage
	members, isObject := object(raw)
	if !isObject && json.Unmarshal(raw, &list) != nil {
		return
	}
	slot, err := strconv.ParseUint(string(members["slot"]), 10, 64)
	if at := members["blockTime"]; err == nil && at != nil && string(at) != "null" {
		times[slot] = at
	}
	for _, inner := range members {
		collectTimes(inner, times)
	}
	for _, inner := range list {
		collectTimes(inner, times)
	}
}
