// Package keeper handles every event of a Helius webhook: it receives the transactions of
// Solana accounts, and finds the undelivered ones.
//
// A whole program:
//
//	// Keep prints the swaps of a wallet, for a second.
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//		"net/http"
//		"os"
//		"time"
//
//		"github.com/solwire/solwire-go/types"
//		"github.com/solwire/solwire-go/types/txtype"
//		"github.com/solwire/solwire-go/webhooks"
//		"github.com/solwire/solwire-go/webhooks/keeper"
//	)
//
//	func main() {
//		ctx, stop := context.WithTimeout(context.Background(), time.Second) // or signal.NotifyContext
//		defer stop()
//		hooks, err := webhooks.New(types.Config{APIKey: types.Key(os.Getenv("HELIUS_API_KEY"))})
//		if err != nil {
//			log.Fatal(err)
//		}
//		k, err := keeper.New(hooks, keeper.Config{
//			Settings: webhooks.Settings{ // what must be delivered
//				URL:              "https://example.com/swaps", // where this program is reached
//				AuthHeader:       webhooks.Secret(os.Getenv("WEBHOOK_SECRET")),
//				Type:             webhooks.TypeEnhanced,
//				TransactionTypes: []txtype.Type{txtype.Swap},
//				AccountAddresses: []types.Address{"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY"},
//			},
//			Store: new(keeper.MemoryStore), // or a sqlstore.Store, which survives restarts
//			Handle: func(_ context.Context, e *webhooks.Event) error {
//				fmt.Println(e.Signature, e.Enhanced.Description)
//				return nil // done only after nil
//			},
//		})
//		if err != nil {
//			log.Fatal(err)
//		}
//		server := &http.Server{Addr: "127.0.0.1:0", Handler: k}
//		go func() { log.Println(server.ListenAndServe()) }()
//		if err := k.Run(ctx); err != nil {
//			log.Fatal(err)
//		}
//		fmt.Println("stopped")
//	}
//
// The service delivers an event up to four times within seconds, and has no replay. A [Keeper]
// lists the signatures of the addresses, and requests the transactions that its [Store] does not
// have. Package webhooks/keeper/sqlstore is a Store in a SQL database, through which several
// processes share the work. [Keeper.ServeStatus] is an endpoint for alerts.
//
// # Costs
//
// A listing costs one credit for each address and 1000 transactions since its checkpoint, or 10
// with TokenAccounts. With up to 288 addresses, one of them is listed every five minutes: 288
// credits a day. With more, each is listed once per Interval, at a credit. A
// start lists all of them after 45 seconds: 100 000 addresses cost as many credits at each start
// and each day. The webhook is read every five minutes, without a price: 5 MB with as many
// addresses.
//
// A transaction that was not delivered costs 1 credit of a raw webhook. Of an enhanced one, up
// to 100 of them cost 100 credits. A listing does not show types: unwanted transactions are
// requested once, too. An address with unwanted transactions alone has its turn less and less
// often, up to Interval.
//
// # How it works
//
// Each process records every ten seconds that it runs, and one of them leads for 30 seconds at a
// time. The leader has four loops. One reads the webhook every five minutes and corrects it. One
// lists the addresses, adds missing transactions as pending events, and moves the checkpoint of
// each address. The checkpoint is the lowest slot of a pending event, or else an hour before the
// newest listed slot, since a transaction may be listed late. One requests pending events,
// passes the wanted ones to Handle, and tries each again after 15 seconds and half of its age.
// One deletes old events.
package keeper
