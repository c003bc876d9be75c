package world

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/big"
	"slices"

	"github.com/solwire/solwire-go/types"
)

// The names of the token programs in the Wallet API.
const (
	spl       = "spl-token"
	token2022 = "token-2022"
)

const (
	tokenAccountSize = 165
	// MintSize is the number of bytes of a mint.
	MintSize = 82
)

// A Token is a mint.
type Token struct {
	Mint      string
	Symbol    string // may be empty
	Name      string
	Decimals  int
	Price     string // in USD; empty if unknown
	Token2022 bool
	Asset     *Asset // of an NFT

	accounts list[*TokenAccount]
	supply   uint64
	price    *big.Rat
	cents    float64 // of the price, to sort by
}

// IsNative reports whether t is native SOL.
func (t *Token) IsNative() bool { return t.Mint == SOL }

// Program returns the program that transfers t.
func (t *Token) Program() string {
	switch {
	case t.IsNative():
		return System
	case t.Token2022:
		return string(types.Token2022Program)
	}
	return string(types.TokenProgram)
}

// ProgramName returns the program as the Wallet API names it.
func (t *Token) ProgramName() string {
	if t.Token2022 {
		return token2022
	}
	return spl
}

// Supply returns the sum of all token accounts. The one of wrapped SOL is always 0.
func (t *Token) Supply() uint64 {
	if t.Mint == WrappedSOL {
		return 0
	}
	return t.supply
}

// Accounts returns the token accounts of a mint, sorted by address.
func (t *Token) Accounts() []*TokenAccount { return t.accounts.all() }

// Largest returns the twenty largest token accounts.
func (t *Token) Largest() []*TokenAccount {
	all := slices.Clone(t.Accounts())
	slices.SortFunc(all, func(a, b *TokenAccount) int {
		return cmp.Or(cmp.Compare(b.Amount, a.Amount), cmp.Compare(b.Address, a.Address))
	})
	return all[:min(len(all), 20)]
}

// PriceUSD returns the price of a whole token, nil if it is unknown.
func (t *Token) PriceUSD() *big.Rat {
	if t.price == nil && t.Price != "" {
		t.price, _ = new(big.Rat).SetString(t.Price)
		t.cents, _ = t.price.Float64()
	}
	return t.price
}

// Value returns what a holding is worth in USD, nil without a price.
func (h *Holding) Value() *big.Rat {
	price := h.Token.PriceUSD()
	if price == nil {
		return nil
	}
	return new(big.Rat).Mul(price, Units(h.Raw, h.Token.Decimals))
}

// IsNFT reports whether the token is an NFT, which is no balance.
func (t *Token) IsNFT() bool { return t.Asset != nil }

// Standard returns the standard of a token.
func (t *Token) Standard() string {
	if t.IsNFT() {
		return "NonFungible"
	}
	return "Fungible"
}

// Ranked returns the holdings of a wallet in the order of the Wallet API, native SOL, then tokens
// with a price by descending value, then tokens without a price, and the places of those to show.
func (w *World) Ranked(wallet string, zero, native bool) (all []*Holding, shown []int) {
	all = w.ranks.of(wallet, func() []*Holding { return w.wallets[wallet].ranked() })
	return all, w.places.of(fmt.Sprint("balances ", wallet, zero, native), func() (shown []int) {
		for i, h := range all {
			if (h.Raw > 0 || zero) && (!h.Token.IsNative() || native) {
				shown = append(shown, i)
			}
		}
		return shown
	})
}

func (x *Wallet) ranked() []*Holding {
	type ranked struct {
		*Holding
		class int
		value float64
	}
	var all []ranked
	for _, h := range x.Holdings() {
		r := ranked{Holding: h, class: 2}
		switch {
		case h.Token.IsNFT():
			continue
		case h.Token.IsNative():
			r.class = 0
		case h.Token.PriceUSD() != nil:
			r.class = 1
			r.value, _ = new(big.Float).SetUint64(h.Raw).Float64()
			for range h.Token.Decimals {
				r.value /= 10
			}
			r.value *= h.Token.cents
		}
		all = append(all, r)
	}
	slices.SortStableFunc(all, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(b.value, a.value))
	})
	holdings := make([]*Holding, len(all))
	for i, r := range all {
		holdings[i] = r.Holding
	}
	return holdings
}

// A TokenAccount is a token account.
type TokenAccount struct {
	Address    string
	Token      *Token
	Owner      string
	Delegate   string // may be empty
	Amount     uint64
	Delegated  uint64
	Frozen     bool
	Reserve    uint64 // the rent-exempt reserve of wrapped SOL; 0 for other tokens
	Closer     string // the close authority
	Extensions []Extension

	// What only hostile worlds have.
	MintGone  bool   // the mint was closed, so the account cannot be parsed
	UIText    string // the amounts as the mint tells a node to show them
	RentEpoch string // JSON; empty for the usual one, "-" for none
	NoSpace   bool   // as from an old node
}

// An Extension of a Token-2022 account, stored and parsed.
type Extension struct {
	Name  string
	Kind  uint16
	Data  []byte
	State string // JSON, or empty
}

// Data returns the account as the token program stores it.
func (a *TokenAccount) Data() []byte {
	order := binary.LittleEndian
	b := make([]byte, 0, tokenAccountSize)
	b = append(append(b, Key(a.Token.Mint)...), Key(a.Owner)...)
	b = order.AppendUint64(b, a.Amount)
	b = appendOption(b, a.Delegate)
	state := byte(1)
	if a.Frozen {
		state = 2
	}
	b = append(b, state)
	if a.Reserve > 0 {
		b = order.AppendUint64(order.AppendUint32(b, 1), a.Reserve)
	} else {
		b = append(b, make([]byte, 12)...)
	}
	b = order.AppendUint64(b, a.Delegated)
	b = appendOption(b, a.Closer)
	if len(a.Extensions) > 0 {
		b = append(b, 2) // an account, not a mint
		for _, e := range a.Extensions {
			b = order.AppendUint16(b, e.Kind)
			b = order.AppendUint16(b, uint16(len(e.Data)))
			b = append(b, e.Data...)
		}
	}
	return b
}

// appendOption adds an optional address.
func appendOption(b []byte, address string) []byte {
	if address == "" {
		return append(b, make([]byte, 36)...)
	}
	return append(binary.LittleEndian.AppendUint32(b, 1), Key(address)...)
}

// Space returns the number of bytes of the account.
func (a *TokenAccount) Space() int {
	if len(a.Extensions) == 0 {
		return tokenAccountSize
	}
	return len(a.Data())
}

// Lamports returns the SOL in the account.
func (a *TokenAccount) Lamports() uint64 { return a.LamportsWith(a.Amount) }

// LamportsWith returns the SOL in the account when it has an amount.
func (a *TokenAccount) LamportsWith(amount uint64) uint64 {
	if a.Reserve > 0 {
		return a.Reserve + amount
	}
	return Rent(a.Space())
}

// Data returns the account of a mint as the token program stores it.
func (t *Token) Data() []byte {
	b := make([]byte, MintSize)
	binary.LittleEndian.PutUint64(b[36:], t.Supply())
	b[44], b[45] = byte(t.Decimals), 1
	return b
}
