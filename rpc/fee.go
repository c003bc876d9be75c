package rpc

import (
	"cmp"
	"context"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var (
	opPriorityFeeEstimate      = op("rpc.Client.PriorityFeeEstimate", "getPriorityFeeEstimate")
	opPriorityFeeLevels        = op("rpc.Client.PriorityFeeLevels", "getPriorityFeeEstimate")
	opRecentPrioritizationFees = op("rpc.Client.RecentPrioritizationFees", "getRecentPrioritizationFees")
	opFeeForMessage            = op("rpc.Client.FeeForMessage", "getFeeForMessage")
)

// PriorityFeeOptions say for which transaction to estimate the priority fee, and how.
// The zero value, like nil, means any transaction.
type PriorityFeeOptions struct {
	// Transaction is the serialized transaction, signed or not; nil for none.
	Transaction []byte

	// Accounts are the accounts that the transaction writes, up to 500, in place of
	// Transaction; nil for none.
	Accounts []types.Address

	// Level is the percentile of recent fees to estimate; empty means PriorityLevelMedium. It is
	// not used by [Client.PriorityFeeLevels].
	Level PriorityLevel

	// Recommended requests the fee that the service recommends: at least 10 000 micro-lamports per
	// compute unit. It excludes Level, LookbackSlots and ShowVotes.
	Recommended bool

	LookbackSlots int  // slots to consider, 1 to 150; 0 means the default of the service
	ShowVotes     bool // whether to consider vote transactions

	// HideEmptySlots leaves out slots without transactions. By default, their fee counts as
	// 0. Wire name: evaluateEmptySlotAsZero, which is the opposite.
	HideEmptySlots bool
}

// A PriorityLevel is a percentile of the recent priority fees.
type PriorityLevel string

// The priority levels.
const (
	PriorityLevelMin       PriorityLevel = "Min"       // 0th percentile
	PriorityLevelLow       PriorityLevel = "Low"       // 25th
	PriorityLevelMedium    PriorityLevel = "Medium"    // 50th
	PriorityLevelHigh      PriorityLevel = "High"      // 75th
	PriorityLevelVeryHigh  PriorityLevel = "VeryHigh"  // 95th
	PriorityLevelUnsafeMax PriorityLevel = "UnsafeMax" // 100th; may be far above the others
)

// PriorityFees are estimates for all levels, in micro-lamports per compute unit. Compare
// them with Equal: == compares the representation of the numbers.
type PriorityFees struct {
	Min       decimal.Decimal `json:"min" required:"true"`
	Low       decimal.Decimal `json:"low" required:"true"`
	Medium    decimal.Decimal `json:"medium" required:"true"`
	High      decimal.Decimal `json:"high" required:"true"`
	VeryHigh  decimal.Decimal `json:"veryHigh" required:"true"`
	UnsafeMax decimal.Decimal `json:"unsafeMax" required:"true"`
}

// Equal reports whether both have the same estimates.
func (f PriorityFees) Equal(g PriorityFees) bool {
	return f.Min.Equal(g.Min) && f.Low.Equal(g.Low) && f.Medium.Equal(g.Medium) &&
		f.High.Equal(g.High) && f.VeryHigh.Equal(g.VeryHigh) && f.UnsafeMax.Equal(g.UnsafeMax)
}

// A priorityFeeRequest is the wire form of PriorityFeeOptions.
type priorityFeeRequest struct {
	Transaction []byte          `json:"transaction,omitempty"` // in base64
	Accounts    []types.Address `json:"accountKeys,omitempty"`
	Options     feeOptions      `json:"options"`
}

type feeOptions struct {
	TransactionEncoding types.Encoding `json:"transactionEncoding,omitempty"`
	Level               PriorityLevel  `json:"priorityLevel,omitempty"`
	AllLevels           bool           `json:"includeAllPriorityFeeLevels,omitempty"`
	LookbackSlots       int            `json:"lookbackSlots,omitempty"`
	ShowVotes           bool           `json:"includeVote,omitempty"`
	Recommended         bool           `json:"recommended,omitempty"`
	// the default depends on the other options
	EmptySlotAsZero bool `json:"evaluateEmptySlotAsZero"`
}

// check refuses options that the service refuses or, worse, ignores.
func (o *PriorityFeeOptions) check(allLevels bool) error {
	switch {
	case len(o.Transaction) > 0 && len(o.Accounts) > 0:
		return argument.Invalid("Accounts", "does not go with Transaction")
	case o.Recommended && (allLevels || o.Level != "" || o.LookbackSlots != 0 || o.ShowVotes):
		return argument.Invalid("Recommended", "does not go with Level, LookbackSlots, ShowVotes or all levels")
	}
	return cmp.Or(
		argument.OneOf("Level", o.Level, "", PriorityLevelMin, PriorityLevelLow, PriorityLevelMedium, PriorityLevelHigh, PriorityLevelVeryHigh, PriorityLevelUnsafeMax),
		argument.Fields(o),
	)
}

// A feeAnswer has one of the two members.
type feeAnswer struct {
	Estimate *decimal.Decimal `json:"priorityFeeEstimate"`
	Levels   *PriorityFees    `json:"priorityFeeLevels"`
}

func (c *Client) priorityFee(ctx context.Context, op transport.Op, opts *PriorityFeeOptions, allLevels bool, member string) (feeAnswer, error) {
	o := argument.Options(opts)
	sent := feeOptions{"", o.Level, allLevels, o.LookbackSlots, o.ShowVotes, o.Recommended, !o.HideEmptySlots}
	if len(o.Transaction) > 0 {
		sent.TransactionEncoding = types.EncodingBase64
	}
	if allLevels {
		sent.Level = ""
	}
	return result(ctx, c, transport.Query[feeAnswer]{
		Op: op, Invalid: o.check(allLevels), Params: []any{priorityFeeRequest{o.Transaction, o.Accounts, sent}}, Check: func(a *feeAnswer) error {
			return transport.Require(member == "priorityFeeEstimate" && a.Estimate != nil || member == "priorityFeeLevels" && a.Levels != nil, member)
		},
	})
}

// PriorityFeeEstimate returns the priority fee with which a transaction is likely to
// be included soon, in micro-lamports per compute unit. It may be fractional: round it
// up. It costs 1 credit.
//
// JSON-RPC method: getPriorityFeeEstimate.
func (c *Client) PriorityFeeEstimate(
	ctx context.Context, opts *PriorityFeeOptions,
) (decimal.Decimal, error) {
	got, err := c.priorityFee(ctx, opPriorityFeeEstimate, opts, false, "priorityFeeEstimate")
	if err != nil {
		return decimal.Decimal{}, err
	}
	return *got.Estimate, nil
}

// PriorityFeeLevels is like [Client.PriorityFeeEstimate] for all levels at once. It
// costs 1 credit.
//
// JSON-RPC method: getPriorityFeeEstimate.
func (c *Client) PriorityFeeLevels(
	ctx context.Context, opts *PriorityFeeOptions,
) (*PriorityFees, error) {
	got, err := c.priorityFee(ctx, opPriorityFeeLevels, opts, true, "priorityFeeLevels")
	if err != nil {
		return nil, err
	}
	return got.Levels, nil
}

// A PrioritizationFee is the lowest priority fee of the transactions of a block.
type PrioritizationFee struct {
	Slot          uint64 `json:"slot"`
	MicroLamports uint64 `json:"prioritizationFee" required:"true"` // per compute unit
}

// RecentPrioritizationFees returns the lowest priority fees in up to 150 recent blocks. Only
// transactions that write all of the accounts count, at most 128 accounts; nil means all
// transactions. It costs 1 credit. [Client.PriorityFeeEstimate] is a better guide.
//
// JSON-RPC method: getRecentPrioritizationFees.
func (c *Client) RecentPrioritizationFees(
	ctx context.Context, accounts []types.Address,
) ([]PrioritizationFee, error) {
	args := []any{}
	if len(accounts) > 0 {
		args = append(args, accounts)
	}
	return items(ctx, c, transport.Query[[]*PrioritizationFee]{
		Op: opRecentPrioritizationFees, Invalid: argument.Each("accounts", accounts, argument.Address), Params: args,
	})
}

// FeeForMessage returns the fee of a message in lamports, the priority fee included. The message
// is the signed part of a transaction, not the transaction. It costs 1 credit. A message whose
// blockhash is unknown or too old fails with [types.ErrNotFound].
//
// JSON-RPC method: getFeeForMessage.
func (c *Client) FeeForMessage(ctx context.Context, message []byte, opts *ReadOptions) (uint64, error) {
	var empty error
	if len(message) == 0 {
		empty = argument.Invalid("message", "is empty")
	}
	q := read[uint64](opFeeForMessage, opts, empty, nil, message)
	q.Null = transport.NullIsNotFound
	return value(ctx, c, q)
}
