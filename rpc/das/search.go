package das

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/types"
)

var opSearchAssets = op("das.Client.SearchAssets", "searchAssets")

// A SearchFilter says which assets to search. Zero members do not filter. An asset
// has to match all other members, or any of them with ConditionAny.
type SearchFilter struct {
	Owner types.Address `json:"ownerAddress,omitempty"`

	// TokenType requires Owner, and TokenTypeFungible an empty Creator. Some indexers refuse a
	// TokenType together with Interface or OwnerType.
	TokenType TokenType `json:"tokenType,omitempty"`

	Creator types.Address `json:"creatorAddress,omitempty"`

	// CreatorVerified selects by whether the creator signed the asset.
	CreatorVerified Flag `json:"creatorVerified,omitempty"`

	Authority types.Address `json:"authorityAddress,omitempty"`

	// Grouping selects a group, such as a collection; see InCollection.
	Grouping *Grouping `json:"grouping,omitempty"`

	Delegate     types.Address `json:"delegate,omitempty"`
	Frozen       Flag          `json:"frozen,omitempty"`
	Burnt        Flag          `json:"burnt,omitempty"`
	Compressed   Flag          `json:"compressed,omitempty"`
	Compressible Flag          `json:"compressible,omitempty"`

	// Tree is the Merkle tree of compressed NFTs.
	Tree types.Address `json:"tree,omitempty"`

	Supply       Count         `json:"supply,omitzero"`      // in the smallest unit
	SupplyMint   types.Address `json:"supplyMint,omitempty"` // the mint of Supply
	RoyaltyModel RoyaltyModel  `json:"royaltyTargetType,omitempty"`

	// RoyaltyTarget is an address that gets royalties.
	RoyaltyTarget types.Address `json:"royaltyTarget,omitempty"`

	BasisPoints Count          `json:"royaltyAmount,omitzero"` // the royalty
	Interface   Interface      `json:"interface,omitempty"`
	OwnerType   OwnershipModel `json:"ownerType,omitempty"`
	JSONURI     string         `json:"jsonUri,omitempty"`

	// Agent selects the Core assets that are agents; see Asset.IsAgent. Wire name: isAgent.
	Agent       Flag          `json:"isAgent,omitempty"`
	AgentSigner types.Address `json:"assetSigner,omitempty"`
	AgentToken  types.Address `json:"agentToken,omitempty"`

	// Name requires Owner. A % in it matches any text.
	Name string `json:"name,omitempty"`

	// Negate selects the assets that do not match, on some indexers also assets of other owners.
	Negate    bool      `json:"negate,omitempty"`
	Condition Condition `json:"conditionType,omitempty"` // empty means ConditionAll
}

// A Grouping is a group that assets belong to. It is a pair on the wire.
type Grouping struct{ Key, Value string }

// InCollection returns the Grouping of a collection.
func InCollection(address types.Address) *Grouping {
	return &Grouping{GroupCollection, string(address)}
}

// MarshalJSON encodes the pair.
func (g Grouping) MarshalJSON() ([]byte, error) { return json.Marshal([2]string{g.Key, g.Value}) }

// A TokenType is a kind of tokens. Values without a constant here pass through: some
// indexers use other names, such as regularNFT and Fungible.
type TokenType string

// The token types.
const (
	TokenTypeFungible      TokenType = "fungible"
	TokenTypeNonFungible   TokenType = "nonFungible"
	TokenTypeRegularNFT    TokenType = "regularNft"    // not compressed
	TokenTypeCompressedNFT TokenType = "compressedNft" // compressed
	TokenTypeAll           TokenType = "all"
)

// A Flag is a filter by true or false; empty does not filter.
type Flag string

// The flags.
const (
	FlagYes Flag = "true"
	FlagNo  Flag = "false"
)

// MarshalJSON encodes a bool.
func (f Flag) MarshalJSON() ([]byte, error) { return json.Marshal(f == FlagYes) }

// A Count is a filter by a number. The zero Count does not filter; make others with
// [Exactly].
type Count struct {
	n   uint64
	set bool
}

// Exactly returns a Count that matches n only. It may be 0.
func Exactly(n uint64) Count { return Count{n, true} }

// MarshalJSON encodes the number.
func (c Count) MarshalJSON() ([]byte, error) { return json.Marshal(c.n) }

// A Condition says whether an asset has to match all or any of the members of a
// filter.
type Condition string

// The conditions.
const (
	ConditionAll Condition = "all"
	ConditionAny Condition = "any" // on some indexers also assets of other owners
)

// check refuses arguments that the service refuses, and a number that made an indexer crash.
func (f *SearchFilter) check() error {
	if err := argument.Fields(f); err != nil {
		return err
	}
	for _, flag := range []Flag{f.CreatorVerified, f.Frozen, f.Burnt, f.Compressed, f.Compressible, f.Agent} {
		if err := argument.OneOf("Flag", flag, "", FlagYes, FlagNo); err != nil {
			return err
		}
	}
	switch {
	case f.TokenType != "" && f.Owner == "":
		return argument.Invalid("TokenType", "requires Owner")
	case strings.EqualFold(string(f.TokenType), string(TokenTypeFungible)) && f.Creator != "":
		return argument.Invalid("TokenType fungible", "does not go with Creator; set one of them")
	case f.Name != "" && f.Owner == "":
		return argument.Invalid("Name", "requires Owner")
	case strings.Contains(f.Name+f.JSONURI, "\x00"):
		return argument.Invalid("Name or JSONURI", "has a zero byte")
	case f.Supply.n > math.MaxInt64:
		return argument.Invalid("Supply", fmt.Sprintf("%d is more than the service can compare with, %d", f.Supply.n, uint64(math.MaxInt64)))
	case f.BasisPoints.n > math.MaxUint32:
		return argument.Invalid("BasisPoints", fmt.Sprintf("%d is more than 10000", f.BasisPoints.n))
	case f.Grouping != nil && (f.Grouping.Key == "" || f.Grouping.Value == ""):
		return argument.Invalid("Grouping", "needs both a key and a value; make it with InCollection")
	}
	return nil
}

// SearchAssets lists the assets that match a filter. Read the list with All, Pages, Page
// or Collect; each page costs 10 credits, also the empty one at the end.
//
// JSON-RPC method: searchAssets.
func (c *Client) SearchAssets(ctx context.Context, filter SearchFilter, opts *AssetsOptions) types.ListOf[AssetPage, Asset] {
	if filter.Grouping != nil {
		g := *filter.Grouping // later changes by the caller have no effect
		filter.Grouping = &g
	}
	return c.assetList(ctx, opSearchAssets, filter.check(), selection{SearchFilter: filter}, opts)
}
