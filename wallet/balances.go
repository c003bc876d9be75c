package wallet

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"net/url"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

const balances transport.Op = "wallet.Client.Balances GET /v1/wallet/{wallet}/balances"

// BalancesOptions are the options of [Client.Balances]. The zero value, like nil,
// means the first page of native SOL and all tokens with a balance, without NFTs.
type BalancesOptions struct {
	Page            int  // the first page is 1; 0 means 1
	Limit           int  // tokens per page; 0 means 100, the most the service allows
	ShowZeroBalance bool // includes tokens with a balance of 0
	HideNative      bool // leaves out native SOL. Wire name: showNative
	ShowNFTs        bool // includes up to 100 NFTs, on the first page only
	Prefetch        bool // requests the next page while the loop handles this one
}

func (o *BalancesOptions) query() url.Values {
	q := url.Values{}
	set(q, "page", o.Page)
	set(q, "limit", o.Limit)
	set(q, "showZeroBalance", o.ShowZeroBalance)
	if o.HideNative { // shown by default
		q.Set("showNative", "false")
	}
	set(q, "showNfts", o.ShowNFTs)
	return q
}

// A BalancePage is one page of the balances of a wallet. To continue after it, set
// the Page of the options to NextPage.
type BalancePage struct {
	Items    []Balance   // native SOL first, then by value; may be empty
	NFTs     []types.NFT // nil without ShowNFTs and after the first page
	NextPage int         // the number of the next page; 0 on the last page
	HasMore  bool        // whether more pages follow

	// TotalUSDValue is the value of the items of this page that have a price, in
	// US dollars. It is not the value of the wallet.
	TotalUSDValue decimal.Decimal
}

// A Balance is the balance of one token in a wallet.
type Balance struct {
	// Mint is the token. It is [types.WrappedSOL] both for native SOL, which comes
	// first, and for wrapped SOL: a wallet can have two balances of this mint. If it
	// has one, that may be either; with HideNative, it is wrapped SOL.
	Mint types.Address `json:"mint"`

	Symbol string `json:"symbol"` // chosen by the token's creator; may be empty
	Name   string `json:"name"`   // chosen by the token's creator; may be empty

	Amount   decimal.Decimal `json:"balance"`  // in whole tokens. Wire name: balance
	Decimals uint8           `json:"decimals"` // digits after the decimal point

	// PricePerToken is in US dollars, an estimate that is updated hourly. It and
	// USDValue, the price of Amount, are null if the service has no price.
	PricePerToken decimal.NullDecimal `json:"pricePerToken"`
	USDValue      decimal.NullDecimal `json:"usdValue"`

	LogoURI      string       `json:"logoUri"`      // may be empty
	TokenProgram TokenProgram `json:"tokenProgram"` // that the token belongs to
}

// A TokenProgram is the service's name of a token program. Other values than the
// constants pass through.
type TokenProgram string

// The token programs.
const (
	TokenProgramSPLToken  TokenProgram = "spl-token"  // types.TokenProgram; also for native SOL
	TokenProgramToken2022 TokenProgram = "token-2022" // types.Token2022Program
)

// Raw returns Amount in the smallest unit of the token, rounded half away from zero,
// and whether it fits a uint64. It may be inexact above 2^53, where the service may
// round Amount.
func (b Balance) Raw() (uint64, bool) {
	shift := int64(b.Amount.Exponent()) + int64(b.Decimals)
	whole := int64(b.Amount.NumDigits()) + shift // digits before the decimal point
	switch {
	case b.Amount.IsZero() || whole < 0:
		return 0, true
	case whole > 20: // 1e10000 would take long to expand
		return 0, false
	}
	raw := decimal.NewFromBigInt(b.Amount.Coefficient(), int32(shift)).Round(0).BigInt()
	if !raw.IsUint64() {
		return 0, false
	}
	return raw.Uint64(), true
}

// Balances returns one page of the balances of wallet: native SOL, then the tokens
// with a price, the most valuable first, then those without. It is empty for an
// unused wallet. It costs 100 credits.
//
// REST: GET /v1/wallet/{wallet}/balances.
func (c *Client) Balances(ctx context.Context, wallet types.Address, opts *BalancesOptions) (*BalancePage, error) {
	var o BalancesOptions
	if opts != nil {
		o = *opts
	}
	page, _, err := c.balances(ctx, wallet, &o)
	return page, err
}

// balances requests one page. It also returns the page number in the response.
func (c *Client) balances(ctx context.Context, wallet types.Address, o *BalancesOptions) (*BalancePage, int, error) {
	if err := c.transport().Check(balances,
		checkWallet("wallet", wallet),
		argument.NotNegative("Page", o.Page),
		argument.NotNegative("Limit", o.Limit),
	); err != nil {
		return nil, 0, err
	}
	listed, err := transport.Fetch(ctx, c.transport(), request(balances, wallet, o.query()), (*listedBalances).missing)
	if err != nil {
		return nil, 0, err
	}
	number := listed.Pagination.Page
	page := &BalancePage{Items: listed.Balances, NFTs: listed.NFTs, TotalUSDValue: listed.TotalUSDValue}
	if *listed.Pagination.HasMore {
		page.HasMore = true
		page.NextPage = cmp.Or(number, o.Page, 1) + 1
	}
	return page, number, nil
}

// BalancePages iterates over the pages of [Client.Balances], at 100 credits each. To
// resume, set Page to the NextPage of the last page that was handled. If the service
// sends another page than the requested one, the error matches
// [types.ErrIncomplete].
func (c *Client) BalancePages(ctx context.Context, wallet types.Address, opts *BalancesOptions) iter.Seq2[*BalancePage, error] {
	var o BalancesOptions
	if opts != nil {
		o = *opts
	}
	fetch := func(ctx context.Context, number int) (*BalancePage, error) {
		o := o
		o.Page = number
		page, got, err := c.balances(ctx, wallet, &o)
		if err != nil {
			return nil, err
		}
		if got != number {
			return nil, fmt.Errorf("%s: the service sent page %d instead of page %d: %w", balances, got, number, types.ErrIncomplete)
		}
		return page, nil
	}
	return paging.Pages(ctx, balances.String(), cmp.Or(o.Page, 1), o.Prefetch, fetch, (*BalancePage).next)
}

// AllBalances iterates over the items of [Client.BalancePages], at 100 credits per
// page. An error is the last element. A balance whose rank changes during the listing
// may be missed or listed twice.
func (c *Client) AllBalances(ctx context.Context, wallet types.Address, opts *BalancesOptions) iter.Seq2[Balance, error] {
	return paging.Items(c.BalancePages(ctx, wallet, opts), (*BalancePage).items)
}

// listedBalances is a page on the wire.
type listedBalances struct {
	Balances      []Balance       `json:"balances"`
	NFTs          []types.NFT     `json:"nfts"`
	TotalUSDValue decimal.Decimal `json:"totalUsdValue"`
	Pagination    struct {
		Page    int   `json:"page"`
		HasMore *bool `json:"hasMore"`
	} `json:"pagination"`
}

// missing says what an incomplete page lacks. Without hasMore, a truncated listing
// would look complete.
func (l *listedBalances) missing() error {
	return cmp.Or(
		transport.Require(l.Balances != nil, "balances"),
		transport.Require(l.Pagination.HasMore != nil, "pagination.hasMore"),
		paging.CheckItems(l.Balances, func(b *Balance) bool { return b.Mint != "" }),
	)
}

func (p *BalancePage) next() (int, error) { return p.NextPage, nil }

func (p *BalancePage) items() []Balance { return p.Items }
