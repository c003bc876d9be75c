// Webhooks creates a webhook, changes it and deletes it. With an API key it costs
// 400 credits.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/solwire/solwire-go/examples/progress"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
)

func main() {
	url := flag.String("url", "https://example.com/hook", "`URL` that events are posted to")
	progress.Arguments("")
	cfg := types.Config{APIKey: os.Getenv("HELIUS_API_KEY")}
	if cfg.APIKey == "" {
		fmt.Fprintln(os.Stderr, "HELIUS_API_KEY is not set: this is made-up data.")
		cfg = fake.Config()
	}
	if err := run(context.Background(), cfg, *url, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, cfg types.Config, url string, out io.Writer) error {
	hooks, err := webhooks.New(cfg)
	if err != nil {
		return err
	}
	settings := webhooks.Settings{
		URL:              url,
		Type:             webhooks.TypeEnhanced,
		TransactionTypes: []txtype.Type{txtype.Swap},
		AccountAddresses: []types.Address{"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY"},
		AuthHeader:       webhooks.Secret(rand.Text()),
	}
	hook, err := hooks.Create(ctx, settings)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "created:  %s posts to %s\n", hook.ID, hook.URL)
	err = change(ctx, hooks, hook.ID, settings, out)
	deleteErr := hooks.Delete(context.WithoutCancel(ctx), hook.ID) // even if a change failed: events cost credits
	if deleteErr == nil {
		fmt.Fprintf(out, "deleted:  %s\n", hook.ID)
	}
	return errors.Join(err, deleteErr)
}

// change shows each way to change a webhook.
func change(ctx context.Context, hooks *webhooks.Client, id string, settings webhooks.Settings, out io.Writer) error {
	settings.TransactionTypes = []txtype.Type{txtype.Swap, txtype.Transfer}
	hook, err := hooks.Replace(ctx, id, settings) // replaces all settings
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "replaced: delivers %v\n", hook.TransactionTypes)
	hook, err = hooks.AddAddresses(ctx, id, "BtJ5rdXcZs8hVqK2nTyWfMgPe7UDAoLx3Ri9GQk6uHSv") // keeps the other settings
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "added:    watches %d accounts\n", len(hook.AccountAddresses))
	if _, err := hooks.SetActive(ctx, id, false); err != nil {
		return err
	}
	fmt.Fprintln(out, "disabled")
	all, err := hooks.Webhooks(ctx)
	if err != nil {
		return err
	}
	for i, h := range all {
		fmt.Fprintf(out, "listed:   %d of %d is %s, %s\n", i+1, len(all), h.ID, h.Type)
	}
	return nil
}
