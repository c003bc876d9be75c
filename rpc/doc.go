// Package rpc reads token accounts through a standard RPC method.
//
// A whole program:
//
//	// Allowed prints who allows a delegate to spend how much of a token.
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//		"os"
//
//		"github.com/solwire/solwire-go/rpc"
//		"github.com/solwire/solwire-go/types"
//	)
//
//	func main() {
//		client, err := rpc.New(types.Config{APIKey: os.Getenv("HELIUS_API_KEY")})
//		if err != nil {
//			log.Fatal(err)
//		}
//		delegate := types.Address("4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T")
//		usdc := types.Address("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")
//		list, err := client.TokenAccountsByDelegate(context.Background(), delegate, rpc.ByMint(usdc), nil)
//		if err != nil {
//			log.Fatal(err)
//		}
//		for _, item := range list.Items {
//			if info := item.Account.Data.Parsed; info != nil {
//				fmt.Println(info.Owner, "allows", info.DelegatedAmount.UIAmountString)
//			}
//		}
//	}
//
// Make a client once and use it from any number of goroutines.
//
// The service lists the accounts that a delegate may spend from, of one token
// or of one token program:
//
//	list, err := client.TokenAccountsByDelegate(ctx, delegate, rpc.ByMint(mint), nil)
//	if err != nil {
//		return err
//	}
//	for _, item := range list.Items {
//		if info := item.Account.Data.Parsed; info != nil {
//			fmt.Println(info.Owner, info.DelegatedAmount.UIAmountString)
//		}
//	}
//
// The tokens of all of Solana belong to two programs, so all that a delegate
// may spend takes two requests. AllTokenAccountsByDelegate makes them:
//
//	for item, err := range client.AllTokenAccountsByDelegate(ctx, delegate, nil) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(item.Address, item.Account.Owner)
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
