package fake

import (
	"cmp"
	"slices"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/types"
)

// Account adds a compressed account. Without a hash one is made up.
func (b *Builder) Account(owner, hash, address string, data []byte, discriminator, lamports uint64, v2 bool) {
	b.address("Owner", owner)
	x := b.account(hash, v2)
	x.owner, x.data, x.discriminator, x.lamports = owner, data, discriminator, lamports
	if address != "" {
		x.address = []byte(b.address("Address", address))
	}
	own, _ := b.w.owners[owner].(given)
	if b.w.owners[owner] != nil && own == nil {
		b.failf("the accounts of owner %s are those of the preset", owner)
	}
	b.w.owners[owner] = own.with(x)
}

// account returns a compressed account with what is made up of it.
func (b *Builder) account(hash string, v2 bool) account {
	s := b.source()
	x := account{hash: []byte(hash), dataHash: s.field(nil), tree: stateTree, leaf: uint64(b.made), seq: uint64(b.made), created: epochSlot - 1000}
	if v2 {
		x.tree = queuedTree
	}
	if hash == "" {
		x.hash = s.field(nil)
	} else if _, err := types.Hash(hash).Bytes(); err != nil {
		b.fieldf("Hash", "%q: %w", hash, err)
	}
	return x
}

// TokenAccount adds a compressed token account. An empty delegate means none, and 0
// decimals those of an earlier entry of the mint.
func (b *Builder) TokenAccount(delegate, owner, mint, hash string, amount uint64, decimals uint8, frozen, v2 bool) {
	if delegate != "" {
		b.address("Delegate", delegate)
	}
	b.address("Owner", owner)
	raw, _ := base58.Decode(b.address("Mint", mint))
	x := b.account(hash, v2)
	x.owner, x.tokenOwner, x.amount, x.frozen = string(types.CompressedTokenProgram), owner, amount, frozen
	groups := slices.Clone(b.w.groups[delegate])
	i := slices.IndexFunc(groups, func(g group) bool { return g.mint == mint })
	if i < 0 {
		i = len(groups)
		groups = append(groups, group{mint: mint, mintBytes: string(raw), delegate: delegate, accounts: given{}})
	}
	own, isGiven := groups[i].accounts.(given)
	if !isGiven {
		b.failf("the token accounts of delegate %s and mint %s are those of the preset", delegate, mint)
	}
	groups[i].accounts = own.with(x)
	t := token{mint: mint, decimals: int(decimals), program: spl}
	if decimals > 0 {
		b.checkDecimals(t)
	}
	b.deposit(string(tokenPoolOwner), t, amount)
	slices.SortFunc(groups, func(a, b group) int { return cmp.Compare(a.mintBytes, b.mintBytes) })
	b.w.groups[delegate] = groups
}

// Delegate adds a token account. Without an address one is made up; an empty delegate means
// none.
func (b *Builder) Delegate(delegate, address, owner, mint string, amount, delegated uint64, decimals uint8, frozen, is2022 bool) {
	if address == "" {
		address = b.source().address()
	}
	if delegate != "" {
		b.address("Delegate", delegate)
	} else if delegated > 0 {
		b.fieldf("DelegatedAmount", "is %d, but there is no Delegate", delegated)
	}
	d := delegation{
		address: b.address("Address", address), mint: b.address("Mint", mint), owner: b.address("Owner", owner),
		delegate: delegate, decimals: int(decimals), amount: amount, delegated: delegated,
		frozen: frozen, is2022: is2022,
	}
	for _, list := range b.w.delegates {
		if slices.ContainsFunc(list, func(other delegation) bool { return other.address == address }) {
			b.fieldf("Address", "%q is that of an earlier entry", address)
		}
	}
	b.checkDecimals(d.token())
	b.deposit(owner, d.token(), amount)
	list := append(slices.Clone(b.w.delegates[delegate]), d)
	slices.SortFunc(list, func(a, b delegation) int { return cmp.Compare(a.address, b.address) })
	b.w.delegates[delegate] = list
}
