package wallet

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var opBalances = transport.Op{Method: "wallet.Client.Balances", Wire: "GET /v1/wallet/{wallet}/balances"}

// BalancesOptions are the options of [Client.Balances]. The zero value, like nil,
// means the first page of native SOL and all tokens with a balance, without NFTs.
type BalancesOptions struct {
	// Limit is at most 100, and 0 means 100. Resume a Cursor with the same Limit.
	types.PageOptions

	ShowZeroBalance bool // includes tokens with a balance of 0
	HideNative      bool // leaves out native SOL. Wire name: showNative
	ShowNFTs        bool // includes up to 100 NFTs, on the first page only
}

func (o *BalancesOptions) query(cursor string) url.Values {
	q := url.Values{}
	set(q, "page", cursor)
	set(q, "limit", o.Limit)
	set(q, "showZeroBalance", o.ShowZeroBalance)
	if o.HideNative { // shown by default
		q.Set("showNative", "false")
	}
	set(q, "showNfts", o.ShowNFTs)
	return q
}

// A BalancePage is one page of the balances of a wallet.
type BalancePage struct {
	types.Page[Balance] // native SOL first, then by value; may be empty

	NFTs []types.NFT `json:"nfts"` // nil without ShowNFTs and after the first page

	// TotalUSDValue is the value of the items of this page that have a price, in
	// US dollars. It is not the value of the wallet.
	TotalUSDValue decimal.Decimal `json:"totalUsdValue"`
}

// A Balance is the balance of one token in a wallet.
type Balance struct {
	// Mint is the token. [types.WrappedSOL] stands for native SOL, which comes first, and
	// for wrapped SOL. A wallet can have one balance of each. With HideNative, it is wrapped
	// SOL only.
	Mint types.Address `json:"mint"`

	Symbol string `json:"symbol"` // chosen by the token's creator; may be empty
	Name   string `json:"name"`   // chosen by the token's creator; may be empty

	Amount   decimal.Decimal `json:"balance" required:"true"` // in whole tokens. Wire name: balance
	Decimals uint8           `json:"decimals"`                // digits after the decimal point

	// PricePerToken is an estimate in US dollars, updated hourly. USDValue is the price of
	// Amount. Both are null if the service has no price.
	PricePerToken decimal.NullDecimal `json:"pricePerToken"`
	USDValue      decimal.NullDecimal `json:"usdValue"`

	LogoURI      string       `json:"logoUri"`      // may be empty
	TokenProgram TokenProgram `json:"tokenProgram"` // of the token
}

// A TokenProgram is the service's name of a token program. Other values than the
// constants pass through.
type TokenProgram string

// The token programs.
const (
	TokenProgramSPLToken  TokenProgram = "spl-token"  // types.TokenProgram; also for native SOL
	TokenProgramToken2022 TokenProgram = "token-2022" // types.Token2022Program
)

// Raw returns Amount in the smallest unit of the token, rounded half away from zero. It may
// be inexact above 2^53, where the service may round Amount. It fails for an amount that is
// negative or does not fit 64 bits.
func (b Balance) Raw() (uint64, error) {
	shift := int64(b.Amount.Exponent()) + int64(b.Decimals)
	whole := int64(b.Amount.NumDigits()) + shift // digits before the decimal point
	if b.Amount.IsZero() || whole < 0 {
		return 0, nil
	}
	if whole <= 20 { // 1e10000 would take long to expand
		if raw := decimal.NewFromBigInt(b.Amount.Coefficient(), int32(shift)).Round(0).BigInt(); raw.IsUint64() {
			return raw.Uint64(), nil
		}
	}
	return 0, fmt.Errorf("balance of %s: the amount in the smallest unit is not a whole number of 64 bits", b.Mint)
}

// Equal reports whether b and c are the same balance. Do not use ==: amounts have pointers
// inside, so it may be false for equal balances.
func (b Balance) Equal(c Balance) bool {
	same := func(x, y decimal.NullDecimal) bool { return x.Valid == y.Valid && x.Decimal.Equal(y.Decimal) }
	return b.Mint == c.Mint && b.Symbol == c.Symbol && b.Name == c.Name && b.Amount.Equal(c.Amount) && b.Decimals == c.Decimals &&
		same(b.PricePerToken, c.PricePerToken) && same(b.USDValue, c.USDValue) && b.LogoURI == c.LogoURI && b.TokenProgram == c.TokenProgram
}

// Balances lists the balances of wallet: native SOL, then tokens by value, then tokens without a
// price. An unused wallet has none. Read the list with All, Pages, Page or Collect; each page
// costs 100 credits.
//
// REST: GET /v1/wallet/{wallet}/balances.
func (c *Client) Balances(ctx context.Context, wallet types.Address, opts *BalancesOptions) types.ListOf[BalancePage, Balance] {
	o := argument.Options(opts)
	l := paging.ListingOf(c.api, opBalances, wallet, fmt.Sprint(o.ShowZeroBalance, o.HideNative), o.PageOptions)
	l.Sized = true
	fetch := func(ctx context.Context, w *paging.Walk) (*BalancePage, error) { return c.balances(ctx, w, wallet, o) }
	return paging.ListOf(ctx, l, fetch, func(p *BalancePage) *types.Page[Balance] { return &p.Page })
}

// balances requests a page. The position is its number.
func (c *Client) balances(ctx context.Context, w *paging.Walk, wallet types.Address, o BalancesOptions) (*BalancePage, error) {
	number, invalid := 1, argument.Fields(&o)
	if w.At != "" {
		number, _ = strconv.Atoi(w.At)
		if number < 1 || strconv.Itoa(number) != w.At || o.Cursor == w.At { // not of a page
			invalid = cmp.Or(invalid, argument.Invalid("Cursor "+argument.Quote(w.At), "is not the Cursor of a page of balances"))
		}
	}
	r := request(opBalances, wallet, o.query(w.At), invalid)
	r.Items = &w.Items
	listed, err := transport.Fetch(ctx, c.api, r, (*listedBalances).check)
	if err != nil {
		return nil, err
	}
	switch got := listed.Pagination.Page; {
	case got == nil && w.At == "": // the first page needs no number
	case got == nil || *got != number:
		return nil, w.Incomplete("the service sent page %s instead of page %d", pageNumber(got), number)
	}
	page := &BalancePage{
		Page: types.Page[Balance]{Items: listed.Balances},
		NFTs: listed.NFTs, TotalUSDValue: listed.TotalUSDValue,
	}
	if *listed.Pagination.HasMore {
		page.Cursor = strconv.Itoa(number + 1)
	}
	return page, nil
}

func pageNumber(n *int) string {
	if n == nil {
		return "without a number"
	}
	return strconv.Itoa(*n)
}

// listedBalances is a page on the wire.
type listedBalances struct {
	Balances      []Balance       `json:"balances" required:"true"`
	NFTs          []types.NFT     `json:"nfts"`
	TotalUSDValue decimal.Decimal `json:"totalUsdValue"`
	Pagination    struct {
		Page    *int  `json:"page"`
		HasMore *bool `json:"hasMore" required:"true"`
	} `json:"pagination" required:"true"`
}

// check refuses an incomplete page. Without hasMore, a truncated listing would look
// complete.
func (l *listedBalances) check() error {
	return paging.CheckItems(&l.Balances)
}
