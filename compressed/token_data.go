package compressed

import (
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

	// RawAmount is in the smallest unit of the token; the mint has its decimals.
	// Wire name: amount.
	RawAmount uint64 `json:"amount"`

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

// ParseTokenData returns the tokens in an account of the compressed token program, for
// methods that return accounts without token data, such as [Client.Account]. It needs
// all data of the account, and fails for other accounts.
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
	r := reader{a.Data.Bytes, nil}
	data := &TokenData{
		Mint:      r.address(),
		Owner:     r.address(),
		RawAmount: binary.LittleEndian.Uint64(r.next(8)),
	}
	if r.flag() {
		data.Delegate = r.address()
	}
	switch state := r.next(1)[0]; state {
	case 0:
		data.State = types.TokenStateInitialized
	case 1:
		data.State = types.TokenStateFrozen
	default:
		r.fail(fmt.Errorf("unknown state %d", state))
	}
	if r.flag() {
		data.TLV = append([]byte{}, r.rest...)
	}
	if r.err != nil {
		return nil, r.err
	}
	return data, nil
}

// A reader reads values one after another. After an error it returns zeros.
type reader struct {
	rest []byte
	err  error
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *reader) next(n int) []byte {
	if r.err != nil || len(r.rest) < n {
		r.fail(errors.New("data ends early"))
		return make([]byte, n)
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) address() types.Address { return types.Address(base58.Encode(r.next(32))) }

// flag reads whether an optional value follows.
func (r *reader) flag() bool {
	b := r.next(1)[0]
	if b > 1 {
		r.fail(fmt.Errorf("option has tag %d, not 0 or 1", b))
	}
	return b == 1
}
