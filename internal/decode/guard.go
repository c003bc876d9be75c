package decode

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/shopspring/decimal"
)

// maxNumber limits the characters of a number. Strings of digits count too, since a
// decimal may be quoted. Real numbers have at most 20 characters, but the base64 data
// of a compressed account can be 13 656 digits. A decimal of 16 384 digits takes half
// a millisecond to decode, one of a million digits 1.7 s.
const maxNumber = 16 << 10

// longNumber reports whether body has a run of more than maxNumber numeric
// characters, quoted or not. Such a run covers a multiple of maxNumber, so only the
// surroundings of those offsets are read.
func longNumber(body []byte) bool {
	for i := 0; i < len(body); i += maxNumber {
		start, end := number(body, i)
		if end-start > maxNumber {
			return true
		}
	}
	return false
}

// number returns the start and end of the run of numeric characters around i.
func number(body []byte, i int) (start, end int) {
	start, end = i, i
	for start > 0 && numeric(body[start-1]) {
		start--
	}
	for end < len(body) && numeric(body[end]) {
		end++
	}
	return start, end
}

func numeric(c byte) bool {
	switch c {
	case '+', '-', '.', 'e', 'E':
		return true
	}
	return '0' <= c && c <= '9'
}

// maxExponent limits the exponent of a decimal, since arithmetic with larger ones
// takes unbounded time and memory. shopspring/decimal has the same limit, but in a
// variable that a program can change.
const maxExponent = 10_000

// hugeExponent reports whether a number in body, quoted or not, has an exponent beyond
// maxExponent. Such an exponent has at least five digits, so only every fifth byte is
// read, and the surroundings of those that are one of five digits.
func hugeExponent(body []byte) bool {
	for i := 4; i < len(body); i += 5 {
		if !digit(body[i]) || !digit(body[i-2]) && (i+2 >= len(body) || !digit(body[i+2])) {
			continue
		}
		start, end := i, i
		for start > 0 && digit(body[start-1]) {
			start--
		}
		for end < len(body) && digit(body[end]) {
			end++
		}
		i = end // the next sample is the fifth byte after these digits
		e := start - 1
		if e > 0 && (body[e] == '+' || body[e] == '-') {
			e--
		}
		if e < 1 || body[e]|0x20 != 'e' || !digit(body[e-1]) && body[e-1] != '.' || !beyond(body[e+1:]) {
			continue
		}
		if start, end := number(body, e); isolated(body, start, end) {
			return true
		}
	}
	return false
}

// beyond reports whether text starts with an exponent beyond maxExponent.
func beyond(text []byte) bool {
	if len(text) > 0 && (text[0] == '+' || text[0] == '-') {
		text = text[1:]
	}
	n := 0
	for _, c := range text {
		if !digit(c) {
			break
		}
		if n = 10*n + int(c-'0'); n > maxExponent {
			return true
		}
	}
	return false
}

