package transport

import (
	"bytes"
	"encoding/json"
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

// input returns the input that an error names, empty if there is none: the first value of
// the path, the first positional parameter that is a text or a slot, or the first address,
// hash or signature of a struct. It is made for errors only, from what was sent anyway.
func (c *call) input() string {
	if len(c.path) > 0 {
		return c.secret.input(c.path[0])
	}
	text, more := inputOf(reflect.ValueOf(c.params))
	if text = c.secret.input(text); text == "" {
		return ""
	}
	if more += max(0, c.size-1); more > 0 {
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

// inputIn returns the input in the JSON of params: the first address or signature of a list.
func (s *secret) inputIn(params []byte) string {
	text, more := "", 0
	for d := json.NewDecoder(bytes.NewReader(params)); ; {
		token, err := d.Token()
		value, _ := token.(string)
		_, ends := token.(json.Delim)
		switch {
		case err != nil, ends && text != "":
			if text = s.input(text); more > 0 {
				text += fmt.Sprintf(" and %d more", more)
			}
			return text
		case !isInputText(value):
		case text == "":
			text = value
		default:
			more++
		}
	}
}

func isInputText(text string) bool {
	_, noAddress := types.Address(text).Bytes()
	_, noSignature := types.Signature(text).Bytes()
	return noAddress == nil || noSignature == nil
}

// inputOf returns the input in v, the first one of several.
func inputOf(v reflect.Value) (text string, more int) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return inputOf(v.Elem())
	case reflect.String:
		return v.String(), 0
	case reflect.Uint64:
		return strconv.FormatUint(v.Uint(), 10), 0
	case reflect.Slice:
		if v.Len() == 0 {
			return "", 0
		}
		text, more = inputOf(v.Index(0))
		if v.Type().Elem().Kind() == reflect.String {
			more = v.Len() - 1
		}
		return text, more
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			t := field.Type
			names := isInput(t) || t.Kind() == reflect.Slice && (isInput(t.Elem()) || t == reflect.TypeFor[[]string]())
			if names || field.Anonymous {
				text, more = inputOf(v.Field(i))
			}
			if text != "" {
				return text, more
			}
		}
	}
	return "", 0
}

// isInput reports whether t names something on the chain.
func isInput(t reflect.Type) bool {
	return t == reflect.TypeFor[types.Address]() || t == reflect.TypeFor[types.Hash]() || t == reflect.TypeFor[types.Signature]()
}
