package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// envelope is an answer of JSON-RPC, taken in one pass together with what it
// carries. Context and Value are those of an answer that comes without envelope.
type envelope[T any] struct {
	JSONRPC json.RawMessage `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   json.RawMessage `json:"error"`
	Result  *result[T]      `json:"result"`
	Context slotContext     `json:"context"`
	Value   *T              `json:"value"`
}

type result[T any] struct {
	Context slotContext `json:"context"`
	Value   *T          `json:"value"`
}

type slotContext struct {
	Slot uint64 `json:"slot"`
}

// Call runs a JSON-RPC method that may be repeated, and returns the value of
// its result and the slot of its context. Params are an object or an array.
func Call[T, P any](ctx context.Context, c *Client, method string, params P) (value T, slot uint64, err error) {
	if c == nil {
		return value, 0, errNotMade
	}
	id := c.lastID.Add(1)
	body, err := json.Marshal(&struct {
		JSONRPC string `json:"jsonrpc"`
		ID      uint64 `json:"id,string"`
		Method  string `json:"method"`
		Params  P      `json:"params"`
	}{"2.0", id, method, params})
	if err != nil {
		return value, 0, fmt.Errorf("%s: %w", method, err)
	}
	x := call{client: c, secret: c.secret, op: method, method: http.MethodPost, url: c.base, body: body}
	var e envelope[T]
	x.open = func(status int, body []byte) error {
		e = envelope[T]{} // an earlier try may have filled it in part
		if err := decode(body, &e); err != nil && !present(e.Error) {
			return err
		}
		if present(e.Error) {
			return x.inside(status, body)
		}
		if e.Result == nil {
			if present(e.JSONRPC) {
				return noValue("result")
			}
			e.Result = &result[T]{Context: e.Context, Value: e.Value}
		}
		if !sameID(e.ID, id) {
			return &failure{err: fmt.Errorf("answer to request %d belongs to another", id)}
		}
		if e.Result.Value == nil {
			return noValue("value")
		}
		return nil
	}
	if err := x.do(ctx); err != nil {
		return value, 0, err
	}
	return *e.Result.Value, e.Result.Context.Slot, nil
}

// sameID reports whether an answer's id is that of the request. Proxies turn
// text into a number; null and nothing at all name no other request.
func sameID(raw json.RawMessage, id uint64) bool {
	text := string(bytes.TrimSpace(raw))
	n, err := strconv.ParseUint(strings.Trim(text, `"`), 10, 64)
	return text == "" || text == "null" || err == nil && n == id
}
