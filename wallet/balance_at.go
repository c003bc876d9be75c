package wallet

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A Moment is a point in the history of a wallet. Make one with [AtSlot] or
// [AtTime]; the zero Moment is none.
type Moment struct{ name, value string }

// AtSlot is the end of a slot. It is exact, and the same whenever it is asked
// for.
func AtSlot(slot uint64) Moment { return Moment{"slot", strconv.FormatUint(slot, 10)} }

// AtTime is the second that t lies in, from 1970 on. The times of blocks are
// estimates of some seconds, so that [AtSlot] is better where a slot is known.
func AtTime(t time.Time) Moment { return Moment{"time", strconv.FormatInt(t.Unix(), 10)} }

func (m Moment) check() error {
	switch {
	case m.name == "":
		return argument.Invalid("at", "no moment; use AtSlot or AtTime")
	case strings.HasPrefix(m.value, "-"):
		return argument.Invalid("at", "before 1970")
	}
	return nil
}

// A PastBalance is how much of one token a wallet held at a moment.
type PastBalance struct {
	Wallet types.Address `json:"wallet"` // as asked
	// Mint is the token, as asked: [types.NativeSOLMint] is native SOL, and
	// [types.WrappedSOL] is wrapped SOL only.
	Mint      types.Address   `json:"mint"`
	IsNative  bool            `json:"isNative"`          // whether it is native SOL
	Amount    decimal.Decimal `json:"balance"`           // in whole tokens, over all accounts of the wallet
	AmountRaw uint64          `json:"balanceRaw,string"` // in the smallest unit
	Decimals  int             `json:"decimals"`          // digits after the point: the smallest unit is 10^-Decimals of a token
	Requested Requested       `json:"requested"`         // the moment, as asked
	AsOf      *AsOf           `json:"asOf"`              // where the balance is from; nil when nothing had happened to it until then
}

// Requested is the moment that was asked for, as the service understood it.
type Requested struct {
	Time     types.Time `json:"time"`     // zero when a slot was asked for
	Slot     uint64     `json:"slot"`     // 0 when a time was asked for, or slot 0
	DateTime string     `json:"datetime"` // mostly empty, as this client asks by slot or time only
}

// AsOf is the last transaction that touched a balance.
type AsOf struct {
	Slot      uint64          `json:"slot"`      // that it is in
	Signature types.Signature `json:"signature"` // that names it
	BlockTime types.Time      `json:"blockTime"` // of its block; zero when unknown
}

// BalanceAt returns how much of the token mint wallet held at a moment. For
// native SOL, mint is [types.NativeSOLMint]; [types.WrappedSOL] asks for wrapped
// SOL. It costs 100 credits.
//
// A wallet that had nothing to do with the token until then has a balance of 0
// without AsOf, which is no error. A wallet or mint that is no address, the zero
// Moment and a time before 1970 are refused with [types.ErrInvalid] before
// anything is sent. A raw amount beyond the uint64 range is an error.
//
// REST: GET /v1/wallet/{wallet}/balance-at.
func (c *Client) BalanceAt(ctx context.Context, wallet, mint types.Address, at Moment) (*PastBalance, error) {
	if err := argument.Address("wallet", wallet); err != nil {
		return nil, err
	}
	if mint == types.SOL { // as a history has it
		return nil, argument.Invalid("mint", "native SOL is types.NativeSOLMint here")
	}
	if err := argument.Address("mint", mint); err != nil {
		return nil, err
	}
	if err := at.check(); err != nil {
		return nil, err
	}
	query := url.Values{"mint": {string(mint)}, at.name: {at.value}}
	path := walletPath(wallet, "balance-at")
	var balance PastBalance
	if err := c.api.Get(ctx, path, query, &balance); err != nil {
		return nil, err
	}
	if balance.Amount == (decimal.Decimal{}) { // none came: that of a 0 is another one
		return nil, transport.NoList("GET "+path, "balance")
	}
	return &balance, nil
}
