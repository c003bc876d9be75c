package node

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/solwire/solwire-go/internal/fake/wire"
	"github.com/solwire/solwire-go/internal/fake/world"
)

// Subscribed is what a subscription to an account, or to the accounts of a program, sends.
type Subscribed struct {
	Key string

	config  config
	filters []filter
	program bool
}

// SubscribedTo reads the parameters of accountSubscribe or programSubscribe. Subscriptions
// accept a data slice, which has no effect.
func SubscribedTo(c *wire.Call, program bool) (*Subscribed, *wire.Refusal) {
	key, args, refused := keyed(c, 1)
	if refused != nil {
		if strings.HasPrefix(refused.Message, "Invalid param:") {
			refused = wire.InvalidParams("Invalid Request: Invalid pubkey provided")
		}
		return nil, refused
	}
	known := []string{"encoding", "dataSlice"}
	if program {
		known = append(known, "filters", "withContext")
	}
	o, _ := configOf(c, args, known...)
	s := &Subscribed{Key: key, filters: filtersOf(o.Params), program: program}
	o.part = nil
	s.config = o
	return s, o.Refused
}

// Value returns the value of the notification about an account that changed, nil if the
// subscription has none.
func (s *Subscribed) Value(w *world.World, address string) json.RawMessage {
	v := viewOf(w, address)
	if !s.program {
		if address != s.Key {
			return nil
		}
		if v == nil {
			v = &view{program: world.System} // closed
		}
		a, refused := v.encoded(s.config)
		if refused != nil {
			return nil
		}
		return world.Encode(a)
	}
	if v == nil || v.program != s.Key || slices.ContainsFunc(s.filters, func(f filter) bool { return !f.matches(v) }) {
		return nil
	}
	a, refused := v.encoded(s.config)
	if refused != nil {
		return nil
	}
	return world.Encode(item{address, a})
}

// Named returns the accounts that a transaction names, and its logs.
func Named(w *world.World, x *world.Transaction) (keys, logs []string) {
	m := messageOf(w, x)
	return m.keys, m.logs
}
