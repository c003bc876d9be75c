package world

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
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

// preset adds the default data. Hostile data is what strict clients may refuse.
func (b *Builder) preset(hostile bool) {
	w := b.w
	for _, t := range slices.Concat(wellKnown(), unusual()) {
		w.tokens[t.Mint] = &t.Token
	}
	demo := w.wallet(Demo)
	demo.Stated = true
	for _, a := range demoAmounts() {
		t := w.native
		if !a.native {
			if t = w.tokens[a.Mint]; t == nil {
				t = &a.Token
				w.tokens[a.Mint] = t
			}
		}
		w.holding(demo, t).Raw = a.raw
	}
	w.ledger = append(w.ledger, demoLedger()...)
	w.holding(w.wallet(Exchange), w.native).Raw = 5_000_000_000_000
	w.ledger = append(w.ledger, openings()...)
	for _, i := range identities() {
		b.identify(i)
	}
	w.domains["collector.sol"], w.domains["nameless.sol"] = Collector, WrappedSOL
	b.presetDelegations(hostile)
	b.presetAssets()
	b.presetCompressed(hostile)
	b.presetPrograms()
	if hostile {
		w.identities[Collector] = Identity{Address: Collector, Type: "unknown"} // with status 200
	}
	for _, x := range w.wallets {
		b.fromPreset[x.Address] = true
	}
}

func identities() []Identity {
	return []Identity{
		{Exchange, "exchange", "Binance 1", "Centralized Exchange", []string{"Centralized Exchange"}, nil},
		{"2ojv9BAiHUrvsm9gxDe7fJSzbNZSJcxZvf8dqmWGHG8S", "exchange", "Binance 2", "Centralized Exchange", []string{"Centralized Exchange", "Hot Wallet"}, nil},
		{Demo, "wallet", "toly.sol", "Wallet", []string{}, []string{"toly.sol", "demo.bonk", "wallet.abc"}},
	}
}

// presetCompressed adds the compressed accounts.
func (b *Builder) presetCompressed(hostile bool) {
	v2 := 0
	if hostile {
		v2 = 25
	}
	b.generate(Owner, 5, 3500, v2)
	b.w.Compressed.owners[Program] = opened(b, &generated{seed: 6, owner: Program, count: 60, v2: 5, records: true, first: maxGenerated}, nil, Program)
	for i, t := range wellKnown()[1:6] {
		b.delegated(Delegate, t.Mint, Seed(20+2*i), 100+200*i, v2, hostile)
	}
	b.delegated(V2Delegate, USDC, 40, 100, 1, false)
}

// delegated adds generated compressed token accounts.
func (b *Builder) delegated(delegate, mint string, seed Seed, count, v2 int, hostile bool) {
	g := &generated{seed: seed, owner: compressedProgram, count: count, v2: v2, tokens: true, first: (2 + len(b.w.Compressed.tokens)) * maxGenerated}
	group := &Group{Token: b.w.tokens[mint], Delegate: delegate, set: g, mint: Key(mint), hostile: hostile}
	opened(b, g, group, delegate+mint)
	b.w.Compressed.tokens = append(b.w.Compressed.tokens, group)
	var x Compressed
	for i := range count {
		g.fillToken(&x, i)
		b.pool(group.Token, x.Amount)
	}
}

// presetPrograms adds accounts of a program, of the layout of the compressed ones.
func (b *Builder) presetPrograms() {
	for i := range 5 {
		s := Seed(63).Item(i)
		data := make([]byte, 40)
		s.Bytes(data)
		for j := range 8 {
			data[32+j] = byte(uint64(i) >> (8 * j))
		}
		b.w.store(&Account{Address: s.Address(), Program: Program, Data: data, Lamports: Rent(len(data))})
	}
	b.w.store(&Account{Address: Program, Program: "BPFLoaderUpgradeab1e11111111111111111111111", Data: make([]byte, 36), Lamports: Rent(36), Executable: true})
}

// presetAssets adds NFTs of the demo wallet and of the collector.
func (b *Builder) presetAssets() {
	for i := range collections {
		s := Seed(4).Item(i)
		b.asset(&Asset{ID: s.Address(), Owner: Exchange, Name: collections[i], Symbol: "COLL", Image: "https://nfts.solwire.test/collection.png", Authority: Exchange})
	}
	for i := range 12 {
		b.asset(collectible(i, Demo))
	}
	for i := range 120 {
		b.asset(collectible(100+i, Collector))
	}
}

