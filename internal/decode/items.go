package decode

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
)

// This file reads a body again that did not decode: element by element, to find the
// unreadable ones and to keep the others. It is slow, and runs after a failure only.

// An Unreadable is an element of an array that does not decode.
type Unreadable struct {
	Index int    // in its array
	Path  string // of the first unreadable member; empty for the element as a whole
	JSON  stdjson.RawMessage
	Err   error
}

// OneByOne finds the unreadable elements of the outermost arrays in body. Each has the error of
// read for a body in which it is alone, or between placeholders. It returns a body with the
// placeholder at their places, or without them. Numbers are mended. The result is nil without
// such an element.
func OneByOne(body []byte, placeholder string, read func(body []byte) error) (rest []byte, unreadable []Unreadable) {
	s := skeleton{placeholder: placeholder}
	s.add(body)
	if len(s.arrays) == 0 || read(s.with(-1, -1, nil)) != nil {
		return nil, nil
	}
	for n, elements := range s.arrays {
		kept := make([]stdjson.RawMessage, 0, len(elements))
		for i, element := range elements {
			alone := func(part []byte) error { return read(s.with(n, i, part)) }
			mended, err := Mended(element, alone)
			switch {
			case err == nil:
				kept = append(kept, mended)
				continue
			case placeholder != "":
				kept = append(kept, stdjson.RawMessage(placeholder))
			}
			path, _, _ := Path(element, err, alone)
			unreadable = append(unreadable, Unreadable{i, path, element, err})
		}
		s.arrays[n] = kept
	}
	rest = s.all()
	if len(unreadable) == 0 && read(rest) != nil {
		return nil, nil
	}
	return rest, unreadable
}

// A skeleton is a JSON text that is cut at its outermost arrays: array i is between texts i
// and i+1.
type skeleton struct {
	texts  [][]byte
	arrays [][]stdjson.RawMessage
	last   []byte // the text after the last array

	placeholder string // stands for other elements; empty for none
}

func (s *skeleton) add(raw []byte) {
	open, keys, values := parts(raw)
	switch open {
	case '[':
		s.texts, s.last = append(s.texts, s.last), nil
		var elements []stdjson.RawMessage
		for _, v := range values {
			elements = append(elements, v.json)
		}
		s.arrays = append(s.arrays, elements)
	case '{':
		s.last = append(s.last, '{')
		for i, key := range keys {
			if i > 0 {
				s.last = append(s.last, ',')
			}
			s.last = append(append(s.last, key...), ':')
			s.add(values[i].json)
		}
		s.last = append(s.last, '}')
	default:
		s.last = append(s.last, raw...)
	}
}

// with returns the text with one element in array n, and placeholders for all others.
func (s *skeleton) with(n, at int, element stdjson.RawMessage) []byte {
	return s.join(func(i int) (all [][]byte) {
		for k := range s.arrays[i] {
			switch {
			case i == n && k == at:
				all = append(all, element)
			case s.placeholder != "":
				all = append(all, []byte(s.placeholder))
			}
		}
		return all
	})
}

func (s *skeleton) all() []byte {
	return s.join(func(i int) (all [][]byte) {
		for _, element := range s.arrays[i] {
			all = append(all, element)
		}
		return all
	})
}

func (s *skeleton) join(elements func(i int) [][]byte) []byte {
	var b []byte
	for i, text := range s.texts {
		b = append(append(b, text...), '[')
		b = append(append(b, bytes.Join(elements(i), []byte(","))...), ']')
	}
	return append(b, s.last...)
}

// maxMended limits the numbers of a value that are mended.
const maxMended = 1000

// Mended returns raw with plain numbers in place of unreadable ones that mean a whole number
// of 64 bits: the maximum as JavaScript rounds it, 5000.0 and 5e3. It fails with the error of
// read if that is not enough. The last call of read gets the result.
func Mended(raw []byte, read func([]byte) error) ([]byte, error) {
	for range maxMended {
		err := read(raw)
		if !errors.As(err, new(*Error)) {
			return raw, err
		}
		_, start, end := Path(raw, err, read)
		quote := ""
		text := string(raw[start:end])
		if strings.HasPrefix(text, `"`) {
			quote, text = `"`, strings.Trim(text, `"`)
		}
		n, wrong := wholeNumber(text)
		plain := strconv.FormatUint(n, 10)
		if wrong != nil || plain == text {
			return raw, read(raw)
		}
		raw = slices.Concat(raw[:start], []byte(quote+plain+quote), raw[end:])
	}
	return raw, read(raw)
}

// Path returns the path of the first unreadable member within a value, such as
// meta.rewards[2].lamports, and where it starts and ends. Read has failed with err for raw; it
// gets values that lack other members, so only errors of decoding count.
func Path(raw []byte, err error, read func([]byte) error) (path string, start, end int) {
	lacks := errors.As(err, new(MissingError))
	fails := func(part []byte) bool {
		err := read(part)
		return errors.As(err, new(*Error)) && errors.As(err, new(MissingError)) == lacks
	}
	start, end = 0, len(raw)
	var before, after []byte // around the value
	for {
		value := raw[start:end]
		open, keys, values := parts(value)
		at := 0
		// it lacks a member
		if open == '{' && path != "" && fails(slices.Concat(before, []byte("{}"), after)) {
			at = len(values)
		}
		for ; at < len(values); at++ {
			alone := slices.Concat(before, []byte("["), values[at].json, []byte("]"), after)
			if open == '{' {
				alone = slices.Concat(before, []byte("{"), keys[at], []byte(":"), values[at].json, []byte("}"), after)
			}
			if fails(alone) {
				break
			}
		}
		if at == len(values) {
			return path, start, end
		}
		end = start + values[at].start + len(values[at].json)
		start += values[at].start
		if open == '[' {
			path += "[" + strconv.Itoa(at) + "]"
			before, after = slices.Concat(before, []byte("[")), slices.Concat([]byte("]"), after)
			continue
		}
		if path != "" {
			path += "."
		}
		var name string
		_ = stdjson.Unmarshal(keys[at], &name)
		path += name
		before, after = slices.Concat(before, []byte("{"), keys[at], []byte(":")), slices.Concat([]byte("}"), after)
	}
}

// A part is an element or the value of a member, with its offset.
type part struct {
	json  stdjson.RawMessage
	start int
}

// parts returns the elements of an array, or the members of an object with their quoted keys.
// Open is the first character of raw.
func parts(raw []byte) (open byte, keys [][]byte, values []part) {
	trimmed := bytes.TrimSpace(raw)
	if len(trimmed) == 0 || trimmed[0] != '{' && trimmed[0] != '[' {
		return 0, nil, nil
	}
	dec := stdjson.NewDecoder(bytes.NewReader(raw))
	_, _ = dec.Token()
	for dec.More() {
		if trimmed[0] == '{' {
			token, _ := dec.Token()
			key, _ := stdjson.Marshal(token)
			keys = append(keys, key)
		}
		var value stdjson.RawMessage
		if dec.Decode(&value) != nil {
			return 0, nil, nil
		}
		values = append(values, part{value, int(dec.InputOffset()) - len(value)})
	}
	return trimmed[0], keys, values
}
