package conformance_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/wallet"
)

// made returns an address; kind tells the addresses of different things apart.
func made(kind byte, i int) types.Address {
	var key [32]byte
	key[0] = kind
	binary.BigEndian.PutUint64(key[8:], uint64(i))
	return types.AddressOf(key)
}

// The addresses that the world of the prices is about.
var (
	holder, collector, engraver, trader = made(200, 0), made(201, 0), made(202, 0), made(203, 0)
	compressor, indexed, delegated      = made(204, 0), made(205, 0), made(206, 0)
	master, oneMint, ownProgram         = made(207, 0), made(208, 0), made(210, 0)
)

// priced returns a service with n items in each listing.
func priced(n int) *fake.Service {
	w := &fake.World{Wallets: []fake.Wallet{{Address: holder}}, NFTs: []fake.NFT{{ID: master, Owner: trader, MaxSupply: 10_000}}}
	one := decimal.NewFromInt(1)
	for i := range n {
		w.Wallets[0].Tokens = append(w.Wallets[0].Tokens, fake.Token{Mint: made(1, i), Amount: one})
		w.NFTs = append(w.NFTs, fake.NFT{
			ID: made(2, i), Owner: collector, Collection: collector, Authority: collector, Creators: []fake.Creator{{Address: collector, Share: 100}},
		}, fake.NFT{ID: made(3, i), Owner: engraver, MasterEdition: master, Edition: uint64(i + 1)})
		w.Transactions = append(w.Transactions, fake.Transaction{FeePayer: trader, Transfers: []fake.Transfer{{From: trader, To: made(4, 0), Amount: one}}})
		w.TokenAccounts = append(w.TokenAccounts, fake.TokenAccount{Owner: made(5, i), Mint: heldMint, RawAmount: 1, Delegate: delegated, DelegatedAmount: 1})
		w.CompressedAccounts = append(w.CompressedAccounts, fake.CompressedAccount{Owner: compressor, Data: []byte{1}, Discriminator: 1})
		w.CompressedTokenAccounts = append(w.CompressedTokenAccounts,
			fake.CompressedTokenAccount{Owner: indexed, Mint: made(6, i), RawAmount: 1},
			fake.CompressedTokenAccount{Owner: made(7, i), Mint: oneMint, RawAmount: 1, Delegate: delegated})
		w.ProgramAccounts = append(w.ProgramAccounts, fake.ProgramAccount{Program: ownProgram, Data: []byte{1}})
	}
	return fake.New(&fake.Options{World: w, Seed: 1, Journal: 1 << 20})
}

// pricedListings are all listings, by method.
func pricedListings() map[string]func(context.Context, *clients) reader {
	return map[string]func(context.Context, *clients) reader{
		"das.Client.AssetsByOwner": func(ctx context.Context, c *clients) reader {
			return readerOf(c.das.AssetsByOwner(ctx, collector, nil).List)
		},
		"das.Client.AssetsByAuthority": func(ctx context.Context, c *clients) reader {
			return readerOf(c.das.AssetsByAuthority(ctx, collector, nil).List)
		},
		"das.Client.AssetsByCreator": func(ctx context.Context, c *clients) reader {
			return readerOf(c.das.AssetsByCreator(ctx, collector, nil).List)
		},
		"das.Client.AssetsByGroup": func(ctx context.Context, c *clients) reader {
			return readerOf(c.das.AssetsByGroup(ctx, das.GroupCollection, collector, nil).List)
		},
		"das.Client.SearchAssets": func(ctx context.Context, c *clients) reader {
			return readerOf(c.das.SearchAssets(ctx, das.SearchFilter{Owner: collector}, nil).List)
		},
		"das.Client.Editions": func(ctx context.Context, c *clients) reader { return readerOf(c.das.Editions(ctx, master, nil).List) },
		"das.Client.TokenAccounts": func(ctx context.Context, c *clients) reader {
			return readerOf(c.das.TokenAccounts(ctx, das.TokenAccountsFilter{Mint: heldMint}, nil))
		},
		"rpc.Client.TransactionsForAddress": func(ctx context.Context, c *clients) reader {
			return readerOf(c.rpc.TransactionsForAddress(ctx, trader, nil))
		},
		"rpc.Client.TransactionSignaturesForAddress": func(ctx context.Context, c *clients) reader {
			return readerOf(c.rpc.TransactionSignaturesForAddress(ctx, trader, nil))
		},
		"rpc.Client.SignaturesForAddress": func(ctx context.Context, c *clients) reader {
			return readerOf(c.rpc.SignaturesForAddress(ctx, trader, nil))
		},
		"rpc.Client.TransfersByAddress": func(ctx context.Context, c *clients) reader {
			return readerOf(c.rpc.TransfersByAddress(ctx, trader, nil))
		},
		"rpc.Client.ProgramAccounts": func(ctx context.Context, c *clients) reader {
			return readerOf(c.rpc.ProgramAccounts(ctx, ownProgram, nil))
		},
		"rpc.Client.TokenAccountsByOwner": func(ctx context.Context, c *clients) reader {
			return readerOf(c.rpc.TokenAccountsByOwner(ctx, holder, rpc.AnyProgram(), nil))
		},
		"rpc.Client.TokenAccountsByDelegate": func(ctx context.Context, c *clients) reader {
			return readerOf(c.rpc.TokenAccountsByDelegate(ctx, delegated, rpc.AnyProgram(), nil))
		},
		"parsed.Client.History": func(ctx context.Context, c *clients) reader { return readerOf(c.parsed.History(ctx, trader, nil)) },
		"compressed.Client.AccountsByOwner": func(ctx context.Context, c *clients) reader {
			return readerOf(c.compressed.AccountsByOwner(ctx, compressor, nil))
		},
		"compressed.Client.TokenAccountsByOwner": func(ctx context.Context, c *clients) reader {
			return readerOf(c.compressed.TokenAccountsByOwner(ctx, indexed, nil))
		},
		"compressed.Client.TokenAccountsByDelegate": func(ctx context.Context, c *clients) reader {
			return readerOf(c.compressed.TokenAccountsByDelegate(ctx, delegated, nil))
		},
		"compressed.Client.TokenBalancesByOwner": func(ctx context.Context, c *clients) reader {
			return readerOf(c.compressed.TokenBalancesByOwner(ctx, indexed, nil))
		},
		"compressed.Client.MintTokenHolders": func(ctx context.Context, c *clients) reader {
			return readerOf(c.compressed.MintTokenHolders(ctx, oneMint, nil))
		},
		"compressed.Client.SignaturesForTokenOwner": func(ctx context.Context, c *clients) reader {
			return readerOf(c.compressed.SignaturesForTokenOwner(ctx, indexed, nil))
		},
		"wallet.Client.Balances": func(ctx context.Context, c *clients) reader {
			return readerOf(c.wallet.Balances(ctx, holder, &wallet.BalancesOptions{HideNative: true}).List)
		},
		"wallet.Client.History":   func(ctx context.Context, c *clients) reader { return readerOf(c.wallet.History(ctx, trader, nil)) },
		"wallet.Client.Transfers": func(ctx context.Context, c *clients) reader { return readerOf(c.wallet.Transfers(ctx, trader, nil)) },
		"enhanced.Client.History": func(ctx context.Context, c *clients) reader { return readerOf(c.enhanced.History(ctx, trader, nil)) },
	}
}

