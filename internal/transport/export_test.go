package transport

import "net/http"

// SharedTransport is the Transport of all clients without an HTTPClient.
func SharedTransport() *http.Transport {
	t, _ := sharedTransport().(*http.Transport)
	return t
}

// RetryAfter is retryAfter.
var RetryAfter = retryAfter

// Release releases a buffer of a capacity and returns its length afterwards.
func Release(capacity int) int {
	b := make([]byte, 1, capacity)
	release(&b)
	return len(b)
}

// Tokens returns the tokens in the budget of c.
func Tokens(c *Client) int64 { return c.budget.tokens.Load() }
