package main

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/examples/progress"
	"github.com/solwire/solwire-go/types"
)

// clean makes a name by a stranger fit for the page. The template escapes it.
func clean(name string) string { return progress.Printable(name, 32) }

// short returns the first and last characters of an address. Other addresses may have the
// same, so the page has the whole one as a title.
func short(a types.Address) string {
	switch s := string(a); {
	case a.IsNativeSOL():
		return "SOL"
	case len(s) > 12:
		return s[:4] + "…" + s[len(s)-4:]
	default:
		return clean(s)
	}
}

// sane reports whether a number of a stranger can be computed with: 1e9999 takes seconds.
func sane(d decimal.Decimal) bool {
	return d.Exponent() < 30 && d.Exponent() > -60 && d.NumDigits() < 80
}

// plain explains an error to someone who does not program. The log has the whole one.
func plain(err error) string {
	var api *types.APIError
	var link net.Error
	switch {
	case errors.Is(err, types.ErrUnauthorized):
		return "The service refuses the API key: check HELIUS_API_KEY."
	case errors.Is(err, types.ErrQuotaExceeded):
		return "The credits of the plan are used up."
	case errors.Is(err, types.ErrRateLimited):
		return "The service has had too many requests. Try again in a minute."
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return "The service did not answer in time. Try again."
	case errors.As(err, &api) && api.StatusCode >= 500:
		return "The service has a problem. Try again in a minute."
	case errors.As(err, &api):
		return "The service refuses the request: " + clean(api.Message)
	case errors.As(err, &link), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "The service cannot be reached: check the network."
	default:
		return "The answer of the service cannot be read."
	}
}

// plainWallet explains why a query has no wallet.
func plainWallet(query string, err error) string {
	switch {
	case errors.Is(err, types.ErrNotFound):
		return "No wallet has this name."
	case errors.Is(err, types.ErrInvalid) && len(query) > 80 && len(query) < 90:
		return "This looks like the signature of a transaction. Enter the address of a wallet, or a name such as toly.sol."
	case errors.Is(err, types.ErrInvalid):
		return "This is not the address of a wallet, which has 32 to 44 letters and digits, nor a name such as toly.sol."
	}
	return plain(err)
}

// money is an amount of US dollars.
func money(d decimal.Decimal) string {
	if !sane(d) {
		return "unknown"
	}
	if d.IsNegative() {
		return "-" + money(d.Neg())
	}
	return "$" + grouped(d.StringFixed(2))
}

// price is the price of a token, to four digits.
func price(d decimal.Decimal) string {
	if d.Abs().GreaterThanOrEqual(decimal.NewFromInt(1)) || d.IsZero() {
		return money(d)
	}
	return "$" + significant(d, 4).String()
}

// amount is an amount of tokens: the larger, the fewer decimals.
func amount(d decimal.Decimal) string {
	switch size := d.Abs(); {
	case !sane(d):
		return "unknown"
	case size.LessThan(decimal.NewFromInt(1)):
		return significant(d, 4).String()
	case size.LessThan(decimal.NewFromInt(10_000)):
		return grouped(d.Round(4).String())
	default:
		return grouped(d.Round(0).String())
	}
}

// significant rounds d to a number of digits that are not leading zeros.
func significant(d decimal.Decimal, digits int32) decimal.Decimal {
	return d.Round(digits - int32(d.NumDigits()) - d.Exponent())
}

// grouped writes the thousands of a number apart.
func grouped(number string) string {
	whole, fraction, found := strings.Cut(number, ".")
	for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if found {
		fraction = "." + fraction
	}
	return whole + fraction
}

// signed is an amount of tokens with its sign.
func signed(d decimal.Decimal) string {
	if d.IsNegative() {
		return "−" + amount(d.Neg())
	}
	return "+" + amount(d)
}

// utc is a time as the page shows it, until its script writes it in the time zone of the user.
func utc(t time.Time) string { return t.UTC().Format("2 Jan 2006, 15:04 UTC") }

// axis is a time as the axis of a chart shows it.
func axis(t time.Time, hours bool) string {
	if hours {
		return t.UTC().Format("15:04")
	}
	return t.UTC().Format("2 Jan")
}

// A label names a token or a wallet on the page.
type label struct{ Name, Kind string }

// setLabel remembers the label of an address, unless it has none.
func (d *dashboard) setLabel(a types.Address, name, kind string) {
	if name = clean(name); name != "" && !a.IsNativeSOL() {
		d.labels.Store(a, label{name, clean(kind)})
	}
}

// label returns the label of an address, which is the address in short if it has none.
func (d *dashboard) label(a types.Address) label {
	known, _ := d.labels.Load(a)
	if l, ok := known.(label); ok {
		return l
	}
	return label{Name: short(a)}
}
