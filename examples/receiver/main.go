// Receiver prints swaps and transfers of an account as they come in.
package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/solwire/solwire-go/examples/internal/demo"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:0", "`address` to listen on; behind it belongs something that speaks https")
	url := flag.String("url", "", "`URL` under which the service reaches that address")
	account := flag.String("account", demo.Wallet, "`address` to watch")
	demo.Main("receiver", func(ctx context.Context, cfg types.Config, out io.Writer) error {
		return run(ctx, cfg, *listen, *url, types.Address(*account), out)
	})
}

func run(ctx context.Context, cfg types.Config, listen, url string, account types.Address, out io.Writer) error {
	hooks, err := webhooks.New(cfg)
	if err != nil {
		return err
	}
	secret := webhooks.Secret(rand.Text())
	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
		Secrets: []webhooks.Secret{secret},
		Queue:   1000, // so that they are printed one after the other
		Handle:  func(_ context.Context, e *webhooks.Event) error { return show(out, e) },
	})
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", listen)
	if err != nil {
		return err
	}
	server := http.Server{Handler: receiver, ReadHeaderTimeout: time.Second}
	go func() { _ = server.Serve(listener) }() // until Shutdown
	hook, err := hooks.Create(ctx, webhooks.Settings{
		URL: cmp.Or(url, "http://"+listener.Addr().String()), Type: webhooks.Enhanced, AuthHeader: secret,
		TransactionTypes: []txtype.Type{txtype.Swap, txtype.Transfer}, AccountAddresses: []types.Address{account},
	})
	if err == nil {
		err = demo.Deliver(ctx, cfg, account)
		err = errors.Join(err, hooks.Delete(context.WithoutCancel(ctx), hook.ID))
	}
	end := context.WithoutCancel(ctx)
	return errors.Join(err, server.Shutdown(end), receiver.Shutdown(end))
}
