package transport

import (
	"net/url"
	"strings"
)

// An Op is the name of an operation: its Go method and its wire name, separated by
// a space.
//
//	compressed.Client.AccountsByOwner getCompressedAccountsByOwner
//	wallet.Client.Balances GET /v1/wallet/{wallet}/balances
//
// Argument errors start with the Go method, errors of requests and log records with
// the wire name. An Op is a constant, except that rpc.Client.Call makes one of a method
// name, in which it has looked for the key. So an Op never contains the key.
type Op string

// Method returns the Go method.
func (o Op) Method() string {
	method, _, _ := strings.Cut(string(o), " ")
	return method
}

// String returns the wire name: the JSON-RPC method, or the HTTP method and route.
func (o Op) String() string {
	_, wire, _ := strings.Cut(string(o), " ")
	return wire
}

// route returns the HTTP method and the path of a REST operation, its placeholders
// replaced by the escaped values.
func (o Op) route(values []string) (method, path string) {
	method, route, _ := strings.Cut(o.String(), " ")
	var b strings.Builder
	for _, value := range values {
		before, rest, _ := strings.Cut(route, "{")
		b.WriteString(before)
		b.WriteString(url.PathEscape(value))
		_, route, _ = strings.Cut(rest, "}")
	}
	return method, b.String() + route
}
