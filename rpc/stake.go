package rpc

import (
	"cmp"
	"context"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var (
	opSupply       = op("rpc.Client.Supply", "getSupply")
	opVoteAccounts = op("rpc.Client.VoteAccounts", "getVoteAccounts")
	// -32004: of an epoch that is not over
	opInflationRewards       = transport.Op{Method: "rpc.Client.InflationRewards", Wire: "getInflationReward", Lasts: -32004}
	opStakeMinimumDelegation = op("rpc.Client.StakeMinimumDelegation", "getStakeMinimumDelegation")
)

// SupplyOptions are the options of [Client.Supply]. The zero value, like nil, means
// finalized state and no list of accounts.
type SupplyOptions struct {
	// Commitment is the state to read; empty means CommitmentFinalized.
	Commitment types.Commitment `json:"commitment,omitempty"`

	// ShowAccounts lists the accounts outside circulation. Wire name:
	// excludeNonCirculatingAccountsList, which is the opposite.
	ShowAccounts bool `json:"-"`
}

// A Supply is the supply of SOL.
type Supply struct {
	TotalLamports       uint64 `json:"total" required:"true"`
	CirculatingLamports uint64 `json:"circulating" required:"true"`

	// NonCirculatingLamports are locked, or held by the foundation.
	NonCirculatingLamports uint64 `json:"nonCirculating" required:"true"`

	// NonCirculatingAccounts are set with ShowAccounts only.
	NonCirculatingAccounts []types.Address `json:"nonCirculatingAccounts"`
}

// Supply returns the supply of SOL, in lamports. It costs 1 credit.
//
// JSON-RPC method: getSupply.
func (c *Client) Supply(ctx context.Context, opts *SupplyOptions) (*Supply, error) {
	o := argument.Options(opts)
	config := struct {
		SupplyOptions
		Exclude bool `json:"excludeNonCirculatingAccountsList"`
	}{o, !o.ShowAccounts}
	got, _, err := transport.Value(ctx, c.api, read[Supply](opSupply, &config, nil, nil))
	return got, err
}

// VoteAccountsOptions are the options of [Client.VoteAccounts]. The zero value, like
// nil, means all accounts with stake.
type VoteAccountsOptions struct {
	// Commitment is the state to read; empty means CommitmentFinalized.
	Commitment types.Commitment `json:"commitment,omitempty"`

	// Vote selects one vote account; empty means all.
	Vote types.Address `json:"votePubkey,omitempty"`

	// ShowUnstakedDelinquent lists delinquent accounts without stake too. Wire name:
	// keepUnstakedDelinquents.
	ShowUnstakedDelinquent bool `json:"keepUnstakedDelinquents,omitempty"`

	// DelinquentSlotDistance is the number of slots behind from which an account is delinquent; 0
	// means 128.
	DelinquentSlotDistance uint64 `json:"delinquentSlotDistance,omitempty"`
}

// VoteAccounts are the vote accounts of the validators.
type VoteAccounts struct {
	Current    []VoteAccount `json:"current" required:"true"`
	Delinquent []VoteAccount `json:"delinquent"` // have not voted recently
}

// A VoteAccount is the vote account of a validator.
type VoteAccount struct {
	Vote                   types.Address `json:"votePubkey"`
	Node                   types.Address `json:"nodePubkey"`                     // the identity of the validator
	ActivatedStakeLamports uint64        `json:"activatedStake" required:"true"` // in this epoch

	// HasStake reports whether the account has stake in this epoch. Wire name:
	// epochVoteAccount.
	HasStake bool `json:"epochVoteAccount"`

	Commission uint8 `json:"commission"` // percent of the rewards

	// CommissionBps is the commission in hundredths of a percent; 0 when the node
	// does not say. Wire name: inflationRewardsCommissionBps.
	CommissionBps uint64 `json:"inflationRewardsCommissionBps"`

	LastVote uint64 `json:"lastVote"` // the slot
	RootSlot uint64 `json:"rootSlot"`

	// EpochCredits are the vote credits of up to five epochs: the epoch, the credits
	// at its end and the credits before it.
	EpochCredits [][3]uint64 `json:"epochCredits"`
}

// VoteAccounts returns the vote accounts of the validators. It costs 1 credit.
//
// JSON-RPC method: getVoteAccounts.
func (c *Client) VoteAccounts(ctx context.Context, opts *VoteAccountsOptions) (*VoteAccounts, error) {
	return transport.Result(ctx, c.api, read(opVoteAccounts, opts, nil, func(v *VoteAccounts) error {
		return cmp.Or(paging.CheckItems(&v.Current), paging.CheckItems(&v.Delinquent))
	}))
}

// InflationRewardsOptions are the options of [Client.InflationRewards]. The zero value,
// like nil, means the last completed epoch.
type InflationRewardsOptions struct {
	// Commitment is the state to read; empty means CommitmentFinalized.
	// CommitmentProcessed is invalid.
	Commitment types.Commitment `json:"commitment,omitempty"`

	// MinContextSlot is the oldest acceptable slot; 0 means any.
	MinContextSlot uint64 `json:"minContextSlot,omitempty"`

	Epoch uint64 `json:"epoch,omitempty"` // 0 means the last completed one
}

// An InflationReward is the reward of a stake or vote account for an epoch.
type InflationReward struct {
	Epoch               uint64 `json:"epoch"`
	EffectiveSlot       uint64 `json:"effectiveSlot"`          // the slot in which it was paid
	Lamports            uint64 `json:"amount" required:"true"` // wire name: amount
	PostBalanceLamports uint64 `json:"postBalance"`            // of the account afterwards

	// Commission is the share of the vote account in percent, and CommissionBps the same in
	// hundredths of a percent. Nodes send one or both; nil means not sent.
	Commission    *uint8  `json:"commission"`
	CommissionBps *uint16 `json:"commissionBps"`
}

// InflationRewards returns the rewards of any number of stake and vote accounts for an epoch, in
// the order of their addresses. The result has nil for an account without a reward.
// InflationRewards sends one request per 32 addresses, and each costs 1 credit. If requests fail,
// the error is a [types.BatchError] and the other results are valid. The current and future epochs
// fail with code -32004.
//
// JSON-RPC method: getInflationReward.
func (c *Client) InflationRewards(
	ctx context.Context, addresses []types.Address, opts *InflationRewardsOptions,
) ([]*InflationReward, error) {
	config := argument.Options(opts)
	if err := c.api.Check(opInflationRewards, argument.Each("addresses", addresses, argument.Address), argument.FinalCommitment(config.Commitment)); err != nil {
		return nil, err
	}
	return paging.InParts(ctx, addresses, opInflationRewards.Facts().Inputs, func(part []types.Address, into []*InflationReward, items *transport.Items) error {
		got, err := result(ctx, c, transport.Query[[]*InflationReward]{
			Op: opInflationRewards, Params: params(config, part), Items: items, Check: paging.PerInput[InflationReward](len(part), nil),
		})
		copy(into, got)
		return err
	})
}

// StakeMinimumDelegation returns the fewest lamports that can be delegated. It costs 1
// credit.
//
// JSON-RPC method: getStakeMinimumDelegation.
func (c *Client) StakeMinimumDelegation(ctx context.Context, opts *CommitmentOptions) (uint64, error) {
	return value(ctx, c, read[uint64](opStakeMinimumDelegation, opts, nil, nil))
}
