package node

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/solwire/solwire-go/internal/fake/wire"
	"github.com/solwire/solwire-go/internal/fake/world"
	"github.com/solwire/solwire-go/types"
)

// neverPaid is the rent epoch of accounts that are rent-exempt.
const neverPaid = "18446744073709551615"

// A view is an account of the world, before it is encoded.
type view struct {
	address   string
	data      []byte
	parsed    func() []byte // nil if a node cannot parse it
	lamports  uint64
	program   string
	exec      bool
	rentEpoch string
	noSpace   bool
	changed   *world.Transaction // the last that changed it, nil for none
	gone      bool               // its mint was closed
}

// viewOf returns the account at an address as it was after a slot, nil if there was none.
func viewOf(w *world.World, address string, slot uint64) *view {
	if a := w.Account(address); a != nil {
		return tokenView(w, a, slot)
	}
	if t := w.Token(address); t != nil && !t.IsNative() {
		return mintView(t)
	}
	if a := w.Stored(address); a != nil {
		return storedView(a, slot)
	}
	if raw, last := w.Wallet(address).Holding(world.SOL).Seen(slot); raw > 0 {
		return &view{address: address, lamports: raw, program: world.System, changed: last}
	}
	switch address {
	case world.System:
		return &view{address: address, data: []byte("solana_system_program"), lamports: 1, program: "NativeLoader1111111111111111111111111111111", exec: true}
	case string(types.TokenProgram), string(types.Token2022Program), string(types.CompressedTokenProgram):
		return &view{address: address, data: make([]byte, 36), lamports: world.Rent(36), program: "BPFLoaderUpgradeab1e11111111111111111111111", exec: true}
	}
	return nil
}

func storedView(a *world.Account, slot uint64) *view {
	if a = a.Seen(slot); a == nil || a.Lamports == 0 {
		return nil
	}
	return &view{address: a.Address, data: a.Data, lamports: a.Lamports, program: a.Program, exec: a.Executable, changed: a.Since}
}

func tokenView(w *world.World, a *world.TokenAccount, slot uint64) *view {
	a, changed := w.Seen(a, slot)
	return &view{
		address: a.Address, data: a.Data(), parsed: func() []byte { return parsed(a) }, lamports: a.Lamports(), program: a.Token.Program(),
		rentEpoch: a.RentEpoch, noSpace: a.NoSpace, gone: a.MintGone, changed: changed,
	}
}

func mintView(t *world.Token) *view {
	return &view{address: t.Mint, data: t.Data(), lamports: world.Rent(world.MintSize), program: t.Program(), parsed: func() []byte {
		return parsedData("mint", t.Token2022, world.JSON(`{"decimals":?,"freezeAuthority":null,"isInitialized":true,"mintAuthority":null,"supply":?}`,
			t.Decimals, world.Text(t.Supply(), 0)), world.MintSize)
	}}
}

// encoded returns the account in the requested encoding.
func (v *view) encoded(o config) (json.RawMessage, *wire.Refusal) {
	var space any = json.RawMessage(strconv.Itoa(len(v.data)))
	if v.noSpace {
		space = nil
	}
	rent := json.RawMessage(strings.Trim(cmp.Or(v.rentEpoch, neverPaid), "-"))
	var data json.RawMessage
	var refused *wire.Refusal
	if o.encoding == "jsonParsed" && v.parsed != nil {
		data = v.parsed()
	} else {
		if o.encoding == "jsonParsed" || o.encoding == "base64+zstd" && v.gone {
			o.encoding = "base64" // as a node sends what it cannot parse
		}
		data, refused = o.encoded(v.data)
	}
	return world.JSON(`{"data":?,"executable":?,"lamports":?,"owner":?,"rentEpoch":~,"space":~}`, data, v.exec, v.lamports, v.program, rent, space), refused
}

// changedBefore reports whether an account has not changed since a slot. 0 means any.
func (v *view) changedBefore(slot uint64) bool {
	return slot > 0 && (v.changed == nil || v.changed.Slot < slot)
}

func balance(c *wire.Call) ([]byte, *wire.Refusal) {
	address, args, refused := keyed(c, 1)
	if refused != nil {
		return nil, refused
	}
	o, refused := configOf(c, args)
	if refused != nil {
		return nil, refused
	}
	var lamports uint64
	if v := viewOf(c.World, address, o.slot); v != nil {
		lamports = v.lamports
	}
	return inContext(o.slot, lamports), nil
}

