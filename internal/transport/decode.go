package transport

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"

	"github.com/goccy/go-json"

	"github.com/solwire/solwire-go/types"
)

// opened makes the result of an answer with a status below 300. An answer that
// is no JSON is asked for again, unless its words say otherwise.
func (x *call) opened(resp *http.Response, body []byte) error {
	err := x.open(resp.StatusCode, body)
	if err == nil {
		return nil
	}
	var f *failure
	if errors.As(err, &f) {
		var refusal *types.APIError
		if errors.As(f.err, &refusal) {
			return x.refused(refusal, resp.Header)
		}
		return f
	}
	switch flaw := whole(body); {
	case flaw == nil: // JSON of another shape; the next would be the same
		return &failure{err: err}
	case errors.Is(flaw, io.EOF):
		return &failure{err: errors.New("answer is empty"), retry: !x.once}
	case errors.Is(flaw, io.ErrUnexpectedEOF):
		return &failure{err: errors.New("answer breaks off"), retry: !x.once}
	}
	page := &types.APIError{StatusCode: resp.StatusCode, Message: x.plain(resp, body)}
	if errors.Is(page, types.ErrQuotaExceeded) {
		return x.refused(page, resp.Header)
	}
	return &failure{err: fmt.Errorf("%d %s: %s", resp.StatusCode, http.StatusText(resp.StatusCode), page.Message), retry: !x.once}
}

// openREST makes out of a REST answer. An error may come with status 200 too,
// but an error member further inside belongs to what was asked for.
func (x *call) openREST(status int, body []byte, out any) error {
	if bytes.Contains(body, []byte(`"error"`)) && bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) {
		var e struct {
			Error json.RawMessage `json:"error"`
		}
		if json.Unmarshal(body, &e) == nil && present(e.Error) {
			return x.inside(status, body)
		}
	}
	if out == nil {
		return x.openNothing(status, body)
	}
	reflect.ValueOf(out).Elem().SetZero() // an earlier try may have filled it in part
	if string(bytes.TrimSpace(body)) == "null" {
		return noValue("value")
	}
	return decode(body, out)
}

// openNothing looks at an answer of which nothing is due: an empty one, or an
// object that says so in words.
func (x *call) openNothing(status int, body []byte) error {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil
	}
	var said struct {
		JSONRPC    json.RawMessage `json:"jsonrpc"`
		StatusCode json.RawMessage `json:"statusCode"`
	}
	switch err := decode(body, &said); {
	case err != nil:
		return err
	case number(said.StatusCode) >= http.StatusBadRequest:
		return x.inside(status, body)
	case present(said.JSONRPC):
		return noValue("result")
	}
	return nil
}

// inside is the refusal in an answer whose status says success.
func (x *call) inside(status int, body []byte) error {
	var b errorBody
	_ = json.Unmarshal(body, &b) // members of an unexpected type are left out
	e := &types.APIError{StatusCode: status}
	x.fill(e, b)
	return &failure{err: e}
}

// whole tells what became of a JSON text: nil when there is one, io.EOF when
// there is nothing, io.ErrUnexpectedEOF when it stops early, and another error
// when it is none.
func whole(body []byte) error {
	var value stdjson.RawMessage
	return stdjson.NewDecoder(bytes.NewReader(body)).Decode(&value)
}

// Unmarshal decodes a part of an answer, for types that are a union.
func Unmarshal(data []byte, v any) error { return json.Unmarshal(data, v) }

// Decode decodes what came in from outside, with the caution that answers get.
func Decode(body []byte, v any) error { return decode(body, v) }

// decode makes v out of an answer. The whole answer must be JSON: a Decoder
// would accept text after it.
func decode(body []byte, v any) error {
	if longNumber(body) {
		return &failure{err: fmt.Errorf("answer has a number of more than %d digits", maxNumber)}
	}
	if crowded(body) {
		return &failure{err: fmt.Errorf("answer has too many values: %w", types.ErrTooLarge)}
	}
	return json.Unmarshal(body, v)
}

// maxNumber is how many characters of a number may stand in a row. The largest
// number has 20, but text counts too, since a decimal may stand in quotes, and
// nobody's text shall end a listing of others: the data of a compressed account,
// up to 10 KiB, can be 13 656 digits in base64.
const maxNumber = 16 << 10

const (
	roomy     = 1 << 20 // a body below this may hold what it likes
	maxCommas = 3 << 20 // 64 MiB of token accounts, the densest answer of that size, have 2.5 million
	perComma  = 8       // bytes of a large body for each comma, at least; such answers have 13 and more
)

// crowded reports whether body is made of so many tiny values that they would
// take many times its size once decoded: {} becomes hundreds of bytes.
func crowded(body []byte) bool {
	if len(body) < roomy {
		return false
	}
	commas := bytes.Count(body, []byte(","))
	return commas > maxCommas || commas > len(body)/perComma
}

// longNumber reports whether body has a number so long that making a decimal
// of it would take seconds, in quotes or not. A run of more than maxNumber
// characters covers a multiple of it, so most of the body need not be looked at.
func longNumber(body []byte) bool {
	for i := 0; i < len(body); i += maxNumber {
		start, end := i, i
		for start > 0 && numeric(body[start-1]) {
			start--
		}
		for end < len(body) && numeric(body[end]) {
			end++
		}
		if end-start > maxNumber {
			return true
		}
	}
	return false
}

func numeric(c byte) bool {
	switch c {
	case '+', '-', '.', 'e', 'E':
		return true
	}
	return '0' <= c && c <= '9'
}
