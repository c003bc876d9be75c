package transport

import (
	"context"
	"errors"

	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/types"
)

// InParts calls f for n inputs in parts, one after the other: for those from start up
// to but not including end. A part has up to most inputs, and fewer where a request or
// its response is too large. The result is nil or a [types.BatchError], where inputs
// that were not sent, because they would fail likewise, have the error of the last part.
func InParts(ctx context.Context, n, most int, f func(start, end int) error) error {
	errs := make([]error, n)
	failed := false
	size := paging.Size{N: most, Most: most}
	for start := 0; start < n; {
		end := min(start+size.N, n)
		err := f(start, end)
		switch {
		case err == nil:
			size.Fits()
		case errors.Is(err, types.ErrTooLarge) && end-start > 1:
			size.Halve(end - start)
			continue
		case ctx == nil || ctx.Err() != nil || RefusesAll(err):
			end = n
		}
		failed = failed || err != nil
		for ; start < end; start++ {
			errs[start] = err
		}
	}
	if failed {
		return &types.BatchError{Errs: errs}
	}
	return nil
}

// InDistinctParts is InParts for inputs that may repeat: f gets each one once. The error
// of a repeated input is at all of its places.
func InDistinctParts[T comparable](ctx context.Context, inputs []T, most int, f func(part []T) error) error {
	seen := make(map[T]int, len(inputs))
	places := make([]int, len(inputs)) // of the inputs among the distinct ones
	var distinct []T
	for i, input := range inputs {
		place, again := seen[input]
		if !again {
			place = len(distinct)
			seen[input] = place
			distinct = append(distinct, input)
		}
		places[i] = place
	}
	err := InParts(ctx, len(distinct), most, func(start, end int) error { return f(distinct[start:end]) })
	var failed *types.BatchError
	if !errors.As(err, &failed) {
		return err
	}
	errs := make([]error, len(inputs))
	for i, place := range places {
		errs[i] = failed.Errs[place]
	}
	return &types.BatchError{Errs: errs}
}
