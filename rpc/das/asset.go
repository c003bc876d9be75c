package das

import (
	"encoding/json"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/types"
)

// An Asset is an NFT, compressed or not, a fungible token or a collection. The service may omit
// every member but the ID. A missing member is zero: empty, 0 or nil.
//
// Strings such as names and links are chosen by third parties and may contain anything.
// This package does not fetch or interpret them.
type Asset struct {
	// ID is the mint, the address of a Core asset, or the ID of a compressed NFT.
	ID types.Address `json:"id" required:"true"`

	Interface   Interface   `json:"interface"`        // the kind of asset
	Content     Content     `json:"content,omitzero"` // name, image and other metadata
	Authorities []Authority `json:"authorities"`      // who may change the asset
	Compression Compression `json:"compression"`      // where a compressed NFT is stored
	Grouping    []Group     `json:"grouping"`         // such as the collection
	Royalty     Royalty     `json:"royalty"`
	Creators    []Creator   `json:"creators"`
	Ownership   Ownership   `json:"ownership"`
	Uses        *Uses       `json:"uses"`       // nil unless the asset can be used up
	Supply      *Supply     `json:"supply"`     // printed editions of an NFT
	Mutable     bool        `json:"mutable"`    // whether the metadata may change
	Burnt       bool        `json:"burnt"`      // a burnt compressed NFT can still be listed
	TokenInfo   *TokenInfo  `json:"token_info"` // of SPL tokens; for NFTs not always sent
	Core        *CoreInfo   `json:"mpl_core_info"`

	// IsAgent reports whether a Core asset is the identity of an agent, a program that acts by
	// itself. The agent signs with the wallet AgentSigner. AgentToken is its token. Both may
	// be empty. Wire names: is_agent, asset_signer, agent_token.
	IsAgent     bool          `json:"is_agent,omitempty"`
	AgentSigner types.Address `json:"asset_signer,omitempty"`
	AgentToken  types.Address `json:"agent_token,omitempty"`

	// MintExtensions are the extensions of a Token-2022 mint: an object by name.
	MintExtensions json.RawMessage `json:"mint_extensions,omitempty"`

	// InscriptionData is sent with ShowInscription. Wire name: inscription.
	InscriptionData json.RawMessage `json:"inscription,omitempty"`

	// SPL20 is sent with ShowInscription.
	SPL20 json.RawMessage `json:"spl20,omitempty"`

	// Plugins are the plugins of a Core asset: an object by name.
	Plugins json.RawMessage `json:"plugins,omitempty"`

	// ExternalPlugins are the external plugins of a Core asset: a list.
	ExternalPlugins json.RawMessage `json:"external_plugins,omitempty"`

	// UnknownPlugins are the plugins that the indexer cannot parse: a list.
	UnknownPlugins json.RawMessage `json:"unknown_plugins,omitempty"`

	UnknownExternalPlugins json.RawMessage `json:"unknown_external_plugins,omitempty"` // likewise
	GroupDefinition        json.RawMessage `json:"group_definition,omitempty"`
	System                 json.RawMessage `json:"system,omitempty"`

	// Slot is the slot of the state; 0 when the service does not say. In a listing, see
	// AssetPage.Slot.
	Slot uint64 `json:"last_indexed_slot,omitempty"`

	// Problem says why the service cannot show the asset. Then, all other members but the ID
	// are missing. Empty for all other assets. Wire name: errors, next to the items.
	Problem string `json:"error,omitempty"`
}

// An Interface is the kind of an asset. Values without a constant here pass through.
type Interface string

// The kinds of assets.
const (
	InterfaceV1NFT             Interface = "V1_NFT"
	InterfaceV1Print           Interface = "V1_PRINT"
	InterfaceLegacyNFT         Interface = "LEGACY_NFT"
	InterfaceV2NFT             Interface = "V2_NFT"
	InterfaceFungibleAsset     Interface = "FungibleAsset"
	InterfaceFungibleToken     Interface = "FungibleToken"
	InterfaceCustom            Interface = "Custom"
	InterfaceIdentity          Interface = "Identity"
	InterfaceExecutable        Interface = "Executable"
	InterfaceProgrammableNFT   Interface = "ProgrammableNFT"
	InterfaceMplCoreAsset      Interface = "MplCoreAsset"
	InterfaceMplCoreCollection Interface = "MplCoreCollection"
)

// An Authority is an address that may change an asset.
type Authority struct {
	Address types.Address `json:"address"`
	Scopes  []Scope       `json:"scopes"`
}

// A Scope is the part of an asset that an authority may change. Values without a constant here
// pass through.
type Scope string

// The scopes.
const (
	ScopeFull      Scope = "full"
	ScopeRoyalty   Scope = "royalty"
	ScopeMetadata  Scope = "metadata"
	ScopeExtension Scope = "extension"
)

// Compression says where a compressed NFT is stored. The hashes and the tree of other
// assets are empty.
type Compression struct {
	Eligible       bool          `json:"eligible"`        // whether the asset could be compressed
	Compressed     bool          `json:"compressed"`      // whether the asset is compressed
	DataHash       types.Hash    `json:"data_hash"`       // of the metadata
	CreatorHash    types.Hash    `json:"creator_hash"`    // of the creators
	AssetHash      types.Hash    `json:"asset_hash"`      // the leaf; compare with Proof.Leaf
	CollectionHash types.Hash    `json:"collection_hash"` // newer leaves only
	AssetDataHash  types.Hash    `json:"asset_data_hash"` // newer leaves only
	Flags          uint64        `json:"flags"`           // newer leaves only
	Tree           types.Address `json:"tree"`            // the Merkle tree

	// Seq is the sequence number of the last change in Tree.
	Seq uint64 `json:"seq"`

	LeafID uint64 `json:"leaf_id"` // position in Tree
}

