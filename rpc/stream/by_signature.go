package stream

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/stream/internal/merge"
	"github.com/solwire/solwire-go/types"
)

// errOlder ends a listing of signatures, the newest first.
var errOlder = errors.New("older than the gap")

// perBatch is the number of transactions that are read at once.
const perBatch = 100

// addressHistory is the history of an address. Small plans and other services may lack
// getTransactionsForAddress. Where it is refused, two methods of every node replace it. They list
// the signatures, the newest first, and read the transactions unknown to the loop.
func (c *Client) addressHistory(address types.Address, commitment types.Commitment) merge.History[LogsEvent] {
	accounts := []types.Address{address}
	whole := transactionHistory(c, accounts, TransactionsOptions{TokenAccounts: types.TokenAccountHistoryNone, Commitment: commitment, Encoding: types.EncodingBase64}, logsOf)
	signatures := historyOf(c, readPrice(), accounts, func(ctx context.Context, address types.Address, _, until uint64, cursor string) types.List[rpc.SignatureInfo] {
		return c.rpc.SignaturesForAddress(ctx, address, &rpc.SignaturesForAddressOptions{Commitment: commitment, MinContextSlot: until, PageOptions: types.PageOptions{Cursor: cursor}})
	}, func(s rpc.SignatureInfo) logItem { return logItem{ID: string(s.Signature), Slot: s.Slot} })
	return func(ctx context.Context, r logRange) error {
		err := whole(ctx, r)
		if err == nil || final(err, true) == nil || errors.Is(err, types.ErrQuotaExceeded) {
			return err
		}
		var missing []types.Signature
		err = signatures(ctx, logRange{Since: r.Since, Until: r.Until, Emit: func(s logItem) error {
			switch {
			case s.ID == "":
				return r.Emit(s)
			case s.Slot < r.Since && s.Err == nil:
				return errOlder
			case s.Slot <= r.Until+merge.Margin && !r.Seen(s.ID):
				missing = append(missing, types.Signature(s.ID))
			}
			return nil
		}})
		if err != nil && !errors.Is(err, errOlder) {
			return err
		}
		slices.Reverse(missing)
		for some := range slices.Chunk(missing, perBatch) {
			if err := c.transactions(ctx, some, commitment, r.Emit); err != nil {
				return err
			}
		}
		return nil
	}
}

// transactions emits the transactions of some signatures.
func (c *Client) transactions(ctx context.Context, some []types.Signature, commitment types.Commitment, emit func(logItem) error) error {
	if err := c.budget.take(ctx, uint64(len(some))); err != nil { // once for all calls
		return err
	}
	list, err := c.rpc.Transactions(ctx, some, &rpc.TransactionOptions{Commitment: commitment, Encoding: types.EncodingBase64})
	var failed *types.BatchError
	if err != nil && !errors.As(err, &failed) {
		return err
	}
	for i, t := range list {
		if t != nil {
			err = emit(logsOf(*t))
		} else if err = types.ErrNotFound; failed != nil { // else the node does not have it yet
			err = cmp.Or(failed.Errs[i], err)
		}
		all, err := unreadableItems[LogsEvent](err)
		if err == nil && all != nil {
			err = emit(all[0])
		}
		if err != nil {
			return err
		}
	}
	return nil
}
