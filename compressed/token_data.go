package compressed

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/types"
)

// TokenData describes the tokens in a compressed account.
type TokenData struct {
	Mint  types.Address `json:"mint"`  // the token; [types.WrappedSOL] for wrapped SOL
	Owner types.Address `json:"owner"` // the wallet

	// RawAmount is in the smallest unit of the token; the decimals are in the mint account.
	// Wire name: amount.
	RawAmount uint64 `json:"amount" required:"true"`

	// Delegate may spend from the account; empty if there is none. The service
	// does not say how much.
	Delegate types.Address    `json:"delegate"`
	State    types.TokenState `json:"state"` // such as [types.TokenStateFrozen]
	TLV      []byte           `json:"tlv"`   // data of token extensions; nil if there is none
}

// The discriminators of the three versions of token accounts.
const (
	tokenV1 = 2
	tokenV2 = 3 << 56
	tokenV3 = 4 << 56
)

// ParseTokenData returns the tokens in an account of the compressed token program. Use it with
// methods that return accounts without token data, such as [Client.Account]. It fails for other
// accounts. The account must have all its data: use no DataSlice.
func ParseTokenData(a *Account) (*TokenData, error) {
	data, err := parseTokenData(a)
	if err != nil {
		return nil, fmt.Errorf("compressed.ParseTokenData: %w", err)
	}
	return data, nil
}

func parseTokenData(a *Account) (*TokenData, error) {
	switch {
	case a == nil || a.Data == nil:
		return nil, errors.New("account has no data")
	case a.Owner != types.CompressedTokenProgram:
		return nil, errors.New("account does not belong to the compressed token program")
	case !slices.Contains([]uint64{tokenV1, tokenV2, tokenV3}, a.Data.Discriminator):
		return nil, fmt.Errorf("discriminator %d does not belong to a token account", a.Data.Discriminator)
	}
	var err error
	rest := a.Data.Bytes
	next := func(n int) []byte { // zeros after an error
		if len(rest) < n {
			err, rest = cmp.Or(err, errors.New("data ends early")), nil
			return make([]byte, n)
		}
		b := rest[:n]
		rest = rest[n:]
		return b
	}
	flag := func(name string) bool {
		b := next(1)[0]
		if b > 1 {
			err = cmp.Or(err, fmt.Errorf("%s is %d, not 0 or 1", name, b))
		}
		return b == 1
	}
	address := func() types.Address { return types.Address(base58.Encode(next(32))) }
	data := &TokenData{Mint: address(), Owner: address(), RawAmount: binary.LittleEndian.Uint64(next(8)), State: types.TokenStateInitialized}
	if flag("the option of a delegate") {
		data.Delegate = address()
	}
	if flag("the state") {
		data.State = types.TokenStateFrozen
	}
	if flag("the option of extensions") {
		data.TLV = append([]byte{}, rest...)
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}
