package webhooks

import (
	"context"
	"fmt"
	"strings"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/internal/wait"
)

// lock checks the arguments of op, and serializes the changes of the webhook: it fails when ctx
// ends before a change that is being made. Invalid are further reasons why an argument is invalid.
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
