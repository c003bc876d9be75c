package rpc

import (
	"cmp"
	"context"
	"iter"
	"time"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

const opTransfersByAddress transport.Op = "rpc.Client.TransfersByAddress getTransfersByAddress"

// TransfersOptions select and page the transfers of a wallet. The zero value, like
// nil, means all transfers of the last year, the newest first.
type TransfersOptions struct {
	Commitment     Commitment    // empty means CommitmentFinalized; not CommitmentProcessed
	MinContextSlot uint64        // the oldest acceptable slot of the node; 0 means any
	Ascending      bool          // whether to list the oldest transfers first
	With           types.Address // the other side; empty means all
	Direction      Direction     // empty means both

	// Mint selects one token: [types.NativeSOLMint] for native SOL, [types.WrappedSOL] for
	// wrapped SOL. Empty means all.
	Mint types.Address

	RawAmount Range // in the smallest unit of the token
	Slots     Range // of the transactions

	// Since and Until select transfers at or after Since and before Until; zero means
	// no bound.
	Since, Until time.Time

	// SeparateWrappedSOL lists wrapped SOL apart from SOL, and the transfers that wrap
	// and unwrap it. By default it counts as SOL. Wire name: solMode.
	SeparateWrappedSOL bool

	// Limit is the number of items per page. 0 means 100, the maximum.
	Limit int

	// Cursor is that of the last handled page, to go on after it. Empty means the
	// first page. Wire name: paginationToken.
	Cursor string

	// Prefetch requests the next page while the loop handles the current one.
	Prefetch bool
}

// transfersConfig is how TransfersOptions are sent.
type transfersConfig struct {
	With           types.Address `json:"with,omitempty"`
	Direction      Direction     `json:"direction,omitempty"`
	Mint           types.Address `json:"mint,omitempty"`
	SOLMode        string        `json:"solMode"`
	Filters        amountFilters `json:"filters,omitzero"`
	Order          string        `json:"sortOrder,omitempty"`
	Limit          int           `json:"limit"`
	Cursor         string        `json:"paginationToken,omitempty"`
	Commitment     Commitment    `json:"commitment,omitempty"`
	MinContextSlot uint64        `json:"minContextSlot,omitempty"`
}

type amountFilters struct {
	RawAmount Range  `json:"amount,omitzero"`
	BlockTime window `json:"blockTime,omitzero"`
	Slots     Range  `json:"slot,omitzero"`
}

func (o *TransfersOptions) copied() TransfersOptions {
	if o == nil {
		return TransfersOptions{}
	}
	return *o
}

func (o *TransfersOptions) config() transfersConfig {
	mode := "merged"
	if o.SeparateWrappedSOL {
		mode = "separate"
	}
	return transfersConfig{
		o.With, o.Direction, o.Mint, mode,
		amountFilters{o.RawAmount, window{o.Since, o.Until}, o.Slots},
		sortOrder(o.Ascending), cmp.Or(o.Limit, 100), o.Cursor, o.Commitment, o.MinContextSlot,
	}
}

func (o *TransfersOptions) check() error {
	return cmp.Or(
		o.Commitment.checkFinal(), optionalAddress("With", o.With), optionalAddress("Mint", o.Mint), o.RawAmount.check("RawAmount"),
		o.Slots.check("Slots"), window{o.Since, o.Until}.check(), argument.NotNegative("Limit", o.Limit),
	)
}

// A Transfer is a movement of SOL or of a token. A transaction may have several: the
// three indexes, the Type and the accounts together identify one.
type Transfer struct {
	Signature types.Signature `json:"signature"`
	Slot      uint64          `json:"slot"`
	BlockTime types.Time      `json:"blockTime"`
	Type      TransferType    `json:"type"`

	// FromUserAccount is the wallet; empty when tokens were minted.
	FromUserAccount types.Address `json:"fromUserAccount"`

	// ToUserAccount is the wallet; empty when tokens were burned.
	ToUserAccount types.Address `json:"toUserAccount"`

	FromTokenAccount types.Address `json:"fromTokenAccount"` // empty for native SOL
	ToTokenAccount   types.Address `json:"toTokenAccount"`   // empty for native SOL

	// Mint is [types.NativeSOLMint] for native SOL.
	Mint types.Address `json:"mint"`

	// RawAmount is in the smallest unit. Wire name: amount.
	RawAmount uint64 `json:"amount,string"`

	Decimals uint8 `json:"decimals"` // 9 for SOL

	// UIAmountString is the amount in whole tokens. Wire name: uiAmount.
	UIAmountString string `json:"uiAmount"`

	// RawFee is withheld as a Token-2022 transfer fee; 0 without a fee. Wire name:
	// feeAmount.
	RawFee uint64 `json:"feeAmount,string"`

	// UIFeeString is RawFee in whole tokens; empty without a fee. Wire name: feeUiAmount.
	UIFeeString string `json:"feeUiAmount"`

	// FeeAccount is the account in which the fee is withheld; empty without a fee.
	FeeAccount types.Address `json:"feeAccount"`

	ConfirmationStatus Commitment `json:"confirmationStatus"` // confirmed or finalized

	// IndexWithinBlock is the position of the transaction in execution order. Wire name:
	// transactionIdx.
	IndexWithinBlock uint64 `json:"transactionIdx"`

	InstructionIndex uint64 `json:"instructionIdx"` // in the transaction

	// InnerInstructionIndex is the position in the inner instructions of the instruction;
	// 0 also for the instruction itself. Wire name: innerInstructionIdx.
	InnerInstructionIndex uint64 `json:"innerInstructionIdx"`
}

// A TransferType is the kind of a transfer. Values without a constant here pass
// through.
type TransferType string

// The transfer types.
const (
	TransferTypeTransfer         TransferType = "transfer"
	TransferTypeMint             TransferType = "mint"
	TransferTypeBurn             TransferType = "burn"
	TransferTypeWrap             TransferType = "wrap"        // SOL into wrapped SOL
	TransferTypeUnwrap           TransferType = "unwrap"      // wrapped SOL into SOL
	TransferTypeChangeOwner      TransferType = "changeOwner" // of a token account
	TransferTypeWithdrawWithheld TransferType = "withdrawWithheldFee"
)

// TransfersByAddress returns one page of the transfers of a wallet and of its token
// accounts in the last year. It costs 10 credits and needs the Developer plan.
// Transfers of failed transactions are not listed.
//
// JSON-RPC method: getTransfersByAddress.
func (c *Client) TransfersByAddress(
	ctx context.Context, wallet types.Address, opts *TransfersOptions,
) (*types.Page[Transfer], error) {
	o := opts.copied()
	got, err := history(ctx, c, opTransfersByAddress, wallet, o.config(), tenCredits, func(list []Transfer) error {
		return paging.CheckItems(list, func(t *Transfer) bool { return t.Signature != "" })
	}, cmp.Or(argument.Address("wallet", wallet), o.check()))
	if err != nil {
		return nil, err
	}
	return &types.Page[Transfer]{Items: got.Data, Cursor: got.Cursor, HasMore: got.Cursor != ""}, nil
}

// TransfersByAddressPages iterates over the pages of [Client.TransfersByAddress], at
// 10 credits each. To resume, set Cursor to that of the last handled page, with the
// same other options. A repeated page, or one out of order, ends the listing with
// [types.ErrIncomplete].
func (c *Client) TransfersByAddressPages(
	ctx context.Context, wallet types.Address, opts *TransfersOptions,
) iter.Seq2[*types.Page[Transfer], error] {
	o := opts.copied()
	fetch := func(ctx context.Context, cursor string) (*types.Page[Transfer], error) {
		o := o
		o.Cursor = cursor
		return c.TransfersByAddress(ctx, wallet, &o)
	}
	place := func(t *Transfer) (slot, index uint64) { return t.Slot, t.IndexWithinBlock }
	return ordered(ctx, listingOf{opTransfersByAddress, o.Cursor, o.Prefetch, o.Ascending, true}, fetch, place)
}

// AllTransfersByAddress iterates over the transfers of all pages of
// [Client.TransfersByAddressPages], at 10 credits per page. It ends with the same
// errors.
func (c *Client) AllTransfersByAddress(
	ctx context.Context, wallet types.Address, opts *TransfersOptions,
) iter.Seq2[Transfer, error] {
	return paging.ListItems(c.TransfersByAddressPages(ctx, wallet, opts))
}