var collections = [...]string{"Harbor Lights", "Night Owls", "Paper Boats"}

// collectible is the i-th NFT.
func collectible(i int, owner string) *Asset {
	s := Seed(3).Item(i)
	a := &Asset{ID: s.Address(), Owner: owner, Compressed: i%3 == 0, Authority: Exchange, BasisPoints: 500, NoMetadata: i%7 == 5}
	if i%7 != 3 && i%7 != 5 { // the others have no metadata
		name, group := collections[i%len(collections)], Seed(4).Item(i%len(collections))
		a.Name, a.Symbol = name+" #"+strconv.Itoa(1+s.Below(9999)), "COLL"
		a.Image, a.URI = "https://nfts.solwire.test/"+a.ID+".png", "https://nfts.solwire.test/"+a.ID+".json"
		a.Collection = group.Address()
		a.Creators = []Creator{{Exchange, 100, true}}
	}
	return a
}

// presetDelegations adds the token accounts from which Delegate may spend.
func (b *Builder) presetDelegations(odd bool) {
	for _, d := range delegations() {
		if d.odd && !odd {
			continue
		}
		a := d.TokenAccount
		t := b.w.tokens[d.mint]
		if t == nil {
			t = &Token{Mint: d.mint, Decimals: d.decimals, Token2022: d.is2022}
			b.w.tokens[d.mint] = t
		}
		a.Token, a.Delegate = t, Delegate
		owner := b.w.wallet(a.Owner)
		if a.Owner != Demo {
			b.w.holding(owner, b.w.native).Raw = 50_000_000
		}
		h := b.w.holding(owner, t)
		if a.Owner != Demo {
			h.Raw += a.Amount
		}
		owner.Stated = true
		b.w.addAccount(h, &a)
	}
}

type delegation struct {
	TokenAccount
	mint     string
	decimals int
	is2022   bool
	odd      bool // for hostile worlds only
}

// delegations are the token accounts of Delegate. Odd ones are those that strict clients may
// refuse.
func delegations() []delegation {
	tokens := wellKnown()
	pyusd, ai16z := tokens[3].Mint, tokens[34].Mint
	immutable := Extension{Name: "immutableOwner", Kind: 7}
	all := []delegation{
		{mint: USDC, decimals: 6, TokenAccount: TokenAccount{Owner: Demo, Amount: 25310123456, Delegated: 1000000000}},
		{mint: USDC, decimals: 6, TokenAccount: TokenAccount{Amount: 5, Delegated: 1<<64 - 1}}, // more than the account holds
		{mint: USDC, decimals: 6, TokenAccount: TokenAccount{Delegated: 2500000, Frozen: true}},
		{mint: tokens[7].Mint, decimals: 6, TokenAccount: TokenAccount{Owner: Demo, Amount: 18250771204, Delegated: 18250771204, Closer: Collector}},
		{odd: true, mint: made(6), decimals: 5, TokenAccount: TokenAccount{Amount: 1<<64 - 1, Delegated: 1, RentEpoch: "18446744073709552000"}},
		{odd: true, mint: tokens[10].Mint, decimals: 6, TokenAccount: TokenAccount{Amount: 700000, Delegated: 700000, RentEpoch: "1.8446744073709552e19"}},
		{odd: true, mint: tokens[11].Mint, decimals: 6, TokenAccount: TokenAccount{Amount: 1, Delegated: 1, RentEpoch: "0", NoSpace: true}},
		{odd: true, mint: tokens[13].Mint, decimals: 9, TokenAccount: TokenAccount{Amount: 1, Delegated: 1000000000, RentEpoch: "-"}},
		{mint: WrappedSOL, decimals: 9, TokenAccount: TokenAccount{Owner: Demo, Amount: 2500000000, Delegated: 500000000}},
		{mint: pyusd, decimals: 6, is2022: true, TokenAccount: TokenAccount{Owner: Demo, Amount: 1800250000, Delegated: 250000, Extensions: []Extension{
			immutable,
			{"transferFeeAmount", 2, []byte{255, 255, 255, 255, 255, 255, 255, 255}, `{"withheldAmount":18446744073709551615}`},
			{"memoTransfer", 8, []byte{1}, `{"requireIncomingTransferMemos":true}`},
			{"cpiGuard", 11, []byte{0}, `{"lockCpi":false}`},
			{"transferHookAccount", 15, []byte{0}, `{"transferring":false}`},
			{"confidentialTransferFeeAmount", 17, make([]byte, 64), `{"withheldAmount":"` + base64.StdEncoding.EncodeToString(make([]byte, 64)) + `"}`},
		}}},
		{mint: ai16z, decimals: 9, is2022: true, TokenAccount: TokenAccount{Amount: 320400000000, Delegated: 1, Extensions: []Extension{
			immutable, {Name: "nonTransferableAccount", Kind: 13}, {Name: "pausableAccount", Kind: 27},
		}}},
		{odd: true, mint: made(0), decimals: 20, is2022: true, TokenAccount: TokenAccount{Amount: 1<<64 - 1, Delegated: 7}},               // too many decimals to parse
		{odd: true, mint: made(1), decimals: 6, is2022: true, TokenAccount: TokenAccount{Amount: 42000000, Delegated: 42, UIText: "inf"}}, // a broken multiplier
		{odd: true, mint: made(2), decimals: 6, is2022: true, TokenAccount: TokenAccount{Amount: 42000000, Delegated: 42, UIText: "NaN"}}, // likewise
		{odd: true, mint: made(3), decimals: 9, is2022: true, TokenAccount: TokenAccount{Amount: 9007199254740993, Delegated: 1, Frozen: true, Extensions: []Extension{
			{"unparseableExtension", 4242, []byte{1, 2, 3}, ""},
		}}},
		{odd: true, mint: made(4), decimals: 2, is2022: true, TokenAccount: TokenAccount{Amount: 12345, Delegated: 45, MintGone: true}},
	}
	for i := range 24 { // ordinary ones
		t := tokens[1+i%12]
		s := Seed(9).Item(i)
		d := delegation{mint: t.Mint, decimals: t.Decimals, is2022: t.Token2022, TokenAccount: TokenAccount{Amount: s.Next() >> 20}}
		d.Delegated = d.Amount / uint64(1+s.Below(50))
		all = append(all, d)
	}
	for i := range all {
		s := Seed(8).Item(i)
		all[i].Address = s.Address()
		if all[i].Owner == "" {
			all[i].Owner = s.Address()
		}
	}
	return all
}

