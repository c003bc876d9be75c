package rpc

import (
	"context"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var (
	opClusterNodes             = op("rpc.Client.ClusterNodes", "getClusterNodes")
	opRecentPerformanceSamples = op("rpc.Client.RecentPerformanceSamples", "getRecentPerformanceSamples")
	opTransactionCount         = op("rpc.Client.TransactionCount", "getTransactionCount")
	opMinimumLedgerSlot        = op("rpc.Client.MinimumLedgerSlot", "minimumLedgerSlot")
	opIdentity                 = op("rpc.Client.Identity", "getIdentity")
	opHighestSnapshotSlot      = op("rpc.Client.HighestSnapshotSlot", "getHighestSnapshotSlot")
)

// A ClusterNode is a node of the network. The fields from Gossip on are IP addresses with ports;
// empty means not offered.
type ClusterNode struct {
	Identity     types.Address `json:"pubkey"`       // wire name: pubkey
	Version      string        `json:"version"`      // of its software; empty when unknown
	ClientID     string        `json:"clientId"`     // the software, such as Agave; or empty
	FeatureSet   uint64        `json:"featureSet"`   // of its software; 0 when unknown
	ShredVersion uint64        `json:"shredVersion"` // the same in all nodes of a network

	Gossip          string `json:"gossip"`
	RPC             string `json:"rpc"`
	PubSub          string `json:"pubsub"`
	TPU             string `json:"tpu"`
	TPUForwards     string `json:"tpuForwards"`
	TPUQUIC         string `json:"tpuQuic"`
	TPUForwardsQUIC string `json:"tpuForwardsQuic"`
	TPUVote         string `json:"tpuVote"`
	TVU             string `json:"tvu"`
	ServeRepair     string `json:"serveRepair"`
}

// ClusterNodes returns the nodes of the network. It costs 1 credit.
//
// JSON-RPC method: getClusterNodes.
func (c *Client) ClusterNodes(ctx context.Context) ([]ClusterNode, error) {
	return result(ctx, c, transport.Query[[]ClusterNode]{Op: opClusterNodes, Check: paging.CheckItems[ClusterNode]})
}

// A PerformanceSample counts the slots and transactions of a period, usually a minute.
type PerformanceSample struct {
	Slot                uint64 `json:"slot"`                   // the last one of the period
	Slots               uint64 `json:"numSlots"`               // wire name: numSlots
	Transactions        uint64 `json:"numTransactions"`        // wire name: numTransactions
	NonVoteTransactions uint64 `json:"numNonVoteTransactions"` // of Transactions; 0 also if unknown
	Seconds             uint64 `json:"samplePeriodSecs"`       // wire name: samplePeriodSecs
}

// RecentPerformanceSamples returns the latest samples, the newest first. Limit is their
// number, up to 720; 0 means 720. It costs 1 credit.
//
// JSON-RPC method: getRecentPerformanceSamples.
func (c *Client) RecentPerformanceSamples(ctx context.Context, limit int) ([]PerformanceSample, error) {
	list := params(limit)
	return result(ctx, c, transport.Query[[]PerformanceSample]{
		Op: opRecentPerformanceSamples, Invalid: argument.NotNegative("limit", limit), Params: list, Check: paging.CheckItems[PerformanceSample],
	})
}

// TransactionCount returns the number of transactions since genesis, votes included. It
// costs 1 credit.
//
// JSON-RPC method: getTransactionCount.
func (c *Client) TransactionCount(ctx context.Context, opts *ReadOptions) (uint64, error) {
	return result(ctx, c, read[uint64](opTransactionCount, opts, nil, nil))
}

// MinimumLedgerSlot returns the oldest slot that the node stores by itself. Blocks before
// it come from an archive; see [Client.FirstAvailableBlock]. It costs 1 credit.
//
// JSON-RPC method: minimumLedgerSlot.
func (c *Client) MinimumLedgerSlot(ctx context.Context) (uint64, error) {
	return result(ctx, c, transport.Query[uint64]{Op: opMinimumLedgerSlot})
}

// Identity returns the identity of the node. Behind a load balancer, it may be another one
// at each call. It costs 1 credit.
//
// JSON-RPC method: getIdentity.
func (c *Client) Identity(ctx context.Context) (types.Address, error) {
	type identity struct {
		Identity types.Address `json:"identity" required:"true"`
	}
	got, err := result(ctx, c, transport.Query[identity]{Op: opIdentity})
	return got.Identity, err
}

// SnapshotSlots are the slots of the latest snapshots of a node.
type SnapshotSlots struct {
	Full        uint64 `json:"full" required:"true"`
	Incremental uint64 `json:"incremental"` // based on Full; 0 without one
}

// HighestSnapshotSlot returns the slots of the latest snapshots of the node. It costs 1
// credit. A node without snapshots fails with code -32008.
//
// JSON-RPC method: getHighestSnapshotSlot.
func (c *Client) HighestSnapshotSlot(ctx context.Context) (*SnapshotSlots, error) {
	return transport.Result(ctx, c.api, transport.Query[SnapshotSlots]{Op: opHighestSnapshotSlot})
}
