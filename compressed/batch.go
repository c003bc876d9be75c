package compressed

import (
	"context"
	"fmt"
	"slices"

	"github.com/solwire/solwire-go/internal/transport"
)

// maxInputs is the largest number of inputs of one request.
const maxInputs = 1000

// batch calls a method for any number of inputs, with up to maxInputs in a request, and
// fewer where the response would be too large. It returns one result per input, nil
// for those of failed requests.
func batch[I, T any](ctx context.Context, inputs []I, call func([]I) ([]*T, error)) ([]*T, error) {
	results := make([]*T, len(inputs))
	err := transport.InParts(ctx, len(inputs), maxInputs, func(start, end int) error {
		got, err := call(inputs[start:end])
		copy(results[start:end], got)
		return err
	})
	return results, err
}

// list calls a method whose value is a list with one element per input, none of them
// null.
func list[T any](ctx context.Context, c *Client, op transport.Op, params any, inputs int) ([]*T, error) {
	all, _, err := value(ctx, c, transport.Query[[]*T]{Op: op, Params: params, Missing: func(l *[]*T) string {
		if i := slices.Index(*l, nil); i >= 0 {
			return fmt.Sprintf("item %d: it is null", i)
		}
		return onePer(*l, inputs)
	}})
	if err != nil {
		return nil, err
	}
	return *all, nil
}

// onePer says what a list lacks that should have one element per input.
func onePer[T any](list []*T, inputs int) string {
	if len(list) != inputs {
		return fmt.Sprintf("result for each input: %d for %d", len(list), inputs)
	}
	return ""
}
