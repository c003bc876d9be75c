// Package indexer answers the methods of compressed accounts from the world.
package indexer

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strconv"

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
	case err != nil && size == 72:
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

func filtersOf(p *wire.Params, lenient bool) []filter {
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
		if element.Refused == nil && !element.Has("memcmp") {
			element.Refuse(invalid("Filter instance cannot be null"))
		}
		if element.Refused == nil {
			element = p.Inner("memcmp", element.Members["memcmp"], "offset", "bytes")
		}
		f := filter{offset: element.Integer("offset")}
		text, given := element.Text("bytes")
		if !given {
			element.Invalidf("", "missing field `bytes`")
		}
		b, err := world.Unbase58(text)
		if err != nil || text == "" && !lenient { // empty bytes match everything
			element.Invalidf("bytes", "invalid value: string %q, expected base58", text)
		}
		if f.offset >= tooFar {
			element.Refuse(internalError())
		}
		f.bytes = string(b)
		p.Refuse(element.Refused)
		filters = append(filters, f)
	}
	if len(filters) > 5 {
		p.Refuse(invalid("Too many filters. The maximum number of filters allowed is 5"))
	}
	return filters
}

// A page is the answer to a listing while it is being written.
type page struct {
	out     []byte
	limit   int
	items   int
	account world.Compressed
	v2      bool
}

func newPage(c *wire.Call, limit int, name string, v2 bool) *page {
	p := &page{limit: limit, v2: v2, out: make([]byte, 0, 700*limit+200)}
	p.out = append(p.out, `{"context":{"slot":`...)
	p.out = strconv.AppendUint(p.out, c.World.Slot(), 10)
	p.out = append(append(append(p.out, `},"value":{"`...), name...), `":[`...)
	return p
}

func (p *page) full() bool { return p.items == p.limit }

// next prepares for one more item.
func (p *page) next() {
	if p.items > 0 {
		p.out = append(p.out, ',')
	}
	p.items++
}

// finish ends the list. A full page has a cursor, the one of its last item, even if nothing
// follows.
func (p *page) finish(cursor string) []byte {
	if p.items == 0 || !p.full() {
		cursor = ""
	}
	p.out = append(p.out, `],"cursor":`...)
	p.out = appendText(p.out, []byte(cursor))
	return append(p.out, `}}`...)
}

// accountsByOwner lists the accounts of an owner.
func accountsByOwner(v2 bool) wire.Operation {
	return func(c *wire.Call) ([]byte, *wire.Refusal) {
		p := c.Named("owner", "cursor", "limit", "dataSlice", "filters")
		owner, cursor, limit, part, filters := p.Key("owner", true), p.Key("cursor", false), p.Limit(), p.Slice(), filtersOf(p, c.Lenient)
		if part != nil && (part.Offset >= tooFar || part.Length > tooFar) {
			p.Refuse(internalError())
		}
		if p.Refused != nil {
			return nil, p.Refused
		}
		list := newPage(c, limit, "items", v2)
		var last []byte
		for range c.World.Compressed.Accounts(owner, cursor, &list.account) {
			if list.full() {
				break
			}
			x := &list.account
			if slices.ContainsFunc(filters, func(f filter) bool { return !f.match(x.Data) }) {
				continue
			}
			list.next()
			x.Data = part.Of(x.Data)
			list.out = appendAccount(list.out, x, v2)
			last = append(last[:0], x.Hash...)
		}
		return list.finish(string(last)), nil
	}
}

// tokenAccountsByDelegate lists accounts in the order of their mints and hashes.
func tokenAccountsByDelegate(v2 bool) wire.Operation {
	return func(c *wire.Call) ([]byte, *wire.Refusal) {
		p := c.Named("delegate", "mint", "cursor", "limit")
		delegate, mint, cursor, limit := p.Key("delegate", true), p.Key("mint", false), cursorOf(p, 64), p.Limit()
		if p.Refused != nil {
			return nil, p.Refused
		}
		list := newPage(c, limit, "items", v2)
		var last string
		for r := range c.World.Compressed.TokensBy(delegate, mint, cursor) {
			if list.full() {
				break
			}
			list.token(r)
			last = r.Token.Mint
		}
		return list.finish(base58.Encode([]byte(world.Key(last) + world.Key(string(list.account.Hash))))), nil
	}
}

// token adds a token account.
func (p *page) token(r world.TokenRef) {
	p.next()
	r.Fill(&p.account, r.I)
	p.out = appendToken(p.out, &p.account, r.Group, r.I, p.v2)
}

// tokenAccountsByOwner lists accounts in the order of their mints and hashes.
func tokenAccountsByOwner(v2 bool) wire.Operation {
	return func(c *wire.Call) ([]byte, *wire.Refusal) {
		p := c.Named("owner", "mint", "cursor", "limit")
		owner, mint, cursor, limit := p.Key("owner", true), p.Key("mint", false), cursorOf(p, 64), p.Limit()
		if p.Refused != nil {
			return nil, p.Refused
		}
		all := c.World.Compressed.TokensOf(owner)
		list := newPage(c, limit, "items", v2)
		var last string
		if mint != "" && cursor != "" { // then the mint in the cursor does not count
			cursor = world.Key(mint) + cursor[32:]
		} else if mint != "" {
			cursor = world.Key(mint)
		}
		first := sort.Search(len(all), func(i int) bool { return all[i].Place > cursor })
		for _, r := range all[first:] {
			if mint != "" && r.Token.Mint != mint || list.full() {
				break
			}
			list.token(r)
			last = r.Place
		}
		return list.finish(base58.Encode([]byte(last))), nil
	}
}

