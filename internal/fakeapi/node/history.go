package node

import (
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"github.com/solwire/solwire-go/internal/facts"
	"github.com/solwire/solwire-go/internal/fakeapi/wire"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
	"github.com/solwire/solwire-go/types"
)

// bound returns the transaction with a signature. A node refuses unknown ones. It is nil without
// a signature.
func bound(c *wire.Call, signature string) *world.Transaction {
	x := c.World.Transaction(signature)
	if x == nil && signature != "" {
		checkSize(c, signature, 64)
		c.Fail(-32020, "Transaction %s not found", signature)
	}
	return x
}

// signatureOf returns a transaction in a listing.
func signatureOf(w *world.World, x *world.Transaction) json.RawMessage {
	memo := ""
	if x.Memo != "" {
		memo = fmt.Sprintf("[%d] %s", len(x.Memo), x.Memo)
	}
	return world.JSON(`{"blockTime":?,"confirmationStatus":?,"err":?,"memo":!,"signature":?,"slot":?,"transactionIndex":?}`,
		w.BlockTime(x), w.Commitment(x), x.Reason().Err, memo, x.Signature, x.Slot, x.Index)
}

// signaturesForAddress lists the transactions that name an address, newest first.
func signaturesForAddress(c *wire.Call) []byte {
	address, o := configured(c)
	limit := o.limit("Invalid limit; max %d")
	h := wire.History{Commitment: o.Commitment, After: bound(c, o.Until), Before: bound(c, o.Before)}
	sent, _ := h.Page(c.World, address, int(limit), func(m *world.Mention) (json.RawMessage, string) {
		return signatureOf(c.World, m.Transaction), ""
	})
	return world.JSON("?", sent)
}

// transaction answers getTransaction.
func transaction(c *wire.Call) []byte {
	var signature string
	args := arguments(c, &signature)
	var options struct {
		encodingOptions

		Commitment string `json:"commitment"     oneof:"confirmed finalized"`
		MinSlot    uint64 `json:"minContextSlot"`
	}
	checkSize(c, signature, 64)
	c.Options(args, &options)
	if !c.Agave42 {
		c.Reached(options.MinSlot, c.World.SlotOf(options.Commitment))
	}
	x := c.World.Transaction(signature)
	if x == nil || x.Slot > c.World.SlotOf(options.Commitment) {
		return nil
	}
	return options.text(c, x, Options{Index: true})
}

// recentSlots is the number of slots whose transactions a node knows without a search in its
// history.
const recentSlots = 150

