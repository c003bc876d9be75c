package fake

import (
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"iter"
	"slices"
	"sort"
	"strconv"
	"sync"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/types"
)

const (
	// Owner owns the compressed accounts. The data of each begins with a byte
	// from 0 to 3, which is its kind, and with its number, a little-endian
	// uint64: something to filter by.
	Owner = "BtJ5rdXcZs8hVqK2nTyWfMgPe7UDAoLx3Ri9GQk6uHSv"

	// Delegate may spend from token accounts, compressed ones and others.
	Delegate = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"
)

// Trees of the two versions. In one of the second, an account waits in a queue
// at first and has no sequence number.
const (
	stateTree  = "smt1NamzXdq4AMqS2fS2F1i5KTYPZRhoHgWx38d8WsT"
	queuedTree = "bmt1LryLZUMmF7ZtqESaw7wifBXLfXHQYoE4GAmrahU"
)

// accounts are compressed accounts, made from their numbers. They are in the
// order of their hashes.
type accounts struct {
	seed  seed
	count int

	once   sync.Once
	leaves []int // the numbers in the order of their leaf indexes
}

// hash appends the hash of account i. Its first six letters divide the range
// of all hashes into as many equal parts as there are accounts, and lie
// somewhere within the i-th: the list is sorted, and no hash tells its place.
func (a *accounts) hash(b []byte, i int) []byte {
	const tail = 58 * 58 * 58 * 58 * 58
	s := a.seed.item(i)
	part := 16 * tail / uint64(a.count)
	n := uint64(i)*part + s.next()%part
	b = append(b, alphabet[1+n/tail])
	for scale := uint64(tail / 58); scale > 0; scale /= 58 {
		b = append(b, alphabet[n/scale%58])
	}
	return s.letters(b, 38)
}

