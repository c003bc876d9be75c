package node

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/solwire/solwire-go/internal/fake/wire"
	"github.com/solwire/solwire-go/internal/fake/world"
	"github.com/solwire/solwire-go/types"
)

// shown returns an amount of an account as its mint tells a node to show it.
func shown(a *world.TokenAccount, raw uint64) amount {
	if a.UIText != "" {
		return amount{raw, a.Token.Decimals, wire.Null(), a.UIText}
	}
	return amountOf(raw, a.Token.Decimals)
}

// parsed returns the data of a token account as jsonParsed.
func parsed(a *world.TokenAccount) []byte {
	var delegated, reserve any
	if a.Delegate != "" {
		delegated = shown(a, a.Delegated)
	}
	if a.Reserve > 0 {
		reserve = shown(a, a.Reserve)
	}
	var more []json.RawMessage
	for _, e := range a.Extensions {
		more = append(more, world.JSON(`{"extension":?,"state":~}`, e.Name, json.RawMessage(e.State)))
	}
	state := "initialized"
	if a.Frozen {
		state = "frozen"
	}
	return parsedData("account", a.Token.Token2022, world.JSON(`{"mint":?,"owner":?,"tokenAmount":?,"delegate":~,"delegatedAmount":~,"state":?,`+
		`"isNative":?,"rentExemptReserve":~,"closeAuthority":~,"extensions":~}`,
		a.Token.Mint, a.Owner, shown(a, a.Amount), a.Delegate, delegated, state, a.Reserve > 0, reserve, a.Closer, more), a.Space())
}

// parsedData returns data of a token program as jsonParsed.
func parsedData(kind string, is2022 bool, info json.RawMessage, space int) []byte {
	program := "spl-token"
	if is2022 {
		program = "spl-token-2022"
	}
	return world.JSON(`{"parsed":{"info":?,"type":?},"program":?,"space":?}`, info, kind, program, space)
}

func tokenAccountsByDelegate(c *wire.Call) ([]byte, *wire.Refusal) {
	delegate, args, refused := keyed(c, 2)
	if refused != nil {
		return nil, refused
	}
	return tokenAccounts(c, c.World.Delegated(delegate), args)
}

func tokenAccountsByOwner(c *wire.Call) ([]byte, *wire.Refusal) {
	owner, args, refused := keyed(c, 2)
	if refused != nil {
		return nil, refused
	}
	return tokenAccounts(c, c.World.Wallet(owner).Accounts(), args, "changedSinceSlot")
}

// tokenAccounts answers with those accounts that a filter, the first of args, selects.
func tokenAccounts(c *wire.Call, all []*world.TokenAccount, args []json.RawMessage, known ...string) ([]byte, *wire.Refusal) {
	found, o, refused := selected(c, all, args, known...)
	if refused != nil {
		return nil, refused
	}
	items, refused := encodeAll(found, o)
	if refused != nil {
		return nil, refused
	}
	return inContext(o.slot, items), nil
}

// tokenAccountsByOwnerV2 answers with one page.
func tokenAccountsByOwnerV2(c *wire.Call) ([]byte, *wire.Refusal) {
	owner, args, refused := keyed(c, 2)
	if refused != nil {
		return nil, refused
	}
	all := c.World.Wallet(owner).Accounts()
	found, o, refused := selected(c, all, args, "limit", "paginationKey", "changedSinceSlot")
	if refused != nil {
		return nil, refused
	}
	mint, program, _ := tokenFilter(c, args[0])
	total := world.View(c.World, "accounts of "+owner+" "+mint+program, func() (n int) {
		for _, a := range all {
			if (mint == "" || a.Token.Mint == mint) && (program == "" || a.Token.Program() == program) {
				n++
			}
		}
		return n
	})
	return pageOf(found, o, func(items []json.RawMessage, key string) []byte {
		return world.JSON(`{"context":{"apiVersion":?,"slot":?},"value":?,"paginationKey":!,"totalResults":?}`, version, o.slot, items, key, total)
	})
}

