package rpc

// An amountRange selects amounts from Min to Max, both included; 0 means unlimited.
type amountRange struct {
	Min uint64 `json:"gte,omitempty"`
	Max uint64 `json:"lte,omitempty"`
}

// sortOrder is the wire form of an order; empty means newest first.
func sortOrder(ascending bool) string {
	if ascending {
		return "asc"
	}
	return ""
}
