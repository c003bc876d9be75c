package transport

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// A secret is the key, and whatever else a call has to keep to itself, together
// with the ways in which texts spell them.
type secret struct {
	forms   []string
	replace *strings.Replacer
}

func newSecret(key string) *secret { return new(secret).with([]string{key}) }

// with returns a secret that hides texts too, where there are any.
func (s *secret) with(texts []string) *secret {
	forms := s.forms
	for _, text := range texts {
		for _, form := range spellings(text) {
			if form != "" && !slices.Contains(forms, form) {
				forms = append(slices.Clip(forms), form)
			}
		}
	}
	if len(forms) == len(s.forms) {
		return s
	}
	s = &secret{forms: slices.Clone(forms)}
	slices.SortStableFunc(s.forms, func(a, b string) int { return len(b) - len(a) }) // one may begin with another
	var pairs []string
	for _, form := range s.forms {
		pairs = append(pairs, form, "***")
	}
	s.replace = strings.NewReplacer(pairs...)
	return s
}

func spellings(text string) []string {
	html, _ := json.Marshal(text) // a string always marshals
	plain := strings.Trim(strconv.Quote(text), `"`)
	return []string{
		text,
		url.QueryEscape(text),
		url.PathEscape(text),
		lowerHex(url.QueryEscape(text)),
		lowerHex(url.PathEscape(text)),
		strings.Trim(string(html), `"`),
		plain,
		strings.ReplaceAll(plain, "/", `\/`),
	}
}

// lowerHex returns a percent-encoded text as some servers spell it: %2f for %2F.
func lowerHex(escaped string) string {
	b := []byte(escaped)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i:], bytes.ToLower(b[i:i+3]))
		}
	}
	return string(b)
}

// hide returns text without the key. A text that holds it escaped more than
// once is hidden as a whole.
func (s *secret) hide(text string) string {
	text = s.replace.Replace(text)
	flat := strings.ReplaceAll(text, `\`, "")
	for _, form := range s.forms {
		if form = strings.ReplaceAll(form, `\`, ""); form != "" && strings.Contains(flat, form) {
			return "***"
		}
	}
	return text
}

// clean returns err if neither it nor what it wraps prints the key, and if it
// is not too long for an error: some quote what they could not read. Otherwise
// it returns an error that answers errors.Is as err does and hides the rest.
// Errors of net/http come without the key; those of a caller's Transport,
// which sees the keyed URL, often quote it.
func (s *secret) clean(err error) error {
	if err == nil || len(err.Error()) <= maxText && !s.inTree(err) {
		return err
	}
	return &cleaned{
		text:      s.words(err.Error()),
		permanent: permanent(err),
		unsent:    unsent(err),
		is:        func(target error) bool { return errors.Is(err, target) },
	}
}

func (s *secret) inTree(err error) bool {
	encoded, _ := json.Marshal(err) // most errors encode as nothing
	if text := fmt.Sprintf("%v %+v %#v %s", err, err, err, encoded); s.hide(text) != text {
		return true
	}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		cause := e.Unwrap()
		return cause != nil && s.inTree(cause)
	case interface{ Unwrap() []error }:
		for _, cause := range e.Unwrap() {
			if cause != nil && s.inTree(cause) {
				return true
			}
		}
	}
	return false
}

// maxText is how many bytes of somebody else's words an error keeps.
const maxText = 1024

// words makes a text from outside fit for an error: without the key, on one
// line, and not too long.
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

// A cleaned error stands for one that prints the key. What it wraps stays in a
// closure, which prints as an address.
type cleaned struct {
	text      string
	permanent bool
	unsent    bool
	is        func(error) bool
}

func (e *cleaned) Error() string        { return e.text }
func (e *cleaned) Is(target error) bool { return e.is(target) }
