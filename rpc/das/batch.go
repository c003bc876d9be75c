package das

import "fmt"

// A BatchError is the error of [Client.Assets] or [Client.Proofs] when some of their
// requests failed. The results of the others are valid.
type BatchError struct {
	Errs []error // one per ID, in their order; nil where the result is valid
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

// Unwrap returns the different errors. IDs of one request share its error.
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
