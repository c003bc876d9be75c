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
// A listing of an address costs 1 credit per 1000 transactions since its checkpoint, or 10 with
// TokenAccounts. With up to 288 addresses, one of them is listed every five minutes: 288 credits
// a day. With more, each is listed once per Interval. All are listed 45 seconds after a start.
// For 100 000 addresses, that is 100 000 credits per start, and as many per day. The webhook is
// read every five minutes. The service documents no price for that; with 100 000 addresses, the
// response has 5 MB. A correction of the webhook costs 100 credits.
//
// An undelivered transaction of a raw webhook costs 1 credit. For an enhanced webhook, each
// request for up to 100 of them costs 100 credits. A listing does not show types, so unwanted
// transactions are requested once, too. An address that has only unwanted transactions is listed
// less and less often, but at least once per Interval.
//
// # How it works
//
// Each process records every ten seconds that it runs. One process is the leader, for 30 seconds
// at a time. The leader has four loops. One reads the webhook every five minutes and corrects
// it. One lists the addresses, adds missing transactions as pending events, and moves the
// checkpoint of each address. The checkpoint is an hour before the newest listed slot, since a
// transaction may be listed late, or the lowest slot of a pending event if that is lower. One
// requests pending events, passes the wanted ones to Handle, and tries each again after 15
// seconds and half of its age. One deletes old events.
package keeper
