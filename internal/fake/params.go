package fake

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mr-tron/base58"
)

// object returns the members of a JSON object by their exact names.
func object(raw json.RawMessage) (map[string]json.RawMessage, bool) {
	if len(raw) == 0 || raw[0] != '{' {
		return nil, false
	}
	var members map[string]json.RawMessage
	err := json.Unmarshal(raw, &members)
	return members, err == nil
}

// params reads the members of an object and keeps the first mistake. An
// optional member that is null is the same as none.
type params struct {
	members map[string]json.RawMessage
	err     *rpcError
}

// named reads named parameters. Others than the known ones are a mistake.
func named(raw json.RawMessage, known ...string) *params {
	p := &params{}
	var isObject bool
	if p.members, isObject = object(raw); !isObject {
		p.invalidf("invalid type: %s, expected a map", kind(raw))
	}
	p.only(known...)
	return p
}

// only refuses members with other names.
func (p *params) only(known ...string) {
	for _, name := range slices.Sorted(maps.Keys(p.members)) {
		if !slices.Contains(known, name) {
			p.invalidf("unknown field `%s`, expected one of `%s`", name, strings.Join(known, "`, `"))
		}
	}
}

func (p *params) invalidf(format string, args ...any) {
	p.fail(&rpcError{code: -32602, message: fmt.Sprintf(format, args...)})
}

func (p *params) fail(e *rpcError) {
	if p.err == nil {
		p.err = e
	}
}

func (p *params) has(name string) bool {
	raw, given := p.members[name]
	return given && string(raw) != "null"
}

// text returns a member that is text, and false if there is none.
func (p *params) text(name string) (string, bool) {
	if !p.has(name) {
		return "", false
	}
	var s string
	if json.Unmarshal(p.members[name], &s) != nil {
		p.invalidf("invalid type: %s, expected a string", kind(p.members[name]))
	}
	return s, true
}

// key returns the text of a member that is base58 of 32 bytes.
func (p *params) key(name string, required bool) string {
	s, given := p.text(name)
	switch {
	case !given && required:
		p.invalidf("missing field `%s`", name)
	case given && !isAddress(s):
		p.invalidf("invalid value for `%s`: not base58 of 32 bytes", name)
	}
	return s
}

// integer returns a member that is a whole number, written as such, and not
// negative; it must be there.
func (p *params) integer(name string) uint64 {
	if !p.has(name) {
		p.invalidf("missing field `%s`", name)
		return 0
	}
	raw := p.members[name]
	n, err := strconv.ParseUint(string(raw), 10, 64)
	if err != nil {
		p.invalidf("invalid type: %s, expected u64", kind(raw))
	}
	return n
}

// limit returns the size of a page.
func (p *params) limit() int {
	if !p.has("limit") {
		return 1000
	}
	n := p.integer("limit")
	if n > 1000 {
		p.invalidf("invalid value: integer `%d`, expected a value less than or equal to 1000", n)
	}
	return int(min(n, 1000))
}

// A slice is the part of each account's data that is asked for.
type slice struct{ offset, length uint64 }

func (p *params) slice() *slice {
	if !p.has("dataSlice") {
		return nil
	}
	part := p.inner("dataSlice", p.members["dataSlice"], "offset", "length")
	s := &slice{part.integer("offset"), part.integer("length")}
	p.fail(part.err)
	return s
}

// inner reads an object within another. The service ignores members there that
// it does not know, such as an encoding that somebody counts on; they are a
// mistake here.
func (p *params) inner(name string, raw json.RawMessage, known ...string) *params {
	in := &params{}
	var isObject bool
	if in.members, isObject = object(raw); !isObject {
		in.invalidf("invalid type: %s, expected a map for `%s`", kind(raw), name)
	}
	in.only(known...)
	return in
}

// of returns the part of data that is asked for, which may be beyond its end.
func (s *slice) of(data []byte) []byte {
	if s == nil {
		return data
	}
	end := uint64(len(data))
	first := min(s.offset, end)
	return data[first : first+min(s.length, end-first)]
}

// kind names a JSON value as the service's decoder does.
func kind(raw json.RawMessage) string {
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

// unbase58 is base58.Decode, which refuses an empty text.
func unbase58(s string) ([]byte, error) {
	if s == "" {
		return nil, nil
	}
	return base58.Decode(s)
}
