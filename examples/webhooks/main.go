// Webhooks creates a webhook, changes it, corrects its addresses and deletes it. This costs
// 500 credits.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/solwire/solwire-go/examples/progress"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
)

func main() {
	url := flag.String("url", "https://example.com/hook", "`URL` that events are posted to")
	progress.Arguments("")
	progress.Main(func(ctx context.Context, cfg types.Config, out io.Writer) error {
		return run(ctx, cfg, *url, out)
	})
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
	// even if a change failed: events cost credits
	deleteErr := hooks.Delete(context.WithoutCancel(ctx), hook.ID)
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
	// keeps the other settings
	hook, err = hooks.AddAddresses(ctx, id, "BtJ5rdXcZs8hVqK2nTyWfMgPe7UDAoLx3Ri9GQk6uHSv")
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "added:    watches %d accounts\n", len(hook.AccountAddresses))
	if _, err := hooks.SetActive(ctx, id, false); err != nil {
		return err
	}
	fmt.Fprintln(out, "disabled")
	// Addresses have been known to vanish from webhooks: correct them every day.
	want := webhooks.Settings{AccountAddresses: []types.Address{settings.AccountAddresses[0], "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"}}
	// and enables it
	differences, err := hooks.Reconcile(ctx, id, want, &webhooks.ReconcileOptions{Apply: true})
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "corrected:", strings.Join(differences, "; "))
	all, err := hooks.Webhooks(ctx)
	if err != nil {
		return err
	}
	for i, h := range all {
		fmt.Fprintf(out, "listed:   %d of %d is %s, %s\n", i+1, len(all), h.ID, h.Type)
	}
	return nil
}