// after returns the numbers of the accounts whose hash is above a cursor,
// which is base58 of 32 bytes or empty.
func (a *accounts) after(cursor string, byLeaf bool) iter.Seq[int] {
	first := 0
	if len(cursor) == 44 { // a shorter one stands for a smaller number than any of ours
		first = sort.Search(a.count, func(i int) bool { return string(a.hash(nil, i)) > cursor })
	}
	return func(yield func(int) bool) {
		if byLeaf {
			for _, i := range a.byLeaf() {
				if i >= first && !yield(i) {
					return
				}
			}
			return
		}
		for i := first; i < a.count; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

func (a *accounts) byLeaf() []int {
	a.once.Do(func() {
		a.leaves = make([]int, a.count)
		for i := range a.leaves {
			a.leaves[i] = i
		}
		slices.SortFunc(a.leaves, func(i, j int) int { return cmp.Compare(leafIndex(i), leafIndex(j)) })
	})
	return a.leaves
}

// leafIndex shuffles the 26 bits of a number: no two accounts share a leaf.
func leafIndex(i int) uint32 {
	const bits = 1<<26 - 1
	x := uint32(i)
	x = (x ^ x>>13) * 0x2c1b3c6d & bits
	x = (x ^ x>>12) * 0x297a2d39 & bits
	return x ^ x>>14
}

// An account is a compressed one. Texts that are empty and data that is nil
// are null.
type account struct {
	hash, address, dataHash []byte
	data                    []byte
	discriminator           uint64
	owner, tree             string
	lamports, leaf          uint64
	seq, created            uint64
}

// fill makes x account i of Owner.
func (a *accounts) fill(x *account, i int) {
	s := (a.seed + 1).item(i)
	x.hash = a.hash(x.hash[:0], i)
	x.address = x.address[:0]
	if i%10 != 3 {
		x.address = s.address(x.address)
	}
	x.dataHash = s.address(x.dataHash[:0])
	x.discriminator = s.next()
	x.owner, x.tree = Owner, stateTree
	x.lamports = s.next() >> (20 + s.below(44)) // up to 2^44, most of them small
	x.leaf = uint64(leafIndex(i))
	x.created = 300_000_000 + s.next()%40_000_000
	x.seq = 1 + s.next()>>32
	switch {
	case i%25 == 11:
		x.tree, x.seq = queuedTree, 0
	case i%40 == 5:
		x.discriminator = 1<<64 - 1
	case i%97 == 13:
		x.lamports = 1<<64 - 1
	}
	if i%50 == 7 {
		x.data = nil
		return
	}
	size := 50 + s.below(251)
	x.data = slices.Grow(x.data[:0], 300)[:size]
	s.bytes(x.data)
	x.data[0] &= 3
	binary.LittleEndian.PutUint64(x.data[1:], uint64(i))
}

// append adds x as JSON.
func (x *account) append(b []byte) []byte {
	b = append(b, `{"hash":`...)
	b = appendText(b, x.hash)
	b = append(b, `,"address":`...)
	b = appendText(b, x.address)
	b = append(b, `,"data":`...)
	if x.data == nil {
		b = append(b, "null"...)
	} else {
		b = append(b, `{"discriminator":`...)
		b = strconv.AppendUint(b, x.discriminator, 10)
		b = append(b, `,"data":"`...)
		b = base64.StdEncoding.AppendEncode(b, x.data)
		b = append(b, `","dataHash":`...)
		b = appendText(b, x.dataHash)
		b = append(b, '}')
	}
	b = append(b, `,"owner":"`...)
	b = append(b, x.owner...)
	b = append(b, `","lamports":`...)
	b = strconv.AppendUint(b, x.lamports, 10)
	b = append(b, `,"tree":"`...)
	b = append(b, x.tree...)
	b = append(b, `","leafIndex":`...)
	b = strconv.AppendUint(b, x.leaf, 10)
	b = append(b, `,"seq":`...)
	if x.tree == queuedTree {
		b = append(b, "null"...)
	} else {
		b = strconv.AppendUint(b, x.seq, 10)
	}
	b = append(b, `,"slotCreated":`...)
	b = strconv.AppendUint(b, x.created, 10)
	return append(b, '}')
}

// appendText adds a text that needs no escaping; null if it is empty.
func appendText(b, text []byte) []byte {
	if len(text) == 0 {
		return append(b, "null"...)
	}
	b = append(b, '"')
	b = append(b, text...)
	return append(b, '"')
}

// A group is the compressed token accounts of one mint that Delegate may
// spend from.
type group struct {
	mint      string
	mintBytes string
	accounts  *accounts
}

// delegated returns the groups in the order of their mints.
var delegated = sync.OnceValue(func() []group {
	var groups []group
	for i, t := range wellKnown()[1:6] {
		mint, _ := base58.Decode(t.mint)
		groups = append(groups, group{t.mint, string(mint), &accounts{seed: seed(20 + 2*i), count: 100 + 200*i}})
	}
	slices.SortFunc(groups, func(a, b group) int { return cmp.Compare(a.mintBytes, b.mintBytes) })
	return groups
})

// fill makes x token account i of the group.
func (g group) fill(x *account, i int) {
	g.accounts.fill(x, i)
	x.owner = string(types.CompressedTokenProgram)
	x.address = x.address[:0]
	x.lamports = 0
	x.discriminator = [...]uint64{2, 216172782113783808, 288230376151711744}[i%3] // of the three versions
	if x.data == nil {
		x.data = make([]byte, 107)
	}
	x.data = x.data[:min(len(x.data), 107)]
}

// append adds x and what it holds as JSON.
func (g group) append(b []byte, x *account, i int) []byte {
	s := (g.accounts.seed + 50).item(i)
	amount := s.next() >> s.below(64)
	if i%30 == 4 {
		amount = 1<<64 - 1
	}
	state := "initialized"
	if i%12 == 7 {
		state = "frozen"
	}
	holder := seed(7).item(s.below(40)) // forty wallets hold them all
	b = append(b, `{"account":`...)
	b = x.append(b)
	b = append(b, `,"tokenData":{"mint":"`...)
	b = append(b, g.mint...)
	b = append(b, `","owner":"`...)
	b = holder.address(b)
	b = append(b, `","amount":`...)
	b = strconv.AppendUint(b, amount, 10)
	b = append(b, `,"delegate":"`...)
	b = append(b, Delegate...)
	b = append(b, `","state":"`...)
	b = append(b, state...)
	b = append(b, `","tlv":`...)
	if i%20 == 9 {
		b = append(b, `"AQAAAAA="`...)
	} else {
		b = append(b, "null"...)
	}
	return append(b, `}}`...)
}