// selected returns those accounts that a filter, the first of args, selects, and the
// configuration, the second, with members that not all listings have.
func selected(c *wire.Call, all []*world.TokenAccount, args []json.RawMessage, known ...string) ([]*view, config, *wire.Refusal) {
	mint, program, refused := tokenFilter(c, args[0])
	if refused != nil {
		return nil, config{}, refused
	}
	o, refused := configOf(c, args[1:], append(known, "encoding", "dataSlice")...)
	if refused != nil {
		return nil, o, refused
	}
	if key := o.Key("paginationKey", false); key != "" && o.Refused == nil { // what is before the page costs nothing
		first, _ := slices.BinarySearchFunc(all, key, func(a *world.TokenAccount, key string) int {
			if a.Address <= key {
				return -1
			}
			return 1
		})
		all = all[first:]
	}
	most := len(all)
	if o.Has("limit") {
		most = int(min(o.Integer("limit"), uint64(most)))
	}
	found := []*view{}
	for _, a := range all {
		if len(found) == most && o.Has("limit") {
			break
		}
		if mint != "" && a.Token.Mint != mint || program != "" && a.Token.Program() != program {
			continue
		}
		if v := tokenView(c.World, a, o.slot); !v.changedBefore(o.since) {
			found = append(found, v)
		}
	}
	return found, o, nil
}

// tokenFilter reads the filter: an object with one member, mint or programId.
func tokenFilter(c *wire.Call, raw json.RawMessage) (mint, program string, refused *wire.Refusal) {
	p := c.Members([]json.RawMessage{raw}, "mint", "programId")
	if len(p.Members) != 1 {
		return "", "", wire.InvalidParams("Invalid params: invalid value: map, expected map with a single key.")
	}
	mint, isMint := p.Text("mint")
	program, isProgram := p.Text("programId")
	if !isMint && !isProgram || p.Refused != nil {
		return "", "", wire.InvalidParams("Invalid params: unknown variant, expected `mint` or `programId`, each with a string.")
	}
	if refused := checkKey(mint + program); refused != nil {
		return "", "", refused
	}
	t := c.World.Token(mint)
	unknown := isMint && (t == nil || t.IsNative())
	switch {
	case unknown && exists(c, mint):
		refused = wire.InvalidParams("Invalid param: not a Token mint")
	case unknown:
		refused = wire.InvalidParams("Invalid param: could not find mint")
	case isProgram && program != string(types.TokenProgram) && program != string(types.Token2022Program):
		refused = wire.InvalidParams("Invalid param: unrecognized Token program id")
	}
	return mint, program, refused
}

// tokenAccountBalance answers with the balance of a token account.
func tokenAccountBalance(c *wire.Call) ([]byte, *wire.Refusal) {
	address, args, refused := keyed(c, 1)
	if refused != nil {
		return nil, refused
	}
	if a := c.World.Account(address); a != nil {
		o, refused := commitmentOf(c, args)
		a, _ = c.World.Seen(a, o.slot)
		return inContext(o.slot, shown(a, a.Amount)), refused
	}
	if exists(c, address) {
		return nil, wire.InvalidParams("Invalid param: not a Token account")
	}
	return nil, wire.InvalidParams("Invalid param: could not find account")
}

// ofMint answers a method whose first parameter is a mint.
func ofMint(unknown, wrong string, of func(*world.Token) any) wire.Operation {
	return func(c *wire.Call) ([]byte, *wire.Refusal) {
		address, args, refused := keyed(c, 1)
		if refused != nil {
			return nil, refused
		}
		t := c.World.Token(address)
		switch {
		case (t == nil || t.IsNative()) && exists(c, address):
			return nil, wire.InvalidParams("Invalid param: %s", wrong)
		case t == nil || t.IsNative():
			return nil, wire.InvalidParams("Invalid param: %s", unknown)
		}
		o, refused := commitmentOf(c, args)
		if refused != nil {
			return nil, refused
		}
		return inContext(o.slot, of(t)), nil
	}
}

func supply(t *world.Token) any { return amountOf(t.Supply(), t.Decimals) }

// largestAccounts returns the twenty largest token accounts.
func largestAccounts(t *world.Token) any {
	var largest []json.RawMessage
	for _, a := range t.Largest() {
		x := shown(a, a.Amount)
		largest = append(largest, world.JSON(`{"address":?,"amount":?,"decimals":?,"uiAmount":?,"uiAmountString":?}`,
			a.Address, world.Text(x.Amount, 0), x.Decimals, x.UI, x.UIText))
	}
	return largest
}

func exists(c *wire.Call, address string) bool {
	return viewOf(c.World, address, math.MaxUint64) != nil
}
