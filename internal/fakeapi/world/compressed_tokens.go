package world

import (
	"cmp"
	"slices"
	"strings"
)

// A Group is the compressed accounts of an owner, or the compressed token accounts of a mint and
// a delegate.
type Group struct {
	Of   string // the owner, or the delegate, which may be empty
	Mint string // empty for accounts of an owner
	mint string // its bytes

	made     generated
	accounts []Compressed // in the order of their hashes, without accounts still to be made
	byLeaf   bool         // whether they are listed in the order of their leaves
}

// all returns the accounts.
func (g *Group) all() []Compressed {
	for i := range g.made.Count { // in the order of their hashes
		x := g.made.account(i)
		if g.Mint != "" {
			x.Data = g.data(&x)
		}
		g.accounts = append(g.accounts, x)
	}
	g.made.Count = 0
	return g.accounts
}

// find returns the place of the account with a hash, or where it would be.
func (g *Group) find(hash string) (i int, found bool) {
	return slices.BinarySearchFunc(g.all(), hash, func(x Compressed, hash string) int { return CompareKeys(x.Hash, hash) })
}

// add adds an account.
func (g *Group) add(x Compressed) {
	if g.Mint != "" {
		x.Data = g.data(&x)
	}
	i, _ := g.find(x.Hash)
	g.accounts = slices.Insert(g.accounts, i, x)
}

// data returns the data of a token account as its program stores it.
func (g *Group) data(x *Compressed) []byte {
	return pack(g.mint, Key(x.TokenOwner), x.Amount, g.Of != "", Key(g.Of), x.Frozen, false) // no extensions
}

// A TokenRef is a compressed token account.
type TokenRef struct {
	*Group
	*Compressed
	Place string // in listings: the bytes of the mint and of the hash
}

// Tokens returns the token accounts that have a key in common, such as OfOwner and an address,
// in the order of their mints and hashes.
func (c *Compression) Tokens(key string) []TokenRef {
	return Keep(c.w, "compressed tokens", func() map[string][]TokenRef {
		all := map[string][]TokenRef{}
		c.each(func(g *Group, x *Compressed) {
			if g.Mint == "" || c.spent[x.Hash] != nil {
				return
			}
			r := TokenRef{g, x, g.mint + Key(x.Hash)}
			for _, key := range []string{OfOwner + x.TokenOwner, OfDelegate + g.Of, OfMint + g.Mint} {
				all[key] = append(all[key], r)
			}
		})
		for _, refs := range all {
			slices.SortFunc(refs, func(a, b TokenRef) int { return strings.Compare(a.Place, b.Place) })
		}
		return all
	})[key]
}

// BalancesOf returns the balance of an owner in each mint, in the order of the mints.
func (c *Compression) BalancesOf(owner string) (mints []string, raw map[string]uint64) {
	raw = map[string]uint64{}
	for _, r := range c.Tokens(OfOwner + owner) {
		if _, known := raw[r.Mint]; !known {
			mints = append(mints, r.Mint)
		}
		raw[r.Mint] += r.Amount
	}
	return mints, raw
}

// A Holder is an owner of a mint, with the balance.
type Holder struct {
	Owner  string
	Key    string // its bytes
	Amount uint64
}

// Holders returns the owners of a mint, the largest first.
func (c *Compression) Holders(mint string) (all []Holder) {
	amounts := map[string]uint64{}
	for _, r := range c.Tokens(OfMint + mint) {
		amounts[r.TokenOwner] += r.Amount
	}
	for owner, amount := range amounts {
		all = append(all, Holder{owner, Key(owner), amount})
	}
	slices.SortFunc(all, func(a, b Holder) int { return cmp.Or(cmp.Compare(b.Amount, a.Amount), cmp.Compare(b.Key, a.Key)) })
	return all
}