// tokenBalancesByOwner lists what an owner has of each mint, in the order of the mints. The
// list has its own name in each version.
func tokenBalancesByOwner(name string) wire.Operation {
	return func(c *wire.Call) ([]byte, *wire.Refusal) {
		p := c.Named("owner", "mint", "cursor", "limit")
		owner, mint, cursor, limit := p.Key("owner", true), p.Key("mint", false), cursorOf(p, 32), p.Limit()
		if p.Refused != nil {
			return nil, p.Refused
		}
		mints, raw := c.World.Compressed.BalancesOf(owner)
		list := newPage(c, limit, name, false)
		var last string
		for _, m := range mints {
			if mint != "" && m != mint || world.Key(m) <= cursor || list.full() {
				continue
			}
			list.next()
			list.out = append(list.out, world.Encode(struct {
				Mint    string `json:"mint"`
				Balance uint64 `json:"balance"`
			}{m, raw[m]})...)
			last = m
		}
		return list.finish(last), nil
	}
}

// holders lists the owners of the compressed tokens of a mint, the largest first.
func holders(c *wire.Call) ([]byte, *wire.Refusal) {
	p := c.Named("mint", "cursor", "limit")
	mint, cursor, limit := p.Key("mint", true), cursorOf(p, 40), p.Limit()
	if p.Refused != nil {
		return nil, p.Refused
	}
	all, first := c.World.Compressed.Holders(mint), 0
	if cursor != "" {
		balance := binary.LittleEndian.Uint64([]byte(cursor))
		first = sort.Search(len(all), func(i int) bool {
			return all[i].Amount < balance || all[i].Amount == balance && all[i].Key < cursor[8:]
		})
	}
	list := newPage(c, limit, "items", false)
	var last []byte
	for _, h := range all[first:] {
		if list.full() {
			break
		}
		list.next()
		list.out = append(list.out, world.Encode(struct {
			Owner   string `json:"owner"`
			Balance uint64 `json:"balance"`
		}{h.Owner, h.Amount})...)
		last = append(binary.LittleEndian.AppendUint64(nil, h.Amount), h.Key...)
	}
	return list.finish(base58.Encode(last)), nil
}

// appendAccount adds x as JSON, as the methods of the first or the second version send it.
func appendAccount(b []byte, x *world.Compressed, v2 bool) []byte {
	b = append(b, `{"hash":`...)
	b = appendText(b, x.Hash)
	b = append(b, `,"address":`...)
	b = appendText(b, x.Address)
	b = append(b, `,"data":`...)
	if x.Data == nil {
		b = append(b, "null"...)
	} else {
		b = append(b, `{"discriminator":`...)
		b = strconv.AppendUint(b, x.Discriminator, 10)
		b = append(b, `,"data":"`...)
		b = base64.StdEncoding.AppendEncode(b, x.Data)
		b = append(b, `","dataHash":`...)
		b = appendText(b, x.DataHash)
		b = append(b, '}')
	}
	b = append(append(append(b, `,"owner":"`...), x.Owner...), `","lamports":`...)
	b = strconv.AppendUint(b, x.Lamports, 10)
	if v2 {
		b = append(strconv.AppendBool(append(b, `,"proveByIndex":`...), x.Queued()), `,"merkleContext":`...)
		b = appendContext(b, x)
	} else {
		b = append(append(append(b, `,"tree":"`...), x.Tree...), '"')
	}
	b = append(b, `,"leafIndex":`...)
	b = strconv.AppendUint(b, x.Leaf, 10)
	b = append(b, `,"seq":`...)
	if x.Queued() {
		b = append(b, "null"...)
	} else {
		b = strconv.AppendUint(b, x.Seq, 10)
	}
	b = append(b, `,"slotCreated":`...)
	b = strconv.AppendUint(b, x.Created, 10)
	return append(b, '}')
}

// appendContext adds where x is, as the methods of the second version say it.
func appendContext(b []byte, x *world.Compressed) []byte {
	b = strconv.AppendInt(append(b, `{"treeType":`...), int64(treeType(x)), 10)
	b = append(append(append(b, `,"tree":"`...), x.Tree...), `","queue":"`...)
	return append(append(b, x.Queue()...), `","cpiContext":null,"nextTreeContext":null}`...)
}

// treeType is 1 for state trees of the first version and 3 of the second.
func treeType(x *world.Compressed) int {
	if x.Queued() {
		return 3
	}
	return 1
}

// appendText adds a text that needs no escaping, or null if it is empty.
func appendText(b, text []byte) []byte {
	if len(text) == 0 {
		return append(b, "null"...)
	}
	b = append(b, '"')
	b = append(b, text...)
	return append(b, '"')
}

// appendToken adds token account i of a group.
func appendToken(b []byte, x *world.Compressed, g *world.Group, i int, v2 bool) []byte {
	b = append(b, `{"account":`...)
	b = appendAccount(b, x, v2)
	b = append(b, `,"tokenData":`...)
	b = appendTokenData(b, x, g, i)
	return append(b, '}')
}

func appendTokenData(b []byte, x *world.Compressed, g *world.Group, i int) []byte {
	state := "initialized"
	if x.Frozen {
		state = "frozen"
	}
	b = append(append(b, `{"mint":"`...), g.Token.Mint...)
	b = append(append(b, `","owner":"`...), x.TokenOwner...)
	b = append(b, `","amount":`...)
	b = strconv.AppendUint(b, x.Amount, 10)
	b = append(b, `,"delegate":`...)
	b = appendText(b, []byte(g.Delegate))
	b = append(append(b, `,"state":"`...), state...)
	b = append(b, `","tlv":`...)
	var tlv []byte
	if e := g.Extensions(i); e != nil {
		tlv = base64.StdEncoding.AppendEncode(nil, e)
	}
	return append(appendText(b, tlv), '}')
}
