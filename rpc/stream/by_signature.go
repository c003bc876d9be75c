package stream

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/stream/internal/merge"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
)

// orElse reads a history, or the other one if the service refuses the first: small plans may
// not include getTransactionsForAddress, and other services lack it.
func orElse[T any](first, other history[T]) history[T] {
	return func(ctx context.Context, r merge.Reading[T]) error {
		begun, emit := false, r.Emit
		r.Emit = func(item merge.Item[T]) error {
			begun = true
			return emit(item)
		}
		err := first(ctx, r)
		if !begun && err != nil && final(err, "", true) != nil && !errors.Is(err, types.ErrQuotaExceeded) {
			return other(ctx, r)
		}
		return err
	}
}

// perBatch is the number of transactions that are read at once.
const perBatch = 100

// bySignature is the history of an address in steps that every plan and every node has: the
// signatures, the newest first, and then the transactions that the loop has not seen.
func (c *Client) bySignature(address types.Address, commitment types.Commitment) history[tx.Transaction] {
	return func(ctx context.Context, r merge.Reading[tx.Transaction]) error {
		signatures, err := c.signatures(ctx, address, commitment, r.Since, r.Until)
		if err != nil {
			return err
		}
		opts := &rpc.TransactionOptions{Commitment: commitment, Encoding: types.EncodingBase64}
		signatures = slices.DeleteFunc(signatures, func(s types.Signature) bool { return r.Seen(string(s)) })
		for some := range slices.Chunk(signatures, perBatch) {
			list, err := c.reads.Transactions(ctx, some, opts)
			for _, t := range list {
				if t == nil { // the node does not have it yet
					return cmp.Or(err, types.ErrNotFound)
				}
				if err := r.Emit(itemOf(*t)); err != nil {
					return err
				}
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
}

// signatures lists the transactions in a range of slots, the oldest first.
func (c *Client) signatures(ctx context.Context, address types.Address, commitment types.Commitment, since, until uint64) ([]types.Signature, error) {
	var list []types.Signature
	opts := &rpc.SignaturesForAddressOptions{Commitment: commitment, MinContextSlot: until}
	for s, err := range c.reads.SignaturesForAddress(ctx, address, opts).All() {
		if err != nil {
			return nil, err
		}
		if s.Slot < since {
			break
		}
		if s.Slot <= until+merge.Margin {
			list = append(list, s.Signature)
		}
	}
	slices.Reverse(list)
	return list, nil
}
