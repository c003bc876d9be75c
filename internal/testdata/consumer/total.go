// Package consumer uses every package of solwire as a program of someone else
// does: it is a module of its own, which sees no internal package.
package consumer

import (
	"context"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
)

// Total returns what a wallet holds in US dollars, as far as prices are known.
func Total(ctx context.Context, cfg types.Config, owner types.Address) (decimal.Decimal, error) {
	var total decimal.Decimal
	wallets, err := wallet.New(cfg)
	if err != nil {
		return total, err
	}
	for b, err := range wallets.AllBalances(ctx, owner, nil) {
		if err != nil {
			return total, err
		}
		total = total.Add(b.USDValue.Decimal) // zero where the price is unknown
	}
	return total, nil
}
