package rpc

import (
	"context"
	"fmt"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var (
	opSlot                = op("rpc.Client.Slot", "getSlot")
	opBlockHeight         = op("rpc.Client.BlockHeight", "getBlockHeight")
	opEpochInfo           = op("rpc.Client.EpochInfo", "getEpochInfo")
	opLatestBlockhash     = op("rpc.Client.LatestBlockhash", "getLatestBlockhash")
	opIsBlockhashValid    = op("rpc.Client.IsBlockhashValid", "isBlockhashValid")
	opFirstAvailableBlock = op("rpc.Client.FirstAvailableBlock", "getFirstAvailableBlock")
	opGenesisHash         = op("rpc.Client.GenesisHash", "getGenesisHash")
	opHealth              = op("rpc.Client.Health", "getHealth")
	opVersion             = op("rpc.Client.Version", "getVersion")
)

// Slot returns the latest slot. It costs 1 credit.
//
// JSON-RPC method: getSlot.
func (c *Client) Slot(ctx context.Context, opts *ReadOptions) (uint64, error) {
	return result(ctx, c, read[uint64](opSlot, opts, nil, nil))
}

// BlockHeight returns the number of blocks before the latest one. Skipped slots do not count. It
// costs 1 credit.
//
// JSON-RPC method: getBlockHeight.
func (c *Client) BlockHeight(ctx context.Context, opts *ReadOptions) (uint64, error) {
	return result(ctx, c, read[uint64](opBlockHeight, opts, nil, nil))
}

// FirstAvailableBlock returns the slot of the oldest block that can be read. It costs
// 1 credit.
//
// JSON-RPC method: getFirstAvailableBlock.
func (c *Client) FirstAvailableBlock(ctx context.Context) (uint64, error) {
	return result(ctx, c, transport.Query[uint64]{Op: opFirstAvailableBlock})
}

// EpochInfo is the position in the current epoch.
type EpochInfo struct {
	Epoch            uint64 `json:"epoch"`
	SlotIndex        uint64 `json:"slotIndex"`                    // in the epoch, from 0
	SlotsInEpoch     uint64 `json:"slotsInEpoch" required:"true"` // its length
	AbsoluteSlot     uint64 `json:"absoluteSlot"`                 // the slot
	BlockHeight      uint64 `json:"blockHeight"`                  // the number of blocks before it
	TransactionCount uint64 `json:"transactionCount"`             // since genesis; 0 when the node does not say
}

// EpochInfo returns the position in the current epoch. It costs 1 credit.
//
// JSON-RPC method: getEpochInfo.
func (c *Client) EpochInfo(ctx context.Context, opts *ReadOptions) (*EpochInfo, error) {
	return transport.Result(ctx, c.api, read[EpochInfo](opEpochInfo, opts, nil, nil))
}

// A Blockhash is the hash of a recent block. A transaction names one to prove its age.
type Blockhash struct {
	Hash types.Hash `json:"blockhash" required:"true"`

	// LastValidBlockHeight is the height of the last block that accepts transactions with
	// Hash.
	LastValidBlockHeight uint64 `json:"lastValidBlockHeight" required:"true"`

	Slot uint64 `json:"slot,omitempty"` // of the state that was read
}

// LatestBlockhash returns the hash of the latest block, for a transaction. It costs 1
// credit.
//
// JSON-RPC method: getLatestBlockhash.
func (c *Client) LatestBlockhash(ctx context.Context, opts *ReadOptions) (*Blockhash, error) {
	got, slot, err := transport.Value(ctx, c.api, read[Blockhash](opLatestBlockhash, opts, nil, nil))
	if err != nil {
		return nil, err
	}
	got.Slot = slot
	return got, nil
}

// IsBlockhashValid reports whether a transaction with this blockhash may still be
// processed. It costs 1 credit.
//
// JSON-RPC method: isBlockhashValid.
func (c *Client) IsBlockhashValid(
	ctx context.Context, hash types.Hash, opts *ReadOptions,
) (bool, error) {
	return value(ctx, c, read[bool](opIsBlockhashValid, opts, argument.Hash("hash", hash), nil, hash))
}

// GenesisHash returns the hash of the first block, which identifies the network. It
// costs 1 credit.
//
// JSON-RPC method: getGenesisHash.
func (c *Client) GenesisHash(ctx context.Context) (types.Hash, error) {
	return result(ctx, c, transport.Query[types.Hash]{Op: opGenesisHash, Check: hasMember[types.Hash]("hash")})
}

// Health returns nil if the node keeps up with the network. It costs 1 credit. If the node is still
// behind after the retries, the error is a [types.APIError] with code -32005.
//
// JSON-RPC method: getHealth.
func (c *Client) Health(ctx context.Context) error {
	_, err := transport.Result(ctx, c.api, transport.Query[string]{Op: opHealth, Check: func(health *string) error {
		if *health != "ok" {
			return fmt.Errorf("the node is %q, not ok", *health)
		}
		return nil
	}})
	return err
}

// A NodeVersion is the version of the software of a node.
type NodeVersion struct {
	Core string `json:"solana-core" required:"true"` // such as 4.4.0

	// FeatureSet identifies the features that the software supports; 0 when the node does
	// not say.
	FeatureSet uint64 `json:"feature-set"`
}

// Version returns the version of the software of the node. It costs 1 credit.
//
// JSON-RPC method: getVersion.
func (c *Client) Version(ctx context.Context) (*NodeVersion, error) {
	return transport.Result(ctx, c.api, transport.Query[NodeVersion]{Op: opVersion})
}
