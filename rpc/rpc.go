package rpc

import (
	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A Client reads accounts through the standard RPC methods. It is safe for
// concurrent use.
type Client struct{ api *transport.Client }

// New returns a Client for cfg. It fails with [types.ErrInvalid] when the key
// is missing or the URL cannot work.
func New(cfg types.Config) (*Client, error) {
	api, err := transport.New(cfg, transport.RPC)
	if err != nil {
		return nil, err
	}
	return &Client{api}, nil
}

// A Commitment says how final the state must be that an answer shows. Empty
// means the service's default, finalized.
type Commitment string

// The commitments, the fastest first.
const (
	Processed Commitment = "processed" // seen by the node; may still be dropped
	Confirmed Commitment = "confirmed" // voted for by most of the stake
	Finalized Commitment = "finalized" // cannot be undone
)

// check refuses a misspelt commitment: a node takes it for finalized.
func (c Commitment) check() error {
	switch c {
	case "", Processed, Confirmed, Finalized:
		return nil
	}
	return argument.Invalid("Commitment", "is none of processed, confirmed and finalized")
}

// An Encoding is a form in which the service sends the data of an account.
type Encoding string

// The encodings.
const (
	JSONParsed Encoding = "jsonParsed"  // read by the service, into [Data.Parsed]
	Base64     Encoding = "base64"      // bytes
	Base64Zstd Encoding = "base64+zstd" // bytes, compressed
	Base58     Encoding = "base58"      // bytes, at most 128 of them: for token accounts only with a data slice
)
