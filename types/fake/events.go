package fake

import (
	"context"
	"net/http"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
)

// An Event is a transaction that webhooks deliver.
type Event struct{ inner fake.Event }

// Signature returns the signature of the transaction.
func (e Event) Signature() types.Signature { return types.Signature(e.inner.Signature) }

// Enhanced returns e as an enhanced webhook carries it, as JSON.
func (e Event) Enhanced() []byte { return []byte(e.inner.Enhanced) }

// Raw returns e as a raw webhook carries it, as JSON.
func (e Event) Raw() []byte { return []byte(e.inner.Raw) }

// Watched returns the accounts that active webhooks watch, each once.
func (s *Service) Watched() []types.Address {
	var all []types.Address
	for _, a := range s.inner.Watched() {
		all = append(all, types.Address(a))
	}
	return all
}

// A Delivery says how events are delivered. The zero value is a post for each event
// to each webhook that wants it.
type Delivery struct {
	// Handler receives all posts, instead of the URLs of the webhooks. Without a
	// webhook at the service it receives each event as an enhanced one.
	Handler http.Handler

	AuthHeader string // sent to a Handler without a webhook
	Raw        bool   // sends raw events to a Handler without a webhook

	Group       int  // events in one post; 0 means 1
	Concurrency int  // concurrent posts; 0 means 1
	Duplicate   int  // every n-th post is sent twice; 0 means none
	Drop        int  // every n-th post is not sent; 0 means none
	Shuffle     bool // whether posts are sent in another order

	// Anywhere allows webhook URLs that are not on loopback, which otherwise get
	// nothing.
	Anywhere bool
}

// A Report is the result of a delivery. Each event counts once per webhook and
// duplicate.
type Report struct {
	Acknowledged int
	Tries        int               // posts, including failed ones
	Lost         []types.Signature // of events that were not acknowledged, in any order
	Dropped      []types.Signature // of events that were not posted
}

// Deliver delivers events and returns when each is acknowledged or lost. Like the
// service it waits a second for a response and tries three times more, a second
// apart, unless the response is 403. Nil means the defaults.
func (s *Service) Deliver(ctx context.Context, d *Delivery, events ...Event) Report {
	if d == nil {
		d = &Delivery{}
	}
	c := fake.Courier{
		Service: s.inner, Group: d.Group, Parallel: d.Concurrency, Duplicate: d.Duplicate, Drop: d.Drop,
		Shuffle: d.Shuffle, Anywhere: d.Anywhere,
	}
	if d.Handler != nil {
		c.Client = &http.Client{Transport: fake.Handler(d.Handler)}
		c.Fallback, c.Auth, c.Raw = true, d.AuthHeader, d.Raw
	}
	var inner []fake.Event
	for _, e := range events {
		inner = append(inner, e.inner)
	}
	r := c.Deliver(ctx, inner...)
	return Report{r.Acknowledged, r.Tries, signatures(r.Lost), signatures(r.Dropped)}
}

func signatures(texts []string) []types.Signature {
	var all []types.Signature
	for _, text := range texts {
		all = append(all, types.Signature(text))
	}
	return all
}

// Transfer lets one wallet send lamports to another, now: histories and balances have the
// transaction from now on, and the event can be delivered. It panics if an address is invalid,
// and if the sender is in the World and has less. Another sender is taken to have held
// the lamports.
func (s *Service) Transfer(from, to types.Address, lamports uint64) Event {
	e, err := s.inner.Transfer(string(from), string(to), lamports)
	if err != nil {
		panic("fake.Service.Transfer: " + err.Error())
	}
	return Event{e}
}

// Swap lets a wallet swap a few USDC for SOL, now, like [Service.Transfer]. A wallet without
// enough USDC receives them first, in another transaction.
func (s *Service) Swap(owner types.Address) Event {
	e, err := s.inner.Swap(string(owner))
	if err != nil {
		panic("fake.Service.Swap: " + err.Error())
	}
	return Event{e}
}
