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
	Share        string              // of the total; empty if unknown
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
	d.setLabel(mint, cmp.Or(t.Symbol, t.Name))
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
	if a == nil || a.TokenInfo == nil || a.TokenInfo.Price == nil || a.TokenInfo.Price.Currency != "USDC" {
		return decimal.NullDecimal{}
	}
	return a.TokenInfo.Price.PricePerToken
}

// readTokens reads the SOL and tokens of a wallet.
func (d *dashboard) readTokens(ctx context.Context, owner types.Address, v *view) (all []token, err error) {
	filter := das.SearchFilter{Owner: owner, TokenType: das.TokenTypeFungible}
	var sol *das.NativeBalance
	for page, err := range d.assets.SearchAssets(ctx, filter, &das.AssetsOptions{ShowNativeBalance: true}).Pages() {
		if err != nil {
			return nil, err
		}
		sol = cmp.Or(sol, page.NativeBalance)
		for i := range page.Items {
			if a := &page.Items[i]; a.TokenInfo != nil {
				v.assets[a.ID] = a
				all = append(all, d.tokenOf(a.ID, a, a.TokenInfo.RawAmount))
			}
		}
		if v.Complete = !page.HasMore; len(all) >= 5000 {
			break // 50 credits are enough
		}
	}
	if sol == nil {
		return nil, errors.New("the tokens come without SOL") // the total would be wrong
	}
	if sol.Lamports > 0 {
		t := token{Mint: types.NativeSOLMint, Symbol: "SOL", Name: "Solana", Amount: types.Amount(sol.Lamports, 9)}
		all = append(all, t.at(sol.PricePerSOL))
	}
	return all, nil
}

// readAssets reads the compressed tokens, and tokens that the wallet no longer holds.
func (d *dashboard) readAssets(ctx context.Context, v *view) error {
	var mints []types.Address
	add := func(mint types.Address) {
		if _, known := v.assets[mint]; !known && !slices.Contains(mints, mint) {
			mints = append(mints, mint)
		}
	}
	for _, b := range v.compressed {
		add(b.Mint)
	}
	for _, e := range v.History.Data.Entries {
		for _, c := range e.Changes {
			add(priced(c.Mint))
		}
	}
	assets, err := d.assets.Assets(ctx, mints, nil)
	if err != nil {
		return err
	}
	for i, a := range assets {
		v.assets[mints[i]] = a
		d.tokenOf(mints[i], a, 0) // for its label
	}
	return nil
}

// shownTokens is the number of tokens that the page shows without a click.
const shownTokens = 20

// tables returns the value of tokens, and divides them: the most valuable, others, and tokens
// without a price, each sorted by a column.
func tables(tokens []token, by string) (total decimal.Decimal, all [3][]token) {
	slices.SortStableFunc(tokens, func(a, b token) int { return b.Value.Decimal.Cmp(a.Value.Decimal) })
	for _, t := range tokens {
		total = total.Add(t.Value.Decimal)
	}
	for _, t := range tokens {
		i := 2
		if t.Value.Decimal.IsPositive() {
			i = min(len(all[0])/shownTokens, 1)
			t.Share = t.Value.Decimal.Shift(2).DivRound(total, 1).StringFixed(1) + "%"
		}
		all[i] = append(all[i], t)
	}
	for _, part := range all {
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
	return total, all
}

// shownNFTs fill the rows of the gallery.
const shownNFTs = 24

// readNFTs reads some NFTs of a wallet.
func (d *dashboard) readNFTs(ctx context.Context, owner types.Address) ([]das.Asset, error) {
	opts := &das.AssetsOptions{PageOptions: types.PageOptions{Limit: shownNFTs}, ShowCollectionMetadata: true}
	page, err := d.assets.AssetsByOwner(ctx, owner, opts).Page()
	if err != nil {
		return nil, err
	}
	return page.Items, nil
}

// collection returns the name of the collection of an NFT.
func collection(a das.Asset) string {
	var metadata struct{ Name string }
	if c := a.Collection(); c != nil {
		_ = json.Unmarshal(c.Metadata, &metadata) // by a stranger
	}
	return cmp.Or(clean(metadata.Name), "No collection")
}
