package decode

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// This file reads a body again that did not decode: element by element, to find the
// unreadable ones and to keep the others. It is slow, and runs after a failure only.

// An Unreadable is an element of an array that does not decode.
type Unreadable struct {
	Index int                // in its array
	Path  string             // of the first unreadable member; empty for the element as a whole
	JSON  stdjson.RawMessage // a copy
	Err   error
}

// OneByOne finds the unreadable elements of the outermost arrays in body. Each has the error of
// read for a body in which it is alone, or between placeholders. It returns a body with the
// placeholder at their places, or without them. Numbers are mended. The body is nil if read also
// fails without any element.
func OneByOne(body []byte, placeholder string, read func(body []byte) error) (rest []byte, unreadable []Unreadable) {
	lists := outermost(body, span{0, len(body)})
	elements := make([][][]byte, len(lists)) // of each list
	with := func(n, at int, element []byte) []byte {
		return replaced(body, lists, func(i int) (all [][]byte) {
			for k := range lists[i].elements {
				switch {
				case i == n && k == at:
					all = append(all, element)
				case placeholder != "":
					all = append(all, []byte(placeholder))
				}
			}
			return all
		})
	}
	// The members outside of the lists are mended without the elements: with them, it is slow.
	around, err := Mended(with(-1, -1, nil), read)
	if err != nil {
		return nil, nil
	}
	body = replaced(around, outermost(around, span{0, len(around)}), func(i int) (all [][]byte) {
		for _, e := range lists[i].elements {
			all = append(all, body[e.start:e.end])
		}
		return all
	})
	lists = outermost(body, span{0, len(body)})
	for n, list := range lists {
		for at, e := range list.elements {
			element := body[e.start:e.end]
			alone := func(part []byte) error { return read(with(n, at, part)) }
			mended, err := Mended(element, alone)
			switch {
			case err == nil:
				elements[n] = append(elements[n], mended)
				continue
			case placeholder != "":
				elements[n] = append(elements[n], []byte(placeholder))
			}
			// The path of a missing member starts at body.
			path, err := Blame(element, err, alone)
			if _, inside, found := strings.Cut(path, "]"); found && errors.As(err, new(MissingError)) {
				path = strings.TrimPrefix(inside, ".")
			}
			unreadable = append(unreadable, Unreadable{at, path, slices.Clone(element), err})
		}
	}
	return replaced(body, lists, func(i int) [][]byte { return elements[i] }), unreadable
}

// A span is a part of a text.
type span struct{ start, end int }

// A list is an array in a text.
type list struct {
	span
	elements []span
}

// outermost returns the arrays in a part of body that are not inside of others.
func outermost(body []byte, at span) (all []list) {
	open, _, values := parts(body, at)
	if open == '[' {
		return []list{{at, values}}
	}
	for _, v := range values {
		all = append(all, outermost(body, v)...)
	}
	return all
}

// replaced returns body with other elements in its lists.
func replaced(body []byte, lists []list, elements func(i int) [][]byte) (b []byte) {
	at := 0
	for i, l := range lists {
		b = slices.Concat(b, body[at:l.start], []byte("["), bytes.Join(elements(i), []byte(",")), []byte("]"))
		at = l.end
	}
	return append(b, body[at:]...)
}

// maxMended limits the numbers of a value that are mended.
const maxMended = 1000

// Mended returns raw with plain numbers in place of unreadable whole numbers of 64 bits: 5000.0,
// 5e3, and the maximum as JavaScript rounds it. It fails with the error of read if that is not
// enough. The last call of read gets the result.
func Mended(raw []byte, read func([]byte) error) ([]byte, error) {
	for range maxMended {
		err := read(raw)
		if !errors.As(err, new(*Error)) || errors.As(err, new(MissingError)) {
			return raw, err
		}
		_, at := culprit(raw, err, read)
		quote, text := "", string(raw[at.start:at.end])
		if strings.HasPrefix(text, `"`) {
			quote, text = `"`, strings.Trim(text, `"`)
		}
		n, wrong := wholeNumber(text)
		plain := strconv.FormatUint(n, 10)
		if wrong != nil || plain == text {
			return raw, read(raw)
		}
		raw = slices.Concat(raw[:at.start], []byte(quote+plain+quote), raw[at.end:])
	}
	return raw, read(raw)
}

// Blame returns the path of the first unreadable member in a value, such as
// meta.rewards[2].lamports, and the error of read without a path. Where read accepts the value,
// they are empty and err.
func Blame(raw []byte, err error, read func([]byte) error) (path string, reason error) {
	own := read(raw)
	if own == nil {
		return "", err
	}
	err = own
	var lacks MissingError
	if errors.As(err, &lacks) {
		return lacks.Member, err
	}
	var shape shapeError
	if path, _ = culprit(raw, err, read); errors.As(err, &shape) {
		shape.at = ""
		err = &Error{shape}
	}
	return path, err
}

// culprit returns the path and the place of the first unreadable member in raw. With null for it
// and for all members before it, read succeeds or fails for another reason.
func culprit(raw []byte, err error, read func([]byte) error) (path string, at span) {
	at = span{0, len(raw)}
	for {
		open, names, values := parts(raw, at)
		first := sort.Search(len(values), func(i int) bool {
			part := slices.Clone(raw[:at.start])
			end := at.start
			for _, v := range values[:i+1] {
				part = append(append(part, raw[end:v.start]...), "null"...)
				end = v.end
			}
			again := read(append(part, raw[end:]...))
			return again == nil || again.Error() != err.Error()
		})
		if first == len(values) {
			return path, at
		}
		at = values[first]
		if open == '[' {
			path += "[" + strconv.Itoa(first) + "]"
		} else {
			path = strings.TrimPrefix(path+"."+names[first], ".")
		}
	}
}

// parts returns where the elements of an array or the values of an object are, and the names of
// the values. Open is its first character.
func parts(body []byte, at span) (open stdjson.Delim, names []string, values []span) {
	dec := stdjson.NewDecoder(bytes.NewReader(body[at.start:at.end]))
	token, _ := dec.Token()
	open, _ = token.(stdjson.Delim)
	for open != 0 && dec.More() {
		if open == '{' {
			token, _ = dec.Token()
			name, _ := token.(string)
			names = append(names, name)
		}
		var value stdjson.RawMessage
		if dec.Decode(&value) != nil {
			return 0, nil, nil
		}
		end := at.start + int(dec.InputOffset())
		values = append(values, span{end - len(value), end})
	}
	return open, names, values
}
