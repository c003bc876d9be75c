package main

import (
	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/rpc"
)

// shown returns a in whole tokens, exactly so where the service cannot say how
// a wallet would show it.
func shown(a rpc.Amount) string {
	switch a.UIAmountString {
	case "", "inf", "NaN":
		return decimal.NewFromUint64(a.Amount).Shift(-int32(a.Decimals)).String()
	}
	return a.UIAmountString
}
