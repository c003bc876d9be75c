// Receiver creates a webhook for an account and prints the swaps and transfers
// that it delivers, until it is interrupted. A journal records the printed events, so
// that a restart first prints the missed ones.
//
// Behind a proxy that distributes the deliveries, a second process shares the journal
// and the webhook:
//
//	receiver -url https://example.com/hook -journal events -secret … -listen :8001
//	receiver -webhook 582dcf85-… -journal events -secret … -listen :8002
package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
)

// options are the flags.
type options struct {
	listen, url, journal, webhook, secret string
	account                               types.Address
}

func main() {
	var o options
	flag.StringVar(&o.listen, "listen", "127.0.0.1:0", "`address` to listen on, behind a proxy that terminates TLS")
	flag.StringVar(&o.url, "url", "", "public https `URL` of that address")
	flag.StringVar(&o.journal, "journal", "", "`directory` that remembers handled events; empty means until the end")
	flag.StringVar(&o.webhook, "webhook", "", "`ID` of the webhook; empty creates one, and deletes it at the end")
	flag.StringVar(&o.secret, "secret", rand.Text(), "`value` of the Authorization header; random by default")
	account := flag.String("account", string(fake.WalletAddress), "`address` to watch")
	flag.Parse()
	o.account = types.Address(*account)
	cfg := types.Config{APIKey: os.Getenv("HELIUS_API_KEY")}
	if cfg.APIKey == "" {
		fmt.Fprintln(os.Stderr, "HELIUS_API_KEY is not set: this is made-up data.")
		cfg = fake.Config()
	}
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, cfg, o, os.Stdout)
	cancel()
	if err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, cfg types.Config, o options, out io.Writer) error {
	hooks, err := webhooks.New(cfg)
	if err != nil {
		return err
	}
	if o.journal == "" {
		o.journal, err = os.MkdirTemp("", "journal")
		defer func() { _ = os.RemoveAll(o.journal) }()
	} else {
		err = os.MkdirAll(o.journal, 0o700)
	}
	if err != nil {
		return err
	}
	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
		Secrets: []webhooks.Secret{webhooks.Secret(o.secret)},
		Handle:  func(_ context.Context, e *webhooks.Event) error { return show(out, e) },
		Seen:    journal{o.journal},
	})
	if err != nil {
		return err
	}
	slot, err := receiver.SafeSlot(ctx) // held until fill has succeeded
	if err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", o.listen)
	if err != nil {
		return err
	}
	server := http.Server{Handler: receiver, ReadHeaderTimeout: time.Second}
	go func() { _ = server.Serve(listener) }() // returns after Shutdown
	id := o.webhook
	if id == "" {
		id, err = create(ctx, hooks, cmp.Or(o.url, "http://"+listener.Addr().String()), o)
	}
	if err == nil {
		if slot > 0 && fake.Of(cfg) == nil { // histories are about 13 seconds behind deliveries
			select {
			case <-ctx.Done():
			case <-time.After(30 * time.Second):
			}
		}
		err = fill(ctx, hooks, receiver, id, out)
		if err == nil && wait(ctx, fake.Of(cfg), o.account) { // some deliveries were lost
			err = fill(ctx, hooks, receiver, id, out)
		}
		if o.webhook == "" {
			err = errors.Join(err, hooks.Delete(context.WithoutCancel(ctx), id)) // events cost credits
		}
	}
	end := context.WithoutCancel(ctx)
	return errors.Join(err, server.Shutdown(end), receiver.Shutdown(end))
}

func create(ctx context.Context, hooks *webhooks.Client, url string, o options) (id string, err error) {
	hook, err := hooks.Create(ctx, webhooks.Settings{
		URL:              url,
		Type:             webhooks.TypeEnhanced,
		TransactionTypes: []txtype.Type{txtype.Swap, txtype.Transfer},
		AccountAddresses: []types.Address{o.account},
		AuthHeader:       webhooks.Secret(o.secret),
	})
	if err != nil {
		return "", err
	}
	return hook.ID, nil
}

// fill prints the events that were missed since the last one that was printed.
func fill(ctx context.Context, hooks *webhooks.Client, receiver *webhooks.Receiver, id string, out io.Writer) error {
	slot, err := receiver.SafeSlot(ctx)
	if err != nil || slot == 0 { // nothing was printed yet
		return err
	}
	report, err := hooks.Backfill(ctx, webhooks.BackfillConfig{Receiver: receiver, Webhook: id, SinceSlot: slot})
	fmt.Fprintf(out, "%d missed events\n", report.Handled)
	return err // after an error, a restart begins at the same slot
}

// wait waits for the end of ctx. On a fake, it delivers events instead, some of them twice
// and others not at all, and returns true.
func wait(ctx context.Context, service *fake.Service, account types.Address) bool {
	if service == nil {
		<-ctx.Done()
		return false
	}
	var events []fake.Event
	for i := range uint64(8) {
		events = append(events, service.Transfer(account, fake.ExchangeAddress, 1_500_000_000+i), service.Swap(account))
	}
	service.Deliver(ctx, &fake.Delivery{Duplicate: 4, Drop: 6}, events...)
	return true
}

// show prints an event. The service writes its description.
func show(out io.Writer, e *webhooks.Event) error {
	if e.Kind != webhooks.KindEnhanced {
		return webhooks.ErrSkip
	}
	_, err := fmt.Fprintf(out, "%-8s  %.8s…  %q\n", e.Enhanced.Type, e.Signature, e.Enhanced.Description)
	return err
}
