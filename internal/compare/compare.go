// Package compare finds the members of some JSON that a Go value, decoded from it, lost or
// changed. It knows JSON and Go types, and no operation of the service.
package compare

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
)

// A Kind is how a value differs from its JSON.
type Kind string

// The kinds of differences.
const (
	Lost     Kind = "lost"     // the value does not hold a member or an element
	Changed  Kind = "changed"  // the value holds something else
	Invented Kind = "invented" // the value holds something where the JSON has null or nothing
	NewWord  Kind = "new word" // a text for which its type has no constant
)

// A Difference is one place where a value differs from its JSON.
type Difference struct {
	Path  string `json:"path"` // such as value.0.lamports; indexes of lists are numbers
	Kind  Kind   `json:"kind"`
	Wire  string `json:"wire"`  // the JSON, cut after 80 bytes; empty if it has nothing there
	Value string `json:"value"` // the value's part as JSON; empty if it has nothing there
}

func (d Difference) String() string {
	switch d.Kind {
	case Lost:
		return fmt.Sprintf("%s: %s is lost", d.Path, d.Wire)
	case NewWord:
		return fmt.Sprintf("%s: %s has no constant", d.Path, d.Wire)
	case Changed, Invented:
	}
	wire := d.Wire
	if wire == "" {
		wire = "nothing"
	}
	return fmt.Sprintf("%s: %s became %s", d.Path, wire, d.Value)
}

// Words reports whether a text is a constant of its type. It is asked for named string
// types only.
type Words func(t reflect.Type, text string) bool

// JSON compares a value with the JSON that it was decoded from. It returns where the two differ,
// and how many leaves the JSON has: texts, numbers, booleans and nulls. The value is compared
// as encoding/json writes it, under the names of its tags. Numbers are compared exactly, also a
// text of digits with a number, unless the type of the value is a string. An absent or null
// member equals the zero value, and a null member need not have a field. Words may be nil.
func JSON(wire []byte, value any, words Words) (leaves int, differences []Difference, err error) {
	w, err := decode(wire)
	if err != nil {
		return 0, nil, fmt.Errorf("compare: the JSON: %w", err)
	}
	text, err := json.Marshal(value)
	if err != nil {
		return 0, nil, fmt.Errorf("compare: the value: %w", err)
	}
	v, _ := decode(text) // it was just encoded
	c := comparison{words: words}
	c.compare("", w, v, reflect.ValueOf(value))
	return count(w), c.differences, nil
}