func signatureStatuses(c *wire.Call) []byte {
	var signatures []string
	args := arguments(c, &signatures)
	var options struct {
		Search     bool   `json:"searchTransactionHistory"`
		Commitment string `json:"commitment"               oneof:"processed confirmed finalized"`
		MinSlot    uint64 `json:"minContextSlot"`
	}
	checkCount(c, len(signatures))
	c.Options(args, &options)
	found := make([]json.RawMessage, len(signatures))
	newest := c.World.SlotOf("processed")
	if options.Commitment != "" && !c.Agave42 {
		newest = c.World.SlotOf(options.Commitment)
	}
	if !c.Agave42 {
		c.Reached(options.MinSlot, newest)
	}
	for i, signature := range signatures {
		checkSize(c, signature, 64)
		x := c.World.Status(signature)
		if x == nil || x.Slot > newest || !options.Search && x.Slot+recentSlots < newest {
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

// historyOptions are the options of getTransactionsForAddress.
type historyOptions struct {
	wire.Listing
	encodingOptions

	Details string `json:"transactionDetails" oneof:"signatures full"`
	Filters struct {
		Slot       wire.Bounds `json:"slot"`
		Time       wire.Bounds `json:"blockTime"`
		Signatures struct {
			After   string `json:"gt"`
			Before  string `json:"lt"`
			From    string `json:"gte"`
			Through string `json:"lte"`
		} `json:"signature"`
		Status        string          `json:"status"        oneof:"succeeded failed any"`
		TokenAccounts string          `json:"tokenAccounts"`
		Transfer      json.RawMessage `json:"tokenTransfer"`
	} `json:"filters"`
}

// transactionsForAddress lists the history of an address.
func transactionsForAddress(c *wire.Call) []byte {
	address, args := keyed(c)
	var o historyOptions
	c.Options(args, &o)
	f, most := &o.Filters, c.Facts.Items
	switch {
	case f.Transfer != nil || f.Signatures.From+f.Signatures.Through != "":
		c.Invalid("the fake does not support the filter tokenTransfer, and the filters gte and lte of signatures")
	case o.Details == "full":
		most = facts.FullTransactions
	}
	o.Limit = cmp.Or(o.Limit, most)
	h := o.History(c, c.Facts.Items)
	h.Slots, h.Times, h.Status = f.Slot, f.Time, f.Status
	h.Reach = c.Reach(f.TokenAccounts, "none")
	h.After, h.Before = cmp.Or(h.After, bound(c, f.Signatures.After)), cmp.Or(h.Before, bound(c, f.Signatures.Before))
	data, cursor := h.Page(c.World, address, o.Limit, func(m *world.Mention) (json.RawMessage, string) {
		cursor := wire.CursorOf(m.Transaction)
		if o.Details == "full" {
			return o.text(c, m.Transaction, Options{Index: true}), cursor
		}
		return signatureOf(c.World, m.Transaction), cursor
	})
	return world.JSON(`{"data":?,"paginationToken":!}`, data, cursor)
}

// transferOptions are the options of getTransfersByAddress.
type transferOptions struct {
	wire.Listing

	With      string `json:"with"`
	Direction string `json:"direction" oneof:"in out any"`
	Mint      string `json:"mint"`
	SOL       string `json:"solMode"   oneof:"merged separate"`
	Filters   struct {
		Amount wire.Bounds `json:"amount"`
		Time   wire.Bounds `json:"blockTime"`
		Slot   wire.Bounds `json:"slot"`
	} `json:"filters"`
}

// transfersByAddress lists the transfers of a wallet in the last year.
func transfersByAddress(c *wire.Call) []byte {
	wallet, args := keyed(c)
	o := transferOptions{Listing: wire.Listing{Limit: c.Facts.Items}}
	c.Options(args, &o)
	h := o.History(c, c.Facts.Items)
	h.Reach, h.Slots, h.Times, h.Status = world.BalanceChanged, o.Filters.Slot, o.Filters.Time, "succeeded"
	h.Through = true // the transaction of the cursor may have more transfers
	begun := o.Cursor == ""
	const year = 365 * 24 * time.Hour
	data, cursor := wire.Page(o.Limit, func(yield func(json.RawMessage, string) bool) {
		for m := range h.Of(c.World, wallet) {
			if c.World.Now().Sub(m.Time) > year {
				continue
			}
			for i := range m.Transfers {
				if !h.Ascending {
					i = len(m.Transfers) - 1 - i
				}
				cursor := fmt.Sprintf("%s:%d:0:splTransfer", wire.CursorOf(m.Transaction), i)
				if text := o.text(c.World, wallet, m, i); begun && text != nil && !yield(text, cursor) {
					return
				}
				begun = begun || cursor == o.Cursor
			}
		}
	})
	if !begun {
		c.Invalid(wire.InvalidCursor)
	}
	return world.JSON(`{"data":?,"paginationToken":!}`, data, cursor)
}

// text returns transfer i of a transaction as it is sent, nil if the options do not select it.
func (o *transferOptions) text(w *world.World, wallet string, m *world.Mention, i int) json.RawMessage {
	t := m.Transfers[i]
	token, mint, from, to := w.Token(t.Mint), t.Mint, "", ""
	if !token.IsNative() {
		from, to = w.AccountOf(t.From, t.Mint), w.AccountOf(t.To, t.Mint)
	}
	if token.IsNative() || t.Mint == world.WrappedSOL && o.SOL != "separate" {
		mint = string(types.NativeSOLMint)
	}
	in, out := t.To == wallet, t.From == wallet
	with := o.With == "" || in && t.From == o.With || out && t.To == o.With
	if !with || o.Mint != "" && o.Mint != mint || !o.Filters.Amount.Has(t.Raw) || !in && (!out || o.Direction == "in") || !out && o.Direction == "out" {
		return nil
	}
	return world.JSON(`{"signature":?,"slot":?,"blockTime":?,"type":"transfer","fromUserAccount":?,"toUserAccount":?,"fromTokenAccount":~,`+
		`"toTokenAccount":~,"mint":?,"amount":?,"decimals":?,"uiAmount":?,"confirmationStatus":?,"transactionIdx":?,"instructionIdx":?,"innerInstructionIdx":0}`,
		m.Signature, m.Slot, w.BlockTime(m.Transaction), t.From, t.To, from, to, mint, world.Text(t.Raw, 0), token.Decimals,
		world.Text(t.Raw, token.Decimals), w.Commitment(m.Transaction), m.Index, i)
}
