package fake

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/internal/fake/world"
)

// An IndexerOrder is the order in which an [Indexer] lists accounts.
type IndexerOrder = world.Order

// The orders.
const (
	IndexerByHash  = world.ByHash
	IndexerByLeaf  = world.ByLeaf
	IndexerByPlace = world.ByPlace
)

// An Indexer is a world with compressed accounts of [Owner]. Change its fields before the first
// request only.
type Indexer struct {
	Order    IndexerOrder
	Accounts []IndexerAccount // in any order

	service *Service
}

// An IndexerAccount is a compressed account.
type IndexerAccount = world.Compressed

// NewIndexerAccounts returns accounts with random hashes and data, each with the next leaf of
// one of some trees. The data starts with two random bytes and a number.
func NewIndexerAccounts(random *rand.Rand, count, trees int) []IndexerAccount {
	all := make([]IndexerAccount, count)
	for i := range all {
		var number [32]byte
		for j := 0; j < len(number); j += 8 {
			binary.BigEndian.PutUint64(number[j:], random.Uint64())
		}
		number[0] &= 0x1f // hashes are below 2^254
		hash, tree := base58.Encode(number[:]), base58.Encode(append([]byte{byte(i%trees) + 1}, make([]byte, 31)...))
		data := binary.LittleEndian.AppendUint64([]byte{byte(random.Uint32()), byte(random.Uint32())}, uint64(i))
		all[i] = IndexerAccount{
			Hash: hash, DataHash: hash, Data: data, Discriminator: 1, Owner: Owner, Tree: tree, Lamports: uint64(i), Leaf: uint64(i / trees), Seq: 1,
		}
	}
	return all
}

// Service returns a Service with the accounts of x.
func (x *Indexer) Service() *Service {
	x.service = &Service{build: x.world}
	return x.service
}

func (x *Indexer) world() *world.World {
	b := world.NewBuilder("")
	b.Accounts(Owner, slices.Clone(x.Accounts))
	w, err := b.World()
	if err != nil {
		panic(err)
	}
	w.Compressed.Order = x.Order
	return w
}

// Requests returns the number of requests that x has answered.
func (x *Indexer) Requests() int { return len(x.service.Requests()) }
