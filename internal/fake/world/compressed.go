package world

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/solwire/solwire-go/types"
)

// The state trees of the two versions on mainnet, and the address trees.
// In a tree of the second version, accounts are queued first and have no sequence number.
const (
	StateTree     = "smt1NamzXdq4AMqS2fS2F1i5KTYPZRhoHgWx38d8WsT"
	QueuedTree    = "bmt1LryLZUMmF7ZtqESaw7wifBXLfXHQYoE4GAmrahU"
	AddressTree   = "amt1Ayt45jfbdw5YSo7iz6WZxUmnZsQTYXy82hVwyC2"
	AddressTreeV2 = "amt2kaJA14v3urZbZvnc5v2np8jqvc4Z8zDep5wbtzx"
)

// The queues.
var (
	stateQueue  = "nfq1NvQDJ2GEgnS8zt9prAe8rjjpAW1zFkrvZoBR148"
	queuedQueue = "oq1na8gojfdUhsfCpyjNt6h4JaDWtHf1yQj4koBWfto"
)

// An Order is the order in which accounts by owner are listed, and what cursors mean in it. A
// cursor is always the hash of the last account of a page.
type Order int

const (
	// ByHash sorts by hash, and a cursor means the accounts with higher hashes.
	ByHash Order = iota

	// ByLeaf sorts by leaf index, and a cursor means the accounts with higher hashes, so
	// that following cursors skips and repeats accounts. The published indexer does so
	// (Photon 0.51).
	ByLeaf

	// ByPlace sorts by leaf index, and a cursor means the accounts after it.
	ByPlace
)

// A Compression is the compressed accounts of a world.
type Compression struct {
	Order Order

	w      *World
	owners map[string]set
	tokens []*Group
	sums   map[string]uint64     // lamports by owner, as far as they were asked for
	owned  map[string][]TokenRef // compressed token accounts by what they have in common; nil until they are asked for
}

func newCompression(w *World) *Compression {
	return &Compression{w: w, owners: map[string]set{}, sums: map[string]uint64{}}
}

