package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
)

// A Query is a call of a JSON-RPC method with a result of type T.
type Query[T any] struct {
	Op      Op
	Invalid error           // why an argument is invalid; nothing is sent then
	Params  any             // an object or an array; nil for none
	About   any             // input that errors name, or a list; nil: the first of an array
	Null    Null            // the meaning of a null result
	Check   func(*T) error  // refuses an incomplete result; nil accepts every result
	Credits func(*T) uint64 // price by the result; failures are free then; nil: the fixed price
	Changes bool            // not idempotent: not retried once the service may have executed it
	Repeats bool            // with Changes: repetitions are executed once, so retries are safe
	URL     url.Values      // parameters of the URL; nil for none
	Data    func([]byte)    // receives the data of an error as it came; nil for none
	Items   *Items          // reads the lists of a response item by item if need be; nil does not

	// MaxAttempts limits the attempts of a call whose retries are costly or of little
	// use; 0 means the limit of the Client.
	MaxAttempts int
}

// Null is the meaning of a null result.
type Null int

// The meanings of null.
const (
	NullIsError    Null = iota // a result is due
	NullIsNotFound             // types.ErrNotFound
	NullIsAnswer               // the result is nil
)

// Result calls a method that returns a plain result: a number, a list or an object.
func Result[T any](ctx context.Context, c *Client, q Query[T]) (*T, error) {
	out, _, err := send(ctx, c, q, func(out *T, _ []byte) (*T, uint64, error) { return out, 0, nil })
	return out, err
}

// Value calls a method that returns {context, value}, and returns the value and the
// slot of the context.
func Value[T any](ctx context.Context, c *Client, q Query[T]) (out *T, slot uint64, err error) {
	return send(ctx, c, q, func(in *inContext[T], body []byte) (*T, uint64, error) {
		switch {
		case in == nil:
			return nil, 0, nil
		case in.Value == nil && !isNull(body, "result", "value") && !isNull(body, "value"):
			return nil, 0, errors.New("the response has no value")
		}
		return in.Value, in.Context.Slot, nil
	})
}

// send calls the method of q. Open returns the content of the result R of a response.
func send[T, R any](ctx context.Context, c *Client, q Query[T], open func(*R, []byte) (*T, uint64, error)) (*T, uint64, error) {
	if err := c.Check(q.Op, q.Invalid); err != nil {
		return nil, 0, err
	}
	x := c.newCall(q.Op, q.about())
	if err := x.encode(request{"2.0", 1, q.Op.Wire, q.Params}); err != nil {
		return nil, 0, err
	}
	x.creates, x.changes, x.data = q.Changes && !q.Repeats, q.Changes, q.Data
	if len(q.URL) > 0 {
		u := *c.base
		u.RawQuery = q.URL.Encode()
		x.url = &u
	}
	if q.MaxAttempts > 0 {
		x.maxAttempts = min(x.maxAttempts, q.MaxAttempts)
	}
	if q.Credits != nil {
		x.charges = []Op{} // none: decode counts them
	}
	var got struct {
		value *T
		slot  uint64
	}
	x.decode = func(status int, body []byte) error {
		got.value = nil // of an earlier attempt
		read := func(body []byte) error {
			in, err := decodeEnvelope[R](x, status, body)
			if err != nil {
				return err
			}
			if got.value, got.slot, err = open(in, body); err != nil {
				return err
			}
			return q.check(got.value)
		}
		err := read(body)
		if err != nil {
			err = q.Items.readAgain(x, body, err, read)
		}
		if q.Credits != nil && got.value != nil && c.meter != nil {
			x.charge(q.Op, q.Credits(got.value))
		}
		return err
	}
	if err := x.run(ctx); err != nil {
		return nil, 0, err
	}
	return got.value, got.slot, q.notFound(x, got.value)
}

// newCall returns a JSON-RPC call, or a call that differs from one in some fields.
func (c *Client) newCall(op Op, about any) *call {
	return &call{
		Client: c, op: op, method: http.MethodPost, url: c.base, about: about, size: 1,
		maxAttempts: c.Attempts, timeout: c.transport.timeout, late: c.transport.late, secret: c.secret,
	}
}

// about returns the input that errors name. A plain text in positional params is data, such
// as a signed transaction.
func (q *Query[T]) about() any {
	list, _ := q.Params.([]any)
	if q.About != nil || len(list) == 0 {
		return q.About
	}
	if _, data := list[0].(string); data {
		return nil
	}
	return list[0]
}

// check accepts or refuses a result, which is nil for null.
func (q *Query[T]) check(out *T) error {
	switch {
	case out != nil && q.Check != nil:
		return q.Check(out)
	case out == nil && q.Null == NullIsError:
		return errors.New("the response is null")
	}
	return nil
}

// notFound is the error of a null result, if it is one.
func (q *Query[T]) notFound(x *call, out *T) error {
	if out == nil && q.Null == NullIsNotFound {
		return fmt.Errorf("%s: %w", x.name(), types.ErrNotFound)
	}
	return nil
}

// inContext is a result with the slot of the state that was read.
type inContext[T any] struct {
	Context struct {
		Slot uint64 `json:"slot"`
	} `json:"context"`
	Value *T `json:"value"`
}

// An envelope is a JSON-RPC response, decoded in one pass with the result in it.
type envelope[R any] struct {
	JSONRPC json.RawMessage `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   json.RawMessage `json:"error"`
	Result  *R              `json:"result"`
}

// A request is a JSON-RPC request.
type request struct {
	JSONRPC string `json:"jsonrpc"`
	ID      uint64 `json:"id,string"`
	Method  string `json:"method"`
	Params  any    `json:"params,omitempty"`
}

// decodeEnvelope returns the result in a response, nil for null.
func decodeEnvelope[R any](x *call, status int, body []byte) (*R, error) {
	var e envelope[R]
	if err := decode.JSON(body, &e); len(e.Error) > 0 && present(e.Error) {
		return nil, x.refusalInside(status, body)
	} else if err != nil {
		return nil, err
	}
	switch {
	case e.Result != nil:
		return e.Result, nil
	case isNull(body, "result"):
		return nil, nil //nolint:nilnil // null
	case present(e.JSONRPC), e.ID != nil:
		return nil, errors.New("the response has no result")
	case isNull(body):
		return nil, errors.New("the response is null")
	}
	bare := new(R) // the documents of the compression API show results without an envelope
	if err := decode.JSON(body, bare); err != nil {
		return nil, err
	}
	return bare, nil
}

// isNull reports whether a member of a response is null, and not missing.
func isNull(body []byte, path ...string) bool {
	for _, name := range path {
		var members map[string]json.RawMessage
		if decode.JSON(body, &members) != nil {
			return false
		}
		body = members[name]
	}
	return string(bytes.TrimSpace(body)) == "null"
}
