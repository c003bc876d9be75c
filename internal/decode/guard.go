package decode

import (
	"bytes"
	"encoding"
	stdjson "encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/shopspring/decimal"
)

// maxText limits the length of a string. The longest real one is an account of 10 MiB
// in base64. Decoding takes three times the length.
const maxText = 24 << 20

// longText reports whether body has a string of more than maxText bytes.
func longText(body []byte) bool {
	for i := 0; len(body)-i > maxText; {
		start := bytes.IndexByte(body[i:], '"')
		if start < 0 {
			return false
		}
		start += i
		if i = endOfText(body, start) + 1; i-start > maxText {
			return true
		}
	}
	return false
}

// A cost is the memory that decoding into a type may take.
type cost struct {
	elements []element // by the depth of nested arrays; the last one is also for all deeper ones
	largest  element   // the maximum of each
	maps     bool      // whether the type contains a map or an any
	anys     bool      // whether the type contains an any

	// openDecimals is whether it contains a decimal that is not inside a type with its own
	// UnmarshalJSON. Those of this module limit the length of their numbers.
	openDecimals bool

	// foreign is whether it contains a type with its own decoding that is not of this
	// module, which may decode a text as a number.
	foreign bool
}

// An element is the memory in bytes that an array element takes, the largest of all
// arrays at a depth.
type element struct {
	object uint64
	null   uint64
	misfit uint64 // another value where the type wants an object; 0 when it never does
}

func (e element) max(other element) element {
	return element{max(e.object, other.object), max(e.null, other.null), max(e.misfit, other.misfit)}
}

const (
	allowance  = 8 << 20  // bytes that any response may take
	scalarCost = 8        // of a number in an array; a string costs 16, but also has two quotes
	anyCost    = 64       // of an element that becomes an any
	maxNesting = 10_000   // the limit of the decoder
	maxMembers = 1 << 20  // of objects that become maps, which take about 190 bytes each
	maxMisfits = 64 << 20 // bytes for elements that may not be objects where the type wants objects
)

// exceeds reports whether the decoded values would take far more memory than body. In
// real responses they take less: 600 bytes of JSON become a token account of 450
// bytes. But {} and null in an array become one, too.
func (c *cost) exceeds(body []byte) bool {
	if c.maps && bytes.Count(body, []byte(":")) > maxMembers && c.scan(body) {
		return true
	}
	if len(c.elements) == 0 {
		return false
	}
	// Cheap upper bounds settle most bodies; the others are scanned.
	commas := uint64(bytes.Count(body, []byte(",")))
	return (commas*scalarCost > c.scalarLimit(body) || commas*c.largest.misfit > 3*maxMisfits ||
		commas*c.largest.null > maxMisfits && uint64(bytes.Count(body, []byte("null")))*c.largest.null > maxMisfits ||
		commas*c.largest.object > c.objectLimit(body) && uint64(bytes.Count(body, []byte("{")))*c.largest.object > c.objectLimit(body)) && c.scan(body)
}

func (c *cost) objectLimit(body []byte) uint64 { return uint64(2*allowance + len(body)/2*3) }
func (c *cost) scalarLimit(body []byte) uint64 { return uint64(allowance + len(body)/4) }

// misfitLimit grows with body: where a type has arrays of objects and of strings at one
// depth, the strings count as misfits. Those of a transaction cost up to 3.4 times its JSON.
func (c *cost) misfitLimit(body []byte) uint64 { return uint64(maxMisfits + 4*len(body)) }

// scan adds up the cost of all array elements.
func (c *cost) scan(body []byte) bool {
	var (
		open             []bool // the open containers: true for arrays
		lists            int    // the number of open arrays
		objects, scalars uint64 // bytes
		misfits          uint64 // bytes; the decoder makes room for all such elements before it fails
		members          int
	)
	add := func(sign byte) {
		if len(open) == 0 || !open[len(open)-1] || len(c.elements) == 0 {
			return
		}
		at := c.elements[min(lists, len(c.elements))-1]
		switch sign {
		case '{':
			objects += at.object
		case 'n':
			objects += at.null
		default:
			scalars += scalarCost
			if lists <= len(c.elements) {
				misfits += at.misfit
			}
		}
	}
	for i := 0; i < len(body); i++ {
		switch b := body[i]; b {
		case ' ', '\t', '\r', '\n', ',':
		case ':':
			members++
		case '{', '[':
			add(b)
			open = append(open, b == '[')
			if b == '[' {
				lists++
			}
			if len(open) > maxNesting {
				return false // the decoder refuses the body
			}
		case '}', ']':
			if len(open) > 0 && open[len(open)-1] {
				lists--
			}
			open = open[:max(0, len(open)-1)]
		case '"':
			add(b)
			i = endOfText(body, i)
		default:
			add(b)
			for i+1 < len(body) && strings.IndexByte(" \t\r\n,:{}[]\"", body[i+1]) < 0 {
				i++
			}
		}
		if objects > c.objectLimit(body) || scalars > c.scalarLimit(body) || misfits > c.misfitLimit(body) || c.maps && members > maxMembers {
			return true
		}
	}
	return false
}

