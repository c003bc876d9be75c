package webhooks

import (
	"cmp"
	"context"
	"fmt"
	"maps"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/transport"
)

var opReconcile = transport.Op{Method: "webhooks.Client.Reconcile", Wire: "PUT /v0/webhooks/{webhookID}"}

// ReconcileOptions are the options of [Client.Reconcile]. The zero value, like nil,
// only reports the differences.
type ReconcileOptions struct {
	Apply bool // changes the webhook
}

// Reconcile compares a webhook with the wanted settings, and returns a line for each difference,
// with the secret masked. It is also a difference if the webhook is off.
//
// With Apply, it removes the differences with one write and SetActive. AccountAddresses and
// TransactionTypes are replaced: values that somebody else added are removed. The write costs 100
// credits and is verified as by [Client.Update]. An error comes with the differences.
//
// Empty settings are not compared and stay as they are. Only AccountAddresses is required, and
// fails with [types.ErrInvalid] if it is empty. Encoding and Outcome are compared only if the
// service returns them, but every write sets them.
//
// REST: GET, PUT and PATCH /v0/webhooks/{webhookID}.
func (c *Client) Reconcile(ctx context.Context, id string, want Settings, opts *ReconcileOptions) (differences []string, err error) {
	o := argument.Options(opts)
	invalid := cmp.Or(want.checkReplace(), want.AuthHeader.check("AuthHeader"), checkAddresses("AccountAddresses", want.AccountAddresses, nil))
	off := false
	_, err = c.edit(ctx, opReconcile, id, invalid, func(w *Webhook) error {
		var next Settings
		next, differences = want.compare(w)
		off = w.Active != nil && !*w.Active
		if o.Apply && len(differences) > 0 {
			w.Settings = next
		}
		return nil
	})
	if off {
		differences = append(differences, "the webhook is off")
		if err == nil && o.Apply {
			_, err = c.SetActive(ctx, id, true)
		}
	}
	return differences, err
}

// compare returns the settings that has should get, and their differences from its current ones.
func (s *Settings) compare(has *Webhook) (next Settings, differences []string) {
	next = has.clone()
	if len(s.TransactionTypes) > 0 && !maps.Equal(set(has.TransactionTypes), set(s.TransactionTypes)) {
		next.TransactionTypes = s.TransactionTypes
		if !has.Type.raw() || len(has.TransactionTypes) > 0 { // else they may be missing
			differences = append(differences, fmt.Sprintf("TransactionTypes is %v instead of %v", has.TransactionTypes, s.TransactionTypes))
		}
	}
	apply(&differences, "URL", &next.URL, s.URL, true)
	apply(&differences, "Type", &next.Type, s.Type, true)
	apply(&differences, "AuthHeader", &next.AuthHeader, s.AuthHeader, true)
	apply(&differences, "Encoding", &next.Encoding, s.Encoding, has.Encoding != "")
	apply(&differences, "Outcome", &next.Outcome, s.Outcome, has.Outcome != "")
	missing, unwanted := distinct(s.AccountAddresses, set(has.AccountAddresses)), distinct(has.AccountAddresses, set(s.AccountAddresses))
	if len(missing)+len(unwanted) > 0 {
		next.AccountAddresses = distinct(s.AccountAddresses, nil)
		differences = append(differences, fmt.Sprintf("AccountAddresses: %d missing, %d unwanted", len(missing), len(unwanted)))
	}
	return next, differences
}

// apply changes a setting to the wanted value, and notes the difference if the setting is known.
func apply[T ~string](differences *[]string, name string, setting *T, want T, known bool) {
	if want == "" || want == *setting {
		return
	}
	if known {
		*differences = append(*differences, fmt.Sprintf("%s is %v instead of %v", name, *setting, want)) // a Secret is masked
	}
	*setting = want
}
