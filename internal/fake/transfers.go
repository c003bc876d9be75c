package fake

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/solwire/solwire-go/types"
)

func transfers(s *Service, c *call) ([]byte, *refusal) {
	q := c.query
	limit := q.integer("limit", 50, 100)
	cursor := q.text("cursor")
	list := s.transfersOf(c.path["wallet"])
	first := 0
	if cursor != "" {
		first = 1 + slices.IndexFunc(list, func(t transfer) bool { return t.cursor == cursor })
		if first == 0 {
			q.failf("cursor is not of this listing")
		}
	}
	if _, refused := c.wallet(); refused != nil {
		return nil, refused
	}

	last := min(first+limit, len(list))
	type position struct {
		HasMore bool   `json:"hasMore"`
		Next    string `json:"nextCursor,omitempty"`
	}
	result := struct {
		Data       []json.RawMessage `json:"data"`
		Pagination position          `json:"pagination"`
	}{Data: []json.RawMessage{}}
	for _, t := range list[first:last] {
		result.Data = append(result.Data, t.text)
	}
	if last < len(list) {
		result.Pagination = position{true, list[last-1].cursor}
	}
	return encode(result), nil
}

// A transfer is one move as it is sent, with its cursor in the listing.
type transfer struct {
	cursor string
	text   json.RawMessage
}

// transfersOf returns the moves of all successful transactions.
func (s *Service) transfersOf(wallet string) []transfer {
	var all []transfer
	for i, x := range s.transactionsOf(wallet) {
		if x.failure != "" {
			continue
		}
		for n, m := range x.moves {
			all = append(all, transfer{x.signature + ":" + strconv.Itoa(n), s.moveText(m, &x, i)})
		}
	}
	return all
}

// moveText returns m, a move of the i-th newest transaction, as it is sent.
func (s *Service) moveText(m move, x *transaction, i int) json.RawMessage {
	symbol := s.world.symbol(m.of)
	sent := struct {
		Signature    string          `json:"signature"`
		Time         int64           `json:"timestamp"`
		Direction    string          `json:"direction"`
		Counterparty string          `json:"counterparty"`
		Mint         string          `json:"mint"`
		Symbol       json.RawMessage `json:"symbol,omitempty"`
		Amount       json.Number     `json:"amount"`
		Raw          string          `json:"amountRaw"`
		Decimals     int             `json:"decimals"`
	}{
		x.signature, s.timeOf(x).Unix(), "in", m.with, m.of.mint, encode(symbol),
		number(units(m.raw, m.of.decimals)), strconv.FormatUint(m.raw, 10), m.of.decimals,
	}
	if m.out {
		sent.Direction = "out"
	}
	if m.of == nativeSOL() { // has two spellings here
		sent.Mint = [...]string{solMint, string(types.NativeSOLMint)}[i%2]
	}
	if symbol == "" {
		sent.Symbol = [...]json.RawMessage{null(), nil}[i%2]
	}
	return encode(sent)
}
