package world

import (
	"cmp"
	"slices"
)

// Generate makes up compressed accounts of Owner.
func (b *Builder) Generate(count int) {
	if count < 0 || count > maxGenerated {
		b.failf("%d accounts are not between 0 and %d", count, maxGenerated)
	}
	b.w.Compressed.add(Owner, "", generated{Of: Owner, Seed: 5, Count: count})
}

// Compressed adds a compressed account. Without a hash one is made up.
func (b *Builder) Compressed(x Compressed, v2 bool) {
	b.keep(x.Owner, "", x, v2)
}

// add adds a group of compressed accounts.
func (c *Compression) add(of, mint string, made generated) *Group {
	made.of = made.Count
	g := &Group{Of: of, Mint: mint, made: made}
	c.groups[[2]string{of, mint}] = g
	return g
}

// keep adds a compressed account to a group of the world, or to the transaction that happens.
func (b *Builder) keep(of, mint string, x Compressed, v2 bool) {
	c := b.w.Compressed
	group := c.groups[[2]string{of, mint}]
	if group == nil {
		group = c.add(of, mint, generated{})
	}
	switch account := b.account(x, v2); {
	case b.random != nil:
		b.open(group, account)
	case group.made.Count > 0:
		b.failf("the compressed accounts of %s %s are in the preset", of, mint)
	default:
		group.add(account)
	}
}

// account completes a compressed account with made-up values.
func (b *Builder) account(x Compressed, v2 bool) Compressed {
	s := b.source()
	x.DataHash = s.field()
	x.Leaf, x.Seq, x.Tree = uint64(leafIndex(firstGiven+b.w.made)), uint64(b.w.made), cmp.Or(x.Tree, StateTree)
	if v2 {
		x.Tree, x.Seq = QueuedTree, 0
	}
	if x.Hash == "" {
		x.Hash = s.field()
	}
	b.Once("Hash", x.Hash)
	b.Once("Address", x.Address)
	return x
}

// CompressedToken adds a compressed token account of the owner of x. An empty delegate means none.
// 0 decimals mean the decimals in an earlier entry of the mint.
func (b *Builder) CompressedToken(x Compressed, delegate string, t Token, v2 bool) {
	if b.w.tokens[t.Mint] == nil || t.Decimals > 0 {
		b.token(t)
	}
	x.TokenOwner, x.Owner, x.Discriminator = x.Owner, compressedProgram, tokenDiscriminator(v2, b.w.made)
	b.keep(delegate, t.Mint, x, v2)
	if b.random != nil {
		b.happening.deposits = append(b.happening.deposits, deposit{PoolOwner, t.Mint, x.Amount, 0})
	} else {
		b.pools[t.Mint] += x.Amount
	}
}

// Accounts adds compressed accounts of an owner. They are listed in the order of their hashes. With
// byLeaf, as in a faulty indexer, pages are in the order of leaves, and a cursor selects the
// accounts with higher hashes.
func (b *Builder) Accounts(owner string, all []Compressed, byLeaf bool) {
	g := b.w.Compressed.add(owner, "", generated{})
	g.byLeaf = byLeaf
	for _, x := range all {
		g.accounts = append(g.accounts, g.own(x))
	}
	slices.SortFunc(g.accounts, func(a, b *Compressed) int { return CompareKeys(a.Hash, b.Hash) })
}
