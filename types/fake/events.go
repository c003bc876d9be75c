package fake

import (
	"github.com/solwire/solwire-go/internal/fakeapi/hooks"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
	"github.com/solwire/solwire-go/types"
)

// An Event is a transaction that webhooks deliver.
type Event struct {
	tx *world.Transaction
	of *hooks.Book
}

// Signature returns the signature of the transaction.
func (e Event) Signature() types.Signature { return types.Signature(e.tx.Signature) }

// Enhanced returns e as an enhanced webhook carries it, as JSON.
func (e Event) Enhanced() []byte { return []byte(e.of.Of(e.tx).Enhanced) }

// Raw returns e as a raw webhook carries it, as JSON.
func (e Event) Raw() []byte { return []byte(e.of.Of(e.tx).Raw) }

// Watched returns the accounts that active webhooks watch, each once.
func (s *Service) Watched() []types.Address { return texts[types.Address](s.inner.Book().Watched()) }

// Event returns a transaction of the World as an event, such as the transaction of a client's
// sendTransaction. It is false for an unknown signature.
func (s *Service) Event(signature types.Signature) (Event, bool) {
	w := s.inner.World()
	w.Lock()
	defer w.Unlock()
	x := w.Status(string(signature))
	return Event{x, s.inner.Book()}, x != nil
}

// Happen executes a transaction now. It is in the newest processed block, confirmed one slot later
// and finalized 32 slots later. Balances, accounts, histories, assets and streams follow, each at
// its commitment. [Service.Deliver] delivers the event. Happen panics if the transaction cannot be
// executed, for example because a wallet of the World holds too little. A wallet outside the World
// always holds enough.
func (s *Service) Happen(t Transaction) Event { return s.event("Happen")(s.inner.Make(t.happen)) }

// Transfer sends lamports from one wallet to another, now, like [Service.Happen].
func (s *Service) Transfer(from, to types.Address, lamports uint64) Event {
	t := Transaction{FeePayer: from, Transfers: []Transfer{{From: from, To: to, Amount: types.Amount(lamports, 9)}}}
	return s.event("Transfer")(s.inner.Make(t.happen))
}

// event returns a function that panics in the name of a method if nothing happened.
func (s *Service) event(name string) func(*world.Transaction, error) Event {
	return func(x *world.Transaction, err error) Event {
		if err != nil {
			panic("fake.Service." + name + ": " + err.Error())
		}
		return Event{x, s.inner.Book()}
	}
}

// Swap swaps a few USDC of a wallet for SOL, now, like [Service.Happen]. A wallet without
// enough USDC receives them first, in another transaction.
func (s *Service) Swap(owner types.Address) Event {
	return s.event("Swap")(s.inner.Swap(string(owner)))
}
