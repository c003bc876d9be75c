package decode

import (
	"bytes"
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
	instead  int          // the index of the member that may replace it, -1 for none
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
		if path := r.missing(&text{body: body}); path != "" {
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
			m := member{f.Index, name, f.Tag.Get("required"), requirementOf(f.Type, outer), -1}
			if !names[name] && (m.required != "" || m.inside != nil) {
				r.members = append(r.members, m)
			}
			names[name] = true
		}
		for i := range r.members {
			if m := &r.members[i]; m.required != "" && names[m.required] {
				if m.instead = r.find([]byte(m.required)); m.instead < 0 {
					m.instead = len(r.members)
					r.members = append(r.members, member{name: m.required, instead: -1})
				}
			}
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
			if m.required == "" && m.inside == nil {
				continue
			}
			var f reflect.Value
			var err error
			if len(m.index) == 1 { // faster
				f = v.Field(m.index[0])
			} else {
				f, err = v.FieldByIndexErr(m.index)
			}
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

// missing returns the path of a required member that the next value of t lacks, empty for none.
func (r *requirement) missing(t *text) string {
	if r.kind == reflect.Pointer {
		return r.element.missing(t)
	}
	list := r.kind == reflect.Slice || r.kind == reflect.Array
	switch first := t.next(); {
	case first == '[' && list:
		t.at++
		for i := 0; !t.closed(']'); i++ {
			if path := r.element.missing(t); path != "" {
				return "[" + strconv.Itoa(i) + "]" + path
			}
		}
		return ""
	case first == '{' && !list:
		t.at++
		return r.missingIn(t)
	case first == '{': // a list that may be sent as its only element
		return r.element.missing(t)
	case first == '[': // a list or an object with it
		for i := range r.members {
			if inside := r.members[i].inside; inside != nil && inside.kind == reflect.Slice {
				return inside.missing(t)
			}
		}
	}
	t.skip() // null, or what an UnmarshalJSON method takes
	return ""
}

// missingIn is missing for the rest of an object.
func (r *requirement) missingIn(t *text) string {
	has := make([]bool, len(r.members))
	filled := make([]bool, len(r.members))
	for !t.closed('}') {
		name := t.name()
		i, inside := -1, r.element // of a map
		if r.kind == reflect.Struct {
			if i = r.find(name); i < 0 {
				t.skip()
				continue
			}
			inside = r.members[i].inside
		}
		t.next()
		start := t.at
		if inside == nil {
			t.skip()
		} else if path := inside.missing(t); path != "" {
			return "." + string(name) + path
		}
		if i >= 0 {
			has[i], filled[i] = true, !empty(t.body[start:t.at])
		}
	}
	for i := range r.members {
		m := &r.members[i]
		switch {
		case m.required == "" || filled[i] || m.required == "nullable" && has[i]:
		case m.instead >= 0 && filled[m.instead]:
		default:
			return "." + m.name
		}
	}
	return ""
}

// find returns the index of a member, or -1. As the decoder, it ignores case.
func (r *requirement) find(name []byte) int {
	for i := range r.members {
		if own := r.members[i].name; len(name) == len(own) && (string(name) == own || strings.EqualFold(string(name), own)) {
			return i
		}
	}
	return -1
}

// empty reports whether a member is null or "".
func empty(raw []byte) bool { return string(raw) == "null" || string(raw) == `""` }

// A text is JSON that was decoded before, and a place in it.
type text struct {
	body []byte
	at   int
}

// next goes to the next character that is no white space and returns it, 0 at the end.
func (t *text) next() byte {
	for ; t.at < len(t.body); t.at++ {
		switch c := t.body[t.at]; c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	return 0
}

// closed goes past the end of an array or object, and reports whether it was there. Else it
// goes to the next element or name.
func (t *text) closed(end byte) bool {
	c := t.next()
	if c == ',' {
		t.at++
		c = t.next()
	}
	if c == end {
		t.at++
	}
	return c == end || c == 0
}

// name goes past a name and its colon.
func (t *text) name() []byte {
	start := t.at + 1
	t.skip()
	name := t.body[start:max(start, t.at-1)]
	if t.next() == ':' {
		t.at++
	}
	if bytes.IndexByte(name, '\\') >= 0 {
		var plain string
		_ = json.Unmarshal(t.body[start-1:start+len(name)+1], &plain)
		return []byte(plain)
	}
	return name
}

// skip goes past a value.
func (t *text) skip() {
	t.next()
	for depth := 0; t.at < len(t.body); {
		c := t.body[t.at]
		t.at++
		switch c {
		case '"':
			t.skipString()
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		default: // of a number or a word, or between values
			if t.at < len(t.body) && !ends(t.body[t.at]) {
				continue
			}
		}
		if depth <= 0 {
			return
		}
	}
}

// ends reports whether a character ends a number or a word.
func ends(c byte) bool {
	switch c {
	case ',', ':', ']', '}', ' ', '\t', '\r', '\n':
		return true
	}
	return false
}

// skipString goes past the end of a string.
func (t *text) skipString() {
	for t.at < len(t.body) {
		i := bytes.IndexByte(t.body[t.at:], '"')
		if i < 0 {
			t.at = len(t.body)
			return
		}
		t.at += i + 1
		escapes := 0
		for t.body[t.at-2-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return
		}
	}
}
