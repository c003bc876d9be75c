package node

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/solwire/solwire-go/internal/fake/wire"
	"github.com/solwire/solwire-go/internal/fake/world"
	"github.com/solwire/solwire-go/types"
)

// within returns the part of a history after one transaction and before another, each given by its
// signature or empty. They need not be in the history.
func within(c *wire.Call, all []world.Mention, after, before string) []world.Mention {
	first, past := 0, len(all)
	for i, signature := range []string{after, before} {
		if signature == "" {
			continue
		}
		x := c.World.Transaction(signature)
		if x == nil {
			c.Refuse(&wire.Refusal{Code: -32020, Message: "Transaction " + signature + " not found"})
			return nil
		}
		place, found := world.Place(all, x)
		switch {
		case i == 1:
			past = place
		case found:
			first = place + 1
		default:
			first = place
		}
	}
	return all[min(first, past):past]
}

// signatureOf returns a transaction in a listing.
func signatureOf(w *world.World, x *world.Transaction) json.RawMessage {
	return world.JSON(`{"blockTime":?,"confirmationStatus":?,"err":?,"memo":!,"signature":?,"slot":?,"transactionIndex":?}`,
		w.BlockTime(x), w.Commitment(x), x.Reason().Err, memoOf(x), x.Signature, x.Slot, x.Index)
}

// signaturesForAddress lists the transactions that name an address, newest first.
func signaturesForAddress(c *wire.Call) []byte {
	address, args := keyed(c, 1)
	o := configOf(c, args, "limit", "before", "until")
	limit, before, until := o.limit(1000, "Invalid limit; max %d"), o.signature("before"), o.signature("until")
	if c.Refused != nil {
		return nil
	}
	var sent []json.RawMessage
	for _, m := range slices.Backward(within(c, c.World.History(address, o.commitment), until, before)) {
		if uint64(len(sent)) == limit {
			break
		}
		if m.Reach == world.Named {
			sent = append(sent, signatureOf(c.World, m.Transaction))
		}
	}
	return world.JSON("?", sent)
}

// transaction answers getTransaction.
func transaction(c *wire.Call) []byte {
	args, refused := c.List()
	var signature string
	var options struct {
		Commitment string `json:"commitment"`
		Encoding   string `json:"encoding"`
		MaxVersion any    `json:"maxSupportedTransactionVersion"` // all transactions are legacy
	}
	if refused != nil || len(args) == 0 || json.Unmarshal(args[0], &signature) != nil {
		c.Invalid("Invalid params: expected a signature and a configuration")
		return nil
	}
	checkSize(c, signature, 64)
	c.Refuse(cmp.Or(c.Options(args[1:], &options), archived(options.Commitment), transactionEncoding(options.Encoding)))
	x := c.World.Transaction(signature)
	if x == nil || x.Slot > c.World.SlotOf(options.Commitment) || c.Refused != nil {
		return wire.Null()
	}
	return Text(c.World, x, Options{Encoding: options.Encoding, Index: true, Version: true})
}

// archived refuses commitments that methods of past transactions do not have.
func archived(commitment string) *wire.Refusal {
	if commitment == "processed" {
		return wire.InvalidParams("Method does not support commitment below `confirmed`")
	}
	return wire.Variant(commitment, "confirmed", "finalized")
}

func transactionEncoding(encoding string) *wire.Refusal {
	return wire.Variant(encoding, "json", "jsonParsed", "base58", "base64")
}

// recentSlots is the number of slots whose transactions a node knows without a search in its
// history.
const recentSlots = 150

