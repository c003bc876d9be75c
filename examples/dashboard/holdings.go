package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
)

// A token is a token that a wallet holds.
type token struct {
	Mint         types.Address
	Symbol, Name string
	Image        string
	Amount       decimal.Decimal
	Price, Value decimal.NullDecimal // in US dollars; null if unknown
	Compressed   bool
	account      types.Address // of the token, empty for SOL and compressed tokens
}

// tokenOf returns an amount of a token; a is nil if the service does not know the token.
func (d *dashboard) tokenOf(mint types.Address, a *das.Asset, raw uint64) token {
	t := token{Mint: mint, Name: "in its smallest unit", Amount: decimal.NewFromUint64(raw)}
	if a == nil || a.TokenInfo == nil {
		return t
	}
	t.Name, t.Symbol = clean(a.Content.Name()), clean(cmp.Or(a.TokenInfo.Symbol, a.Content.Symbol()))
	t.Image, t.Amount, t.account = a.Content.CDNImage(), types.Amount(raw, a.TokenInfo.Decimals), a.TokenInfo.AssociatedTokenAddress
	d.setLabel(mint, cmp.Or(t.Symbol, t.Name), "")
	return t.at(usd(a))
}

// at returns t at a price.
func (t token) at(price decimal.NullDecimal) token {
	t.Price = price
	t.Value = decimal.NullDecimal{Decimal: t.Amount.Mul(price.Decimal), Valid: price.Valid}
	return t
}

// usd returns the price of a token in US dollars, if it is known.
func usd(a *das.Asset) decimal.NullDecimal {
	if a == nil || a.TokenInfo == nil || a.TokenInfo.Price == nil || a.TokenInfo.Price.Currency != "USDC" || !sane(a.TokenInfo.Price.PricePerToken.Decimal) {
		return decimal.NullDecimal{}
	}
	return a.TokenInfo.Price.PricePerToken
}

// readTokens reads the SOL and tokens of a wallet. It reports whether these are all.
func (d *dashboard) readTokens(ctx context.Context, owner types.Address) (all []token, complete bool, err error) {
	filter := das.SearchFilter{Owner: owner, TokenType: das.TokenTypeFungible}
	var sol *das.NativeBalance
	for page, err := range d.assets.SearchAssets(ctx, filter, &das.AssetsOptions{ShowNativeBalance: true}).Pages() {
		if err != nil {
			return nil, false, err
		}
		sol = cmp.Or(sol, page.NativeBalance)
		for i := range page.Items {
			if a := &page.Items[i]; a.TokenInfo != nil {
				all = append(all, d.tokenOf(a.ID, a, a.TokenInfo.RawAmount))
			}
		}
		if complete = !page.HasMore; len(all) >= 5000 {
			break // 50 credits are enough
		}
	}
	if sol == nil {
		return nil, false, errors.New("the tokens come without SOL") // the total would be wrong
	}
	if sol.Lamports > 0 {
		t := token{Mint: types.NativeSOLMint, Symbol: "SOL", Name: "Solana", Amount: types.Amount(sol.Lamports, 9)}
		all = append(all, t.at(sol.PricePerSOL))
	}
	return all, complete, nil
}

// readCompressed reads the compressed tokens of a wallet.
func (d *dashboard) readCompressed(ctx context.Context, owner types.Address) ([]token, error) {
	page, err := d.compressed.TokenBalancesByOwner(ctx, owner, nil).Page()
	if err != nil || len(page.Items) == 0 {
		return nil, err
	}
	mints := make([]types.Address, len(page.Items))
	for i, b := range page.Items {
		mints[i] = b.Mint
	}
	assets, err := d.assets.Assets(ctx, mints, nil)
	if err != nil {
		return nil, err
	}
	tokens := make([]token, len(mints))
	for i, a := range assets {
		tokens[i] = d.tokenOf(mints[i], a, page.Items[i].RawAmount)
		tokens[i].Compressed = true
	}
	return tokens, nil
}

// holdings are the tokens of a wallet as the page shows them.
type holdings struct {
	Top      []token // the most valuable
	Others   []token // with a price
	Unpriced []token
	Total    decimal.Decimal
	Complete bool // whether these are all
}

// shownTokens is the number of tokens that the page shows without a click.
const shownTokens = 20

// sorted divides tokens, the most valuable first, and sorts each part by a column.
func sorted(tokens []token, by string) (h holdings) {
	tokens = slices.Clone(tokens)
	slices.SortStableFunc(tokens, func(a, b token) int { return b.Value.Decimal.Cmp(a.Value.Decimal) })
	for _, t := range tokens {
		h.Total = h.Total.Add(t.Value.Decimal)
		switch {
		case !t.Value.Valid:
			h.Unpriced = append(h.Unpriced, t)
		case len(h.Top) < shownTokens:
			h.Top = append(h.Top, t)
		default:
			h.Others = append(h.Others, t)
		}
	}
	for _, part := range [][]token{h.Top, h.Others, h.Unpriced} {
		slices.SortStableFunc(part, func(a, b token) int {
			switch by {
			case "token":
				return strings.Compare(strings.ToLower(a.Symbol), strings.ToLower(b.Symbol))
			case "amount":
				return b.Amount.Cmp(a.Amount)
			case "price":
				return b.Price.Decimal.Cmp(a.Price.Decimal)
			}
			return 0
		})
	}
	return h
}

// Share returns the share of a token in the total, in percent; empty if it is unknown.
func (h holdings) Share(t token) string {
	if !t.Value.Valid || !h.Total.IsPositive() {
		return ""
	}
	return t.Value.Decimal.Shift(2).DivRound(h.Total, 1).StringFixed(1)
}

// Worth returns the value of tokens.
func (holdings) Worth(tokens []token) (sum decimal.Decimal) {
	for _, t := range tokens {
		sum = sum.Add(t.Value.Decimal)
	}
	return sum
}

// An nft is an NFT as the page shows it.
type nft struct {
	ID                      types.Address
	Name, Collection, Image string
	Compressed              bool
}

// shownNFTs fill the rows of the gallery.
const shownNFTs = 24

// readNFTs reads some NFTs of a wallet.
func (d *dashboard) readNFTs(ctx context.Context, owner types.Address) ([]nft, error) {
	opts := &das.AssetsOptions{PageOptions: types.PageOptions{Limit: shownNFTs}, ShowCollectionMetadata: true}
	page, err := d.assets.AssetsByOwner(ctx, owner, opts).Page()
	if err != nil {
		return nil, err
	}
	var all []nft
	for i := range page.Items {
		if a := &page.Items[i]; a.Problem == "" {
			all = append(all, nft{a.ID, cmp.Or(clean(a.Content.Name()), short(a.ID)), collection(a), a.Content.CDNImage(), a.Compression.Compressed})
		}
	}
	return all, nil
}

// collection returns the name of the collection of an NFT.
func collection(a *das.Asset) string {
	var metadata struct{ Name string }
	if c := a.Collection(); c != nil {
		_ = json.Unmarshal(c.Metadata, &metadata) // by a stranger
	}
	return cmp.Or(clean(metadata.Name), "No collection")
}
