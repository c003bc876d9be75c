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
	Owner      string        // of the wallet; empty if unknown
	Holdings   section[holdings]
	Value      section[*chart]
	Transfers  section[[]transfer]
	NFTs       section[[]nft]
	Compressed section[[]token]
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
	wait.Go(func() { p.Transfers.Data, p.Owner, p.Transfers.Err = d.transfers(ctx, p.Wallet) })
	var history section[*types.Page[wallet.Transaction]]
	wait.Go(func() { history = sectionOf(d.wallets.History(ctx, p.Wallet, nil).Page()) })
	p.Holdings = sectionOf(d.holdings(ctx, p.Wallet))
	wait.Wait()
	if p.Value.Err = cmp.Or(p.Holdings.Err, history.Err); p.Value.Err == nil {
		p.Value = sectionOf(d.value(ctx, &p.Holdings.Data, history.Data.Items))
	}
}

// A token is a row of a table of holdings.
type token struct {
	Mint                 types.Address // shown too, since anybody can use any symbol
	Name, Symbol, Logo   string
	Amount, Price, Value string // empty if unknown
	Share                string // in percent of the total
}

// holdings are what a wallet has.
type holdings struct {
	Tokens   []token // the most valuable
	Others   []token
	Count    int  // of the tokens that are counted
	Unpriced int  // tokens without a price
	Complete bool // whether all tokens are counted
	Value    string

	total  decimal.Decimal
	prices map[types.Address]decimal.Decimal // of all tokens by mint; 0 if unknown
}

// holdings reads the balances of a wallet. Tokens are worth their price, and those without
// one nothing.
func (d *dashboard) holdings(ctx context.Context, owner types.Address) (holdings, error) {
	h := holdings{prices: map[types.Address]decimal.Decimal{}}
	var all []wallet.Balance
	for page, err := range d.wallets.Balances(ctx, owner, nil).Pages() {
		if err != nil {
			return h, err
		}
		all = append(all, page.Items...)
		h.Complete = !page.HasMore
		if len(all) >= 1000 {
			break // the rest is worth little
		}
	}
	h.Count = len(all)
	for i := range all {
		b := &all[i]
		if !sane(b.PricePerToken.Decimal) || !sane(b.USDValue.Decimal) {
			b.PricePerToken.Valid, b.USDValue = false, decimal.NullDecimal{}
			b.PricePerToken.Decimal = decimal.Zero
		}
		h.prices[b.Mint] = b.PricePerToken.Decimal
		h.total = h.total.Add(b.USDValue.Decimal)
		if !b.USDValue.Valid {
			h.Unpriced++
		}
	}
	h.Value = money(h.total)
	for i, b := range all {
		d.labels.set(b.Mint, b.Symbol)
		symbol := cmp.Or(clean(b.Symbol), short(b.Mint))
		t := token{Mint: b.Mint, Name: clean(b.Name), Symbol: symbol, Amount: amount(b.Amount), Logo: d.picture(b.LogoURI, b.Mint, symbol)}
		if b.USDValue.Valid {
			t.Price, t.Value = price(b.PricePerToken.Decimal), money(b.USDValue.Decimal)
		}
		if b.USDValue.Valid && h.total.IsPositive() {
			t.Share = b.USDValue.Decimal.Shift(2).DivRound(h.total, 1).StringFixed(1)
		}
		if i < 20 {
			h.Tokens = append(h.Tokens, t)
		} else {
			h.Others = append(h.Others, t)
		}
	}
	return h, nil
}

// A transfer is a row of the history.
type transfer struct {
	Signature    types.Signature
	When         types.Time
	In           bool
	Amount       string
	Symbol       string
	Mint         types.Address
	Counterparty types.Address
	Who          string // the name of the counterparty, or its address in short
	Kind         string // such as exchange; empty if unknown
}

// transfers returns the latest transfers of a wallet, and the name of the wallet.
func (d *dashboard) transfers(ctx context.Context, owner types.Address) (rows []transfer, name string, err error) {
	page, err := d.wallets.Transfers(ctx, owner, &wallet.TransfersOptions{Limit: 20}).Page()
	if err != nil {
		return nil, "", err
	}
	parties := []string{string(owner)}
	for _, t := range page.Items {
		if !slices.Contains(parties, string(t.Counterparty)) {
			parties = append(parties, string(t.Counterparty))
		}
	}
	kinds := map[types.Address]string{}
	identities, err := d.wallets.Identities(ctx, parties)
	for _, who := range identities {
		if who.Known() {
			d.labels.set(who.Address, who.Name)
			kinds[who.Address] = clean(cmp.Or(who.Category, string(who.Type)))
		}
	}
	for _, t := range page.Items {
		d.labels.set(t.Mint, t.Symbol)
		rows = append(rows, transfer{
			Signature: t.Signature, When: t.BlockTime, In: t.Direction == types.DirectionIn, Amount: amount(t.Amount), Symbol: d.labels.of(t.Mint), Mint: t.Mint,
			Counterparty: t.Counterparty, Who: d.labels.of(t.Counterparty), Kind: kinds[t.Counterparty],
		})
	}
	if kinds[owner] != "" {
		name = d.labels.of(owner)
	}
	return rows, name, err // without names on the Free plan
}

