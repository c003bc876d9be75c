package fake

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
)

// A located transaction is one of the history of a wallet with its place in the chain.
type located struct {
	*transaction
	slot  uint64
	index int // within its slot
}

// cursor is the token of the page after x.
func (x *located) cursor() string { return fmt.Sprintf("%d:%d", x.slot, x.index) }

// A bounds is a range in a filter.
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
			After  string `json:"gt"`
			Before string `json:"lt"`
		} `json:"signature"`
		Status        string          `json:"status"`
		TokenAccounts string          `json:"tokenAccounts"`
		Transfer      json.RawMessage `json:"tokenTransfer"`
	} `json:"filters"`
}

// transactionsForAddress lists the history of a wallet.
func transactionsForAddress(s *Service, wallet string, args []json.RawMessage) ([]byte, *refusal) {
	var o historyOptions
	if refused := cmp.Or(s.options(args, &o), o.check(), notReached(o.MinSlot, s.slot())); refused != nil {
		return nil, refused
	}
	list := s.transactionsOf(wallet)
	found, refused := s.selected(list, &o)
	if refused != nil {
		return nil, refused
	}
	page := struct {
		Data   []json.RawMessage `json:"data"`
		Cursor *string           `json:"paginationToken"`
	}{Data: []json.RawMessage{}}
	for i := range found {
		if len(page.Data) == o.Limit {
			next := found[i-1].cursor()
			page.Cursor = &next
			break
		}
		page.Data = append(page.Data, s.item(&found[i], &o))
	}
	return encode(page), nil
}

// item returns a transaction in the history of a wallet as it is sent.
func (s *Service) item(x *located, o *historyOptions) json.RawMessage {
	if o.Details == "full" {
		return s.nodeText(s.transactionWith(x.signature), &x.index, o.Encoding)
	}
	return encode(struct {
		Signature string          `json:"signature"`
		Slot      uint64          `json:"slot"`
		Index     int             `json:"transactionIndex"`
		Time      json.RawMessage `json:"blockTime"`
		Err       json.RawMessage `json:"err"`
		Memo      json.RawMessage `json:"memo"`
		Status    string          `json:"confirmationStatus"`
	}{x.signature, x.slot, x.index, s.blockTime(x.transaction), nodeError(x.failure), null(), "finalized"})
}

// check sets the defaults and refuses what the service refuses, and what the fake
// cannot answer.
func (o *historyOptions) check() *refusal {
	o.Details = cmp.Or(o.Details, "signatures")
	most := 1000
	if o.Details == "full" && o.Limit == 0 {
		most = 100
	}
	o.Limit = cmp.Or(o.Limit, most)
	switch {
	case o.Limit < 0 || o.Limit > 1000:
		return invalidParams("Invalid params: limit must be between 1 and 1000")
	case o.Filters.Transfer != nil:
		return invalidParams("the fake does not support the filter tokenTransfer")
	}
	return cmp.Or(
		archived(o.Commitment), transactionEncoding(o.Encoding), variant(o.Details, "signatures", "full"), variant(o.Order, "asc", "desc"),
		variant(o.Filters.Status, "succeeded", "failed", "any"), variant(o.Filters.TokenAccounts, "none", "balanceChanged", "all"),
	)
}

// selected returns the transactions of a history that match the options, in their
// order, after their cursor.
func (s *Service) selected(list []transaction, o *historyOptions) ([]located, *refusal) {
	first, last := 0, len(list)
	for _, bound := range []struct {
		signature string
		set       func(place int)
	}{
		{o.Filters.Signatures.Before, func(place int) { first = place + 1 }},
		{o.Filters.Signatures.After, func(place int) { last = place }},
	} {
		if bound.signature == "" {
			continue
		}
		place := slices.IndexFunc(list, func(x transaction) bool { return x.signature == bound.signature })
		if place < 0 {
			return nil, &refusal{-32020, "Filter transaction not found", ""}
		}
		bound.set(place)
	}
	reach := map[string]int{"balanceChanged": balanceChanged, "all": tokenAccount}[o.Filters.TokenAccounts]
	var found []located // oldest first
	var slot uint64
	var index int
	for place, x := range slices.Backward(list) {
		index++
		if at := s.slotOf(&x); at != slot {
			slot, index = at, 0
		}
		if place >= first && place < last && x.reach <= reach && o.Filters.Slot.has(slot) &&
			o.Filters.Time.has(uint64(s.timeOf(&x).Unix())) && (o.Filters.Status != "failed" || x.failure != "") && (o.Filters.Status != "succeeded" || x.failure == "") {
			found = append(found, located{&list[place], slot, index})
		}
	}
	if o.Order != "asc" {
		slices.Reverse(found)
	}
	if o.Cursor == "" {
		return found, nil
	}
	i := slices.IndexFunc(found, func(x located) bool { return x.cursor() == o.Cursor })
	if i < 0 {
		return nil, invalidParams("Invalid params: invalid paginationToken")
	}
	return found[i+1:], nil
}
