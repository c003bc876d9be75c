package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
)

// A Request is a REST request.
type Request struct {
	Op      Op
	Invalid error                   // why an argument is invalid; nothing is sent then
	Path    []string                // the values of the placeholders of Op, in order
	About   any                     // input that errors name, or a list; nil: the first of Path
	Query   url.Values              // without empty values
	Body    any                     // sent as JSON; nil for none
	Creates bool                    // not idempotent: no retry once it may have been executed
	Secrets []string                // removed from errors and logs, like the key
	Credits func(result any) uint64 // price that a response states; failures are free then
	Items   *Items                  // reads lists item by item if need be; nil does not
}

// Fetch sends r and returns the decoded response. Check refuses an incomplete response;
// nil accepts every response.
func Fetch[T any](ctx context.Context, c *Client, r Request, check func(*T) error) (*T, error) {
	if err := c.Check(r.Op, r.Invalid); err != nil {
		return nil, err
	}
	method, path := r.Op.route(r.Path)
	x := c.newCall(r.Op, r.About)
	x.method, x.creates, x.secret = method, r.Creates, c.secret.with(r.Secrets)
	x.changes = r.Creates || method == http.MethodPut || method == http.MethodPatch || method == http.MethodDelete
	if x.about == nil && len(r.Path) > 0 {
		x.about = r.Path[0]
	}
	var err error
	if x.url, err = url.Parse(strings.TrimRight(c.base.String(), "/") + path); err != nil {
		return nil, c.Check(r.Op, errors.New("the path is invalid")) // err quotes it
	}
	x.url.RawQuery = r.Query.Encode()
	if r.Body != nil {
		if err := x.encode(r.Body); err != nil {
			return nil, err
		}
	}
	if r.Credits != nil {
		x.charges = []Op{} // none: decode counts them
	}
	var out *T
	x.decode = func(status int, body []byte) error {
		// Without these words, it is decoded once.
		if bytes.Contains(body, []byte(`"error"`)) || bytes.Contains(body, []byte(`"statusCode"`)) {
			if err := x.findRefusal(status, body); err != nil {
				return err
			}
		}
		switch {
		case method == http.MethodDelete && (isNull(body) || len(bytes.TrimSpace(body)) == 0):
			return nil
		case isNull(body):
			return errors.New("the response is null")
		}
		read := func(body []byte) error {
			out = new(T) // an earlier attempt may have filled it in part
			err := decode.JSON(body, out)
			if err == nil && check != nil {
				err = check(out)
			}
			return err
		}
		err := read(body)
		if err != nil {
			err = r.Items.readAgain(x, body, err, read)
		}
		if r.Credits != nil && c.meter != nil {
			x.charge(r.Op, r.Credits(out))
		}
		return err
	}
	if err := x.run(ctx); err != nil {
		return nil, err
	}
	return out, nil
}

// Require returns an error that names a missing member of a response, nil if it is present.
func Require(present bool, member string) error {
	if present {
		return nil
	}
	return decode.MissingError{Member: member}
}

// OnePer refuses a response without exactly one result for each input.
func OnePer(inputs, results int) error {
	if results == inputs {
		return nil
	}
	return fmt.Errorf("the response has %d results for %d inputs", results, inputs)
}

// Delete sends r, which has no body and no media type: the service refuses both. The
// response may be empty. A 404 after an attempt that may have deleted the resource is
// a success.
func (c *Client) Delete(ctx context.Context, r Request) error {
	_, err := Fetch[struct{}](ctx, c, r, nil)
	if errors.Is(err, types.ErrNotFound) && errors.Is(err, types.ErrMayHaveExecuted) {
		return nil
	}
	return err
}

// encode sets the body of the requests.
func (c *call) encode(v any) (err error) {
	if c.body, err = json.Marshal(v); err != nil {
		err = c.Check(c.op, fmt.Errorf("the request cannot be encoded: %w: %w", types.ErrInvalid, err))
	}
	return err
}

// findRefusal returns the error in a response with a 2xx status, nil without one. Only
// members of the outermost object count: an error further inside is data.
func (c *call) findRefusal(status int, body []byte) error {
	if !bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) {
		return nil
	}
	var answer errorBody
	_ = decode.JSON(body, &answer) // the caller reports malformed JSON
	if present(answer.Error) || number(answer.StatusCode) >= http.StatusBadRequest {
		return c.refusalInside(status, body)
	}
	return nil
}
