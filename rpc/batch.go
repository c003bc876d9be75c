package rpc

import (
	"context"
	"errors"
	"fmt"

	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A BatchError is the error of a method that takes any number of inputs, such as
// [Client.Accounts], when some of them failed. The results of the others are valid.
type BatchError struct {
	Errs []error // one per input, in their order; nil where the result is valid
}

// Error returns the first error, and how many others there are.
func (e *BatchError) Error() string {
	all := e.Unwrap()
	switch len(all) {
	case 0:
		return "no error"
	case 1:
		return all[0].Error()
	}
	return fmt.Sprintf("%v (and %d more)", all[0], len(all)-1)
}

// Unwrap returns the different errors. Inputs of one request share its error.
func (e *BatchError) Unwrap() []error {
	var all []error
	seen := map[error]bool{nil: true}
	for _, err := range e.Errs {
		if !seen[err] {
			seen[err] = true
			all = append(all, err)
		}
	}
	return all
}

// inParts calls f with parts of at most limit inputs, one after the other, and of fewer
// where the response would be too large. It returns the errors of the parts that failed.
func inParts[T any](ctx context.Context, all []T, limit int, f func(start int, part []T) error) error {
	errs := make([]error, len(all))
	failed := false
	size := paging.Size{N: limit, Most: limit}
	for start := 0; start < len(all); {
		end := min(start+size.N, len(all))
		err := f(start, all[start:end])
		switch {
		case err == nil:
			size.Fits()
		case errors.Is(err, types.ErrTooLarge) && end-start > 1:
			size.Halve(end - start)
			continue
		case ctx == nil || ctx.Err() != nil || transport.RefusesAll(err): // the other parts would fail likewise
			end = len(all)
		}
		failed = failed || err != nil
		for ; start < end; start++ {
			errs[start] = err
		}
	}
	if failed {
		return &BatchError{errs}
	}
	return nil
}
