package transport

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/solwire/solwire-go/types"
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
// the path, or what the body is about. It is made for errors only, from what was sent anyway.
func (c *call) input() string {
	if len(c.path) > 0 {
		return c.secret.input(c.path[0])
	}
	return c.secret.inputIn(c.body, c.size)
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

// inputIn returns what the body of a number of calls is about: its first address, hash or
// signature, with the number of further ones in a list, or a slot at the start of a list.
func (s *secret) inputIn(body []byte, calls int) string {
	text, more := "", max(0, calls-1)
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	for list, starts := false, false; ; {
		token, err := d.Token()
		delim, borders := token.(json.Delim)
		switch t := token.(type) {
		case string:
			if text != "" {
				more++
			} else if isInputText(t) {
				text = t
			}
		case json.Number:
			if starts {
				text, list = t.String(), false
			}
		}
		if starts = delim == '['; borders {
			list = starts
		}
		if err == nil && (text == "" || list && !borders) {
			continue
		}
		if text = s.input(text); text != "" && more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		return text
	}
}

func isInputText(text string) bool {
	_, noAddress := types.Address(text).Bytes()
	_, noSignature := types.Signature(text).Bytes()
	return noAddress == nil || noSignature == nil
}
