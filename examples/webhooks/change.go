package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/solwire/solwire-go/examples/internal/demo"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
)

// change makes every change there is. One that fails does not keep the others
// from being shown.
func change(ctx context.Context, hooks *webhooks.Client, id string, settings webhooks.Settings, out io.Writer) error {
	settings.TransactionTypes = []txtype.Type{txtype.Swap, txtype.Transfer}
	hook, edit := hooks.Edit(ctx, id, settings) // replaces everything
	if edit == nil {
		fmt.Fprintf(out, "edited:  delivers %v\n", hook.TransactionTypes)
	}
	hook, add := hooks.AddAddresses(ctx, id, demo.Owner, demo.Delegate) // keeps everything else
	if add == nil {
		fmt.Fprintf(out, "added:   watches %d accounts\n", len(hook.AccountAddresses))
	}
	hook, toggle := hooks.SetActive(ctx, id, false)
	if toggle == nil && hook.Active != nil {
		fmt.Fprintf(out, "toggled: active is %t\n", *hook.Active)
	}
	all, list := hooks.List(ctx)
	for i, h := range all {
		fmt.Fprintf(out, "listed:  %d of %d is %s, %s\n", i+1, len(all), h.ID, h.Type)
	}
	return errors.Join(edit, add, toggle, list)
}
