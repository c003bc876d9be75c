package fake

import (
	"maps"
	"math/bits"
	"slices"
)

// A deposit is an amount in token accounts.
type deposit struct {
	token
	raw uint64
}

func (b *Builder) deposit(owner string, t token, raw uint64) {
	if _, known := b.w.tokens[t.mint]; !known {
		b.w.tokens[t.mint] = t
	}
	if b.deposits == nil {
		b.deposits = map[string]map[string]deposit{}
	}
	if b.deposits[owner] == nil {
		b.deposits[owner] = map[string]deposit{}
	}
	before, again := b.deposits[owner][t.mint]
	if !again {
		before.raw = b.delegated(owner, t.mint)
	}
	sum, carry := bits.Add64(before.raw, raw, 0)
	if carry > 0 {
		b.failf("the amounts of mint %s exceed 64 bits", t.mint)
	}
	b.deposits[owner][t.mint] = deposit{b.w.tokens[t.mint], sum}
}

// delegated returns what the token accounts of a preset hold.
func (b *Builder) delegated(owner, mint string) uint64 {
	var sum uint64
	for _, list := range b.w.delegates {
		for _, d := range list {
			if d.owner == owner && d.mint == mint {
				sum = plus(sum, d.amount)
			}
		}
	}
	return sum
}

// checkDecimals keeps a mistake if a mint has other decimals than in an earlier entry.
func (b *Builder) checkDecimals(t token) {
	if known, isKnown := b.w.tokens[t.mint]; isKnown && known.decimals != t.decimals {
		b.fieldf("Decimals", "is %d, but mint %s has %d elsewhere", t.decimals, t.mint, known.decimals)
	}
}

// holdDeposits gives wallets the tokens in their token accounts, unless they were said to
// hold as many.
func (b *Builder) holdDeposits() {
	for _, owner := range slices.Sorted(maps.Keys(b.deposits)) {
		deposits := b.deposits[owner]
		h := &holder{tokens: []holding{{token: wellKnown()[0], native: true}}}
		if known := b.w.holders[owner]; known != nil {
			copied := *known
			h = &copied
			h.tokens = slices.Clone(h.tokens)
		}
		for _, mint := range slices.Sorted(maps.Keys(deposits)) {
			i := slices.IndexFunc(h.tokens, func(has holding) bool { return !has.native && has.mint == mint })
			switch in := deposits[mint]; {
			case i < 0:
				h.tokens = append(h.tokens, holding{in.token, false, in.raw})
			case h.tokens[i].raw != in.raw:
				b.failf("the token accounts of owner %s and mint %s hold %d in all, but the balance of the owner is %d, in the smallest unit",
					owner, mint, in.raw, h.tokens[i].raw)
			}
		}
		b.w.holders[owner] = h
	}
}

// checkSupplies keeps a mistake if wallets hold more of a mint than its supply can be.
func (b *Builder) checkSupplies() {
	sums := map[string]uint64{}
	for _, wallet := range slices.Sorted(maps.Keys(b.w.holders)) {
		for _, has := range b.w.holders[wallet].tokens {
			if has.native {
				continue
			}
			sum, carry := bits.Add64(sums[has.mint], has.raw, 0)
			if carry > 0 {
				b.failf("the amounts of mint %s exceed 64 bits", has.mint)
			}
			sums[has.mint] = sum
		}
	}
}
