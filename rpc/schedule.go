package rpc

import (
	"cmp"
	"context"
	"fmt"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var (
	opEpochSchedule   = op("rpc.Client.EpochSchedule", "getEpochSchedule")
	opLeaderSchedule  = op("rpc.Client.LeaderSchedule", "getLeaderSchedule")
	opSlotLeader      = op("rpc.Client.SlotLeader", "getSlotLeader")
	opSlotLeaders     = op("rpc.Client.SlotLeaders", "getSlotLeaders")
	opBlockProduction = op("rpc.Client.BlockProduction", "getBlockProduction")
	opBlockCommitment = op("rpc.Client.BlockCommitment", "getBlockCommitment")
)

// An EpochSchedule says when epochs begin.
type EpochSchedule struct {
	SlotsPerEpoch uint64 `json:"slotsPerEpoch" required:"true"` // once warmup is over

	// LeaderScheduleSlotOffset is how many slots before an epoch its leader schedule is
	// made.
	LeaderScheduleSlotOffset uint64 `json:"leaderScheduleSlotOffset"`

	Warmup           bool   `json:"warmup"` // whether the first epochs are shorter
	FirstNormalEpoch uint64 `json:"firstNormalEpoch"`
	FirstNormalSlot  uint64 `json:"firstNormalSlot"`
}

// EpochSchedule returns the lengths of epochs, which do not change. It costs 1 credit.
//
// JSON-RPC method: getEpochSchedule.
func (c *Client) EpochSchedule(ctx context.Context) (*EpochSchedule, error) {
	return transport.Result(ctx, c.api, transport.Query[EpochSchedule]{Op: opEpochSchedule})
}

// LeaderScheduleOptions are the options of [Client.LeaderSchedule]. The zero value, like
// nil, means all leaders of the current epoch.
type LeaderScheduleOptions struct {
	// Commitment is the state to read; empty means finalized.
	Commitment types.Commitment `json:"commitment,omitempty"`

	// Slot selects the epoch that contains it; 0 means the current epoch.
	Slot uint64 `json:"-"`

	// Identity selects one leader; empty means all.
	Identity types.Address `json:"identity,omitempty"`

	// ByVoteAccount returns the slots by vote account, not by identity. Nodes before version
	// 4.4 ignore it. Wire name: keyByVoteAccount.
	ByVoteAccount bool `json:"keyByVoteAccount,omitempty"`
}

// LeaderSchedule returns the slots of each leader in an epoch, counted from the first
// slot of the epoch. It costs 1 credit. An epoch whose schedule is unknown, and an
// Identity without slots in the epoch, fail with [types.ErrNotFound].
//
// JSON-RPC method: getLeaderSchedule.
func (c *Client) LeaderSchedule(ctx context.Context, opts *LeaderScheduleOptions) (map[types.Address][]uint64, error) {
	o := argument.Options(opts)
	var slot []any
	if o.Slot != 0 {
		slot = append(slot, o.Slot)
	}
	o.Slot = 0
	q := read[map[types.Address][]uint64](opLeaderSchedule, &o, nil, nil, slot...)
	q.Null = transport.NullIsNotFound
	got, err := result(ctx, c, q)
	if err == nil && len(got) == 0 {
		return nil, fmt.Errorf("%s: no leader: %w", opLeaderSchedule, types.ErrNotFound)
	}
	return got, err
}

// SlotLeader returns the identity of the leader of the current slot. It costs 1 credit.
//
// JSON-RPC method: getSlotLeader.
func (c *Client) SlotLeader(ctx context.Context, opts *ReadOptions) (types.Address, error) {
	return result(ctx, c, read(opSlotLeader, opts, nil, hasMember[types.Address]("leader")))
}

// SlotLeaders returns the leaders of count slots from a slot on, at most 5000. It costs 1
// credit. Slots beyond the known leader schedules fail with a [types.APIError].
//
// JSON-RPC method: getSlotLeaders.
func (c *Client) SlotLeaders(ctx context.Context, slot uint64, count int) ([]types.Address, error) {
	var invalid error
	if count < 1 {
		invalid = argument.Invalid(fmt.Sprintf("count %d", count), "is not positive")
	}
	return result(ctx, c, transport.Query[[]types.Address]{
		Op: opSlotLeaders, Invalid: invalid, Params: []any{slot, count}, Check: func(list *[]types.Address) error {
			return cmp.Or(transport.OnePer(count, len(*list)), paging.CheckItems(list))
		},
	})
}

// BlockProductionOptions are the options of [Client.BlockProduction]. The zero value, like
// nil, means all leaders in the current epoch so far.
type BlockProductionOptions struct {
	// Commitment is the state to read; empty means finalized.
	Commitment types.Commitment `json:"commitment,omitempty"`

	// Identity selects one leader; empty means all.
	Identity types.Address `json:"identity,omitempty"`

	// SinceSlot and UntilSlot select slots at or after SinceSlot and before UntilSlot. 0
	// means the beginning of the epoch and the latest slot; UntilSlot requires SinceSlot.
	SinceSlot uint64 `json:"-"`
	UntilSlot uint64 `json:"-"`
}

// A BlockProduction says how many slots each leader had, and how many blocks it produced
// in them.
type BlockProduction struct {
	// ByIdentity has the number of slots of a leader and the number of its blocks.
	ByIdentity map[types.Address][2]uint64 `json:"byIdentity" required:"true"`

	Range SlotRange `json:"range"`
}

// A SlotRange is a range of slots. As on the wire, both ends are included, unlike
// UntilSlot of the options.
type SlotRange struct {
	FirstSlot uint64 `json:"firstSlot"`
	LastSlot  uint64 `json:"lastSlot,omitempty"`
}

// BlockProduction returns the number of slots and the number of blocks of each leader. It costs 1
// credit.
//
// JSON-RPC method: getBlockProduction.
func (c *Client) BlockProduction(ctx context.Context, opts *BlockProductionOptions) (*BlockProduction, error) {
	var config struct {
		BlockProductionOptions
		Range SlotRange `json:"range,omitzero"`
	}
	config.BlockProductionOptions = argument.Options(opts)
	var open error
	if config.UntilSlot != 0 && config.SinceSlot == 0 {
		open = argument.Invalid("UntilSlot", "requires SinceSlot")
	}
	config.Range.FirstSlot = config.SinceSlot
	if config.UntilSlot != 0 {
		config.Range.LastSlot = config.UntilSlot - 1
	}
	q := read[BlockProduction](opBlockProduction, &config, open, nil)
	q.About = config.Identity
	got, _, err := transport.Value(ctx, c.api, q)
	return got, err
}

// A BlockCommitment says how much stake has voted for a block.
type BlockCommitment struct {
	// Lamports is the stake that has voted for the block at each depth, from 0 to 31; nil
	// when the node no longer knows. Wire name: commitment.
	Lamports []uint64 `json:"commitment"`

	TotalStakeLamports uint64 `json:"totalStake" required:"true"` // of the epoch
}

// BlockCommitment returns how much stake has voted for the block of a slot. It costs 1
// credit.
//
// JSON-RPC method: getBlockCommitment.
func (c *Client) BlockCommitment(ctx context.Context, slot uint64) (*BlockCommitment, error) {
	return transport.Result(ctx, c.api, transport.Query[BlockCommitment]{
		Op: opBlockCommitment, Params: []any{slot},
	})
}
