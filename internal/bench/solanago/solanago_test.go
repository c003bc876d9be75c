// Package solanago_test compares this module with gagliardetto/solana-go. It is
// in a module apart, so that the dependencies of solana-go stay out of ours:
//
//	go test -bench . -benchtime 8x
package solanago_test

import (
	"encoding/json"
	"testing"

	"github.com/gagliardetto/solana-go"
	theirs "github.com/gagliardetto/solana-go/rpc"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/bench"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

const delegate = "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY"

func TestMain(m *testing.M) { bench.Main(m) }

// Other is solana-go, asked over loopback for the same token accounts. It leaves their
// parsed data undecoded. One comparison decodes the data, and the other does not.
func BenchmarkTokenAccountsByDelegate(b *testing.B) {
	const items = 1000
	url := bench.Serve(b, bench.ParsedTokenAccounts(items))
	client, err := rpc.New(types.Config{APIKey: types.Key("x"), RPCURL: url})
	require.NoError(b, err)
	ours := func() error {
		_, err := client.TokenAccountsByDelegate(b.Context(), delegate, rpc.ByProgram(types.TokenProgram), nil).Page()
		return err
	}
	other := theirs.New(url + "/?api-key=x")
	list := func() (*theirs.GetTokenAccountsResult, error) {
		return other.GetTokenAccountsByDelegate(b.Context(),
			solana.MustPublicKeyFromBase58(delegate),
			&theirs.GetTokenAccountsConfig{ProgramId: solana.TokenProgramID.ToPointer()},
			&theirs.GetTokenAccountsOpts{Encoding: solana.EncodingJSONParsed})
	}
	raw := func() error {
		_, err := list()
		return err
	}
	decoded := func() error {
		accounts, err := list()
		if err != nil {
			return err
		}
		for _, account := range accounts.Value {
			var data struct {
				Program string `json:"program"`
				Space   uint64 `json:"space"`
				Parsed  struct {
					Type string        `json:"type"`
					Info rpc.TokenInfo `json:"info"`
				} `json:"parsed"`
			}
			if err := json.Unmarshal(account.Account.Data.GetRawJSON(), &data); err != nil {
				return err
			}
		}
		return nil
	}
	b.Run("Decoded", func(b *testing.B) { compare(b, items, ours, decoded) })
	b.Run("Raw", func(b *testing.B) { compare(b, items, ours, raw) })
}

// compare compares two ways of reading a number of items.
func compare(b *testing.B, items float64, ours, other func() error) {
	b.Helper()
	bench.Compare(b, 1, ours, other)
	for name, f := range map[string]func() error{"ours": ours, "other": other} {
		allocs, bytes := bench.Allocs(b, 20, f)
		b.ReportMetric(allocs/items, "allocs/item-"+name)
		b.ReportMetric(bytes/items, "B/item-"+name)
	}
}
