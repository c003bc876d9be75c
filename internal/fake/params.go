package fake

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/types"
)

// object returns the members of a JSON object. Their names are case-sensitive.
func object(raw json.RawMessage) (map[string]json.RawMessage, bool) {
	if len(raw) == 0 || raw[0] != '{' {
		return nil, false
	}
	var members map[string]json.RawMessage
	err := json.Unmarshal(raw, &members)
	return members, err == nil
}

// params reads the members of an object and keeps the first mistake, in the words
// of the indexer. An optional member that is null counts as absent.
type params struct {
	doc     json.RawMessage // all parameters
	lenient bool            // ignores what the service ignores
	members map[string]json.RawMessage
	refused *refusal
}

// named reads the named parameters of the indexer. Unknown names are a mistake. The
// order is that in which the service also accepts a list, if s is lenient.
func (s *Service) named(raw json.RawMessage, known ...string) *params {
	p := &params{doc: raw, lenient: s.Lenient}
	var list []json.RawMessage
	if s.Lenient && json.Unmarshal(raw, &list) == nil && len(list) <= len(known) && list != nil {
		p.members = map[string]json.RawMessage{}
		for i, name := range known[:len(list)] {
			p.members[name] = list[i]
		}
		return p
	}
	members, isObject := object(raw)
	p.members = members
	if !isObject {
		p.invalidf("", "invalid type: %s, expected a map", kind(raw))
	}
	p.only(known...)
	return p
}

// inner reads an object within another. The service ignores unknown members there;
// here they are a mistake unless p is lenient, since the client that sends one
// counts on it.
func (p *params) inner(name string, raw json.RawMessage, known ...string) *params {
	members, isObject := object(raw)
	in := &params{doc: p.doc, lenient: p.lenient, members: members}
	if !isObject {
		in.invalidf(name, "invalid type: %s, expected a map for `%s`", kind(raw), name)
	}
	if !p.lenient {
		in.only(known...)
	}
	return in
}

// only refuses members with other names.
func (p *params) only(known ...string) {
	for _, name := range slices.Sorted(maps.Keys(p.members)) {
		if !slices.Contains(known, name) {
			p.invalidf(name, "unknown field `%s`, expected one of `%s`", name, strings.Join(known, "`, `"))
		}
	}
}

func invalidParams(format string, args ...any) *refusal {
	return &refusal{code: -32602, message: fmt.Sprintf(format, args...)}
}

// invalidf refuses a member, or all parameters if its name is empty. Like the
// indexer it says where, which is the end of the member.
func (p *params) invalidf(name, format string, args ...any) {
	column := len(p.doc)
	if i := bytes.Index(p.doc, []byte(`"`+name+`":`)); name != "" && i >= 0 {
		column = i + len(name) + 3 + len(p.members[name])
	}
	p.refuse(invalidParams(format+" at line 1 column %d", append(args, column)...))
}

// variant refuses a word that is not one of the known ones. Empty means the default.
func variant(word string, known ...string) *refusal {
	if word == "" || slices.Contains(known, word) {
		return nil
	}
	return invalidParams("Invalid params: unknown variant `%s`, expected one of `%s`.", word, strings.Join(known, "`, `"))
}

// options decodes the only one of args, which may be absent. Unknown members are a
// mistake unless s is lenient.
func (s *Service) options(args []json.RawMessage, into any) *refusal {
	if len(args) == 0 {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(args[0]))
	if !s.Lenient {
		decoder.DisallowUnknownFields()
	}
	if err := decoder.Decode(into); err != nil {
		return invalidParams("Invalid params: %s", err)
	}
	return nil
}

func (p *params) refuse(r *refusal) {
	if p.refused == nil {
		p.refused = r
	}
}

func (p *params) has(name string) bool {
	raw, given := p.members[name]
	return given && string(raw) != "null"
}

// text returns a member that is text. It is false if the member is absent.
func (p *params) text(name string) (string, bool) {
	if !p.has(name) {
		return "", false
	}
	var s string
	if json.Unmarshal(p.members[name], &s) != nil {
		p.invalidf(name, "invalid type: %s, expected a string", kind(p.members[name]))
	}
	return s, true
}

// key returns a member that is base58 of 32 bytes.
func (p *params) key(name string, required bool) string {
	s, given := p.text(name)
	switch _, err := unbase58(s); {
	case !given && required:
		p.invalidf("", "missing field `%s`", name)
	case given && err != nil:
		p.invalidf(name, "Invalid Base58 string")
	case given && !isAddress(s):
		p.invalidf(name, "String is the wrong size")
	}
	return s
}

// integer returns a member that is a whole number, written as such, and not
// negative. It is required.
func (p *params) integer(name string) uint64 {
	if !p.has(name) {
		p.invalidf("", "missing field `%s`", name)
		return 0
	}
	raw := p.members[name]
	n, err := strconv.ParseUint(string(raw), 10, 64)
	switch {
	case err != nil && raw[0] == '-':
		p.invalidf(name, "invalid value: %s, expected u64", kind(raw))
	case err != nil:
		p.invalidf(name, "invalid type: %s, expected u64", kind(raw))
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
		p.invalidf("limit", "invalid value: integer `%d`, expected a value less than or equal to 1000", n)
	}
	return int(min(n, 1000))
}

// A slice is the requested part of each account's data.
type slice struct{ offset, length uint64 }

func (p *params) slice() *slice {
	if !p.has("dataSlice") {
		return nil
	}
	part := p.inner("dataSlice", p.members["dataSlice"], "offset", "length")
	s := &slice{part.integer("offset"), part.integer("length")}
	p.refuse(part.refused)
	return s
}

// of returns the requested part of data, which may be beyond its end.
func (s *slice) of(data []byte) []byte {
	if s == nil {
		return data
	}
	end := uint64(len(data))
	first := min(s.offset, end)
	return data[first : first+min(s.length, end-first)]
}

// kind describes a JSON value in the words of the service's decoder.
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

// unbase58 is base58.Decode for texts that may be empty.
func unbase58(s string) ([]byte, error) {
	if s == "" {
		return nil, nil
	}
	return base58.Decode(s)
}

func isAddress(s string) bool {
	_, err := types.ParseAddress(s)
	return err == nil
}
