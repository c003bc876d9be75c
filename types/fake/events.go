package fake

import (
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
