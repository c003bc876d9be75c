package rpc

import (
	"encoding/json"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
)

// MintInfo is the parsed data of a mint.
type MintInfo struct {
	RawSupply       uint64        `json:"supply,string"` // in the smallest unit. Wire name: supply
	Decimals        uint8         `json:"decimals"`
	IsInitialized   bool          `json:"isInitialized"`
	MintAuthority   types.Address `json:"mintAuthority"`   // empty when the supply is fixed
	FreezeAuthority types.Address `json:"freezeAuthority"` // empty when accounts cannot be frozen

	// Extensions are the extensions of a Token-2022 mint; nil without any.
	Extensions Extensions `json:"extensions"`
}

// Supply returns how many whole tokens exist. It does not consider interest or a
// scale; [Client.TokenSupply] does.
func (m *MintInfo) Supply() decimal.Decimal {
	return types.Amount(m.RawSupply, m.Decimals)
}

// Mint returns the parsed data of a mint. It fails for other accounts and for data
// that a node did not parse.
func (d *Data) Mint() (*MintInfo, error) {
	info, err := view[MintInfo](d, "spl-token", "mint")
	if err != nil {
		return nil, err
	}
	info.Extensions.clean()
	return info, nil
}

// Extensions are the extensions of a Token-2022 account or mint. Methods such as
// [Extensions.TransferFeeConfig] return the state of one, and false without it.
type Extensions []Extension

// clean makes the state of extensions without state nil.
func (e Extensions) clean() {
	for i := range e {
		e[i].State = decode.Present(e[i].State)
	}
}

// Has reports whether there is an extension of this name, such as nonTransferable.
func (e Extensions) Has(name string) bool {
	return slices.ContainsFunc(e, func(x Extension) bool { return x.Name == name })
}

// State returns the state of an extension as the node sent it; nil without it.
func (e Extensions) State(name string) json.RawMessage {
	for _, x := range e {
		if x.Name == name {
			return x.State
		}
	}
	return nil
}

// state decodes the state of an extension.
func state[T any](e Extensions, name string) (T, bool) {
	var v T
	raw := e.State(name)
	ok := raw != nil && decode.Value(raw, &v) == nil
	if !ok {
		var none T
		return none, false
	}
	return v, true
}

// A TransferFee is a fee on transfers of a token.
type TransferFee struct {
	Epoch       uint64 `json:"epoch"`                  // from which it applies
	BasisPoints uint16 `json:"transferFeeBasisPoints"` // hundredths of a percent of the amount

	// RawMaximumFee is the most that a transfer costs, in the smallest unit. Wire name:
	// maximumFee.
	RawMaximumFee uint64 `json:"maximumFee"`
}

// RawFee returns the fee for an amount, rounded up, in the smallest unit.
func (f TransferFee) RawFee(rawAmount uint64) uint64 {
	if f.BasisPoints == 0 || rawAmount == 0 {
		return 0
	}
	// The quotient and the remainder by 10 000 keep the product within 64 bits.
	points := uint64(min(f.BasisPoints, 10_000))
	fee := rawAmount/10_000*points + (rawAmount%10_000*points+9_999)/10_000
	return min(fee, f.RawMaximumFee)
}

// TransferFeeConfig is the fee on transfers of a mint.
type TransferFeeConfig struct {
	// Authority may change the fee; empty for none.
	Authority types.Address `json:"transferFeeConfigAuthority"`

	// WithdrawAuthority may withdraw withheld fees; empty for none.
	WithdrawAuthority types.Address `json:"withdrawWithheldAuthority"`

	// RawWithheld is what is withheld in the mint, in the smallest unit. Wire name:
	// withheldAmount.
	RawWithheld uint64 `json:"withheldAmount"`

	Older TransferFee `json:"olderTransferFee"` // applies before the epoch of Newer
	Newer TransferFee `json:"newerTransferFee"`
}

// At returns the fee in an epoch.
func (c *TransferFeeConfig) At(epoch uint64) TransferFee {
	if epoch >= c.Newer.Epoch {
		return c.Newer
	}
	return c.Older
}

// TransferFeeConfig returns the fee on transfers of a mint.
func (e Extensions) TransferFeeConfig() (TransferFeeConfig, bool) {
	return state[TransferFeeConfig](e, "transferFeeConfig")
}

// TransferFeeAmount returns the fees withheld in a token account, in the smallest unit.
func (e Extensions) TransferFeeAmount() (rawWithheld uint64, ok bool) {
	v, ok := state[struct {
		RawWithheld uint64 `json:"withheldAmount"`
	}](e, "transferFeeAmount")
	return v.RawWithheld, ok
}