func signatureStatuses(c *wire.Call) []byte {
	signatures, args := first[[]string](c, "an array of signatures")
	var options struct {
		Search *bool `json:"searchTransactionHistory"`
	}
	checkCount(c, len(signatures), 256)
	c.Refuse(c.Options(args, &options))
	if len(args) > 0 && string(args[0]) != "null" && options.Search == nil {
		c.Invalid("Invalid params: missing field `searchTransactionHistory`.")
	}
	found := make([]json.RawMessage, len(signatures))
	newest := c.World.SlotOf("processed")
	for i, signature := range signatures {
		checkSize(c, signature, 64)
		x := c.World.Status(signature)
		if x == nil || (options.Search == nil || !*options.Search) && x.Slot+recentSlots < newest {
			continue
		}
		var confirmations any // null: finalized
		commitment := c.World.Commitment(x)
		if commitment != "finalized" {
			confirmations = newest - x.Slot
		}
		failure := x.Reason().Err
		found[i] = world.JSON(`{"confirmationStatus":?,"confirmations":?,"err":?,"slot":?,"status":?}`, commitment, confirmations, failure, x.Slot, statusOf(failure))
	}
	return inContext(newest, found)
}

// bounds is a range in a filter.
type bounds struct {
	GTE *uint64 `json:"gte"`
	GT  *uint64 `json:"gt"`
	LTE *uint64 `json:"lte"`
	LT  *uint64 `json:"lt"`
	EQ  *uint64 `json:"eq"`
}

func (b bounds) has(n uint64) bool {
	return (b.GTE == nil || n >= *b.GTE) && (b.GT == nil || n > *b.GT) && (b.LTE == nil || n <= *b.LTE) &&
		(b.LT == nil || n < *b.LT) && (b.EQ == nil || n == *b.EQ)
}

// historyOptions are the options of getTransactionsForAddress.
type historyOptions struct {
	Details    string `json:"transactionDetails"`
	Order      string `json:"sortOrder"`
	Limit      int    `json:"limit"`
	Cursor     string `json:"paginationToken"`
	Commitment string `json:"commitment"`
	Encoding   string `json:"encoding"`
	MinSlot    uint64 `json:"minContextSlot"`
	MaxVersion any    `json:"maxSupportedTransactionVersion"` // all transactions are legacy
	Filters    struct {
		Slot       bounds `json:"slot"`
		Time       bounds `json:"blockTime"`
		Signatures struct {
			After   string `json:"gt"`
			Before  string `json:"lt"`
			From    string `json:"gte"`
			Through string `json:"lte"`
		} `json:"signature"`
		Status        string          `json:"status"`
		TokenAccounts string          `json:"tokenAccounts"`
		Transfer      json.RawMessage `json:"tokenTransfer"`
	} `json:"filters"`
}

// check sets the defaults and refuses what the service refuses, and what the fake cannot
// answer.
func (o *historyOptions) check(c *wire.Call) {
	o.Details = cmp.Or(o.Details, "signatures")
	most := 1000
	if o.Details == "full" && o.Limit == 0 {
		most = 100
	}
	o.Limit = cmp.Or(o.Limit, most)
	switch {
	case o.Limit < 0 || o.Limit > 1000:
		c.Invalid("Invalid params: limit must be between 1 and 1000")
	case o.Filters.Transfer != nil:
		c.Invalid("the fake does not support the filter tokenTransfer")
	case o.Filters.Signatures.From+o.Filters.Signatures.Through != "":
		c.Invalid("the fake does not support the filters gte and lte of signatures")
	}
	c.Refuse(cmp.Or(
		archived(o.Commitment), transactionEncoding(o.Encoding), wire.Variant(o.Details, "signatures", "full"), wire.Variant(o.Order, "asc", "desc"),
		wire.Variant(o.Filters.Status, "succeeded", "failed", "any"), wire.Variant(o.Filters.TokenAccounts, "none", "balanceChanged", "all"),
	))
	checkReached(c, o.MinSlot, c.World.SlotOf(o.Commitment))
}

