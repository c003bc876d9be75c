package types

import (
	"fmt"
	"reflect"
	"slices"
)

// A BatchError is the error of a method that takes any number of inputs, when some or
// all of them failed. Get it with errors.As: there still is one result per input, and
// the results of the other inputs are valid. Inputs that were not sent, because they would
// have failed likewise, have the error of the last request.
type BatchError struct {
	Errs []error // one per input, in their order; nil where the result is valid
}

// Error returns the first error, and how many inputs failed if others did not.
func (e *BatchError) Error() string {
	failed := slices.DeleteFunc(slices.Clone(e.Errs), func(err error) bool { return err == nil })
	switch len(failed) {
	case 0:
		return "no error"
	case len(e.Errs):
		return failed[0].Error()
	}
	return fmt.Sprintf("%v (%d of %d inputs failed)", failed[0], len(failed), len(e.Errs))
}

// Unwrap returns the different errors, for errors.Is and errors.As. Inputs of one
// request share its error.
func (e *BatchError) Unwrap() []error {
	var all []error
	seen := map[error]bool{}
	for _, err := range e.Errs {
		if err == nil {
			continue
		}
		if reflect.ValueOf(err).Comparable() { // other errors cannot be keys of a map
			if seen[err] {
				continue
			}
			seen[err] = true
		}
		all = append(all, err)
	}
	return all
}
