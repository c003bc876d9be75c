package world

import (
	"cmp"
	"slices"
)

// A Group is the compressed accounts of an owner, or the compressed token accounts of a mint and
// a delegate.
type Group struct {
	Of   string // the owner, or the delegate, which may be empty
	Mint string // empty for accounts of an owner

	made     generated
	accounts []*Compressed // in the order of their hashes, without accounts still to be made
	byLeaf   bool          // whether they are listed in the order of their leaves
}

// all returns the accounts.
func (g *Group) all() []*Compressed {
	for i := range g.made.Count { // in the order of their hashes
		g.accounts = append(g.accounts, g.own(g.made.account(i)))
	}
	g.made.Count = 0
	return g.accounts
}

// own completes an account of g.
func (g *Group) own(x Compressed) *Compressed {
	if x.Group = g; g.Mint != "" {
		x.Data = g.data(&x)
	}
	return &x
}

// find returns the place of the account with a hash, or where it would be.
func (g *Group) find(hash string) (i int, found bool) {
	return slices.BinarySearchFunc(g.all(), hash, func(x *Compressed, hash string) int { return CompareKeys(x.Hash, hash) })
}

// add adds an account.
func (g *Group) add(x Compressed) {
	i, _ := g.find(x.Hash)
	g.accounts = slices.Insert(g.accounts, i, g.own(x))
}

// data returns the data of a token account as its program stores it.
func (g *Group) data(x *Compressed) []byte {
	return pack(Key(g.Mint), Key(x.TokenOwner), x.Amount, g.Of != "", Key(g.Of), x.Frozen, false) // no extensions
}

// Place is the place of a token account in listings: the bytes of the mint and of the hash.
func (x *Compressed) Place() string { return Key(x.Group.Mint) + Key(x.Hash) }

// Tokens returns the token accounts that have a key in common, such as OfOwner and an address,
// in the order of their places.
func (c *Compression) Tokens(key string) []*Compressed {
	return Keep(c.w, "compressed tokens", func() map[string][]*Compressed {
		all := map[string][]*Compressed{}
		for x := range c.all() {
			if x.Group.Mint == "" || x.Spent != nil {
				continue
			}
			for _, key := range []string{OfOwner + x.TokenOwner, OfDelegate + x.Group.Of, OfMint + x.Group.Mint} {
				all[key] = append(all[key], x)
			}
		}
		for _, list := range all {
			slices.SortFunc(list, func(a, b *Compressed) int {
				return cmp.Or(CompareKeys(a.Group.Mint, b.Group.Mint), CompareKeys(a.Hash, b.Hash))
			})
		}
		return all
	})[key]
}

// BalancesOf returns the balance of an owner in each mint, in the order of the mints.
func (c *Compression) BalancesOf(owner string) (mints []string, raw map[string]uint64) {
	raw = map[string]uint64{}
	for _, x := range c.Tokens(OfOwner + owner) {
		if _, known := raw[x.Group.Mint]; !known {
			mints = append(mints, x.Group.Mint)
		}
		raw[x.Group.Mint] += x.Amount
	}
	return mints, raw
}

// A Holder is an owner of a mint, with the balance.
type Holder struct {
	Owner  string
	Amount uint64
}

// Holders returns the owners of a mint, the largest first.
func (c *Compression) Holders(mint string) (all []Holder) {
	amounts := map[string]uint64{}
	for _, x := range c.Tokens(OfMint + mint) {
		amounts[x.TokenOwner] += x.Amount
	}
	for owner, amount := range amounts {
		all = append(all, Holder{owner, amount})
	}
	slices.SortFunc(all, func(a, b Holder) int { return cmp.Or(cmp.Compare(b.Amount, a.Amount), CompareKeys(b.Owner, a.Owner)) })
	return all
}
