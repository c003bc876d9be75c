package conformance_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/rpc/parsedapi"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
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
	changed, changer, sold              = made(211, 0), made(212, 0), made(213, 0)
)

// priced returns the services whose listings have n items each, by method. It runs in a bubble
// of synctest.
func priced(n int) func(method string) *fake.Service {
	world, changes := pricedWorld(n), fake.New(&fake.Options{World: &fake.World{}, Journal: 1 << 20})
	for i := range n {
		account := fake.CompressedAccount{Owner: changer, Address: changed, Hash: types.Hash(made(9, i))}
		change := fake.Transaction{FeePayer: changer, CompressedAccounts: []fake.CompressedAccount{account}}
		if i > 0 {
			change.SpentHashes = []types.Hash{types.Hash(made(9, i-1))}
		}
		changes.Happen(change)
	}
	var w fake.World
	if n > 0 { // it is made, then sold
		w.NFTs = []fake.NFT{{ID: sold, Owner: trader, Compressed: true}}
	}
	sales := fake.New(&fake.Options{World: &w, Journal: 1 << 20})
	seller, buyer := trader, collector
	for range n - 1 {
		sales.Happen(fake.Transaction{FeePayer: seller, Transfers: []fake.Transfer{{From: seller, To: buyer, Mint: sold, Amount: decimal.NewFromInt(1)}}})
		seller, buyer = buyer, seller
	}
	time.Sleep(time.Minute) // until all is finalized
	return func(method string) *fake.Service {
		switch method {
		case "das.Client.Signatures":
			return sales
		case "compressed.Client.LatestCompressionSignatures", "compressed.Client.LatestNonVotingSignatures",
			"compressed.Client.SignaturesForAddress", "compressed.Client.SignaturesForOwner":
			return changes
		}
		return world
	}
}

