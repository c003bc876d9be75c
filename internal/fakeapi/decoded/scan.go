package decoded

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/solwire/solwire-go/internal/facts"
	"github.com/solwire/solwire-go/internal/fakeapi/wire"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
	"github.com/solwire/solwire-go/types"
)

// A scanMatch selects the transactions that a scan finds.
type scanMatch struct {
	Programs []struct {
		ID             string   `json:"programId"`
		Instructions   []string `json:"instructions"`
		Discriminators []string `json:"discriminators"`
		Scope          string   `json:"scope"          oneof:"address transaction"`
	} `json:"programs"`
	Mints []struct {
		Mint  string `json:"mint"`
		Scope string `json:"scope" oneof:"address transaction"`
	} `json:"mints"`
}

type scanRequest struct {
	historyRequest

	Match  scanMatch `json:"match"`
	Budget struct {
		Most int `json:"maxScannedTransactions"`
	} `json:"budget"`
	Shape string `json:"returnShape" oneof:"signatures count"`
}

// scanPage is the number of transactions that a scan searches for one credit, and scanBudget the
// most that it searches for a request.
const scanPage, scanBudget = 1000, 10_000

// Scan answers with the transactions of an address that match.
func Scan(c *wire.Call) []byte {
	var in scanRequest
	in.Limit, in.Budget.Most = c.Facts.Items, scanBudget
	c.Decode(c.Body, &in, true)
	if !world.IsAddress(in.Address) {
		c.Invalid("invalid address")
	}
	if in.Budget.Most < 1 || in.Budget.Most > scanBudget {
		c.Invalid("budget.maxScannedTransactions must be between 1 and %d", scanBudget)
	}
	in.Match.check(c)
	h := in.history(c)
	if c.Refused != nil {
		return nil
	}
	w := c.World
	var data []json.RawMessage
	var last *world.Transaction
	searched, matched, token, stopped := 0, 0, "", "windowEnd"
	for m := range h.Of(w, in.Address) {
		switch {
		case in.Shape == "" && matched == in.Limit:
			stopped, token = "limit", wire.CursorOf(last)
		case searched == in.Budget.Most:
			stopped, token = "budget", wire.CursorOf(last)
		}
		if token != "" {
			break
		}
		x := m.Transaction
		searched, last = searched+1, x
		if !in.Match.matches(w, x, in.Address) {
			continue
		}
		matched++
		switch in.Shape {
		case "":
			data = append(data, resultOf(w, x.Signature, x, in.encoding()))
		case "signatures":
			data = append(data, world.JSON(`{"signature":?,"slot":?,"transactionIndex":?,"blockTime":?}`, x.Signature, x.Slot, x.Index, w.BlockTime(x)))
		}
	}
	var through json.RawMessage
	if last != nil {
		through = world.JSON(`{"slot":?,"blockTime":?}`, last.Slot, w.BlockTime(last))
	}
	credits := facts.Of("POST /v1/parsed-events/scan").Credits + uint64((searched+scanPage-1)/scanPage)
	return world.JSON(`{"data":~,"paginationToken":!,"scan":{"stoppedOn":?,"scannedTransactions":?,"matchedTransactions":?,"scannedThrough":?,"creditsCharged":?}}`,
		world.When(in.Shape != "count", "?", data), token, stopped, searched, matched, through, credits)
}

func (m *scanMatch) check(c *wire.Call) {
	if len(m.Programs)+len(m.Mints) == 0 {
		c.Invalid("match must have programs or mints")
	}
	for _, p := range m.Programs {
		c.OneOf(p.Scope, "address", "transaction")
		for _, name := range p.Instructions {
			if known := world.Layouts()[p.ID].Name; known != "" && plainName(name) != plainName(known) {
				c.Invalid("unknown instruction %q of program %s", name, p.ID)
			}
		}
		for _, d := range p.Discriminators {
			if b, err := hex.DecodeString(strings.TrimPrefix(d, "0x")); err != nil || len(b) < 1 || len(b) > 8 {
				c.Invalid("invalid discriminator %q", d)
			}
		}
	}
	for _, t := range m.Mints {
		c.OneOf(t.Scope, "address", "transaction")
	}
}

func (m *scanMatch) matches(w *world.World, x *world.Transaction, address string) bool {
	var calls []world.Instruction
	for _, call := range w.Calls(x) {
		calls = append(calls, call.WithInner()...)
	}
	ofAddress := func(account string) bool {
		a := w.Account(account)
		return account == address || a != nil && (a.Owner == address || a.Token.Mint == address)
	}
	program := len(m.Programs) == 0
	for _, p := range m.Programs {
		for _, call := range calls {
			call = call.Decoded()
			begins := func(d string) bool {
				b, _ := hex.DecodeString(strings.TrimPrefix(d, "0x"))
				return bytes.HasPrefix(call.Data, b)
			}
			program = program || call.Program == p.ID &&
				(len(p.Instructions)+len(p.Discriminators) == 0 || slices.ContainsFunc(p.Instructions, nameOf(call)) || slices.ContainsFunc(p.Discriminators, begins)) &&
				(p.Scope == "transaction" || p.ID == address || slices.ContainsFunc(call.Accounts, ofAddress))
		}
	}
	mint := len(m.Mints) == 0
	for _, one := range m.Mints {
		for _, moved := range x.Transfers {
			same := moved.Mint == one.Mint || moved.Mint == world.SOL && types.Address(one.Mint).IsNativeSOL()
			mint = mint || same && (one.Scope == "transaction" || one.Mint == address || moved.From == address || moved.To == address)
		}
	}
	return program && mint
}

// history returns the requested part of the history.
func (in *historyRequest) history(c *wire.Call) wire.History {
	in.Commitment = cmp.Or(in.Commitment, "confirmed")
	h := in.History(c, c.Facts.Items)
	h.Reach, h.Status = c.Reach(in.Reach, "none"), cmp.Or(in.Status, "succeeded")
	h.After, h.Before, h.Slots, h.Times = cmp.Or(h.After, c.Known(in.After)), cmp.Or(h.Before, c.Known(in.Before)), in.Slots, in.Times
	return h
}
