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

// perBatch is the number of transactions that are read at once.
const perBatch = 100

// ofAddress is the history of an address. Where the service refuses
// getTransactionsForAddress, which small plans may not include and other services lack, it
// takes the steps that every node has: the signatures, the newest first, and then the
// transactions that the loop has not seen.
func (c *Client) ofAddress(address types.Address, commitment types.Commitment) merge.History[tx.Transaction] {
	whole := (&TransactionsOptions{
		Accounts: []types.Address{address}, TokenAccounts: types.TokenAccountHistoryNone, Commitment: commitment, Encoding: types.EncodingBase64,
	}).history(c)
	return func(ctx context.Context, r merge.Reading[tx.Transaction]) error {
		err := whole(ctx, r)
		if err == nil || final(err, true) == nil || errors.Is(err, types.ErrQuotaExceeded) {
			return err
		}
		var missing []types.Signature
		opts := &rpc.SignaturesForAddressOptions{Commitment: commitment, MinContextSlot: r.Until}
		for s, err := range c.reads.SignaturesForAddress(ctx, address, opts).All() {
			if err != nil {
				return err
			}
			if s.Slot < r.Since {
				break
			}
			if s.Slot <= r.Until+merge.Margin && !r.Seen(string(s.Signature)) {
				missing = append(missing, s.Signature)
			}
		}
		slices.Reverse(missing)
		for some := range slices.Chunk(missing, perBatch) {
			if err := c.budget.take(ctx, uint64(len(some))); err != nil { // once for all calls
				return err
			}
			list, err := c.rpc.Transactions(ctx, some, &rpc.TransactionOptions{Commitment: commitment, Encoding: types.EncodingBase64})
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