// pricedWorld returns a service whose World has n items of each kind.
func pricedWorld(n int) *fake.Service {
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

// pricedListings are the arguments of all listings, by method.
var pricedListings = map[string][]any{
	"das.Client.AssetsByOwner":                      {collector},
	"das.Client.AssetsByAuthority":                  {collector},
	"das.Client.AssetsByCreator":                    {collector},
	"das.Client.AssetsByGroup":                      {das.GroupCollection, collector},
	"das.Client.SearchAssets":                       {das.SearchFilter{Owner: collector}},
	"das.Client.Editions":                           {master},
	"das.Client.Signatures":                         {sold},
	"das.Client.TokenAccounts":                      {das.TokenAccountsFilter{Mint: heldMint}},
	"rpc.Client.TransactionsForAddress":             {trader},
	"rpc.Client.TransactionSignaturesForAddress":    {trader},
	"rpc.Client.SignaturesForAddress":               {trader},
	"rpc.Client.TransfersByAddress":                 {trader},
	"rpc.Client.ProgramAccounts":                    {ownProgram},
	"rpc.Client.TokenAccountsByOwner":               {holder, rpc.AnyProgram()},
	"rpc.Client.TokenAccountsByDelegate":            {delegated, rpc.AnyProgram()},
	"parsedapi.Client.History":                      {trader},
	"parsedapi.Client.Scan":                         {trader, parsedapi.Match{Mints: []parsedapi.MintMatch{{Mint: types.SOL}}}},
	"parsedapi.Client.ScanSignatures":               {trader, parsedapi.Match{Mints: []parsedapi.MintMatch{{Mint: types.SOL}}}},
	"compressed.Client.AccountsByOwner":             {compressor},
	"compressed.Client.TokenAccountsByOwner":        {indexed},
	"compressed.Client.TokenAccountsByDelegate":     {delegated},
	"compressed.Client.TokenBalancesByOwner":        {indexed},
	"compressed.Client.MintTokenHolders":            {oneMint},
	"compressed.Client.SignaturesForTokenOwner":     {indexed},
	"compressed.Client.SignaturesForOwner":          {changer},
	"compressed.Client.SignaturesForAddress":        {changed},
	"compressed.Client.LatestCompressionSignatures": {},
	"compressed.Client.LatestNonVotingSignatures":   {},
	"wallet.Client.Balances":                        {holder},
	"wallet.Client.History":                         {trader},
	"wallet.Client.Transfers":                       {trader},
	"enhancedapi.Client.History":                    {trader},
}

// pricedList returns a listing of a service with priced items.
func (c *clients) pricedList(ctx context.Context, method string, args []any, limit int64, cursor string) reflect.Value {
	return c.open(ctx, method, args, func(o reflect.Value) {
		o.FieldByName("Cursor").SetString(cursor)
		name := "Limit"
		if method == "parsedapi.Client.ScanSignatures" { // all transactions match
			name = "Budget"
		}
		if f := o.FieldByName(name); f.IsValid() {
			f.SetInt(limit)
		}
		if f := o.FieldByName("HideNative"); f.IsValid() { // of the balances
			f.SetBool(true)
		}
	})
}

// formulas are how many requests listings of n > 0 items take.
var formulas = map[string]func(n int) int{
	"⌈n/100⌉":    func(n int) int { return (n + 99) / 100 },
	"⌈n/100⌉+1":  func(n int) int { return (n+99)/100 + 1 },
	"⌈n/10000⌉":  func(n int) int { return (n + 9999) / 10_000 },
	"⌈n/1000⌉":   func(n int) int { return (n + 999) / 1000 },
	"⌈n/1000⌉+1": func(n int) int { return (n+999)/1000 + 1 },
	"⌈n/1000⌉+2": func(n int) int { return (n+999)/1000 + 2 },
	"⌊n/1000⌋+1": func(n int) int { return n/1000 + 1 },
	"2":          func(int) int { return 2 },
}

// pricesPage returns the page in docs with the prices of listings.
func pricesPage(t *testing.T) string {
	t.Helper()
	sizes := []int{0, 1, 10, 1000, 2500}
	cells, fits := map[string][]string{}, map[string][]string{}
	for _, n := range sizes {
		service := priced(n)
		for method, args := range pricedListings {
			s := service(method)
			cfg := s.Config()
			cfg.Meter = new(types.Meter)
			before, got := len(s.Requests()), 0
			for page, err := range pagesOf(connect(t, cfg).pricedList(t.Context(), method, args, 0, "")) {
				require.NoError(t, err, method)
				got += page.items
			}
			require.Equal(t, n, got, method)
			requests := len(s.Requests()) - before
			if spent := cfg.Meter.Spent(); types.Estimate(spent[0].Op, 1) > 0 {
				lists := uint64(1)
				if slices.Contains(args, any(rpc.AnyProgram())) {
					lists = 2
				}
				require.LessOrEqual(t, cfg.Meter.Credits(), lists*types.Estimate(spent[0].Op, uint64(n)), method)
			}
			cells[method] = append(cells[method], fmt.Sprintf("%d/%d", requests, cfg.Meter.Credits()))
			if fits[method] == nil {
				fits[method] = slices.Collect(maps.Keys(formulas))
			}
			if n > 0 {
				fits[method] = slices.DeleteFunc(fits[method], func(f string) bool { return formulas[f](n) != requests })
			}
		}
	}
	var b strings.Builder
	b.WriteString("# What listings cost\n\nRequests of whole listings of n > 0 items with default options, and requests/credits for some n. ")
	b.WriteString("`Page` costs one request, and a loop with `break` the pages that it read. Token accounts of rpc are listed with `AnyProgram`: two programs, and one request more if both have accounts.\n\n| Listing | Requests | 0 | 1, 10 | 1000 | 2500 |\n|---|---|---|---|---|---|\n")
	alike := map[string][]string{}
	for _, method := range slices.Sorted(maps.Keys(cells)) {
		require.Len(t, fits[method], 1, "%s takes %s requests: add a formula", method, cells[method])
		require.Equal(t, cells[method][1], cells[method][2], "%s: 10 items have no column", method)
		cells[method] = slices.Concat(fits[method], slices.Delete(cells[method], 2, 3))
		costs := strings.Join(cells[method], " | ")
		alike[costs] = append(alike[costs], "`"+method+"`")
	}
	first := func(a, b string) int { return strings.Compare(alike[a][0], alike[b][0]) }
	for _, costs := range slices.SortedFunc(maps.Keys(alike), first) {
		fmt.Fprintf(&b, "| %s | %s |\n", strings.Join(alike[costs], ", "), costs)
	}
	return b.String() + estimates + scans + holders
}

// estimates is the part of the page on the cost of a listing in advance.
const estimates = `
` + "`types.Estimate`" + ` returns the most that a listing costs, if you know the number of its items. It is the ` + "`Total`" + ` of its first page, or the result of ` + "`parsedapi.Client.ScanCount`" + `, or you list signatures first, as in the [recipe for taxes](recipes.md#a-year-for-taxes). A ` + "`Limit`" + ` of the ` + "`Meter`" + ` is a budget. The remaining credits of an account are in the dashboard of Helius: solwire has no call for them, since its credential is not documented.
`

// scans is the part of the page on few of many transactions.
const scans = `
## Few of many transactions

A scan costs 10 credits a request and 1 per 1000 transactions that it searches, up to 10 000 in a request. In the table above, all transactions match.

| The history has | Matches | ` + "`parsedapi.Client.Scan`" + ` | ` + "`parsedapi.Client.History`" + ` |
|---|---|---|---|
| 1000 transactions | up to 100 | 11 | 100 |
| 10 000 transactions | up to 100 | 20 | 1000 |
| 100 000 transactions | up to 100 in each 10 000 | 200 | 10 000 |
| 10 000 transactions | all, to count them: ` + "`ScanCount`" + ` | 20 | 1000 |
`

// holders is the part of the page on the balances of a token.
const holders = `
## Who holds a token

| You have | Call | Credits |
|---|---|---|
| wallets, and want the balance of one mint in each | ` + "`rpc.Client.AssociatedTokenBalances`" + ` | 1 per 100 wallets, and 1 |
| a mint, and want all its holders | ` + "`das.Client.TokenAccounts`" + ` | 10 per 1000 holders |
| a mint, and want all its holders, with the data of their accounts | ` + "`rpc.Client.ProgramAccounts`" + ` with a filter on the mint | 1 per 1000 accounts |
| one wallet, and want all its tokens | ` + "`rpc.Client.TokenAccountsByOwner`" + ` | 1 per 1000 accounts |
| one wallet, and want all its tokens with prices | ` + "`wallet.Client.Balances`" + ` | 100 per 100 tokens |

Ask for the wallets if you know them and the mint has more holders: the balances of 5000 wallets cost 51 credits. List the holders if tokens in other accounts than the associated ones count, such as in the vault of a program.
`

// To write the page: make update.
func TestPageOfPricesMatchesListings(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("the prices are the same with all toolchains")
	}
	for method, m := range methods() {
		require.True(t, !returnsList(m) || pricedListings[method] != nil,
			"%s is a listing without a price: add it to pricedListings, then run make update", method)
	}
	synctest.Test(t, func(t *testing.T) { requireUpdated(t, "../../docs/prices.md", pricesPage(t)) })
}

