package main

import (
	"cmp"
	"context"
	"log"
	"net/url"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
)

// A page is the data of the template.
type page struct {
	Query   string // as the user typed it
	Err     string // why the wallet is not shown, in plain words
	Default types.Address
	MadeUp  bool
	Credits uint64 // since the program started
	Spent   []types.Spent

	Wallet types.Address
	Range  span
	Sort   string
	Wait   int // seconds until the holdings are read again; 0 means not by themselves
	data
	Total                         decimal.Decimal
	Tables                        [3][]token
	Value                         section[chart]
	Activity, More, Earlier, Spam []entry // More is closed on a phone; Spam is worth nothing
}

// fill reads a wallet.
func (d *dashboard) fill(ctx context.Context, p *page) {
	v := d.view(p.Wallet)
	defer v.mu.Unlock()
	now := d.clock()
	d.read(ctx, p.Wallet, v)
	if err := v.failure(); err != nil {
		log.Print(err)
	}
	p.data = v.data
	if v.Behind {
		p.Wait = int((pause - now.Sub(v.Balances)).Seconds()) + 1
	}
	tokens := slices.Clone(v.Tokens.Data)
	for _, b := range v.compressed {
		if len(v.Tokens.Data) > 0 || v.Tokens.Err == nil { // alone, they would look like all
			t := d.tokenOf(b.Mint, v.assets[b.Mint], b.RawAmount)
			t.Compressed = true
			tokens = append(tokens, t)
		}
	}
	p.Total, p.Tables = tables(tokens, p.Sort)
	total, high := p.Total, 8+7*len(p.Tables[0])/8 // as the chart and the holdings beside
	for _, e := range v.History.Data.Entries {
		if e.Time.After(v.Balances) { // it is not in the total yet
			total = total.Add(e.flow(v.assets))
		}
		list := &p.Earlier
		switch n := len(p.Activity) + len(p.More); {
		case e.isSpam(v.assets):
			list = &p.Spam
		case n < 8:
			list = &p.Activity
		case n < high:
			list = &p.More
		}
		if len(*list) < shownTokens {
			*list = append(*list, e)
		}
	}
	if p.Value.Err = cmp.Or(v.Tokens.Err, v.History.Err); p.Value.Err == nil {
		p.Value.Data = worth(total, &v.History.Data, v.assets, now, p.Range)
	}
}

// isSpam reports whether others have made a transaction that brings nothing of value.
func (e entry) isSpam(assets map[types.Address]*das.Asset) bool {
	paid := func(c change) bool { return c.Net.IsNegative() }
	return !slices.ContainsFunc(e.Changes, paid) && e.flow(assets).LessThan(decimal.New(1, -2))
}

// Link returns the link to the page with a range and an order.
func (p page) Link(name, sort string) string {
	return "/?" + url.Values{"wallet": {string(p.Wallet)}, "range": {name}, "sort": {sort}}.Encode()
}

// A column is the head of a column, by which the user can sort if it has an order.
type column struct {
	Name, Sort string
	Order      string // of the values, ascending or descending
}

// Columns returns the columns of the tables of tokens.
func (page) Columns() []column {
	return []column{{"Token", "token", "ascending"}, {"Amount", "amount", "descending"}, {"Price", "price", "descending"}, {"Value", "", "descending"}, {"Share", "", ""}}
}
