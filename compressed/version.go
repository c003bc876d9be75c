package compressed

import (
	"errors"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A Version is the version of a method that the service has in two. The names of
// version 2 end in V2, and its results say more about the trees of accounts.
type Version int

// The versions.
const (
	Version1 Version = 1 // supports trees of version 1 only
	Version2 Version = 2 // supports trees of both versions; older indexers lack it
)

// WithVersion returns a client that calls only one version of the methods that have
// two; it shares everything else with c. 0 means the default: version 2, or version 1
// where the first response to a method shows that the service lacks version 2.
func (c *Client) WithVersion(v Version) *Client {
	pinned := *c
	pinned.version = v
	return &pinned
}

// An operation is a method that the service has in two versions.
type operation struct{ v2, v1 transport.Op }

func inVersions(method, v2, v1 string) operation {
	return operation{transport.Op{Method: method, Wire: v2}, transport.Op{Method: method, Wire: v1}}
}

// op is the Op of one version.
func (o operation) op(v Version) transport.Op {
	if v == Version1 {
		return o.v1
	}
	return o.v2
}

// withFallback runs call with version 2 of op, or with version 1 if the service lacks
// version 2, and remembers which: version 1 does not know all accounts, so a change of
// versions during a listing would lose some.
func (c *Client) withFallback(op operation, call func(transport.Op, Version) error) error {
	v, final := c.versionOf(op)
	err := call(op.op(v), v)
	if final {
		return err
	}
	unknown := isUnknownMethod(err)
	if err != nil && !unknown {
		return err
	}
	if lacks, _ := c.lacks.LoadOrStore(op.v2.Wire, unknown); lacks == true && unknown {
		return call(op.op(Version1), Version1)
	}
	return err
}

// versionOf returns the version of op to call, and whether that version is final.
func (c *Client) versionOf(op operation) (v Version, final bool) {
	switch {
	case c.lacks == nil: // not made by New
		return Version2, true
	case c.version != 0:
		return c.version, true
	}
	lacks, known := c.lacks.Load(op.v2.Wire)
	if lacks == true {
		return Version1, true
	}
	return Version2, known
}

// currentOp returns the Op of the version of op to call.
func (c *Client) currentOp(op operation) transport.Op {
	v, _ := c.versionOf(op)
	return op.op(v)
}

func isUnknownMethod(err error) bool {
	var refusal *types.APIError
	return errors.As(err, &refusal) && refusal.Code == -32601
}