// A cursor of another address is refused, since it would skip items in silence. With another
// Limit the listing continues with the next item, or the cursor, a page number, is refused.
func TestCursorsBelongToTheirListing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, requireOwnCursors)
}

func requireOwnCursors(t *testing.T) {
	t.Helper()
	service := priced(30)
	other := map[reflect.Type]any{
		reflect.TypeFor[types.Address](): mint, reflect.TypeFor[das.SearchFilter](): das.SearchFilter{Owner: mint}, reflect.TypeFor[das.TokenAccountsFilter](): das.TokenAccountsFilter{Mint: mint},
	}
	for name, args := range pricedListings {
		c := connect(t, service(name).Config())
		all := func(args []any, limit int64, cursor string) (items []string, err error) {
			for item, e := range c.pricedList(t.Context(), name, args, limit, cursor).MethodByName("All").Call(nil)[0].Seq2() {
				if err, _ = reflect.TypeAssert[error](e); err == nil {
					items = append(items, encoded(item))
				}
			}
			return items, err
		}
		whole, err := all(args, 12, "")
		require.NoError(t, err, name)
		out := c.pricedList(t.Context(), name, args, 12, "").MethodByName("Page").Call(nil)
		require.True(t, out[1].IsNil(), "%s: %v", name, out[1])
		first, cursor := encodedAll(out[0].Elem().FieldByName("Items")), out[0].Elem().FieldByName("Cursor").String()
		require.NotEmpty(t, cursor, name)
		rest, err := all(args, 7, cursor)
		if err == nil {
			require.Equal(t, whole, append(first, rest...), name)
		} else {
			require.ErrorIs(t, err, types.ErrInvalid, name)
		}
		for j, arg := range args {
			if another, ok := other[reflect.TypeOf(arg)]; ok {
				wrong := slices.Clone(args)
				wrong[j] = another
				_, err = all(wrong, 12, cursor)
				require.ErrorIs(t, err, types.ErrInvalid, name)
			}
		}
	}
}

func encoded(item reflect.Value) string {
	b, _ := json.Marshal(item.Interface()) // results survive encoding/json
	return string(b)
}

func encodedAll(items reflect.Value) (all []string) {
	for i := range items.Len() {
		all = append(all, encoded(items.Index(i)))
	}
	return all
}
