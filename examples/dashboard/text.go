package main

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"

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

// refusal explains why a query has no wallet, with the status of its page.
func refusal(query string, err error) (text string, status int) {
	switch {
	case errors.Is(err, types.ErrNotFound):
		return "No wallet has this name.", http.StatusNotFound
	case errors.Is(err, types.ErrInvalid) && len(query) > 80 && len(query) < 90:
		return "This looks like the signature of a transaction.", http.StatusBadRequest
	case errors.Is(err, types.ErrInvalid):
		return "This is not the address of a wallet.", http.StatusBadRequest
	}
	return plain(err), http.StatusBadGateway
}

// money is an amount of US dollars.
func money(d decimal.Decimal) string { return "$" + grouped(d.StringFixed(2)) }

// amount is an amount of tokens, or a price: the larger, the fewer decimals.
func amount(d decimal.Decimal) string {
	switch size := d.Abs(); {
	case size.LessThan(decimal.NewFromInt(1)):
		return d.Round(4 - int32(d.NumDigits()) - d.Exponent()).String() // without leading zeros
	case size.LessThan(decimal.NewFromInt(10_000)):
		return grouped(d.Round(4).String())
	default:
		return grouped(d.Round(0).String())
	}
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

// sign writes a number with its sign.
func sign(d decimal.Decimal, write func(decimal.Decimal) string) string {
	if d.IsNegative() {
		return "−" + write(d.Neg())
	}
	return "+" + write(d)
}

// signed is an amount of tokens with its sign.
func signed(d decimal.Decimal) string { return sign(d, amount) }

// setLabel remembers the name of a wallet or a token, unless it is empty.
func (d *dashboard) setLabel(a types.Address, name string) {
	if name = clean(name); name != "" && !a.IsNativeSOL() {
		d.labels.Store(a, name)
	}
}

// label returns the name of an address, or the address in short.
func (d *dashboard) label(a types.Address) any {
	if name, known := d.labels.Load(a); known {
		return name
	}
	return short(a)
}
