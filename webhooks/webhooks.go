package webhooks

import (
	"cmp"
	"context"
	"fmt"
	"net/http"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A Client manages the webhooks of an account. It is safe for concurrent use.
//
// Calls of one client that change the same webhook run one after another. The
// service knows no versions: two clients, or two programs, that change one
// webhook at the same time overwrite each other.
type Client struct {
	api   *transport.Client
	locks locks
}

// New returns a client that uses the WebhooksURL of cfg. It sends nothing. The
// error matches [types.ErrInvalid]: the key is missing, or the URL cannot work.
func New(cfg types.Config) (*Client, error) {
	api, err := transport.New(cfg, transport.Webhooks)
	if err != nil {
		return nil, err
	}
	return &Client{api: api}, nil
}

// List returns all webhooks of the account, in the order of the service, each
// with at most 100 of its addresses. To change one, use [Client.Update], which
// reads it whole.
//
// REST: GET /v0/webhooks.
func (c *Client) List(ctx context.Context) ([]Summary, error) {
	var all []Summary
	path := transport.Path("v0", "webhooks")
	if err := c.api.Get(ctx, path, nil, &all); err != nil {
		return nil, err
	}
	for _, w := range all {
		if w.ID == "" {
			return nil, noID("GET " + path)
		}
	}
	return all, nil
}

// Get returns a webhook with all of its addresses. One that does not exist is
// an error that matches [types.ErrNotFound]; an id that is no UUID is refused
// with [types.ErrInvalid], here and in every other call.
//
// REST: GET /v0/webhooks/{webhookID}.
func (c *Client) Get(ctx context.Context, id string) (*Webhook, error) {
	if err := checkID(id); err != nil {
		return nil, err
	}
	var w Webhook
	err := c.api.Get(ctx, path(id), nil, &w)
	return answer("GET "+path(id), &w, err)
}

// Create makes a webhook, which is switched on from then on. It costs 100
// credits, and each event that the webhook delivers costs one more.
//
// Settings without URL or Type, with an address that is none, with more than
// 100 000 of them or with a [Secret] that no header can carry are refused with
// [types.ErrInvalid] before anything is sent.
//
// A create that failed is tried again only if the service has certainly not
// seen it or has refused it as one too many (429): otherwise there might be
// two webhooks that deliver, and cost, the same. After another error, look
// with List before creating again.
//
// REST: POST /v0/webhooks.
func (c *Client) Create(ctx context.Context, s Settings) (*Webhook, error) {
	if err := s.check(Settings{}); err != nil {
		return nil, err
	}
	var w Webhook
	path := transport.Path("v0", "webhooks")
	err := c.api.Create(ctx, path, s.wire(), &w, string(s.AuthHeader))
	return answer("POST "+path, &w, err)
}

// Edit replaces all settings of a webhook: a field that is not set in s loses
// its value, and the addresses are those of s alone. To change some settings
// and keep the others, use [Client.Update], [Client.AddAddresses] or
// [Client.RemoveAddresses]. It costs 100 credits.
//
// What Create refuses, Edit refuses too, and also settings without addresses.
//
// REST: PUT /v0/webhooks/{webhookID}.
func (c *Client) Edit(ctx context.Context, id string, s Settings) (*Webhook, error) {
	if err := cmp.Or(checkID(id), s.check(Settings{}), s.checkEdit()); err != nil {
		return nil, err
	}
	unlock, err := c.locks.lock(ctx, http.MethodPut, id)
	if err != nil {
		return nil, err
	}
	defer unlock()
	return c.put(ctx, id, s)
}

func (c *Client) put(ctx context.Context, id string, s Settings) (*Webhook, error) {
	var w Webhook
	err := c.api.Put(ctx, path(id), s.wire(), &w, string(s.AuthHeader))
	return answer("PUT "+path(id), &w, err)
}

// SetActive switches a webhook on or off and keeps its settings. What happens
// while it is off is not delivered later. The service itself switches off a
// webhook whose deliveries almost all fail; switched on again, it has 24 hours
// to recover.
//
// REST: PATCH /v0/webhooks/{webhookID}.
func (c *Client) SetActive(ctx context.Context, id string, active bool) (*Webhook, error) {
	if err := checkID(id); err != nil {
		return nil, err
	}
	unlock, err := c.locks.lock(ctx, http.MethodPatch, id)
	if err != nil {
		return nil, err
	}
	defer unlock()
	in := struct {
		Active bool `json:"active"`
	}{active}
	var w Webhook
	err = c.api.Patch(ctx, path(id), in, &w)
	return answer("PATCH "+path(id), &w, err)
}

// Delete removes a webhook. It costs 100 credits. One that does not exist is
// an error that matches [types.ErrNotFound], unless the service says so only
// when asked again, after a try that may have removed it.
//
// REST: DELETE /v0/webhooks/{webhookID}.
func (c *Client) Delete(ctx context.Context, id string) error {
	if err := checkID(id); err != nil {
		return err
	}
	unlock, err := c.locks.lock(ctx, http.MethodDelete, id)
	if err != nil {
		return err
	}
	defer unlock()
	return c.api.Delete(ctx, path(id))
}

// answer is the result of a call that brings a webhook. One without its ID is
// none, but something else that happens to be a JSON object.
func answer(op string, w *Webhook, err error) (*Webhook, error) {
	if err != nil {
		return nil, err
	}
	if w.ID == "" {
		return nil, noID(op)
	}
	return w, nil
}

func noID(op string) error { return fmt.Errorf("%s: answer has no webhookID", op) }

func path(id string) string { return transport.Path("v0", "webhooks", id) }

// checkID refuses what is no UUID.
func checkID(id string) error {
	const form = "00000000-0000-0000-0000-000000000000"
	if len(id) != len(form) {
		return argument.Invalid("id", "not a UUID")
	}
	for i := range len(id) {
		if hyphen := form[i] == '-'; hyphen != (id[i] == '-') || !hyphen && !isHex(id[i]) {
			return argument.Invalid("id", "not a UUID")
		}
	}
	return nil
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
