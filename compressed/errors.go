package compressed

import (
	"errors"
	"slices"
	"strings"

	"github.com/solwire/solwire-go/types"
)

// Errors of the indexer, for errors.Is. See also [types.ErrNotFound].
var (
	// ErrNotIndexed means that the indexer has not yet processed the state that the call needs.
	// The client does not retry: call [Client.WaitForSlot], then repeat the call.
	ErrNotIndexed = errors.New("not indexed yet")

	// ErrNodeBehind means that the indexer is too far behind the chain.
	ErrNodeBehind = errors.New("node is behind")

	// ErrRefused means that the indexer refused the arguments of the call. The same
	// call fails again.
	ErrRefused = errors.New("arguments refused")
)

// A meaning is the meaning of an error message. The indexer has one code for all errors.
type meaning struct {
	start string // of the message
	kind  error  // nil for a failure of the indexer
	hint  string // advice to append
}

// meanings are the known messages, special ones before general ones.
var meanings = []meaning{
	// its database is inconsistent
	{"Record Not Found: Base account not found for token account", nil, ""},
	{"Record Not Found: No data has been indexed", ErrNotIndexed, ""},
	{"Validation Error: Tree metadata not found", ErrNotIndexed, ""},
	{"Record Not Found: Leaf nodes not found", types.ErrNotFound, " (unknown, spent or not indexed yet; or queued, which only WireVersion2 proves)"},
	{"Record Not Found: ", types.ErrNotFound, " (unknown, spent or not indexed yet)"},
	{"Validation Error: Not all requested account hashes exist", types.ErrNotFound, " (unknown, spent or listed twice)"},
	{"Validation Error: All state trees", ErrRefused, " (request accounts of version 1 and version 2 trees separately)"},
	{"Validation Error: All address trees", ErrRefused, " (request addresses of version 1 and version 2 trees separately)"},
	{"Validation Error: ", ErrRefused, ""},
	{"Invalid Public Key: ", ErrRefused, " (unknown tree)"},
	{"Node is behind ", ErrNodeBehind, ""},
}

// classify adds the meaning of a refusal by the indexer to its error.
func classify(err error) error {
	var refusal *types.APIError
	if !errors.As(err, &refusal) {
		return err
	}
	switch refusal.Code {
	case -32602:
		return &refusalError{err, ErrRefused, ""}
	case -32000:
		i := slices.IndexFunc(meanings, func(m meaning) bool { return strings.HasPrefix(refusal.Message, m.start) })
		if i >= 0 && meanings[i].kind != nil {
			return &refusalError{err, meanings[i].kind, meanings[i].hint}
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
