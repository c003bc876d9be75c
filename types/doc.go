// Package types has the types that all packages of this client for Helius and Solana share:
// [Config], errors, addresses, amounts, times and pages.
//
// A whole program:
//
//	// Recent prints when a wallet was last used, and the cost of the request.
//	package main
//
//	import (
//		"context"
//		"errors"
//		"fmt"
//		"log"
//		"os"
//		"time"
//
//		"github.com/solwire/solwire-go/types"
//		"github.com/solwire/solwire-go/wallet"
//	)
//
//	func main() {
//		owner, err := types.ParseAddress("86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY")
//		if err != nil {
//			log.Fatal(err)
//		}
//		cfg := types.Config{APIKey: types.Key(os.Getenv("HELIUS_API_KEY")), Meter: new(types.Meter)}
//		wallets, err := wallet.New(cfg)
//		if err != nil {
//			log.Fatal(err)
//		}
//		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
//		defer cancel()
//		txs, err := wallets.History(ctx, owner, nil).Collect(1)
//		switch {
//		case errors.Is(err, types.ErrUnauthorized):
//			log.Fatal("HELIUS_API_KEY is wrong")
//		case err != nil:
//			log.Fatal(err)
//		}
//		for _, tx := range txs {
//			fmt.Println("slot", tx.Slot, "at", tx.BlockTime)
//		}
//		fmt.Println(cfg.Meter.Credits(), "credits")
//	}
//
// # Errors
//
// An error response of the service is an [APIError]. errors.Is recognizes the common cases:
// [ErrNotFound], [ErrUnauthorized], [ErrRateLimited] and others. The error of an invalid argument
// or Config matches [ErrInvalid], and nothing is sent. A method for any number of inputs returns a
// [BatchError] if some of them fail; the other results are valid.
//
// # Keys of other libraries
//
// Public keys of other Go libraries are mostly named arrays of 32 bytes, such as
// PublicKey in package github.com/gagliardetto/solana-go and in package
// github.com/blocto/solana-go-sdk/common:
//
//	address := types.AddressOf(publicKey)
//
//	key, err := address.Key()
//	if err != nil {
//		return err
//	}
//	publicKey = PublicKey(key)
//
// Package crypto/ed25519 has slices: use [AddressFromBytes] and [Address.Bytes].
package types
