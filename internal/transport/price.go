package transport

import (
	"fmt"

	"github.com/solwire/solwire-go/internal/facts"
	"github.com/solwire/solwire-go/internal/meter"
	"github.com/solwire/solwire-go/types"
)

// Facts returns the documented price and limits of the operation.
func (o Op) Facts() facts.Operation { return facts.Of(o.Wire) }

// prices returns the price of a response, by operation.
func (c *call) prices() []Op {
	if len(c.charges) == 0 { // the price of the operation, or by the result
		return []Op{c.op}
	}
	return c.charges
}

// reserve sets the credits of an attempt aside. Beyond the limit of the Meter, it fails.
func (c *call) reserve() *failure {
	c.reserved = 0
	for _, op := range c.prices() {
		c.reserved += op.Facts().Credits
	}
	if meter.Reserve(c.meter, c.reserved) {
		return nil
	}
	err := overBudget(c.meter, c.reserved)
	c.reserved = 0
	return &failure{err: err}
}

func overBudget(m *types.Meter, credits uint64) error {
	return fmt.Errorf("%d more credits would exceed the limit of %d: %w", credits, m.Limit, types.ErrBudget)
}

// pay counts the credits of a response with a 2xx status, unless they depend on its result.
func (c *call) pay() {
	if c.charges != nil && len(c.charges) == 0 {
		return
	}
	for _, op := range c.prices() {
		c.charge(op, op.Facts().Credits)
	}
}

// charge counts the credits of a response, which were reserved if they were known.
func (c *call) charge(op Op, credits uint64) {
	reserved := min(credits, c.reserved)
	c.reserved -= reserved
	meter.Add(c.meter, op.Wire, credits, reserved)
}
