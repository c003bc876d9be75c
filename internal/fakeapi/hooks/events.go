// Package hooks answers the APIs of webhooks and of parsed transactions from the world, and
// delivers events to webhooks.
package hooks

import (
	"maps"
	"slices"

	"github.com/solwire/solwire-go/internal/fakeapi/decoded"
	"github.com/solwire/solwire-go/internal/fakeapi/node"
	"github.com/solwire/solwire-go/internal/fakeapi/wire"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
)

// A Book is the webhooks of a world.
type Book struct {
	World *world.World

	hooks []*Webhook // in the order of creation
	made  int        // webhooks created so far
}

// Routes are the routes of webhooks and parsed transactions.
func (b *Book) Routes() map[string]wire.Operation {
	return map[string]wire.Operation{
		"POST /v0/transactions":                    parsedTransactions,
		"GET /v0/addresses/{address}/transactions": parsedHistory,

		"POST /v1/parsed-events/transactions":        decoded.Transactions,
		"POST /v1/parsed-events/transaction-history": decoded.History,
		"POST /v1/parsed-events/scan":                decoded.Scan,

		"GET /v0/webhooks":             b.listWebhooks,
		"POST /v0/webhooks":            b.createWebhook,
		"GET /v0/webhooks/{webhookID}": b.one(func(_ *wire.Call, i int) []byte { return world.Encode(b.hooks[i]) }),
		"PUT /v0/webhooks/{webhookID}": b.replaced(func(c *wire.Call, h *Webhook) {
			if h.Settings = settingsOf(c); len(h.Accounts) == 0 {
				c.Invalid("accountAddresses is required")
			}
		}),
		"PATCH /v0/webhooks/{webhookID}": b.replaced(func(c *wire.Call, h *Webhook) {
			var in struct {
				Active bool `json:"active"`
			}
			c.Decode(c.Body, &in, false)
			h.Active = in.Active
		}),
		"DELETE /v0/webhooks/{webhookID}": b.one(func(_ *wire.Call, i int) []byte { b.hooks = slices.Delete(b.hooks, i, i+1); return nil }),
	}
}

// An Event is a transaction that webhooks may deliver.
type Event struct {
	Signature string
	Type      string   // such as SWAP
	Accounts  []string // in the transaction
	Failed    bool     // whether the transaction failed; enhanced webhooks do not deliver it then
	Enhanced  string   // as enhanced webhooks carry it
	Raw       string   // as raw webhooks carry it
}

// Of returns a transaction as an event. Its texts are the same at any time.
func (b *Book) Of(x *world.Transaction) Event {
	w := b.World
	w.Lock()
	defer w.Unlock()
	accounts := slices.Collect(maps.Keys(w.Reaches(x)))
	return Event{x.Signature, x.Kind, accounts, x.Failure != "", string(wire.Patched(w, enhanced(w, x))), string(wire.Patched(w, node.Text(w, x, node.Options{Raw: true})))}
}
