package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
)

// A page is what the template shows.
type page struct {
	Query      string        // what the user asked for
	Wallet     types.Address // empty with an Err
	Err        string        // in plain words
	MadeUp     bool
	Explorer   string        // before a signature
	Loaded     time.Time     // when the wallet was read
	Age        time.Duration // since then
	Price      uint64        // the credits that this cost
	Holdings   section[holdings]
	Value      section[chart]
	Transfers  section[[]wallet.Transfer]
	NFTs       section[[]das.Asset]
	Compressed section[[]wallet.Balance]
	Credits    uint64
	Spent      []types.Spent
}

// A section is a part of the page. One that fails leaves the others as they are.
type section[T any] struct {
	Data T
	Err  error
}

// Plain returns the error in plain words.
func (s section[T]) Plain() string { return plain(s.Err) }

// failure returns why parts of the page are missing.
func (p *page) failure() error {
	return errors.Join(cmp.Or(p.Holdings.Err, p.Value.Err), p.Transfers.Err, p.NFTs.Err, p.Compressed.Err)
}

func sectionOf[T any](data T, err error) section[T] { return section[T]{data, err} }

// load fills in the sections.
func (d *dashboard) load(ctx context.Context, p *page) {
	var wait sync.WaitGroup
	wait.Go(func() { p.NFTs = sectionOf(d.nfts(ctx, p.Wallet)) })
	wait.Go(func() { p.Compressed = sectionOf(d.compressedTokens(ctx, p.Wallet)) })
	wait.Go(func() { p.Transfers = sectionOf(d.transfers(ctx, p.Wallet)) })
	var history section[*types.Page[wallet.Transaction]]
	wait.Go(func() { history = sectionOf(d.wallets.History(ctx, p.Wallet, nil).Page()) })
	p.Holdings = sectionOf(d.holdings(ctx, p.Wallet))
	wait.Wait()
	if p.Value.Err = cmp.Or(p.Holdings.Err, history.Err); p.Value.Err == nil {
		p.Value = sectionOf(d.value(ctx, &p.Holdings.Data, history.Data.Items))
	}
}

// holdings are the tokens of a wallet, the most valuable first.
type holdings struct {
	Tokens   []wallet.Balance
	Unpriced int  // tokens without a price
	Complete bool // whether these are all
	Total    decimal.Decimal
}

// Part returns the holdings with the tokens from i to j only.
func (h holdings) Part(i, j int) holdings {
	h.Tokens = h.Tokens[min(i, len(h.Tokens)):min(j, len(h.Tokens))]
	return h
}

// Share returns which part of the total a token is, in percent, or "".
func (h holdings) Share(b wallet.Balance) string {
	if !b.USDValue.Valid || !h.Total.IsPositive() {
		return ""
	}
	return b.USDValue.Decimal.Shift(2).DivRound(h.Total, 1).StringFixed(1)
}

// holdings reads the balances of a wallet. Tokens without a price are worth nothing.
func (d *dashboard) holdings(ctx context.Context, owner types.Address) (h holdings, err error) {
	for page, err := range d.wallets.Balances(ctx, owner, nil).Pages() {
		if err != nil {
			return h, err
		}
		h.Tokens = append(h.Tokens, page.Items...)
		h.Complete = !page.HasMore
		if len(h.Tokens) >= 1000 {
			break // the rest is worth little
		}
	}
	for i := range h.Tokens {
		b := &h.Tokens[i]
		d.setLabel(b.Mint, b.Symbol, "")
		if !sane(b.PricePerToken.Decimal) || !sane(b.USDValue.Decimal) {
			b.PricePerToken, b.USDValue = decimal.NullDecimal{}, decimal.NullDecimal{}
		}
		h.Total = h.Total.Add(b.USDValue.Decimal)
		if !b.USDValue.Valid {
			h.Unpriced++
		}
	}
	return h, nil
}

// transfers returns the latest transfers of a wallet, and finds out who took part in them.
func (d *dashboard) transfers(ctx context.Context, owner types.Address) ([]wallet.Transfer, error) {
	page, err := d.wallets.Transfers(ctx, owner, &wallet.TransfersOptions{PageOptions: types.PageOptions{Limit: 20}}).Page()
	if err != nil {
		return nil, err
	}
	parties := []string{string(owner)}
	for _, t := range page.Items {
		d.setLabel(t.Mint, t.Symbol, "")
		if !slices.Contains(parties, string(t.Counterparty)) {
			parties = append(parties, string(t.Counterparty))
		}
	}
	identities, err := d.wallets.Identities(ctx, parties)
	for _, who := range identities {
		if who.Known() {
			d.setLabel(who.Address, who.Name, cmp.Or(who.Category, string(who.Type)))
		}
	}
	return page.Items, err // without names on the Free plan
}

