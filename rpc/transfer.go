package rpc

import (
	"cmp"
	"context"
	"time"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/types"
)

var opTransfersByAddress = op("rpc.Client.TransfersByAddress", "getTransfersByAddress")

// TransfersByAddressOptions are the options of [Client.TransfersByAddress]. The zero
// value, like nil, means all transfers of the last year, the newest first.
type TransfersByAddressOptions struct {
	// Limit is at most 100, and 0 means 100.
	types.PageOptions

	Commitment     types.Commitment // empty means CommitmentFinalized; not CommitmentProcessed
	MinContextSlot uint64           // the oldest acceptable slot of the node; 0 means any
	Ascending      bool             // whether to list the oldest transfers first
	With           types.Address    // the other side; empty means all
	Direction      types.Direction  // empty means both

	// Mint selects one token: [types.NativeSOLMint] for native SOL, [types.WrappedSOL] for
	// wrapped SOL. Empty means all.
	Mint types.Address

	// MinRawAmount and MaxRawAmount, both included, are in the smallest unit of the
	// token; 0 means no bound.
	MinRawAmount, MaxRawAmount uint64

	// SinceSlot and UntilSlot select transfers at or after SinceSlot and before
	// UntilSlot; 0 means no bound. Transfers more than a year ago are not listed.
	SinceSlot, UntilSlot uint64

	// Since and Until select transfers at or after Since and before Until; zero means
	// no bound. Times more than a year ago fail with [types.ErrInvalid], since the
	// service lists nothing before.
	Since, Until time.Time

	// ShowWrappedSOL lists wrapped SOL apart from SOL, and the transfers that wrap
	// and unwrap it. By default it counts as SOL. Wire name: solMode.
	ShowWrappedSOL bool
}

// transfersConfig is the wire form of TransfersByAddressOptions.
type transfersConfig struct {
	With           types.Address    `json:"with,omitempty"`
	Direction      types.Direction  `json:"direction,omitempty"`
	Mint           types.Address    `json:"mint,omitempty"`
	SOLMode        string           `json:"solMode"`
	Filters        transferFilters  `json:"filters,omitzero"`
	Order          string           `json:"sortOrder,omitempty"`
	Limit          int              `json:"limit"`
	Cursor         string           `json:"paginationToken,omitempty"`
	Commitment     types.Commitment `json:"commitment,omitempty"`
	MinContextSlot uint64           `json:"minContextSlot,omitempty"`
}

type transferFilters struct {
	RawAmount amountRange    `json:"amount,omitzero"`
	BlockTime argument.Times `json:"blockTime,omitzero"`
	Slots     argument.Slots `json:"slot,omitzero"`
}

// checkYear refuses times for which the service has no transfers. Without a bound, a listing ends
// there without an error.
func checkYear(name string, t, now time.Time) error {
	if !t.IsZero() && t.Before(now.AddDate(-1, 0, -1)) {
		return argument.Invalid(name+" "+t.Format(time.RFC3339), "is more than a year ago; the service lists transfers of the last year: use wallet.Client.Transfers")
	}
	return nil
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
	RawAmount uint64 `json:"amount,string" required:"true"`

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

	ConfirmationStatus types.Commitment `json:"confirmationStatus"` // confirmed or finalized

	// IndexWithinBlock is the position of the transaction in execution order. Wire name:
	// transactionIdx.
	IndexWithinBlock uint64 `json:"transactionIdx"`

	InstructionIndex uint64 `json:"instructionIdx"` // in the transaction

	// InnerInstructionIndex is the position in the inner instructions of the instruction;
	// 0 also for the instruction itself. Wire name: innerInstructionIdx.
	InnerInstructionIndex uint64 `json:"innerInstructionIdx"`
}

// A TransferType is the kind of a transfer. Other values than the constants pass through.
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

// TransfersByAddress lists the transfers of a wallet and of its token accounts in the last
// year; failed transactions transfer nothing. Read the list with All, Pages, Page or
// Collect; each page costs 10 credits and needs the Developer plan.
//
// JSON-RPC method: getTransfersByAddress.
func (c *Client) TransfersByAddress(
	ctx context.Context, wallet types.Address, opts *TransfersByAddressOptions,
) types.List[Transfer] {
	o := argument.Options(opts)
	invalid := cmp.Or(
		argument.Address("wallet", wallet), argument.FinalCommitment(o.Commitment), argument.Fields(&o), checkYear("Since", o.Since, c.api.Now()), checkYear("Until", o.Until, c.api.Now()),
	)
	mode := "merged"
	if o.ShowWrappedSOL {
		mode = "separate"
	}
	filters := transferFilters{
		amountRange{o.MinRawAmount, o.MaxRawAmount}, argument.NewTimes(o.Since, o.Until), argument.Slots{Since: o.SinceSlot, Until: o.UntilSlot},
	}
	config := func(token string) any {
		return transfersConfig{o.With, o.Direction, o.Mint, mode, filters, sortOrder(o.Ascending), cmp.Or(o.Limit, opTransfersByAddress.Facts().Items), token, o.Commitment, o.MinContextSlot}
	}
	return history[Transfer, Transfer]{
		Listing: paging.ListingOf(c.api, opTransfersByAddress, wallet, "", o.PageOptions), ascending: o.Ascending, shared: true,
		fetch: fetcher(c, opTransfersByAddress, wallet, config, perPage, paging.CheckItems[Transfer], invalid),
		item:  func(t *Transfer) Transfer { return *t },
		at:    func(t *Transfer) paging.Place { return paging.Place{Slot: t.Slot, Index: t.IndexWithinBlock} },
	}.list(ctx)
}
