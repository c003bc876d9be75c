package fake

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/solwire/solwire-go/internal/fake/world"
)

// An Indexer is a world with compressed accounts of [Owner]. Change its fields before the first
// request only.
type Indexer struct {
	Order    world.Order
	Accounts []world.Compressed // in any order

	service *Service
}

// NewIndexerAccounts returns accounts with random hashes and data, each with the next leaf of
// one of some trees. The data starts with two random bytes and a number.
func NewIndexerAccounts(random *rand.Rand, count, trees int) []world.Compressed {
	all := make([]world.Compressed, count)
	for i := range all {
		source := world.Source(random.Uint64())
		hash, data := source.Address(), binary.LittleEndian.AppendUint64(make([]byte, 2), uint64(i))
		source.Bytes(data[:2])
		all[i] = world.Compressed{
			Hash: hash, DataHash: hash, Data: data, Discriminator: 1, Owner: Owner, Tree: world.Derived(fmt.Sprint("tree ", i%trees)),
			Lamports: uint64(i), Leaf: uint64(i / trees), Seq: 1,
		}
	}
	return all
}

// Service returns a Service with the accounts of x.
func (x *Indexer) Service() *Service {
	x.service = &Service{build: func() *world.World {
		b := world.NewBuilder("")
		b.Accounts(Owner, slices.Clone(x.Accounts))
		w, err := b.World()
		if err != nil {
			panic(err)
		}
		w.Compressed.Order = x.Order
		return w
	}}
	return x.service
}

// Requests returns the number of requests that x has answered.
func (x *Indexer) Requests() int { return len(x.service.Requests()) }
