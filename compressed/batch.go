package compressed

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// maxInputs is the largest number of inputs of one request.
const maxInputs = 1000

// batch calls a method for any number of inputs, with up to maxInputs in a request, and
// fewer where the response would be too large.
// It returns one result per input, and the errors of the failed requests; no results
// if all failed.
func batch[I, T any](ctx context.Context, inputs []I, call func([]I) ([]*T, error)) ([]*T, error) {
	results := make([]*T, len(inputs))
	var failures []error
	good := 0
	size := paging.Size{N: maxInputs, Most: maxInputs}
	var end int
	for start := 0; start < len(inputs); start = end {
		end = min(start+size.N, len(inputs))
		got, err := call(inputs[start:end])
		for errors.Is(err, types.ErrTooLarge) && end-start > 1 {
			size.Halve(end - start)
			end = start + size.N
			got, err = call(inputs[start:end])
		}
		if err == nil {
			good += copy(results[start:end], got)
			size.Fits()
			continue
		}
		if end-start < len(inputs) {
			err = &BatchError{start, end, err}
		}
		failures = append(failures, err)
		if ctx == nil || ctx.Err() != nil || transport.RefusesAll(err) {
			if end < len(inputs) { // the other requests would fail likewise
				failures = append(failures, &BatchError{end, len(inputs), fmt.Errorf("not requested: %w", err)})
			}
			break
		}
	}
	if good == 0 && len(failures) > 0 {
		return nil, errors.Join(failures...)
	}
	return results, errors.Join(failures...)
}

// distinct returns the inputs without repetitions, and for each input its place among
// them.
func distinct[I comparable](inputs []I) (unique []I, places []int) {
	seen := make(map[I]int, len(inputs))
	for _, input := range inputs {
		place, again := seen[input]
		if !again {
			place = len(unique)
			seen[input] = place
			unique = append(unique, input)
		}
		places = append(places, place)
	}
	return unique, places
}

// each checks every input of a batch.
func each[I any](name string, inputs []I, check func(string, I) error) error {
	for i, input := range inputs {
		if err := check(fmt.Sprintf("%s[%d]", name, i), input); err != nil {
			return err
		}
	}
	return nil
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
