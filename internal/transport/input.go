package transport

import (
	"fmt"
	"reflect"
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

// input returns the input that an error names, and how many more there are in its list and in
// further calls of a batch. It is empty for none.
func (c *call) input() string {
	text, more := named(c.about)
	if text == "" {
		return ""
	}
	text = c.secret.input(text)
	if more += c.size - 1; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// NameOf returns the text of an input, empty if it has none.
func NameOf(input any) string {
	text, _ := named(input)
	return text
}

// named returns the text of an input, the first one of a list, and the number of the others.
func named(input any) (text string, more int) {
	switch v := reflect.ValueOf(input); v.Kind() {
	case reflect.String:
		return v.String(), 0
	case reflect.Uint64:
		return strconv.FormatUint(v.Uint(), 10), 0
	case reflect.Slice:
		if v.Len() > 0 {
			text, _ = named(v.Index(0).Interface())
			return text, v.Len() - 1
		}
	case reflect.Struct: // a filter, which is about its first address
		for i := range v.NumField() {
			if f := v.Field(i); f.Type() == reflect.TypeFor[types.Address]() || f.Type() == reflect.TypeFor[[]types.Address]() {
				if text, more = named(f.Interface()); text != "" {
					return text, more
				}
			}
		}
	}
	return "", 0
}

// input returns text for use in an error: without the secret, short, and quoted unless it
// is one word. A parameter of rpc.Client.Call may be anything.
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
