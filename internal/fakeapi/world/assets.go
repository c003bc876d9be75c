package world

import (
	"cmp"
	"encoding/json"
	"maps"
	"math/bits"
	"slices"
	"time"

	"github.com/mr-tron/base58"
	"golang.org/x/crypto/sha3"

	"github.com/solwire/solwire-go/types"
)

// An Asset is an NFT or a collection.
type Asset struct {
	ID, Owner     string
	Name, Symbol  string
	Description   string
	URI, Image    string
	Collection    string // its ID; empty for none
	Interface     string
	Creators      []Creator
	Authority     string
	Delegate      string
	BasisPoints   int `json:"royaltyBasisPoints"`
	Attributes    json.RawMessage
	Compressed    bool
	Frozen, Burnt bool
	Immutable     bool
	MasterEdition string // the mint of the master of a print
	Edition       uint64
	MaxSupply     uint64
	AgentSigner   string // the wallet of an agent; empty for other assets
	AgentToken    string
	Number        int    // in the order of creation
	Tree          string // its address; empty for assets that are not compressed
	Leaf          int
	Created       *Transaction
	Later         []AssetEvent // after the creation
}

// A Creator has a share in the royalties of an asset.
type Creator struct {
	Address  string `json:"address"`
	Share    int    `json:"share"`
	Verified bool   `json:"verified"`
}

// An AssetEvent is the effect of a transaction on an asset.
type AssetEvent struct {
	*Transaction
	Asset     *Asset
	Operation string
}

// A Collection is the assets of a world.
type Collection struct {
	w      *World
	tree   string   // the address of the Merkle tree of the compressed ones
	all    []*Asset // in the order of creation
	byID   map[string]*Asset
	leaves []*Asset // the compressed ones

	byMetadata map[string]*Asset
	derived    int // the assets in all whose metadata addresses are known
}

// Find returns an asset, nil if there is none.
func (c *Collection) Find(id string) *Asset { return c.byID[id] }

// The keys of Sorted.
const (
	OfOwner      = "owner "
	OfCreator    = "creator "
	OfAuthority  = "authority "
	OfCollection = "collection "
	OfMaster     = "master "
	OfEverybody  = ""
)

// Sorted returns the assets that have a key in common, such as OfOwner and an address, sorted
// by ID.
func (c *Collection) Sorted(key string) []*Asset {
	return Keep(c.w, "assets", func() map[string][]*Asset {
		lists := map[string][]*Asset{}
		for _, a := range slices.SortedFunc(maps.Values(c.byID), func(a, b *Asset) int { return CompareKeys(a.ID, b.ID) }) {
			keys := []string{OfEverybody, OfOwner + a.Owner, OfAuthority + a.Authority, OfCollection + a.Collection, OfMaster + a.MasterEdition}
			for _, creator := range a.Creators {
				keys = append(keys, OfCreator+creator.Address)
			}
			for _, key := range keys {
				lists[key] = append(lists[key], a)
			}
		}
		return lists
	})[key]
}

// Events returns the events of an asset, oldest first.
func (a *Asset) Events() []AssetEvent {
	operation := "MintV1"
	if a.Collection != "" {
		operation = "MintToCollectionV1"
	}
	return append([]AssetEvent{{a.Created, a, operation}}, a.Later...)
}

// add adds an asset with its mint, or its leaf.
func (c *Collection) add(a *Asset) {
	a.Number, a.Interface = len(c.all), cmp.Or(a.Interface, "V1_NFT")
	c.all, c.byID[a.ID] = append(c.all, a), a
	if a.Compressed {
		a.Tree, a.Leaf = c.tree, len(c.leaves)
		c.leaves = append(c.leaves, a)
		return
	}
	t := &Token{Mint: a.ID, Symbol: a.Symbol, Name: a.Name, Asset: a}
	c.w.tokens[a.ID] = t
	if a.Owner != "" && !a.Burnt {
		h := c.w.holding(c.w.wallet(a.Owner), t)
		h.Raw = 1
		c.w.account(h)
	}
}

// create adds the transactions that created the assets.
func (c *Collection) create() {
	source := Seed(62).Item(0)
	payer := source.Address()
	for i, a := range c.all {
		kind := "NFT_MINT"
		if a.Compressed {
			kind = "COMPRESSED_NFT_MINT"
		}
		a.Created = &Transaction{
			Signature: source.Signature(), Kind: kind, Source: "BUBBLEGUM", Fee: 5000, FeePayer: payer, Ago: fiftyDays - time.Duration(i)*time.Second,
			Instructions: []Instruction{{Program: string(types.BubblegumProgram), Accounts: []string{payer, a.ID}, Data: []byte{145, 98, 192}}},
		}
		c.w.Ledger = append(c.w.Ledger, a.Created)
	}
}

// Hash returns the hash of the leaf of a compressed asset, as the program of the trees
// computes it.
func (a *Asset) Hash() [32]byte {
	return keccak(byte(1), Key(a.ID), Key(a.Owner), Key(cmp.Or(a.Delegate, a.Owner)), uint64(a.Leaf), a.DataHash(), a.CreatorHash())
}

// DataHash returns the hash of the metadata.
func (a *Asset) DataHash() [32]byte { return keccak(a.Name, a.Symbol, a.URI) }

// CreatorHash returns the hash of the creators.
func (a *Asset) CreatorHash() [32]byte {
	var b []byte
	for _, c := range a.Creators {
		b = append(b, pack(Key(c.Address), byte(c.Share))...)
	}
	return keccak(b)
}

// minDepth is the depth of a small tree.
const minDepth = 5

// Proof returns the nodes beside the way from the leaf of an asset to the root, and the place of
// the leaf among all nodes.
func (c *Collection) Proof(a *Asset) (nodes []string, root string, place uint64) {
	depth := max(minDepth, bits.Len(uint(len(c.leaves)-1)))
	for level := range depth {
		nodes = append(nodes, Text32(c.node(level, a.Leaf>>level^1)))
	}
	return nodes, Text32(c.node(depth, 0)), 1<<depth + uint64(a.Leaf)
}

// node returns a node of a level of the tree.
func (c *Collection) node(level, index int) (n [32]byte) {
	nodes := Keep(c.w, "tree", func() map[[2]int][32]byte { return map[[2]int][32]byte{} })
	n, known := nodes[[2]int{level, index}]
	switch leaves := c.leaves; {
	case known:
	case level > 0:
		n = keccak(c.node(level-1, 2*index), c.node(level-1, 2*index+1))
	case index < len(leaves) && !leaves[index].Burnt:
		n = leaves[index].Hash()
	}
	nodes[[2]int{level, index}] = n
	return n
}

// keccak returns the hash of packed values.
func keccak(values ...any) (sum [32]byte) {
	h := sha3.NewLegacyKeccak256()
	_, _ = h.Write(pack(values...)) // a hash accepts everything
	h.Sum(sum[:0])
	return sum
}

// Text32 returns 32 bytes as base58.
func Text32(b [32]byte) string { return base58.Encode(b[:]) }
