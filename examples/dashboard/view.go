package main

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/types"
)

const (
	kept  = 5 * time.Minute  // how long a view is shown without reading all of it again
	pause = 30 * time.Second // between two readings of the holdings, while transactions happen
)

// A view is the data of a wallet. Each has a lock, so that a slow one holds up
// no other.
type view struct {
	mu       sync.Mutex
	loaded   time.Time // when all of it was read
	balances time.Time // when the tokens were read
	newer    int       // transactions that happened since then
	behind   bool      // whether some may have happened
	cost     uint64    // of the last reading of all, in credits

	notice     *notice // why it is not a wallet; nil for a wallet
	tokens     section[[]token]
	complete   bool // whether tokens are all of them
	compressed section[[]token]
	nfts       section[[]nft]
	history    section[history]
	prices     map[types.Address]decimal.Decimal // 0 if unknown
	names      error                             // why they are missing
}

// A section is a part of a view. Its failure leaves the other sections, and its older data,
// unchanged.
type section[T any] struct {
	Data T
	Err  error
}

// Plain returns the error in plain words.
func (s section[T]) Plain() string { return plain(s.Err) }

func (s *section[T]) set(data T, err error) {
	if s.Err = err; err == nil {
		s.Data = data
	}
}

// view returns the view of a wallet, locked.
func (d *dashboard) view(owner types.Address) *view {
	d.mu.Lock()
	v := d.views[owner]
	if v == nil {
		for other := range d.views { // any one goes
			if len(d.views) >= 20 && other != d.owner {
				delete(d.views, other)
			}
		}
		v = &view{prices: map[types.Address]decimal.Decimal{}}
		d.views[owner] = v
	}
	d.mu.Unlock()
	v.mu.Lock()
	return v
}

// read brings a view up to date, with all transactions since a time.
func (d *dashboard) read(ctx context.Context, owner types.Address, v *view, since time.Time, fresh bool) {
	now, before := d.clock(), d.meter.Credits()
	all := fresh || now.Sub(v.loaded) >= kept
	if all {
		if v.notice = d.notice(ctx, owner); v.notice != nil {
			v.loaded, v.cost = now, d.meter.Credits()-before
			return
		}
	}
	again := all || v.behind && now.Sub(v.balances) >= pause
	var wait sync.WaitGroup
	if again || !v.history.Data.Capped && since.Before(v.history.Data.Since) {
		wait.Go(func() { v.history.Err = d.readHistory(ctx, owner, &v.history.Data, since) })
	}
	if all {
		wait.Go(func() { v.nfts.set(d.readNFTs(ctx, owner)) })
		wait.Go(func() { v.compressed.set(d.readCompressed(ctx, owner)) })
	}
	if again {
		tokens, complete, err := d.readTokens(ctx, owner)
		v.tokens.set(tokens, err)
		v.complete = complete
		v.newer, v.behind = 0, false
		for _, t := range v.tokens.Data {
			v.prices[priced(t.Mint)] = t.Price.Decimal
		}
	}
	wait.Wait()
	if again {
		v.balances = d.clock() // after the times of transactions that have no block time yet
	}
	v.history.Err = cmp.Or(v.history.Err, d.readPrices(ctx, v))
	if fresh || v.loaded.IsZero() { // other readings would pay again for each stranger
		v.names = d.readNames(ctx, owner, v.history.Data.Entries)
	}
	if all {
		v.loaded, v.cost = now, d.meter.Credits()-before
		if len(v.tokens.Data)+len(v.compressed.Data)+len(v.nfts.Data)+len(v.history.Data.Entries) == 0 && v.failure() == nil {
			v.notice = d.unused(ctx, owner)
		}
	}
}

// failure returns why parts of a view are missing.
func (v *view) failure() error {
	return errors.Join(v.tokens.Err, v.compressed.Err, v.nfts.Err, v.history.Err, v.names)
}

// priced returns the mint with the price of a token.
func priced(mint types.Address) types.Address {
	if mint.IsNativeSOL() {
		return types.WrappedSOL
	}
	return mint
}

// readPrices reads the names and prices of tokens that the wallet no longer holds.
func (d *dashboard) readPrices(ctx context.Context, v *view) error {
	var mints []types.Address
	for _, e := range v.history.Data.Entries {
		for _, c := range e.Changes {
			mint := priced(c.Mint)
			if _, known := v.prices[mint]; !known && !slices.Contains(mints, mint) {
				mints = append(mints, mint)
			}
		}
	}
	assets, err := d.assets.Assets(ctx, mints, nil)
	if err != nil {
		return err
	}
	for i, a := range assets {
		v.prices[mints[i]] = usd(a).Decimal
		if a != nil {
			d.setLabel(mints[i], cmp.Or(a.Content.Symbol(), a.Content.Name()), "")
		}
	}
	return nil
}

// readNames finds out who the wallet and the other sides of its latest transactions are.
func (d *dashboard) readNames(ctx context.Context, owner types.Address, entries []entry) error {
	parties := []string{}
	add := func(a types.Address) {
		if _, known := d.labels.Load(a); !known && !slices.Contains(parties, string(a)) {
			parties = append(parties, string(a))
		}
	}
	add(owner)
	for _, e := range entries[:min(len(entries), 2*shownTokens)] {
		for _, a := range e.With {
			add(a)
		}
	}
	identities, err := d.wallets.Identities(ctx, parties[:min(len(parties), 100)]) // 100 credits
	for i, who := range identities {
		switch {
		case who.Known():
			d.setLabel(who.Address, who.Name, cmp.Or(who.Category, string(who.Type)))
		case who != nil:
			d.labels.Store(types.Address(parties[i]), label{Name: short(types.Address(parties[i]))})
		}
	}
	return err
}

// note adds a transaction that has just happened.
func (d *dashboard) note(owner types.Address, e entry) {
	v := d.view(owner)
	defer v.mu.Unlock()
	if !v.loaded.IsZero() {
		v.history.Data.add(e)
		v.newer++
		v.behind = true
	}
}

// watched returns a wallet and the accounts of its most valuable tokens: an incoming transfer of
// tokens names only these. A lost connection costs 20 credits for each. The view may lack
// transactions from before the stream.
func (d *dashboard) watched(owner types.Address) []types.Address {
	v := d.view(owner)
	defer v.mu.Unlock()
	v.behind = v.behind || d.clock().Sub(v.balances) > 2*beat
	all := []types.Address{owner}
	for _, t := range sorted(v.tokens.Data, "").Top {
		if t.account != "" && len(all) < 10 {
			all = append(all, t.account)
		}
	}
	return all
}
