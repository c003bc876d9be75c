package node

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/solwire/solwire-go/internal/fakeapi/wire"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
	"github.com/solwire/solwire-go/types"
)

// A view is an account of the world, before it is encoded.
type view struct {
	address  string
	data     []byte
	parsed   func() json.RawMessage // nil if a node cannot parse it
	token    *world.TokenAccount    // nil if it is none
	lamports uint64
	program  string
	exec     bool
	changed  *world.Transaction // the last that changed it, nil for none
}

// viewOf returns the account at an address as it was at a moment, nil if there was none.
func viewOf(w *world.World, address string, later world.Later) *view {
	if a, changed := w.AccountAt(address, later); a != nil {
		return tokenView(a, changed)
	}
	if t := w.Token(address); t != nil && !t.IsNative() {
		return mintView(t)
	}
	if a := w.Stored(address); a != nil {
		if a = a.At(later); a == nil || a.Lamports == 0 {
			return nil
		}
		return &view{address: address, data: a.Data, lamports: a.Lamports, program: a.Program, exec: a.Executable, changed: a.Since}
	}
	if raw, last := w.Wallet(address).Holding(world.SOL).At(later); raw > 0 {
		return &view{address: address, lamports: raw, program: world.System, changed: last}
	}
	native := map[string]string{world.System: "solana_system_program", string(types.ComputeBudgetProgram): "compute_budget_program"}
	if name := native[address]; name != "" {
		return &view{address: address, data: []byte(name), lamports: 1, program: "NativeLoader1111111111111111111111111111111", exec: true}
	}
	if w.Executable(address) {
		return &view{address: address, data: make([]byte, 36), lamports: world.Rent(36), program: "BPFLoaderUpgradeab1e11111111111111111111111", exec: true}
	}
	return nil
}

func tokenView(a *world.TokenAccount, changed *world.Transaction) *view {
	return &view{
		address: a.Address, data: a.Data(), parsed: func() json.RawMessage { return parsed(a) }, token: a, lamports: a.Lamports(), program: a.Token.Program(), changed: changed,
	}
}

func mintView(t *world.Token) *view {
	data := t.Data()
	return &view{address: t.Mint, data: data, lamports: world.Rent(len(data)), program: t.Program(), parsed: func() json.RawMessage {
		return parsedData("mint", t.Token2022, len(data), `{"decimals":?,"freezeAuthority":null,"isInitialized":true,"mintAuthority":null,"supply":?}`,
			t.Decimals, world.Text(t.Supply(), 0))
	}}
}

// encoded returns the account in the requested encoding.
func (v *view) encoded(o config) json.RawMessage {
	var data any
	if o.Encoding == "jsonParsed" && v.parsed != nil {
		data = v.parsed()
	} else {
		if o.Encoding == "jsonParsed" {
			o.Encoding = "base64" // as a node sends data that it cannot parse
		}
		data = o.encoded(v.data)
	}
	return world.JSON(`{"data":?,"executable":?,"lamports":?,"owner":?,"rentEpoch":18446744073709551615,"space":?}`,
		data, v.exec, v.lamports, v.program, len(v.data))
}

// changedBefore reports whether an account has not changed since a slot. 0 means any.
func (v *view) changedBefore(slot uint64) bool {
	return slot > 0 && (v.changed == nil || v.changed.Slot < slot)
}

func balance(c *wire.Call) []byte {
	address, o := configured(c)
	return inContext(o.slot, cmp.Or(viewOf(c.World, address, world.AfterSlot(o.slot)), new(view)).lamports)
}

func accountInfo(c *wire.Call) []byte {
	address, o := configured(c)
	return inContext(o.slot, accountAt(c, address, o))
}

func multipleAccounts(c *wire.Call) []byte {
	var addresses []string
	args := arguments(c, &addresses)
	checkCount(c, len(addresses))
	o := configOf(c, args)
	o.Encoding = cmp.Or(o.Encoding, "base64") // the default of this method only
	var found []json.RawMessage
	for _, address := range addresses {
		found = append(found, accountAt(c, address, o))
	}
	return inContext(o.slot, found)
}

// accountAt returns an account as it is sent, nil if it does not exist.
func accountAt(c *wire.Call, address string, o config) json.RawMessage {
	checkSize(c, address, 32)
	v := viewOf(c.World, address, world.AfterSlot(o.slot))
	switch {
	case v == nil:
		return nil
	case v.changedBefore(o.Since):
		return json.RawMessage(`{"status":"unchanged"}`)
	}
	return wire.PatchedItem(c.World, address, v.encoded(o))
}

// programAccounts lists the accounts of a program.
func programAccounts(c *wire.Call) []byte {
	found, o := programListing(c)
	return o.within(world.JSON("?", encodeAll(found, o)))
}

// within adds the context if the client requests it.
func (o config) within(result json.RawMessage) []byte {
	if o.Context {
		return inContext(o.slot, result)
	}
	return result
}

// programAccountsV2 lists one page of the accounts of a program.
func programAccountsV2(c *wire.Call) []byte {
	found, o := programListing(c)
	items, key := pageOf(found, o)
	return o.within(world.JSON(`{"accounts":?,"paginationKey":!,"totalResults":?}`, items, key, len(found)))
}

func programListing(c *wire.Call) (found []string, o config) {
	program, o := configured(c)
	filters := c.Filters(o.Filters, 4)
	for _, address := range append(c.World.Addresses(), c.World.Assets.Addresses()...) {
		v := viewOf(c.World, address, world.AfterSlot(o.slot))
		if v != nil && v.program == program && !v.changedBefore(o.Since) && v.selected(filters) {
			found = append(found, address)
		}
	}
	slices.SortFunc(found, world.CompareKeys)
	return found, o
}

// selected reports whether an account meets the conditions of filters.
func (v *view) selected(filters []wire.Filter) bool {
	return !slices.ContainsFunc(filters, func(f wire.Filter) bool {
		return !f.Matches(v.data) || f.Size == nil && f.Memcmp == nil && v.token == nil
	})
}

// item returns an account in a listing.
func (v *view) item(o config) json.RawMessage {
	return world.JSON(`{"pubkey":?,"account":?}`, v.address, v.encoded(o))
}

func encodeAll(addresses []string, o config) (items []json.RawMessage) {
	for _, address := range addresses {
		if v := viewOf(o.World, address, world.AfterSlot(o.slot)); v != nil {
			items = append(items, v.item(o))
		}
	}
	return items
}

// pageOf returns one page of a listing, and the key of the next one, empty if the page is.
func pageOf(all []string, o config) (items []json.RawMessage, key string) {
	limit := o.limit("Invalid params: limit must be between 1 and %d")
	first, found := slices.BinarySearchFunc(all, o.After, world.CompareKeys)
	if found {
		first++
	}
	all = all[first:]
	all = all[:min(uint64(len(all)), limit)]
	if len(all) > 0 {
		key = all[len(all)-1]
	}
	return encodeAll(all, o), key
}
