// Package wallet tells what wallets hold.
//
// A [Client] is made from a key. Balances returns one page, BalancePages
// walks page by page, and AllBalances entry by entry:
//
//	wallets, err := wallet.New(types.Config{APIKey: key})
//	…
//	for balance, err := range wallets.AllBalances(ctx, "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY", nil) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(balance.Symbol, balance.Amount)
//	}
package wallet
