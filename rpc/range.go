package rpc

import (
	"fmt"

	"github.com/solwire/solwire-go/internal/argument"
)

// An amountRange selects amounts from Min to Max, both included; 0 is no bound.
type amountRange struct {
	Min uint64 `json:"gte,omitempty"`
	Max uint64 `json:"lte,omitempty"`
}

func (r amountRange) check(option string) error {
	if r.Max != 0 && r.Min > r.Max {
		return argument.Invalid(fmt.Sprint(option, "MinRawAmount ", r.Min), fmt.Sprint("is above MaxRawAmount ", r.Max))
	}
	return nil
}

// sortOrder is the wire form of an order; empty means newest first.
func sortOrder(ascending bool) string {
	if ascending {
		return "asc"
	}
	return ""
}
