package webhooks

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// Update changes some settings of a webhook and keeps the others: it reads the
// webhook, lets change alter the settings, and writes them all back, which costs
// 100 credits. Without a difference nothing is written, and no more than the
// read is paid, which the service may charge for too. It returns the webhook as
// it is then.
//
// An error of change ends the call and is returned as it is. Change is called
// once, and must not itself change the same webhook by this client: it would
// wait for its own end. What Edit refuses is refused after the change; only
// addresses and a secret that the webhook had before are not checked again.
//
// REST: GET and PUT /v0/webhooks/{webhookID}.
func (c *Client) Update(ctx context.Context, id string, change func(*Settings) error) (*Webhook, error) {
	if err := checkID(id); err != nil {
		return nil, err
	}
	if change == nil {
		return nil, argument.Invalid("change", "nil")
	}
	unlock, err := c.locks.lock(ctx, http.MethodGet, id)
	if err != nil {
		return nil, err
	}
	defer unlock()
	w, err := c.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	if w.AccountAddresses == nil { // writing back would lose those there are
		return nil, transport.NoList("GET "+path(id), "accountAddresses")
	}
	changed := w.Settings.clone()
	if err := change(&changed); err != nil {
		return nil, err
	}
	if changed.same(w.Settings) {
		return w, nil
	}
	if err := cmp.Or(changed.check(w.Settings), changed.checkEdit()); err != nil {
		return nil, err
	}
	return c.put(ctx, id, changed)
}

// AddAddresses makes a webhook watch more accounts, after those it watches
// already. Addresses that it has are not added again, and when it has them all
// nothing is written; otherwise the call costs 100 credits, however many there
// are. More than 100 000 in all are refused with [types.ErrInvalid].
//
// REST: GET and PUT /v0/webhooks/{webhookID}.
func (c *Client) AddAddresses(ctx context.Context, id string, addresses ...types.Address) (*Webhook, error) {
	if err := checkAddresses("addresses", addresses, nil); err != nil {
		return nil, err
	}
	return c.Update(ctx, id, func(s *Settings) error {
		all := unique(slices.Concat(s.AccountAddresses, addresses))
		if len(all) > len(set(s.AccountAddresses)) { // else there is nothing new
			s.AccountAddresses = all
		}
		return nil
	})
}

// RemoveAddresses makes a webhook watch some accounts no longer. Addresses that
// it does not have are passed over, and when it has none of them nothing is
// written; otherwise the call costs 100 credits, however many there are, and
// addresses that the webhook has twice are kept once. Since the service wants at
// least one address, removing all of them is refused with [types.ErrInvalid]:
// use [Client.Delete] or [Client.SetActive] instead. So is an address that is
// none, unless the webhook has it.
//
// REST: GET and PUT /v0/webhooks/{webhookID}.
func (c *Client) RemoveAddresses(ctx context.Context, id string, addresses ...types.Address) (*Webhook, error) {
	gone := set(addresses)
	return c.Update(ctx, id, func(s *Settings) error {
		if err := checkAddresses("addresses", addresses, set(s.AccountAddresses)); err != nil {
			return err
		}
		left := slices.DeleteFunc(s.AccountAddresses, func(a types.Address) bool { return gone[a] })
		if len(left) < len(s.AccountAddresses) {
			s.AccountAddresses = unique(left)
		}
		return nil
	})
}

func set(addresses []types.Address) map[types.Address]bool {
	m := make(map[types.Address]bool, len(addresses))
	for _, a := range addresses {
		m[a] = true
	}
	return m
}

// unique returns addresses without repetitions, in their order.
func unique(addresses []types.Address) []types.Address {
	seen := make(map[types.Address]bool, len(addresses))
	var all []types.Address
	for _, a := range addresses {
		if !seen[a] {
			seen[a] = true
			all = append(all, a)
		}
	}
	return all
}
