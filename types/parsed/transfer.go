package parsed

import (
	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/types"
)

// A NativeTransfer moves SOL.
type NativeTransfer struct {
	FromUserAccount types.Address `json:"fromUserAccount"`        // may be empty
	ToUserAccount   types.Address `json:"toUserAccount"`          // may be empty
	Lamports        uint64        `json:"amount" required:"true"` // wire name: amount
}

// Amount returns the amount in SOL.
func (n NativeTransfer) Amount() decimal.Decimal { return types.Amount(n.Lamports, solDecimals) }

const solDecimals = 9

// A TokenTransfer moves tokens. Minting has no sender, and burning has no receiver: the accounts of
// that side are empty.
type TokenTransfer struct {
	FromUserAccount  types.Address `json:"fromUserAccount"`  // the sending wallet
	ToUserAccount    types.Address `json:"toUserAccount"`    // the receiving wallet
	FromTokenAccount types.Address `json:"fromTokenAccount"` // the sending token account
	ToTokenAccount   types.Address `json:"toTokenAccount"`   // the receiving token account

	// RawAmount is in the smallest unit. Wire name: rawTokenAmount.
	RawAmount uint64 `json:"rawTokenAmount" required:"true"`

	Decimals      uint8               `json:"decimals"`      // digits after the decimal point
	TokenStandard types.TokenStandard `json:"tokenStandard"` // empty when unknown
	Mint          types.Address       `json:"mint"`          // of the token
}

// Amount returns the amount in whole tokens. It does not consider the interest or the
// scale of a token.
func (t TokenTransfer) Amount() decimal.Decimal { return types.Amount(t.RawAmount, t.Decimals) }
