package rpc

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
)

// MintInfo is the parsed data of a mint.
type MintInfo struct {
	RawSupply       uint64        `json:"supply,string" required:"true"` // in the smallest unit
	Decimals        uint8         `json:"decimals" required:"true"`
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
// [Extensions.TransferFeeConfig] return the state of one, and nil without it. They fail if it
// could not be read. If the node could not parse the extensions, Has("unparseableExtension") is
// true, and the account may have extensions that are not listed.
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

// errUnparseable says that a node could not read the extensions of an account.
var errUnparseable = errors.New("the node could not parse the extensions of the account; request EncodingBase64 to read its bytes")

// state decodes the state of an extension; nil without it.
func state[T any](e Extensions, name string) (*T, error) {
	raw := e.State(name)
	v := new(T)
	var err error
	switch {
	case raw != nil:
		v, err = parsed[T](raw)
	case e.Has(name):
		err = errors.New("has no state")
	case e.Has("unparseableExtension"), e.Has(""): // which may hide this one
		err = errUnparseable
	default:
		return nil, nil //nolint:nilnil // there is none
	}
	if err != nil {
		return nil, fmt.Errorf("extension %s: %w", name, err)
	}
	return v, nil
}

// A TransferFee is a fee on transfers of a token.
type TransferFee struct {
	Epoch       uint64 `json:"epoch" required:"true"`                  // the first in which it applies
	BasisPoints uint16 `json:"transferFeeBasisPoints" required:"true"` // hundredths of a percent of the amount

	// RawMaximumFee is the most that a transfer costs, in the smallest unit. Wire name:
	// maximumFee.
	RawMaximumFee uint64 `json:"maximumFee" required:"true"`
}

// UnmarshalJSON accepts numbers in any notation, and the maximum fee as JavaScript rounds it.
func (f *TransferFee) UnmarshalJSON(b []byte) error {
	type plain TransferFee // without this method
	in := struct {
		*plain
		Epoch         decode.Uint64 `json:"epoch"`
		RawMaximumFee decode.Uint64 `json:"maximumFee"`
	}{plain: (*plain)(f)}
	err := decode.Value(b, &in)
	f.Epoch, f.RawMaximumFee = uint64(in.Epoch), uint64(in.RawMaximumFee)
	return err
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

	// RawWithheld is the amount withheld in the mint, in the smallest unit. Wire name:
	// withheldAmount.
	RawWithheld uint64 `json:"withheldAmount" required:"true"`

	Older TransferFee `json:"olderTransferFee" required:"true"` // applies before the epoch of Newer
	Newer TransferFee `json:"newerTransferFee" required:"true"`
}

// UnmarshalJSON accepts an amount in any notation.
func (c *TransferFeeConfig) UnmarshalJSON(b []byte) error {
	type plain TransferFeeConfig // without this method
	in := struct {
		*plain
		RawWithheld decode.Uint64 `json:"withheldAmount"`
	}{plain: (*plain)(c)}
	err := decode.Value(b, &in)
	c.RawWithheld = uint64(in.RawWithheld)
	return err
}

// At returns the fee in an epoch.
func (c *TransferFeeConfig) At(epoch uint64) TransferFee {
	if epoch >= c.Newer.Epoch {
		return c.Newer
	}
	return c.Older
}

// TransferFeeConfig returns the fee on transfers of a mint; nil when it takes none.
func (e Extensions) TransferFeeConfig() (*TransferFeeConfig, error) {
	return state[TransferFeeConfig](e, "transferFeeConfig")
}

// TransferFeeAmount returns the fees withheld in a token account, in the smallest unit; 0 for
// an account of a mint without fees.
func (e Extensions) TransferFeeAmount() (rawWithheld uint64, err error) {
	v, err := state[struct {
		RawWithheld decode.Uint64 `json:"withheldAmount" required:"true"`
	}](e, "transferFeeAmount")
	if v == nil {
		return 0, err
	}
	return uint64(v.RawWithheld), nil
}

// A MetadataPointer says where the metadata of a mint is.
type MetadataPointer struct {
	Authority types.Address `json:"authority"`       // may change the pointer; empty for none
	Address   types.Address `json:"metadataAddress"` // often the mint itself
}

// MetadataPointer returns where the metadata of a mint is; nil when the mint does not say.
func (e Extensions) MetadataPointer() (*MetadataPointer, error) {
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

// TokenMetadata returns the metadata in a mint; nil without any.
func (e Extensions) TokenMetadata() (*TokenMetadata, error) {
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

// InterestBearingConfig returns the interest of a mint; nil without interest.
func (e Extensions) InterestBearingConfig() (*InterestBearingConfig, error) {
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

// ScaledUIAmountConfig returns the factor of the UI amounts of a mint; nil without one.
func (e Extensions) ScaledUIAmountConfig() (*ScaledUIAmountConfig, error) {
	return state[ScaledUIAmountConfig](e, "scaledUiAmountConfig")
}

// PermanentDelegate returns the address that may move and burn all tokens of a mint; empty
// for none.
func (e Extensions) PermanentDelegate() (types.Address, error) {
	v, err := state[struct {
		Delegate types.Address `json:"delegate" required:"nullable"`
	}](e, "permanentDelegate")
	if v == nil {
		return "", err
	}
	return v.Delegate, nil
}

// MintCloseAuthority returns the address that may close a mint; empty for none.
func (e Extensions) MintCloseAuthority() (types.Address, error) {
	v, err := state[struct {
		Authority types.Address `json:"closeAuthority" required:"nullable"`
	}](e, "mintCloseAuthority")
	if v == nil {
		return "", err
	}
	return v.Authority, nil
}

// DefaultAccountState returns the state of new token accounts of a mint; empty when the mint
// does not set it, which means initialized.
func (e Extensions) DefaultAccountState() (types.TokenState, error) {
	v, err := state[struct {
		State types.TokenState `json:"accountState" required:"true"`
	}](e, "defaultAccountState")
	if v == nil {
		return "", err
	}
	return v.State, nil
}

// A TransferHook is a program that is called by every transfer of a token.
type TransferHook struct {
	Authority types.Address `json:"authority"` // may change the program; empty for none
	ProgramID types.Address `json:"programId"` // empty for none
}

// TransferHook returns the program that each transfer of a token calls; nil if the mint cannot have
// one.
func (e Extensions) TransferHook() (*TransferHook, error) {
	return state[TransferHook](e, "transferHook")
}

// Paused reports whether all movements of the tokens of a mint are paused; false for a mint
// that cannot be paused.
func (e Extensions) Paused() (bool, error) {
	v, err := state[struct {
		Paused bool `json:"paused" required:"true"`
	}](e, "pausableConfig")
	if v == nil {
		return false, err
	}
	return v.Paused, nil
}
