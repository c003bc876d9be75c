package stream

import (
	"net/http"

	"github.com/coder/websocket"
)

// dialOptions lets the browser dial, which takes no Transport.
func dialOptions(*http.Client) *websocket.DialOptions { return nil }
