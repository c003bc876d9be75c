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
// Each method of a [Client] returns a sequence for a plain for loop. The connection opens
// when the first loop begins, is shared by all loops, and closes when the last one ends. To
// stop a loop, use break or cancel its context.
//
// # Guarantees
//
// Transactions, Logs of an address, and ParsedTransactions of accounts deliver each confirmed
// transaction at least once, in the order of slots, and once within a loop. Save Resume of the
// last event that you handled, and pass it as SinceSlot after a restart. Nothing is lost then
// either, and some transactions come again. Transactions that the service adds to a history late
// come later, marked Late.
//
// The other streams cannot be filled completely. Nothing is missed without notice: the
// event after the loss has a [Gap] that is not Filled.
//
// # Slow loops
//
// Events wait for the loop up to a bound of 10 000 events and 64 MiB. Beyond it they are
// dropped, and read from the history when the loop has caught up. Memory does not grow.
package stream
