package webhooks

import (
	"context"
	"fmt"
	"strings"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/internal/wait"
)

// lock checks the arguments of op, and then waits until no other change of the webhook is running,
// at most until ctx ends. Invalid are errors of further arguments.
func (c *Client) lock(ctx context.Context, op transport.Op, id string, invalid ...error) (unlock func(), err error) {
	if err := c.api.Check(op, append([]error{checkContext(ctx), checkID(id)}, invalid...)...); err != nil {
		return nil, err
	}
	id = strings.ToLower(id)
	if c.changes.enter(ctx, id) != nil {
		return nil, fmt.Errorf("%s: waiting for another change of the webhook: %w", op, wait.Ended(ctx))
	}
	return func() { c.changes.leave(id) }, nil
}
