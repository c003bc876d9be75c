package stream

import (
	"net/http"

	"github.com/coder/websocket"
)

// dialOptions returns none: browsers dial by themselves, without a Transport.
func dialOptions(*http.Client) *websocket.DialOptions { return nil }
