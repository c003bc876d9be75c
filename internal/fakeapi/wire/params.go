package wire

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/solwire/solwire-go/internal/fakeapi/world"
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
	Members map[string]json.RawMessage
}

// object reads an object.
func (c *Call) object(raw json.RawMessage) *Params {
	members, isObject := Object(raw)
	p := &Params{c, members}
	if !isObject {
		p.Invalid("invalid type: %s, expected a map", Kind(raw))
	}
	return p
}

// Named reads the named parameters of the indexer. Unknown names are a mistake.
func (c *Call) Named(known ...string) *Params {
	p := c.object(c.Params)
	for _, name := range slices.Sorted(maps.Keys(p.Members)) {
		if !slices.Contains(known, name) {
			p.Invalid("unknown field `%s`, expected one of `%s`", name, strings.Join(known, "`, `"))
		}
	}
	return p
}

// Inner reads an object within another.
func (p *Params) Inner(name string) *Params { return p.object(p.Members[name]) }

// Options decodes the options in args, which may be empty or null.
func (c *Call) Options(args []json.RawMessage, into any) {
	if len(args) > 0 && string(args[0]) != "null" {
		c.Decode(args[0], into, false)
	}
}

// Has reports whether a member is given and not null.
func (p *Params) Has(name string) bool {
	raw, given := p.Members[name]
	return given && string(raw) != "null"
}

// Member returns a member of a kind. It is false if the member is absent.
func Member[T any](p *Params, name, kind string) (value T, given bool) {
	if given = p.Has(name); given && json.Unmarshal(p.Members[name], &value) != nil {
		p.Invalid("invalid type: %s, expected %s", Kind(p.Members[name]), kind)
	}
	return value, given
}

// Text returns a member that is text. It is false if the member is absent.
func (p *Params) Text(name string) (string, bool) { return Member[string](p, name, "a string") }

// Key returns a member that is base58 of 32 bytes.
func (p *Params) Key(name string, required bool) string {
	s, given := p.Text(name)
	if !given && required {
		p.Invalid("missing field `%s`", name)
	} else if s != "" {
		p.CheckKeys(s)
	}
	return s
}

// Keys returns a member that is a list of texts that are base58 of 32 bytes, nil if it is absent.
func (p *Params) Keys(name string) []string {
	all, _ := Member[[]string](p, name, "a sequence")
	p.CheckKeys(all...)
	return all
}

// CheckKeys refuses texts that are not base58 of 32 bytes, and too many of them.
func (c *Call) CheckKeys(all ...string) {
	if most := max(1, c.Facts.Inputs); len(all) > most {
		c.Invalid("Too many inputs. The maximum is %d", most)
	}
	for _, key := range all {
		if !world.IsAddress(key) {
			c.Invalid("%s is not base58 of 32 bytes: wrong size", key)
		}
	}
}

// Integer returns a member that is a whole number, written as such, and not
// negative. It is required.
func (p *Params) Integer(name string) uint64 {
	n, given := Member[uint64](p, name, "u64")
	if !given {
		p.Invalid("missing field `%s`", name)
	}
	return n
}

// Limit returns the size of a page.
func (p *Params) Limit() int {
	if !p.Has("limit") {
		return p.Facts.Items
	}
	n, most := p.Integer("limit"), uint64(p.Facts.Items)
	if n > most {
		p.Invalid("invalid value: integer `%d`, expected a value less than or equal to %d", n, most)
	}
	return int(min(n, most))
}

// A Slice is the requested part of each account's data.
type Slice struct{ Offset, Length uint64 }

// Of returns the requested part of data, cut at its end.
func (s *Slice) Of(data []byte) []byte {
	if s == nil {
		return data
	}
	end := uint64(len(data))
	first := min(s.Offset, end)
	return data[first : first+min(s.Length, end-first)]
}

// Kind describes a JSON value.
func Kind(raw json.RawMessage) string {
	switch {
	case len(raw) == 0:
		return "null"
	case raw[0] == '[':
		return "sequence"
	case raw[0] == '{':
		return "map"
	}
	return string(raw)
}
