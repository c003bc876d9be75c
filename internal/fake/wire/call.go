// Package wire is what the rooms of the fake have in common: calls, refusals, and the
// reading of parameters.
package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/solwire/solwire-go/internal/fake/world"
)

// An Operation answers a call.
type Operation func(*Call) (result []byte, refused *Refusal)

// Ops are operations that keep what they refuse in their calls. A result beside a refusal is not
// sent.
func Ops(answers map[string]func(*Call) []byte) map[string]Operation {
	all := map[string]Operation{}
	for name, answer := range answers {
		all[name] = func(c *Call) ([]byte, *Refusal) { result := answer(c); return result, c.Refused }
	}
	return all
}

// A Call is a request for an operation.
type Call struct {
	World   *world.World // locked
	Lenient bool         // accepts what the service accepts although it is a mistake
	Refused *Refusal     // the first one

	Params json.RawMessage          // of JSON-RPC
	Path   func(name string) string // the values of the placeholders in a route
	Query  *Query                   // of REST
	Body   []byte                   // of REST
	JSON   bool                     // whether the body is declared as JSON
}

// A Refusal is the reason why an operation fails. Each API words it differently.
type Refusal struct {
	Code    int // the HTTP status, or the code of JSON-RPC
	Message string
	Details string // text for REST, JSON for JSON-RPC
}

// BadRequest refuses a request to the Wallet API.
func BadRequest(details string) *Refusal {
	return &Refusal{http.StatusBadRequest, "Invalid request", details}
}

// Refuse keeps the first refusal.
func (c *Call) Refuse(r *Refusal) { c.Refused = cmp.Or(c.Refused, r) }

// Invalid refuses the parameters.
func (c *Call) Invalid(format string, args ...any) { c.Refuse(InvalidParams(format, args...)) }

// Null marks a member that is present without a value.
func Null() json.RawMessage { return json.RawMessage("null") }

// List reads parameters by position.
func (c *Call) List() ([]json.RawMessage, *Refusal) {
	var args []json.RawMessage
	if len(bytes.TrimSpace(c.Params)) > 0 && json.Unmarshal(c.Params, &args) != nil {
		return nil, InvalidParams("Invalid params: invalid type: %s, expected an array", Kind(c.Params))
	}
	return args, nil
}

// IsType reports whether a text can be a transaction type. The service has hundreds, and more
// to come.
func IsType(word string) bool {
	return word != "" && strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == ""
}
