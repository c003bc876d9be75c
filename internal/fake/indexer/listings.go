// Package indexer answers the methods of compressed accounts from the world.
package indexer

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"sort"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/internal/fake/wire"
	"github.com/solwire/solwire-go/internal/fake/world"
)

// invalid is a refusal of arguments in the words of the indexer.
func invalid(format string, args ...any) *wire.Refusal {
	return &wire.Refusal{Code: -32000, Message: "Validation Error: " + fmt.Sprintf(format, args...)}
}

func unknownRecord(what string) *wire.Refusal {
	return &wire.Refusal{Code: -32000, Message: "Record Not Found: " + what}
}

func internalError() *wire.Refusal {
	return &wire.Refusal{Code: -32000, Message: "Internal server error"}
}

// tooFar is an offset that the integers of the indexer's database cannot hold.
const tooFar = 1<<31 - 1

// cursorOf returns a cursor of size bytes, empty if there is none.
func cursorOf(p *wire.Params, size int) string {
	text, given := p.Text("cursor")
	cursor, err := world.Unbase58(text)
	switch {
	case err != nil && size == signatureCursor:
		p.Refuse(invalid("Invalid cursor %s", text))
	case err != nil:
		p.Invalidf("cursor", "invalid value: string %q, expected base58", text)
	case given && len(cursor) != size:
		p.Refuse(invalid("Invalid cursor length. Expected %d. Received %d.", size, len(cursor)))
	}
	return string(cursor)
}

// A filter compares bytes at an offset in the data of an account.
type filter struct {
	offset uint64
	bytes  string
}

func (f filter) match(data []byte) bool {
	part := wire.Slice{Offset: f.offset, Length: uint64(len(f.bytes))}
	return data != nil && string(part.Of(data)) == f.bytes
}

func filtersOf(p *wire.Params) []filter {
	raw, given := p.Members["filters"]
	if !given {
		return nil
	}
	var elements []json.RawMessage
	if json.Unmarshal(raw, &elements) != nil || elements == nil {
		p.Invalidf("filters", "invalid type: %s, expected a sequence", wire.Kind(raw))
	}
	var filters []filter
	for _, raw := range elements {
		element := p.Inner("filters", raw, "memcmp")
		if !element.Has("memcmp") {
			p.Refuse(invalid("Filter instance cannot be null"))
		}
		element = p.Inner("memcmp", element.Members["memcmp"], "offset", "bytes")
		f := filter{offset: element.Integer("offset")}
		text, given := element.Text("bytes")
		if !given {
			element.Invalidf("", "missing field `bytes`")
		}
		b, err := world.Unbase58(text)
		if err != nil || text == "" && !p.Lenient { // empty bytes match everything
			element.Invalidf("bytes", "invalid value: string %q, expected base58", text)
		}
		if f.offset >= tooFar {
			p.Refuse(internalError())
		}
		f.bytes = string(b)
		filters = append(filters, f)
	}
	if len(filters) > 5 {
		p.Refuse(invalid("Too many filters. The maximum number of filters allowed is 5"))
	}
	return filters
}

// A page is the answer to a listing while it is being written. A full page has a cursor, the one
// of its last item, even if nothing follows.
type page struct {
	*wire.Params
	limit  int
	items  []byte
	count  int
	cursor string

	account world.Compressed
	v2      bool
}

func newPage(p *wire.Params, v2 bool) *page {
	return &page{Params: p, limit: p.Limit(), items: []byte{}, v2: v2}
}

// add adds an item if there is room for it.
func (p *page) add(cursor string, appendItem func(b []byte) []byte) bool {
	if p.count == p.limit {
		return false
	}
	if p.count > 0 {
		p.items = append(p.items, ',')
	}
	p.items, p.cursor = appendItem(p.items), cursor
	p.count++
	return true
}

// addJSON is add for an item with a template.
func (p *page) addJSON(cursor, template string, values ...any) bool {
	return p.add(cursor, func(b []byte) []byte { return world.AppendJSON(b, template, values...) })
}

// finish returns the page, of which the list has a name.
func (p *page) finish(name string) []byte {
	if p.count < p.limit {
		p.cursor = ""
	}
	return inContext(p.Call, world.JSON(`{"`+name+`":[?],"cursor":!}`, json.RawMessage(p.items), p.cursor))
}

// inContext is a result with its slot.
func inContext(c *wire.Call, value any) []byte {
	return world.JSON(`{"context":{"slot":?},"value":?}`, c.World.Slot(), value)
}

// accountsByOwner lists the accounts of an owner.
func accountsByOwner(c *wire.Call, v2 bool) []byte {
	p := c.Named("owner", "cursor", "limit", "dataSlice", "filters")
	owner, cursor, list, part, filters := p.Key("owner", true), p.Key("cursor", false), newPage(p, v2), p.Slice(), filtersOf(p)
	if part != nil && (part.Offset >= tooFar || part.Length > tooFar) {
		p.Refuse(internalError())
	}
	if c.Refused != nil {
		return nil
	}
	x := &list.account
	for range c.World.Compressed.Accounts(owner, cursor, x) {
		if slices.ContainsFunc(filters, func(f filter) bool { return !f.match(x.Data) }) {
			continue
		}
		x.Data = part.Of(x.Data)
		if !list.add(x.Hash, func(b []byte) []byte { return appendAccount(b, x, v2) }) {
			break
		}
	}
	return list.finish("items")
}

