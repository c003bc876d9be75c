package rpc

import (
	"fmt"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A Client calls the JSON-RPC API. It is safe for concurrent use.
type Client struct{ api *transport.Client }

// New returns a Client for cfg. An invalid Config fails with [types.ErrInvalid].
func New(cfg types.Config) (*Client, error) {
	api, err := transport.New(cfg, transport.RPC, nil)
	if err != nil {
		return nil, err
	}
	return &Client{api}, nil
}

// A Commitment is the level of finality of the state that a node reads. Empty means
// finalized, the default of nodes.
type Commitment string

// The commitment levels, from the most recent state to the most final.
const (
	CommitmentProcessed Commitment = "processed" // the node's latest block, which may be dropped
	CommitmentConfirmed Commitment = "confirmed" // voted on by a supermajority of the stake
	CommitmentFinalized Commitment = "finalized" // rooted: cannot be rolled back
)

// check refuses a misspelled commitment, which some nodes treat as finalized.
func (c Commitment) check() error {
	switch c {
	case "", CommitmentProcessed, CommitmentConfirmed, CommitmentFinalized:
		return nil
	}
	return argument.Invalid(fmt.Sprintf("Commitment %q", c), "is not processed, confirmed or finalized")
}

// An Encoding is the encoding of account data or of a transaction in a response.
type Encoding string

// The encodings.
const (
	EncodingJSON       Encoding = "json"        // of transactions only: as they are, in JSON
	EncodingJSONParsed Encoding = "jsonParsed"  // parsed by the node where it knows the program
	EncodingBase64     Encoding = "base64"      // any data
	EncodingBase64Zstd Encoding = "base64+zstd" // any data, compressed

	// EncodingBase58 takes at most 128 bytes; of token accounts only with a data slice.
	EncodingBase58 Encoding = "base58"
)
