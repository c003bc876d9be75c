// Package indexer answers the methods of compressed accounts from the world.
package indexer

import (
	"encoding/binary"
	"encoding/json"
	"slices"
	"sort"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/internal/fakeapi/wire"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
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

// page answers with a page of a listing; name is the member with its items. A full page has the
// cursor of its last item, even if nothing follows.
func page(c *wire.Call, name string, limit int, items []json.RawMessage, cursor string) []byte {
	if len(items) == 0 || len(items) < limit {
		cursor = ""
	}
	return inContext(c, world.JSON(`{?:?,"cursor":!}`, name, items, cursor))
}

// inContext is a result with its slot.
func inContext(c *wire.Call, value any) []byte {
	return wire.InContext(c.World.Slot(), value)
}

// accountsByOwner lists the accounts of an owner.
func accountsByOwner(c *wire.Call, v2 bool) []byte {
	p := c.Named("owner", "cursor", "limit", "dataSlice", "filters")
	owner, cursor, limit := p.Key("owner", true), p.Key("cursor", false), p.Limit()
	part, _ := wire.Member[*wire.Slice](p, "dataSlice", "a map")
	conditions, _ := wire.Member[[]json.RawMessage](p, "filters", "a sequence")
	filters := p.Filters(conditions, 5)
	if slices.ContainsFunc(filters, func(f wire.Filter) bool { return f.Memcmp == nil }) {
		p.Fail(failed, "Validation Error: Filter instance cannot be null")
	}
	var items []json.RawMessage
	last := ""
	for x := range c.World.Compressed.Accounts(owner, cursor) {
		if slices.ContainsFunc(filters, func(f wire.Filter) bool { return x.Data == nil || !f.Matches(x.Data) }) {
			continue
		}
		if len(items) == limit {
			break
		}
		sent := *x
		sent.Data = part.Of(x.Data)
		items, last = append(items, text(&sent, v2)), x.Hash
	}
	return page(c, "items", limit, items, last)
}

// tokenAccounts lists the token accounts of an owner or a delegate, in the order of their mints
// and hashes.
func tokenAccounts(name string) func(*wire.Call, bool) []byte {
	return func(c *wire.Call, v2 bool) []byte {
		p := c.Named(name, "mint", "cursor", "limit")
		of, mint, cursor, limit := p.Key(name, true), p.Key("mint", false), cursorOf(p, 64), p.Limit()
		all := c.World.Compressed.Tokens(name + " " + of)
		if mint != "" && cursor != "" { // then the mint in the cursor does not count
			cursor = world.Key(mint) + cursor[32:]
		} else if mint != "" {
			cursor = world.Key(mint)
		}
		var items []json.RawMessage
		last := ""
		for _, x := range all[sort.Search(len(all), func(i int) bool { return all[i].Place() > cursor }):] {
			if mint != "" && x.Group.Mint != mint || len(items) == limit {
				break
			}
			items, last = append(items, world.JSON(`{"account":?,"tokenData":?}`, text(x, v2), tokenData(x))), x.Place()
		}
		return page(c, "items", limit, items, base58.Encode([]byte(last)))
	}
}

// tokenBalancesByOwner lists the balance of an owner in each mint, in the order of the mints.
// The list has its own name in each version.
func tokenBalancesByOwner(name string) func(*wire.Call) []byte {
	return func(c *wire.Call) []byte {
		p := c.Named("owner", "mint", "cursor", "limit")
		owner, mint, cursor, limit := p.Key("owner", true), p.Key("mint", false), cursorOf(p, 32), p.Limit()
		mints, raw := c.World.Compressed.BalancesOf(owner)
		var items []json.RawMessage
		last := ""
		for _, m := range mints {
			if (mint == "" || m == mint) && world.Key(m) > cursor && len(items) < limit {
				items, last = append(items, world.JSON(`{"mint":?,"balance":?}`, m, raw[m])), m
			}
		}
		return page(c, name, limit, items, last)
	}
}

// holders lists the owners of the compressed tokens of a mint, the largest first.
func holders(c *wire.Call) []byte {
	p := c.Named("mint", "cursor", "limit")
	mint, cursor, limit := p.Key("mint", true), cursorOf(p, 40), p.Limit()
	all := c.World.Compressed.Holders(mint)
	if cursor != "" {
		balance := binary.LittleEndian.Uint64([]byte(cursor))
		all = all[sort.Search(len(all), func(i int) bool {
			return all[i].Amount < balance || all[i].Amount == balance && world.Key(all[i].Owner) < cursor[8:]
		}):]
	}
	var items []json.RawMessage
	var last world.Holder
	for _, last = range all[:min(len(all), limit)] {
		items = append(items, world.JSON(`{"owner":?,"balance":?}`, last.Owner, last.Amount))
	}
	return page(c, "items", limit, items, numbered(last.Amount, world.Key(last.Owner)))
}

// numbered is a cursor of a number and the bytes of a key.
func numbered(n uint64, key string) string {
	return base58.Encode(append(binary.LittleEndian.AppendUint64(nil, n), key...))
}

// text returns x as the methods of the first or the second version send it, nil for no account.
func text(x *world.Compressed, v2 bool) json.RawMessage {
	if x == nil {
		return nil
	}
	data := world.When(x.Data != nil, `{"discriminator":?,"data":?,"dataHash":?}`, x.Discriminator, x.Data, x.DataHash)
	tree := world.JSON(`"tree":?`, x.Tree)
	if v2 {
		tree = world.JSON(`"proveByIndex":?,"merkleContext":?`, x.Queued(), stateContext(x, next))
	}
	var seq any
	if !x.Queued() {
		seq = x.Seq
	}
	return world.JSON(`{"hash":?,"address":!,"data":!,"owner":?,"lamports":?,?,"leafIndex":?,"seq":?,"slotCreated":?}`,
		x.Hash, x.Address, data, x.Owner, x.Lamports, tree, x.Leaf, seq, x.Opened.Slot)
}

// contextText describes a tree in the form of the second version. More is a further member.
func contextText(kind int, tree, queue, more string) json.RawMessage {
	return world.JSON(`{"treeType":?,"tree":?,"queue":?,"cpiContext":null`+more+`}`, kind, tree, queue)
}

// next is the further member of most trees.
const next = `,"nextTreeContext":null`

// stateContext describes the state tree of an account.
func stateContext(x *world.Compressed, more string) json.RawMessage {
	kind := 1 // of the first version
	if x.Queued() {
		kind = 3
	}
	return contextText(kind, x.Tree, x.Queue(), more)
}

// tokenData returns the tokens of a token account.
func tokenData(x *world.Compressed) json.RawMessage {
	state := "initialized"
	if x.Frozen {
		state = "frozen"
	}
	return world.JSON(`{"mint":?,"owner":?,"amount":?,"delegate":!,"state":?,"tlv":null}`, x.Group.Mint, x.TokenOwner, x.Amount, x.Group.Of, state)
}