// A Group is a group that an asset belongs to, such as its collection.
type Group struct {
	Key   string `json:"group_key"`   // such as GroupCollection
	Value string `json:"group_value"` // for a collection, its address: types.Address(g.Value)

	// Verified reports whether the collection confirmed the asset. Without
	// ShowUnverifiedCollections, it is false, although all groups are verified.
	Verified bool `json:"verified"`

	// Metadata describes the collection, with ShowCollectionMetadata: an object
	// with members such as name, symbol and image. Wire name: collection_metadata.
	Metadata json.RawMessage `json:"collection_metadata,omitempty"`
}

// GroupCollection is the key of groups that are collections.
const GroupCollection = "collection"

// Collection returns the collection of a, or nil if it has none. With
// ShowUnverifiedCollections, check its Verified: anyone can name a collection.
func (a *Asset) Collection() *Group {
	i := slices.IndexFunc(a.Grouping, func(g Group) bool { return g.Key == GroupCollection })
	if i < 0 {
		return nil
	}
	return &a.Grouping[i]
}

// Royalty is the share of a sale that goes to the creators.
type Royalty struct {
	Model  RoyaltyModel  `json:"royalty_model"`
	Target types.Address `json:"target"` // empty for RoyaltyModelCreators

	// Fraction is the share: 0.05 is 5 %. It may carry rounding noise, so prefer
	// BasisPoints. Empty when unknown. Wire name: percent.
	Fraction json.Number `json:"percent,omitempty"`

	BasisPoints int `json:"basis_points"`

	PrimarySaleHappened bool `json:"primary_sale_happened"`
	Locked              bool `json:"locked"`
}

// A RoyaltyModel says who gets royalties. Values without a constant here pass
// through.
type RoyaltyModel string

// The royalty models.
const (
	RoyaltyModelCreators RoyaltyModel = "creators"
	RoyaltyModelFanout   RoyaltyModel = "fanout"
	RoyaltyModelSingle   RoyaltyModel = "single"
)

// A Creator is a creator of an asset.
type Creator struct {
	Address  types.Address `json:"address"`
	Share    int           `json:"share"`    // of the royalties, in percent
	Verified bool          `json:"verified"` // whether the creator signed the asset
}

// Ownership says who owns an asset.
type Ownership struct {
	Owner           types.Address  `json:"owner"`    // empty for fungible tokens, which have many
	Delegate        types.Address  `json:"delegate"` // empty without a delegate
	Model           OwnershipModel `json:"ownership_model"`
	Frozen          bool           `json:"frozen"`           // whether transfers are frozen
	Delegated       bool           `json:"delegated"`        // whether it has a delegate
	NonTransferable bool           `json:"non_transferable"` // whether it can never be transferred
}

// An OwnershipModel says how many owners an asset has. Values without a constant here
// pass through.
type OwnershipModel string

// The ownership models.
const (
	OwnershipModelSingle OwnershipModel = "single" // an NFT
	OwnershipModelToken  OwnershipModel = "token"  // a fungible token
)

// Uses is how often an asset can be used.
type Uses struct {
	Method    string `json:"use_method"` // such as Burn, Multiple or Single
	Remaining uint64 `json:"remaining"`
	Total     uint64 `json:"total"`
}

// Supply is the number of printed editions of an NFT.
type Supply struct {
	PrintMax     *uint64 `json:"print_max_supply"` // nil when the service sends none
	PrintCurrent uint64  `json:"print_current_supply"`
	EditionNonce *uint64 `json:"edition_nonce"` // nil when there is none
}

// CoreInfo is specific to assets of the Core program.
type CoreInfo struct {
	NumMinted          uint64 `json:"num_minted"`   // of a collection: assets ever made
	CurrentSize        uint64 `json:"current_size"` // of a collection: assets that exist
	PluginsJSONVersion uint64 `json:"plugins_json_version"`
}

// TokenInfo describes an SPL token.
type TokenInfo struct {
	Symbol string `json:"symbol"` // empty when unknown

	// RawAmount is the amount of the owner, in the smallest unit. It is 0 outside of lists by
	// owner. Wire name: balance.
	RawAmount uint64 `json:"balance"`

	RawSupply    uint64        `json:"supply"` // in the smallest unit. Wire name: supply
	Decimals     uint8         `json:"decimals"`
	TokenProgram types.Address `json:"token_program"`

	// AssociatedTokenAddress is the owner's token account; in lists by owner only.
	AssociatedTokenAddress types.Address `json:"associated_token_address"`

	// MintAuthority may mint more; empty when nobody may.
	MintAuthority types.Address `json:"mint_authority"`

	// FreezeAuthority may freeze accounts; empty when nobody may.
	FreezeAuthority types.Address `json:"freeze_authority"`

	Price *Price `json:"price_info"` // nil when unknown
}

// Amount returns RawAmount in whole tokens.
func (t *TokenInfo) Amount() decimal.Decimal {
	if t == nil {
		return decimal.Decimal{}
	}
	return types.Amount(t.RawAmount, t.Decimals)
}

// A Price is an estimate, up to an hour old. The service has prices of the most traded tokens.
type Price struct {
	PricePerToken decimal.NullDecimal `json:"price_per_token"`
	Total         decimal.NullDecimal `json:"total_price"` // of RawAmount; lists by owner only
	Currency      string              `json:"currency"`    // such as USDC
}

// NativeBalance is the SOL of a wallet.
type NativeBalance struct {
	Lamports    uint64              `json:"lamports" required:"true"`
	PricePerSOL decimal.NullDecimal `json:"price_per_sol"` // in US dollars
	TotalPrice  decimal.NullDecimal `json:"total_price"`   // in US dollars
}
