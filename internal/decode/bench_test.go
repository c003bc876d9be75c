package decode_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/bench"
	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
)

// A listing is a response with a full page, and the two ways of decoding it that are
// compared.
type listing struct {
	name   string
	items  int
	allocs float64 // the most that an item may cost
	ours   func() (any, error)
	other  func() (any, error) // by encoding/json
}

func pages() []listing {
	parsed := bench.ParsedTokenAccounts(1000)
	return []listing{
		listingOf[envelope[page[compressed.Account]]]("CompressedAccounts", 1000, 8.5, bench.CompressedAccounts(1000)),
		listingOf[envelope[page[compressed.TokenAccount]]]("CompressedTokenAccounts", 1000, 12, bench.CompressedTokenAccounts(1000)),
		{"ParsedTokenAccounts", 1000, 16, viewed(parsed), decoded[envelope[[]unionAccount]](json.Unmarshal, parsed)},
		{"ParsedAlone", 1000, 16, viewed(parsed), decoded[envelope[[]parsedAccount]](json.Unmarshal, parsed)},
		listingOf[balances]("Balances", 100, 17, bench.Balances(100)),
	}
}

func listingOf[T any](name string, items int, allocs float64, body []byte) listing {
	return listing{name, items, allocs, decoded[T](decode.JSON, body), decoded[T](json.Unmarshal, body)}
}

func decoded[T any](unmarshal func([]byte, any) error, body []byte) func() (any, error) {
	return func() (any, error) {
		v := new(T)
		err := unmarshal(body, v)
		return v, err
	}
}

// The pages as the service sends them.
type (
	envelope[T any] struct {
		JSONRPC json.RawMessage `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   json.RawMessage `json:"error"`
		Result  struct {
			Context struct {
				Slot uint64 `json:"slot"`
			} `json:"context"`
			Value T `json:"value"`
		} `json:"result"`
	}
	page[T any] struct {
		Items  []T    `json:"items"`
		Cursor string `json:"cursor"`
	}
	balances struct {
		Balances      []wallet.Balance `json:"balances"`
		TotalUSDValue decimal.Decimal  `json:"totalUsdValue"`
	}
)

// viewed decodes token accounts and the typed view of each.
func viewed(body []byte) func() (any, error) {
	return func() (any, error) {
		var response envelope[[]rpc.TokenAccount]
		if err := decode.JSON(body, &response); err != nil {
			return nil, err
		}
		v := viewedAccounts{response.Result.Value, make([]*rpc.TokenInfo, len(response.Result.Value))}
		for i := range v.accounts {
			var err error
			if v.infos[i], err = v.accounts[i].Account.Data.TokenAccount(); err != nil {
				return nil, err
			}
		}
		return &v, nil
	}
}

type viewedAccounts struct {
	accounts []rpc.TokenAccount
	infos    []*rpc.TokenInfo
}

// A unionAccount is a token account in a hand-written client that takes every encoding
// of the data.
type unionAccount struct {
	Address types.Address `json:"pubkey"`
	Account struct {
		rpc.Account

		Data unionData `json:"data"` // hides the Data of rpc.Account
	} `json:"account"`
}

type unionData struct {
	Encoded [2]string
	Parsed  parsedData
}

func (d *unionData) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(b, []byte("[")) {
		return json.Unmarshal(b, &d.Encoded)
	}
	return json.Unmarshal(b, &d.Parsed)
}

type parsedData struct {
	Program string `json:"program"`
	Space   uint64 `json:"space"`
	Parsed  struct {
		Type string        `json:"type"`
		Info rpc.TokenInfo `json:"info"`
	} `json:"parsed"`
}

// A parsedAccount is a token account in a hand-written client that takes jsonParsed
// only: encoding/json then scans the data once less.
type parsedAccount struct {
	Address types.Address `json:"pubkey"`
	Account struct {
		Lamports   uint64        `json:"lamports"`
		Owner      types.Address `json:"owner"`
		Data       parsedData    `json:"data"`
		Executable bool          `json:"executable"`
		RentEpoch  uint64        `json:"rentEpoch"`
		Space      uint64        `json:"space"`
	} `json:"account"`
}

// A tokenAccount has the members that the types above share.
type tokenAccount struct {
	account rpc.TokenAccount // without the Info of its data
	info    rpc.TokenInfo
}

func (d *parsedData) tokenAccount(address types.Address, account rpc.Account) tokenAccount {
	account.Data = rpc.Data{Encoding: types.EncodingJSONParsed, Program: d.Program, Space: d.Space, Type: d.Parsed.Type}
	return tokenAccount{rpc.TokenAccount{Address: address, Account: account}, d.Parsed.Info}
}

// itemsOf returns the items of a listing, for comparison.
func itemsOf(v any) any {
	var all []tokenAccount
	switch v := v.(type) {
	case *envelope[page[compressed.Account]]:
		return v.Result.Value.Items
	case *envelope[page[compressed.TokenAccount]]:
		return v.Result.Value.Items
	case *balances:
		return v.Balances
	case *viewedAccounts:
		for i, a := range v.accounts {
			a.Account.Data.Info = nil
			all = append(all, tokenAccount{a, *v.infos[i]})
		}
	case *envelope[[]unionAccount]:
		for _, a := range v.Result.Value {
			all = append(all, a.Account.Data.Parsed.tokenAccount(a.Address, a.Account.Account))
		}
	case *envelope[[]parsedAccount]:
		for _, a := range v.Result.Value {
			all = append(all, a.Account.Data.tokenAccount(a.Address, rpc.Account{
				Lamports: a.Account.Lamports, Owner: a.Account.Owner, Executable: a.Account.Executable,
				RentEpoch: rpc.Epoch(a.Account.RentEpoch), Space: a.Account.Space,
			}))
		}
	}
	return all
}

func TestBenchmarksDecodeTheSameItems(t *testing.T) {
	t.Parallel()
	for _, l := range pages() {
		ours, err := l.ours()
		require.NoError(t, err, l.name)
		other, err := l.other()
		require.NoError(t, err, l.name)
		require.Equal(t, l.items, reflect.ValueOf(itemsOf(ours)).Len(), l.name)
		require.True(t, reflect.DeepEqual(itemsOf(other), itemsOf(ours)), l.name)
	}
}

func BenchmarkDecode(b *testing.B) { bench.Decode(b, listings()) }

func listings() (all []bench.Listing) {
	for _, l := range pages() {
		all = append(all, bench.Listing{Name: l.name, Items: l.items, Allocs: l.allocs, Ours: discard(l.ours), Other: discard(l.other)})
	}
	return all
}

func discard(f func() (any, error)) func() error {
	return func() error {
		_, err := f()
		return err
	}
}
