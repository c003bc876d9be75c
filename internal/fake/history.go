package fake

import (
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// newest is how many transactions are so recent that their time is not known.
const newest = 2

// null is what stands for a member that is there without a value.
func null() json.RawMessage { return json.RawMessage("null") }

func history(wallet string, q *query) answer {
	limit := q.integer("limit", 100, 100)
	before, after := q.text("before"), q.text("after")
	kind := q.text("type")
	if strings.Trim(kind, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") != "" {
		q.failf("type must be a transaction type")
	}
	reach := balanceChanged
	switch q.text("tokenAccounts") {
	case "none":
		reach = itself
	case "", "balanceChanged":
	case "all":
		reach = tokenAccount
	default:
		q.failf("tokenAccounts must be none, balanceChanged or all")
	}
	list := transactionsOf(wallet)
	first, last := 0, len(list)
	if before != "" {
		first = 1 + q.find("before", list, before)
	}
	if after != "" {
		last = max(first, q.find("after", list, after))
	}
	if a, refused := q.finish(wallet); refused {
		return a
	}

	var sent []json.RawMessage
	var cursor string
	seen := 0
	for i := first; i < last; i++ {
		if list[i].reach > reach {
			continue
		}
		if seen == limit {
			return historyPage(sent, cursor)
		}
		// A page holds those of so many transactions that are of the type, and
		// may be empty though there are more.
		if kind == "" || list[i].kind == kind {
			sent = append(sent, list[i].text(i))
		}
		cursor = list[i].signature
		seen++
	}
	return historyPage(sent, "")
}

func historyPage(sent []json.RawMessage, cursor string) answer {
	next := null()
	if cursor != "" {
		next = encode(cursor)
	}
	type position struct {
		HasMore bool            `json:"hasMore"`
		Next    json.RawMessage `json:"nextCursor"`
	}
	return ok(encode(struct {
		Data       []json.RawMessage `json:"data"`
		Pagination position          `json:"pagination"`
	}{append([]json.RawMessage{}, sent...), position{cursor != "", next}}))
}

func transactionsOf(wallet string) []transaction {
	if wallet == Wallet {
		return ledger()
	}
	return nil
}

// find returns the place of a signature; one that is unknown is a mistake.
func (q *query) find(name string, list []transaction, signature string) int {
	i := slices.IndexFunc(list, func(x transaction) bool { return x.signature == signature })
	if i < 0 {
		q.failf("%s is no signature of this wallet", name)
	}
	return i
}

// text returns x, which is the i-th newest, as it is sent. What is unknown is
// null in one and missing in the next.
func (x *transaction) text(i int) json.RawMessage {
	type changed struct {
		Mint     string      `json:"mint"`
		Amount   json.Number `json:"amount"`
		Decimals int         `json:"decimals"`
	}
	sent := struct {
		Signature string          `json:"signature"`
		Time      json.RawMessage `json:"timestamp,omitempty"`
		Slot      uint64          `json:"slot"`
		Fee       json.Number     `json:"fee"`
		FeePayer  string          `json:"feePayer"`
		Error     json.RawMessage `json:"error,omitempty"`
		Changes   []changed       `json:"balanceChanges"`
	}{Signature: x.signature, Slot: x.slot, Fee: number(units(x.fee, 9)), FeePayer: x.feePayer, Changes: []changed{}}
	if i%2 == 0 {
		sent.Time, sent.Error = null(), null()
	}
	if i >= newest {
		sent.Time = json.RawMessage(strconv.FormatInt(x.time.Unix(), 10))
	}
	if x.failure != "" {
		sent.Error = encode(x.failure)
	}
	for _, c := range x.changes {
		sent.Changes = append(sent.Changes, changed{c.of.mint, signed(c.out, c.raw, c.of.decimals), c.of.decimals})
	}
	return encode(sent)
}

func signed(out bool, raw uint64, decimals int) json.Number {
	amount := units(raw, decimals)
	if out {
		amount = new(big.Rat).Neg(amount)
	}
	return number(amount)
}
