package stream

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/stream/internal/merge"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
)

// orElse reads a history, or the other one if the service refuses the first: small plans may
// not include getTransactionsForAddress, and other services lack it.
func orElse[T any](first, other history[T]) history[T] {
	return func(ctx context.Context, since, until uint64, seen func(string) bool) iter.Seq2[merge.Item[T], error] {
		return func(yield func(merge.Item[T], error) bool) {
			begun := false
			for item, err := range first(ctx, since, until, seen) {
				if !begun && err != nil && permanent(err) && !errors.Is(err, types.ErrQuotaExceeded) {
					other(ctx, since, until, seen)(yield)
					return
				}
				begun = true
				if !yield(item, err) {
					return
				}
			}
		}
	}
}

// perBatch is the number of transactions that are read at once.
const perBatch = 100

// bySignature is the history of an address in steps that every plan and every node has: the
// signatures, the newest first, and then the transactions that the
// loop has not seen.
func (c *Client) bySignature(address types.Address, commitment types.Commitment) history[tx.Transaction] {
	return func(ctx context.Context, since, until uint64, seen func(string) bool) iter.Seq2[merge.Item[tx.Transaction], error] {
		return func(yield func(merge.Item[tx.Transaction], error) bool) {
			signatures, err := c.signatures(ctx, address, commitment, since, until)
			if err != nil {
				yield(merge.Item[tx.Transaction]{}, err)
				return
			}
			opts := &rpc.TransactionOptions{Commitment: commitment, Encoding: types.EncodingBase64}
			signatures = slices.DeleteFunc(signatures, func(s types.Signature) bool { return seen(string(s)) })
			for some := range slices.Chunk(signatures, perBatch) {
				list, err := c.reads.Transactions(ctx, some, opts)
				for _, t := range list {
					if t == nil { // the node does not have it yet
						yield(merge.Item[tx.Transaction]{}, cmp.Or(err, types.ErrNotFound))
						return
					}
					if !yield(itemOf(*t), nil) {
						return
					}
				}
				if err != nil {
					yield(merge.Item[tx.Transaction]{}, err)
					return
				}
			}
		}
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
