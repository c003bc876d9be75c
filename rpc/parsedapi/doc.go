// Package parsedapi calls Parsed Events, the Helius API that decodes Solana transactions. It
// returns transfers, a summary, and the decoded instructions of more than 3600 programs. It is the
// successor of package webhooks/enhancedapi, at a tenth of the price, on mainnet only.
//
// A whole program:
//
//	// Payments prints the changes of a wallet's balances in its latest transactions.
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//		"os"
//
//		"github.com/solwire/solwire-go/rpc/parsedapi"
//		"github.com/solwire/solwire-go/types"
//	)
//
//	func main() {
//		client, err := parsedapi.New(types.Config{APIKey: types.Key(os.Getenv("HELIUS_API_KEY"))})
//		if err != nil {
//			log.Fatal(err)
//		}
//		wallet := types.Address("86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY")
//		results, err := client.History(context.Background(), wallet, nil).Collect(10)
//		if err != nil {
//			log.Fatal(err)
//		}
//		for _, r := range results {
//			if r.Parsed == nil {
//				fmt.Println(r.Signature, r.ParserError)
//				continue
//			}
//			fmt.Println(r.Parsed.BlockTime, r.Parsed.Describe(wallet, nil))
//		}
//	}
//
// The results have the types of package [github.com/solwire/solwire-go/types/parsed].
//
// # Two statuses
//
// The ParserStatus of a result says whether the service could read the transaction, and
// the Status in Parsed whether the transaction succeeded. About half of the transactions
// of a busy pool have failed. The service lists the transfers that they attempted; the
// methods NativeTransfers, TokenTransfers and Changes leave them out.
//
// # What moved
//
// Changes of a transaction are the exact changes of all balances by its transfers and its fee. The
// amounts of a Summary come from the exchange: a swap for 70 tokens may have cost the wallet 69.3.
//
// # Large responses
//
// A swap takes 15 KB, and up to 110 KB with Raw. Where the response to 100 of them is
// too large, the methods request fewer at a time.
package parsedapi
