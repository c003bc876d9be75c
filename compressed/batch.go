package compressed

import (
	"context"

	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
)

// maxInputs is the largest number of inputs of one request.
var maxInputs = opAccounts.v2.Facts().Inputs

// batch calls a method for any number of inputs. A request has up to maxInputs, and fewer if the
// response would be too large. It returns one result per input, nil after a failed request.
func batch[I, T any](ctx context.Context, inputs []I, call func([]I, *transport.Items) ([]*T, error)) ([]*T, error) {
	return paging.InParts(ctx, inputs, maxInputs, func(part []I, into []*T, items *transport.Items) error {
		got, err := call(part, items)
		copy(into, got)
		return err
	})
}

// list calls a method whose value is a list with one element per input. A null is an error, and
// so is an element that check refuses.
func list[T any](
	ctx context.Context, c *Client, op operation, about, params any, inputs int, items *transport.Items, check func(i int, element *T) error,
) ([]*T, error) {
	all, _, err := ask(ctx, c, op, transport.Query[[]*T]{About: about, Params: params, Items: items, Check: paging.PerInput(inputs, check)})
	if err != nil {
		return nil, err
	}
	for i, element := range *all {
		if element == nil {
			items.Null(c.current(op), i)
		}
	}
	return *all, nil
}
