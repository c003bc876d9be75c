package fake

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
	"sync"
)

const (
	// Wallet is the wallet of the demo data: a public address, so that it can
	// be asked of the real service too.
	Wallet = "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY"

	// Collector is a wallet with few tokens and many NFTs.
	Collector = "7Fv3qYtK2mPzJwHc9RXb5NsGdEu4ALxV8iTQoZk1WnSM"
)

// What the wallets hold, each list in the order in which it is sent.
type contents struct {
	balances map[string][]balance
	nfts     map[string][]json.RawMessage
}

// holdings is made once, since it never changes.
var holdings = sync.OnceValue(func() contents {
	tokens := append(wellKnown(), unusual()...)
	for i := range 204 {
		tokens = append(tokens, invented(i))
	}
	for i := range 24 {
		t := invented(1000 + i)
		t.amount = "0"
		tokens = append(tokens, t)
	}
	c := contents{
		balances: map[string][]balance{Collector: {entry(0, tokens[0]), entry(1, tokens[1])}},
		nfts:     map[string][]json.RawMessage{},
	}
	for i, t := range tokens {
		c.balances[Wallet] = append(c.balances[Wallet], entry(i, t))
	}
	sortBalances(c.balances[Wallet])
	for i := range 12 {
		c.nfts[Wallet] = append(c.nfts[Wallet], collectible(i))
	}
	for i := range 120 {
		c.nfts[Collector] = append(c.nfts[Collector], collectible(100+i))
	}
	return c
})

// invented is the i-th made-up token: what a wallet collects by itself.
func invented(i int) token {
	first := [...]string{"Solar", "Lucky", "Turbo", "Velvet", "Frosty", "Golden", "Sleepy", "Cosmic", "Pixel", "Hyper", "Salty", "Noble"}
	second := [...]string{"Otter", "Koala", "Comet", "Pepper", "Falcon", "Mango", "Anvil", "Panda", "Lagoon", "Ember", "Walrus", "Cactus", "Drum"}
	s := seed(1).item(i)
	a, b := first[s.below(len(first))], second[s.below(len(second))]
	t := token{
		mint:     string(s.address(nil)),
		symbol:   strings.ToUpper(a[:2] + b),
		name:     a + " " + b,
		decimals: [...]int{0, 2, 5, 6, 6, 6, 8, 9, 9, 9}[s.below(10)],
		program:  spl,
	}
	raw := 1 + s.next()>>(24+s.below(28)) // 4 to 13 digits
	t.amount = units(raw, t.decimals).FloatString(t.decimals)
	if s.below(5) == 0 {
		t.program = token2022
	}
	if s.below(9) == 0 {
		t.symbol, t.name = "", ""
	}
	if s.below(10) < 6 { // a price of three digits that makes the holding worth up to thousands
		size := len(strconv.FormatUint(raw, 10)) - t.decimals
		t.price = strconv.Itoa(100+s.below(900)) + "e" + strconv.Itoa(min(s.below(4)-3-size, -1))
	}
	return t
}

// entry is the balance of t. What is unknown is null in one entry and missing
// in the next.
func entry(i int, t token) balance {
	unknown := func(text string) json.RawMessage {
		switch {
		case text != "":
			return encode(text)
		case i%2 == 0:
			return json.RawMessage("null")
		}
		return nil
	}
	amount, _ := new(big.Rat).SetString(t.amount)
	b := balance{native: i == 0, zero: amount.Sign() == 0}
	sent := struct {
		Mint     string          `json:"mint"`
		Symbol   json.RawMessage `json:"symbol,omitempty"`
		Name     json.RawMessage `json:"name,omitempty"`
		Balance  json.Number     `json:"balance"`
		Decimals int             `json:"decimals"`
		Price    json.RawMessage `json:"pricePerToken,omitempty"`
		Value    json.RawMessage `json:"usdValue,omitempty"`
		Logo     json.RawMessage `json:"logoUri,omitempty"`
		Program  string          `json:"tokenProgram"`
	}{
		Mint:     t.mint,
		Symbol:   unknown(t.symbol),
		Name:     unknown(t.name),
		Balance:  number(amount),
		Decimals: t.decimals,
		Price:    unknown(""),
		Value:    unknown(""),
		Logo:     unknown(""),
		Program:  t.program,
	}
	if t.price != "" {
		price, _ := new(big.Rat).SetString(t.price)
		b.value = new(big.Rat).Mul(price, amount)
		sent.Price = json.RawMessage(number(price))
		sent.Value = json.RawMessage(number(b.value))
	}
	if t.symbol != "" && i < 40 {
		sent.Logo = encode("https://tokens.solwire.test/" + t.mint + ".png")
	}
	b.text = encode(sent)
	return b
}

// collectible is the i-th NFT.
func collectible(i int) json.RawMessage {
	s := seed(3).item(i)
	sent := struct {
		Mint       string          `json:"mint"`
		Name       json.RawMessage `json:"name,omitempty"`
		Image      json.RawMessage `json:"imageUri,omitempty"`
		Collection json.RawMessage `json:"collectionName,omitempty"`
		Address    json.RawMessage `json:"collectionAddress,omitempty"`
		Compressed bool            `json:"compressed"`
	}{Mint: string(s.address(nil)), Compressed: i%3 == 0}
	switch {
	case i%7 == 3:
		null := json.RawMessage("null")
		sent.Name, sent.Image, sent.Collection, sent.Address = null, null, null, null
	case i%7 != 5: // else nothing is known of it
		names := [...]string{"Harbor Lights", "Night Owls", "Paper Boats"}
		group := seed(4).item(i % len(names))
		sent.Name = encode(names[i%len(names)] + " #" + strconv.Itoa(1+s.below(9999)))
		sent.Image = encode("https://nfts.solwire.test/" + sent.Mint + ".png")
		sent.Collection = encode(names[i%len(names)])
		sent.Address = encode(string(group.address(nil)))
	}
	return encode(sent)
}
