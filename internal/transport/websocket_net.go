//go:build !js

package transport

import (
	"context"
	"net/http"

	"github.com/coder/websocket"
)

func dialWebSocket(ctx context.Context, c *Client) (*websocket.Conn, *http.Response, error) {
	return websocket.Dial(ctx, c.base.String(), &websocket.DialOptions{
		HTTPClient: &http.Client{
			Transport:     upgrade{c.transport},
			Jar:           c.jar,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		HTTPHeader: http.Header{"User-Agent": {userAgent}},
	})
}

// An upgrade adds the key below the code that reports errors.
type upgrade struct{ *keyTransport }

func (u upgrade) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.WithContext(untraced{r.Context()}) //nolint:contextcheck // it is the same without a trace
	u.addKey(r)
	return u.next.RoundTrip(r)
}
