package rpc

import (
	"cmp"
	"context"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
)

var (
	opBlock           = op("rpc.Client.Block", "getBlock")
	opBlocks          = op("rpc.Client.Blocks", "getBlocks")
	opBlocksWithLimit = op("rpc.Client.BlocksWithLimit", "getBlocksWithLimit")
	opBlockTime       = op("rpc.Client.BlockTime", "getBlockTime")
)

// BlockOptions are the options of [Client.Block]. The zero value, like nil, means a
// finalized block with all transactions and rewards.
type BlockOptions struct {
	Commitment types.Commitment // empty means CommitmentFinalized; not CommitmentProcessed

	// Encoding is EncodingJSON, EncodingJSONParsed, EncodingBase64 or EncodingBase58;
	// empty means EncodingJSON.
	Encoding types.Encoding

	// MaxVersion is the latest version of transactions to accept: "legacy", "0" or a later number.
	// Empty means "1", or "0" with EncodingBase58, in which nodes send no later version. A block
	// with a later version fails with code -32015.
	MaxVersion tx.Version

	Details     TransactionDetails // empty means TransactionDetailsFull
	HideRewards bool               // whether to leave out the rewards
}

// TransactionDetails selects the parts of the transactions to return.
type TransactionDetails string

// The levels of detail.
const (
	TransactionDetailsFull TransactionDetails = "full"

	// TransactionDetailsAccounts means signatures, accounts and balances, without instructions.
	TransactionDetailsAccounts TransactionDetails = "accounts"

	TransactionDetailsSignatures TransactionDetails = "signatures" // in Block.Signatures
	TransactionDetailsNone       TransactionDetails = "none"
)

// A Block is a block of transactions.
type Block struct {
	Hash         types.Hash `json:"blockhash" required:"true"`
	PreviousHash types.Hash `json:"previousBlockhash"` // of the block at ParentSlot

	// ParentSlot is the slot of the previous block. The slots between were skipped.
	ParentSlot uint64 `json:"parentSlot"`

	// Height is the number of blocks before this one; 0 when unknown.
	Height uint64 `json:"blockHeight"`

	BlockTime types.Time `json:"blockTime"` // zero when unknown
	Rewards   []Reward   `json:"rewards"`   // nil with HideRewards

	// RewardPartitions is set in the first block of an epoch only. Wire name:
	// numRewardPartitions.
	RewardPartitions uint64 `json:"numRewardPartitions"`

	// Signatures are set with TransactionDetailsSignatures only.
	Signatures []types.Signature `json:"signatures"`

	// Transactions are in execution order; nil with TransactionDetailsSignatures and
	// TransactionDetailsNone.
	Transactions []tx.Transaction `json:"transactions"`
}

// A Reward is a payment by the network.
type Reward struct {
	Address             types.Address `json:"pubkey"`
	Lamports            int64         `json:"lamports"`    // negative when the account was charged
	PostBalanceLamports uint64        `json:"postBalance"` // of the account afterwards
	Type                RewardType    `json:"rewardType"`  // empty when unknown

	// Commission is the validator's share of voting and staking rewards in percent, and
	// CommissionBps the same in hundredths of a percent. Nodes send one or both; nil means not
	// sent.
	Commission    *uint8  `json:"commission"`
	CommissionBps *uint16 `json:"commissionBps"`
}

// A RewardType is the reason of a reward. Other values than the constants pass through.
type RewardType string

// The reward types.
const (
	RewardTypeFee     RewardType = "Fee"     // the leader's share of the fees
	RewardTypeRent    RewardType = "Rent"    // the leader's share of the rent
	RewardTypeStaking RewardType = "Staking" // of a stake account, for an epoch
	RewardTypeVoting  RewardType = "Voting"  // of a vote account, for an epoch

	RewardTypeDeactivatedStake RewardType = "DeactivatedStake"
	RewardTypeVATDebit         RewardType = "VATDebit" // a charge, with negative Lamports
)

