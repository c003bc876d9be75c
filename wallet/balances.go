package wallet

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"net/url"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// BalancesOptions says which balances to return, and which page of them. The
// zero value, like nil, asks for the first page of all that are not zero,
// native SOL included and NFTs not.
type BalancesOptions struct {
	Page            int  // the first is 1; 0 means 1
	Limit           int  // entries per page, at most 100; 0 means the service's default, 100
	ShowZeroBalance bool // also tokens of which the wallet holds nothing (any more)
	HideNative      bool // leave out native SOL
	ShowNFTs        bool // also NFTs, at most 100 and on the first page only
	Prefetch        bool // ask for the next page while the caller works on this one; pages and items only
}

func (o *BalancesOptions) query() url.Values {
	q := url.Values{}
	set(q, "page", o.Page)
	set(q, "limit", o.Limit)
	set(q, "showZeroBalance", o.ShowZeroBalance)
	if o.HideNative { // the service shows it unless told not to
		q.Set("showNative", "false")
	}
	set(q, "showNfts", o.ShowNFTs)
	return q
}

// A BalancePage is one page of what a wallet holds.
type BalancePage struct {
	Items         []Balance       `json:"balances"`      // native SOL first, then by value; may be empty
	NFTs          []NFT           `json:"nfts"`          // nil unless asked for; on the first page only
	TotalUSDValue decimal.Decimal `json:"totalUsdValue"` // of the priced entries of this page, not of the wallet; in US dollars
	Pagination    Pagination      `json:"pagination"`    // where this page stands
}

// Pagination says where a [BalancePage] stands.
type Pagination struct {
	Page    int  `json:"page"`    // number of this page; the first is 1
	Limit   int  `json:"limit"`   // entries that a page may have
	HasMore bool `json:"hasMore"` // whether there is a page after this one
}

// A Balance is how much of one token a wallet holds.
type Balance struct {
	// Mint is the token. Native SOL, which comes first, has the mint of wrapped
	// SOL here, [types.WrappedSOL]. Wrapped SOL has it too, so a wallet can have
	// two entries of that mint.
	Mint          types.Address       `json:"mint"`
	Symbol        string              `json:"symbol"`        // chosen by whoever made the token; empty when it has none
	Name          string              `json:"name"`          // chosen likewise; empty when it has none
	Amount        decimal.Decimal     `json:"balance"`       // in whole tokens
	Decimals      int                 `json:"decimals"`      // digits after the point: the smallest unit is 10^-Decimals of a token
	PricePerToken decimal.NullDecimal `json:"pricePerToken"` // in US dollars, an hourly estimate; not valid when unknown
	USDValue      decimal.NullDecimal `json:"usdValue"`      // of Amount, in US dollars; not valid when the price is unknown
	LogoURI       string              `json:"logoUri"`       // empty when the token has none
	TokenProgram  TokenProgram        `json:"tokenProgram"`  // that the token belongs to
}

// A TokenProgram is the program that a token belongs to. Values without a
// constant here pass through.
type TokenProgram string

// The token programs, as balances name them.
const (
	SPLToken  TokenProgram = "spl-token"  // types.TokenProgram; said of native SOL too
	Token2022 TokenProgram = "token-2022" // types.Token2022Program
)

// An NFT is one that a wallet holds. Its texts are chosen by whoever made it.
type NFT struct {
	Mint              types.Address `json:"mint"`              // of a compressed NFT, its asset ID
	Name              string        `json:"name"`              // empty when it has none
	ImageURI          string        `json:"imageUri"`          // empty when it has none
	CollectionName    string        `json:"collectionName"`    // empty when it is in no collection
	CollectionAddress types.Address `json:"collectionAddress"` // empty when it is in no collection
	Compressed        bool          `json:"compressed"`        // whether it is a leaf of a tree instead of a token of its own
}