func decode(text []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

type comparison struct {
	words       Words
	differences []Difference
}

func (c *comparison) add(path string, kind Kind, wire, value any) {
	c.differences = append(c.differences, Difference{strings.TrimPrefix(path, "."), kind, short(wire), short(value)})
}

// absent is a member that a JSON object does not have.
type absent struct{}

// short returns a value as JSON, cut.
func short(v any) string {
	if v == (absent{}) {
		return ""
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // it was decoded from JSON
	text := strings.TrimSuffix(b.String(), "\n")
	if len(text) > 80 {
		return strings.ToValidUTF8(text[:80], "") + "…"
	}
	return text
}

// compare compares both sides at a path. The JSON named value was made from the Go value from, an
// invalid one below types that marshal themselves.
func (c *comparison) compare(path string, wire, value any, from reflect.Value) {
	from = plain(from)
	if wire == nil || wire == (absent{}) {
		isString := from.Kind() == reflect.String
		if !zero(value) || isString && value == "0" {
			c.add(path, Invented, wire, value)
		}
		return
	}
	switch w := wire.(type) {
	case map[string]any:
		c.object(path, w, value, from)
	case []any:
		c.list(path, w, value, from)
	default:
		c.scalar(path, w, value, from)
	}
}

func (c *comparison) object(path string, wire map[string]any, value any, from reflect.Value) {
	v, isObject := value.(map[string]any)
	if !isObject {
		c.mismatch(path, wire, value)
		return
	}
	fields := fieldsOf(from)
	for _, name := range slices.Sorted(maps.Keys(wire)) {
		below := path + "." + name
		member, holds := v[name]
		field, known := fields[name]
		switch {
		case holds:
			c.compare(below, wire[name], member, field)
		case known && omits(field, wire[name]), wire[name] == nil: // an unknown null says nothing
		default:
			c.add(below, Lost, wire[name], absent{})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if _, sent := wire[name]; !sent {
			c.compare(path+"."+name, absent{}, v[name], fields[name])
		}
	}
}

// omits reports whether wire is the value of an omitted field: null of a nil pointer, and the
// empty text of a string.
func omits(field reflect.Value, wire any) bool {
	switch {
	case wire == nil:
		return true
	case field.Kind() == reflect.Pointer && field.IsNil():
		return false
	case field.Kind() == reflect.String:
		return wire == ""
	}
	return zero(wire)
}

func (c *comparison) list(path string, wire []any, value any, from reflect.Value) {
	v, isList := value.([]any)
	if !isList {
		if len(wire) > 0 || !zero(value) { // null for no elements
			c.mismatch(path, wire, value)
		}
		return
	}
	for i, element := range wire {
		below := fmt.Sprint(path, ".", i)
		if i >= len(v) {
			c.add(below, Lost, element, absent{})
			continue
		}
		var elem reflect.Value
		if (from.Kind() == reflect.Slice || from.Kind() == reflect.Array) && i < from.Len() {
			elem = from.Index(i)
		}
		c.compare(below, element, v[i], elem)
	}
	for i := len(wire); i < len(v); i++ {
		c.add(fmt.Sprint(path, ".", i), Invented, absent{}, v[i])
	}
}

func (c *comparison) mismatch(path string, wire, value any) {
	kind := Changed
	if zero(value) {
		kind = Lost
	}
	c.add(path, kind, wire, value)
}

func (c *comparison) scalar(path string, wire, value any, from reflect.Value) {
	text, isText := wire.(string)
	isString := from.Kind() == reflect.String && from.Type() != reflect.TypeFor[json.Number]()
	switch {
	case wire == value:
	case isString && isText, !sameNumber(wire, value):
		c.add(path, Changed, wire, value)
		return
	}
	if isText && text != "" && isString && from.Type().PkgPath() != "" && c.words != nil && !c.words(from.Type(), text) {
		c.add(path, NewWord, wire, value)
	}
}

// count returns the number of leaves.
func count(wire any) (n int) {
	switch w := wire.(type) {
	case map[string]any:
		for _, member := range w {
			n += count(member)
		}
	case []any:
		for _, element := range w {
			n += count(element)
		}
	default:
		return 1
	}
	return n
}

// sameNumber reports whether two scalars are the same number, as a number or as a text.
func sameNumber(a, b any) bool {
	x, isNumber := number(a)
	y, isOther := number(b)
	return isNumber && isOther && x.Equal(y)
}

// number returns a JSON number, or a number in a JSON string. It is false for an exponent
// that would take long to expand.
func number(v any) (decimal.Decimal, bool) {
	switch v.(type) {
	case string, json.Number:
		d, err := decimal.NewFromString(fmt.Sprint(v))
		return d, err == nil && max(d.Exponent(), -d.Exponent()) < 2000
	}
	return decimal.Decimal{}, false
}

// zero reports whether JSON is null, empty, 0 or false, or has such members only.
func zero(v any) bool {
	switch v := v.(type) {
	case nil, absent:
		return true
	case bool:
		return !v
	case string:
		return v == "" || sameNumber(v, "0")
	case json.Number:
		return sameNumber(v, "0")
	case []any:
		return len(v) == 0
	case map[string]any:
		for _, member := range v {
			if !zero(member) {
				return false
			}
		}
		return true
	}
	return false
}

var (
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

// plain returns the value behind pointers and interfaces, invalid if it is nil or marshals
// itself.
func plain(v reflect.Value) reflect.Value {
	for v.IsValid() {
		t := v.Type()
		if t.Implements(jsonMarshaler) || t.Implements(textMarshaler) {
			return reflect.Value{}
		}
		if v.Kind() != reflect.Pointer && v.Kind() != reflect.Interface {
			return v
		}
		v = v.Elem()
	}
	return v
}

// fieldsOf returns the members of an object by the names of their tags, or by the keys of a map.
// It returns nil for a value that marshals itself.
func fieldsOf(v reflect.Value) map[string]reflect.Value {
	if !v.IsValid() {
		return nil
	}
	if v.Kind() == reflect.Map {
		members := map[string]reflect.Value{}
		for _, key := range v.MapKeys() {
			members[fmt.Sprint(key)] = v.MapIndex(key)
		}
		return members
	}
	fields := map[string]reflect.Value{}
	for _, f := range reflect.VisibleFields(v.Type()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		value, err := v.FieldByIndexErr(f.Index) // nil is embedded if it fails
		if err == nil && name != "-" && (name != "" || f.IsExported() && !f.Anonymous) {
			fields[cmp.Or(name, f.Name)] = value
		}
	}
	return fields
}
