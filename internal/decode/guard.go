package decode

import (
	"bytes"
	"encoding"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/solwire/solwire-go/types"
)

// A cost is the memory that decoding into a type may take.
type cost struct {
	elements []element // by the depth of nested arrays; the last one is also for all deeper ones
	largest  element   // the maximum of each
	maps     bool      // whether the type contains a map or an any
	anys     bool      // whether the type contains an any

	// numbers is whether a text may be decoded as a number: by a decimal, or by a type of
	// another module with its own decoding. Types of this module with an UnmarshalJSON limit
	// the length of their numbers.
	numbers bool
}

// An element is the memory in bytes that an array element takes, the largest of all
// arrays at a depth. The decoder makes room for elements of the wrong type before it fails.
type element struct{ object, null, other uint64 }

func (e element) max(with element) element {
	return element{max(e.object, with.object), max(e.null, with.null), max(e.other, with.other)}
}

const (
	allowance  = 8 << 20  // bytes that any response may take
	maxOthers  = 64 << 20 // bytes that array elements may take that are neither objects nor null
	maxText    = 24 << 20 // bytes of a string; the longest real one is an account of 10 MiB in base64
	maxMembers = 1 << 20  // of objects that become maps, which take about 190 bytes each
	maxNesting = 10_000   // the limit of the decoder
	rawCost    = 8        // of an element that is neither object nor null in an array deeper than those of the type
	anyCost    = 64       // of an element that becomes an any
)

var (
	errLongNumber  = fmt.Errorf("a number has more than %d characters", maxNumber)
	errLongText    = fmt.Errorf("the response has a text larger than %d MiB: %w", maxText>>20, types.ErrTooLarge)
	errSmallValues = fmt.Errorf("the response has too many small values: %w", types.ErrTooLarge)
)

// check refuses a body that would take too much time or memory to decode. A real response
// passes by its size and counts of single bytes; others are scanned once.
func (c *cost) check(body []byte) error {
	long := len(body) > maxNumber && longNumber(body)
	switch {
	case long && c.numbers:
		return errLongNumber
	case len(body) > allowance && !utf8.Valid(body): // each invalid byte is decoded to three
		return errors.New("the response is not UTF-8")
	case long, len(body) > maxText, c.mayExceed(body):
		return c.scan(body)
	}
	return nil
}

// mayExceed reports whether body may be refused for its small values. In real responses
// values take less than their JSON: 600 bytes become a token account of 450 bytes. But {}
// and null in an array become one, too.
func (c *cost) mayExceed(body []byte) bool {
	if len(body) <= maxMembers && uint64(len(body))/3*c.largest.object <= 2*allowance { // "{}," is the shortest element
		return false
	}
	count := func(text string) uint64 { return uint64(bytes.Count(body, []byte(text))) }
	// A value after a colon is a member of an object.
	elements := func(start string) uint64 { return count(start) - count(":"+start) }
	commas := count(",")
	return c.maps && count(":") > maxMembers || commas*c.largest.other > otherLimit(body) ||
		commas*c.largest.null > maxOthers && elements("null")*c.largest.null > maxOthers ||
		commas*c.largest.object > objectLimit(body) && elements("{")*c.largest.object > objectLimit(body)
}

func objectLimit(body []byte) uint64 { return uint64(2*allowance + len(body)/2*3) }

// otherLimit grows faster: where a type has arrays of objects and of strings at one depth,
// the strings count as objects. Those of a transaction cost up to 3.4 times its JSON.
func otherLimit(body []byte) uint64 { return uint64(maxOthers + 4*len(body)) }

// scan adds up the cost of all array elements, and refuses long numbers and texts.
func (c *cost) scan(body []byte) error {
	var (
		open            []bool // the open containers: true for arrays
		lists, members  int    // of open arrays, and of members of objects
		objects, others uint64 // bytes
	)
	add := func(sign byte) {
		if len(open) == 0 || !open[len(open)-1] || len(c.elements) == 0 {
			return
		}
		at := c.elements[min(lists, len(c.elements))-1]
		switch {
		case sign == '{':
			objects += at.object
		case sign == 'n':
			objects += at.null
		case lists > len(c.elements):
			others += rawCost
		default:
			others += at.other
		}
	}
	for i := 0; i < len(body); i++ {
		start := i
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
				return nil // the decoder refuses the body
			}
		case '}', ']':
			if len(open) > 0 && open[len(open)-1] {
				lists--
			}
			open = open[:max(0, len(open)-1)]
		case '"':
			add(b)
			if i = endOfText(body, i); i-start >= maxText {
				return errLongText
			}
		default:
			add(b)
			for i+1 < len(body) && strings.IndexByte(" \t\r\n,:{}[]\"", body[i+1]) < 0 {
				i++
			}
			if i-start >= maxNumber {
				return errLongNumber
			}
		}
		if objects > objectLimit(body) || others > otherLimit(body) || c.maps && members > maxMembers {
			return errSmallValues
		}
	}
	return nil
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
	timeType            = reflect.TypeFor[time.Time]()
	rawType             = reflect.TypeFor[stdjson.RawMessage]()
	unmarshalerType     = reflect.TypeFor[stdjson.Unmarshaler]()
	textUnmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// decodesItself reports whether t has its own decoding.
func decodesItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(unmarshalerType) || p.Implements(textUnmarshalerType)
}

// isOurs reports whether t is a type of this module.
func isOurs(t reflect.Type) bool {
	return strings.HasPrefix(t.PkgPath(), "github.com/solwire/solwire-go/")
}

// add adds the cost of type t inside a number of nested arrays, and returns the size of
// everything that a value points to. Outer are the types that contain t; a recursive type
// counts once.
func (c *cost) add(t reflect.Type, lists int, outer []reflect.Type) (pointed uint64) {
	if slices.Contains(outer, t) || t == timeType {
		return 0
	}
	if decodesItself(t) && !isOurs(t) && t != rawType {
		c.numbers = c.numbers || !slices.ContainsFunc(outer, func(o reflect.Type) bool { return isOurs(o) && decodesItself(o) })
	}
	outer = append(outer, t)
	switch t.Kind() {
	case reflect.Pointer:
		return uint64(t.Elem().Size()) + c.add(t.Elem(), lists, outer)
	case reflect.Array:
		return c.add(t.Elem(), lists, outer)
	case reflect.Map:
		c.maps = true
		c.add(t.Elem(), lists, outer)
	case reflect.Interface:
		if t.NumMethod() > 0 { // such as an error, which is not decoded
			return 0
		}
		c.maps, c.anys = true, true
		c.element(lists, element{anyCost, anyCost, rawCost})
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 { // bytes are a string in JSON
			return 0
		}
		size := 3 * uint64(t.Elem().Size()) // a slice is copied as it grows
		e := element{size + c.add(t.Elem(), lists+1, outer), size, size}
		if t.Elem().Kind() == reflect.Pointer {
			e.other = e.object
		}
		c.element(lists, e)
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.Tag.Get("json") != "-" {
				pointed += c.add(f.Type, lists, outer)
			}
		}
	}
	return pointed
}

func (c *cost) element(lists int, e element) {
	for len(c.elements) <= lists {
		c.elements = append(c.elements, element{})
	}
	c.elements[lists] = c.elements[lists].max(e)
	c.largest = c.largest.max(e)
}