// Raw returns Amount in the token's smallest unit, rounded half away from
// zero. It is false when that does not fit: when it is negative or above the
// uint64 range, or when Decimals is not within 0 to 255, which no token has.
//
// The service does not send the raw amount of a balance. Above 2^53 units it
// may have rounded Amount, and then the raw amount is not exact either.
func (b Balance) Raw() (uint64, bool) {
	if b.Decimals < 0 || b.Decimals > math.MaxUint8 {
		return 0, false
	}
	shift := int64(b.Amount.Exponent()) + int64(b.Decimals)
	whole := int64(b.Amount.NumDigits()) + shift // digits before the point
	switch {
	case b.Amount.IsZero() || whole < 0:
		return 0, true
	case whole > 20: // more than uint64 has: 1e10000 is not worth writing out
		return 0, false
	}
	raw := decimal.NewFromBigInt(b.Amount.Coefficient(), int32(shift)).Round(0).BigInt()
	if !raw.IsUint64() {
		return 0, false
	}
	return raw.Uint64(), true
}

// Balances returns one page of the tokens that wallet holds: native SOL first,
// then the most valuable first, and those without a price last. It costs 100
// credits.
//
// A wallet that is no address or a negative Page or Limit is refused with
// [types.ErrInvalid] before anything is sent. A wallet that was never used has
// an empty page, which is no error.
//
// REST: GET /v1/wallet/{wallet}/balances.
func (c *Client) Balances(ctx context.Context, wallet types.Address, opts *BalancesOptions) (*BalancePage, error) {
	var o BalancesOptions
	if opts != nil {
		o = *opts
	}
	if err := cmp.Or(
		argument.Address("wallet", wallet),
		argument.NotNegative("Page", o.Page),
		argument.NotNegative("Limit", o.Limit),
	); err != nil {
		return nil, err
	}
	path := walletPath(wallet, "balances")
	var page BalancePage
	if err := c.api.Get(ctx, path, o.query(), &page); err != nil {
		return nil, err
	}
	if page.Items == nil {
		return nil, transport.NoList("GET "+path, "balances")
	}
	return &page, nil
}

// BalancePages walks the pages of [Client.Balances] from opts.Page on. Each
// costs 100 credits. To resume a walk, set Page to the number of the last
// handled page plus one.
//
// An error ends the walk. One that matches [types.ErrIncomplete] comes instead
// of a page that is another than the one asked for.
func (c *Client) BalancePages(ctx context.Context, wallet types.Address, opts *BalancesOptions) iter.Seq2[*BalancePage, error] {
	var o BalancesOptions
	if opts != nil {
		o = *opts
	}
	fetch := func(ctx context.Context, number int) (*BalancePage, error) {
		o := o
		o.Page = number
		page, err := c.Balances(ctx, wallet, &o)
		if err != nil {
			return nil, err
		}
		if got := page.Pagination.Page; got != number {
			return nil, fmt.Errorf("GET %s: answer is page %d instead of %d: %w",
				walletPath(wallet, "balances"), got, number, types.ErrIncomplete)
		}
		return page, nil
	}
	return paging.Pages(ctx, "GET "+walletPath(wallet, "balances"), cmp.Or(o.Page, 1), o.Prefetch, fetch, (*BalancePage).next)
}

// AllBalances walks the entries of all pages of [Client.BalancePages], at its
// cost and with its errors. NFTs are not among them.
//
// A listing is not a snapshot, and pages are cut by rank: what changes while
// it is walked may be missed or come twice. In simulated walks over 950 tokens
// in pages of 100, one token sold and one bought between pages made 1.6
// entries be missed and 1.6 come twice; prices that move do the same. Pages of
// 10 are about ten times worse than pages of 100, so leave Limit alone.
// Nothing is lost while nothing changes.
func (c *Client) AllBalances(ctx context.Context, wallet types.Address, opts *BalancesOptions) iter.Seq2[Balance, error] {
	return paging.Items(c.BalancePages(ctx, wallet, opts), (*BalancePage).items)
}

func (p *BalancePage) next() (int, error) {
	if !p.Pagination.HasMore {
		return 0, nil
	}
	return p.Pagination.Page + 1, nil
}

func (p *BalancePage) items() []Balance { return p.Items }
