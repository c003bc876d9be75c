package main

import (
	"cmp"
	"context"
	"log"
	"net/url"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/types"
)

// A page is the data of the template.
type page struct {
	Query    string // as the user typed it
	Err      string // why the wallet is not shown, in plain words
	Default  types.Address
	MadeUp   bool
	Explorer string
	Credits  uint64 // since the program started
	Spent    []types.Spent

	Wallet     types.Address
	Notice     *notice // why the address is not a wallet
	Range      span
	Sort       string
	Loaded     time.Time // when the holdings were read
	Newer      int       // transactions since then
	Wait       int       // seconds until the holdings are read again; 0 means not by themselves
	Cost       uint64
	Tokens     section[holdings]
	Compressed section[[]token]
	NFTs       section[[]nft]
	Value      section[chart]
	History    section[history]
	Activity   []entry
	More       []entry // closed on a phone
	Earlier    []entry
	Spam       []entry // worth nothing, from strangers
	Names      string  // why names are missing, in plain words
}

// fill reads a wallet.
func (d *dashboard) fill(ctx context.Context, p *page, fresh bool) {
	v := d.view(p.Wallet)
	defer v.mu.Unlock()
	now := d.clock()
	d.read(ctx, p.Wallet, v, now.Add(-p.Range.For), fresh)
	if err := v.failure(); err != nil {
		log.Print(err)
	}
	p.Notice, p.Loaded, p.Newer, p.Cost = v.notice, v.balances, v.newer, v.cost
	if v.behind {
		p.Wait = int((pause - now.Sub(v.balances)).Seconds()) + 1
	}
	all := slices.Concat(v.tokens.Data, v.compressed.Data)
	if v.tokens.Err != nil && len(v.tokens.Data) == 0 {
		all = nil // the compressed tokens alone would look like all
	}
	p.Tokens = section[holdings]{sorted(all, p.Sort), v.tokens.Err}
	p.Tokens.Data.Complete = v.complete
	p.Compressed, p.NFTs = v.compressed, v.nfts
	if v.names != nil {
		p.Names = plain(v.names)
	}
	p.History = v.history
	if p.Value.Err = cmp.Or(v.tokens.Err, v.history.Err); p.Value.Err == nil {
		total := p.Tokens.Data.Total
		for _, e := range v.history.Data.Entries {
			if e.Time.After(v.balances) { // it is not in the total yet
				total = total.Add(e.flow(v.prices))
			}
		}
		p.Value.Data = worth(total, &v.history.Data, v.prices, now, p.Range)
	}
	shown := 8 + 7*len(p.Tokens.Data.Top)/8 // as high as the chart and the holdings beside
	for _, e := range v.history.Data.Entries {
		switch {
		case e.isSpam(v.prices) && len(p.Spam) < shownTokens:
			p.Spam = append(p.Spam, e)
		case e.isSpam(v.prices):
		case len(p.Activity) < 8:
			p.Activity = append(p.Activity, e)
		case len(p.Activity)+len(p.More) < shown:
			p.More = append(p.More, e)
		case len(p.Earlier) < 2*shownTokens:
			p.Earlier = append(p.Earlier, e)
		}
	}
}

// isSpam reports whether others have made a transaction that brings nothing of value.
func (e entry) isSpam(prices map[types.Address]decimal.Decimal) bool {
	for _, c := range e.Changes {
		if c.Moved.IsNegative() {
			return false
		}
	}
	return !e.Own && e.flow(prices).LessThan(decimal.New(1, -2))
}

// Link returns the link to the page with a range and an order.
func (p page) Link(name, sort string) string {
	values := url.Values{"wallet": {string(p.Wallet)}}
	if name != spanOf("").Name {
		values.Set("range", name)
	}
	if sort != "" {
		values.Set("sort", sort)
	}
	return "/?" + values.Encode()
}

// A column is the head of a column that the user can sort by.
type column struct{ Name, Link, Current string }

// Column returns the head of a column.
func (p page) Column(sort, name string) column {
	c := column{Name: name, Link: p.Link(p.Range.Name, sort)}
	switch {
	case sort != p.Sort:
	case sort == "token":
		c.Current = "ascending"
	default:
		c.Current = "descending"
	}
	return c
}

// A row is a token or an entry, with facts of the page for its template.
type row struct {
	Of       any
	Explorer string
	Address  string // page of a token in the explorer, empty for SOL
	Share    string // of a token in the total, in percent
}

// Row returns the row of a token or an entry.
func (p page) Row(of any) row {
	r := row{Of: of, Explorer: p.Explorer}
	if t, ok := of.(token); ok {
		r.Share = p.Tokens.Data.Share(t)
		if !t.Mint.IsNativeSOL() {
			r.Address = p.Explorer + "/address/" + string(t.Mint)
		}
	}
	return r
}

// Parties are the first of the other wallets.
func (e entry) Parties() []types.Address { return e.With[:min(len(e.With), 2)] }

// Ranges returns the times that the chart can show.
func (page) Ranges() []span { return spans() }
