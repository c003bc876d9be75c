package rpc

import (
	"encoding/json"

	"github.com/solwire/solwire-go/types"
)

// TokenInfo is a token account as the service reads it.
type TokenInfo struct {
	Type        string        `json:"-"`           // account, or empty where the service does not say; of any other type, only this is known
	Mint        types.Address `json:"mint"`        // which token; that of wrapped SOL is [types.WrappedSOL]
	Owner       types.Address `json:"owner"`       // the wallet, not the delegate
	TokenAmount Amount        `json:"tokenAmount"` // how much of it the account holds
	State       TokenState    `json:"state"`       // such as [Frozen]
	IsNative    bool          `json:"isNative"`    // whether the tokens are wrapped SOL
	Delegate    types.Address `json:"delegate"`    // who else may spend; empty when no one

	// DelegatedAmount is how much Delegate may still spend, which may be more
	// than there is; zero without a delegate. Where the service sends a bare
	// number, Decimals is that of TokenAmount and the UI forms are empty.
	DelegatedAmount Amount `json:"delegatedAmount"`

	RentExemptReserve Amount        `json:"rentExemptReserve"` // SOL of the account that is no token; zero unless IsNative
	CloseAuthority    types.Address `json:"closeAuthority"`    // who else may close the account; empty when no one
	Extensions        []Extension   `json:"extensions"`        // of Token-2022; nil when there are none
}

// A TokenState says whether the tokens of an account can move. The service may
// know other words than the constants here.
type TokenState string

// The states of a token account.
const (
	Uninitialized TokenState = "uninitialized" // not in use yet
	Initialized   TokenState = "initialized"   // can move
	Frozen        TokenState = "frozen"        // cannot, until the authority of the mint thaws it
)

// An Amount is a number of tokens. For tokens that bear interest or are scaled,
// the two UI forms are not simply Amount shifted by Decimals.
type Amount struct {
	Amount         uint64      `json:"amount,string"`  // in the smallest unit; the only exact form
	Decimals       uint8       `json:"decimals"`       // digits after the point
	UIAmount       json.Number `json:"uiAmount"`       // in whole tokens, rounded; empty when it cannot be computed
	UIAmountString string      `json:"uiAmountString"` // in whole tokens, without trailing zeros; "", inf or NaN for broken scaled ones
}

// An Extension is what a Token-2022 account has beyond an ordinary one.
type Extension struct {
	Name  string          `json:"extension"` // such as immutableOwner or transferFeeAmount; newer nodes know more
	State json.RawMessage `json:"state"`     // as it came; nil for extensions that have none
}