// A MetadataPointer says where the metadata of a mint is.
type MetadataPointer struct {
	Authority types.Address `json:"authority"`       // may change the pointer; empty for none
	Address   types.Address `json:"metadataAddress"` // often the mint itself
}

// MetadataPointer returns where the metadata of a mint is.
func (e Extensions) MetadataPointer() (MetadataPointer, bool) {
	return state[MetadataPointer](e, "metadataPointer")
}

// TokenMetadata is the metadata of a mint. Its texts are chosen by its creator.
type TokenMetadata struct {
	Mint   types.Address `json:"mint"`
	Name   string        `json:"name"`
	Symbol string        `json:"symbol"`

	// URI is the link to a JSON document, often with an image.
	URI string `json:"uri"`

	UpdateAuthority types.Address `json:"updateAuthority"`    // empty for none
	Additional      [][2]string   `json:"additionalMetadata"` // names and values
}

// TokenMetadata returns the metadata in a mint.
func (e Extensions) TokenMetadata() (TokenMetadata, bool) {
	return state[TokenMetadata](e, "tokenMetadata")
}

// InterestBearingConfig is the interest of a mint, which affects UI amounts only.
type InterestBearingConfig struct {
	// RateAuthority may change the rate; empty for none.
	RateAuthority types.Address `json:"rateAuthority"`

	CurrentRate int16 `json:"currentRate"` // basis points a year

	// PreUpdateAverageRate is the average until LastUpdate, in basis points a year.
	PreUpdateAverageRate int16 `json:"preUpdateAverageRate"`

	// Initialized is when interest starts. Wire name: initializationTimestamp.
	Initialized types.Time `json:"initializationTimestamp"`

	LastUpdate types.Time `json:"lastUpdateTimestamp"` // when the rate last changed
}

// InterestBearingConfig returns the interest of a mint.
func (e Extensions) InterestBearingConfig() (InterestBearingConfig, bool) {
	return state[InterestBearingConfig](e, "interestBearingConfig")
}

// ScaledUIAmountConfig is the factor of the UI amounts of a mint.
type ScaledUIAmountConfig struct {
	// Authority may change the factor; empty for none.
	Authority types.Address `json:"authority"`

	Multiplier string `json:"multiplier"` // a number, up to 1e308

	// NewMultiplier replaces Multiplier from Effective on.
	NewMultiplier string `json:"newMultiplier"`

	Effective types.Time `json:"newMultiplierEffectiveTimestamp"` // when NewMultiplier applies
}

// ScaledUIAmountConfig returns the factor of the UI amounts of a mint.
func (e Extensions) ScaledUIAmountConfig() (ScaledUIAmountConfig, bool) {
	return state[ScaledUIAmountConfig](e, "scaledUiAmountConfig")
}

// PermanentDelegate returns who may move and burn all tokens of a mint.
func (e Extensions) PermanentDelegate() (types.Address, bool) {
	v, ok := state[struct {
		Delegate types.Address `json:"delegate"`
	}](e, "permanentDelegate")
	return v.Delegate, ok && v.Delegate != ""
}

// MintCloseAuthority returns who may close a mint.
func (e Extensions) MintCloseAuthority() (types.Address, bool) {
	v, ok := state[struct {
		Authority types.Address `json:"closeAuthority"`
	}](e, "mintCloseAuthority")
	return v.Authority, ok && v.Authority != ""
}

// DefaultAccountState returns the state of new token accounts of a mint.
func (e Extensions) DefaultAccountState() (types.TokenState, bool) {
	v, ok := state[struct {
		State types.TokenState `json:"accountState"`
	}](e, "defaultAccountState")
	return v.State, ok
}

// A TransferHook is a program that is called by every transfer of a token.
type TransferHook struct {
	Authority types.Address `json:"authority"` // may change the program; empty for none
	ProgramID types.Address `json:"programId"` // empty for none
}

// TransferHook returns the program that transfers of a token call.
func (e Extensions) TransferHook() (TransferHook, bool) {
	return state[TransferHook](e, "transferHook")
}

// Paused reports whether all movements of the tokens of a mint are paused; ok is false
// for a mint that cannot be paused.
func (e Extensions) Paused() (paused, ok bool) {
	v, ok := state[struct {
		Paused bool `json:"paused"`
	}](e, "pausableConfig")
	return v.Paused, ok
}
