package fake

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
)

const (
	// Wallet is the wallet of the demo data. The address exists, so that the real
	// service knows it too.
	Wallet = "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY"

	// Collector is a wallet with few tokens and many NFTs.
	Collector = "7Fv3qYtK2mPzJwHc9RXb5NsGdEu4ALxV8iTQoZk1WnSM"
)

// demoHoldings are the tokens of the demo wallet.
func demoHoldings() []holding {
	tokens := append(wellKnown(), unusual()...)
	for i := range 204 {
		tokens = append(tokens, invented(i))
	}
	for i := range 24 {
		t := invented(1000 + i)
		t.amount = "0"
		tokens = append(tokens, t)
	}
	var all []holding
	for i, t := range tokens {
		all = append(all, holding{t, i == 0, t.raw()})
	}
	return all
}

// invented is the i-th made-up token, as strangers send them to any wallet.
func invented(i int) token {
	first := [...]string{"Solar", "Lucky", "Turbo", "Velvet", "Frosty", "Golden", "Sleepy", "Cosmic", "Pixel", "Hyper", "Salty", "Noble"}
	second := [...]string{"Otter", "Koala", "Comet", "Pepper", "Falcon", "Mango", "Anvil", "Panda", "Lagoon", "Ember", "Walrus", "Cactus", "Drum"}
	s := seed(1).item(i)
	a, b := first[s.below(len(first))], second[s.below(len(second))]
	t := token{
		mint:     s.address(),
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
	if s.below(10) < 6 { // three digits, for a holding worth up to thousands
		size := len(strconv.FormatUint(raw, 10)) - t.decimals
		t.price = strconv.Itoa(100+s.below(900)) + "e" + strconv.Itoa(min(s.below(4)-3-size, -1))
	}
	return t
}

// entry is a balance as it is sent. Unknown values are null in every other entry
// and absent in the rest.
func entry(i int, h holding) balance {
	t := h.token
	unknown := func(text string) json.RawMessage {
		switch {
		case text != "":
			return encode(text)
		case i%2 == 0:
			return null()
		}
		return nil
	}
	amount := units(h.raw, t.decimals)
	b := balance{native: h.native, zero: h.raw == 0}
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
	}{Mint: s.address(), Compressed: i%3 == 0}
	switch {
	case i%7 == 3:
		sent.Name, sent.Image, sent.Collection, sent.Address = null(), null(), null(), null()
	case i%7 != 5: // the others have no metadata
		names := [...]string{"Harbor Lights", "Night Owls", "Paper Boats"}
		group := seed(4).item(i % len(names))
		sent.Name = encode(names[i%len(names)] + " #" + strconv.Itoa(1+s.below(9999)))
		sent.Image = encode("https://nfts.solwire.test/" + sent.Mint + ".png")
		sent.Collection = encode(names[i%len(names)])
		sent.Address = encode(group.address())
	}
	return encode(sent)
}
