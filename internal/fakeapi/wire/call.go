// Package wire has the calls and refusals of all packages of the fake, and reads parameters.
package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/solwire/solwire-go/internal/facts"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
)

// An Operation answers a call. A refusal is kept in the call, and then the result is not sent.
type Operation func(*Call) []byte

// A Call is a request for an operation.
type Call struct {
	World   *world.World    // locked
	Agave42 bool            // the node is of version 4.2, not 4.4
	Facts   facts.Operation // documented by the service
	Refused *Refusal        // the first one

	Params json.RawMessage          // of JSON-RPC
	Path   func(name string) string // the values of the placeholders in a route
	Query  *Query                   // of REST
	Body   []byte                   // of REST
}

// A Refusal is the reason why an operation fails. Each API words it differently.
type Refusal struct {
	Code    int // the HTTP status, or the code of JSON-RPC
	Message string
	Details string // text for REST, JSON for JSON-RPC
}

// Refuse keeps the first refusal.
func (c *Call) Refuse(r *Refusal) { c.Refused = cmp.Or(c.Refused, r) }

// Fail refuses the call.
func (c *Call) Fail(code int, format string, args ...any) {
	c.Refuse(&Refusal{Code: code, Message: fmt.Sprintf(format, args...)})
}

// Invalid refuses the parameters.
func (c *Call) Invalid(format string, args ...any) {
	if c.Query == nil {
		c.Fail(-32602, format, args...)
	} else { // REST
		c.Fail(http.StatusBadRequest, strings.TrimPrefix(format, "Invalid params: "), args...)
	}
}

// OneOf refuses a word that is not one of the known ones. Empty means the default.
func (c *Call) OneOf(word string, known ...string) {
	if word != "" && !slices.Contains(known, word) {
		c.Invalid("Invalid params: unknown variant `%s`, expected one of `%s`.", word, strings.Join(known, "`, `"))
	}
}

// InContext is a result with its slot.
func InContext(slot uint64, value any) json.RawMessage {
	return world.JSON(`{"context":{"slot":?},"value":?}`, slot, value)
}

// List reads parameters by position.
func (c *Call) List() (args []json.RawMessage) {
	if len(bytes.TrimSpace(c.Params)) > 0 && json.Unmarshal(c.Params, &args) != nil {
		c.Invalid("Invalid params: invalid type: %s, expected an array", Kind(c.Params))
	}
	return args
}

// Decode decodes an object. Unknown members are a mistake if it is strict, and so are texts that
// are not in the tag oneof.
func (c *Call) Decode(raw []byte, into any, strict bool) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	if strict {
		decoder.DisallowUnknownFields()
	}
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || raw[0] != '{' {
		c.Invalid("Invalid params: invalid type: %s, expected a map", Kind(raw))
	} else if err := decoder.Decode(into); err != nil {
		c.Invalid("Invalid params: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	c.words(reflect.ValueOf(into).Elem())
}

// words refuses texts that are not in the tag of their field.
func (c *Call) words(v reflect.Value) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if known, has := f.Tag.Lookup("oneof"); has {
			c.OneOf(v.Field(i).String(), strings.Fields(known)...)
		} else if f.Type.Kind() == reflect.Struct {
			c.words(v.Field(i))
		}
	}
}

// IsType reports whether a text can be a transaction type. The service has hundreds, and more
// to come.
func IsType(word string) bool {
	return word != "" && strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == ""
}