var costs sync.Map // of reflect.Type: *cost

// costOf returns the cost of the type v points to.
func costOf(v any) *cost {
	t := reflect.TypeOf(v)
	if known, ok := costs.Load(t); ok {
		return known.(*cost) //nolint:forcetypeassert,errcheck // nothing else is stored there
	}
	c := new(cost)
	c.add(t, 0, nil)
	costs.Store(t, c)
	return c
}

var (
	decimalType     = reflect.TypeFor[decimal.Decimal]()
	nullDecimalType = reflect.TypeFor[decimal.NullDecimal]()
	timeType        = reflect.TypeFor[time.Time]()
	rawType         = reflect.TypeFor[stdjson.RawMessage]()
	unmarshalerType = reflect.TypeFor[stdjson.Unmarshaler]()

	textUnmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// decodesItself reports whether t has an UnmarshalJSON method and is not a decimal.
func decodesItself(t reflect.Type) bool {
	return t != decimalType && t != nullDecimalType && t.Kind() != reflect.Pointer && reflect.PointerTo(t).Implements(unmarshalerType)
}

// isForeign reports whether t has its own decoding and is not of this module.
func isForeign(t reflect.Type) bool {
	if t == rawType || t == decimalType || t == nullDecimalType || strings.HasPrefix(t.PkgPath(), module) {
		return false
	}
	p := reflect.PointerTo(t)
	return p.Implements(unmarshalerType) || p.Implements(textUnmarshalerType)
}

const module = "github.com/solwire/solwire-go/"

// add adds the cost of type t inside a number of nested arrays. Outer are the types
// that contain t; a recursive type counts once.
func (c *cost) add(t reflect.Type, lists int, outer []reflect.Type) {
	if slices.Contains(outer, t) || t == timeType {
		return
	}
	outer = append(outer, t)
	c.foreign = c.foreign || isForeign(t)
	switch t.Kind() {
	case reflect.Pointer:
		c.add(t.Elem(), lists, outer)
	case reflect.Array:
		c.add(t.Elem(), lists, outer)
	case reflect.Map:
		c.maps = true
		c.add(t.Elem(), lists, outer)
	case reflect.Interface:
		if t.NumMethod() > 0 { // such as an error, which is not decoded
			return
		}
		c.maps, c.anys = true, true
		c.element(lists, element{object: anyCost, null: anyCost})
	case reflect.Slice:
		if t.Elem().Kind() != reflect.Uint8 { // bytes are a string in JSON
			c.element(lists, elementOf(t.Elem()))
			c.add(t.Elem(), lists+1, outer)
		}
	case reflect.Struct:
		if t == decimalType {
			c.openDecimals = c.openDecimals || !slices.ContainsFunc(outer, decodesItself)
			return
		}
		for i := range t.NumField() {
			if f := t.Field(i); f.Tag.Get("json") != "-" {
				c.add(f.Type, lists, outer)
			}
		}
	}
}

func (c *cost) element(lists int, e element) {
	for len(c.elements) <= lists {
		c.elements = append(c.elements, element{})
	}
	c.elements[lists] = c.elements[lists].max(e)
	c.largest = c.largest.max(e)
}

// elementOf returns the cost of array elements of a type: three times its size, since a
// slice is copied as it grows, and once what it points to.
func elementOf(t reflect.Type) element {
	e := element{null: 3 * uint64(t.Size())}
	e.object = e.null + pointedTo(t, nil)
	if t.Kind() == reflect.Struct || t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct {
		e.misfit = e.object
	}
	return e
}

// pointedTo returns the size of everything a value of type t points to.
func pointedTo(t reflect.Type, outer []reflect.Type) (n uint64) {
	if slices.Contains(outer, t) {
		return 0
	}
	outer = append(outer, t)
	switch t.Kind() {
	case reflect.Pointer:
		n = uint64(t.Elem().Size()) + pointedTo(t.Elem(), outer)
	case reflect.Struct:
		for i := range t.NumField() {
			n += pointedTo(t.Field(i).Type, outer)
		}
	}
	return n
}
