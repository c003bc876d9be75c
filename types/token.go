package types

import (
	"encoding/json"

	"github.com/shopspring/decimal"
)

// A TokenAmount is an amount of tokens as Solana nodes send it. For interest-bearing and
// scaled tokens, the UI amounts are not RawAmount shifted by Decimals.
type TokenAmount struct {
	RawAmount uint64      `json:"amount,string"`      // in the smallest unit. Wire name: amount
	Decimals  uint8       `json:"decimals"`           // digits after the decimal point
	UIAmount  json.Number `json:"uiAmount,omitempty"` // in whole tokens, rounded; empty if unknown

	// UIAmountString is in whole tokens, without trailing zeros. It may be empty, or inf or NaN if
	// the scale of a scaled token is invalid.
	UIAmountString string `json:"uiAmountString"`
}

// Amount returns a raw amount in whole tokens: Amount(lamports, 9) is in SOL. It does not
// consider the interest or the scale of a token.
func Amount(raw uint64, decimals uint8) decimal.Decimal {
	return decimal.NewFromUint64(raw).Shift(-int32(decimals))
}

// A TokenState says whether the tokens of a token account can be transferred. Other
// values than the constants pass through.
type TokenState string

// The states of a token account.
const (
	TokenStateUninitialized TokenState = "uninitialized" // not in use yet
	TokenStateInitialized   TokenState = "initialized"   // usable
	TokenStateFrozen        TokenState = "frozen"        // by the freeze authority of the mint
)

// A TokenStandard is the kind of a token with metadata. Other values than the constants
// pass through.
type TokenStandard string

// The token standards.
const (
	TokenStandardNonFungible             TokenStandard = "NonFungible"
	TokenStandardFungibleAsset           TokenStandard = "FungibleAsset"
	TokenStandardFungible                TokenStandard = "Fungible"
	TokenStandardNonFungibleEdition      TokenStandard = "NonFungibleEdition"
	TokenStandardProgrammableNonFungible TokenStandard = "ProgrammableNonFungible"
	TokenStandardUnknown                 TokenStandard = "UnknownStandard"
)

// An NFT is a non-fungible token. Its creator chooses the names and the image. Balances lack
// TokenStandard; enhanced transactions have only Mint and TokenStandard.
type NFT struct {
	Mint              Address       `json:"mint"`              // the asset ID of a compressed NFT
	Name              string        `json:"name"`              // may be empty
	ImageURI          string        `json:"imageUri"`          // may be empty
	CollectionName    string        `json:"collectionName"`    // empty without a collection
	CollectionAddress Address       `json:"collectionAddress"` // empty without a collection
	Compressed        bool          `json:"compressed"`        // whether it is in a Merkle tree
	TokenStandard     TokenStandard `json:"tokenStandard"`     // empty if unknown
}
