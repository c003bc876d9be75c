package transport

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// A secret is the key, and other texts that errors and log records must not contain.
type secret struct {
	raw     []string
	pattern func() *regexp.Regexp // matches their spellings; made for the first error
}

func newSecret(raw ...string) *secret {
	return &secret{raw, sync.OnceValue(func() *regexp.Regexp {
		var all []string
		for _, text := range raw {
			if text != "" {
				all = append(all, spellings(text)...)
			}
		}
		// Net/http prints media types and host names in lower case. Of several spellings,
		// the longest is hidden.
		pattern := regexp.MustCompile("(?i:" + strings.Join(all, "|") + ")")
		pattern.Longest()
		return pattern
	})}
}

// with returns a secret that hides more texts.
func (s *secret) with(texts []string) *secret {
	if len(texts) == 0 {
		return s
	}
	return newSecret(slices.Concat(s.raw, texts)...)
}

// spellings returns patterns of how text may be quoted: as it is, percent-encoded as in a
// URL, or as part of a JSON string, as in the details of an error; and each of them in one of
// them, such as the URL in a JSON string. A key of the service has one spelling.
func spellings(text string) (all []string) {
	layer := []string{strings.ToValidUTF8(text, "\uFFFD")} // as JSON is encoded
	for range 3 {
		var next []string
		for _, t := range layer {
			if quoted := regexp.QuoteMeta(t); !slices.Contains(all, quoted) {
				all = append(all, quoted)
				html, _ := json.Marshal(t)
				plain := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(t)
				next = append(next, url.QueryEscape(t), url.PathEscape(t), string(html[1:len(html)-1]), plain, strings.ReplaceAll(plain, "/", `\/`))
			}
		}
		layer = next
	}
	return all
}

// hide replaces the secret in text by ***.
func (s *secret) hide(text string) string { return s.pattern().ReplaceAllLiteralString(text, "***") }

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
// which errors.Is still works. Errors of a caller's Transport often quote the URL, and
// methods of some panic, as on a typed nil pointer.
func (s *secret) clean(err error) (safe error) {
	if err == nil {
		return nil
	}
	defer func() {
		if recover() != nil {
			safe = fmt.Errorf("an error of type %T, whose methods panic", err)
		}
	}()
	text, kind := err.Error(), kindOf(err)
	if len(text) <= maxText && !s.inTree(err) {
		return err
	}
	return &cleaned{s.words(text), kind, func(target error) bool { return errors.Is(err, target) }}
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
