// Package webhooks manages webhooks, which post the transactions of the
// accounts they watch to a URL of yours, and receives what they post.
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
//		_, err = hooks.Create(ctx, webhooks.Settings{
//			URL:              "https://example.com/swaps",
//			Type:             webhooks.Enhanced,
//			TransactionTypes: []txtype.Type{txtype.Swap},
//			AccountAddresses: []types.Address{"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY"},
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
// Make a client once and use it from any number of goroutines.
//
// The service changes a webhook only as a whole: what an Edit leaves out is
// lost. The other calls read it first and carry everything over:
//
//	hook, err = hooks.AddAddresses(ctx, hook.ID, another)
//	if err != nil {
//		return err
//	}
//	hook, err = hooks.Update(ctx, hook.ID, func(s *webhooks.Settings) error {
//		s.TransactionTypes = append(s.TransactionTypes, txtype.NFTSale)
//		return nil
//	})
//
// A create, an edit and a delete cost 100 credits each, and so do the calls
// that edit; adding a thousand addresses at once costs as much as adding one.
// Each event that is delivered costs one credit.
//
// A Receiver is an http.Handler that gives you each event once:
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
// The service wants an answer within a second. Handle has 800 ms of it; when it
// fails or takes longer, the event comes again, about a second later and up to
// three times. What is then not handled is lost: the service keeps nothing. So
// Handle should put the event where it is safe and leave slow work to others.
// Where losing events in a crash is bearable, a Queue in memory takes over
// that part. An event that can never be handled is best answered with
// [ErrSkip], since the service switches off a webhook whose deliveries almost
// all fail.
//
// The service delivers some events twice, and in no certain order. The Receiver
// drops what it has handled before; several processes behind one URL share
// that knowledge through [Seen].
//
// Whoever knows the secret can post events, and deliveries are not signed. Use
// https and a long random secret, and to be safe from old deliveries that
// somebody sends again, set MaxAge.
package webhooks