// token adds a token account.
func (p *page) token(r world.TokenRef) bool {
	x := &p.account
	r.Fill(x, r.I)
	cursor := base58.Encode([]byte(world.Key(r.Token.Mint) + world.Key(x.Hash)))
	return p.add(cursor, func(b []byte) []byte {
		return world.AppendJSON(b, `{"account":?,"tokenData":?}`, json.RawMessage(appendAccount(nil, x, p.v2)), tokenData(x, r.Group, r.I))
	})
}

// tokenAccountsByDelegate lists accounts in the order of their mints and hashes.
func tokenAccountsByDelegate(c *wire.Call, v2 bool) []byte {
	p := c.Named("delegate", "mint", "cursor", "limit")
	delegate, mint, cursor, list := p.Key("delegate", true), p.Key("mint", false), cursorOf(p, 64), newPage(p, v2)
	if c.Refused != nil {
		return nil
	}
	for r := range c.World.Compressed.TokensBy(delegate, mint, cursor) {
		if !list.token(r) {
			break
		}
	}
	return list.finish("items")
}

// tokenAccountsByOwner lists accounts in the order of their mints and hashes.
func tokenAccountsByOwner(c *wire.Call, v2 bool) []byte {
	p := c.Named("owner", "mint", "cursor", "limit")
	owner, mint, cursor, list := p.Key("owner", true), p.Key("mint", false), cursorOf(p, 64), newPage(p, v2)
	if c.Refused != nil {
		return nil
	}
	all := c.World.Compressed.TokensOf(owner)
	if mint != "" && cursor != "" { // then the mint in the cursor does not count
		cursor = world.Key(mint) + cursor[32:]
	} else if mint != "" {
		cursor = world.Key(mint)
	}
	first := sort.Search(len(all), func(i int) bool { return all[i].Place > cursor })
	for _, r := range all[first:] {
		if mint != "" && r.Token.Mint != mint || !list.token(r) {
			break
		}
	}
	return list.finish("items")
}

// tokenBalancesByOwner lists what an owner has of each mint, in the order of the mints. The
// list has its own name in each version.
func tokenBalancesByOwner(name string) func(*wire.Call) []byte {
	return func(c *wire.Call) []byte {
		p := c.Named("owner", "mint", "cursor", "limit")
		owner, mint, cursor, list := p.Key("owner", true), p.Key("mint", false), cursorOf(p, 32), newPage(p, false)
		mints, raw := c.World.Compressed.BalancesOf(owner)
		for _, m := range mints {
			if (mint == "" || m == mint) && world.Key(m) > cursor {
				list.addJSON(m, `{"mint":?,"balance":?}`, m, raw[m])
			}
		}
		return list.finish(name)
	}
}

// holders lists the owners of the compressed tokens of a mint, the largest first.
func holders(c *wire.Call) []byte {
	p := c.Named("mint", "cursor", "limit")
	mint, cursor, list := p.Key("mint", true), cursorOf(p, 40), newPage(p, false)
	if c.Refused != nil {
		return nil
	}
	all, first := c.World.Compressed.Holders(mint), 0
	if cursor != "" {
		balance := binary.LittleEndian.Uint64([]byte(cursor))
		first = sort.Search(len(all), func(i int) bool {
			return all[i].Amount < balance || all[i].Amount == balance && all[i].Key < cursor[8:]
		})
	}
	for _, h := range all[first:] {
		if !list.addJSON(numbered(h.Amount, h.Key), `{"owner":?,"balance":?}`, h.Owner, h.Amount) {
			break
		}
	}
	return list.finish("items")
}

// numbered is a cursor of a number and the bytes of a key.
func numbered(n uint64, key string) string {
	return base58.Encode(append(binary.LittleEndian.AppendUint64(nil, n), key...))
}

// appendAccount adds x as JSON, as the methods of the first or the second version send it.
func appendAccount(b []byte, x *world.Compressed, v2 bool) []byte {
	var data, seq any
	if x.Data != nil {
		data = world.JSON(`{"discriminator":?,"data":?,"dataHash":?}`, x.Discriminator, x.Data, x.DataHash)
	}
	if !x.Queued() {
		seq = x.Seq
	}
	b = world.AppendJSON(b, `{"hash":?,"address":!,"data":?,"owner":?,"lamports":?,`, x.Hash, x.Address, data, x.Owner, x.Lamports)
	if v2 {
		b = world.AppendJSON(b, `"proveByIndex":?,"merkleContext":?,`, x.Queued(), contextOf(treeType(x), x.Tree, x.Queue(), `,"nextTreeContext":null`))
	} else {
		b = world.AppendJSON(b, `"tree":?,`, x.Tree)
	}
	return world.AppendJSON(b, `"leafIndex":?,"seq":?,"slotCreated":?}`, x.Leaf, seq, x.Created)
}

// contextOf tells a tree, as the methods of the second version do, some with a further member.
func contextOf(kind int, tree, queue, more string) json.RawMessage {
	return world.JSON(`{"treeType":?,"tree":?,"queue":?,"cpiContext":null`+more+`}`, kind, tree, queue)
}

// treeType is 1 for state trees of the first version and 3 of the second.
func treeType(x *world.Compressed) int {
	if x.Queued() {
		return 3
	}
	return 1
}

// tokenData returns token account i of a group.
func tokenData(x *world.Compressed, g *world.Group, i int) json.RawMessage {
	state := "initialized"
	if x.Frozen {
		state = "frozen"
	}
	var extensions any
	if e := g.Extensions(i); e != nil {
		extensions = e
	}
	return world.JSON(`{"mint":?,"owner":?,"amount":?,"delegate":!,"state":?,"tlv":?}`, g.Token.Mint, x.TokenOwner, x.Amount, g.Delegate, state, extensions)
}
