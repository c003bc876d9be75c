package enhanced

import (
	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
)

// A NativeTransfer moves SOL.
type NativeTransfer struct {
	FromUserAccount types.Address `json:"fromUserAccount"` // may be empty
	ToUserAccount   types.Address `json:"toUserAccount"`   // may be empty
	Lamports        uint64        `json:"amount"`          // wire name: amount
}

// UnmarshalJSON accepts an amount that is a string or a number, and fails without it.
func (n *NativeTransfer) UnmarshalJSON(b []byte) error {
	type plain NativeTransfer // without this method
	wire := struct {
		*plain
		Amount *decode.Uint64 `json:"amount"`
	}{(*plain)(n), nil}
	return lamports(&n.Lamports, decode.Value(b, &wire), wire.Amount)
}

// lamports sets an amount that is required.
func lamports(to *uint64, err error, amount *decode.Uint64) error {
	switch {
	case err != nil:
		return err
	case amount == nil:
		return decode.MissingError{Member: "amount"}
	}
	*to = uint64(*amount)
	return nil
}

// A TokenTransfer moves tokens. The accounts of a side that does not exist are
// empty, as when tokens are minted or burned.
type TokenTransfer struct {
	FromUserAccount  types.Address `json:"fromUserAccount"`  // the sending wallet
	ToUserAccount    types.Address `json:"toUserAccount"`    // the receiving wallet
	FromTokenAccount types.Address `json:"fromTokenAccount"` // the sending token account
	ToTokenAccount   types.Address `json:"toTokenAccount"`   // the receiving token account

	// Amount is in whole tokens and may be rounded by the service. Exact amounts
	// are in [TokenBalanceChange].
	Amount decimal.Decimal `json:"tokenAmount"`

	Mint          types.Address       `json:"mint"`          // of the token
	TokenStandard types.TokenStandard `json:"tokenStandard"` // empty when unknown
	Decimals      *uint8              `json:"decimals"`      // nil when unknown, which is usual
}
