package main

import (
	"cmp"
	"context"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/parsedapi"
	"github.com/solwire/solwire-go/types"
)

// A notice describes an address that is not a wallet.
type notice struct {
	Title, Text string
	Wallet      types.Address // to look at instead; empty for none
	Image       string        // of the token or NFT
	Name        string
}

// notice describes the account of an address; nil for a wallet, or if nothing is known.
func (d *dashboard) notice(ctx context.Context, address types.Address) *notice {
	account, err := d.node.Account(ctx, address, &rpc.AccountOptions{Commitment: types.CommitmentConfirmed})
	if err != nil {
		return nil // wallets without SOL have no account
	}
	if account.Executable {
		return &notice{Title: "This is a program, not a wallet", Text: "Programs hold no tokens themselves."}
	}
	if t, err := account.Data.TokenAccount(); err == nil {
		return &notice{
			Title: "This is a token account, not a wallet", Wallet: t.Owner,
			Text: "It holds " + amount(types.Amount(t.TokenAmount.RawAmount, t.TokenAmount.Decimals)) + " " + d.label(t.Mint).Name + " for a wallet.",
		}
	}
	if mint, err := account.Data.Mint(); err == nil {
		n := d.asset(ctx, address)
		if n == nil {
			n = &notice{Title: "This is a token, not a wallet"}
		}
		n.Text += "Its supply is " + amount(mint.Supply()) + "."
		return n
	}
	return nil
}

// unused describes an address that holds nothing; nil for a wallet with older transactions.
func (d *dashboard) unused(ctx context.Context, address types.Address) *notice {
	opts := &parsedapi.HistoryOptions{PageOptions: types.PageOptions{Limit: 1}}
	if page, err := d.parsed.History(ctx, address, opts).Page(); err != nil || len(page.Items) > 0 {
		return nil
	}
	if n := d.asset(ctx, address); n != nil { // a compressed NFT
		return n
	}
	return &notice{
		Title: "Nothing is known about this address",
		Text:  "It has no SOL, no tokens, no NFTs and no transactions. An address with a typo looks like this, too.",
	}
}

// asset describes a token or an NFT, nil for other addresses.
func (d *dashboard) asset(ctx context.Context, id types.Address) *notice {
	a, err := d.assets.Asset(ctx, id, nil)
	if err != nil {
		return nil
	}
	n := &notice{Title: "This is a token, not a wallet", Name: cmp.Or(clean(a.Content.Name()), short(id)), Image: a.Content.CDNImage()}
	if a.TokenInfo != nil && a.TokenInfo.Symbol != "" {
		n.Name += " (" + clean(a.TokenInfo.Symbol) + ")"
	}
	if a.Ownership.Owner != "" {
		n.Title, n.Wallet = "This is an NFT, not a wallet", a.Ownership.Owner
	}
	if p := usd(a); p.Valid {
		n.Text = "One costs " + price(p.Decimal) + ". "
	}
	return n
}
