package fake

import (
	"cmp"
	"encoding/json"
)

// recentSlots is the number of slots whose transactions a node knows without a search
// in its history.
const recentSlots = 150

type signatureStatus struct {
	Slot          uint64                     `json:"slot"`
	Confirmations *uint64                    `json:"confirmations"` // null: finalized
	Err           json.RawMessage            `json:"err"`
	Status        map[string]json.RawMessage `json:"status"`
	Confirmation  string                     `json:"confirmationStatus"`
}

// signatureStatuses answers getSignatureStatuses from the histories of the wallets. If a
// world with the data of a preset knows none of the signatures, it has the golden answer.
func signatureStatuses(s *Service, c *call) ([]byte, *refusal) {
	var args []json.RawMessage
	var signatures []string
	var options struct {
		Search *bool `json:"searchTransactionHistory"`
	}
	if json.Unmarshal(c.params, &args) != nil || len(args) < 1 || len(args) > 2 || json.Unmarshal(args[0], &signatures) != nil {
		return nil, invalidParams("Invalid params: expected an array of signatures and a configuration")
	}
	if refused := cmp.Or(tooMany("getSignatureStatuses", len(signatures)), s.options(args[1:], &options)); refused != nil {
		return nil, refused
	}
	if len(args) > 1 && string(args[1]) != "null" && options.Search == nil {
		return nil, invalidParams("Invalid params: missing field `searchTransactionHistory`.")
	}
	known := false
	found := make([]*signatureStatus, len(signatures))
	for i, signature := range signatures {
		x := s.transactionWith(signature)
		if x == nil {
			continue
		}
		known = true
		slot := s.slotOf(&x.transaction)
		if (options.Search == nil || !*options.Search) && slot+recentSlots < s.slot() {
			continue
		}
		err := nodeError(x.failure)
		status := map[string]json.RawMessage{"Err": err}
		if x.failure == "" {
			status = map[string]json.RawMessage{"Ok": null()}
		}
		found[i] = &signatureStatus{slot, nil, err, status, "finalized"}
	}
	if s.world.preset && !known {
		return fromMethod("getSignatureStatuses")(s, c)
	}
	return inContext(s.slot(), found), nil
}
