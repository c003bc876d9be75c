package docs_test

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/wallet"
)

func Example_fromSolanaGo() {
	key := [32]byte{1}
	service := fake.New(nil)
	service.Fail("getClusterNodes", 1, fake.Fault{Body: `{"jsonrpc":"2.0","id":1,"result":[{"pubkey":"4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM"}]}`})
	show(func() error {
		owner := types.AddressOf(key) // key is a solana.PublicKey or any other [32]byte
		raw, err := owner.Bytes()
		if err != nil {
			return err // not base58 of 32 bytes
		}
		copy(key[:], raw)
		fmt.Println(owner, key[0])
		client, err := rpc.New(service.Config())
		if err != nil {
			return err
		}
		var nodes []struct {
			Pubkey types.Address `json:"pubkey"`
		}
		if err := client.Call(ctx, "getClusterNodes", nil, &nodes); err != nil {
			return err
		}
		fmt.Println(nodes)
		return nil
	})
	// Output:
	// 4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM 1
	// [{4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM}]
}

func Example_fromHeliusSDK() {
	show(func() error {
		wallets, err := wallet.New(cfg)
		if err != nil {
			return err
		}
		var fees decimal.Decimal
		for tx, err := range wallets.AllHistory(ctx, owner, &wallet.HistoryOptions{Type: txtype.Swap}) {
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
