package compressed

import (
	"errors"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A WireVersion is one of the two versions of a method. The wire names of version 2 end in V2.
type WireVersion int

// The versions.
const (
	WireVersion1 WireVersion = 1 // supports trees of version 1 only
	WireVersion2 WireVersion = 2 // supports trees of both versions; older indexers lack it
)

// WithVersion returns a client that calls only version v of a method with two versions. 0 means
// the default: version 2, or version 1 of a method if the service lacks version 2. The client
// shares everything else with c.
func (c *Client) WithVersion(v WireVersion) *Client {
	pinned := *c
	pinned.version = v
	return &pinned
}

// An operation is a method that the service has in two versions.
type operation struct{ v2, v1 transport.Op }

func inVersions(method, v2, v1 string) operation {
	return operation{transport.Op{Method: method, Wire: v2}, transport.Op{Method: method, Wire: v1}}
}

func inOneVersion(method, wire string) operation { return inVersions(method, wire, wire) }

// current returns the version of op to call.
func (c *Client) current(op operation) transport.Op {
	if c.version == 0 && c.lacks != nil { // nil in a Client that New has not made
		if lacks, _ := c.lacks.Load(op.v2.Wire); lacks == true {
			return op.v1
		}
	}
	if c.version == WireVersion1 {
		return op.v1
	}
	return op.v2
}

// withFallback calls version 2 of op, or version 1 if the service lacks version 2. The first
// response decides, for good: version 1 does not know all accounts, so a listing that changed
// versions would lose some.
func (c *Client) withFallback(op operation, call func(transport.Op) error) error {
	called := c.current(op)
	err := call(called)
	var refusal *types.APIError
	unknown := errors.As(err, &refusal) && refusal.Code == -32601
	if c.version != 0 || called == op.v1 || err != nil && !unknown {
		return err
	}
	if lacks, _ := c.lacks.LoadOrStore(op.v2.Wire, unknown); lacks == true && unknown {
		return call(op.v1)
	}
	return err
}
