package transport

import "net/http"

// SharedTransport is the one of all clients without an HTTPClient of their own.
func SharedTransport() *http.Transport {
	t, _ := sharedTransport().(*http.Transport)
	return t
}

// LongNumber is longNumber.
var LongNumber = longNumber

// Crowded is crowded.
var Crowded = crowded

// RetryAfter is retryAfter.
var RetryAfter = retryAfter

// Release is release.
var Release = release

// HTTPClient is what c sends with, beneath the retries.
func HTTPClient(c *Client) *http.Client { return c.http }

// An Envelope is what answers of JSON-RPC are decoded into.
type Envelope[T any] = envelope[T]
