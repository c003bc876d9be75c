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
		// net/http prints host names and media types in lower case
		return regexp.MustCompile("(?i:" + strings.Join(all, "|") + ")")
	})}
}

// with returns a secret that hides more texts.
func (s *secret) with(texts []string) *secret {
	if len(texts) == 0 {
		return s
	}
	return newSecret(slices.Concat(s.raw, texts)...)
}

// spellings returns patterns of text in the forms of responses and errors: as it is,
// percent-encoded as in a URL, and in a JSON string. A key of the service has one spelling.
func spellings(text string) []string {
	text = strings.ToValidUTF8(text, "\uFFFD") // as JSON is encoded
	escaped, _ := json.Marshal(text)
	plain := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) // not for HTML
	all := []string{text, url.QueryEscape(text), url.PathEscape(text), string(escaped[1 : len(escaped)-1]), plain, strings.ReplaceAll(plain, "/", `\/`)}
	for i, spelling := range all {
		all[i] = regexp.QuoteMeta(spelling)
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

// clean returns err if it is short and neither it nor the errors it wraps contain the
// secret. Otherwise it returns an opaque error with a redacted text for which errors.Is
// still works. Errors of a caller's Transport often quote the URL.
func (s *secret) clean(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	if len(text) <= maxText && !s.inTree(err) {
		return err
	}
	return &cleaned{s.words(text), kindOf(err), func(target error) bool { return errors.Is(err, target) }}
}

func (s *secret) inTree(err error) bool {
	if text := fmt.Sprintf("%v %+v %#v", err, err, err); s.hide(text) != text {
		return true
	}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		cause := e.Unwrap()
		return cause != nil && s.inTree(cause)
	case interface{ Unwrap() []error }:
		return slices.ContainsFunc(e.Unwrap(), s.inTree)
	}
	return false
}

// A cleaned error replaces an error that contains the secret. The original stays in a closure,
// which formats as an address.
type cleaned struct {
	text string
	kind kind
	is   func(error) bool
}

func (e *cleaned) Error() string        { return e.text }
func (e *cleaned) Is(target error) bool { return e.is(target) }
