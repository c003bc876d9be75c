// Receiver keeps a webhook for an account until it is interrupted. It prints the swaps and
// transfers of the account, also events whose deliveries were lost. It creates the webhook if
// the URL has none. Creating and deleting it cost 100 credits each, an event 1, and looking for
// lost events 1 every five minutes.
//
//	receiver -url https://example.com/hook -listen :8080 -secret …
//
// It remembers the events in memory only. The documentation of package sqlstore has the program
// for production, which keeps them in a database and handles the events of its downtime. It
// needs the driver of the database.
package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/solwire/solwire-go/examples/progress"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/keeper"
)

// options are the flags.
type options struct {
	listen, url, secret string
	account             types.Address
}

func main() {
	var o options
	flag.StringVar(&o.listen, "listen", "127.0.0.1:0", "`address` to listen on, behind a proxy that terminates TLS")
	flag.StringVar(&o.url, "url", "", "public https `URL` of that address")
	flag.StringVar(&o.secret, "secret", "", "`value` of the Authorization header; random by default")
	o.account = types.Address(progress.Arguments("ADDRESS", string(fake.WalletAddress))[0])
	progress.Main(func(ctx context.Context, cfg types.Config, out io.Writer) error {
		if fake.Of(cfg) != nil {
			meter := cfg.Meter
			cfg = fake.New(&fake.Options{World: &fake.World{}, Seed: 1}).Config()
			cfg.Meter = meter
		}
		return run(ctx, cfg, o, out)
	})
}

func run(ctx context.Context, cfg types.Config, o options, out io.Writer) error {
	hooks, err := webhooks.New(cfg)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	serving, stop := context.WithCancel(context.WithoutCancel(ctx)) // until the webhook is deleted
	defer stop()
	address, _, err := progress.Serve(serving, o.listen, mux)
	if err != nil {
		return err
	}
	config := keeper.Config{
		Settings: webhooks.Settings{
			URL:              cmp.Or(o.url, "http://"+address.String()),
			Type:             webhooks.TypeEnhanced,
			TransactionTypes: []txtype.Type{txtype.Swap, txtype.Transfer},
			AccountAddresses: []types.Address{o.account},
			AuthHeader:       webhooks.Secret(cmp.Or(o.secret, rand.Text())),
		},
		Store:  new(keeper.MemoryStore),
		Handle: func(_ context.Context, e *webhooks.Event) error { return show(out, e) },
	}
	k, err := keeper.New(hooks, config)
	if err != nil {
		return err
	}
	mux.Handle("/", k)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if service := fake.Of(cfg); service != nil {
		go func() { // ends with ctx
			deliver(ctx, service, k, o.account)
			cancel()
		}()
	}
	err = k.Run(ctx) // returns when ctx ends
	return errors.Join(err, finish(context.WithoutCancel(ctx), hooks, k))
}

// finish deletes the webhook, since its events cost credits.
func finish(ctx context.Context, hooks *webhooks.Client, k *keeper.Keeper) error {
	if id := k.Status().Webhook; id != "" {
		return hooks.Delete(ctx, id)
	}
	return nil
}

// show prints an event. The service writes its description.
func show(out io.Writer, e *webhooks.Event) error {
	if e.Err != nil {
		return fmt.Errorf("%w: %w", webhooks.ErrSkip, e.Err)
	}
	_, err := fmt.Fprintf(out, "%-8s  %.8s…  %q\n", e.Enhanced.Type, e.Signature, e.Enhanced.Description)
	return err
}

// deliver adds transactions to a fake, once there is a webhook. It delivers some twice.
func deliver(ctx context.Context, service *fake.Service, k *keeper.Keeper, account types.Address) {
	for k.Status().Webhook == "" && ctx.Err() == nil {
		time.Sleep(10 * time.Millisecond)
	}
	var events []fake.Event
	for i := range uint64(8) {
		events = append(events, service.Transfer(account, fake.ExchangeAddress, 1_500_000_000+i), service.Swap(account))
	}
	service.Deliver(ctx, nil, append(events, events[3], events[7])...)
}
