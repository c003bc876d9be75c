package node

import (
	"encoding/json"
	"strings"

	"github.com/solwire/solwire-go/internal/fakeapi/wire"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
)

// Subscribed makes the notifications of a subscription to an account, or to the accounts of a
// program.
type Subscribed struct {
	Key        string
	Commitment string

	config  config
	filters []wire.Filter
	program bool
}

// SubscribedTo reads the parameters of accountSubscribe or programSubscribe. Subscriptions
// accept a data slice, which has no effect.
func SubscribedTo(c *wire.Call, program bool) *Subscribed {
	key, o := configured(c)
	if refused := c.Refused; refused != nil && strings.HasPrefix(refused.Message, "Invalid param:") {
		refused.Message = "Invalid Request: Invalid pubkey provided"
	}
	o.Part, o.notifies = nil, true
	return &Subscribed{key, o.Commitment, o, c.Filters(o.Filters, 4), program}
}

// Value returns the value of the notification about an account that changed in a slot, nil if
// the subscription has none.
func (s *Subscribed) Value(address string, slot uint64) json.RawMessage {
	v := viewOf(s.config.World, address, world.AfterSlot(slot))
	switch {
	case !s.program && address != s.Key:
		return nil
	case !s.program && v == nil:
		v = &view{program: world.System} // closed
	case s.program && (v == nil || v.program != s.Key || !v.selected(s.filters)):
		return nil
	}
	if s.program {
		return v.item(s.config)
	}
	return wire.PatchedItem(s.config.World, address, v.encoded(s.config))
}