func accountInfo(c *wire.Call) ([]byte, *wire.Refusal) {
	address, args, refused := keyed(c, 1)
	if refused != nil {
		return nil, refused
	}
	o, refused := configOf(c, args, "encoding", "dataSlice", "changedSinceSlot")
	if refused != nil {
		return nil, refused
	}
	found, refused := accountsAt(c, []string{address}, o)
	if refused != nil {
		return nil, refused
	}
	return inContext(o.slot, found[0]), nil
}

func multipleAccounts(c *wire.Call) ([]byte, *wire.Refusal) {
	args, refused := c.List()
	var addresses []string
	if refused != nil || len(args) < 1 || len(args) > 2 || json.Unmarshal(args[0], &addresses) != nil {
		return nil, wire.InvalidParams("Invalid params: expected an array of addresses and a configuration")
	}
	if refused := tooMany(len(addresses), 100); refused != nil {
		return nil, refused
	}
	o, refused := configOf(c, args[1:], "encoding", "dataSlice", "changedSinceSlot")
	if refused != nil {
		return nil, refused
	}
	if !o.Has("encoding") {
		o.encoding = "base64" // the default of this method only
	}
	found, refused := accountsAt(c, addresses, o)
	if refused != nil {
		return nil, refused
	}
	return inContext(o.slot, found), nil
}

// accountsAt returns accounts as they are sent. Those that do not exist are nil.
func accountsAt(c *wire.Call, addresses []string, o config) ([]json.RawMessage, *wire.Refusal) {
	found := make([]json.RawMessage, len(addresses))
	for i, address := range addresses {
		if refused := checkKey(address); refused != nil {
			return nil, refused
		}
		v := viewOf(c.World, address, o.slot)
		switch {
		case v == nil:
		case v.changedBefore(o.since):
			found[i] = json.RawMessage(`{"status":"unchanged"}`)
		default:
			a, refused := v.encoded(o)
			if refused != nil {
				return nil, refused
			}
			found[i] = a
		}
	}
	return found, nil
}

// programAccounts lists the accounts of a program.
func programAccounts(c *wire.Call) ([]byte, *wire.Refusal) {
	found, o, refused := programListing(c, "withContext", "sortResults")
	if refused != nil {
		return nil, refused
	}
	items, refused := encodeAll(found, o)
	if refused != nil {
		return nil, refused
	}
	if string(o.Members["withContext"]) == "true" {
		return inContext(o.slot, items), nil
	}
	return world.JSON("?", items), nil
}

// programAccountsV2 lists one page of the accounts of a program.
func programAccountsV2(c *wire.Call) ([]byte, *wire.Refusal) {
	found, o, refused := programListing(c, "withContext", "limit", "paginationKey", "changedSinceSlot")
	if refused != nil {
		return nil, refused
	}
	total := len(found)
	return pageOf(found, o, func(items []json.RawMessage, key string) []byte {
		page := world.JSON(`{"accounts":?,"paginationKey":!,"totalResults":?}`, items, key, total)
		if string(o.Members["withContext"]) == "true" {
			return inContext(o.slot, page)
		}
		return page
	})
}

func programListing(c *wire.Call, known ...string) ([]*view, config, *wire.Refusal) {
	program, args, refused := keyed(c, 1)
	if refused != nil {
		return nil, config{}, refused
	}
	o, _ := configOf(c, args, append(known, "encoding", "dataSlice", "filters")...)
	filters := filtersOf(o.Params)
	if o.Refused != nil { // also what configOf refused
		return nil, o, o.Refused
	}
	key := fmt.Sprintf("program %s %d %s %d", program, o.since, o.Members["filters"], c.World.Moment(o.slot))
	return world.View(c.World, key, func() []*view {
		all := slices.DeleteFunc(programViews(c.World, program, o.slot), func(v *view) bool {
			return v.changedBefore(o.since) || slices.ContainsFunc(filters, func(f filter) bool { return !f.matches(v) })
		})
		slices.SortFunc(all, func(a, b *view) int { return strings.Compare(a.address, b.address) })
		return all
	}), o, nil
}

// programViews returns the accounts of a program, in no order.
func programViews(w *world.World, program string, slot uint64) []*view {
	var all []*view
	for _, a := range w.Program(program) {
		if v := storedView(a, slot); v != nil {
			all = append(all, v)
		}
	}
	if program == string(types.TokenProgram) || program == string(types.Token2022Program) {
		for _, a := range w.TokenProgram(program) {
			all = append(all, tokenView(w, a, slot))
		}
		for _, t := range w.Mints(program) {
			all = append(all, mintView(t))
		}
	}
	return all
}

