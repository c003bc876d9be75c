// Package stream follows Solana live over the WebSocket API of Helius: transactions, logs,
// accounts, slots and signatures. A stream reconnects after failures, detects silent
// connections, and reads missed transactions from the history.
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
// A stream, such as [Client.Account], is a sequence of events for a plain for loop. Nothing is sent
// before the loop begins, and each range begins a new loop. To stop a loop, use break or cancel
// its context. The sections below hold for all streams, unless the comment of a method says
// otherwise.
//
// # Order
//
// Events come in the order of their slots, except for events marked Late: see [Position]. Events
// of one slot have no particular order. No readable event comes twice in a loop.
//
// # Gaps
//
// A gap is a range of slots in which a loop may have missed events: its connection was down, or its
// body was too slow. The next event of the loop has a [Gap].
//
// Transactions, Logs, AllLogs with FillFromBlocks, and ParsedTransactions with Accounts are
// complete streams. They continue with the missed transactions from the history, and Filled is
// true.
//
// Even complete streams lack some transactions. Logs and AllLogs lack some failed transactions: see
// [Client.Logs]. The last two minutes of a gap are read twice, 30 seconds apart. A transaction that
// the history lists after that is missing.
//
// The other streams lose the events of a gap, and Filled is false. Account and ProgramAccounts
// continue with the current states.
//
// # Resume
//
// To continue after a restart, save the Resume of the last event that you handled, and pass it as
// SinceSlot. A complete stream then reads the missed transactions without a Gap, and some events
// come again. There is no Resume before the first event: save the slot of rpc.Client.Slot before
// the loop begins.
//
// # Errors
//
// A loop ends with your break or with an error. The error comes last, with a zero event. A loop
// ends if
//
//   - an argument is invalid: [types.ErrInvalid];
//   - its context ends: the result of [context.Cause];
//   - the Client is closed;
//   - the service permanently refuses the key, the subscription or the history:
//     [*types.APIError];
//   - the credits of the plan are used up: [types.ErrQuotaExceeded];
//   - the Limit of the types.Meter is reached: [types.ErrBudget];
//   - no connection has worked yet, and the host is unknown or its certificate is wrong;
//   - the types.Config.MaxWebSockets connections have no room for another subscription;
//   - ten connections in a row end without an answer to the subscription.
//
// After other failures, the loop tries again until its context ends. The failure is in
// [Client.Status] and, if the loop ends, in the text of its error. The page docs/streams.md of the
// module lists all failures.
//
// An unreadable event does not end a loop: its Err is set, see [Position].
//
// # Several loops
//
// The loops of a Client share its connections. The first loop opens a connection, and the last loop
// closes it. ParsedTransactions has connections of its own. Each of several loops with equal
// arguments gets all events.
//
// A slow loop does not delay other loops: up to 10 000 events and 64 MiB of messages wait for it.
// Further events are dropped, which is a gap.
//
// # Commitment
//
// Transactions and accounts are confirmed by default. Only Account, ProgramAccounts, Confirm and
// Send accept types.CommitmentProcessed, since no history has processed transactions. The
// commitment of Slots is always processed.
//
// # Credits
//
// A connection costs 1 credit, and about 1900 credits per day to detect that it is silent or
// behind. Notifications cost 2 credits per 100 000 bytes, except for ParsedTransactions.
// All loops together spend at most types.Config.FillCredits on histories at once, and then as many
// per hour. When they are used up, the loops wait, and Status says so.
package stream
