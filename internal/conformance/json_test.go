package conformance_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A value is a mutable JSON value that keeps numbers as text.
type value struct {
	text   string // of a number, a text with its quotes, true, false or null
	object map[string]*value
	list   []*value
	isList bool
	inList bool
}

// parse returns a JSON value, and an empty one of anything else.
func parse[T ~string | ~[]byte](text T) *value {
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	var decoded any
	if d.Decode(&decoded) != nil {
		return &value{}
	}
	return valueOf(decoded)
}

func valueOf(decoded any) *value {
	switch decoded := decoded.(type) {
	case map[string]any:
		v := &value{object: make(map[string]*value, len(decoded))}
		for name, member := range decoded {
			v.object[name] = valueOf(member)
		}
		return v
	case []any:
		v := &value{isList: true}
		for _, element := range decoded {
			v.list = append(v.list, valueOf(element))
			v.list[len(v.list)-1].inList = true
		}
		return v
	}
	text, _ := json.Marshal(decoded) // it was decoded from JSON
	return &value{text: string(text)}
}

func (v *value) clone() *value {
	c := *v
	c.object, c.list = maps.Clone(v.object), slices.Clone(v.list)
	for name, member := range c.object {
		c.object[name] = member.clone()
	}
	for i, element := range c.list {
		c.list[i] = element.clone()
	}
	return &c
}

func (v *value) String() string { return string(v.append(nil)) }

func (v *value) append(b []byte) []byte {
	switch {
	case v.object != nil:
		separator := byte('{')
		for _, name := range slices.Sorted(maps.Keys(v.object)) {
			quoted, _ := json.Marshal(name) // by strangers, with any characters
			b = v.object[name].append(append(append(append(b, separator), quoted...), ':'))
			separator = ','
		}
		if separator == '{' {
			b = append(b, '{')
		}
		return append(b, '}')
	case v.isList:
		b = append(b, '[')
		for i, element := range v.list {
			if i > 0 {
				b = append(b, ',')
			}
			b = element.append(b)
		}
		return append(b, ']')
	}
	return append(b, v.text...)
}

// walk calls f with every value below v and its path, such as result.value.0.lamports.
func (v *value) walk(path string, f func(string, *value)) {
	f(path, v)
	for name, member := range v.object {
		member.walk(strings.TrimPrefix(path+"."+name, "."), f)
	}
	for i, element := range v.list {
		element.walk(strings.TrimPrefix(fmt.Sprint(path, ".", i), "."), f)
	}
}

// at returns the value at a path, or nil.
func (v *value) at(path string) *value {
	at, _ := v.reach(path)
	return at
}

// reach returns the value at a path, and whether the lists on the way have it.
func (v *value) reach(path string) (*value, bool) {
	for name := range strings.SplitSeq(path, ".") {
		if v == nil {
			return nil, true
		}
		if i, err := strconv.Atoi(name); err == nil && v.isList {
			if i >= len(v.list) {
				return nil, false
			}
			if v = v.list[i]; v.isNull() {
				return v, false
			}
			continue
		}
		v = v.object[name]
	}
	return v, true
}

// set replaces the value at a path; "absent" removes the member.
func (v *value) set(path, text string) {
	before, name, nested := cutLast(path)
	parent := v
	if nested {
		parent = v.at(before)
	}
	if i, err := strconv.Atoi(name); err == nil && parent.isList {
		parent.list[i] = &value{text: text, inList: true}
		return
	}
	if text == "absent" {
		delete(parent.object, name)
		return
	}
	parent.object[name] = &value{text: text}
}

// with returns v as JSON with other values at some paths; "absent" removes members.
func (v *value) with(text string, paths ...string) string {
	c := v.clone()
	for _, path := range paths {
		c.set(path, text)
	}
	return c.String()
}

func cutLast(path string) (before, name string, nested bool) {
	i := strings.LastIndexByte(path, '.')
	if i < 0 {
		return "", path, false
	}
	return path[:i], path[i+1:], true
}

// isNumber reports whether v is an integer, also in a string.
func (v *value) isNumber() bool {
	digits := strings.Trim(v.text, `"`)
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

func (v *value) isNull() bool {
	return v.object == nil && !v.isList && (v.text == "null" || v.text == "")
}

// isWord reports whether v is a string other than a number.
func (v *value) isWord() bool {
	return strings.HasPrefix(v.text, `"`) && strings.Trim(v.text, `"-0123456789.`) != "" && !strings.HasSuffix(v.text, `="`)
}

// holds reports whether the result of r holds the value at a path of the response.
func (r row) holds(path string) bool {
	for name := range strings.SplitSeq(path, ".") {
		if strings.HasPrefix(name, "unknown") || slices.Contains(r.beside, name) {
			return false
		}
	}
	return r.answer == "" || path == r.answer || strings.HasPrefix(path, r.answer+".")
}
