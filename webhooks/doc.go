// Package webhooks manages Helius webhooks, which post the transactions of Solana
// accounts to a URL, and receives what they post.
//
// A whole program:
//
//	// Watch makes a webhook for the swaps of a wallet, and prints all webhooks.
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//		"os"
//
//		"github.com/solwire/solwire-go/types"
//		"github.com/solwire/solwire-go/types/txtype"
//		"github.com/solwire/solwire-go/webhooks"
//	)
//
//	func main() {
//		ctx := context.Background()
//		hooks, err := webhooks.New(types.Config{APIKey: os.Getenv("HELIUS_API_KEY")})
//		if err != nil {
//			log.Fatal(err)
//		}
//		const owner types.Address = "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY"
//		_, err = hooks.Create(ctx, webhooks.Settings{
//			URL:              "https://example.com/swaps",
//			Type:             webhooks.TypeEnhanced,
//			TransactionTypes: []txtype.Type{txtype.Swap},
//			AccountAddresses: []types.Address{owner},
//			AuthHeader:       webhooks.Secret(os.Getenv("WEBHOOK_SECRET")),
//		})
//		if err != nil {
//			log.Fatal(err)
//		}
//		all, err := hooks.List(ctx)
//		if err != nil {
//			log.Fatal(err)
//		}
//		for _, h := range all {
//			fmt.Println(h.URL, h.TransactionTypes, h.AccountAddresses)
//		}
//	}
//
// Create a [Client] once and share it between goroutines. Create is not idempotent, so
// it is retried only if the service cannot have created the webhook. After any other
// error, check List before you create the webhook again: two webhooks with the same
// settings deliver every event twice, for twice the credits.
//
// # Changing a webhook
//
// The service can only replace a webhook as a whole, which [Client.Replace] does.
// AddAddresses, RemoveAddresses and Update read the webhook first and keep the
// settings that they do not change. They check new values like Replace, but not the
// addresses and the secret that the webhook already has. The service may not return
// Encoding and TxnStatus. A Client then keeps the values that it wrote; values that
// another program wrote are reset unless Update sets them.
//
//	changed, err := hooks.AddAddresses(ctx, hook.ID, another)
//	if err != nil {
//		return err // changed is nil, and hook is still valid
//	}
//
// Addresses have been known to vanish from webhooks unnoticed. [Client.Reconcile]
// compares a webhook with the settings that it should have, and corrects it on request.
//
// Create, Replace and Delete cost 100 credits each, and so does a change by Update,
// AddAddresses, RemoveAddresses or Reconcile, for any number of addresses. Each
// delivered event costs one credit.
//
// # Receiving events
//
// A [Receiver] is an http.Handler that authenticates and decodes deliveries, and passes
// each event to Handle:
//
//	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
//		Secrets: []webhooks.Secret{secret},
//		Handle: func(ctx context.Context, e *webhooks.Event) error {
//			return save(ctx, e.Enhanced)
//		},
//	})
//	if err != nil {
//		return err
//	}
//	http.Handle("POST /swaps", receiver)
//
// Events of enhanced webhooks set e.Enhanced, events of raw webhooks set e.Raw, and e.Kind
// says which of them is set.
//
// The service expects a response within one second and retries up to three times,
// one second apart, also after a 401 for a wrong secret. After that the event is lost.
// Handle therefore has 800 ms: let it store the event, and do slow work elsewhere. If
// losing events in a crash is acceptable, set Queue and the Receiver acknowledges
// before Handle runs. The service disables a webhook that almost always fails, so
// return [ErrSkip] for an event that can never be handled.
//
// Events may be delivered twice and in any order. The Receiver drops duplicates;
// processes that share a URL share their record of handled events through [Seen], which
// package sqlseen implements on a SQL database.
//
// Deliveries are not signed: anyone with the secret can post events. Use HTTPS and 32
// random bytes as the secret, and set MaxAge or Seen against replayed deliveries. In your own
// handler, check the Authorization header with [Secret.Matches].
//
// # Missed events
//
// The service has no replay: an event that is not acknowledged after three retries is
// not delivered again. [Client.Backfill] finds such events in the histories of the
// addresses and passes them to the same Handle, also while deliveries arrive. After a
// restart, [Receiver.SafeSlot] returns the slot to start from, if Seen is a [SlotKeeper].
// Call it before the server accepts deliveries, which increase the slot past the missed
// events. It is 0 before the first event; the backfill then starts at Since, such as
// when the webhook was created. Seen holds a slot above 0 until the backfill has succeeded,
// so that a crash loses nothing. Start the backfill half a minute after the server, because
// histories are about 13 seconds behind:
//
//	slot, err := receiver.SafeSlot(ctx)
//	if err != nil {
//		return err
//	}
//	report, err := hooks.Backfill(ctx, webhooks.BackfillConfig{
//		Receiver:  receiver,
//		Webhook:   hook.ID,
//		SinceSlot: slot,
//		Since:     created, // used if slot is 0: no event was handled yet
//	})
//	if err != nil {
//		return err
//	}
//	log.Printf("backfill: %+v", *report)
//
// Deliveries that never reached the server, as in an outage of the network, are not in
// Seen. To find these events too, begin at the slot that was last passed to Checkpoint,
// if that is lower, and at Since until there is one.
//
// # Parsed transactions
//
// [Client.Transactions] and [Client.History] return transactions as enhanced webhooks
// deliver them, by signature or of an address, at 100 credits per request. This API is in
// maintenance mode: the service parses no new types.
//
//	for t, err := range hooks.AllHistory(ctx, address, nil) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(t.BlockTime, t.Description)
//	}
//
// # Always range with two variables
//
// A loop with one variable compiles too. It discards the error, so a failed listing
// looks like a complete one.
package webhooks
