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
	elements []uint64 // bytes of an array element, the largest of all arrays at a depth
	largest  uint64   // of elements
	maps     bool     // whether the type contains a map or an any
	anys     bool     // whether the type contains an any
	nested   bool     // whether deeper arrays take memory too, as in an any or a recursive type

	// numbers is whether a text may be decoded as a number: by a decimal, or by a type of
	// another module with its own decoding. Types of this module with an UnmarshalJSON limit
	// the length of their numbers.
	numbers bool
}

const (
	maxMemory  = 168 << 20 // bytes of a body, its strings and the values that it becomes
	maxText    = 24 << 20  // bytes of a string; the longest real one is an account of 10 MiB in base64
	maxNesting = 10_000    // the limit of the decoder
	memberCost = 190       // of a member of an object that becomes a map
	anyCost    = 160       // of an element that becomes an any
	unchecked  = 8 << 20   // bytes of a body that may grow threefold
)

var (
	errLongNumber  = fmt.Errorf("a number has more than %d characters", maxNumber)
	errLongText    = fmt.Errorf("the response has a text larger than %d MiB: %w", maxText>>20, types.ErrTooLarge)
	errSmallValues = fmt.Errorf("the response has too many small values: %w", types.ErrTooLarge)
)

// check refuses a body that would take too much time or memory to decode. A real response
// passes by its size and counts of single bytes; others are scanned once.
func (c *cost) check(body []byte) error {
	// The bytes that the values may take. The largest accounts and assets take as much as
	// their JSON, and transactions up to six times as much by this count, since a log message
	// counts as an instruction in an array at the same depth. But {} and null in an array
	// become an account, too.
	limit := uint64(max(0, maxMemory-2*len(body)))
	long := len(body) > maxNumber && longNumber(body)
	switch {
	case long && c.numbers:
		return errLongNumber
	case len(body) > unchecked && !utf8.Valid(body): // each invalid byte is decoded to three
		return errors.New("the response is not UTF-8")
	case long, len(body) > maxText, c.mayExceed(body, limit):
		return c.scan(body, limit)
	}
	return nil
}

// mayExceed reports whether the values in body may take more than limit.
func (c *cost) mayExceed(body []byte, limit uint64) bool {
	if !c.maps && uint64(len(body))/2*c.largest <= limit { // "0," is the shortest element
		return false
	}
	count := func(sign string) uint64 { return uint64(bytes.Count(body, []byte(sign))) }
	elements, members := count(","), uint64(0)
	if c.maps {
		elements += count("[") // an any may be a list of one list, and so on
		members = count(":") * memberCost
	}
	return elements*c.largest+members > limit
}

// scan adds up the cost of all array elements, and refuses long numbers and texts.
func (c *cost) scan(body []byte, limit uint64) error {
	var (
		open  []bool // the open containers: true for arrays
		lists int    // the number of open arrays
		total uint64 // bytes
	)
	add := func() { // the decoder makes room for elements of the wrong type before it fails
		if depth := len(c.elements); depth > 0 && len(open) > 0 && open[len(open)-1] && (lists <= depth || c.nested) {
			total += c.elements[min(lists, depth)-1]
		}
	}
	for i := 0; i < len(body); i++ {
		start := i
		switch b := body[i]; b {
		case ' ', '\t', '\r', '\n', ',':
		case ':':
			if c.maps {
				total += memberCost
			}
		case '{', '[':
			add()
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
			add()
			if i = endOfText(body, i); i-start >= maxText {
				return errLongText
			}
		default:
			add()
			for i+1 < len(body) && strings.IndexByte(" \t\r\n,:{}[]\"", body[i+1]) < 0 {
				i++
			}
			if i-start >= maxNumber {
				return errLongNumber
			}
		}
		if total > limit {
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
	recursive := slices.Contains(outer, t)
	c.nested = c.nested || recursive
	if recursive || t == timeType {
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
		c.maps, c.anys, c.nested = true, true, true
		c.element(lists, anyCost)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 { // bytes are a string in JSON
			return 0
		}
		size := 3 * uint64(t.Elem().Size()) // a slice is copied as it grows
		c.element(lists, size+c.add(t.Elem(), lists+1, outer))
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.Tag.Get("json") != "-" {
				pointed += c.add(f.Type, lists, outer)
			}
		}
	}
	return pointed
}

func (c *cost) element(lists int, size uint64) {
	for len(c.elements) <= lists {
		c.elements = append(c.elements, 0)
	}
	c.elements[lists] = max(c.elements[lists], size)
	c.largest = max(c.largest, size)
}
