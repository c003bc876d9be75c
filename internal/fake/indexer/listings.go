// Package indexer answers the methods of compressed accounts from the world.
package indexer

import (
	"encoding/binary"
	"encoding/json"
	"slices"
	"sort"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/internal/fake/wire"
	"github.com/solwire/solwire-go/internal/fake/world"
)

// failed is the code of all errors of the indexer.
const failed = -32000

const internalError = "Internal server error"

// cursorOf returns a cursor of size bytes, empty if there is none.
func cursorOf(p *wire.Params, size int) string {
	text, given := p.Text("cursor")
	cursor, err := world.Unbase58(text)
	if given && (err != nil || len(cursor) != size) {
		p.Fail(failed, "Validation Error: Invalid cursor length. Expected %d. Received %d.", size, len(cursor))
		return ""
	}
	return string(cursor)
}

// A page is the answer to a listing while it is being written.
type page struct {
	out          []byte
	limit, items int
}

// newPage returns a page, of which the list has a name.
func newPage(p *wire.Params, name string) *page {
	limit := p.Limit()
	return &page{world.AppendJSON(nil, `{"context":{"slot":?},"value":{"`+name+`":[`, p.World.Slot()), limit, 0}
}

// next prepares for one more item. It is false if there is no room for it.
func (p *page) next() bool {
	if p.items == p.limit {
		return false
	}
	if p.items > 0 {
		p.out = append(p.out, ',')
	}
	if p.items == 128 { // the page may become a full one
		p.out = slices.Grow(p.out, len(p.out)/128*p.limit)
	}
	p.items++
	return true
}

// finish ends the list. A full page has a cursor, the one of its last item, even if nothing
// follows.
func (p *page) finish(cursor string) []byte {
	if p.items == 0 || p.items < p.limit {
		cursor = ""
	}
	return world.AppendJSON(p.out, `],"cursor":!}}`, cursor)
}

// inContext is a result with its slot.
func inContext(c *wire.Call, value any) []byte {
	return world.JSON(`{"context":{"slot":?},"value":?}`, c.World.Slot(), value)
}

// accountsByOwner lists the accounts of an owner.
func accountsByOwner(c *wire.Call, v2 bool) []byte {
	p := c.Named("owner", "cursor", "limit", "dataSlice", "filters")
	owner, cursor, list := p.Key("owner", true), p.Key("cursor", false), newPage(p, "items")
	part, _ := wire.Member[*wire.Slice](p, "dataSlice", "a map")
	conditions, _ := wire.Member[[]json.RawMessage](p, "filters", "a sequence")
	filters := p.Filters(conditions, 5)
	if slices.ContainsFunc(filters, func(f wire.Filter) bool { return f.Memcmp == nil }) {
		p.Fail(failed, "Validation Error: Filter instance cannot be null")
	}
	var x world.Compressed
	last := ""
	for range c.World.Compressed.Accounts(owner, cursor, &x) {
		if slices.ContainsFunc(filters, func(f wire.Filter) bool { return x.Data == nil || !f.Matches(x.Data) }) {
			continue
		}
		if !list.next() {
			break
		}
		x.Data, last = part.Of(x.Data), x.Hash
		list.out = appendAccount(list.out, &x, v2)
	}
	return list.finish(last)
}

// tokenAccounts lists the token accounts of an owner or a delegate, in the order of their mints
// and hashes.
func tokenAccounts(name string) func(*wire.Call, bool) []byte {
	return func(c *wire.Call, v2 bool) []byte {
		p := c.Named(name, "mint", "cursor", "limit")
		of, mint, cursor, list := p.Key(name, true), p.Key("mint", false), cursorOf(p, 64), newPage(p, "items")
		all := c.World.Compressed.Tokens(name + " " + of)
		if mint != "" && cursor != "" { // then the mint in the cursor does not count
			cursor = world.Key(mint) + cursor[32:]
		} else if mint != "" {
			cursor = world.Key(mint)
		}
		var x world.Compressed
		last := ""
		for _, r := range all[sort.Search(len(all), func(i int) bool { return all[i].Place > cursor }):] {
			if mint != "" && r.Mint != mint || !list.next() {
				break
			}
			r.Fill(&x, r.I)
			list.out = appendAccount(append(list.out, `{"account":`...), &x, v2)
			list.out = append(appendTokenData(append(list.out, `,"tokenData":`...), &x, r.Group), '}')
			last = r.Place
		}
		return list.finish(base58.Encode([]byte(last)))
	}
}

