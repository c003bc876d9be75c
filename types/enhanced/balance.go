package enhanced

import (
	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
)

// AccountData has the changes of one account in a transaction.
type AccountData struct {
	Account             types.Address        `json:"account"`             // of any kind
	NativeBalanceChange int64                `json:"nativeBalanceChange"` // lamports, signed
	TokenBalanceChanges []TokenBalanceChange `json:"tokenBalanceChanges"` // may be empty
}

// A NativeBalanceChange is an amount of SOL that an account paid or received in
// a swap.
type NativeBalanceChange struct {
	Account  types.Address `json:"account"`                // the wallet
	Lamports uint64        `json:"amount" required:"true"` // wire name: amount
}

// UnmarshalJSON accepts an amount that is a string or a number.
func (n *NativeBalanceChange) UnmarshalJSON(b []byte) error {
	type plain NativeBalanceChange // without this method
	wire := struct {
		*plain
		Amount decode.Uint64 `json:"amount"`
	}{plain: (*plain)(n)}
	err := decode.Value(b, &wire)
	n.Lamports = uint64(wire.Amount)
	return err
}

// A TokenBalanceChange is the amount of a token that a wallet gained, or lost if
// it is negative. In a [SwapEvent] it is an input or output and not negative.
type TokenBalanceChange struct {
	UserAccount    types.Address  `json:"userAccount"`    // the wallet
	TokenAccount   types.Address  `json:"tokenAccount"`   // of the wallet, for this token
	Mint           types.Address  `json:"mint"`           // of the token
	RawTokenAmount RawTokenAmount `json:"rawTokenAmount"` // exact
}

// A RawTokenAmount is an exact, signed amount of a token.
type RawTokenAmount struct {
	Amount   decimal.Decimal `json:"tokenAmount" required:"true"` // in the smallest unit
	Decimals uint8           `json:"decimals" required:"true"`    // digits after the decimal point
}

// Tokens returns the amount in whole tokens.
func (a RawTokenAmount) Tokens() decimal.Decimal { return a.Amount.Shift(-int32(a.Decimals)) }
