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
	// Owner owns many compressed accounts. The data of each begins with its kind, a
	// byte from 0 to 3, and its number, a little-endian uint64, to filter by. All
	// are in a tree of the first version.
	Owner = "BtJ5rdXcZs8hVqK2nTyWfMgPe7UDAoLx3Ri9GQk6uHSv"

	// V2Delegate may spend from compressed token accounts in trees of the second
	// version.
	V2Delegate = "6dNUGMqZQc8wM2yo3VNH4HgjwFr8MkRTfLKVmAbYRvSB"

	// Program owns a few compressed accounts with data of one layout, counters: an
	// authority of 32 bytes and a count, a little-endian uint64. Some are in a tree
	// of the second version.
	Program = "3ouNtErK8QZ6bqFyyTz2NsXGkEvCJ1TVy4SdBLpFW9hR"

	// Delegate may spend from token accounts, compressed and uncompressed.
	Delegate = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"
)

// The state trees of the two versions on mainnet, with their queues. In a tree of
// the second version, accounts are queued first and have no sequence number.
const (
	stateTree   = "smt1NamzXdq4AMqS2fS2F1i5KTYPZRhoHgWx38d8WsT"
	stateQueue  = "nfq1NvQDJ2GEgnS8zt9prAe8rjjpAW1zFkrvZoBR148"
	queuedTree  = "bmt1LryLZUMmF7ZtqESaw7wifBXLfXHQYoE4GAmrahU"
	queuedQueue = "oq1na8gojfdUhsfCpyjNt6h4JaDWtHf1yQj4koBWfto"
)

// accounts are compressed accounts, generated from their numbers. The numbers
// are in the order of the hashes.
type accounts struct {
	seed  seed
	owner string
	count int
	v2    int // every v2-th account is in a tree of the second version; 0 means none

	once   sync.Once
	leaves []int // the numbers in the order of their leaf indexes
}

// hash appends the hash of account i, a field element. The range of the first six
// letters is divided into one part per account, and the hash lies at a random place
// in the i-th part: hashes are sorted without computing them all.
func (a *accounts) hash(b []byte, i int) []byte {
	const tail = 58 * 58 * 58 * 58 * 58
	s := a.seed.item(i)
	part := fieldLetters * tail / uint64(a.count)
	n := uint64(i)*part + s.next()%part
	b = append(b, alphabet[1+n/tail])
	for scale := uint64(tail / 58); scale > 0; scale /= 58 {
		b = append(b, alphabet[n/scale%58])
	}
	return s.letters(b, 38)
}

