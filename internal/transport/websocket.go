package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/coder/websocket"

	"github.com/solwire/solwire-go/types"
)

// opWebSocket names the upgrade to WebSocket in errors.
const opWebSocket Op = "stream.Client WebSocket"

// maxMessage limits a WebSocket message. An account of 10 MiB takes 14 MiB.
const maxMessage = 32 << 20

// handshakeTimeout limits the upgrade of a connection.
const handshakeTimeout = 15 * time.Second

// DialWebSocket opens a WebSocket connection to the host of the client, with its key,
// Transport and limiter. A refusal is a *types.APIError. It counts as one credit.
func (c *Client) DialWebSocket(ctx context.Context) (*websocket.Conn, error) {
	if c.limiter != nil {
		if err := c.limiter.Wait(ctx); err != nil {
			return nil, c.secret.clean(err)
		}
	}
	limited, cancel := context.WithTimeoutCause(ctx, handshakeTimeout, &timeoutError{fmt.Errorf("no connection within %v", handshakeTimeout)})
	defer cancel()
	ws, resp, err := dialWebSocket(limited, c) //nolint:bodyclose // Dial has read it
	if err != nil {
		return nil, c.undialed(ctx, limited, resp, err)
	}
	ws.SetReadLimit(maxMessage)
	c.Charge("WebSocket connections", 1)
	return ws, nil
}

// Charge counts credits that no response of a call costs.
func (c *Client) Charge(op string, credits uint64) {
	if c.meter != nil {
		c.meter.Add(op, credits)
	}
}

// undialed returns the error of an upgrade, without the URL and so without the key.
func (c *Client) undialed(ctx, limited context.Context, resp *http.Response, err error) error {
	if reason := ended(ctx); reason != nil {
		return reason
	}
	if cause := context.Cause(limited); cause != nil {
		return fmt.Errorf("%s: %w", opWebSocket, cause)
	}
	if resp == nil || resp.StatusCode == http.StatusSwitchingProtocols {
		for next := err; next != nil; next = errors.Unwrap(next) {
			err = next // the cause, which does not quote the URL
		}
		return c.secret.clean(fmt.Errorf("%s: %w", opWebSocket, err))
	}
	refused := &call{Client: c, op: opWebSocket, secret: c.secret, attempt: 1}
	var body []byte
	if resp.Body != nil {
		body, _ = io.ReadAll(io.LimitReader(resp.Body, maxText))
	}
	e := refused.refusal(resp, body, len(body) < maxText)
	if e.Message == "" {
		e.Message = http.StatusText(resp.StatusCode)
	}
	return refused.refused(e, resp.Header).err
}

// Refusal returns the error of a JSON-RPC response that came over a WebSocket connection.
func (c *Client) Refusal(method string, raw []byte) error {
	op := Op("stream.Client " + method)
	e := (&call{Client: c, op: op, secret: c.secret, attempt: 1}).refusalInside(http.StatusOK, raw)
	var refusal *types.APIError
	if errors.As(e, &refusal) {
		refusal.Op, refusal.Attempts = op.String(), 1
	}
	return e
}
