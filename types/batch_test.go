package types_test

import (
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
)

func TestBatchErrorText(t *testing.T) {
	t.Parallel()
	part, other := errors.New("the first part"), errors.New("another")
	require.EqualError(t, &types.BatchError{Errs: []error{nil, part, part, nil, other}}, "the first part (3 of 5 inputs failed)")
	require.EqualError(t, &types.BatchError{Errs: []error{part, other}}, "the first part")
	require.EqualError(t, &types.BatchError{}, "no error")
}

func TestBatchErrorMatchesEachOfItsErrors(t *testing.T) {
	t.Parallel()
	refusal := &types.APIError{StatusCode: 401}
	err := &types.BatchError{Errs: []error{nil, io.ErrUnexpectedEOF, io.ErrUnexpectedEOF, nil, refusal, refusal}}
	require.Equal(t, []error{io.ErrUnexpectedEOF, refusal}, err.Unwrap())
	require.ErrorIs(t, err, types.ErrUnauthorized)
	var found *types.APIError
	require.ErrorAs(t, err, &found)
	require.Same(t, refusal, found)
}

type listError []string // cannot be compared

func (listError) Error() string { return "a list" }

func TestBatchErrorOfErrorsThatCannotBeCompared(t *testing.T) {
	t.Parallel()
	require.Len(t, (&types.BatchError{Errs: []error{listError{"a"}, listError{"a"}}}).Unwrap(), 2)
}
