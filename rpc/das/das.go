package das

import (
	"errors"
	"strings"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A Client reads digital assets. It is safe for concurrent use.
type Client struct{ api *transport.Client }

// op returns the operation of a Go method.
func op(method, wire string) transport.Op { return transport.Op{Method: method, Wire: wire} }

// New returns a Client that sends requests to the RPC host of cfg. An invalid Config
// fails with [types.ErrInvalid].
func New(cfg types.Config) (*Client, error) {
	api, err := transport.New(cfg, transport.RPC, nil)
	if err != nil {
		return nil, err
	}
	return &Client{api}, nil
}

// A notFoundError is a refusal that means that the service has no such thing. The
// indexers send code -32000 for most errors and tell them apart by the text only.
type notFoundError struct{ error }

func (e notFoundError) Unwrap() []error { return []error{e.error, types.ErrNotFound} }

// orNotFound makes errors that mean "not found" match [types.ErrNotFound].
func orNotFound(err error) error {
	var refusal *types.APIError
	if !errors.As(err, &refusal) || refusal.Code != -32000 || errors.Is(err, types.ErrNotFound) {
		return err
	}
	text := strings.ToLower(refusal.Message)
	if strings.Contains(text, "not found") || strings.Contains(text, "has no supply") { // burnt
		return notFoundError{err}
	}
	return err
}
