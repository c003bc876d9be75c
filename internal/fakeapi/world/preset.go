package world

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"maps"
	"sync"
)

// The addresses of the default world.
const (
	// Demo is a wallet that holds many tokens and has a long history. The address exists, so
	// that the real service knows it too.
	Demo = "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY"

	// Collector is a wallet with few tokens and many NFTs.
	Collector = "7Fv3qYtK2mPzJwHc9RXb5NsGdEu4ALxV8iTQoZk1WnSM"

	// Exchange is a known exchange.
	Exchange = "HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664"

	// Owner owns many compressed accounts. The data of each begins with its kind, a byte
	// from 0 to 3, and its number, a little-endian uint64, to filter by. All are in a tree of
	// the first version.
	Owner = "BtJ5rdXcZs8hVqK2nTyWfMgPe7UDAoLx3Ri9GQk6uHSv"

	// Program owns a few compressed accounts with data of one layout, counters: an authority
	// of 32 bytes and a count, a little-endian uint64. Some are in a tree of the second
	// version.
	Program = "3ouNtErK8QZ6bqFyyTz2NsXGkEvCJ1TVy4SdBLpFW9hR"

	// Delegate may spend from token accounts, compressed and uncompressed.
	Delegate = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"

	// V2Delegate may spend from compressed token accounts in trees of the second version.
	V2Delegate = "6dNUGMqZQc8wM2yo3VNH4HgjwFr8MkRTfLKVmAbYRvSB"
)

//go:embed preset.json
var presetText []byte

// presetOf returns the data of the default world that is not generated.
var presetOf = sync.OnceValue(func() (p struct {
	Tokens        []amount       // of the demo wallet, native SOL first
	TokenAccounts []TokenAccount // from which Delegate may spend
	Identities    []Identity
	Accounts      []Account
	Transactions  []Transaction // newest first; the exchange holds enough for the later ones
	Assets        []Asset
	Counters      []Compressed // of Program
	Domains       map[string]string
	Generated     []generated // compressed accounts
},
) {
	if err := json.Unmarshal(presetText, &p); err != nil {
		panic(err)
	}
	return p
})

// An amount is a token and how much of it the demo wallet holds.
type amount struct {
	Token
	Raw uint64
}

// preset adds the default data.
func (b *Builder) preset() {
	w, p := b.w, presetOf()
	demo := w.wallet(Demo)
	demo.Stated = true
	for _, a := range p.Tokens {
		w.holding(demo, b.known(a.Token)).Raw = a.Raw
	}
	for _, x := range p.Transactions {
		w.Ledger = append(w.Ledger, &x)
	}
	w.holding(w.wallet(Exchange), w.native).Raw = 5_000_000_000_000
	for _, i := range p.Identities {
		b.Identify(i)
	}
	maps.Copy(w.Domains, p.Domains)
	for _, a := range p.TokenAccounts {
		a.Token = b.known(*a.Token)
		owner := w.wallet(a.Owner)
		h := w.holding(owner, a.Token)
		if a.Owner != Demo {
			owner.Stated, h.Raw, owner.order[0].Raw = true, h.Raw+a.Amount, 50_000_000
		}
		a.Address = cmp.Or(a.Address, w.associated(h))
		w.addAccount(h, &a)
	}
	for _, a := range p.Assets {
		w.Assets.add(&a)
	}
	b.Accounts(Program, p.Counters, false)
	for _, g := range p.Generated {
		w.Compressed.add(g.Of, g.Mint, g)
		var x Compressed
		for i := 0; i < g.Count && g.Mint != ""; i++ {
			g.token(&x, i)
			b.pools[g.Mint] += x.Amount
		}
	}
	for _, a := range p.Accounts {
		w.stored[a.Address] = &a
	}
}

// known returns the token of a mint, which is t if there is none.
func (b *Builder) known(t Token) *Token {
	known := b.w.Token(t.Mint)
	if known == nil {
		known = &t
		b.w.tokens[t.Mint] = known
	}
	return known
}