// nfts returns some NFTs of a wallet.
func (d *dashboard) nfts(ctx context.Context, owner types.Address) ([]das.Asset, error) {
	opts := &das.AssetsOptions{PageOptions: types.PageOptions{Limit: 24}, ShowCollectionMetadata: true}
	page, err := d.assets.AssetsByOwner(ctx, owner, opts).Page()
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(page.Items, func(a das.Asset) bool { return a.Err != "" }), nil
}

// collection returns the name of the collection of an NFT.
func collection(a das.Asset) string {
	var metadata struct{ Name string }
	if c := a.Collection(); c != nil {
		_ = json.Unmarshal(c.Metadata, &metadata) // by a stranger
	}
	return cmp.Or(clean(metadata.Name), "no collection")
}

// compressedTokens returns the compressed tokens of a wallet, which its balances do not
// include.
func (d *dashboard) compressedTokens(ctx context.Context, owner types.Address) ([]wallet.Balance, error) {
	page, err := d.compressed.TokenBalancesByOwner(ctx, owner, nil).Page()
	if err != nil {
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
	tokens := make([]wallet.Balance, len(mints))
	for i, a := range assets {
		t := wallet.Balance{Mint: mints[i], Name: "in its smallest unit", Amount: decimal.NewFromUint64(page.Items[i].RawAmount)}
		if a != nil && a.TokenInfo != nil {
			t.Name, t.Symbol, t.LogoURI = a.Content.Name(), a.TokenInfo.Symbol, a.Content.CDNImage()
			t.Amount = types.Amount(page.Items[i].RawAmount, a.TokenInfo.Decimals)
			t.PricePerToken = usd(a)
			t.USDValue = decimal.NullDecimal{Decimal: t.Amount.Mul(t.PricePerToken.Decimal), Valid: t.PricePerToken.Valid}
		}
		tokens[i] = t
	}
	return tokens, nil
}

// usd returns the price of a token in US dollars, if it is known.
func usd(a *das.Asset) decimal.NullDecimal {
	if a == nil || a.TokenInfo == nil || a.TokenInfo.Price == nil || a.TokenInfo.Price.Currency != "USDC" || !sane(a.TokenInfo.Price.PricePerToken.Decimal) {
		return decimal.NullDecimal{}
	}
	return a.TokenInfo.Price.PricePerToken
}

// value draws how much the holdings were worth after each transaction, at the prices of
// today: their value now without the changes since. The prices make no difference between
// native and wrapped SOL, so it does not matter which of them a change means.
func (d *dashboard) value(ctx context.Context, h *holdings, history []wallet.Transaction) (chart, error) {
	prices := map[types.Address]decimal.Decimal{}
	for _, b := range h.Tokens {
		prices[b.Mint] = b.PricePerToken.Decimal
	}
	var gone []types.Address // tokens that the wallet no longer has
	for _, tx := range history {
		for _, c := range tx.BalanceChanges {
			if _, known := prices[priced(c.Mint)]; !known {
				gone = append(gone, priced(c.Mint))
				prices[priced(c.Mint)] = decimal.Zero
			}
		}
	}
	assets, err := d.assets.Assets(ctx, gone, nil)
	if err != nil || len(history) == 0 {
		return chart{}, err
	}
	for i, a := range assets {
		prices[gone[i]] = usd(a).Decimal
	}
	total := h.Total
	points := []point{{d.clock(), total}}
	for _, tx := range history {
		if !tx.BlockTime.IsZero() { // it is not very recent
			points = append(points, point{tx.BlockTime.Time, total})
		}
		for _, c := range tx.BalanceChanges {
			if sane(c.Amount) {
				total = total.Sub(c.Amount.Mul(prices[priced(c.Mint)]))
			}
		}
	}
	slices.Reverse(points)
	return draw(points), nil
}

// priced returns the mint with the price of a token.
func priced(mint types.Address) types.Address {
	if mint.IsNativeSOL() {
		return types.WrappedSOL
	}
	return mint
}
