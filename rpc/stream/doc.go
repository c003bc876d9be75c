// Package stream follows Solana live over the WebSocket API of Helius: transactions, logs,
// accounts, slots and signatures. A stream reconnects after failures, detects silent
// connections, and reads the transactions that it missed from the history.
//
// A whole program:
//
//	// Balance prints the balance of a wallet whenever it changes, for three seconds.
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
//		"github.com/solwire/solwire-go/rpc/stream"
//		"github.com/solwire/solwire-go/types"
//	)
//
//	func main() {
//		streams, err := stream.New(types.Config{APIKey: types.Key(os.Getenv("HELIUS_API_KEY"))})
//		if err != nil {
//			log.Fatal(err)
//		}
//		defer streams.Close()
//		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
//		defer cancel()
//		const wallet = "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY"
//		for e, err := range streams.Account(ctx, wallet, nil) {
//			if errors.Is(err, context.DeadlineExceeded) {
//				break
//			}
//			if err != nil {
//				log.Fatal(err)
//			}
//			fmt.Println(e.Slot, e.Account.Lamports)
//		}
//	}
//
// Each method of a [Client] returns a sequence for a plain for loop. Loops share connections:
// the first loop opens one, and the last loop closes it. A connection costs 1 credit, and about
// 480 credits per day for the slots by which it detects silence. To stop a loop, use break or
// cancel its context.
//
// # Guarantees
//
// Transactions, Logs, and ParsedTransactions with Accounts deliver every confirmed transaction
// that they select, in the order of slots. A loop delivers it once. Save Resume of the last
// event that you handled, and pass it as SinceSlot after a restart. Then nothing is lost either,
// and the new loop delivers some transactions again. A transaction that the service indexes late
// is delivered late, marked Late. Histories are read again 30 seconds later to find it.
//
// The other streams have no complete history. After a loss, the next event has a [Gap] that is
// not Filled.
//
// # Slow loops
//
// Up to 10 000 events, and 64 MiB of them, wait for each loop. Further events are dropped. They
// are read from the history once the loop has caught up, or are lost with a Gap where there is
// none. Memory does not grow.
package stream
