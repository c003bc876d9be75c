package enhanced

import (
	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
)

// Events are the details of the transaction types that the service parses
// further. Most transactions have none of them.
type Events struct {
	NFT          *NFTEvent            `json:"nft"`          // nil if absent
	Swap         *SwapEvent           `json:"swap"`         // nil if absent
	Compressed   []CompressedNFTEvent `json:"compressed"`   // sent as a list or one object
	SetAuthority []SetAuthorityEvent  `json:"setAuthority"` // sent as a list or one object

	// DistributeCompressionRewards is nil if absent.
	DistributeCompressionRewards *CompressionRewards `json:"distributeCompressionRewards"`
}

// UnmarshalJSON accepts Compressed and SetAuthority as a list or as one object.
func (e *Events) UnmarshalJSON(b []byte) error {
	type plain Events // without this method
	wire := struct {
		*plain
		Compressed   oneOrMore[CompressedNFTEvent] `json:"compressed"`
		SetAuthority oneOrMore[SetAuthorityEvent]  `json:"setAuthority"`
	}{plain: (*plain)(e)}
	err := decode.Value(b, &wire)
	e.Compressed, e.SetAuthority = wire.Compressed, wire.SetAuthority
	return err
}

// oneOrMore is a list that may be sent as its only element.
type oneOrMore[T any] []T

func (l *oneOrMore[T]) UnmarshalJSON(b []byte) error {
	if len(b) == 0 || b[0] != '{' {
		return decode.Value(b, (*[]T)(l))
	}
	var one T
	err := decode.Value(b, &one)
	*l = []T{one}
	return err
}

// A SetAuthorityEvent changes the authority of an account.
type SetAuthorityEvent struct {
	Account               types.Address `json:"account"`               // whose authority changed
	From                  types.Address `json:"from"`                  // the old authority
	To                    types.Address `json:"to"`                    // the new one; may be empty
	InstructionIndex      *int          `json:"instructionIndex"`      // nil when unknown
	InnerInstructionIndex *int          `json:"innerInstructionIndex"` // nil if not an inner one
}
