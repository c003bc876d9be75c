// Package webhooks manages Helius webhooks, which post the transactions of Solana accounts to a
// URL. It also receives these deliveries.
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
//		hooks, err := webhooks.New(types.Config{APIKey: types.Key(os.Getenv("HELIUS_API_KEY"))})
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
//		all, err := hooks.Webhooks(ctx)
//		if err != nil {
//			log.Fatal(err)
//		}
//		for _, h := range all {
//			fmt.Println(h.URL, h.TransactionTypes, h.AccountAddresses)
//		}
//	}
//
// Make a [Client] once and share it between goroutines. If Create fails with
// [types.ErrMayHaveExecuted], look for the webhook in Webhooks before you create it again. Two
// webhooks with the same settings deliver every event twice, for twice the credits.
//
// # Handling every event
//
// A Keeper of package webhooks/keeper receives the events of a webhook, finds undelivered ones,
// and passes each to Handle until it returns nil. It also creates and corrects the webhook.
//
// # Receiving events without a Keeper
//
// A [Receiver] does not find undelivered events. It is an http.Handler that authenticates and
// decodes deliveries, drops duplicates and passes each event to Handle:
//
//	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
//		Secrets: []webhooks.Secret{secret},
//		Handle: func(ctx context.Context, e *webhooks.Event) error {
//			return save(ctx, e.Signature, e.JSON)
//		},
//	})
//	if err != nil {
//		return err
//	}
//	http.Handle("POST /swaps", receiver)
//
// An event of an enhanced webhook has e.Enhanced, an event of a raw webhook e.Raw, and e.Kind
// tells which. An event that cannot be decoded has its Err set.
//
// The service expects a response within one second. Handle therefore has 800 ms: store the event
// in it, and do slow work elsewhere. Return [ErrSkip] for an event that can never be handled.
//
// Deliveries are not signed: anyone with the secret can post events. Use HTTPS and 32
// random bytes as the secret. In your own handler, check the Authorization header with
// [Secret.Matches].
//
// [Client.Backfill] passes past events to Handle, such as events before a webhook was created.
// [Client.Events] returns events by their signatures, and [Client.Signatures] lists the
// signatures of an address. An [Observer] counts deliveries and outcomes.
//
// # Changing a webhook
//
// The service can only replace a webhook as a whole, which [Client.Replace] does.
// AddAddresses, RemoveAddresses and Update read the webhook first and keep the
// settings that they do not change. They do not check the addresses and the secret
// that the webhook already has.
//
// Some responses of the service lack Encoding and Outcome. A Client then keeps the
// values that it wrote itself. Values that another program wrote are reset unless
// Update sets them.
//
//	changed, err := hooks.AddAddresses(ctx, hook.ID, another)
//	if err != nil {
//		return err // changed is nil, and hook is still valid
//	}
//
// [Client.Reconcile] compares a webhook with the wanted settings. With Apply, it also corrects the
// webhook.
//
// Create, Replace and Delete cost 100 credits each. A change by Update, AddAddresses,
// RemoveAddresses or Reconcile costs 100 credits for any number of addresses. Each
// delivered event costs one credit.
package webhooks
