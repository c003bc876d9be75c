package world

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/mr-tron/base58"

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

// The queues.
var (
	stateQueue  = "nfq1NvQDJ2GEgnS8zt9prAe8rjjpAW1zFkrvZoBR148"
	queuedQueue = "oq1na8gojfdUhsfCpyjNt6h4JaDWtHf1yQj4koBWfto"
)

// A Compression is the compressed accounts of a world.
type Compression struct {
	w      *World
	groups map[[2]string]*Group    // by owner, or by delegate and mint
	spent  map[string]*Transaction // that spent an account, by hash
}

// A Compressed is a compressed account. Empty texts and nil data are sent as null.
type Compressed struct {
	Hash, Address, DataHash string
	Data                    []byte
	Discriminator           uint64
	Owner, Tree             string
	Lamports, Leaf, Seq     uint64
	Created                 uint64 // the slot

	TokenOwner string // of a token account
	Amount     uint64
	Frozen     bool

	// Of an account that is given:
	key string       // the bytes of the hash
	by  *Transaction // that opened it
}

// Queued reports whether x is in a tree of the second version.
func (x *Compressed) Queued() bool { return x.Tree == QueuedTree }

// Queue returns the queue of the tree.
func (x *Compressed) Queue() *string {
	switch x.Tree {
	case StateTree:
		return &stateQueue
	case QueuedTree:
		return &queuedQueue
	}
	return &x.Tree
}

// perOpening is the number of compressed accounts that one transaction opens.
const perOpening = 100

// open adds the transactions that opened the accounts of a group.
func (c *Compression) open(g *Group) {
	var all []*Transaction
	source := Seeded(g.Of, g.Mint)
	payer := source.Address()
	for first := 0; first < g.set.size(); first += perOpening {
		all = append(all, &Transaction{
			Signature: source.Signature(), Kind: "COMPRESSED_ACCOUNT", Source: "LIGHT", Fee: 5000, FeePayer: payer,
			Ago:          fiftyDays + time.Duration(first/perOpening)*time.Minute,
			Instructions: []Instruction{{Program: compressedProgram, Accounts: []string{payer}, Data: []byte{byte(first)}}},
			Opened:       []*Group{g},
		})
	}
	c.w.ledger = append(c.w.ledger, all...)
	g.set.open(all)
}

// Accounts returns the accounts of an owner after a cursor, which may be empty. Each is
// written into x when its turn comes.
func (c *Compression) Accounts(owner, cursor string, x *Compressed) func(yield func() bool) {
	return func(yield func() bool) {
		g := c.groups[[2]string{owner}]
		if g == nil {
			return
		}
		first, found := g.set.find(cursor)
		if found {
			first++
		}
		for i := first; i < g.set.size(); i++ {
			g.set.fill(x, i)
			if c.spent[x.Hash] == nil && !yield() {
				return
			}
		}
	}
}

// Balance returns the lamports of all accounts of an owner.
func (c *Compression) Balance(owner string) (sum uint64) {
	var x Compressed
	for range c.Accounts(owner, "", &x) {
		sum += x.Lamports
	}
	return sum
}

// A Found is a compressed account with its transactions.
type Found struct {
	Compressed
	Group         *Group
	Opened, Spent *Transaction
}

func (c *Compression) found(g *Group, i int) *Found {
	f := &Found{Group: g, Opened: g.set.opened(i)}
	g.Fill(&f.Compressed, i)
	f.Spent = c.spent[f.Hash]
	return f
}

// Find returns the account with a hash, nil if there is none.
func (c *Compression) Find(hash string) *Found {
	return c.search(hash, false)
}

// FindSpent is Find for accounts that may be spent.
func (c *Compression) FindSpent(hash string) *Found {
	return c.search(hash, true)
}

// FindAddress returns the account at an address, nil if there is none.
func (c *Compression) FindAddress(address string) *Found {
	for _, f := range c.at(address) {
		if f.Spent == nil {
			return f
		}
	}
	return nil
}

// at returns the accounts that were ever at an address.
func (c *Compression) at(address string) (all []*Found) {
	for _, g := range c.groups {
		for _, i := range g.set.at(address) {
			all = append(all, c.found(g, i))
		}
	}
	return all
}

func (c *Compression) search(hash string, spent bool) *Found {
	for _, g := range c.groups {
		if i, found := g.set.find(hash); found {
			if f := c.found(g, i); spent || f.Spent == nil {
				return f
			}
		}
	}
	return nil
}

// OpenedBy returns the compressed accounts that a transaction opened.
func (c *Compression) OpenedBy(x *Transaction) (all []*Found) {
	for _, g := range x.Opened {
		for i := range g.set.size() {
			if g.set.opened(i) == x {
				all = append(all, c.found(g, i))
			}
		}
	}
	return all
}

// Signatures returns the transactions that opened or spent accounts of an owner, oldest first.
func (c *Compression) Signatures(owner string) []*Transaction {
	g := c.groups[[2]string{owner}]
	return c.changing(func(x *Transaction) bool {
		return slices.Contains(x.Opened, g) || slices.ContainsFunc(x.Closed, func(f *Found) bool { return f.Group == g })
	})
}

// AddressSignatures returns the transactions that opened or spent the account at an address.
func (c *Compression) AddressSignatures(address string) []*Transaction {
	all := map[*Transaction]bool{}
	for _, f := range c.at(address) {
		all[f.Opened] = true
		if f.Spent != nil {
			all[f.Spent] = true
		}
	}
	return inOrder(slices.Collect(maps.Keys(all)))
}

// TokenSignatures returns the transactions that opened the token accounts of an owner.
func (c *Compression) TokenSignatures(owner string) []*Transaction {
	all := map[*Transaction]bool{}
	for _, r := range c.Tokens(OfOwner + owner) {
		all[r.set.opened(r.I)] = true
	}
	return inOrder(slices.Collect(maps.Keys(all)))
}

func inOrder(all []*Transaction) []*Transaction {
	slices.SortFunc(all, func(a, b *Transaction) int {
		if a.Slot != b.Slot {
			return cmp.Compare(a.Slot, b.Slot)
		}
		return cmp.Compare(Key(a.Signature), Key(b.Signature))
	})
	return all
}

// All returns the transactions that opened compressed accounts, oldest first.
func (c *Compression) All() []*Transaction {
	return c.changing(func(x *Transaction) bool { return len(x.Opened) > 0 })
}

// Latest returns all transactions of the world, oldest first.
func (c *Compression) Latest() []*Transaction {
	return c.changing(func(*Transaction) bool { return true })
}

// changing returns the transactions that f selects, oldest first.
func (c *Compression) changing(f func(*Transaction) bool) []*Transaction {
	return inOrder(slices.DeleteFunc(slices.Clone(c.w.ledger), func(x *Transaction) bool { return !f(x) }))
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
	node := bytes32(hash)
	for level, text := range path {
		left, right := node, bytes32(text)
		if leaf>>level&1 == 1 {
			left, right = right, left
		}
		node, _ = poseidon.Hash(left, right)
	}
	return Text32(node)
}

func bytes32(text string) (b [32]byte) {
	decoded, _ := base58.Decode(text) // the hashes of a world are base58 of 32 bytes
	copy(b[:], decoded)
	return b
}