// item returns an account in a listing.
func (v *view) item(o config) (json.RawMessage, *wire.Refusal) {
	a, refused := v.encoded(o)
	return world.JSON(`{"pubkey":?,"account":?}`, v.address, a), refused
}

func encodeAll(views []*view, o config) ([]json.RawMessage, *wire.Refusal) {
	items := []json.RawMessage{}
	for _, v := range views {
		if o.encoding == "jsonParsed" && v.gone {
			continue // a node omits accounts that it cannot parse
		}
		item, refused := v.item(o)
		if refused != nil {
			return nil, refused
		}
		items = append(items, item)
	}
	return items, nil
}

// pageOf answers with one page of a listing, in the form of the method.
func pageOf(views []*view, o config, form func(items []json.RawMessage, key string) []byte) ([]byte, *wire.Refusal) {
	const most = 10_000
	limit := uint64(most)
	if o.Has("limit") {
		limit = o.Integer("limit")
	}
	after := o.Key("paginationKey", false)
	if o.Refused == nil && (limit < 1 || limit > most) {
		o.Refuse(wire.InvalidParams("Invalid params: limit must be between 1 and %d", most))
	}
	if o.Refused != nil {
		return nil, o.Refused
	}
	first, found := slices.BinarySearchFunc(views, after, func(v *view, after string) int { return strings.Compare(v.address, after) })
	if found {
		first++
	}
	views = views[first:]
	views = views[:min(uint64(len(views)), limit)]
	items, refused := encodeAll(views, o)
	if refused != nil {
		return nil, refused
	}
	key := ""
	if len(views) > 0 {
		key = views[len(views)-1].address
	}
	return form(items, key), nil
}

// A filter has one member, or is the word tokenAccountState.
type filter struct {
	Size   *uint64 `json:"dataSize"`
	Memcmp *struct {
		Offset   uint64 `json:"offset"`
		Bytes    string `json:"bytes"`
		Encoding string `json:"encoding"`
	} `json:"memcmp"`
}

// filtersOf returns the member filters, nil if it is absent or empty.
func filtersOf(p *wire.Params) (filters []filter) {
	var all []json.RawMessage
	if !p.Has("filters") {
		return nil
	}
	if json.Unmarshal(p.Members["filters"], &all) != nil {
		p.Refuse(wire.InvalidParams("Invalid params: invalid type: %s, expected a sequence.", wire.Kind(p.Members["filters"])))
	}
	if len(all) > 4 {
		p.Refuse(wire.InvalidParams("Invalid params: Too many filters provided; max 4"))
	}
	for _, raw := range all {
		var f filter
		if string(raw) == `"tokenAccountState"` {
			filters = append(filters, f)
			continue
		}
		if json.Unmarshal(raw, &f) != nil || (f.Size == nil) == (f.Memcmp == nil) {
			p.Refuse(wire.InvalidParams("Invalid params: invalid filter %s, expected one of `dataSize`, `memcmp`, `tokenAccountState`.", raw))
			continue
		}
		if b, err := f.bytes(); err != nil {
			p.Refuse(wire.InvalidParams("Invalid param: %v", err))
		} else if len(b) > 128 {
			p.Refuse(wire.InvalidParams("Invalid param: DataTooLarge"))
		}
		filters = append(filters, f)
	}
	return filters
}

// matches reports whether an account has the size, the bytes, or is a token account.
func (f filter) matches(v *view) bool {
	switch {
	case f.Size != nil:
		return *f.Size == uint64(len(v.data))
	case f.Memcmp == nil:
		return v.parsed != nil && len(v.data) >= 165
	}
	want, _ := f.bytes()
	part := wire.Slice{Offset: f.Memcmp.Offset, Length: uint64(len(want))}
	return bytes.Equal(part.Of(v.data), want)
}

// bytes returns the bytes to compare with, none of a size.
func (f filter) bytes() ([]byte, error) {
	switch {
	case f.Memcmp == nil:
		return nil, nil
	case f.Memcmp.Encoding == "base64":
		return base64.StdEncoding.DecodeString(f.Memcmp.Bytes)
	}
	return world.Unbase58(f.Memcmp.Bytes)
}
