package world

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
)

// Units returns raw smallest units in whole tokens.
func Units(raw uint64, decimals int) *big.Rat {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(raw), scale)
}

// Number writes x, a decimal fraction, exactly. Like JavaScript it uses an exponent below
// a millionth.
func Number(x *big.Rat) json.Number {
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

// Text returns an amount for people: in whole tokens and without an exponent.
func Text(raw uint64, decimals int) string {
	digits := strconv.FormatUint(raw, 10)
	if decimals == 0 {
		return digits
	}
	if missing := decimals + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	whole, fraction := digits[:len(digits)-decimals], strings.TrimRight(digits[len(digits)-decimals:], "0")
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

// plain writes x, a decimal fraction, exactly and without an exponent, and returns its
// number of decimals.
func plain(x *big.Rat) (text string, decimals int) {
	decimals, _ = x.FloatPrec()
	return x.FloatString(decimals), decimals
}

// Encode returns v, a value of the fake, as JSON.
func Encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}
