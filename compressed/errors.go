package compressed

import (
	"errors"
	"strings"

	"github.com/solwire/solwire-go/types"
)

// Errors of the indexer, for errors.Is. They come with a [types.APIError]. See also
// [types.ErrNotFound].
var (
	// ErrNotIndexed means that the indexer has not processed what the call needs yet.
	// The client does not retry: call [Client.WaitForSlot], and then again.
	ErrNotIndexed = errors.New("not indexed yet")

	// ErrNodeBehind means that the indexer is too far behind the chain.
	ErrNodeBehind = errors.New("node is behind")

	// ErrRefused means that the indexer refused the arguments of the call. The same
	// call fails again.
	ErrRefused = errors.New("arguments refused")
)

// meaning returns what the start of an error message of the indexer means, which has
// one code for all errors, and what to do. The kind is nil for a failure of the indexer.
func meaning(message string) (kind error, hint string) { //nolint:revive,staticcheck // not an error of this call
	starts := func(with string) bool { return strings.HasPrefix(message, with) }
	switch {
	case starts("Record Not Found: Base account not found for token account"): // its database is inconsistent
		return nil, ""
	case starts("Record Not Found: No data has been indexed"), starts("Validation Error: Tree metadata not found"):
		return ErrNotIndexed, ""
	case starts("Record Not Found: "):
		return types.ErrNotFound, " (unknown, spent or not indexed yet)"
	case starts("Validation Error: Not all requested account hashes exist"):
		return types.ErrNotFound, " (unknown, spent or listed twice)"
	case starts("Validation Error: All state trees"):
		return ErrRefused, " (request accounts of version 1 and version 2 trees separately)"
	case starts("Validation Error: All address trees"):
		return ErrRefused, " (request addresses of version 1 and version 2 trees separately)"
	case starts("Validation Error: "):
		return ErrRefused, ""
	case starts("Invalid Public Key: "):
		return ErrRefused, " (unknown tree)"
	case starts("Node is behind "):
		return ErrNodeBehind, ""
	}
	return nil, ""
}

// maxMessage limits the message of an error in bytes. Some messages list every hash
// of the request.
const maxMessage = 300

// classify adds the meaning of a refusal by the indexer to its error.
func classify(err error) error {
	var refusal *types.APIError
	if !errors.As(err, &refusal) {
		return err
	}
	if len(refusal.Message) > maxMessage {
		refusal.Message = refusal.Message[:maxMessage] + "…"
	}
	switch refusal.Code {
	case -32602:
		return &refusalError{err, ErrRefused, ""}
	case -32000:
		if kind, hint := meaning(refusal.Message); kind != nil {
			return &refusalError{err, kind, hint}
		}
	}
	return err
}

// A refusalError is a refusal that matches one more error.
type refusalError struct {
	err  error
	kind error
	hint string
}

func (e *refusalError) Error() string { return e.err.Error() + e.hint }

func (e *refusalError) Unwrap() []error { return []error{e.err, e.kind} }
