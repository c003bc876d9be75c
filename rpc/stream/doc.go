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
// Each method of a [Client] returns a sequence for a plain for loop, and sends nothing before the
// loop begins. Ranging again begins a new loop. To stop a loop, use break or cancel its context.
// The sections below hold for all loops. The comment of a method says only how it differs.
//
// # Order
//
// Events come in the order of their slots, each once within a loop, except for those marked Late:
// see [Position]. Events of one slot have no particular order.
//
// # Gaps
//
// An interruption is a time in which a loop misses events, since its connection is down or its
// program is slow. The first event after it has a [Gap].
//
// Transactions, Logs, AllLogs with FillFromBlocks, and ParsedTransactions with Accounts are
// complete: a loop delivers every transaction that it selects, with one exception that the comment
// of Logs names. After an interruption, the loop reads the missed transactions from the history.
// The first of them has the Gap, and Filled is true. A history may list transactions late, so it
// is read again 30 seconds later; transactions that it lists even later are lost.
//
// The other methods have no complete history. They lose the events of an interruption, and Filled
// is false; Account and ProgramAccounts continue with current states.
//
// # Resume
//
// Methods with an option SinceSlot continue after a restart. Save Resume of the last event that
// you handled, and pass it as SinceSlot. A complete method then loses nothing, and delivers some
// events again. Before the first loop, save the current slot instead: see rpc.Client.Slot.
//
// # Errors
//
// A loop ends with your break or with an error. The error comes last, with a zero event. A broken
// connection does not end a loop, and neither does a history that fails: the loop tries again
// until its context ends. A loop ends if
//
//   - an argument is invalid: the error matches [types.ErrInvalid];
//   - its context ends, with the cause of the context, or the Client is closed;
//   - the service refuses the key, the subscription or the history for good, with a
//     [*types.APIError], or the credits of the account are exhausted;
//   - the Limit of the types.Meter is reached: the error matches [types.ErrBudget];
//   - no connection has worked yet, and the host is unknown or its certificate wrong;
//   - the connections that types.Config.MaxWebSockets allows are full.
//
// While a loop waits, [Client.Status] has the reason. If it ends then, its error includes this
// reason. The page docs/streams.md of the module lists each failure.
//
// An event that cannot be read does not end a loop: it is an event whose Err is set, see
// [Position].
//
// # Several loops
//
// The loops of a Client share its connections, of which types.Config.MaxWebSockets limits the
// number. The first loop opens one, and the last loop closes it. Each loop gets all events that it
// selects, also beside an equal loop. A slow loop delays no other one: up to 10 000 events, or 64
// MiB if these are fewer, wait for each loop. Further events are dropped and leave a [Gap].
//
// # Commitment
//
// Transactions are confirmed, or finalized by an option. Processed ones are refused, since no
// history has the transactions of dropped forks. Account and ProgramAccounts accept
// types.CommitmentProcessed, and Slots are processed.
//
// # Credits
//
// A connection costs 1 credit, and about 1900 credits per day for the slots by which it detects
// silence and delay. Notifications cost 2 credits per 100 000 bytes, except for ParsedTransactions.
// The histories of all loops cost at most types.Config.FillCredits at once, and as much in each
// later hour. Loops then wait, and their Status says so.
package stream