// An nft is a picture in the gallery.
type nft struct {
	Name, Collection, Image string
	Compressed              bool
}

// nfts returns some NFTs of a wallet, with the copies of their images that the service has.
func (d *dashboard) nfts(ctx context.Context, owner types.Address) ([]nft, error) {
	opts := &das.AssetsOptions{Limit: 24, ShowCollectionMetadata: true}
	page, err := d.assets.AssetsByOwner(ctx, owner, opts).Page()
	if err != nil {
		return nil, err
	}
	var shown []nft
	for _, a := range page.Items {
		if a.Err != "" {
			continue
		}
		n := nft{Name: cmp.Or(clean(a.Content.Name()), short(a.ID)), Compressed: a.Compression.Compressed}
		n.Image = d.picture(a.Content.CDNImage(), a.ID, n.Name)
		if c := a.Collection(); c != nil {
			var metadata struct{ Name string }
			_ = json.Unmarshal(c.Metadata, &metadata) // by a stranger
			n.Collection = clean(metadata.Name)
		}
		shown = append(shown, n)
	}
	return shown, nil
}

// compressedTokens returns the compressed tokens of a wallet, which its balances do not
// include.
func (d *dashboard) compressedTokens(ctx context.Context, owner types.Address) ([]token, error) {
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
	var tokens []token
	for i, b := range page.Items {
		a := assets[i]
		if a == nil || a.TokenInfo == nil {
			tokens = append(tokens, token{Mint: b.Mint, Symbol: short(b.Mint), Logo: d.picture("", b.Mint, "?")})
			continue
		}
		symbol, held := cmp.Or(clean(a.TokenInfo.Symbol), short(b.Mint)), decimal.NewFromUint64(b.RawAmount).Shift(-int32(a.TokenInfo.Decimals))
		t := token{Mint: b.Mint, Name: clean(a.Content.Name()), Symbol: symbol, Amount: amount(held), Logo: d.picture(a.Content.CDNImage(), b.Mint, symbol)}
		if p, ok := usd(a); ok {
			t.Price, t.Value = price(p), money(p.Mul(held))
		}
		tokens = append(tokens, t)
	}
	return tokens, nil
}

// usd returns the price of a token in US dollars.
func usd(a *das.Asset) (decimal.Decimal, bool) {
	if a == nil || a.TokenInfo == nil || a.TokenInfo.Price == nil || a.TokenInfo.Price.Currency != "USDC" {
		return decimal.Decimal{}, false
	}
	p := a.TokenInfo.Price.PricePerToken
	return p.Decimal, p.Valid && sane(p.Decimal)
}

// value draws how much the holdings were worth after each transaction, at the prices of
// today: their value now without the changes since. The prices make no difference between native and wrapped
// SOL, so it does not matter which of them a change means.
func (d *dashboard) value(ctx context.Context, h *holdings, history []wallet.Transaction) (*chart, error) {
	var gone []types.Address // tokens that the wallet no longer has
	for _, tx := range history {
		for _, c := range tx.BalanceChanges {
			if _, held := h.prices[priced(c.Mint)]; !held && !slices.Contains(gone, c.Mint) {
				gone = append(gone, c.Mint)
			}
		}
	}
	if len(gone) > 0 {
		assets, err := d.assets.Assets(ctx, gone, nil)
		if err != nil {
			return nil, err
		}
		for i, a := range assets {
			if p, ok := usd(a); ok {
				h.prices[gone[i]] = p
			}
		}
	}
	var points []point
	total := h.total
	for _, tx := range history {
		if !tx.BlockTime.IsZero() { // it is not very recent
			points = append(points, point{tx.BlockTime.Time, total})
		}
		for _, c := range tx.BalanceChanges {
			if sane(c.Amount) {
				total = total.Sub(c.Amount.Mul(h.prices[priced(c.Mint)]))
			}
		}
	}
	if len(points) == 0 {
		return nil, nil //nolint:nilnil // nothing to draw
	}
	slices.Reverse(points)
	return draw(points, d.clock())
}

// priced returns the mint with the price of a token.
func priced(mint types.Address) types.Address {
	if mint.IsNativeSOL() {
		return types.WrappedSOL
	}
	return mint
}
