package transport

import (
	"github.com/solwire/solwire-go/internal/facts"
	"github.com/solwire/solwire-go/internal/meter"
)

// Facts returns what the service documents about the operation: its price and limits.
func (o Op) Facts() facts.Operation { return facts.Of(o.Wire) }

// pay counts the credits of a response with a 2xx status.
func (c *call) pay() {
	charges := c.charges
	if charges == nil {
		charges = []Op{c.op}
	}
	for _, op := range charges {
		meter.Add(c.meter, op.Wire, op.Facts().Credits)
	}
}
