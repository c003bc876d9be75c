package fake

import (
	"encoding/json"
	"net/http"

	"github.com/solwire/solwire-go/types"
)

// fundedBy answers who sent the first SOL to a wallet.
func fundedBy(s *Service, c *call) ([]byte, *refusal) {
	wallet, refused := c.wallet()
	if refused != nil {
		return nil, refused
	}
	sent := struct {
		Funder    string          `json:"funder"`
		Name      json.RawMessage `json:"funderName,omitempty"`
		Type      string          `json:"funderType,omitempty"`
		Mint      string          `json:"mint"`
		Symbol    string          `json:"symbol"`
		Amount    json.Number     `json:"amount"`
		Raw       uint64          `json:"amountRaw,string"`
		Decimals  int             `json:"decimals"`
		Signature string          `json:"signature"`
		Time      int64           `json:"timestamp"`
		Date      string          `json:"date"`
		Slot      uint64          `json:"slot"`
		Explorer  string          `json:"explorerUrl"`
	}{Symbol: "SOL", Decimals: 9}
	list := s.transactionsOf(wallet)
	first, m := funding(list)
	if first == nil {
		return nil, &refusal{http.StatusNotFound, "No funding transaction found", ""}
	}
	sent.Funder, sent.Name = m.with, null()
	if i, known := s.known(m.with); known {
		sent.Name, sent.Type = encode(i.Name), i.Type
	}
	sent.Mint, sent.Raw = [...]string{solMint, string(types.NativeSOLMint)}[len(list)%2], m.raw // both spellings occur
	sent.Signature, sent.Slot = first.signature, s.slotOf(first)
	at := s.timeOf(first)
	sent.Amount = number(units(sent.Raw, 9))
	sent.Time, sent.Date = at.Unix(), at.Format("2006-01-02T15:04:05.000Z")
	sent.Explorer = "https://explorer.solana.com/tx/" + sent.Signature + "?cluster=mainnet-beta"
	return encode(sent), nil
}

// funding returns the first transaction, of a list with the newest first, that
// brought SOL, and its move.
func funding(list []transaction) (*transaction, move) {
	for i := len(list) - 1; i >= 0; i-- {
		for _, m := range list[i].moves {
			if m.of == nativeSOL() && !m.out && list[i].failure == "" {
				return &list[i], m
			}
		}
	}
	return nil, move{}
}
