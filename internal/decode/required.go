package decode

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	fast "github.com/goccy/go-json"
)

// A MissingError is a value without a member that all of its kind have.
type MissingError struct{ Member string } // a name, or a path from the start of the body

// Error names the member.
func (e MissingError) Error() string {
	return "the response has no " + e.Member[strings.LastIndexByte(e.Member, '.')+1:]
}

// A requirement is where a type has members with the tag required, such as
//
//	Lamports uint64 `json:"lamports" required:"true"`
//
// An object must have such a member, and it must not be null, "null" or "". It may be so with
// required:"nullable", and missing with the name of another member that the object has.
type requirement struct {
	members []member     // of a struct
	element *requirement // of a list
	sent    reflect.Type // decodes to these members alone, as json.RawMessage
}

type member struct {
	index    []int // of the field
	name     string
	required string       // the tag
	raw      bool         // a json.RawMessage
	inside   *requirement // nil for none
}

// A check finds the missing members of a type; both are nil without required members.
type check struct{ value, sent *requirement }

var checks sync.Map // by type

// checkRequired returns an error if a required member of v is missing in the body from which v
// was decoded. Only a member that reads 0 can be missing, so the body is rarely read again.
func checkRequired(body []byte, v any) error {
	t := reflect.TypeOf(v)
	known, ok := checks.Load(t)
	if !ok {
		c := check{value: requirementOf(t, nil)}
		if c.value != nil {
			c.sent = requirementOf(c.value.sent, nil)
		}
		known, _ = checks.LoadOrStore(t, c)
	}
	c, _ := known.(check)
	if c.value == nil || c.value.missing(reflect.ValueOf(v)) == "" {
		return nil
	}
	sent := reflect.New(c.value.sent)
	if fast.Unmarshal(body, sent.Interface()) == nil { // not in a form that an UnmarshalJSON method takes
		if path := c.sent.missing(sent); path != "" {
			return MissingError{strings.TrimPrefix(path, ".")}
		}
	}
	return nil
}

var rawType = reflect.TypeFor[json.RawMessage]()

// requirementOf returns the requirement of a type inside of others, nil for none.
func requirementOf(t reflect.Type, outer []reflect.Type) *requirement {
	if slices.Contains(outer, t) { // recursive
		return nil
	}
	outer = append(outer, t)
	switch t.Kind() {
	case reflect.Pointer:
		return requirementOf(t.Elem(), outer)
	case reflect.Slice, reflect.Array:
		if element := requirementOf(t.Elem(), outer); element != nil {
			sent := element.sent
			if t.Elem().Kind() == reflect.Struct { // where null is a zero struct
				sent = sent.Elem()
			}
			return &requirement{element: element, sent: reflect.SliceOf(sent)}
		}
	case reflect.Struct:
		fields := reflect.VisibleFields(t)
		slices.SortStableFunc(fields, func(a, b reflect.StructField) int { return len(a.Index) - len(b.Index) })
		names := map[string]bool{"": true} // an outer field hides one inside of an embedded struct
		var all, members []member
		for _, f := range fields {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if !names[name] {
				all = append(all, member{f.Index, name, f.Tag.Get("required"), f.Type == rawType, requirementOf(f.Type, outer)})
			}
			names[name] = true
		}
		var sent []reflect.StructField
		for _, m := range all {
			if m.required == "" && m.inside == nil && !slices.ContainsFunc(all, func(o member) bool { return o.required == m.name }) {
				continue
			}
			f := reflect.StructField{Name: "M" + strconv.Itoa(len(sent)), Type: rawType}
			f.Tag = reflect.StructTag(fmt.Sprintf("json:%q required:%q", m.name, m.required))
			if m.inside != nil {
				f.Type = m.inside.sent
			}
			members, sent = append(members, m), append(sent, f)
		}
		if members != nil {
			return &requirement{members: members, sent: reflect.PointerTo(reflect.StructOf(sent))}
		}
	}
	return nil
}

// missing returns the path of a required member that v lacks, empty for none.
func (r *requirement) missing(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			return r.missing(v.Elem())
		}
	case reflect.Struct:
		for i := range r.members {
			m := &r.members[i]
			var f reflect.Value
			var err error
			if len(m.index) == 1 { // faster
				f = v.Field(m.index[0])
			} else if f, err = v.FieldByIndexErr(m.index); err != nil {
				continue
			}
			if m.required != "" && m.empty(f) && (m.required != "nullable" || f.IsZero()) && !r.replaced(m, v) {
				return "." + m.name
			}
			if m.inside != nil {
				if path := m.inside.missing(f); path != "" {
					return "." + m.name + path
				}
			}
		}
	default:
		for i := range v.Len() {
			if path := r.element.missing(v.Index(i)); path != "" {
				return "[" + strconv.Itoa(i) + "]" + path
			}
		}
	}
	return ""
}

// replaced reports whether a struct has the member that may stand in for m.
func (r *requirement) replaced(m *member, v reflect.Value) bool {
	i := slices.IndexFunc(r.members, func(o member) bool { return o.name == m.required })
	return i >= 0 && !r.members[i].empty(v.FieldByIndex(r.members[i].index))
}

// empty reports whether a member is 0, null, "null" or "".
func (m *member) empty(v reflect.Value) bool {
	if m.raw {
		text := string(v.Bytes())
		return text == "" || text == "null" || text == `"null"` || text == `""`
	}
	return v.IsZero()
}