// Block returns the block of a slot. Its transactions have their Slot and IndexWithinBlock. It
// costs 1 credit. A slot without a block fails with [types.ErrNotFound]. If some transactions are
// unreadable, it returns the block with the others, and a [types.ItemError].
//
// JSON-RPC method: getBlock.
func (c *Client) Block(ctx context.Context, slot uint64, opts *BlockOptions) (*Block, error) {
	o := argument.Options(opts)
	encoding, err := TransactionOptions{Commitment: o.Commitment, Encoding: o.Encoding, MaxVersion: o.MaxVersion}.config()
	config := struct {
		transactionConfig
		Details TransactionDetails `json:"transactionDetails"`
		Rewards bool               `json:"rewards"`
	}{encoding, cmp.Or(o.Details, TransactionDetailsFull), !o.HideRewards}
	var unreadable transport.Items
	got, err := transport.Result(ctx, c.api, transport.Query[wholeBlock]{
		Op: opBlock, Invalid: err, Items: &unreadable,
		Params: []any{slot, config}, Null: transport.NullIsNotFound,
		Check: func(b *wholeBlock) error { return paging.CheckItems(&b.Transactions) },
	})
	if err != nil {
		return nil, err
	}
	block := &got.Block
	if got.Transactions != nil {
		block.Transactions = make([]tx.Transaction, len(got.Transactions))
	}
	place, left := 0, unreadable.Places
	for i := range got.Transactions {
		for ; len(left) > 0 && left[0] == place; left = left[1:] {
			place++
		}
		t := got.Transactions[i].public()
		t.Slot, t.BlockTime, t.IndexWithinBlock = slot, block.BlockTime, uint64(place)
		block.Transactions[i] = *t
		place++
	}
	return block, unreadable.Err()
}

// A wholeBlock is a block as nodes send it.
type wholeBlock struct {
	Block
	Transactions []transaction `json:"transactions"`
}

// Blocks returns the slots with a block at or after sinceSlot and before untilSlot. An untilSlot of
// 0 includes the latest slot. It costs 1 credit. Nodes accept up to 500 000 slots.
//
// JSON-RPC method: getBlocks.
func (c *Client) Blocks(
	ctx context.Context, sinceSlot, untilSlot uint64, opts *CommitmentOptions,
) ([]uint64, error) {
	args := []any{sinceSlot}
	if untilSlot != 0 {
		args = append(args, untilSlot-1) // nodes include the last slot
	}
	invalid := argument.Slots{Since: sinceSlot, Until: untilSlot}.Check()
	return c.slots(ctx, opBlocks, argument.Options(opts), args, invalid)
}

// BlocksWithLimit returns the first slots with a block at or after sinceSlot, at most limit of
// them. It costs 1 credit. Nodes accept a limit of up to 500 000.
//
// JSON-RPC method: getBlocksWithLimit.
func (c *Client) BlocksWithLimit(
	ctx context.Context, sinceSlot, limit uint64, opts *CommitmentOptions,
) ([]uint64, error) {
	return c.slots(ctx, opBlocksWithLimit, argument.Options(opts), []any{sinceSlot, limit}, nil)
}

func (c *Client) slots(ctx context.Context, op transport.Op, config CommitmentOptions, args []any, invalid error) ([]uint64, error) {
	return items(ctx, c, transport.Query[[]*uint64]{Op: op, Invalid: cmp.Or(invalid, argument.FinalCommitment(config.Commitment)), Params: params(config, args...)})
}

// BlockTime returns the estimated time of the block of a slot. It costs 1 credit. A
// slot without a block, or without a known time, fails with [types.ErrNotFound].
//
// JSON-RPC method: getBlockTime.
func (c *Client) BlockTime(ctx context.Context, slot uint64) (types.Time, error) {
	return result(ctx, c, transport.Query[types.Time]{Op: opBlockTime, Params: []any{slot}, Null: transport.NullIsNotFound})
}
