package types

import (
	"errors"
	"fmt"
	"slices"
)

// A BatchError is the error of a method for any number of inputs, when some or all of them failed.
// Get it with errors.As: the method still returns one result per input, and the results of the
// other inputs are valid. Inputs that were not sent, because they would fail too, have the error of
// the last request.
type BatchError struct {
	Errs []error // one per input, in their order; nil where the result is valid
}

// Error returns the first error, and how many inputs failed unless all did.
func (e *BatchError) Error() string {
	failed := e.failed()
	switch len(failed) {
	case 0:
		return "no error"
	case len(e.Errs):
		return failed[0].Error()
	}
	return fmt.Sprintf("%v (%d of %d inputs failed)", failed[0], len(failed), len(e.Errs))
}

func (e *BatchError) failed() []error {
	return slices.DeleteFunc(slices.Clone(e.Errs), func(err error) bool { return err == nil })
}

// Unwrap returns the errors, for errors.Is and errors.As. An error that the inputs of a request
// share comes once.
func (e *BatchError) Unwrap() []error { return slices.CompactFunc(e.failed(), errors.Is) }
