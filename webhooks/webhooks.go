package webhooks

import (
	"cmp"
	"context"
	"regexp"
	"sync"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// Operations, by their Go and wire names.
var (
	opWebhooks        = transport.Op{Method: "webhooks.Client.Webhooks", Wire: "GET /v0/webhooks"}
	opGet             = transport.Op{Method: "webhooks.Client.Get", Wire: "GET /v0/webhooks/{webhookID}"}
	opCreate          = transport.Op{Method: "webhooks.Client.Create", Wire: "POST /v0/webhooks"}
	opReplace         = transport.Op{Method: "webhooks.Client.Replace", Wire: "PUT /v0/webhooks/{webhookID}"}
	opUpdate          = transport.Op{Method: "webhooks.Client.Update", Wire: "PUT /v0/webhooks/{webhookID}"}
	opAddAddresses    = transport.Op{Method: "webhooks.Client.AddAddresses", Wire: "PUT /v0/webhooks/{webhookID}"}
	opRemoveAddresses = transport.Op{Method: "webhooks.Client.RemoveAddresses", Wire: "PUT /v0/webhooks/{webhookID}"}
	opSetActive       = transport.Op{Method: "webhooks.Client.SetActive", Wire: "PATCH /v0/webhooks/{webhookID}"}
	opDelete          = transport.Op{Method: "webhooks.Client.Delete", Wire: "DELETE /v0/webhooks/{webhookID}"}
	opCheck           = transport.Op{Method: "webhooks.Client.Check"}
)

// A Client manages the webhooks of an account. It is safe for concurrent use.
//
// A Client makes its changes of a webhook one after the other. The service has no versions or
// locks: two clients that change a webhook at the same time can overwrite each other's changes.
// [Client.Update] usually notices that, and fails.
type Client struct {
	api     *transport.Client
	node    *transport.Client // for past transactions
	nodeErr error             // why there is none
	network types.Network
	changes flights // of webhooks
	sent    sent

	mu      sync.Mutex
	checked bool // whether the node is of the network
}

// New returns a Client for the webhooks API of cfg. It sends nothing. Its errors
// match [types.ErrInvalid].
func New(cfg types.Config) (*Client, error) {
	api, err := transport.New(cfg, transport.Webhooks, nil)
	if err != nil {
		return nil, err
	}
	node, nodeErr := transport.New(cfg, transport.RPC, nil)
	return &Client{api: api, node: node, nodeErr: nodeErr, network: cmp.Or(cfg.Network, types.NetworkMainnet)}, nil
}

// Webhooks returns all webhooks of the account, each with at most 100 of its
// addresses. Get returns all addresses of one webhook. The service documents no
// price in credits for it.
//
// REST: GET /v0/webhooks.
func (c *Client) Webhooks(ctx context.Context) ([]Summary, error) {
	all, err := transport.Fetch[[]Summary](ctx, c.api, transport.Request{Op: opWebhooks}, nil)
	if err != nil {
		return nil, err
	}
	return *all, nil
}

// Get returns a webhook with all of its addresses. An unknown ID fails with
// [types.ErrNotFound], and an ID other than a UUID with [types.ErrInvalid]. The
// service documents no price in credits for it.
//
// REST: GET /v0/webhooks/{webhookID}.
func (c *Client) Get(ctx context.Context, id string) (*Webhook, error) {
	return transport.Fetch(ctx, c.api, transport.Request{Op: opGet, Invalid: checkID(id), Path: []string{id}}, hasID)
}

// Create creates a webhook, which is active at once. It costs 100 credits, and is retried only if
// the service cannot have created the webhook. After an error that matches
// [types.ErrMayHaveExecuted], look for the webhook in Webhooks.
//
// Settings fail with [types.ErrInvalid] without URL or Type, with an invalid address, or with more
// than 100 000 addresses. So does a [Secret] that does not fit into a header.
//
// REST: POST /v0/webhooks.
func (c *Client) Create(ctx context.Context, s Settings) (*Webhook, error) {
	w, err := transport.Fetch(ctx, c.api, transport.Request{
		Op: opCreate, Invalid: s.check(Settings{}),
		About: s.AccountAddresses, Body: s.wire(), Creates: true, Secrets: []string{string(s.AuthHeader)},
	}, hasID)
	if err != nil {
		return nil, err
	}
	c.sent.note(w.ID, s)
	return w, nil
}

// Replace replaces all settings of a webhook: empty fields of s are reset. To keep settings, use
// [Client.Update] or [Client.AddAddresses]. It costs 100 credits. Settings that Create refuses, or
// without addresses, fail with [types.ErrInvalid].
//
// REST: PUT /v0/webhooks/{webhookID}.
func (c *Client) Replace(ctx context.Context, id string, s Settings) (*Webhook, error) {
	unlock, err := c.lock(ctx, opReplace, id, s.check(Settings{}), s.checkReplace())
	if err != nil {
		return nil, err
	}
	defer unlock()
	return c.put(ctx, id, s, "")
}

// put writes the settings of a webhook. A refusal may quote its secret, or its previous one.
func (c *Client) put(ctx context.Context, id string, s Settings, before Secret) (*Webhook, error) {
	w, err := transport.Fetch(ctx, c.api, transport.Request{
		Op: opReplace, Path: []string{id}, Body: s.wire(), Secrets: []string{string(s.AuthHeader), string(before)},
	}, hasID)
	if err != nil {
		return nil, err
	}
	c.sent.note(id, s)
	return w, nil
}

// SetActive switches a webhook on or off and keeps its settings. Events that occur
// while it is off are not delivered later. The service documents no price in credits
// for it.
//
// REST: PATCH /v0/webhooks/{webhookID}.
func (c *Client) SetActive(ctx context.Context, id string, active bool) (*Webhook, error) {
	unlock, err := c.lock(ctx, opSetActive, id)
	if err != nil {
		return nil, err
	}
	defer unlock()
	in := struct {
		Active bool `json:"active"`
	}{active}
	return transport.Fetch(ctx, c.api, transport.Request{Op: opSetActive, Path: []string{id}, Body: in}, hasID)
}

// Delete deletes a webhook. An unknown ID fails with [types.ErrNotFound], unless an
// earlier attempt of this call may have deleted the webhook. It costs 100 credits.
//
// REST: DELETE /v0/webhooks/{webhookID}.
func (c *Client) Delete(ctx context.Context, id string) error {
	unlock, err := c.lock(ctx, opDelete, id)
	if err != nil {
		return err
	}
	defer unlock()
	return c.api.Delete(ctx, transport.Request{Op: opDelete, Path: []string{id}})
}

// hasID refuses a response without a webhook.
func hasID(w *Webhook) error { return transport.Require(w.ID != "", "webhookID") }

func checkContext(ctx context.Context) error {
	if ctx == nil {
		return argument.Invalid("ctx", "is nil")
	}
	return nil
}

// checkID refuses an ID that is not a UUID.
func checkID(id string) error {
	if ok, _ := regexp.MatchString(`^[[:xdigit:]]{8}(-[[:xdigit:]]{4}){3}-[[:xdigit:]]{12}$`, id); !ok {
		return argument.Invalid("id", "is not a UUID")
	}
	return nil
}
