package enhanced

import (
	"encoding/json"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
)

// An NFTEvent is a sale, a listing, a bid or another event of NFTs.
type NFTEvent struct {
	Description string          `json:"description"` // human-readable; may be empty
	Type        txtype.Type     `json:"type"`        // such as [txtype.NFTSale]
	Source      string          `json:"source"`      // the marketplace
	Lamports    uint64          `json:"amount"`      // the price. Wire name: amount
	FeeLamports uint64          `json:"fee"`         // of the transaction. Wire name: fee
	FeePayer    types.Address   `json:"feePayer"`    // of the transaction
	Signature   types.Signature `json:"signature"`   // of the transaction
	Slot        uint64          `json:"slot"`        // of the block
	BlockTime   types.Time      `json:"blockTime"`   // zero when unknown. Wire name: timestamp
	SaleType    SaleType        `json:"saleType"`    // may be empty
	Buyer       types.Address   `json:"buyer"`       // may be empty
	Seller      types.Address   `json:"seller"`      // may be empty
	Staker      types.Address   `json:"staker"`      // may be empty
	NFTs        []types.NFT     `json:"nfts"`        // with Mint and TokenStandard only
}

// UnmarshalJSON reads the form of the service and the form of json.Marshal.
func (n *NFTEvent) UnmarshalJSON(b []byte) error {
	type plain NFTEvent // without this method
	wire := struct {
		*plain
		Timestamp *types.Time `json:"timestamp"`
	}{(*plain)(n), &n.BlockTime}
	return decode.Value(b, &wire)
}

// A SaleType is how an NFT is sold. Other values than the constants pass through.
type SaleType string

// The sale types.
const (
	SaleTypeAuction     SaleType = "AUCTION"
	SaleTypeInstantSale SaleType = "INSTANT_SALE"
	SaleTypeOffer       SaleType = "OFFER"
	SaleTypeGlobalOffer SaleType = "GLOBAL_OFFER"
	SaleTypeMint        SaleType = "MINT"
	SaleTypeUnknown     SaleType = "UNKNOWN"
)

// A CompressedNFTEvent is an event of a compressed NFT or of its Merkle tree. All
// fields but Type and TreeID may be absent, which makes them empty or nil.
type CompressedNFTEvent struct {
	Type         txtype.Type   `json:"type"`         // such as [txtype.CompressedNFTMint]
	TreeID       types.Address `json:"treeId"`       // the Merkle tree
	AssetID      types.Address `json:"assetId"`      // the compressed NFT
	LeafIndex    *uint64       `json:"leafIndex"`    // in the tree, from 0
	Seq          *uint64       `json:"seq"`          // sequence number of the tree
	NewLeafOwner types.Address `json:"newLeafOwner"` // the wallet after the event
	OldLeafOwner types.Address `json:"oldLeafOwner"` // the wallet before the event
	TreeDelegate types.Address `json:"treeDelegate"` // may mint, like the tree's creator

	// NewLeafDelegate and OldLeafDelegate are as sent: usually an address as a
	// JSON string, but any JSON is possible.
	NewLeafDelegate json.RawMessage `json:"newLeafDelegate"`
	OldLeafDelegate json.RawMessage `json:"oldLeafDelegate"`

	Metadata   json.RawMessage `json:"metadata"`   // as sent
	UpdateArgs json.RawMessage `json:"updateArgs"` // as sent

	InstructionIndex      *int `json:"instructionIndex"`      // in the transaction, from 0
	InnerInstructionIndex *int `json:"innerInstructionIndex"` // nil if not an inner instruction
}

// UnmarshalJSON makes members that may hold any JSON nil when they are null.
func (e *CompressedNFTEvent) UnmarshalJSON(b []byte) error {
	type plain CompressedNFTEvent // without this method
	err := decode.Value(b, (*plain)(e))
	e.NewLeafDelegate, e.OldLeafDelegate = decode.Present(e.NewLeafDelegate), decode.Present(e.OldLeafDelegate)
	e.Metadata, e.UpdateArgs = decode.Present(e.Metadata), decode.Present(e.UpdateArgs)
	return err
}

// CompressionRewards are paid to indexers of compressed NFTs.
type CompressionRewards struct {
	Lamports uint64 `json:"amount"` // wire name: amount
}
