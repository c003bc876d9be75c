package fake

import (
	"encoding/binary"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/internal/fake/wire"
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
	Version1 bool             // whether the methods of version 2 are unknown

	calls atomic.Int64
}

// An IndexerAccount is a compressed account. Its trees are numbered.
type IndexerAccount struct {
	Hash     [32]byte
	Leaf     uint64
	Tree     int
	Lamports uint64
	Data     []byte // nil for none
}

// NewIndexerAccounts returns accounts with random hashes and data, each with the next leaf of
// one of some trees. The data starts with two random bytes and a number.
func NewIndexerAccounts(random *rand.Rand, count, trees int) []IndexerAccount {
	all := make([]IndexerAccount, count)
	for i := range all {
		a := &all[i]
		for j := 0; j < len(a.Hash); j += 8 {
			binary.BigEndian.PutUint64(a.Hash[j:], random.Uint64())
		}
		a.Hash[0] &= 0x1f // hashes are below 2^254
		a.Leaf, a.Tree, a.Lamports = uint64(i/trees), i%trees, uint64(i)
		a.Data = binary.LittleEndian.AppendUint64([]byte{byte(random.Uint32()), byte(random.Uint32())}, uint64(i))
	}
	return all
}

// Service returns a Service with the accounts of x, which does not record its requests.
func (x *Indexer) Service() *Service {
	s := &Service{Unrecorded: true, build: x.world}
	s.Intercept = func(w http.ResponseWriter, in *Incoming) bool {
		if len(in.Names) != 1 {
			return false
		}
		method, version2 := strings.CutSuffix(in.Names[0], "V2")
		if method == "getCompressedAccountsByOwner" || method == "getCompressedBalanceByOwner" {
			x.calls.Add(1)
		}
		if version2 && x.Version1 {
			ok(failure(&wire.Refusal{Code: -32601, Message: "Method not found"}, in.id())).Write(w)
		}
		return version2 && x.Version1
	}
	return s
}

func (x *Indexer) world() *world.World {
	accounts := make([]world.Compressed, len(x.Accounts))
	for i, a := range x.Accounts {
		tree := base58.Encode(append([]byte{byte(a.Tree) + 1}, make([]byte, 31)...))
		hash := base58.Encode(a.Hash[:])
		accounts[i] = world.Compressed{
			Hash: hash, DataHash: hash, Data: a.Data, Discriminator: 1, Owner: Owner, Tree: tree, Lamports: a.Lamports, Leaf: a.Leaf, Seq: 1,
		}
	}
	b := world.NewBuilder("")
	b.Accounts(Owner, accounts)
	w, err := b.World()
	if err != nil {
		panic(err)
	}
	w.Compressed.Order = x.Order
	return w
}

// Requests returns the number of listings and balances that x has answered.
func (x *Indexer) Requests() int { return int(x.calls.Load()) }
