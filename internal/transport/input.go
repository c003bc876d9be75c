package transport

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// maxInput limits the input in an error, in bytes. A signature has up to 88.
const maxInput = 100

// name returns the operation with its input, which tells one call of a program from
// another: getBalance of 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY.
func (c *call) name() string {
	if input := c.input(); input != "" {
		return c.op.Wire + " of " + input
	}
	return c.op.Wire
}

// input returns the input that an error names, empty if there is none: the first value of
// the path, or the main input of the body and how many more there are: in its list, and one
// for each further call of a batch. It is made for errors only, from what was sent anyway.
func (c *call) input() string {
	if len(c.path) > 0 {
		return c.secret.input(c.path[0])
	}
	_, params, _ := strings.Cut(string(c.body), `"params":`) // the name of a method may look like a hash
	found := mainInput.FindStringSubmatch(cmp.Or(params, string(c.body)))
	if found == nil {
		return ""
	}
	text, more := c.secret.input(found[2]+found[4]), c.size-1
	if found[1] != "" {
		more += strings.Count(found[3], `,"`)
	}
	if more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// input returns text for use in an error: without the secret, short, and quoted unless it
// is one word.
func (s *secret) input(text string) string {
	text = s.words(text)
	if len(text) > maxInput {
		text = strings.ToValidUTF8(text[:maxInput], "") + "…"
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || !strconv.IsPrint(r) }) {
		return strconv.Quote(text)
	}
	return text
}

// mainInput matches the first address, hash or signature in a body, with the texts before and
// after it in its list, or a slot at the start of a list.
var mainInput = regexp.MustCompile(`(\[(?:"[^"\\]*",)*?)?"([1-9A-HJ-NP-Za-km-z]{32,88})"((?:,"[^"\\]*")*)|\[(\d+)`)
