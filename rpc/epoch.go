package rpc

import (
	"math"

	"github.com/solwire/solwire-go/internal/decode"
)

// An Epoch is the epoch in which the rent of an account is due; 0 also when the service
// omits it.
type Epoch uint64

// NoRent is the rent epoch of a rent-exempt account.
const NoRent Epoch = math.MaxUint64

// UnmarshalJSON decodes a whole number. Some proxies round [NoRent] up to
// 18446744073709552000 or 1.8446744073709552e19, which become NoRent. Null becomes 0.
func (e *Epoch) UnmarshalJSON(b []byte) error { return (*decode.Uint64)(e).UnmarshalJSON(b) }
