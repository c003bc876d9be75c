// Package keeper passes every Solana transaction of a Helius webhook to a function, even if its
// delivery fails.
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
// The service delivers an event up to four times within seconds, until a delivery succeeds. It has
// no replay. A [Keeper] therefore lists the signatures of the addresses, and requests the
// transactions that its [Store] does not know. With package webhooks/keeper/sqlstore, several
// processes share the work through a SQL database. [Keeper.ServeStatus] is an endpoint for alerts.
//
// # Costs
//
// A listing of an address costs 1 credit per 1000 transactions since its [Checkpoint], and at
// least 1. With TokenAccounts, it costs 10 times as much.
//
// With the default Interval, up to 288 addresses cost 288 credits a day: one is listed every five
// minutes. If there are more, each is listed once a day. A process lists all addresses 45 seconds
// after it becomes the leader. With 100 000 addresses, each new leader therefore costs 100 000
// credits, and so does each day.
//
// The leader reads the webhook every five minutes. The service documents no price for that; with
// 100 000 addresses, the response has 5 MB. Each write of the webhook costs 100 credits.
//
// An undelivered event of a raw webhook costs 1 credit. A request for up to 100 events of an
// enhanced webhook costs 100 credits. A listing does not tell the type of a transaction, so
// unwanted transactions are requested once, too. While an address has only unwanted transactions,
// its listings become rarer, down to two per Interval.
//
// # How it works
//
// Each process updates its record in the Store every ten seconds. One process is the leader. It
// does the work that is described at [Keeper]. If it dies, another process leads after 30 seconds.
//
// The checkpoint of an address stays 9000 slots, an hour, behind the newest slot of all listings,
// since nodes may list a transaction late. It does not pass the slot of any pending event, and
// never goes back.
package keeper