// made is the i-th mint that only delegations use.
func made(i int) string {
	s := Seed(10).Item(i)
	return s.Address()
}

// An amount is a token and how much of it the demo wallet holds.
type amount struct {
	Token
	native bool
	raw    uint64
}

// demoAmounts are the tokens of the demo wallet.
func demoAmounts() []amount {
	all := append(wellKnown(), unusual()...)
	all[0].native = true
	for i := range 204 {
		all = append(all, invented(i))
	}
	for i := range 24 {
		t := invented(1000 + i)
		t.raw = 0
		all = append(all, t)
	}
	return all
}

// invented is the i-th made-up token, as strangers send them to any wallet.
func invented(i int) amount {
	first := [...]string{"Solar", "Lucky", "Turbo", "Velvet", "Frosty", "Golden", "Sleepy", "Cosmic", "Pixel", "Hyper", "Salty", "Noble"}
	second := [...]string{"Otter", "Koala", "Comet", "Pepper", "Falcon", "Mango", "Anvil", "Panda", "Lagoon", "Ember", "Walrus", "Cactus", "Drum"}
	s := Seed(1).Item(i)
	a, b := first[s.Below(len(first))], second[s.Below(len(second))]
	t := amount{Token: Token{
		Mint: s.Address(), Symbol: strings.ToUpper(a[:2] + b), Name: a + " " + b,
		Decimals: [...]int{0, 2, 5, 6, 6, 6, 8, 9, 9, 9}[s.Below(10)],
	}}
	t.raw = 1 + s.Next()>>(24+s.Below(28)) // 4 to 13 digits
	t.Token2022 = s.Below(5) == 0
	if s.Below(9) == 0 {
		t.Symbol, t.Name = "", ""
	}
	if s.Below(10) < 6 { // three digits, for a holding worth up to thousands
		size := len(strconv.FormatUint(t.raw, 10)) - t.Decimals
		t.Price = strconv.Itoa(100+s.Below(900)) + "e" + strconv.Itoa(min(s.Below(4)-3-size, -1))
	}
	return t
}