// after returns the numbers of the accounts whose hash is above a cursor, which
// is base58 of 32 bytes, or empty for all.
func (a *accounts) after(cursor string, byLeaf bool) iter.Seq[int] {
	first := 0
	if len(cursor) == 44 { // a shorter one is smaller than every hash
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

// leafIndex permutes the numbers below 2^26: no two accounts share a leaf.
func leafIndex(i int) uint32 {
	const bits = 1<<26 - 1
	x := uint32(i)
	x = (x ^ x>>13) * 0x2c1b3c6d & bits
	x = (x ^ x>>12) * 0x297a2d39 & bits
	return x ^ x>>14
}

// An account is a compressed account. Empty texts and nil data are sent as null.
type account struct {
	hash, address, dataHash []byte
	data                    []byte
	discriminator           uint64
	owner, tree             string
	lamports, leaf          uint64
	seq, created            uint64

	tokenOwner string // of a token account that is given
	amount     uint64
	frozen     bool
}

// fill makes x account i of Owner.
func (a *accounts) fill(x *account, i int) {
	s := (a.seed + 1).item(i)
	x.hash = a.hash(x.hash[:0], i)
	x.address = x.address[:0]
	if i%10 != 3 {
		x.address = s.field(x.address)
	}
	x.dataHash = s.field(x.dataHash[:0])
	x.owner, x.tree = a.owner, stateTree
	x.lamports = s.next() >> (20 + s.below(44)) // up to 2^44, most of them small
	x.leaf = uint64(leafIndex(i))
	x.created = 300_000_000 + s.next()%40_000_000
	x.seq = 1 + s.next()>>32
	switch {
	case a.v2 > 0 && i%a.v2 == a.v2/2:
		x.tree, x.seq = queuedTree, 0
	case i%97 == 13:
		x.lamports = 1<<64 - 1
	}
	if i%50 == 7 && a.owner != Program {
		x.data = nil
		return
	}
	size := 50 + s.below(251)
	if a.owner == Program {
		size = 40
	}
	x.data = slices.Grow(x.data[:0], 300)[:size]
	s.bytes(x.data)
	if a.owner == Program {
		x.discriminator = discriminator(0)
		binary.LittleEndian.PutUint64(x.data[32:], uint64(i))
		return
	}
	x.data[0] &= 3
	x.discriminator = discriminator(x.data[0])
	binary.LittleEndian.PutUint64(x.data[1:], uint64(i))
}

// discriminator returns that of a kind of data. All are above 2^53.
func discriminator(kind byte) uint64 {
	return [...]uint64{0x8f3c_19d2_4be7_60a5, 0x21a7_5e90_c4d8_3b16, 0xd60b_7f41_92ac_e835, 1<<64 - 1}[kind]
}

// append adds x as JSON, as the methods of the first or the second version send it.
func (x *account) append(b []byte, v2 bool) []byte {
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
	if v2 {
		b = x.appendContext(b)
	} else {
		b = append(b, `,"tree":"`...)
		b = append(b, x.tree...)
		b = append(b, '"')
	}
	b = append(b, `,"leafIndex":`...)
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

// appendContext adds where x is, as the methods of the second version say it.
func (x *account) appendContext(b []byte) []byte {
	kind, queue, byIndex := `1`, stateQueue, `false`
	if x.tree == queuedTree {
		kind, queue, byIndex = `3`, queuedQueue, `true`
	}
	b = append(append(b, `,"proveByIndex":`...), byIndex...)
	b = append(append(b, `,"merkleContext":{"treeType":`...), kind...)
	b = append(append(b, `,"tree":"`...), x.tree...)
	b = append(append(b, `","queue":"`...), queue...)
	return append(b, `","cpiContext":null,"nextTreeContext":null}`...)
}

// appendText adds a text that needs no escaping, or null if it is empty.
func appendText(b, text []byte) []byte {
	if len(text) == 0 {
		return append(b, "null"...)
	}
	b = append(b, '"')
	b = append(b, text...)
	return append(b, '"')
}

// A group is the compressed token accounts of one mint from which a delegate may
// spend, or which have none.
type group struct {
	mint      string
	mintBytes string
	delegate  string // may be empty
	accounts  lister
	hostile   bool // some have extension data
}

// delegated are the groups of Delegate in the order of their mints. Every v2-th
// account is in a tree of the second version.
func delegated(v2 int) []group {
	var groups []group
	for i, t := range wellKnown()[1:6] {
		mint, _ := base58.Decode(t.mint)
		groups = append(groups, group{
			mint: t.mint, mintBytes: string(mint), delegate: Delegate,
			accounts: &accounts{seed: seed(20 + 2*i), owner: string(types.CompressedTokenProgram), count: 100 + 200*i, v2: v2},
		})
	}
	slices.SortFunc(groups, func(a, b group) int { return cmp.Compare(a.mintBytes, b.mintBytes) })
	return groups
}

// fill makes x token account i of the group, without its data.
func (g group) fill(x *account, i int) {
	g.accounts.fill(x, i)
	x.address = x.address[:0]
	x.lamports = 0
	x.discriminator = 2 // the only one in trees of the first version
	if x.tree == queuedTree {
		x.discriminator = [...]uint64{216172782113783808, 288230376151711744}[i%2]
	}
	if made, isMade := g.accounts.(*accounts); isMade {
		s := (made.seed + 50).item(i)
		x.amount = s.next() >> s.below(64)
		if i%30 == 4 {
			x.amount = 1<<64 - 1
		}
		x.frozen = i%12 == 7
		holder := seed(7).item(s.below(40)) // one of forty wallets
		x.tokenOwner = holder.address()
	}
}

// append adds token account i of the group as JSON, and makes x its account.
func (g group) append(b []byte, x *account, i int, v2 bool) []byte {
	g.fill(x, i)
	state := "initialized"
	if x.frozen {
		state = "frozen"
	}
	var extensions []byte
	if g.hostile && i%20 == 9 {
		extensions = []byte{1, 0, 0, 0, 0}
	}
	x.data = g.tokenData(x, extensions)

	b = append(b, `{"account":`...)
	b = x.append(b, v2)
	b = append(b, `,"tokenData":{"mint":"`...)
	b = append(b, g.mint...)
	b = append(b, `","owner":"`...)
	b = append(b, x.tokenOwner...)
	b = append(b, `","amount":`...)
	b = strconv.AppendUint(b, x.amount, 10)
	b = append(b, `,"delegate":`...)
	if g.delegate == "" {
		b = append(b, "null"...)
	} else {
		b = append(append(append(b, '"'), g.delegate...), '"')
	}
	b = append(b, `,"state":"`...)
	b = append(b, state...)
	b = append(b, `","tlv":`...)
	if extensions != nil {
		b = append(b, '"')
		b = base64.StdEncoding.AppendEncode(b, extensions)
		b = append(b, '"')
	} else {
		b = append(b, "null"...)
	}
	return append(b, `}}`...)
}

// tokenData returns the data of a token account as its program stores it.
func (g group) tokenData(x *account, extensions []byte) []byte {
	b := make([]byte, 0, 120)
	ownerBytes, _ := base58.Decode(x.tokenOwner)
	delegateBytes, _ := base58.Decode(g.delegate)
	b = append(append(b, g.mintBytes...), ownerBytes...)
	b = binary.LittleEndian.AppendUint64(b, x.amount)
	if g.delegate == "" {
		b = append(b, 0)
	} else {
		b = append(append(b, 1), delegateBytes...)
	}
	state := byte(0)
	if x.frozen {
		state = 1
	}
	b = append(b, state)
	if extensions == nil {
		return append(b, 0)
	}
	b = append(b, 1)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(extensions)))
	return append(b, extensions...)
}
