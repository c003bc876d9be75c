package world

import "encoding/binary"

// generated are compressed accounts that are made when they are first read, since most tests
// need none.
type generated struct {
	Of, Mint     string // as of their Group
	Seed         Seed
	Count, First int  // First is the number of the first leaf
	V2           bool // in a tree of the second version

	of     int // how many there are in all
	opened []*Transaction
}

// spread appends a hash for account i. The range of the first six letters has one part per
// account, and the hash of account i is at a random place in part i, so that the hashes are in
// order.
func (g *generated) spread(b []byte, kind Seed, i int) []byte {
	const tail = 58 * 58 * 58 * 58 * 58
	s := kind.Item(i)
	part := fieldLetters * tail / uint64(g.of)
	n := uint64(i)*part + s.Next()%part
	b = append(b, alphabet[1+n/tail])
	for scale := uint64(tail / 58); scale > 0; scale /= 58 {
		b = append(b, alphabet[n/scale%58])
	}
	return s.letters(b, 38)
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

// account makes account i.
func (g *generated) account(i int) (x Compressed) {
	s := (g.Seed + 1).Item(i)
	x.Hash = string(g.spread(nil, g.Seed, i))
	if i%10 != 3 {
		s.field() // so that the data stays as it was
		if g.Mint == "" {
			x.Address = string(g.spread(nil, g.Seed+1_000_000, i))
		}
	}
	x.DataHash = s.field()
	x.Owner, x.Tree, x.Opened = g.Of, StateTree, g.opened[i/perOpening]
	x.Lamports = s.Next() >> (20 + s.Below(44)) // up to 2^44, most of them small
	s.Next()
	x.Leaf, x.Seq = uint64(leafIndex(g.First+i)), 1+s.Next()>>32
	if g.V2 {
		x.Tree, x.Seq = QueuedTree, 0
	} else if i%97 == 13 && i < 97_000 {
		x.Lamports = 1<<53 + uint64(i) // beyond the integers of a float
	}
	if g.Mint != "" {
		x.Owner = compressedProgram
		g.token(&x, i)
		return x
	}
	if i%50 == 7 {
		return x
	}
	x.Data = make([]byte, 50+s.Below(251))
	s.Bytes(x.Data)
	x.Data[0] &= 3
	// above 2^53
	x.Discriminator = [...]uint64{0x8f3c_19d2_4be7_60a5, 0x21a7_5e90_c4d8_3b16, 0xd60b_7f41_92ac_e835, 1<<64 - 1}[x.Data[0]]
	binary.LittleEndian.PutUint64(x.Data[1:], uint64(i))
	return x
}

// token makes x token account i, without its data.
func (g *generated) token(x *Compressed, i int) {
	s := (g.Seed + 50).Item(i)
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

// tokenDiscriminator returns the discriminator of token accounts. Trees of the first version
// have one.
func tokenDiscriminator(queued bool, i int) uint64 {
	if !queued {
		return 2
	}
	return [...]uint64{216172782113783808, 288230376151711744}[i%2]
}
