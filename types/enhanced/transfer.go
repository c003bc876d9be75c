package enhanced

import (
	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
)

// A NativeTransfer moves SOL.
type NativeTransfer struct {
	FromUserAccount types.Address `json:"fromUserAccount"`        // may be empty
	ToUserAccount   types.Address `json:"toUserAccount"`          // may be empty
	Lamports        uint64        `json:"amount" required:"true"` // wire name: amount
}

// UnmarshalJSON accepts an amount that is a string or a number.
func (n *NativeTransfer) UnmarshalJSON(b []byte) error {
	type plain NativeTransfer // without this method
	wire := struct {
		*plain
		Amount decode.Uint64 `json:"amount"`
	}{plain: (*plain)(n)}
	err := decode.Value(b, &wire)
	n.Lamports = uint64(wire.Amount)
	return err
}

// A TokenTransfer moves tokens. Minting has no sender, and burning has no receiver: the accounts of
// that side are empty.
type TokenTransfer struct {
	FromUserAccount  types.Address `json:"fromUserAccount"`  // the sending wallet
	ToUserAccount    types.Address `json:"toUserAccount"`    // the receiving wallet
	FromTokenAccount types.Address `json:"fromTokenAccount"` // the sending token account
	ToTokenAccount   types.Address `json:"toTokenAccount"`   // the receiving token account

	// Amount is in whole tokens and may be rounded by the service. Exact amounts
	// are in [TokenBalanceChange].
	Amount decimal.Decimal `json:"tokenAmount" required:"true"`

	Mint          types.Address       `json:"mint"`          // of the token
	TokenStandard types.TokenStandard `json:"tokenStandard"` // empty when unknown
	Decimals      *uint8              `json:"decimals"`      // nil when unknown, which is usual
}