// A set is compressed accounts in the order of their hashes.
type set interface {
	size() int
	fill(x *Compressed, i int)
	find(hash string) (i int, found bool) // the hash, or the place of it
	findAddress(address string) (i int, found bool)
	open(txs []*Transaction) // each opened some, in their order
	opened(i int) *Transaction
	spend(i int, x *Transaction)
	spent(i int) *Transaction // that spent it, nil for none
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

	by, end *Transaction // that opened and that spent an account that is given
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

// Opened is a set of which a transaction opened compressed accounts.
type Opened struct {
	set   set
	group *Group
}

// perOpening is the number of compressed accounts that one transaction opens.
const perOpening = 100

// open adds the transactions that opened the accounts of a set.
func (c *Compression) open(s set, g *Group, name string) {
	var all []*Transaction
	source := Seeded(name)
	payer := source.Address()
	for first := 0; first < s.size(); first += perOpening {
		all = append(all, &Transaction{
			Signature: source.Signature(), Kind: "COMPRESSED_ACCOUNT", Source: "LIGHT", Fee: 5000, FeePayer: payer,
			Ago:          fiftyDays + time.Duration(first/perOpening)*time.Minute,
			Instructions: []Instruction{{Program: string(types.CompressedTokenProgram), Accounts: []string{payer}, Data: []byte{byte(first)}}},
			Opened:       []Opened{{s, g}},
		})
	}
	c.w.ledger = append(c.w.ledger, all...)
	s.open(all)
}

// generated are compressed accounts, made from their numbers, which are in the order of the
// hashes and of the addresses.
type generated struct {
	seed   Seed
	owner  string
	count  int
	v2     int // every v2-th account is in a tree of the second version; 0 means none
	tokens bool
	first  int // the number of its first leaf
	txs    []*Transaction
	ends   map[int]*Transaction // that spent accounts
}

func (g *generated) size() int                 { return g.count }
func (g *generated) open(txs []*Transaction)   { g.txs = txs }
func (g *generated) opened(i int) *Transaction { return g.txs[i/perOpening] }
func (g *generated) spent(i int) *Transaction  { return g.ends[i] }

func (g *generated) spend(i int, x *Transaction) {
	if g.ends == nil {
		g.ends = map[int]*Transaction{}
	}
	g.ends[i] = x
}

// spread appends field element i of a kind. The range of the first six letters is divided into
// one part per account, and the element lies at a random place in the i-th part: they are sorted
// without computing them all.
func (g *generated) spread(b []byte, kind Seed, i int) []byte {
	const tail = 58 * 58 * 58 * 58 * 58
	s := kind.Item(i)
	part := fieldLetters * tail / uint64(g.count)
	n := uint64(i)*part + s.Next()%part
	b = append(b, alphabet[1+n/tail])
	for scale := uint64(tail / 58); scale > 0; scale /= 58 {
		b = append(b, alphabet[n/scale%58])
	}
	return s.letters(b, 38)
}

// addresses is the kind of the addresses; the kind of the hashes is seed.
func (g *generated) addresses() Seed { return g.seed + 1_000_000 }

func (g *generated) find(hash string) (int, bool) { return g.search(hash, g.seed) }

func (g *generated) findAddress(address string) (int, bool) {
	i, found := g.search(address, g.addresses())
	return i, found && g.hasAddress(i)
}

func (g *generated) hasAddress(i int) bool { return i%10 != 3 && !g.tokens }

func (g *generated) search(text string, kind Seed) (int, bool) {
	if len(text) != 44 { // a shorter one is smaller than all
		return 0, false
	}
	at := func(i int) string { return string(g.spread(nil, kind, i)) }
	i := sort.Search(g.count, func(i int) bool { return at(i) >= text })
	return i, i < g.count && at(i) == text
}

// maxGenerated is the largest number of generated accounts of a set, and the number of leaves that
// are reserved for each set. The leaves of other accounts follow the sets.
const (
	maxGenerated = 1_000_000
	firstGiven   = 60 * maxGenerated
)

// leafIndex permutes the numbers below 2^26: no two accounts share a leaf.
func leafIndex(i int) uint32 {
	const bits = 1<<26 - 1
	x := uint32(i)
	x = (x ^ x>>13) * 0x2c1b3c6d & bits
	x = (x ^ x>>12) * 0x297a2d39 & bits
	return x ^ x>>14
}

// fill makes x account i.
func (g *generated) fill(x *Compressed, i int) {
	s := (g.seed + 1).Item(i)
	var letters [3 * 44]byte // in one string, which costs one allocation
	b := g.spread(g.spread(letters[:0], g.seed, i), g.addresses(), i)
	if i%10 != 3 {
		s.text(b, fieldLetters, 44)
	}
	text := string(s.text(b, fieldLetters, 44))
	x.Hash, x.Address, x.DataHash = text[:44], text[44:88], text[88:]
	if !g.hasAddress(i) {
		x.Address = ""
	}
	x.Owner, x.Tree = g.owner, StateTree
	x.Lamports = s.Next() >> (20 + s.Below(44)) // up to 2^44, most of them small
	s.Next()
	x.Leaf, x.Seq = uint64(leafIndex(g.first+i)), 1+s.Next()>>32
	x.Created = g.opened(i).Slot
	if g.v2 > 0 && i%g.v2 == g.v2/2 {
		x.Tree, x.Seq = QueuedTree, 0
	} else if i%97 == 13 && i < 97_000 {
		x.Lamports = 1<<53 + uint64(i) // beyond the integers of a float
	}
	if g.tokens {
		g.fillToken(x, i)
		return
	}
	if i%50 == 7 {
		x.Data = nil
		return
	}
	x.Data = slices.Grow(x.Data[:0], 300)[:50+s.Below(251)]
	s.Bytes(x.Data)
	x.Data[0] &= 3
	x.Discriminator = [...]uint64{0x8f3c_19d2_4be7_60a5, 0x21a7_5e90_c4d8_3b16, 0xd60b_7f41_92ac_e835, 1<<64 - 1}[x.Data[0]] // above 2^53
	binary.LittleEndian.PutUint64(x.Data[1:], uint64(i))
}

// fillToken makes x token account i, without its data.
func (g *generated) fillToken(x *Compressed, i int) {
	s := (g.seed + 50).Item(i)
	x.Lamports = 0
	x.Amount = s.Next() >> (20 + s.Below(44))
	if i%30 == 4 {
		x.Amount = 1<<53 + uint64(i)
	}
	x.Frozen = i%12 == 7
	owner := Seed(7).Item(s.Below(40)) // one of forty wallets
	x.TokenOwner = owner.Address()
	x.Discriminator = tokenDiscriminator(x.Queued(), i)
}

// tokenDiscriminator returns the one of token accounts, of which trees of the first version
// have one.
func tokenDiscriminator(queued bool, i int) uint64 {
	if !queued {
		return 2
	}
	return [...]uint64{216172782113783808, 288230376151711744}[i%2]
}

// given are compressed accounts one by one.
type given struct {
	accounts []Compressed
	keys     []string // the bytes of the hashes
}

// open sorts the accounts, and says who opened them.
func (g *given) open(txs []*Transaction) {
	g.settle()
	for i := range g.accounts {
		g.accounts[i].by = txs[i/perOpening]
	}
}

// settle sorts the accounts.
func (g *given) settle() {
	slices.SortFunc(g.accounts, func(a, b Compressed) int { return cmp.Compare(Key(a.Hash), Key(b.Hash)) })
	g.keys = g.keys[:0]
	for i := range g.accounts {
		g.keys = append(g.keys, Key(g.accounts[i].Hash))
	}
}

func (g *given) size() int                    { return len(g.accounts) }
func (g *given) opened(i int) *Transaction    { return g.accounts[i].by }
func (g *given) spent(i int) *Transaction     { return g.accounts[i].end }
func (g *given) spend(i int, x *Transaction)  { g.accounts[i].end = x }
func (g *given) find(hash string) (int, bool) { return slices.BinarySearch(g.keys, Key(hash)) }
func (g *given) fill(x *Compressed, i int) {
	*x = g.accounts[i]
	if x.by != nil {
		x.Created = x.by.Slot
	}
}

func (g *given) findAddress(address string) (int, bool) {
	i := slices.IndexFunc(g.accounts, func(x Compressed) bool { return address != "" && x.Address == address })
	return i, i >= 0
}

// Accounts returns the accounts of an owner after a cursor, which may be empty. Each is
// written into x when its turn comes.
func (c *Compression) Accounts(owner, cursor string, x *Compressed) iter.Seq[int] {
	return func(yield func(int) bool) {
		s := c.owners[owner]
		if s == nil {
			return
		}
		least, found := s.find(cursor)
		if found {
			least++
		}
		first, place := least, func(n int) int { return n }
		if c.Order != ByHash {
			sorted := c.leaves(owner, s)
			first, place = 0, func(n int) int { return sorted[n] }
			if c.Order == ByPlace {
				if found {
					first = 1 + slices.Index(sorted, least-1)
				}
				least = 0
			}
		}
		for n := first; n < s.size(); n++ {
			i := place(n)
			if i < least || s.spent(i) != nil {
				continue
			}
			s.fill(x, i)
			if !yield(i) {
				return
			}
		}
	}
}

// leaves returns the places of the accounts of an owner in the order of their leaf indexes.
func (c *Compression) leaves(owner string, s set) []int {
	return c.w.places.of("leaves "+owner, func() []int {
		sorted, index := make([]int, s.size()), make([]uint64, s.size())
		var x Compressed
		for i := range index {
			s.fill(&x, i)
			sorted[i], index[i] = i, x.Leaf
		}
		slices.SortStableFunc(sorted, func(a, b int) int { return cmp.Compare(index[a], index[b]) })
		return sorted
	})
}

// Balance returns the lamports of all accounts of an owner.
func (c *Compression) Balance(owner string) uint64 {
	s := c.owners[owner]
	if s == nil {
		return 0
	}
	sum, known := c.sums[owner]
	if !known {
		var x Compressed
		for i := range s.size() {
			s.fill(&x, i)
			if s.spent(i) == nil {
				sum += x.Lamports
			}
		}
		c.sums[owner] = sum
	}
	return sum
}

// A Found is a compressed account with what is known of it.
type Found struct {
	Compressed
	Group         *Group // of a token account
	I             int    // its place in the set
	Opened, Spent *Transaction
	set           set
}

func find(s set, g *Group, i int) *Found {
	f := &Found{Group: g, I: i, Opened: s.opened(i), Spent: s.spent(i), set: s}
	if g != nil {
		g.Fill(&f.Compressed, i)
	} else {
		s.fill(&f.Compressed, i)
	}
	return f
}

// Find returns the account with a hash, nil if there is none.
func (c *Compression) Find(hash string) *Found {
	return c.search(false, func(s set) (int, bool) { return s.find(hash) })
}

// FindSpent is Find for accounts that may be spent.
func (c *Compression) FindSpent(hash string) *Found {
	return c.search(true, func(s set) (int, bool) { return s.find(hash) })
}

// FindAddress returns the account at an address, nil if there is none.
func (c *Compression) FindAddress(address string) *Found {
	return c.search(false, func(s set) (int, bool) { return s.findAddress(address) })
}

func (c *Compression) search(spent bool, in func(set) (int, bool)) *Found {
	for _, s := range c.owners {
		if i, found := in(s); found && (spent || s.spent(i) == nil) {
			return find(s, nil, i)
		}
	}
	for _, g := range c.tokens {
		if i, found := in(g.set); found && (spent || g.set.spent(i) == nil) {
			return find(g.set, g, i)
		}
	}
	return nil
}

// OpenedBy returns the compressed accounts that a transaction opened.
func (c *Compression) OpenedBy(x *Transaction) []*Found {
	var all []*Found
	seen := map[set]bool{}
	for _, o := range x.Opened {
		for i := range o.set.size() {
			if !seen[o.set] && o.set.opened(i) == x {
				all = append(all, find(o.set, o.group, i))
			}
		}
		seen[o.set] = true
	}
	return all
}

// Signatures returns the transactions that opened or spent accounts of an owner, oldest first.
func (c *Compression) Signatures(owner string) []*Transaction {
	return c.w.transactions.of("owner "+owner, func() []*Transaction {
		s := c.owners[owner]
		return c.changing(func(x *Transaction) bool {
			return slices.ContainsFunc(x.Opened, func(o Opened) bool { return o.set == s }) || slices.ContainsFunc(x.Closed, func(f *Found) bool { return f.set == s })
		})
	})
}

// TokenSignatures returns the transactions that opened the token accounts of an owner.
func (c *Compression) TokenSignatures(owner string) []*Transaction {
	return c.w.transactions.of("token owner "+owner, func() []*Transaction {
		all := map[*Transaction]bool{}
		for _, r := range c.Tokens(OfOwner + owner) {
			all[r.set.opened(r.I)] = true
		}
		return inOrder(slices.Collect(maps.Keys(all)))
	})
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
	return c.w.transactions.of("compressed", func() []*Transaction {
		return c.changing(func(x *Transaction) bool { return len(x.Opened) > 0 })
	})
}

// Latest returns all transactions of the world, oldest first.
func (c *Compression) Latest() []*Transaction {
	return c.w.transactions.of("all", func() []*Transaction { return c.changing(func(*Transaction) bool { return true }) })
}

// changing returns the transactions that f selects, oldest first.
func (c *Compression) changing(f func(*Transaction) bool) []*Transaction {
	return inOrder(slices.DeleteFunc(slices.Clone(c.w.ledger), func(x *Transaction) bool { return !f(x) }))
}

// A Group is the compressed token accounts of one mint from which a delegate may spend, or
// which have none.
type Group struct {
	Token    *Token
	Delegate string // may be empty
	set      set
	hostile  bool // some have extension data

	mint string // its bytes
}

// Fill makes x token account i of the group.
func (g *Group) Fill(x *Compressed, i int) {
	g.set.fill(x, i)
	x.Data = g.data(x, g.Extensions(i))
}

// Extensions returns the extension data of account i.
func (g *Group) Extensions(i int) []byte {
	if g.hostile && i%20 == 9 {
		return []byte{1, 0, 0, 0, 0}
	}
	return nil
}

// data returns the data of a token account as its program stores it.
func (g *Group) data(x *Compressed, extensions []byte) []byte {
	b := make([]byte, 0, 120)
	b = append(append(b, g.mint...), Key(x.TokenOwner)...)
	b = binary.LittleEndian.AppendUint64(b, x.Amount)
	if g.Delegate == "" {
		b = append(b, 0)
	} else {
		b = append(append(b, 1), Key(g.Delegate)...)
	}
	state := byte(0)
	if x.Frozen {
		state = 1
	}
	b = append(b, state)
	if extensions == nil {
		return append(b, 0)
	}
	b = binary.LittleEndian.AppendUint32(append(b, 1), uint32(len(extensions)))
	return append(b, extensions...)
}

// A TokenRef is compressed token account I of a group.
type TokenRef struct {
	*Group
	I      int
	Amount uint64
	Place  string // in listings: the bytes of the mint and of the hash
}

// OfDelegate is a key of Tokens; another one is OfOwner.
const OfDelegate = "delegate "

// Tokens returns the token accounts that have a key in common, such as OfOwner and an address,
// in the order of their mints and hashes.
func (c *Compression) Tokens(key string) []TokenRef {
	if c.owned == nil {
		c.owned = map[string][]TokenRef{}
		var x Compressed
		for _, g := range c.tokens {
			for i := range g.set.size() {
				if g.set.spent(i) != nil {
					continue
				}
				g.set.fill(&x, i)
				r := TokenRef{g, i, x.Amount, g.mint + Key(x.Hash)}
				for _, key := range []string{OfOwner + x.TokenOwner, OfDelegate + g.Delegate} {
					c.owned[key] = append(c.owned[key], r)
				}
			}
		}
		for _, refs := range c.owned {
			slices.SortFunc(refs, func(a, b TokenRef) int { return strings.Compare(a.Place, b.Place) })
		}
	}
	return c.owned[key]
}

// BalancesOf returns what an owner has of each mint, in the order of the mints.
func (c *Compression) BalancesOf(owner string) (mints []string, raw map[string]uint64) {
	raw = map[string]uint64{}
	for _, r := range c.Tokens(OfOwner + owner) {
		if _, known := raw[r.Token.Mint]; !known {
			mints = append(mints, r.Token.Mint)
		}
		raw[r.Token.Mint] += r.Amount
	}
	return mints, raw
}

// A Holder is what an owner has of a mint.
type Holder struct {
	Owner  string
	Key    string // its bytes
	Amount uint64
}

// Holders returns the owners of a mint, the largest first.
func (c *Compression) Holders(mint string) []Holder {
	return c.w.holders.of(mint, func() []Holder {
		var all []Holder
		var x Compressed
		amounts := map[string]uint64{}
		for _, g := range c.tokens {
			for i := range g.set.size() {
				if g.Token.Mint == mint && g.set.spent(i) == nil {
					g.set.fill(&x, i)
					amounts[x.TokenOwner] += x.Amount
				}
			}
		}
		for owner, amount := range amounts {
			all = append(all, Holder{owner, Key(owner), amount})
		}
		slices.SortFunc(all, func(a, b Holder) int { return cmp.Or(cmp.Compare(b.Amount, a.Amount), cmp.Compare(b.Key, a.Key)) })
		return all
	})
}

// Node returns a node of a tree of compressed accounts. The nodes are made up from their
// places, so that the proofs of a tree share them; they cannot be verified.
func Node(tree string, level int, index uint64) string {
	s := Seeded(fmt.Sprint(tree, " ", level, " ", index))
	return s.field()
}

// Proof returns the nodes beside the way from a leaf to the root of a tree.
func Proof(tree string, leaf uint64, height int) (nodes []string, root string) {
	for level := range height {
		nodes = append(nodes, Node(tree, level, leaf>>level^1))
	}
	return nodes, Node(tree, height, 0)
}
