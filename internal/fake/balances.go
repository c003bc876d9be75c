package fake

import (
	"cmp"
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// A balance is one entry of a wallet as it is sent, with its sort keys.
type balance struct {
	text   json.RawMessage
	value  *big.Rat // in USD; nil without a price
	native bool
	zero   bool
}

type pageNumbers struct {
	Page    int  `json:"page"`
	Limit   int  `json:"limit"`
	HasMore bool `json:"hasMore"`
}

func balances(s *Service, c *call) ([]byte, *refusal) {
	q := c.query
	page := q.integer("page", 1, 10_000_000)
	limit := q.integer("limit", 100, 100)
	zero := q.flag("showZeroBalance", false)
	native := q.flag("showNative", true)
	nfts := q.flag("showNfts", false)
	wallet, refused := c.wallet()
	if refused != nil {
		return nil, refused
	}

	var shown []balance
	for _, b := range s.entries(wallet) {
		if (zero || !b.zero) && (native || !b.native) {
			shown = append(shown, b)
		}
	}
	first := min((page-1)*limit, len(shown))
	last := min(first+limit, len(shown))
	result := struct {
		Balances   []json.RawMessage `json:"balances"`
		NFTs       []json.RawMessage `json:"nfts,omitzero"`
		Total      json.Number       `json:"totalUsdValue"`
		Pagination pageNumbers       `json:"pagination"`
	}{Balances: []json.RawMessage{}, Pagination: pageNumbers{page, limit, last < len(shown)}}
	total := new(big.Rat)
	for _, b := range shown[first:last] {
		result.Balances = append(result.Balances, b.text)
		if b.value != nil {
			total.Add(total, b.value)
		}
	}
	result.Total = number(total)
	if nfts {
		result.NFTs = []json.RawMessage{}
		if all := s.holder(wallet).nfts; page == 1 {
			result.NFTs = append(result.NFTs, all[:min(len(all), 100)]...)
		}
	}
	return encode(result), nil
}

// sortBalances puts native SOL first, then tokens with a price by descending
// value, then tokens without a price.
func sortBalances(all []balance) {
	slices.SortStableFunc(all, func(a, b balance) int {
		if a.native != b.native {
			return order(a.native)
		}
		if a.value == nil || b.value == nil {
			return cmp.Compare(order(a.value != nil), order(b.value != nil))
		}
		return b.value.Cmp(a.value)
	})
}

// order sorts true before false.
func order(first bool) int {
	if first {
		return -1
	}
	return 1
}

// units returns raw smallest units in whole tokens.
func units(raw uint64, decimals int) *big.Rat {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(raw), scale)
}

// number writes x, a decimal fraction, exactly. Like JavaScript it uses an
// exponent below a millionth.
func number(x *big.Rat) json.Number {
	text, decimals := plain(x)
	sign, digits := "", strings.TrimLeft(text, "-0.")
	if x.Sign() < 0 {
		sign = "-"
	}
	if exponent := decimals - len(digits) + 1; exponent > 6 && x.Sign() != 0 {
		text = sign + digits[:1]
		if len(digits) > 1 {
			text += "." + digits[1:]
		}
		text += "e-" + strconv.Itoa(exponent)
	}
	return json.Number(text)
}

// shown returns an amount for people: in whole tokens and without an exponent.
func shown(raw uint64, decimals int) string {
	text, _ := plain(units(raw, decimals))
	return text
}

// plain writes x, a decimal fraction, exactly and without an exponent, and
// returns its number of decimals.
func plain(x *big.Rat) (text string, decimals int) {
	decimals, _ = x.FloatPrec()
	return x.FloatString(decimals), decimals
}
