package world

import (
	"cmp"
	"encoding/binary"
	"slices"
	"sort"
)

// A set is compressed accounts in the order of their hashes.
type set interface {
	size() int
	fill(x *Compressed, i int)
	find(hash string) (i int, found bool) // the hash, or the place of it
	at(address string) []int              // also spent ones
	open(txs []*Transaction)              // each opened some, in their order
	opened(i int) *Transaction
}

// generated are compressed accounts, made from their numbers, which are in the order of the
// hashes and of the addresses.
type generated struct {
	seed   Seed
	owner  string
	count  int
	v2     bool // in a tree of the second version
	tokens bool
	first  int // the number of its first leaf
	txs    []*Transaction
}

func (g *generated) size() int                 { return g.count }
func (g *generated) open(txs []*Transaction)   { g.txs = txs }
func (g *generated) opened(i int) *Transaction { return g.txs[i/perOpening] }

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

func (g *generated) at(address string) []int {
	if i, found := g.search(address, g.addresses()); found && g.hasAddress(i) {
		return []int{i}
	}
	return nil
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
	if g.v2 {
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
type given struct{ accounts []Compressed }

// open sorts the accounts, and says who opened them.
func (g *given) open(txs []*Transaction) {
	g.settle()
	for i := range g.accounts {
		g.accounts[i].by = txs[i/perOpening]
	}
}

// settle sorts the accounts.
func (g *given) settle() {
	for i := range g.accounts {
		if g.accounts[i].key == "" {
			g.accounts[i].key = Key(g.accounts[i].Hash)
		}
	}
	slices.SortFunc(g.accounts, func(a, b Compressed) int { return cmp.Compare(a.key, b.key) })
}

func (g *given) find(hash string) (int, bool) {
	return slices.BinarySearchFunc(g.accounts, Key(hash), func(a Compressed, key string) int { return cmp.Compare(a.key, key) })
}

func (g *given) size() int                 { return len(g.accounts) }
func (g *given) opened(i int) *Transaction { return g.accounts[i].by }
func (g *given) fill(x *Compressed, i int) {
	*x = g.accounts[i]
	if x.by != nil {
		x.Created = x.by.Slot
	}
}

func (g *given) at(address string) (all []int) {
	for i, x := range g.accounts {
		if address != "" && x.Address == address {
			all = append(all, i)
		}
	}
	return all
}
