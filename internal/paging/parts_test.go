package paging_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

func TestPartsOfABatch(t *testing.T) {
	t.Parallel()
	inputs := make([]int, 8000, 8001)
	for i := range inputs {
		inputs[i] = i
	}
	inputs = append(inputs, 1500) // again
	second := func(err error) func(part []int) error {
		return func(part []int) error {
			if part[0] == 1000 {
				return err
			}
			return nil
		}
	}
	for name, row := range map[string]struct {
		fail  func(part []int) error
		parts int
		lost  func(input int) bool
	}{
		"cancelled":  {second(context.Canceled), 2, func(input int) bool { return input >= 1000 }},
		"good":       {second(nil), 8, func(int) bool { return false }},
		"one fails":  {second(errors.New("no")), 8, func(input int) bool { return input/1000 == 1 }},
		"refuse all": {second(types.ErrUnauthorized), 2, func(input int) bool { return input >= 1000 }},
		// halved until it fits, and doubled after each eight parts
		"one large input": {func(part []int) error {
			if part[0] == 0 && len(part) > 100 {
				return types.ErrTooLarge
			}
			return nil
		}, 37, func(int) bool { return false }},
		"an input that is too large": {func(part []int) error {
			if part[0] <= 1 && part[len(part)-1] >= 1 {
				return types.ErrTooLarge
			}
			return nil
		}, 90, func(input int) bool { return input == 1 }},
	} {
		parts, sent := 0, 0
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		got, err := paging.InDistinctParts(ctx, inputs, 1000, func(part []int, found map[int]*int, _ *transport.Items) error {
			parts++
			require.LessOrEqual(t, len(part), 1000, name)
			if err := row.fail(part); err != nil {
				if errors.Is(err, context.Canceled) {
					cancel()
				}
				return err
			}
			sent += len(part)
			for _, input := range part {
				found[input] = &input
			}
			return nil
		})
		require.Equal(t, row.parts, parts, name)
		require.LessOrEqual(t, sent, 8000, "each once")
		var failed *types.BatchError
		errors.As(err, &failed)
		for i, input := range inputs {
			if row.lost(input) {
				require.Nil(t, got[i], name)
				require.Error(t, failed.Errs[i], name)
			} else {
				require.Equal(t, input, *got[i], name)
				require.True(t, failed == nil || failed.Errs[i] == nil, name)
			}
		}
	}
}
