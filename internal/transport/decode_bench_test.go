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
	unset  []string   // the fields that are zero in every item
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
			unset: []string{"Account.Address", "Account.Lamports", "TokenData.TLV"},
			ours:  func() any { return new(transport.Envelope[compressed.Page[compressed.TokenAccount]]) },
			plain: func() any { return new(transport.Envelope[compressed.Page[compressed.TokenAccount]]) },
		},
		{
			name: "ParsedTokenAccounts", items: 1000, body: bench.ParsedTokenAccounts(1000), allocs: 16,
			unset: notParsed,
			ours:  func() any { return new(transport.Envelope[[]rpc.TokenAccount]) },
			plain: func() any { return new(transport.Envelope[[]plainTokenAccount]) },
		},
		{
			name: "ParsedAlone", items: 1000, body: bench.ParsedTokenAccounts(1000), allocs: 16,
			unset: notParsed,
			ours:  func() any { return new(transport.Envelope[[]rpc.TokenAccount]) },
			plain: func() any { return new(transport.Envelope[[]parsedTokenAccount]) },
		},
		{
			name: "Balances", items: 100, body: bench.Balances(100), allocs: 17,
			ours:  func() any { return new(wallet.BalancePage) },
			plain: func() any { return new(wallet.BalancePage) },
		},
	}
}

// notParsed is what token accounts without delegation of SOL do not have.
var notParsed = []string{
	"Account.Data.Encoded", "Account.Data.Parsed.CloseAuthority", "Account.Data.Parsed.Extensions",
	"Account.Data.Parsed.IsNative", "Account.Data.Parsed.RentExemptReserve", "Account.Executable",
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

func (a plainTokenAccount) account() rpc.TokenAccount {
	d := a.Account.Data
	a.Account.Account.Data = rpc.Data{Program: d.Program, Space: d.Space, Parsed: d.Parsed, Encoding: rpc.JSONParsed}
	return rpc.TokenAccount{Address: a.Address, Account: a.Account.Account}
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

// A parsedTokenAccount is one that a program reads which asks for jsonParsed
// and expects nothing else: encoding/json then looks at the data once less.
type parsedTokenAccount struct {
	Address types.Address `json:"pubkey"`
	Account struct {
		Lamports uint64        `json:"lamports"`
		Owner    types.Address `json:"owner"`
		Data     struct {
			Program string `json:"program"`
			Space   uint64 `json:"space"`
			Parsed  struct {
				Type string        `json:"type"`
				Info rpc.TokenInfo `json:"info"`
			} `json:"parsed"`
		} `json:"data"`
		Executable bool   `json:"executable"`
		RentEpoch  uint64 `json:"rentEpoch"`
		Space      uint64 `json:"space"`
	} `json:"account"`
}

func (a parsedTokenAccount) account() rpc.TokenAccount {
	d := a.Account.Data
	d.Parsed.Info.Type = d.Parsed.Type
	return rpc.TokenAccount{Address: a.Address, Account: rpc.Account{
		Lamports:   a.Account.Lamports,
		Owner:      a.Account.Owner,
		Data:       rpc.Data{Program: d.Program, Space: d.Space, Parsed: &d.Parsed.Info, Encoding: rpc.JSONParsed},
		Executable: a.Account.Executable,
		RentEpoch:  rpc.Epoch(a.Account.RentEpoch),
		Space:      a.Account.Space,
	}}
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
