package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/solwire/solwire-go/internal/fake/world"
)

// Object returns the members of a JSON object. Their names are case-sensitive.
func Object(raw json.RawMessage) (map[string]json.RawMessage, bool) {
	if len(raw) == 0 || raw[0] != '{' {
		return nil, false
	}
	var members map[string]json.RawMessage
	err := json.Unmarshal(raw, &members)
	return members, err == nil
}

// Params reads the members of an object and refuses mistakes, in the words of the
// indexer. An optional member that is null counts as absent.
type Params struct {
	*Call
	doc     json.RawMessage // all parameters
	Members map[string]json.RawMessage
}

// object reads an object of a document. Unknown names are a mistake if it is strict.
func (c *Call) object(doc, raw json.RawMessage, strict bool, known []string) *Params {
	members, isObject := Object(raw)
	p := &Params{c, doc, members}
	if !isObject {
		p.Invalidf("", "invalid type: %s, expected a map", Kind(raw))
	}
	if strict {
		p.Only(known...)
	}
	return p
}

// Named reads the named parameters of the indexer. Unknown names are a mistake. The
// order is that in which the service also accepts a list, if c is lenient.
func (c *Call) Named(known ...string) *Params {
	var list []json.RawMessage
	if !c.Lenient || json.Unmarshal(c.Params, &list) != nil || len(list) > len(known) || list == nil {
		return c.object(c.Params, c.Params, true, known)
	}
	p := &Params{c, c.Params, map[string]json.RawMessage{}}
	for i, name := range known[:len(list)] {
		p.Members[name] = list[i]
	}
	return p
}

// Members returns the members of an object that is one of several parameters, none if it is
// absent. Unknown names are a mistake unless c is lenient.
func (c *Call) Members(args []json.RawMessage, known ...string) *Params {
	if len(args) == 0 || string(args[0]) == "null" {
		return &Params{Call: c}
	}
	if args[0][0] != '{' {
		c.Invalid("Invalid params: invalid type: %s, expected a map.", Kind(args[0]))
	}
	return c.object(nil, args[0], !c.Lenient, known)
}

// Inner reads an object within another. The service ignores unknown members there;
// here they are a mistake unless p is lenient, since the client that sends one
// counts on it.
func (p *Params) Inner(name string, known ...string) *Params {
	return p.object(p.doc, p.Members[name], !p.Lenient, known)
}

// Only refuses members with other names.
func (p *Params) Only(known ...string) {
	for _, name := range slices.Sorted(maps.Keys(p.Members)) {
		if !slices.Contains(known, name) {
			p.Invalidf(name, "unknown field `%s`, expected one of `%s`", name, strings.Join(known, "`, `"))
		}
	}
}

// InvalidParams refuses the parameters of a call.
func InvalidParams(format string, args ...any) *Refusal {
	return &Refusal{Code: -32602, Message: fmt.Sprintf(format, args...)}
}

// Invalidf refuses a member, or all parameters if its name is empty. Like the
// indexer it says where, which is the end of the member.
func (p *Params) Invalidf(name, format string, args ...any) {
	column := len(p.doc)
	if i := bytes.Index(p.doc, []byte(`"`+name+`":`)); name != "" && i >= 0 {
		column = i + len(name) + 3 + len(p.Members[name])
	}
	p.Invalid(format+" at line 1 column %d", append(args, column)...)
}

// Variant refuses a word that is not one of the known ones. Empty means the default.
func Variant(word string, known ...string) *Refusal {
	if word == "" || slices.Contains(known, word) {
		return nil
	}
	return InvalidParams("Invalid params: unknown variant `%s`, expected one of `%s`.", word, strings.Join(known, "`, `"))
}

// Options decodes the only one of args, which may be absent or null. Unknown members are a mistake
// unless c is lenient.
func (c *Call) Options(args []json.RawMessage, into any) {
	if len(args) > 0 && string(args[0]) != "null" {
		c.Decode(args[0], into, !c.Lenient)
	}
}

// Has reports whether a member is given and not null.
func (p *Params) Has(name string) bool {
	raw, given := p.Members[name]
	return given && string(raw) != "null"
}

// Text returns a member that is text. It is false if the member is absent.
func (p *Params) Text(name string) (string, bool) {
	if !p.Has(name) {
		return "", false
	}
	var s string
	if json.Unmarshal(p.Members[name], &s) != nil {
		p.Invalidf(name, "invalid type: %s, expected a string", Kind(p.Members[name]))
	}
	return s, true
}

// Key returns a member that is base58 of 32 bytes.
func (p *Params) Key(name string, required bool) string {
	s, given := p.Text(name)
	switch _, err := world.Unbase58(s); {
	case !given && required:
		p.Invalidf("", "missing field `%s`", name)
	case given && err != nil:
		p.Invalidf(name, "Invalid Base58 string")
	case given && !world.IsAddress(s):
		p.Invalidf(name, "String is the wrong size")
	}
	return s
}

// Integer returns a member that is a whole number, written as such, and not
// negative. It is required.
func (p *Params) Integer(name string) uint64 {
	if !p.Has(name) {
		p.Invalidf("", "missing field `%s`", name)
		return 0
	}
	raw := p.Members[name]
	n, err := strconv.ParseUint(string(raw), 10, 64)
	switch {
	case err != nil && raw[0] == '-':
		p.Invalidf(name, "invalid value: %s, expected u64", Kind(raw))
	case err != nil:
		p.Invalidf(name, "invalid type: %s, expected u64", Kind(raw))
	}
	return n
}

// Limit returns the size of a page.
func (p *Params) Limit() int {
	if !p.Has("limit") {
		return 1000
	}
	n := p.Integer("limit")
	if n > 1000 {
		p.Invalidf("limit", "invalid value: integer `%d`, expected a value less than or equal to 1000", n)
	}
	return int(min(n, 1000))
}

// Matches reports whether data has some bytes at an offset.
func Matches(data []byte, offset uint64, want []byte) bool {
	part := Slice{offset, uint64(len(want))}
	return bytes.Equal(part.Of(data), want)
}

// A Slice is the requested part of each account's data.
type Slice struct{ Offset, Length uint64 }

// Slice returns the member dataSlice, nil without one.
func (p *Params) Slice() *Slice {
	if !p.Has("dataSlice") {
		return nil
	}
	part := p.Inner("dataSlice", "offset", "length")
	return &Slice{part.Integer("offset"), part.Integer("length")}
}

// Of returns the requested part of data, which may be beyond its end.
func (s *Slice) Of(data []byte) []byte {
	if s == nil {
		return data
	}
	end := uint64(len(data))
	first := min(s.Offset, end)
	return data[first : first+min(s.Length, end-first)]
}

// Kind describes a JSON value in the words of the service's decoder.
func Kind(raw json.RawMessage) string {
	switch {
	case len(raw) == 0 || raw[0] == 'n':
		return "null"
	case raw[0] == '"':
		return "string " + string(raw)
	case raw[0] == '[':
		return "sequence"
	case raw[0] == '{':
		return "map"
	case raw[0] == 't' || raw[0] == 'f':
		return "boolean `" + string(raw) + "`"
	case strings.ContainsAny(string(raw), ".eE"):
		return "floating point `" + string(raw) + "`"
	}
	return "integer `" + string(raw) + "`"
}