// has reports whether the filters select a transaction.
func (o *historyOptions) has(m *world.Mention) bool {
	reach := map[string]int{"balanceChanged": world.BalanceChanged, "all": world.TokenAccounts}[o.Filters.TokenAccounts]
	return m.Reach <= reach && o.Filters.Slot.has(m.Slot) && o.Filters.Time.has(uint64(m.Time.Unix())) &&
		(o.Filters.Status != "failed" || m.Failure != "") && (o.Filters.Status != "succeeded" || m.Failure == "")
}

// cursorOf is the token of the page after x.
func cursorOf(x *world.Transaction) string { return fmt.Sprintf("%d:%d", x.Slot, x.Index) }

// atCursor returns the first place of a history that is not before the transaction of a
// cursor, and whether it is the transaction.
func atCursor(all []world.Mention, cursor string) (int, bool) {
	var slot uint64
	var index int
	if n, err := fmt.Sscanf(cursor, "%d:%d", &slot, &index); n < 2 || err != nil {
		return 0, false
	}
	return slices.BinarySearchFunc(all, slot, func(m world.Mention, slot uint64) int {
		return cmp.Or(cmp.Compare(m.Slot, slot), cmp.Compare(m.Index, index))
	})
}

// invalidToken refuses a cursor that is not of the listing.
func invalidToken(c *wire.Call) { c.Invalid("Invalid params: invalid paginationToken") }

// each calls f with the transactions that the options select, in their order and after their
// cursor, until it returns false.
func (o *historyOptions) each(c *wire.Call, all []world.Mention, f func(m *world.Mention) bool) {
	all = within(c, all, o.Filters.Signatures.After, o.Filters.Signatures.Before)
	if c.Refused != nil {
		return
	}
	first, past := 0, len(all)
	if o.Cursor != "" {
		place, found := atCursor(all, o.Cursor)
		if !found || cursorOf(all[place].Transaction) != o.Cursor { // also cursors of other methods
			invalidToken(c)
			return
		}
		if o.Order == "asc" {
			first = place + 1
		} else {
			past = place
		}
	}
	all = all[first:past]
	for i := range all {
		m := &all[i]
		if o.Order != "asc" {
			m = &all[len(all)-1-i]
		}
		if o.has(m) && !f(m) {
			break
		}
	}
}

// transactionsForAddress lists the history of an address.
func transactionsForAddress(c *wire.Call) []byte {
	address, args := keyed(c, 1)
	var o historyOptions
	c.Refuse(c.Options(args, &o))
	o.check(c)
	var data []json.RawMessage
	var last, cursor string
	o.each(c, c.World.History(address, o.Commitment), func(m *world.Mention) bool {
		if len(data) == o.Limit {
			cursor = last
			return false
		}
		last = cursorOf(m.Transaction)
		if o.Details == "full" {
			data = append(data, Text(c.World, m.Transaction, Options{Encoding: o.Encoding, Index: true, Version: true}))
		} else {
			data = append(data, signatureOf(c.World, m.Transaction))
		}
		return true
	})
	return world.JSON(`{"data":?,"paginationToken":!}`, data, cursor)
}

// transferOptions are the options of getTransfersByAddress.
type transferOptions struct {
	With       string `json:"with"`
	Direction  string `json:"direction"`
	Mint       string `json:"mint"`
	SOL        string `json:"solMode"`
	Order      string `json:"sortOrder"`
	Limit      int    `json:"limit"`
	Cursor     string `json:"paginationToken"`
	Commitment string `json:"commitment"`
	MinSlot    uint64 `json:"minContextSlot"`
	Filters    struct {
		Amount bounds `json:"amount"`
		Time   bounds `json:"blockTime"`
		Slot   bounds `json:"slot"`
	} `json:"filters"`
}

// has reports whether the options select a transfer of a wallet. The mint is as it is sent.
func (o *transferOptions) has(wallet string, t world.Transfer, mint string) bool {
	in, out := t.To == wallet, t.From == wallet
	with := o.With == "" || in && t.From == o.With || out && t.To == o.With
	return (in || out) && with && (o.Mint == "" || o.Mint == mint) && o.Filters.Amount.has(t.Raw) && (o.Direction != "in" || in) && (o.Direction != "out" || out)
}

