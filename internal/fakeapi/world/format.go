package world

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/shopspring/decimal"
)

// Units returns raw smallest units in whole tokens.
func Units(raw uint64, decimals int) decimal.Decimal {
	return decimal.NewFromUint64(raw).Shift(int32(-decimals))
}

// Number writes x exactly, with an exponent below a millionth, which the service uses there, too.
func Number(x decimal.Decimal) json.Number {
	if x.NumDigits()+int(x.Exponent()) < -5 && !x.IsZero() {
		return json.Number(fmt.Sprintf("%de%d", x.Coefficient(), x.Exponent()))
	}
	return json.Number(x.String())
}

// Text returns an amount for people: in whole tokens and without an exponent.
func Text(raw uint64, decimals int) string {
	return Units(raw, decimals).String()
}

// pack returns values one after another, as programs store them: texts as they are, numbers in
// little-endian order, true as 1.
func pack(values ...any) (b []byte) {
	for _, v := range values {
		if text, isText := v.(string); isText {
			v = []byte(text)
		}
		b, _ = binary.Append(b, binary.LittleEndian, v) // all other values have a fixed size
	}
	return b
}

// Encode returns v, a value of the fake, as JSON.
func Encode(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// JSON returns a template with values in place of its placeholders. ? is any value. ! writes a
// zero value as null. ~ leaves out the member of a zero value. A nil list is empty.
func JSON(template string, values ...any) json.RawMessage {
	b := make([]byte, 0, 2*len(template))
	for i := 0; i < len(template); i++ {
		kind := template[i]
		if kind != '?' && kind != '!' && kind != '~' {
			b = append(b, kind)
			continue
		}
		value := values[0]
		values = values[1:]
		switch {
		case kind == '?' || !isZero(value):
			b = appendValue(b, value)
		case kind == '!':
			b = append(b, "null"...)
		default:
			b = b[:bytes.LastIndexByte(b[:len(b)-2], '"')]
			if b[len(b)-1] == ',' {
				b = b[:len(b)-1]
			} else if strings.HasPrefix(template[i+1:], ",") {
				i++
			}
		}
	}
	return b
}

// When returns the text of [JSON], or an empty text.
func When(present bool, template string, values ...any) json.RawMessage {
	if !present {
		return json.RawMessage{}
	}
	return JSON(template, values...)
}

func isZero(value any) bool {
	if value == nil {
		return true
	}
	v := reflect.ValueOf(value)
	return v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0
}

func appendValue(b []byte, value any) []byte {
	switch v := value.(type) {
	case nil:
		return append(b, "null"...)
	case []byte:
		return append(base64.StdEncoding.AppendEncode(append(b, '"'), v), '"')
	case json.RawMessage:
		if v == nil {
			return append(b, "null"...)
		}
		return append(b, v...)
	case []json.RawMessage:
		b = append(b, '[')
		for i, item := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendValue(b, item)
		}
		return append(b, ']')
	}
	if v := reflect.ValueOf(value); v.Kind() == reflect.Slice && v.IsNil() {
		return append(b, "[]"...)
	}
	return append(b, Encode(value)...)
}
