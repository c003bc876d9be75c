package stream

import (
	"context"
	"fmt"
	"net/http"

	"github.com/coder/websocket"

	"github.com/solwire/solwire-go/internal/transport"
)

// maxMessage limits a WebSocket message. An account of 10 MiB takes 14 MiB.
const maxMessage = 32 << 20

// dial returns a function that opens a WebSocket connection to the host of api, which a field
// of types.Config overrides. Its errors name that field.
func dial(api *transport.Client, field string) func(context.Context) (*websocket.Conn, func() error, error) {
	return func(ctx context.Context) (ws *websocket.Conn, end func() error, err error) {
		end, err = api.Upgrade(ctx, func(ctx context.Context, url string, client *http.Client) (resp *http.Response, err error) {
			ws, resp, err = websocket.Dial(ctx, url, dialOptions(client))
			return resp, err
		})
		if err != nil {
			return nil, nil, fmt.Errorf("types.Config.%s: %w", field, err)
		}
		if end == nil { // in a browser
			end = ws.CloseNow
		}
		ws.SetReadLimit(maxMessage)
		return ws, end, nil
	}
}
