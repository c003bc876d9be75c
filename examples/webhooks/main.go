// Webhooks makes a webhook, changes it in every way and deletes it, which with a key costs 400 credits.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/solwire/solwire-go/examples/internal/demo"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
)

func main() {
	url := flag.String("url", "https://example.com/hook", "`URL` that events are posted to")
	demo.Main("webhooks", func(ctx context.Context, cfg types.Config, out io.Writer) error {
		return run(ctx, cfg, *url, out)
	})
}

func run(ctx context.Context, cfg types.Config, url string, out io.Writer) error {
	hooks, err := webhooks.New(cfg)
	if err != nil {
		return err
	}
	settings := webhooks.Settings{
		URL: url, Type: webhooks.Enhanced, TransactionTypes: []txtype.Type{txtype.Swap},
		AccountAddresses: []types.Address{demo.Wallet}, AuthHeader: webhooks.Secret(rand.Text()),
	}
	hook, err := hooks.Create(ctx, settings)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "created: %s posts to %s\n", hook.ID, hook.URL)
	changed := change(ctx, hooks, hook.ID, settings, out)
	err = hooks.Delete(context.WithoutCancel(ctx), hook.ID) // whatever became of the changes
	if err == nil {
		fmt.Fprintf(out, "deleted: %s\n", hook.ID)
	}
	return errors.Join(changed, err)
}
