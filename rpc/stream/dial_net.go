//go:build !js

package stream

import (
	"net/http"

	"github.com/coder/websocket"
)

func dialOptions(client *http.Client) *websocket.DialOptions {
	return &websocket.DialOptions{HTTPClient: client}
}
