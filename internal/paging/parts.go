package paging

import (
	"cmp"
	"context"
	"errors"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// InParts calls f for parts of inputs, one after the other, with the place of their results, and
// with Items for its request. A part has up to limit inputs, and fewer where a request or its
// response is too large. A [types.BatchError] of f has one error per input of the part. The error
// of InParts is nil or a [types.BatchError]. After an error that refuses all requests, it has that
// error for the other inputs too.
func InParts[I, R any](
	ctx context.Context, inputs []I, limit int, f func(part []I, into []R, items *transport.Items) error,
) ([]R, error) {
	n := len(inputs)
	results, errs := make([]R, n), make([]error, n)
	failed := false
	size := Size{N: limit, Max: limit}
	for start := 0; start < n; {
		end := min(start+size.N, n)
		items := &transport.Items{Keep: true}
		err := f(inputs[start:end], results[start:end], items)
		if err == nil {
			err = byInput(items, inputs[start:end])
		}
		switch {
		case err == nil:
			size.Fits()
		case errors.Is(err, types.ErrTooLarge) && end-start > 1:
			size.Halve(end - start)
			continue
		case ctx == nil || ctx.Err() != nil || transport.RefusesAll(err):
			end = n
		}
		failed = failed || err != nil
		var some *types.BatchError
		if errors.As(err, &some) {
			var none R
			for _, err := range some.Errs {
				if errs[start] = err; err != nil {
					results[start] = none
				}
				start++
			}
		}
		for ; start < end; start++ {
			errs[start] = err
		}
	}
	if failed {
		return results, &types.BatchError{Errs: errs}
	}
	return results, nil
}

// byInput returns the unreadable items as the errors of the inputs at their places, or of all
// inputs with their IDs if items.ByID is set. It returns nil without such items.
func byInput[I any](items *transport.Items, inputs []I) error {
	if len(items.Unreadable) == 0 {
		return nil
	}
	errs := make([]error, len(inputs))
	for n, e := range items.Unreadable {
		found := false
		for i, input := range inputs {
			if items.ByID && transport.NameOf(input) == e.ID {
				errs[i], found = e, true
			}
		}
		if !found {
			i := min(items.Places[n], len(inputs)-1)
			errs[i], e.ID = e, transport.NameOf(inputs[i])
		}
	}
	return &types.BatchError{Errs: errs}
}

// PerInput returns the check of a list with one element per input, which may be null. Check
// refuses element i; nil accepts all.
func PerInput[T any](inputs int, check func(i int, element *T) error) func(*[]*T) error {
	return func(list *[]*T) error {
		err := transport.OnePer(inputs, len(*list))
		for i, element := range *list {
			if err == nil && element != nil && check != nil {
				err = check(i, element)
			}
		}
		return err
	}
}

// InDistinctParts is InParts for inputs that may repeat: f gets each one once, and adds its results
// to found. Result i belongs to inputs[i], and is nil without one. The error of a repeated input is
// at all of its places.
func InDistinctParts[K comparable, V any](
	ctx context.Context, inputs []K, limit int, f func(part []K, found map[K]*V, items *transport.Items) error,
) ([]*V, error) {
	places := make(map[K]int, len(inputs)) // of the inputs among the distinct ones
	var distinct []K
	for _, input := range inputs {
		if _, known := places[input]; !known {
			places[input] = len(distinct)
			distinct = append(distinct, input)
		}
	}
	found := make(map[K]*V, len(distinct))
	_, err := InParts(ctx, distinct, limit, func(part []K, _ []V, items *transport.Items) error {
		items.ByID = true
		return f(part, found, items)
	})
	all, errs := make([]*V, len(inputs)), make([]error, len(inputs))
	var failed *types.BatchError
	errors.As(err, &failed)
	for i, input := range inputs {
		all[i] = found[input]
		if failed != nil {
			errs[i] = failed.Errs[places[input]]
		}
	}
	if failed == nil {
		return all, err
	}
	return all, &types.BatchError{Errs: errs}
}

// A Size is the number of items or inputs of a request. It is halved after a response that was
// too large, and doubled after some others, since one large item may have been the reason.
type Size struct {
	N    int // of the next request; 0 means Max
	Max  int // the largest N
	good int // responses since N changed
}

// enough is the number of responses after which a Size is doubled. Where all items are
// large, one request in nine is then too large.
const enough = 8

// Halve sets N to half of n, the size of a request whose response was too large.
func (s *Size) Halve(n int) { s.N, s.good = n/2, 0 }

// Fits counts a response that was not too large.
func (s *Size) Fits() {
	s.good++
	if s.good == enough {
		s.N, s.good = min(2*s.N, s.Max), 0
	}
}

// Try calls f with N, and with half of it as long as the response was too large.
func (s *Size) Try(f func(n int) error) error {
	for {
		err := f(s.N)
		n := cmp.Or(s.N, s.Max)
		switch {
		case err == nil:
			s.Fits()
			return nil
		case n < 2 || !errors.Is(err, types.ErrTooLarge):
			return err
		}
		s.Halve(n)
	}
}
