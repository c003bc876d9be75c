package transport_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/bench"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
)

// A listing is a kind of answer, with as many items as a page of it may have.
type listing struct {
	name   string
	items  int
	body   []byte
	ours   func() any
	plain  func() any // for encoding/json, where what is ours has our decoder inside
	allocs float64    // that an item may cost
}

func listings() []listing {
	return []listing{
		{
			name: "CompressedAccounts", items: 1000, body: bench.CompressedAccounts(1000), allocs: 8.5,
			ours:  func() any { return new(transport.Envelope[compressed.Page[compressed.Account]]) },
			plain: func() any { return new(transport.Envelope[compressed.Page[compressed.Account]]) },
		},
		{
			name: "CompressedTokenAccounts", items: 1000, body: bench.CompressedTokenAccounts(1000), allocs: 12,
			ours:  func() any { return new(transport.Envelope[compressed.Page[compressed.TokenAccount]]) },
			plain: func() any { return new(transport.Envelope[compressed.Page[compressed.TokenAccount]]) },
		},
		{
			name: "ParsedTokenAccounts", items: 1000, body: bench.ParsedTokenAccounts(1000), allocs: 16,
			ours:  func() any { return new(transport.Envelope[[]rpc.TokenAccount]) },
			plain: func() any { return new(transport.Envelope[[]plainTokenAccount]) },
		},
		{
			name: "Balances", items: 100, body: bench.Balances(100), allocs: 17,
			ours:  func() any { return new(wallet.BalancePage) },
			plain: func() any { return new(wallet.BalancePage) },
		},
	}
}

// A plainTokenAccount is an rpc.TokenAccount whose data is decoded by
// encoding/json too.
type plainTokenAccount struct {
	Address types.Address `json:"pubkey"`
	Account struct {
		rpc.Account

		Data plainData `json:"data"` // hides that of rpc.Account
	} `json:"account"`
}

type plainData struct {
	Program string
	Space   uint64
	Parsed  *rpc.TokenInfo
	Pair    [2]string
}

func (d *plainData) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(b, []byte("[")) {
		return json.Unmarshal(b, &d.Pair)
	}
	var object struct {
		Program string `json:"program"`
		Space   uint64 `json:"space"`
		Parsed  struct {
			Type string        `json:"type"`
			Info rpc.TokenInfo `json:"info"`
		} `json:"parsed"`
	}
	err := json.Unmarshal(b, &object)
	object.Parsed.Info.Type = object.Parsed.Type
	d.Program, d.Space, d.Parsed = object.Program, object.Space, &object.Parsed.Info
	return err
}

// Other is encoding/json, into the same structs.
func BenchmarkDecode(b *testing.B) {
	for _, l := range listings() {
		b.Run(l.name, func(b *testing.B) {
			ours := func() error { return transport.Decode(l.body, l.ours()) }
			other := func() error { return json.Unmarshal(l.body, l.plain()) }
			bench.Compare(b, 1, ours, other)
			b.ReportMetric(l.allocsPerItem(b), "allocs/item")
		})
	}
}

func (l listing) allocsPerItem(tb testing.TB) float64 {
	tb.Helper()
	allocs, _ := bench.Allocs(tb, 20, func() error { return transport.Decode(l.body, l.ours()) })
	return allocs / float64(l.items)
}
