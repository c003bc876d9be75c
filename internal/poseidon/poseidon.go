// Package poseidon has the hash function of the trees of compressed accounts: Poseidon with
// two inputs over the scalar field of BN254, with the parameters of circomlib.
//
// The module github.com/iden3/go-iden3-crypto has the same function. It is not used:
// it makes parameters of all sizes when a program starts, with 145 000 allocations in a tenth of
// a second. The hash is of public values only, so its time may depend on them.
package poseidon

import (
	"math/big"
	"sync"
)

const (
	width         = 3 // of the state: two inputs and the capacity
	fullRounds    = 8 // half of them before the partial ones, half after
	partialRounds = 57
	fieldBits     = 254
)

// parameters are the constants of the permutation.
type parameters struct {
	field     *big.Int               // the order
	constants [][width]*big.Int      // by round
	mix       [width][width]*big.Int // the matrix
}

// prepared makes the parameters as the reference implementation does: with a Grain LFSR that
// begins with the sizes.
var prepared = sync.OnceValue(func() *parameters {
	p := new(parameters)
	p.field, _ = new(big.Int).SetString("21888242871839275222246405745257275088548364400416034343698204186575808495617", 10)
	g := newGrain()
	p.constants = make([][width]*big.Int, fullRounds+partialRounds)
	for round := range p.constants {
		for i := range width {
			c := g.number()
			for c.Cmp(p.field) >= 0 {
				c = g.number()
			}
			p.constants[round][i] = c
		}
	}
	var seeds [2 * width]*big.Int
	for i := range seeds {
		seeds[i] = new(big.Int).Mod(g.number(), p.field)
	}
	for i := range width {
		for j := range width {
			sum := new(big.Int).Add(seeds[i], seeds[width+j])
			p.mix[i][j] = sum.ModInverse(sum, p.field)
		}
	}
	return p
})

// A grain is a Grain LFSR of 80 bits.
type grain struct {
	bits [80]bool
	at   int // of the oldest bit
}

func newGrain() *grain {
	g := new(grain)
	at := 0
	for _, part := range []struct{ value, bits int }{
		{1, 2}, {0, 4}, {fieldBits, 12}, {width, 12}, {fullRounds, 10}, {partialRounds, 10}, {1<<30 - 1, 30},
	} { // a prime field, and the power 5
		for i := part.bits - 1; i >= 0; i-- {
			g.bits[at] = part.value>>i&1 == 1
			at++
		}
	}
	for range 160 {
		g.next()
	}
	return g
}

func (g *grain) next() bool {
	bit := false
	for _, tap := range []int{0, 13, 23, 38, 51, 62} {
		bit = bit != g.bits[(g.at+tap)%len(g.bits)]
	}
	g.bits[g.at] = bit
	g.at = (g.at + 1) % len(g.bits)
	return bit
}

// number returns the next number: of each pair of bits, the second counts if the first is set.
func (g *grain) number() *big.Int {
	n := new(big.Int)
	for range fieldBits {
		for !g.next() {
			g.next()
		}
		n.Lsh(n, 1)
		if g.next() {
			n.SetBit(n, 0, 1)
		}
	}
	return n
}

// Hash returns the parent of two nodes. It is false if one of them is not in the field, which
// no node of a tree can be.
func Hash(left, right [32]byte) (parent [32]byte, ok bool) {
	p := prepared()
	state := [width]*big.Int{new(big.Int), new(big.Int).SetBytes(left[:]), new(big.Int).SetBytes(right[:])}
	if state[1].Cmp(p.field) >= 0 || state[2].Cmp(p.field) >= 0 {
		return parent, false
	}
	var square, product, quotient big.Int // reused, since allocations cost more than the rest
	var mixed [width]*big.Int
	for i := range mixed {
		mixed[i] = new(big.Int)
	}
	for round, constants := range p.constants {
		for i, x := range state {
			x.Add(x, constants[i])
			if i > 0 && round >= fullRounds/2 && round < fullRounds/2+partialRounds {
				continue
			}
			product.Mul(x, x)
			quotient.QuoRem(&product, p.field, &square)
			product.Mul(&square, &square)
			quotient.QuoRem(&product, p.field, &square)
			product.Mul(x, &square)
			quotient.QuoRem(&product, p.field, x)
		}
		for i, row := range p.mix {
			square.SetUint64(0)
			for j, factor := range row {
				square.Add(&square, product.Mul(factor, state[j]))
			}
			quotient.QuoRem(&square, p.field, mixed[i])
		}
		state, mixed = mixed, state
	}
	state[0].FillBytes(parent[:])
	return parent, true
}
