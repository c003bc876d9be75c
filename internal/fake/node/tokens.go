package node

import (
	"encoding/json"
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
	type named struct {
		Name  string          `json:"extension"`
		State json.RawMessage `json:"state,omitempty"`
	}
	type info struct {
		Mint      string  `json:"mint"`
		Owner     string  `json:"owner"`
		Amount    amount  `json:"tokenAmount"`
		Delegate  string  `json:"delegate,omitempty"`
		Delegated *amount `json:"delegatedAmount,omitempty"`
		State     string  `json:"state"`
		Native    bool    `json:"isNative"`
		Reserve   *amount `json:"rentExemptReserve,omitempty"`
		Closer    string  `json:"closeAuthority,omitempty"`
		More      []named `json:"extensions,omitempty"`
	}
	sent := info{
		Mint: a.Token.Mint, Owner: a.Owner, Amount: shown(a, a.Amount), Delegate: a.Delegate,
		State: "initialized", Native: a.Reserve > 0, Closer: a.Closer,
	}
	if a.Frozen {
		sent.State = "frozen"
	}
	if a.Delegate != "" {
		delegated := shown(a, a.Delegated)
		sent.Delegated = &delegated
	}
	if a.Reserve > 0 {
		reserve := shown(a, a.Reserve)
		sent.Reserve = &reserve
	}
	for _, e := range a.Extensions {
		sent.More = append(sent.More, named{e.Name, json.RawMessage(e.State)})
	}
	return parsedData("account", a.Token.Token2022, sent, a.Space())
}

// parsedData returns data of a token program as jsonParsed.
func parsedData(kind string, is2022 bool, info any, space int) []byte {
	program := "spl-token"
	if is2022 {
		program = "spl-token-2022"
	}
	type inner struct {
		Info any    `json:"info"`
		Type string `json:"type"`
	}
	return world.Encode(struct {
		Parsed  inner  `json:"parsed"`
		Program string `json:"program"`
		Space   int    `json:"space"`
	}{inner{info, kind}, program, space})
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
	return pageOf(found, o, func(items []item, key *string) any {
		return struct {
			nodeContext `json:"context"`
			Items       []item  `json:"value"`
			Key         *string `json:"paginationKey"`
			Total       int     `json:"totalResults"`
		}{nodeContext{version, o.slot}, items, key, total}
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
		if v := tokenView(c.World, a); !v.changedBefore(o.since) {
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
	case unknown && viewOf(c.World, mint) != nil:
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
		return inContext(o.slot, shown(a, a.Amount)), refused
	}
	if viewOf(c.World, address) != nil {
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
		case (t == nil || t.IsNative()) && viewOf(c.World, address) != nil:
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
	type entry struct {
		Address string `json:"address"`
		amount
	}
	largest := []entry{}
	for _, a := range t.Largest() {
		largest = append(largest, entry{a.Address, shown(a, a.Amount)})
	}
	return largest
}
