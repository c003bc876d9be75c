package webhooks

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/internal/wait"
	"github.com/solwire/solwire-go/types"
)

// Update changes some settings of a webhook and keeps the others: it reads the webhook, calls
// change and writes all settings back. The write costs 100 credits. If change changes nothing,
// nothing is written. If the service does not return Encoding and Outcome, the values that c last
// wrote are kept. If c wrote none, change has to set them.
//
// Update reads the webhook again half a second after the write. If another program has replaced
// the settings by then, the error matches [types.ErrMayHaveExecuted]: call Update again. Change
// must not modify the same webhook through c, since that call would wait for this one. An error of
// change is returned as it is.
//
// REST: GET and PUT /v0/webhooks/{webhookID}.
func (c *Client) Update(ctx context.Context, id string, change func(*Settings) error) (*Webhook, error) {
	var invalid error
	if change == nil {
		invalid = argument.Invalid("change", "is nil")
	}
	return c.edit(ctx, opUpdate, id, invalid, func(w *Webhook) error { return change(&w.Settings) })
}

const verifyEditIn = 500 * time.Millisecond // longer than another program takes to read and write

// edit is Update as operation op; invalid is the error of an argument. Change may only change the
// Settings of the webhook.
func (c *Client) edit(ctx context.Context, op transport.Op, id string, invalid error, change func(*Webhook) error) (*Webhook, error) {
	unlock, err := c.lock(ctx, op, id, invalid)
	if err != nil {
		return nil, err
	}
	defer unlock()
	w, err := c.editable(ctx, id)
	if err != nil {
		return nil, err
	}
	edited := *w
	edited.Settings = w.Settings.clone()
	if err := change(&edited); err != nil {
		return nil, err
	}
	if edited.same(w.Settings) {
		return w, nil
	}
	if err := c.api.Check(op, edited.check(w.Settings), edited.checkReplace()); err != nil {
		return nil, err
	}
	if _, err := c.put(ctx, id, edited.Settings, w.AuthHeader); err != nil {
		return nil, err
	}
	_ = wait.For(ctx, verifyEditIn) // the read fails then
	switch w, err = c.editable(ctx, id); {
	case err != nil:
		return nil, fmt.Errorf("%w; the change was written, but not verified: %w", err, types.ErrMayHaveExecuted)
	case !edited.same(w.Settings):
		return nil, fmt.Errorf("%s: another program overwrote the change, or the service altered it: %w", op, types.ErrMayHaveExecuted)
	}
	return w, nil
}

// editable reads a webhook with the settings that a write has to contain.
func (c *Client) editable(ctx context.Context, id string) (*Webhook, error) {
	w, err := transport.Fetch(ctx, c.api, transport.Request{Op: opGet, Path: []string{id}}, func(w *Webhook) error {
		// a write would remove them
		return transport.Require(w.AccountAddresses != nil, "accountAddresses")
	})
	if err != nil {
		return nil, err
	}
	c.sent.restore(id, &w.Settings)
	return w, nil
}

// AddAddresses adds watched addresses to a webhook, like [Client.Update]. It costs 100 credits
// for any number of addresses. If the webhook has them all, nothing is written. If the webhook
// would have more than 100 000 addresses, the error matches [types.ErrInvalid].
//
// REST: GET and PUT /v0/webhooks/{webhookID}.
func (c *Client) AddAddresses(ctx context.Context, id string, addresses ...types.Address) (*Webhook, error) {
	return c.edit(ctx, opAddAddresses, id, checkAddresses("addresses", addresses, nil), func(w *Webhook) error {
		w.AccountAddresses = distinct(slices.Concat(w.AccountAddresses, addresses), nil)
		return nil
	})
}

// RemoveAddresses removes watched addresses from a webhook, like [Client.Update]. It costs 100
// credits for any number of addresses. If the webhook has none of them, nothing is written. The
// last address cannot be removed, and fails with [types.ErrInvalid]: use [Client.Delete] or
// [Client.SetActive].
//
// REST: GET and PUT /v0/webhooks/{webhookID}.
func (c *Client) RemoveAddresses(ctx context.Context, id string, addresses ...types.Address) (*Webhook, error) {
	return c.edit(ctx, opRemoveAddresses, id, nil, func(w *Webhook) error {
		if err := c.api.Check(opRemoveAddresses, checkAddresses("addresses", addresses, set(w.AccountAddresses))); err != nil {
			return err
		}
		w.AccountAddresses = distinct(w.AccountAddresses, set(addresses))
		return nil
	})
}

func set[T comparable](list []T) map[T]bool {
	m := make(map[T]bool, len(list))
	for _, v := range list {
		m[v] = true
	}
	return m
}

// distinct returns the values of list that are not excluded, without duplicates, in its order.
func distinct[T comparable](list []T, excluded map[T]bool) (rest []T) {
	left := set(list)
	for _, v := range list {
		if left[v] && !excluded[v] {
			rest = append(rest, v)
		}
		delete(left, v)
	}
	return rest
}
