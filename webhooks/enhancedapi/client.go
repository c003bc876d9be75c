// Package enhancedapi returns Solana transactions as Helius parses them for webhooks of type
// enhanced, by signature or of an address. Each request costs 100 credits.
//
// This API is in maintenance mode: the service parses no new types of transactions. Its successor,
// at a tenth of the price, is package rpc/parsedapi.
//
// A whole program:
//
//	// Latest prints the latest transactions of a wallet.
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//		"os"
//
//		"github.com/solwire/solwire-go/types"
//		"github.com/solwire/solwire-go/webhooks/enhancedapi"
//	)
//
//	func main() {
//		client, err := enhancedapi.New(types.Config{APIKey: types.Key(os.Getenv("HELIUS_API_KEY"))})
//		if err != nil {
//			log.Fatal(err)
//		}
//		owner := types.Address("86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY")
//		list, err := client.History(context.Background(), owner, nil).Collect(10)
//		if err != nil {
//			log.Fatal(err)
//		}
//		for _, t := range list {
//			fmt.Println(t.BlockTime, t.Type, t.Description)
//		}
//	}
package enhancedapi

import (
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A Client calls Enhanced Transactions. It is safe for concurrent use.
type Client struct{ api *transport.Client }

// New returns a Client for the WebhooksURL of cfg. It sends nothing. An invalid Config fails with
// [types.ErrInvalid].
func New(cfg types.Config) (*Client, error) {
	api, err := transport.New(cfg, transport.Webhooks, nil)
	if err != nil {
		return nil, err
	}
	return &Client{api}, nil
}