// A sentTransfer is a transfer as it is sent.
type sentTransfer struct {
	text   json.RawMessage
	cursor string
}

// transfersByAddress lists the transfers of a wallet in the last year.
func transfersByAddress(c *wire.Call) []byte {
	wallet, args := keyed(c, 1)
	var o transferOptions
	c.Refuse(c.Options(args, &o))
	if o.Limit < 0 || o.Limit > 100 {
		c.Invalid("Invalid params: limit must be between 1 and 100")
	}
	c.Refuse(cmp.Or(archived(o.Commitment), wire.Variant(o.Direction, "in", "out", "any"), wire.Variant(o.SOL, "merged", "separate"), wire.Variant(o.Order, "asc", "desc")))
	checkReached(c, o.MinSlot, c.World.SlotOf(o.Commitment))
	o.Limit = cmp.Or(o.Limit, 100)
	history := historyOptions{Order: o.Order}
	history.Filters.Status, history.Filters.TokenAccounts = "succeeded", "balanceChanged"
	history.Filters.Slot, history.Filters.Time = o.Filters.Slot, o.Filters.Time
	var data []json.RawMessage
	var last, cursor string
	all := c.World.History(wallet, o.Commitment)
	begun := o.Cursor == ""
	if !begun { // from the transaction of the cursor, which may have more transfers
		place, found := atCursor(all, o.Cursor)
		switch {
		case !found || strings.Count(o.Cursor, ":") != 4:
			all = nil // it is not found there
		case o.Order == "asc":
			all = all[place:]
		default:
			all = all[:place+1]
		}
	}
	const year = 365 * 24 * time.Hour
	history.each(c, all, func(m *world.Mention) bool {
		if c.World.Now().Sub(m.Time) > year {
			return o.Order == "asc"
		}
		for _, t := range o.transfers(c.World, wallet, m) {
			if !begun {
				begun = t.cursor == o.Cursor
				continue
			}
			if len(data) == o.Limit {
				cursor = last
				return false
			}
			data, last = append(data, t.text), t.cursor
		}
		return true
	})
	if !begun {
		invalidToken(c)
	}
	return world.JSON(`{"data":?,"paginationToken":!}`, data, cursor)
}

// transfers returns the transfers of a transaction that the options select, in their order.
func (o *transferOptions) transfers(w *world.World, wallet string, m *world.Mention) []sentTransfer {
	var all []sentTransfer
	for i, t := range m.Transfers {
		token, mint, from, to := w.Token(t.Mint), t.Mint, "", ""
		if !token.IsNative() {
			from, to = w.AccountOf(t.From, t.Mint), w.AccountOf(t.To, t.Mint)
		}
		if token.IsNative() || t.Mint == world.WrappedSOL && o.SOL != "separate" {
			mint = string(types.NativeSOLMint)
		}
		if !o.has(wallet, t, mint) {
			continue
		}
		text := world.JSON(`{"signature":?,"slot":?,"blockTime":?,"type":"transfer","fromUserAccount":?,"toUserAccount":?,"fromTokenAccount":~,`+
			`"toTokenAccount":~,"mint":?,"amount":?,"decimals":?,"uiAmount":?,"confirmationStatus":?,"transactionIdx":?,"instructionIdx":?,"innerInstructionIdx":0}`,
			m.Signature, m.Slot, w.BlockTime(m.Transaction), t.From, t.To, from, to, mint, world.Text(t.Raw, 0), token.Decimals,
			world.Text(t.Raw, token.Decimals), w.Commitment(m.Transaction), m.Index, i)
		all = append(all, sentTransfer{text, fmt.Sprintf("%d:%d:%d:0:splTransfer", m.Slot, m.Index, i)})
	}
	if o.Order != "asc" {
		slices.Reverse(all)
	}
	return all
}
