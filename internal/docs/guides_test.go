package docs_test

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/wallet"
)

func Example_fromHeliusSDK() {
	show(func() error {
		wallets, err := wallet.New(cfg)
		if err != nil {
			return err
		}
		var fees decimal.Decimal
		for tx, err := range wallets.History(ctx, owner, &wallet.HistoryOptions{Type: txtype.Swap}).All() {
			if err != nil {
				return err
			}
			fees = fees.Add(tx.Fee)
		}
		fmt.Println(fees.IsPositive())
		return nil
	})
	// Output:
	// true
}
