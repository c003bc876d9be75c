package transport

import (
	"net/url"
	"strings"
)

// An Op is an operation, made once for each Go method. It never contains the key: its
// texts are constants, and rpc.Client.Call has looked for the key in the wire name that it
// was given.
type Op struct {
	Method string // the Go method, such as wallet.Client.Balances; argument errors start with it
	Wire   string // JSON-RPC method, or HTTP method and route; other errors start with it
	Lasts  int    // code of a refusal that lasts here, unlike elsewhere; not retried; 0 for none
}

// String returns the wire name.
func (o Op) String() string { return o.Wire }

// route returns the HTTP method and the path of a REST operation, its placeholders
// replaced by the escaped values.
func (o Op) route(values []string) (method, path string) {
	method, route, _ := strings.Cut(o.Wire, " ")
	var b strings.Builder
	for _, value := range values {
		before, rest, _ := strings.Cut(route, "{")
		b.WriteString(before)
		b.WriteString(url.PathEscape(value))
		_, route, _ = strings.Cut(rest, "}")
	}
	return method, b.String() + route
}
