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

var opBalanceAt = transport.Op{Method: "wallet.Client.BalanceAt", Wire: "GET /v1/wallet/{wallet}/balance-at"}

// A Moment is a slot or a time in the past. Make it with [AtSlot] or [AtTime]; the zero Moment
// is invalid.
type Moment struct{ parameter, value string }

// AtSlot returns the end of a slot. It is exact, unlike a time.
func AtSlot(slot uint64) Moment { return Moment{"slot", strconv.FormatUint(slot, 10)} }

// AtTime returns a time, cut to whole seconds. Block times are estimates and may be off by
// seconds: use [AtSlot] if you know the slot.
func AtTime(t time.Time) Moment { return Moment{"time", strconv.FormatInt(t.Unix(), 10)} }

func (m Moment) check() error {
	switch {
	case m.parameter == "":
		return argument.Invalid("at", "is the zero Moment; make it with AtSlot or AtTime")
	case strings.HasPrefix(m.value, "-"):
		return argument.Invalid("at Unix time "+m.value, "is before 1970")
	}
	return nil
}

// A PastBalance is the balance of one token in a wallet at a [Moment].
type PastBalance struct {
	Wallet types.Address `json:"wallet"` // as requested

	// Mint is the token, as requested: [types.NativeSOLMint] is native SOL,
	// [types.WrappedSOL] is wrapped SOL.
	Mint     types.Address `json:"mint"`
	IsNative bool          `json:"isNative"` // whether Mint is native SOL

	Amount    decimal.Decimal `json:"balance" required:"true"` // in whole tokens. Wire name: balance
	RawAmount uint64          `json:"balanceRaw,string"`       // smallest unit. Wire name: balanceRaw
	Decimals  uint8           `json:"decimals"`                // digits after the decimal point

	Requested Requested `json:"requested"` // the moment, as requested

	// AsOf is the last transaction of the wallet with the token, up to the moment; nil if
	// there was none.
	AsOf *AsOf `json:"asOf"`
}

// Requested is the moment of a request, as the service understood it.
type Requested struct {
	Time     types.Time `json:"time"`     // zero if a slot was requested
	Slot     uint64     `json:"slot"`     // 0 if a time was requested
	DateTime string     `json:"datetime"` // Time as text; may be empty
}

// AsOf is the last transaction that a [PastBalance] includes.
type AsOf struct {
	Slot      uint64          `json:"slot"`      // of the transaction
	Signature types.Signature `json:"signature"` // of the transaction
	BlockTime types.Time      `json:"blockTime"` // zero if unknown
}

// BalanceAt returns the balance of one token in wallet at a moment: the sum of all its accounts
// of that token. It is 0 if there was no transaction with the token until then. Native SOL is
// [types.NativeSOLMint]. Unlike in Balances, [types.WrappedSOL] is wrapped SOL only. It costs 100
// credits.
//
// REST: GET /v1/wallet/{wallet}/balance-at.
func (c *Client) BalanceAt(ctx context.Context, wallet, mint types.Address, at Moment) (*PastBalance, error) {
	query := url.Values{"mint": {string(mint)}, at.parameter: {at.value}}
	return transport.Fetch(ctx, c.api, request(opBalanceAt, wallet, query, checkMint(mint), at.check()), func(b *PastBalance) error {
		return needsRaw("balanceRaw", b.RawAmount, b.Amount)
	})
}

// checkMint refuses an invalid address. The name of native SOL in a history gets a hint.
func checkMint(mint types.Address) error {
	if mint == types.SOL {
		return argument.Invalid(`mint "SOL"`, "is not an address; native SOL is types.NativeSOLMint here")
	}
	return checkWallet("mint", mint)
}
