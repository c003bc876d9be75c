package transport

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/solwire/solwire-go/internal/meter"
	"github.com/solwire/solwire-go/types"
)

// opWebSocket names the upgrade to WebSocket in errors.
var opWebSocket = Op{Method: "stream.Client", Wire: "WebSocket"}

// handshakeTimeout limits the upgrade of a connection.
const handshakeTimeout = 15 * time.Second

// Upgrade opens a WebSocket connection, as a call with one attempt that costs one credit. Dial
// gets the URL of the host, and an http.Client that adds the key and uses the Transport of c. In
// a browser, which dials by itself, the URL has the key and the http.Client does not matter. With
// the error of a refusal, dial returns the response and its body. End ends the connection; it is
// nil in a browser.
func (c *Client) Upgrade(ctx context.Context, dial func(context.Context, string, *http.Client) (*http.Response, error)) (end func() error, err error) {
	x := c.newCall(opWebSocket, nil)
	x.maxAttempts, x.charges, x.timeout = 1, []Op{}, handshakeTimeout
	x.late = timeoutError(fmt.Sprintf("no connection within %v", handshakeTimeout))
	u := *c.base
	if c.transport.browser {
		u.RawQuery = c.transport.keyQuery
	}
	way := &upgrade{keyTransport: c.transport}
	var instead *http.Response // of a connection
	x.dial = func(ctx context.Context) (resp *http.Response, err error) {
		resp, err = dial(ctx, u.String(), &http.Client{Transport: way, CheckRedirect: refuseRedirect})
		if err == nil {
			if c.meter != nil {
				x.charge(Op{Wire: "WebSocket connections"}, 1)
			}
			return nil, nil //nolint:nilnil // a connection
		}
		if resp != nil && resp.StatusCode != http.StatusSwitchingProtocols {
			instead = resp
			return resp, nil
		}
		var quoting *url.Error
		if errors.As(err, &quoting) {
			err = quoting.Err
		}
		return nil, err
	}
	x.decode = func(_ int, body []byte) error {
		e := x.refusal(instead, body, true)
		e.Message = cmp.Or(e.Message, "the host opens no WebSocket connection")
		return e
	}
	err = x.run(ctx)
	return way.end, err
}

// refuseRedirect refuses to follow a redirect, which would carry the key to another host.
func refuseRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// An upgrade adds the key below the code that reports errors.
type upgrade struct {
	*keyTransport
	end func() error // of the connection that it leaves
}

func (u *upgrade) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("User-Agent", userAgent)
	u.addKey(r)
	resp, err := u.next.RoundTrip(r)
	// a Transport may return neither
	if resp != nil && resp.Body != nil && resp.StatusCode == http.StatusSwitchingProtocols {
		u.end = resp.Body.Close
	}
	return resp, err
}

// Charge counts credits that no response of a call costs.
func (c *Client) Charge(op string, credits uint64) {
	if c.meter != nil {
		meter.Add(c.meter, op, credits, 0)
	}
}

// Refusal returns the error of a JSON-RPC response that came over a WebSocket connection, to
// a request with these params.
func (c *Client) Refusal(method string, params []any, raw []byte) error {
	q := Query[any]{Op: Op{Method: "stream.Client", Wire: method}, Params: params}
	x := c.newCall(q.Op, q.about())
	x.attempt = 1
	err := x.refusalInside(http.StatusOK, raw)
	if refusal, ok := err.(*types.APIError); ok { //nolint:errorlint // it is made here
		return x.refused(refusal, nil).err
	}
	return err
}