// tokenBalancesByOwner lists what an owner has of each mint, in the order of the mints. The
// list has its own name in each version.
func tokenBalancesByOwner(name string) func(*wire.Call) []byte {
	return func(c *wire.Call) []byte {
		p := c.Named("owner", "mint", "cursor", "limit")
		owner, mint, cursor, list := p.Key("owner", true), p.Key("mint", false), cursorOf(p, 32), newPage(p, name)
		mints, raw := c.World.Compressed.BalancesOf(owner)
		last := ""
		for _, m := range mints {
			if (mint == "" || m == mint) && world.Key(m) > cursor && list.next() {
				list.out = world.AppendJSON(list.out, `{"mint":?,"balance":?}`, m, raw[m])
				last = m
			}
		}
		return list.finish(last)
	}
}

// holders lists the owners of the compressed tokens of a mint, the largest first.
func holders(c *wire.Call) []byte {
	p := c.Named("mint", "cursor", "limit")
	mint, cursor, list := p.Key("mint", true), cursorOf(p, 40), newPage(p, "items")
	all, first := c.World.Compressed.Holders(mint), 0
	if cursor != "" {
		balance := binary.LittleEndian.Uint64([]byte(cursor))
		first = sort.Search(len(all), func(i int) bool {
			return all[i].Amount < balance || all[i].Amount == balance && all[i].Key < cursor[8:]
		})
	}
	var last world.Holder
	for _, h := range all[first:] {
		if !list.next() {
			break
		}
		list.out, last = world.AppendJSON(list.out, `{"owner":?,"balance":?}`, h.Owner, h.Amount), h
	}
	return list.finish(numbered(last.Amount, last.Key))
}

// numbered is a cursor of a number and the bytes of a key.
func numbered(n uint64, key string) string {
	return base58.Encode(append(binary.LittleEndian.AppendUint64(nil, n), key...))
}

// appendAccount adds x as JSON, as the methods of the first or the second version send it.
func appendAccount(b []byte, x *world.Compressed, v2 bool) []byte {
	b = world.AppendJSON(b, `{"hash":?,"address":!,"data":`, &x.Hash, &x.Address)
	if x.Data == nil {
		b = append(b, "null"...)
	} else {
		b = world.AppendJSON(b, `{"discriminator":?,"data":?,"dataHash":?}`, &x.Discriminator, &x.Data, &x.DataHash)
	}
	b = world.AppendJSON(b, `,"owner":?,"lamports":?,`, &x.Owner, &x.Lamports)
	if v2 {
		b = world.AppendJSON(b, `"proveByIndex":?,"merkleContext":`, x.Queued())
		b = appendContext(b, treeType(x), &x.Tree, x.Queue(), `,"nextTreeContext":null`)
	} else {
		b = world.AppendJSON(b, `"tree":?`, &x.Tree)
	}
	var seq any
	if !x.Queued() {
		seq = &x.Seq
	}
	return world.AppendJSON(b, `,"leafIndex":?,"seq":?,"slotCreated":?}`, &x.Leaf, seq, &x.Created)
}

// appendContext tells a tree, as the methods of the second version do, some with a further member.
func appendContext(b []byte, kind int, tree, queue *string, more string) json.RawMessage {
	b = world.AppendJSON(b, `{"treeType":?,"tree":?,"queue":?,"cpiContext":null`, kind, tree, queue)
	return append(append(b, more...), '}')
}

// treeType is 1 for state trees of the first version and 3 of the second.
func treeType(x *world.Compressed) int {
	if x.Queued() {
		return 3
	}
	return 1
}

// appendTokenData adds a token account of a group.
func appendTokenData(b []byte, x *world.Compressed, g *world.Group) []byte {
	state := "initialized"
	if x.Frozen {
		state = "frozen"
	}
	return world.AppendJSON(b, `{"mint":?,"owner":?,"amount":?,"delegate":!,"state":?,"tlv":null}`, &g.Mint, &x.TokenOwner, &x.Amount, &g.Of, state)
}
