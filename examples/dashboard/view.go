package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
)

const (
	kept  = 5 * time.Minute  // how long a view is shown without reading all of it again
	pause = 30 * time.Second // between two readings of the holdings, while transactions happen
)

// A view keeps the data of a wallet. Each has a lock, so that a slow one holds up no other.
type view struct {
	mu     sync.Mutex
	loaded time.Time // when all of it was read
	data
}

// The data of a wallet.
type data struct {
	Notice     *notice // why it is not a wallet; nil for a wallet
	Tokens     section[[]token]
	Complete   bool  // whether Tokens are all of them
	Compressed error // why compressed tokens are missing
	NFTs       section[[]das.Asset]
	History    section[history]
	Names      error     // why they are missing
	Balances   time.Time // when the tokens were read
	Behind     bool      // whether transactions may have happened since then
	compressed []compressed.TokenBalance
	assets     map[types.Address]*das.Asset // of all tokens; nil if unknown
}

// A section is a part of a view. Its failure leaves the other sections, and its older data,
// unchanged.
type section[T any] struct {
	Data T
	Err  error
}

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
		if len(d.views) >= 20 {
			clear(d.views)
		}
		v = &view{data: data{assets: map[types.Address]*das.Asset{}}}
		d.views[owner] = v
	}
	d.mu.Unlock()
	v.mu.Lock()
	return v
}

// read brings a view up to date.
func (d *dashboard) read(ctx context.Context, owner types.Address, v *view) {
	now, first := d.clock(), v.loaded.IsZero()
	age := now.Sub(v.loaded)
	all := age >= kept || age >= pause && v.failure() != nil
	if all {
		v.loaded = now
		if v.Notice = d.notice(ctx, owner); v.Notice != nil {
			return
		}
	}
	again := all || v.Behind && now.Sub(v.Balances) >= pause
	if !again {
		return
	}
	var wait sync.WaitGroup
	wait.Go(func() { v.History.Err = d.readHistory(ctx, owner, &v.History.Data) })
	if all {
		wait.Go(func() { v.NFTs.set(d.readNFTs(ctx, owner)) })
		wait.Go(func() {
			page, err := d.compressed.TokenBalancesByOwner(ctx, owner, nil).Page()
			if v.Compressed = err; err == nil {
				v.compressed = page.Items
			}
		})
	}
	wait.Go(func() { v.Tokens.set(d.readTokens(ctx, owner, v)) })
	wait.Wait()
	v.Behind, v.Balances = false, d.clock() // after the times of transactions that have no block time yet
	v.History.Err = cmp.Or(v.History.Err, d.readAssets(ctx, v))
	if first || v.Names != nil { // other readings would pay again for each stranger
		v.Names = d.readNames(ctx, owner, v.History.Data.Entries)
	}
	if all && len(v.Tokens.Data)+len(v.compressed)+len(v.NFTs.Data)+len(v.History.Data.Entries) == 0 && v.failure() == nil {
		v.Notice = cmp.Or(d.asset(ctx, owner), &notice{
			Title: "Nothing is known about this address",
			Text:  "It has no SOL, no tokens, no NFTs and no recent transactions. An address with a typo looks like this, too.",
		})
	}
}

// failure returns why parts of a view are missing.
func (v *view) failure() error {
	return errors.Join(v.Tokens.Err, v.Compressed, v.NFTs.Err, v.History.Err, v.Names)
}

// priced returns the mint with the price of a token.
func priced(mint types.Address) types.Address {
	if mint.IsNativeSOL() {
		return types.WrappedSOL
	}
	return mint
}

// readNames finds out who the wallet and the other sides of its latest transactions are.
func (d *dashboard) readNames(ctx context.Context, owner types.Address, entries []entry) error {
	parties := []string{string(owner)}
	for _, e := range entries {
		for _, a := range e.With {
			if len(parties) < 100 && !slices.Contains(parties, string(a)) {
				parties = append(parties, string(a))
			}
		}
	}
	identities, err := d.wallets.Identities(ctx, parties) // 100 credits
	for _, who := range identities {
		if who.Known() {
			d.setLabel(who.Address, who.Name)
		}
	}
	return err
}

// note adds a transaction that has just happened.
func (d *dashboard) note(owner types.Address, e entry) {
	v := d.view(owner)
	defer v.mu.Unlock()
	if !v.loaded.IsZero() {
		v.History.Data.add(e)
		v.Behind = true
	}
}

// watched returns a wallet and the accounts of its most valuable tokens: an incoming transfer of
// tokens names only these. A lost connection costs 20 credits for each. The view may lack
// transactions from before the stream.
func (d *dashboard) watched(owner types.Address) []types.Address {
	v := d.view(owner)
	defer v.mu.Unlock()
	v.Behind = v.Behind || d.clock().Sub(v.Balances) > 2*beat
	all := []types.Address{owner}
	_, sorted := tables(v.Tokens.Data, "")
	for _, t := range sorted[0] {
		if t.account != "" && len(all) < 10 {
			all = append(all, t.account)
		}
	}
	return all
}

// A notice describes an address that is not a wallet.
type notice struct {
	Title, Text string
	Wallet      types.Address // to look at instead; empty for none
}

// notice describes the account of an address; nil for a wallet, or if nothing is known.
func (d *dashboard) notice(ctx context.Context, address types.Address) *notice {
	account, err := d.node.Account(ctx, address, &rpc.AccountOptions{Commitment: types.CommitmentConfirmed})
	if err != nil || account.Owner == types.SystemProgram { // wallets without SOL have no account
		return nil
	}
	if account.Executable {
		return &notice{Title: "This is a program, not a wallet", Text: "Programs hold no tokens themselves."}
	}
	if t, err := account.Data.TokenAccount(); err == nil {
		return &notice{"This is a token account, not a wallet", fmt.Sprintf("It holds %s for a wallet.", d.label(t.Mint)), t.Owner}
	}
	return d.asset(ctx, address)
}

// asset describes a token or an NFT, nil for other addresses.
func (d *dashboard) asset(ctx context.Context, id types.Address) *notice {
	a, err := d.assets.Asset(ctx, id, nil)
	if err != nil {
		return nil
	}
	n := &notice{"This is a token, not a wallet", cmp.Or(clean(a.Content.Name()), short(id)), a.Ownership.Owner}
	if n.Wallet != "" {
		n.Title = "This is an NFT, not a wallet"
	}
	if t := d.tokenOf(id, a, 0); t.Price.Valid {
		n.Text += fmt.Sprintf(" (%s). One costs $%s.", t.Symbol, amount(t.Price.Decimal))
	}
	return n
}