// isolated reports whether body[start:end] is a whole value and not part of a string.
func isolated(body []byte, start, end int) bool {
	quotedStart, quotedEnd := start > 0 && body[start-1] == '"', end < len(body) && body[end] == '"'
	if quotedStart || quotedEnd {
		return quotedStart && quotedEnd
	}
	around := func(i int) bool {
		return i < 0 || i >= len(body) || strings.IndexByte(" \t\r\n:,[]{}", body[i]) >= 0
	}
	return around(start-1) && around(end)
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

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

// garbled reports whether a large body has so much invalid UTF-8 that replacing it,
// three bytes for one, would take too much memory.
func garbled(body []byte) bool {
	if len(body) < 1<<20 || utf8.Valid(body) {
		return false
	}
	invalid := 0
	for i := 0; i < len(body); {
		r, size := utf8.DecodeRune(body[i:])
		if r == utf8.RuneError && size == 1 {
			invalid++
		}
		i += size
	}
	return invalid > len(body)/16
}

// A cost is the memory that decoding into a type may take.
type cost struct {
	elements []uint64 // bytes per array element, by the depth of nested arrays; the last one for all deeper ones
	scalars  uint64   // bit n is set when elements at depth n may be other than objects
	maps     bool     // whether the type contains a map or an any
	anys     bool     // whether the type contains an any
	decimals bool     // whether the type contains a decimal
}

const (
	allowance  = 8 << 20  // bytes that any response may take
	scalarCost = 8        // of a number in an array; a string costs 16, but also has two quotes
	anyCost    = 64       // of an element that becomes an any
	maxNesting = 10_000   // the limit of the decoder
	maxMembers = 1 << 20  // of objects that become maps, which take about 190 bytes each
	maxMisfits = 64 << 20 // bytes for elements that are not objects where the type wants objects
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
	largest, limit := slices.Max(c.elements), c.objectLimit(body)
	if uint64(len(body))/3*largest <= limit { // "{}," is the shortest element
		return false
	}
	commas := uint64(bytes.Count(body, []byte(",")))
	if commas*scalarCost > c.scalarLimit(body) {
		return c.scan(body)
	}
	switch {
	case commas*largest <= limit:
		return false
	case commas*largest > 3*maxMisfits, commas*largest > maxMisfits && elements(body, 'u')*largest > maxMisfits:
		return c.scan(body)
	}
	braces := uint64(bytes.Count(body, []byte("{")))
	return braces*largest > limit && elements(body, '{')*largest > limit && c.scan(body)
}

// elements counts the objects in body, or the nulls for sign u, except those that
// follow a colon: they are members and not elements.
func elements(body []byte, sign byte) (n uint64) {
	for i := 0; ; i++ {
		next := bytes.IndexByte(body[i:], sign)
		if next < 0 {
			return n
		}
		i += next
		start := i
		if sign == 'u' {
			start--
			if start < 0 || body[start] != 'n' {
				continue
			}
		}
		if start == 0 || body[start-1] != ':' {
			n++
		}
	}
}

func (c *cost) objectLimit(body []byte) uint64 { return uint64(2*allowance + len(body)/2*3) }
func (c *cost) scalarLimit(body []byte) uint64 { return uint64(allowance + len(body)/4) }

// scan adds up the cost of all array elements.
func (c *cost) scan(body []byte) bool {
	var (
		open             []bool // the open containers: true for arrays
		lists            int    // the number of open arrays
		objects, scalars uint64 // bytes
		misfits          uint64 // bytes: the decoder adds such elements to the slice before it fails
		members          int
	)
	element := func(isObject bool) {
		switch {
		case len(open) == 0 || !open[len(open)-1] || len(c.elements) == 0:
		case isObject:
			objects += c.elements[min(lists, len(c.elements))-1]
		default:
			scalars += scalarCost
			if lists <= len(c.elements) && c.scalars>>(lists-1)&1 == 0 {
				misfits += c.elements[lists-1]
			}
		}
	}
	for i := 0; i < len(body); i++ {
		switch b := body[i]; b {
		case ' ', '\t', '\r', '\n', ',':
		case ':':
			members++
		case '{', '[':
			element(b == '{')
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
			element(false)
			i = endOfText(body, i)
		default:
			element(b == 'n')
			for i+1 < len(body) && strings.IndexByte(" \t\r\n,:{}[]\"", body[i+1]) < 0 {
				i++
			}
		}
		if objects > c.objectLimit(body) || scalars > c.scalarLimit(body) || misfits > maxMisfits || c.maps && members > maxMembers {
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
	decimalType = reflect.TypeFor[decimal.Decimal]()
	timeType    = reflect.TypeFor[time.Time]()
)

// add adds the cost of type t inside a number of nested arrays. Outer are the types
// that contain t; a recursive type counts once.
func (c *cost) add(t reflect.Type, lists int, outer []reflect.Type) {
	if slices.Contains(outer, t) || t == timeType {
		return
	}
	outer = append(outer, t)
	switch t.Kind() {
	case reflect.Pointer:
		c.add(t.Elem(), lists, outer)
	case reflect.Array:
		c.scalars |= 1 << lists
		c.add(t.Elem(), lists, outer)
	case reflect.Map:
		c.maps = true
		c.add(t.Elem(), lists, outer)
	case reflect.Interface:
		if t.NumMethod() > 0 { // such as an error, which is not decoded
			return
		}
		c.maps, c.anys = true, true
		c.scalars |= 1 << lists
		c.element(lists, anyCost)
	case reflect.Slice:
		if t.Elem().Kind() != reflect.Uint8 { // bytes are a string in JSON
			if !isObject(t.Elem()) {
				c.scalars |= 1 << lists
			}
			c.element(lists, elementCost(t.Elem()))
			c.add(t.Elem(), lists+1, outer)
		}
	case reflect.Struct:
		if t == decimalType {
			c.decimals = true
			return
		}
		for i := range t.NumField() {
			if f := t.Field(i); f.Tag.Get("json") != "-" {
				c.add(f.Type, lists, outer)
			}
		}
	}
}

// isObject reports whether JSON for a type is always an object, or null.
func isObject(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() == reflect.Struct && !reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]())
}

func (c *cost) element(lists int, size uint64) {
	for len(c.elements) <= lists {
		c.elements = append(c.elements, 0)
	}
	c.elements[lists] = max(c.elements[lists], size)
}

// elementCost returns the cost of an array element: three times its size, since a slice
// is copied as it grows, and once what it points to.
func elementCost(t reflect.Type) uint64 { return 3*uint64(t.Size()) + pointedTo(t, nil) }

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
