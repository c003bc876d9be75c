// Package consumer uses every package of solwire as a program of a user does: it
// is a separate module, which cannot import internal packages.
package consumer

import (
	"context"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
)

// Total returns the value of the tokens of a wallet in US dollars. Tokens without a
// price count as zero.
func Total(ctx context.Context, cfg types.Config, owner types.Address) (decimal.Decimal, error) {
	var total decimal.Decimal
	wallets, err := wallet.New(cfg)
	if err != nil {
		return total, err
	}
	for b, err := range wallets.Balances(ctx, owner, nil).All() {
		if err != nil {
			return total, err
		}
		total = total.Add(b.USDValue.Decimal) // zero if the price is unknown
	}
	return total, nil
}
