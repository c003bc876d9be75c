package fake

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/solwire/solwire-go/types"
)

// fundedBy answers where a wallet got its first SOL from.
func fundedBy(wallet string, q *query) answer {
	if a, refused := q.finish(wallet); refused {
		return a
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
	var at time.Time
	switch wallet {
	case Wallet:
		all := ledger()
		x := all[len(all)-1]
		sent.Funder, sent.Name, sent.Type = Exchange, encode("Binance 1"), "exchange"
		sent.Mint, sent.Raw = solMint, x.moves[0].raw
		sent.Signature, sent.Slot, at = x.signature, x.slot, x.time
	case Collector: // by someone unknown
		s := seed(32).item(0)
		sent.Funder, sent.Name = string(s.address(nil)), null()
		sent.Mint, sent.Raw = string(types.NativeSOLMint), 5
		sent.Signature, sent.Slot, at = string(s.signature(nil)), 271828182, time.Date(2024, time.June, 15, 4, 34, 0, 0, time.UTC)
	default:
		return refusal(http.StatusNotFound, "No funding transaction found", "")
	}
	sent.Amount = number(units(sent.Raw, 9))
	sent.Time, sent.Date = at.Unix(), at.Format("2006-01-02T15:04:05.000Z")
	sent.Explorer = "https://explorer.solana.com/tx/" + sent.Signature + "?cluster=mainnet-beta"
	return ok(encode(sent))
}
