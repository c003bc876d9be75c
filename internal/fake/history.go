package fake

import (
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
)

func history(s *Service, c *call) ([]byte, *refusal) {
	q := c.query
	limit := q.integer("limit", 100, 100)
	before, after := q.text("before"), q.text("after")
	kind := q.text("type")
	if kind != "" && !isType(kind) {
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
	list := s.transactionsOf(c.path["wallet"])
	first, last := 0, len(list)
	if before != "" {
		first = 1 + q.find("before", list, before)
	}
	if after != "" {
		last = max(first, q.find("after", list, after))
	}
	if _, refused := c.wallet(); refused != nil {
		return nil, refused
	}

	var sent []json.RawMessage
	var cursor string
	seen := 0
	for i := first; i < last; i++ {
		if list[i].reach > reach {
			continue
		}
		if seen == limit {
			return historyPage(sent, cursor), nil
		}
		// The limit counts transactions before the type is filtered: a page may
		// be empty although more follow.
		if kind == "" || list[i].kind == kind {
			sent = append(sent, s.transactionText(&list[i], i))
		}
		cursor = list[i].signature
		seen++
	}
	return historyPage(sent, ""), nil
}

func historyPage(sent []json.RawMessage, cursor string) []byte {
	next := null()
	if cursor != "" {
		next = encode(cursor)
	}
	type position struct {
		HasMore bool            `json:"hasMore"`
		Next    json.RawMessage `json:"nextCursor"`
	}
	return encode(struct {
		Data       []json.RawMessage `json:"data"`
		Pagination position          `json:"pagination"`
	}{append([]json.RawMessage{}, sent...), position{cursor != "", next}})
}

// find returns the index of a signature. An unknown one is a mistake.
func (q *query) find(name string, list []transaction, signature string) int {
	i := slices.IndexFunc(list, func(x transaction) bool { return x.signature == signature })
	if i < 0 {
		q.failf("%s is not a signature of this wallet", name)
	}
	return i
}

// transactionText returns x, the i-th newest, as it is sent. Unknown values are
// null in every other transaction and absent in the rest.
func (s *Service) transactionText(x *transaction, i int) json.RawMessage {
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
	}{Signature: x.signature, Slot: s.slotOf(x), Fee: number(units(x.fee, 9)), FeePayer: x.feePayer, Changes: []changed{}}
	if i%2 == 0 {
		sent.Time, sent.Error = null(), null()
	}
	if !s.untimed(x) {
		sent.Time = json.RawMessage(strconv.FormatInt(s.timeOf(x).Unix(), 10))
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
