package world

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/types"
)

const tokenAccountSize = 165

// A Token is a mint.
type Token struct {
	Mint      string
	Symbol    string // may be empty
	Name      string
	Decimals  int
	Price     string `json:"priceUsd"` // in USD; empty if unknown
	Token2022 bool
	Asset     *Asset // of an NFT

	supply uint64
	price  *decimal.Decimal
	cents  float64 // of the price, to sort by
}

// IsNative reports whether t is native SOL.
func (t *Token) IsNative() bool { return t.Mint == SOL }

// Program returns the token program of t.
func (t *Token) Program() string {
	if t.Token2022 {
		return string(types.Token2022Program)
	}
	return string(types.TokenProgram)
}

// ProgramName returns the program as the Wallet API names it.
func (t *Token) ProgramName() string {
	if t.Token2022 {
		return "token-2022"
	}
	return "spl-token"
}

// Supply returns the sum of all token accounts. The supply of wrapped SOL is always 0.
func (t *Token) Supply() uint64 {
	if t.Mint == WrappedSOL {
		return 0
	}
	return t.supply
}

// Largest returns the twenty largest token accounts of a mint.
func (w *World) Largest(t *Token) []*TokenAccount {
	all := w.TokenAccounts(Never, func(a *TokenAccount) bool { return a.Token == t })
	slices.SortFunc(all, func(a, b *TokenAccount) int {
		return cmp.Or(cmp.Compare(b.Amount, a.Amount), cmp.Compare(b.Address, a.Address))
	})
	return all[:min(len(all), 20)]
}

// PriceUSD returns the price of a whole token, nil if it is unknown.
func (t *Token) PriceUSD() *decimal.Decimal {
	if t.price == nil && t.Price != "" {
		price, _ := decimal.NewFromString(t.Price)
		t.price, t.cents = &price, price.InexactFloat64()
	}
	return t.price
}

// Value returns the value of a holding in USD, nil without a price.
func (h *Holding) Value() *decimal.Decimal {
	price := h.Token.PriceUSD()
	if price == nil {
		return nil
	}
	value := price.Mul(Units(h.Raw, h.Token.Decimals))
	return &value
}

// IsNFT reports whether the token is an NFT, which has no balance.
func (t *Token) IsNFT() bool { return t.Asset != nil }

// Standard returns the standard of a token.
func (t *Token) Standard() string {
	if t.IsNFT() {
		return "NonFungible"
	}
	return "Fungible"
}

// Ranked returns the holdings of a wallet in the order of the Wallet API: native SOL, tokens
// with a price by descending value, tokens without a price.
func (w *World) Ranked(wallet string, zero, native bool) []*Holding {
	return Keep(w, fmt.Sprint("ranked ", wallet, zero, native, w.IndexedSlot()), func() []*Holding {
		all := slices.DeleteFunc(w.Indexed(wallet), func(h *Holding) bool {
			return h.Token.IsNFT() || h.Raw == 0 && !zero || h.Token.IsNative() && !native
		})
		slices.SortStableFunc(all, func(a, b *Holding) int { return cmp.Compare(b.rank(), a.rank()) })
		return all
	})
}

// IndexedSlot returns the slot up to which the Wallet API and digital assets know balances.
func (w *World) IndexedSlot() uint64 { return w.SlotOf("processed") - w.BalanceLag }

// Indexed returns the holdings of a wallet as the Wallet API and digital assets know them, native
// SOL first, then in the order of the World.
func (w *World) Indexed(wallet string) (all []*Holding) {
	for _, h := range cmp.Or(w.wallets[wallet], new(Wallet)).order {
		then := *h
		then.Raw, _ = h.At(AfterSlot(w.IndexedSlot()))
		all = append(all, &then)
	}
	return all
}

func (h *Holding) rank() float64 {
	switch {
	case h.Token.IsNative():
		return math.Inf(1)
	case h.Token.PriceUSD() == nil:
		return -1
	}
	return float64(h.Raw) / math.Pow10(h.Token.Decimals) * h.Token.cents
}

// A TokenAccount is a token account.
type TokenAccount struct {
	Address    string
	Token      *Token
	Owner      string
	Delegate   string // may be empty
	Amount     uint64 `json:"rawAmount"`
	Delegated  uint64 `json:"delegatedAmount"`
	Frozen     bool
	Reserve    uint64 // the rent-exempt reserve of wrapped SOL; 0 for other tokens
	Closer     string // the close authority
	Extensions []Extension

	opened, closed *Transaction // that created and closed it, nil for none
}

// open reports whether an account was not closed.
func (a *TokenAccount) open() bool { return a.closed == nil }

// An Extension of a Token-2022 account, stored and parsed.
type Extension struct {
	Name  string
	Kind  uint16
	Data  []byte
	State string // JSON, or empty
}

// Data returns the account as the token program stores it.
func (a *TokenAccount) Data() []byte {
	state := byte(1)
	if a.Frozen {
		state = 2
	}
	b := pack(Key(a.Token.Mint), Key(a.Owner), a.Amount, option(a.Delegate), state,
		a.Reserve > 0, make([]byte, 3), a.Reserve, a.Delegated, option(a.Closer))
	if len(a.Extensions) > 0 {
		b = append(b, 2) // an account, not a mint
	}
	for _, e := range a.Extensions {
		b = append(b, pack(e.Kind, uint16(len(e.Data)), e.Data)...)
	}
	return b
}

// option is an optional address as the token program stores it.
func option(address string) []byte {
	if address == "" {
		return make([]byte, 36)
	}
	return pack(uint32(1), Key(address))
}

// Lamports returns the SOL in the account.
func (a *TokenAccount) Lamports() uint64 {
	if a.Reserve > 0 {
		return a.Reserve + a.Amount
	}
	return Rent(len(a.Data()))
}

// Data returns the account of a mint as the token program stores it.
func (t *Token) Data() []byte {
	return pack(option(""), t.Supply(), byte(t.Decimals), true, option(""))
}
