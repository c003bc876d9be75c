package world

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/solwire/solwire-go/internal/facts"
	"github.com/solwire/solwire-go/internal/poseidon"
)

// The state trees of the two versions on mainnet, and the address trees.
// In a tree of the second version, accounts are queued first and have no sequence number.
const (
	StateTree     = "smt1NamzXdq4AMqS2fS2F1i5KTYPZRhoHgWx38d8WsT"
	QueuedTree    = "bmt1LryLZUMmF7ZtqESaw7wifBXLfXHQYoE4GAmrahU"
	AddressTree   = facts.AddressTreeV1
	AddressTreeV2 = "amt2kaJA14v3urZbZvnc5v2np8jqvc4Z8zDep5wbtzx"
)

// A Compression is the compressed accounts of a world.
type Compression struct {
	w      *World
	groups map[[2]string]*Group // by owner, or by delegate and mint
}

// A Compressed is a compressed account. Empty texts and nil data are sent as null.
type Compressed struct {
	Hash, Address, DataHash string
	Data                    []byte
	Discriminator           uint64
	Owner, Tree             string
	Lamports, Leaf, Seq     uint64

	TokenOwner string // of a token account
	Amount     uint64 `json:"rawAmount"`
	Frozen     bool

	Group  *Group
	Opened *Transaction
	Spent  *Transaction // nil while the account exists
}

// Queued reports whether x is in a tree of the second version.
func (x *Compressed) Queued() bool { return x.Tree == QueuedTree }

// Queue returns the queue of the tree.
func (x *Compressed) Queue() string {
	switch x.Tree {
	case StateTree:
		return "nfq1NvQDJ2GEgnS8zt9prAe8rjjpAW1zFkrvZoBR148"
	case QueuedTree:
		return "oq1na8gojfdUhsfCpyjNt6h4JaDWtHf1yQj4koBWfto"
	}
	return x.Tree
}

// perOpening is the number of compressed accounts that one transaction opens.
const perOpening = 100

// open adds the transactions that opened the accounts of a group.
func (c *Compression) open(g *Group) {
	source := Seeded(g.Of, g.Mint)
	payer := source.Address()
	for first := 0; first < len(g.accounts)+g.made.Count; first += perOpening {
		g.made.opened = append(g.made.opened, &Transaction{
			Signature: source.Signature(), Kind: "COMPRESSED_ACCOUNT", Source: "LIGHT", Fee: 5000, FeePayer: payer,
			Ago:          fiftyDays + time.Duration(first/perOpening)*time.Minute,
			Instructions: []Instruction{{Program: compressedProgram, Accounts: []string{payer}, Data: []byte{byte(first)}}},
		})
	}
	c.w.Ledger = append(c.w.Ledger, g.made.opened...)
	for i := range g.accounts {
		g.accounts[i].Opened = g.made.opened[i/perOpening]
	}
}

// Accounts returns the accounts of an owner after a cursor, which may be empty.
func (c *Compression) Accounts(owner, cursor string) iter.Seq[*Compressed] {
	return func(yield func(*Compressed) bool) {
		g := c.groups[[2]string{owner}]
		if g == nil {
			return
		}
		first, _ := g.find(cursor)
		all := g.accounts[first:]
		if g.byLeaf {
			all = Keep(c.w, "by leaf "+owner, func() []*Compressed {
				return slices.SortedStableFunc(slices.Values(g.accounts), func(a, b *Compressed) int { return cmp.Compare(a.Leaf, b.Leaf) })
			})
		}
		for _, x := range all {
			if CompareKeys(x.Hash, cursor) > 0 && x.Spent == nil && !yield(x) {
				return
			}
		}
	}
}

// all returns the accounts that were ever opened, in no order.
func (c *Compression) all() iter.Seq[*Compressed] {
	return func(yield func(*Compressed) bool) {
		for _, g := range c.groups {
			for _, x := range g.all() {
				if !yield(x) {
					return
				}
			}
		}
	}
}

// Find returns the account with a hash, nil if there is none.
func (c *Compression) Find(hash string) *Compressed {
	if x := c.FindSpent(hash); x != nil && x.Spent == nil {
		return x
	}
	return nil
}

// FindSpent is Find for accounts that may be spent.
func (c *Compression) FindSpent(hash string) *Compressed {
	for _, g := range c.groups {
		if i, found := g.find(hash); found {
			return g.accounts[i]
		}
	}
	return nil
}

// FindAddress returns the account at an address, nil if there is none.
func (c *Compression) FindAddress(address string) *Compressed {
	for x := range c.all() {
		if x.Address == address && x.Spent == nil {
			return x
		}
	}
	return nil
}

// OpenedBy returns the compressed accounts that a transaction opened.
func (c *Compression) OpenedBy(opening *Transaction) (all []*Compressed) {
	for x := range c.all() {
		if x.Opened == opening {
			all = append(all, x)
		}
	}
	return all
}

// Signatures returns the transactions that opened or spent the accounts with a key, oldest first.
func (c *Compression) Signatures(key string, of func(*Compressed) string) []*Transaction {
	all := map[*Transaction]bool{}
	for x := range c.all() {
		if of(x) == key {
			all[x.Opened], all[cmp.Or(x.Spent, x.Opened)] = true, true
		}
	}
	return InOrder(slices.Collect(maps.Keys(all)))
}

// InOrder sorts transactions as the indexer does.
func InOrder(all []*Transaction) []*Transaction {
	slices.SortFunc(all, func(a, b *Transaction) int {
		return cmp.Or(cmp.Compare(a.Slot, b.Slot), CompareKeys(a.Signature, b.Signature))
	})
	return all
}

// More keys of Tokens, beside OfOwner.
const (
	OfDelegate = "delegate "
	OfMint     = "mint "
)

// Node returns a made-up node of a tree of compressed accounts.
func Node(tree string, level int, index uint64) string {
	s := Seeded(fmt.Sprint(tree, " ", level, " ", index))
	return s.field()
}

// Path returns made-up nodes beside the way from a leaf to the root of a tree.
func Path(tree string, leaf uint64, height int) (nodes []string) {
	for level := range height {
		nodes = append(nodes, Node(tree, level, leaf>>level^1))
	}
	return nodes
}

// Root returns the root to which a path leads from the hash of a leaf. As the nodes are made
// up, it is another root for each leaf.
func Root(hash string, leaf uint64, path []string) string {
	node := [32]byte([]byte(Key(hash)))
	for level, text := range path {
		left, right := node, [32]byte([]byte(Key(text)))
		if leaf>>level&1 == 1 {
			left, right = right, left
		}
		node, _ = poseidon.Hash(left, right)
	}
	return Text32(node)
}
