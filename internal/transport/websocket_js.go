package transport

import (
	"context"
	"net/http"

	"github.com/coder/websocket"
)

// dialWebSocket lets the browser dial, which takes no Transport and no headers.
func dialWebSocket(ctx context.Context, c *Client) (*websocket.Conn, *http.Response, error) {
	u := *c.base
	u.RawQuery = c.transport.keyQuery
	return websocket.Dial(ctx, u.String(), nil)
}
