package assets

import (
	"cmp"
	"encoding/json"
	"slices"
	"sort"

	"github.com/solwire/solwire-go/internal/fakeapi/wire"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
)

// A place is the requested part of a listing.
type place struct {
	limit, page           int
	cursor, before, after string
}

// placeOf reads the size and the place of a page.
func placeOf(p *wire.Params) place {
	at := place{limit: p.Limit(), cursor: p.Key("cursor", false), before: p.Key("before", false), after: p.Key("after", false)}
	if p.Has("page") {
		at.page = int(min(p.Integer("page"), 1_000_000))
	}
	return at
}

// sortOf reads the order of a listing.
func sortOf(p *wire.Params) (by string, descending bool) {
	by, direction := "id", ""
	if p.Has("sortBy") {
		in := p.Inner("sortBy")
		if word, given := in.Text("sortBy"); given {
			by = word
		}
		direction, _ = in.Text("sortDirection")
		p.OneOf(by, "id", "created", "updated", "recent_action", "none")
		p.OneOf(direction, "asc", "desc")
	}
	return by, direction != "asc"
}

// pageOf returns a page of a listing that is sorted by addresses in ascending order.
func pageOf[T any](at place, all []T, address func(T) string, descending bool) []T {
	after, before := at.after, at.before
	if descending {
		before = cmp.Or(at.cursor, before)
	} else {
		after = cmp.Or(at.cursor, after)
	}
	place := func(key string, least int) int {
		return sort.Search(len(all), func(i int) bool { return world.CompareKeys(address(all[i]), key) >= least })
	}
	first, past := place(after, 1), len(all)
	if before != "" {
		past = place(before, 0)
	}
	all = slices.Clone(all[min(first, past):past])
	if descending {
		slices.Reverse(all)
	}
	skip := min(max(at.page-1, 0)*at.limit, len(all))
	return all[skip : skip+min(at.limit, len(all)-skip)]
}

// tokenAccounts lists the token accounts of a mint, an owner, or both, by page number, by cursor
// or between two addresses.
func tokenAccounts(c *wire.Call) []byte {
	p := c.Named("owner", "mint", "limit", "page", "before", "after", "options", "displayOptions", "cursor")
	owner, mint := p.Key("owner", false), p.Key("mint", false)
	at, zero := placeOf(p), flag(showOf(p), "showZeroBalance")
	if owner+mint == "" {
		p.Fail(failed, "Database Error: Custom Error: Either 'ownerAddress' or 'mintAddress' must be provided")
	}
	all := c.World.TokenAccounts(world.AfterSlot(c.World.IndexedSlot()), func(a *world.TokenAccount) bool {
		return (owner == "" || a.Owner == owner) && (mint == "" || a.Token.Mint == mint) && (a.Amount > 0 || zero)
	})
	var items []json.RawMessage
	cursor := ""
	for _, a := range pageOf(at, all, func(a *world.TokenAccount) string { return a.Address }, false) {
		items = append(items, world.JSON(`{"address":?,"mint":?,"owner":?,"amount":?,"delegate":!,"delegated_amount":?,"close_authority":!,"frozen":?,"burnt":false,"extensions":null}`,
			a.Address, a.Token.Mint, a.Owner, a.Amount, a.Delegate, a.Delegated, a.Closer, a.Frozen))
		if at.page == 0 {
			cursor = a.Address
		}
	}
	return at.sent(c, len(items), `"cursor":!,"token_accounts":?,"errors":[]`, cursor, items)
}
