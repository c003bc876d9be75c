package node

import (
	"encoding/json"

	"github.com/solwire/solwire-go/internal/fakeapi/wire"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
	"github.com/solwire/solwire-go/types"
)

// parsed returns the data of a token account as jsonParsed.
func parsed(a *world.TokenAccount) json.RawMessage {
	var more []json.RawMessage
	for _, e := range a.Extensions {
		more = append(more, world.JSON(`{"extension":?,"state":~}`, e.Name, json.RawMessage(e.State)))
	}
	state := "initialized"
	if a.Frozen {
		state = "frozen"
	}
	return parsedData("account", a.Token.Token2022, len(a.Data()), `{"mint":?,"owner":?,"tokenAmount":?,"delegate":~,"delegatedAmount":~,"state":?,`+
		`"isNative":?,"rentExemptReserve":~,"closeAuthority":~,"extensions":~}`,
		a.Token.Mint, a.Owner, amountOf(a.Amount, a.Token.Decimals, ""), a.Delegate, world.When(a.Delegate != "", "?", amountOf(a.Delegated, a.Token.Decimals, "")), state,
		a.Reserve > 0, world.When(a.Reserve > 0, "?", amountOf(a.Reserve, a.Token.Decimals, "")), a.Closer, more)
}

// parsedData returns data of a token program as jsonParsed.
func parsedData(kind string, is2022 bool, space int, info string, values ...any) json.RawMessage {
	program := "spl-token"
	if is2022 {
		program = "spl-token-2022"
	}
	return world.JSON(`{"parsed":{"info":?,"type":?},"program":?,"space":?}`, world.JSON(info, values...), kind, program, space)
}

// tokenAccountsBy lists the token accounts of an owner or a delegate.
func tokenAccountsBy(by string) wire.Operation {
	return func(c *wire.Call) []byte {
		found, o := tokenListing(c, by)
		return inContext(o.slot, encodeAll(found, o))
	}
}

// tokenAccountsByOwnerV2 answers with one page.
func tokenAccountsByOwnerV2(c *wire.Call) []byte {
	found, o := tokenListing(c, "owner")
	items, key := pageOf(found, o)
	return world.JSON(`{"context":{"apiVersion":?,"slot":?},"value":?,"paginationKey":!,"totalResults":?}`, version, o.slot, items, key, len(found))
}

// tokenListing returns the configuration, and the addresses of the token accounts that a filter,
// the second parameter, selects. They are of an owner or a delegate, the first parameter.
func tokenListing(c *wire.Call, by string) (found []string, o config) {
	var filter map[string]string
	key, args := keyed(c, &filter)
	mint, program := tokenFilter(c, filter)
	o = configOf(c, args)
	for _, a := range c.World.TokenAccounts(world.Never, func(a *world.TokenAccount) bool {
		return (by == "owner" && a.Owner == key || by == "delegate" && a.Delegate == key) && (mint == "" || a.Token.Mint == mint) && (program == "" || a.Token.Program() == program)
	}) {
		if v := viewOf(c.World, a.Address, world.AfterSlot(o.slot)); v != nil && !v.changedBefore(o.Since) {
			found = append(found, a.Address)
		}
	}
	return found, o
}

// tokenFilter reads the filter: an object with one member, mint or programId.
func tokenFilter(c *wire.Call, filter map[string]string) (mint, program string) {
	mint, program = filter["mint"], filter["programId"]
	if len(filter) != 1 {
		c.Invalid("Invalid params: invalid value: map, expected map with a single key.")
	}
	checkSize(c, mint+program, 32)
	if program != "" && program != string(types.TokenProgram) && program != string(types.Token2022Program) {
		c.Invalid("Invalid param: unrecognized Token program id")
	}
	if mint != "" {
		mintAt(c, mint, "could not find mint", "not a Token mint")
	}
	return mint, program
}

// mintAt returns the mint at an address, which it refuses if there is none.
func mintAt(c *wire.Call, address, unknown, wrong string) *world.Token {
	if t := c.World.Token(address); t != nil && !t.IsNative() {
		return t
	}
	refuse(c, address, unknown, wrong)
	return nil
}

// refuse refuses an address with no account, or with the wrong one.
func refuse(c *wire.Call, address, unknown, wrong string) {
	if viewOf(c.World, address, world.Never) != nil {
		unknown = wrong
	}
	c.Invalid("Invalid param: %s", unknown)
}

// tokenAccountBalance answers with the balance of a token account.
func tokenAccountBalance(c *wire.Call) []byte {
	address, o := configured(c)
	if a, _ := c.World.AccountAt(address, world.AfterSlot(o.slot)); a != nil {
		return inContext(o.slot, amountOf(a.Amount, a.Token.Decimals, ""))
	}
	refuse(c, address, "could not find account", "not a Token account")
	return nil
}

func supply(c *wire.Call) []byte {
	address, args := keyed(c)
	t := mintAt(c, address, "could not find account", "not a Token mint")
	o := configOf(c, args)
	if t == nil {
		return nil
	}
	return inContext(o.slot, amountOf(t.Supply(), t.Decimals, ""))
}

// largestAccounts answers with the twenty largest token accounts.
func largestAccounts(c *wire.Call) []byte {
	address, args := keyed(c)
	t := mintAt(c, address, "could not find mint", "Token mint could not be unpacked")
	o := configOf(c, args)
	if t == nil {
		return nil
	}
	var largest []json.RawMessage
	for _, a := range c.World.Largest(t) {
		largest = append(largest, amountOf(a.Amount, t.Decimals, `"address":?,`, a.Address))
	}
	return inContext(o.slot, largest)
}
