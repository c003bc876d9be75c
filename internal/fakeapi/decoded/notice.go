package decoded

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/solwire/solwire-go/internal/fakeapi/node"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
)

// A Filter is the first parameter of parsedTransactionSubscribe.
type Filter struct {
	Programs []string `json:"programs"`
	Names    []string `json:"instructionNames"`
	Accounts struct {
		Include []string          `json:"include"`
		Roles   map[string]string `json:"roles"`
	} `json:"accounts"`
	Failed bool  `json:"includeFailed"`
	Inner  *bool `json:"includeCpi"`
}

// Value returns the value of the notification about a transaction, nil if f has none.
func (f *Filter) Value(w *world.World, x *world.Transaction) json.RawMessage {
	t := parse(w, x)
	var matched []int
	for i := range t.calls {
		if f.matches(&t.calls[i], t.inner[i]) {
			matched = append(matched, i)
		}
	}
	if len(matched) == 0 || x.Failure != "" && !f.Failed {
		return nil
	}
	return world.JSON(`{"transaction":{"signature":?,"slot":?,"blockTime":null,"feePayer":?,"fee":?,"accountKeys":?,"status":?,"error":?,"summary":?,`+
		`"nativeTransfers":?,"tokenTransfers":?},"instructions":?,"matchedIndexes":?}`,
		x.Signature, x.Slot, x.FeePayer, x.Fee, node.MessageOf(w, x).Keys, strings.ToLower(t.status), x.Reason().Err, t.summary, t.native, t.tokens, t.texts, matched)
}

func (f *Filter) matches(i *world.Instruction, inner bool) bool {
	if f.Inner != nil && !*f.Inner && inner {
		return false
	}
	call := i.Decoded()
	if len(f.Programs) > 0 && !slices.Contains(f.Programs, i.Program) || len(f.Names) > 0 && !slices.ContainsFunc(f.Names, nameOf(call)) {
		return false
	}
	named := func(key string) bool { return slices.Contains(i.Accounts, key) }
	if len(f.Accounts.Include) > 0 && !slices.ContainsFunc(f.Accounts.Include, named) {
		return false
	}
	for role, key := range f.Accounts.Roles {
		at := slices.IndexFunc(call.Roles, func(r world.Role) bool { return r.Name == role })
		if at < 0 || at >= len(i.Accounts) || i.Accounts[at] != key {
			return false
		}
	}
	return true
}

// nameOf reports whether a decoded call has a name.
func nameOf(call world.Instruction) func(name string) bool {
	return func(name string) bool { return call.Name != "" && plainName(name) == plainName(call.Name) }
}

// plainName is a name without case and separators.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}
