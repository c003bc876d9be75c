package transport

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A secret is the key, and other texts that errors and log records must not contain.
type secret struct{ texts [][]byte } // in lower case, as net/http prints media types and host names

func newSecret(key string) *secret { return new(secret).with([]string{key}) }

// with returns a secret that hides more texts, except empty ones.
func (s *secret) with(texts []string) *secret {
	more := slices.Clone(s.texts)
	for _, text := range texts {
		if text != "" {
			more = append(more, fold([]byte(text)))
		}
	}
	if len(more) == len(s.texts) {
		return s
	}
	return &secret{more}
}

// fold returns a copy of b with ASCII letters in lower case, of the same length.
func fold(b []byte) []byte {
	b = bytes.Clone(b)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return b
}

// hide replaces the secret in text by ***, under up to eight layers of escaping.
func (s *secret) hide(text string) string {
	var found [][2]int // start and end in text
	plain := unescaped{text: []byte(text)}
	for range 8 {
		folded := fold(plain.text)
		for _, t := range s.texts {
			for i := 0; ; i++ {
				next := bytes.Index(folded[i:], t)
				if next < 0 {
					break
				}
				i += next
				found = append(found, [2]int{plain.offset(i), plain.offset(i + len(t))})
			}
		}
		if !plain.unescape() {
			break
		}
	}
	if found == nil {
		return text
	}
	slices.SortFunc(found, func(a, b [2]int) int { return a[0] - b[0] })
	var b strings.Builder
	end := 0
	for _, span := range found {
		if span[0] >= end {
			b.WriteString(text[end:span[0]])
			b.WriteString("***")
		}
		end = max(end, span[1])
	}
	b.WriteString(text[end:])
	return b.String()
}

// An unescaped text maps its bytes to offsets in the original text.
type unescaped struct {
	text    []byte
	offsets []int // one for each byte and one for the end; nil for the original text
}

func (u *unescaped) offset(i int) int {
	if u.offsets == nil {
		return i
	}
	return u.offsets[i]
}

// unescape removes one layer of percent-encoding, backslash escapes and HTML entities,
// and reports whether there was one.
func (u *unescaped) unescape() bool {
	if !bytes.ContainsAny(u.text, `%\&`) {
		return false
	}
	var next unescaped
	changed := false
	for i := 0; i < len(u.text); {
		plain, size := unescape(u.text[i:])
		changed = changed || size > 1
		for _, c := range plain {
			next.text = append(next.text, c)
			next.offsets = append(next.offsets, u.offset(i))
		}
		i += size
	}
	next.offsets = append(next.offsets, u.offset(len(u.text)))
	*u = next
	return changed
}

// unescape returns the first character of b, unescaped, and its size in b.
func unescape(b []byte) (plain []byte, size int) {
	code := func(digits []byte, base int) []byte {
		n, err := strconv.ParseUint(string(digits), base, 21)
		if err != nil {
			return nil
		}
		return utf8.AppendRune(nil, rune(n))
	}
	switch {
	case b[0] == '%' && len(b) > 2:
		if n, err := strconv.ParseUint(string(b[1:3]), 16, 8); err == nil {
			return []byte{byte(n)}, 3
		}
	case b[0] == '\\' && len(b) > 5 && b[1] == 'u':
		if plain := code(b[2:6], 16); plain != nil {
			return plain, 6
		}
	case b[0] == '\\' && len(b) > 3 && b[1] == 'x':
		if plain := code(b[2:4], 16); plain != nil {
			return plain, 4
		}
	case b[0] == '\\' && len(b) > 1:
		return b[1:2], 2
	case b[0] == '&':
		end := bytes.IndexByte(b[:min(len(b), 12)], ';')
		if end < 0 {
			break
		}
		if plain := html.UnescapeString(string(b[:end+1])); len(plain) <= end {
			return []byte(plain), end + 1
		}
	}
	return b[:1], 1
}

// maxText limits the text that an error quotes, in bytes.
const maxText = 1024

// words returns text for use in an error: without the secret, on one line, and at most
// maxText bytes long.
func (s *secret) words(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s.hide(text))
	if len(text) > maxText {
		text = text[:maxText]
	}
	return strings.ToValidUTF8(strings.TrimSpace(text), "")
}

// clean returns err if it is short and no formatting of it or of the errors it wraps
// contains the secret. Otherwise it returns an opaque error with a redacted text for
// which errors.Is still works. Errors of a caller's Transport often quote the URL.
func (s *secret) clean(err error) (safe error) {
	if err = harmless(err); err == nil {
		return nil
	}
	defer func() {
		if recover() != nil { // of a method such as MarshalJSON
			safe = panickingError(err)
		}
	}()
	text := err.Error()
	if len(text) <= maxText && !s.inTree(err) {
		return err
	}
	return &cleaned{s.words(text), kindOf(err), func(target error) bool { return errors.Is(err, target) }}
}

// harmless returns err, or another error if a method of err panics, as on a typed nil
// pointer.
func harmless(err error) (safe error) {
	if err == nil {
		return nil
	}
	defer func() {
		if recover() != nil {
			safe = panickingError(err)
		}
	}()
	_ = err.Error()
	kindOf(err)
	return err
}

func panickingError(err error) error {
	return fmt.Errorf("an error of type %T, whose methods panic", err)
}

func (s *secret) inTree(err error) bool {
	encoded, _ := json.Marshal(err)
	if text := fmt.Sprintf("%v %+v %#v %s", err, err, err, encoded); s.hide(text) != text {
		return true
	}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		cause := e.Unwrap()
		return cause != nil && s.inTree(cause)
	case interface{ Unwrap() []error }:
		return slices.ContainsFunc(e.Unwrap(), func(cause error) bool { return cause != nil && s.inTree(cause) })
	}
	return false
}

// A cleaned error replaces one that contains the secret. The original stays in a
// closure, which formats as an address.
type cleaned struct {
	text string
	kind kind
	is   func(error) bool
}

func (e *cleaned) Error() string        { return e.text }
func (e *cleaned) Is(target error) bool { return e.is(target) }