// likeOthers are the listings that the world of the prices has not enough items for, with
// what they cost.
var likeOthers = map[string]string{
	"compressed.Client.LatestCompressionSignatures": "compressed.Client.SignaturesForTokenOwner",
	"compressed.Client.LatestNonVotingSignatures":   "compressed.Client.SignaturesForTokenOwner",
	"compressed.Client.SignaturesForAddress":        "compressed.Client.SignaturesForTokenOwner",
	"compressed.Client.SignaturesForOwner":          "compressed.Client.SignaturesForTokenOwner",
	"das.Client.Signatures":                         "das.Client.Editions",
}

// pricesPage returns the page in docs that says what listings cost.
func pricesPage(t *testing.T) string {
	t.Helper()
	sizes := []int{0, 1, 10, 1000, 2500}
	cells := map[string][]string{}
	for _, n := range sizes {
		s := priced(n)
		for method, list := range pricedListings() {
			cfg := s.Config()
			cfg.Meter = new(types.Meter)
			before, got := len(s.Requests()), 0
			for page, err := range list(t.Context(), connect(t, cfg)).pages {
				require.NoError(t, err, method)
				got += page.items
			}
			require.Equal(t, n, got, method)
			cells[method] = append(cells[method], fmt.Sprintf("%d/%d", len(s.Requests())-before, cfg.Meter.Credits()))
		}
	}
	var b strings.Builder
	b.WriteString("# What listings cost\n\nRequests/credits of whole listings with default options, by the number of items. ")
	b.WriteString("`Page` costs one request, and a loop with `break` the pages that it read. `TokenAccountsByOwner` and `TokenAccountsByDelegate` of rpc are listed with `AnyProgram`, which stands for two programs.\n\n| Listing | 0 | 1 | 10 | 1000 | 2500 |\n|---|---|---|---|---|---|\n")
	alike := map[string][]string{}
	for _, method := range slices.Sorted(maps.Keys(cells)) {
		costs := strings.Join(cells[method], " | ")
		alike[costs] = append(alike[costs], "`"+method+"`")
	}
	for _, method := range slices.Sorted(maps.Keys(likeOthers)) {
		costs := strings.Join(cells[likeOthers[method]], " | ")
		alike[costs] = append(alike[costs], "`"+method+"`\\*")
	}
	first := func(a, b string) int { return strings.Compare(alike[a][0], alike[b][0]) }
	for _, costs := range slices.SortedFunc(maps.Keys(alike), first) {
		fmt.Fprintf(&b, "| %s | %s |\n", strings.Join(alike[costs], ", "), costs)
	}
	b.WriteString("\n\\* Not measured.\n")
	return b.String()
}

// To write the page: make update.
func TestPagesOfPrices(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("the prices are the same with all toolchains")
	}
	listed := pricedListings()
	for area, client := range clientTypes {
		for i := range client.NumMethod() {
			m := client.Method(i)
			if !returnsList(m) {
				continue
			}
			method := path.Base(area) + ".Client." + m.Name
			require.True(t, listed[method] != nil || likeOthers[method] != "",
				"%s is a listing without a price: add it to pricedListings, then run make update", method)
		}
	}
	requireUpdated(t, "../../docs/prices.md", pricesPage(t))
}
