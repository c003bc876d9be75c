package faults

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
)

// An Order is the order in which an [Indexer] lists accounts by owner, and the meaning of its
// cursors. A cursor is always the hash of the last account of a page.
type Order int

const (
	// ByHash sorts by hash, and a cursor means the accounts with higher hashes.
	ByHash Order = iota

	// ByLeaf sorts by leaf index, and a cursor means the accounts with higher hashes, so
	// that following cursors skips and repeats accounts. The published indexer does so
	// (Photon 0.51).
	ByLeaf
)

// An Indexer is a fake with compressed accounts of [fakeapi.Owner], in an order. Change its fields
// before the first request only.
type Indexer struct {
	Order    Order
	Accounts []world.Compressed // in any order

	service *fakeapi.Service
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
			Hash: hash, DataHash: hash, Data: data, Discriminator: 1, Owner: fakeapi.Owner, Tree: world.Derived(fmt.Sprint("tree ", i%trees)),
			Lamports: uint64(i), Leaf: uint64(i / trees), Seq: 1,
		}
	}
	return all
}

// Service returns a Service with the accounts of x.
func (x *Indexer) Service() *fakeapi.Service {
	b := world.NewBuilder("")
	b.Accounts(fakeapi.Owner, slices.Clone(x.Accounts), x.Order == ByLeaf)
	w, err := b.World()
	if err != nil {
		panic(err)
	}
	x.service = fakeapi.NewOf(w)
	return x.service
}

// Requests returns the number of requests that x has answered.
func (x *Indexer) Requests() int { return len(x.service.Requests()) }
