package rpc

import (
	"encoding/json"

	"github.com/solwire/solwire-go/types"
)

// TokenInfo is the parsed data of a token account.
type TokenInfo struct {
	Mint        types.Address     `json:"mint"`
	Owner       types.Address     `json:"owner"` // the wallet
	TokenAmount types.TokenAmount `json:"tokenAmount"`
	State       types.TokenState  `json:"state"`
	IsNative    bool              `json:"isNative"` // whether the token is wrapped SOL
	Delegate    types.Address     `json:"delegate"` // empty without a delegate

	// DelegatedAmount is how much Delegate may still spend, which may exceed TokenAmount; zero
	// without a delegate. If the service sends a plain number, it has the Decimals of TokenAmount,
	// and no UI amounts.
	DelegatedAmount types.TokenAmount `json:"delegatedAmount"`

	// RentExemptReserve is the SOL that is not part of TokenAmount; zero unless IsNative.
	RentExemptReserve types.TokenAmount `json:"rentExemptReserve"`

	// CloseAuthority may close the account; empty when only the owner may.
	CloseAuthority types.Address `json:"closeAuthority"`

	// Extensions are the extensions of a Token-2022 account; nil without any.
	Extensions Extensions `json:"extensions"`
}

// An Extension is an extension of a Token-2022 account or mint.
type Extension struct {
	Name string `json:"extension"` // such as immutableOwner or transferFeeAmount

	// State is the JSON as the node sent it; nil for extensions without state.
	State json.RawMessage `json:"state"`
}

// TokenAccount returns the parsed data of a token account. It fails for other
// accounts and for data that a node did not parse.
func (d *Data) TokenAccount() (*TokenInfo, error) {
	info, err := view[TokenInfo](d, "spl-token", "account")
	if err != nil {
		type numbered struct {
			TokenInfo
			DelegatedAmount uint64 `json:"delegatedAmount"` // as some services send it
		}
		bare, again := view[numbered](d, "spl-token", "account")
		if again != nil {
			return nil, err
		}
		info = &bare.TokenInfo
		info.DelegatedAmount = types.TokenAmount{RawAmount: bare.DelegatedAmount, Decimals: info.TokenAmount.Decimals}
	}
	if info.TokenAmount.RawAmount == 0 || info.TokenAmount.Decimals == 0 { // or missing, which is rare
		type amountOnly struct {
			TokenAmount struct {
				RawAmount *uint64 `json:"amount,string" required:"true"`
				Decimals  *uint8  `json:"decimals" required:"true"`
			} `json:"tokenAmount" required:"true"`
		}
		if _, err := view[amountOnly](d, "spl-token", "account"); err != nil {
			return nil, err
		}
	}
	info.Extensions.clean()
	return info, nil
}
