package decode

import (
	stdjson "encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/goccy/go-json"
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
// An object must have such a member, and it must not be null or "". It may be so with
// required:"nullable", and missing with the name of another member that the object has.
type requirement struct {
	kind    reflect.Kind
	members []member     // of a struct
	element *requirement // of a list, a map or a pointer
}

type member struct {
	index    []int // of the field
	name     string
	required string       // the tag
	inside   *requirement // nil for none
}

var requirements sync.Map // by type; nil for a type without required members

// checkRequired returns an error if a required member of v is missing in the body from which v
// was decoded. Only a member that reads 0 can be missing, so the body is rarely read again.
func checkRequired(body []byte, v any) error {
	t := reflect.TypeOf(v)
	known, ok := requirements.Load(t)
	if !ok {
		known, _ = requirements.LoadOrStore(t, requirementOf(t, nil))
	}
	if r, _ := known.(*requirement); r != nil && r.readsZero(reflect.ValueOf(v)) {
		if path := r.missing(body); path != "" {
			return MissingError{strings.TrimPrefix(path, ".")}
		}
	}
	return nil
}

// requirementOf returns the requirement of a type inside of others, nil for none.
func requirementOf(t reflect.Type, outer []reflect.Type) *requirement {
	if slices.Contains(outer, t) { // recursive
		return nil
	}
	outer = append(outer, t)
	r := &requirement{kind: t.Kind()}
	switch r.kind {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		r.element = requirementOf(t.Elem(), outer)
	case reflect.Struct:
		fields := reflect.VisibleFields(t)
		slices.SortStableFunc(fields, func(a, b reflect.StructField) int { return len(a.Index) - len(b.Index) })
		names := map[string]bool{"": true} // an outer field hides one inside of an embedded struct
		for _, f := range fields {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			m := member{f.Index, name, f.Tag.Get("required"), requirementOf(f.Type, outer)}
			if !names[name] && (m.required != "" || m.inside != nil) {
				r.members = append(r.members, m)
			}
			names[name] = true
		}
	}
	if r.members == nil && r.element == nil {
		return nil
	}
	return r
}

// readsZero reports whether a required member of v is 0.
func (r *requirement) readsZero(v reflect.Value) bool {
	switch r.kind {
	case reflect.Pointer:
		return !v.IsNil() && r.element.readsZero(v.Elem())
	case reflect.Map:
		for entries := v.MapRange(); entries.Next(); {
			if r.element.readsZero(entries.Value()) {
				return true
			}
		}
	case reflect.Struct:
		for i := range r.members {
			m := &r.members[i]
			f, err := v.FieldByIndexErr(m.index)
			if err == nil && (m.required != "" && f.IsZero() || m.inside != nil && m.inside.readsZero(f)) {
				return true
			}
		}
	default:
		for i := range v.Len() {
			if r.element.readsZero(v.Index(i)) {
				return true
			}
		}
	}
	return false
}

// missing returns the path of the first required member that raw lacks, empty for none.
func (r *requirement) missing(raw []byte) string {
	switch {
	case string(raw) == "null":
		return ""
	case r.kind == reflect.Pointer:
		return r.element.missing(raw)
	}
	if r.kind == reflect.Slice || r.kind == reflect.Array {
		var list []json.RawMessage
		_ = json.Unmarshal(raw, &list) // it was decoded before
		for i, element := range list {
			if path := r.element.missing(element); path != "" {
				return "[" + strconv.Itoa(i) + "]" + path
			}
		}
		return ""
	}
	var object map[string]stdjson.RawMessage
	if json.Unmarshal(raw, &object) != nil { // of an UnmarshalJSON method that takes it
		return ""
	}
	members := r.members
	if r.kind == reflect.Map {
		for name := range object {
			members = append(members, member{name: name, inside: r.element})
		}
	}
	for name, value := range object { // as the decoder takes them
		object[strings.ToLower(name)] = value
	}
	for _, m := range members {
		value, has := object[strings.ToLower(m.name)]
		if m.required != "" && empty(value) && (!has || m.required != "nullable") && empty(object[m.required]) {
			return "." + m.name
		}
		if has && m.inside != nil {
			if path := m.inside.missing(value); path != "" {
				return "." + m.name + path
			}
		}
	}
	return ""
}

// empty reports whether a member is missing, null or "".
func empty(raw stdjson.RawMessage) bool {
	text := string(raw)
	return text == "" || text == "null" || text == `""`
}
