// Package rpc reads token accounts through a standard RPC method.
//
// Make a client once and use it from any number of goroutines:
//
//	client, err := rpc.New(types.Config{APIKey: key})
//	if err != nil {
//		return err
//	}
//
// The service lists the accounts that a delegate may spend from, of one token
// or of one token program:
//
//	list, err := client.TokenAccountsByDelegate(ctx, delegate, rpc.ByMint(mint), nil)
//	if err != nil {
//		return err
//	}
//	for _, item := range list.Items {
//		info := item.Account.Data.Parsed
//		fmt.Println(info.Owner, info.DelegatedAmount.UIAmountString)
//	}
//
// The tokens of all of Solana belong to two programs, so all that a delegate
// may spend takes two requests. AllTokenAccountsByDelegate makes them:
//
//	for item, err := range client.AllTokenAccountsByDelegate(ctx, delegate, nil) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(item.Address, item.Account.Data.Parsed.Mint)
//	}
//
// Unless told otherwise, the service reads the accounts itself (jsonParsed).
// With another encoding they come as bytes, and with a data slice as a part of
// them:
//
//	opts := &rpc.TokenAccountsOptions{
//		Encoding:  rpc.Base64,
//		DataSlice: &types.DataSlice{Offset: 32, Length: 32}, // the owner
//	}
//	list, err := client.TokenAccountsByDelegate(ctx, delegate, rpc.ByMint(mint), opts)
//	if err != nil {
//		return err
//	}
//	owner, err := list.Items[0].Account.Data.Bytes()
//
// Every request costs one credit, however long its list.
package rpc
