package webhooks

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var opReconcile = transport.Op{Method: "webhooks.Client.Reconcile", Wire: "PUT /v0/webhooks/{webhookID}"}

// Wanted is the wanted state of a webhook. Settings that are empty are not compared and stay as
// they are, except AccountAddresses, which must not be empty. Encoding and Outcome are not
// compared if the service does not return them, but every write sets them.
type Wanted struct {
	Settings
	Inactive bool // whether the webhook should be off
}

// ReconcileOptions are the options of [Client.Reconcile]. The zero value, like nil,
// only reports the differences.
type ReconcileOptions struct {
	// Apply changes the webhook.
	Apply bool

	// AddOnly keeps the unwanted addresses.
	AddOnly bool
}

// Differences are how a webhook differs from the wanted one.
type Differences struct {
	Missing  []types.Address // wanted, but not watched
	Unwanted []types.Address // watched, but not wanted
	Settings []Difference    // in the order of the fields of [Settings]

	// ActiveDiffers reports whether the webhook is off and should be on, or the reverse. It
	// is false if the service does not return whether the webhook is on.
	ActiveDiffers bool
}

// A Difference is a setting of a webhook that is not as wanted.
type Difference struct {
	Setting string // name of the field of [Settings]
	Has     string // the secret is masked
	Want    string // the secret is masked
}

// Empty reports whether the webhook is as wanted.
func (d *Differences) Empty() bool {
	return len(d.Missing) == 0 && len(d.Unwanted) == 0 && len(d.Settings) == 0 && !d.ActiveDiffers
}

// String describes the differences in one line each, the addresses by their numbers.
func (d *Differences) String() string {
	var lines []string
	if len(d.Missing) > 0 {
		lines = append(lines, fmt.Sprintf("missing addresses: %d", len(d.Missing)))
	}
	if len(d.Unwanted) > 0 {
		lines = append(lines, fmt.Sprintf("unwanted addresses: %d", len(d.Unwanted)))
	}
	for _, s := range d.Settings {
		if s.Has == s.Want { // masked
			lines = append(lines, s.Setting+" differs")
		} else {
			lines = append(lines, fmt.Sprintf("%s is %q instead of %q", s.Setting, s.Has, s.Want))
		}
	}
	if d.ActiveDiffers {
		lines = append(lines, "webhook is off instead of on, or on instead of off")
	}
	return cmp.Or(strings.Join(lines, "\n"), "no differences")
}

// Reconcile compares a webhook with the wanted one and returns the differences. With Apply it
// also removes them, by SetActive and by one write for all settings and addresses. The write
// costs 100 credits and is verified like a write of [Client.Update]. Without a difference, only
// the webhook is read.
//
// Empty wanted addresses fail with [types.ErrInvalid], so that a mistake does not remove
// all addresses. With Apply, an error comes with the differences that were found.
//
// REST: GET, PUT and PATCH /v0/webhooks/{webhookID}.
func (c *Client) Reconcile(ctx context.Context, id string, want Wanted, opts *ReconcileOptions) (*Differences, error) {
	o := argument.Options(opts)
	invalid := cmp.Or(want.checkReplace(), want.AuthHeader.check("AuthHeader"), checkAddresses("AccountAddresses", want.AccountAddresses, nil))
	var found *Differences // before the first write
	_, err := c.edit(ctx, opReconcile, id, invalid, func(w *Webhook) error {
		next, d := want.compare(w, o.AddOnly)
		found = cmp.Or(found, d)
		if o.Apply && (len(d.Missing) > 0 || len(d.Unwanted) > 0 || len(d.Settings) > 0) {
			w.Settings = next
		}
		return nil
	})
	if err == nil && o.Apply && found.ActiveDiffers {
		_, err = c.SetActive(ctx, id, !want.Inactive)
	}
	return found, err
}

// compare returns the settings that has should get, and their differences from its current ones.
func (w *Wanted) compare(has *Webhook, addOnly bool) (Settings, *Differences) {
	next, d := has.clone(), &Differences{ActiveDiffers: has.Active != nil && *has.Active == w.Inactive}
	apply(d, "URL", &next.URL, w.URL, true)
	if len(w.TransactionTypes) > 0 && !maps.Equal(set(has.TransactionTypes), set(w.TransactionTypes)) {
		next.TransactionTypes = w.TransactionTypes
		if !has.Type.raw() || len(has.TransactionTypes) > 0 { // else they may be missing
			d.Settings = append(d.Settings, Difference{"TransactionTypes", fmt.Sprint(has.TransactionTypes), fmt.Sprint(w.TransactionTypes)})
		}
	}
	apply(d, "Type", &next.Type, w.Type, true)
	apply(d, "AuthHeader", &next.AuthHeader, w.AuthHeader, true)
	apply(d, "Encoding", &next.Encoding, w.Encoding, has.Encoding != "")
	apply(d, "Outcome", &next.Outcome, w.Outcome, has.Outcome != "")
	d.Missing = distinct(w.AccountAddresses, set(has.AccountAddresses))
	if !addOnly {
		d.Unwanted = distinct(has.AccountAddresses, set(w.AccountAddresses))
	}
	if len(d.Missing) > 0 || len(d.Unwanted) > 0 {
		next.AccountAddresses = append(distinct(has.AccountAddresses, set(d.Unwanted)), d.Missing...)
	}
	return next, d
}

// apply changes a setting to the wanted value, and notes the difference if the setting is known.
func apply[T ~string](d *Differences, name string, setting *T, want T, known bool) {
	if want == "" || want == *setting {
		return
	}
	if known {
		// a Secret is masked
		d.Settings = append(d.Settings, Difference{name, fmt.Sprint(*setting), fmt.Sprint(want)})
	}
	*setting = want
}
