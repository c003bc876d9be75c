package main

import (
	"html"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/examples/progress"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// begin is when the fakes of tests begin: 2 June 2025, 15:05 UTC.
const begin = written

// testClock returns a clock that begins then.
func testClock() func() time.Time {
	start := time.Now()
	return func() time.Time { return time.Unix(begin, 0).Add(time.Since(start)) }
}

func newTestFake(t *testing.T) *fake.Service {
	t.Helper()
	service, err := newFake(testClock())
	require.NoError(t, err)
	return service
}

func newTestDashboard(t *testing.T, service *fake.Service) *dashboard {
	t.Helper()
	cfg := service.Config()
	cfg.MaxAttempts, cfg.Meter = 1, new(types.Meter)
	d, err := newDashboard(cfg, "https://explorer.example/", testClock())
	require.NoError(t, err)
	d.owner, d.madeUp = fake.WalletAddress, true
	t.Cleanup(d.streams.Close)
	return d
}

// get returns the response for a path.
func get(t *testing.T, d *dashboard, path string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1:8080"+path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	d.handler().ServeHTTP(w, r)
	return w
}

const (
	balancesOp = "searchAssets"
	historyOp  = "POST /v1/parsed-events/transaction-history"
)

func TestFailedSectionLeavesTheOthers(t *testing.T) {
	t.Parallel()
	const failure, holdings, activity = "This part cannot be shown. ", "<b>JitoSOL<", "data-signature"
	parts := []string{holdings, "As a table", activity, "Northwind Exchange", "Harbor Lights", "compressed</i>", `class="total"`}
	for op, lost := range map[string][]string{
		balancesOp:                          {holdings, "As a table", "compressed</i>", `class="total"`},
		historyOp:                           {"As a table", activity, "Northwind Exchange"},
		"POST /v1/wallet/batch-identity":    {"Northwind Exchange"},
		"getAssetsByOwner":                  {"Harbor Lights"},
		"getCompressedTokenBalancesByOwner": {"compressed</i>"},
		"":                                  nil,
	} {
		service := newTestFake(t)
		if op != "" {
			service.FailFrom(op, 1, fake.Status(400))
		}
		w := get(t, newTestDashboard(t, service), "/")
		require.Equal(t, http.StatusOK, w.Code, op)
		text := w.Body.String()
		for _, part := range parts {
			require.Equal(t, !slices.Contains(lost, part), strings.Contains(text, part), "%s: %s", op, part)
		}
		require.Equal(t, lost != nil, strings.Contains(text, failure) || strings.Contains(text, "are missing. "), op)
	}
}

// All of a view is read again after five minutes. Orders and other times cost nothing.
func TestViewsAreKeptForFiveMinutes(t *testing.T) {
	t.Parallel()
	service := newTestFake(t)
	d := newTestDashboard(t, service)
	now := time.Unix(begin, 0).Add(time.Minute)
	d.clock = func() time.Time { return now }
	get(t, d, "/")
	t.Log(d.meter.Credits())
	require.LessOrEqual(t, d.meter.Credits(), uint64(180))
	sent := len(service.Requests())
	now = now.Add(kept - time.Second)
	require.Contains(t, get(t, d, "/?range=7d&sort=token").Body.String(), "2 Jun 2025, 15:06 UTC</time>")
	require.Len(t, service.Requests(), sent)
	now = now.Add(kept)
	service.Fail("getAssetsByOwner", 1, fake.Status(400)) // each view would pay for it again
	credits := d.meter.Credits()
	require.NotContains(t, get(t, d, "/").Body.String(), "15:06 UTC</time>")
	require.LessOrEqual(t, d.meter.Credits()-credits, uint64(80), "names are known")
	sent = len(service.Requests())
	get(t, d, "/")
	require.Len(t, service.Requests(), sent)
	now = now.Add(pause)
	require.Contains(t, get(t, d, "/").Body.String(), "Harbor Lights")
	require.Greater(t, len(service.Requests()), sent, "what failed is read again")
}

// The holdings are read again when something has happened, at most each half minute.
func TestHoldingsFollowLiveCheaply(t *testing.T) {
	t.Parallel()
	service := newTestFake(t)
	d := newTestDashboard(t, service)
	now := time.Unix(begin, 0).Add(time.Minute)
	d.clock = func() time.Time { return now }
	text := get(t, d, "/").Body.String()
	require.Contains(t, text, "<td>412.6184</td>")
	past := regexp.MustCompile(`30 days: [^ ]+ at first`).FindString(text)
	require.NotEmpty(t, past)
	now = now.Add(pause - 10*time.Second)
	service.Transfer(fake.ExchangeAddress, fake.WalletAddress, 7_000_000_000)
	d.note(fake.WalletAddress, entry{Signature: "5", Slot: 1 << 40, Time: now, Kind: "Received", Changes: []change{
		{types.NativeSOLMint, decimal.NewFromInt(7), decimal.NewFromInt(7)},
	}})
	before := d.meter.Credits()
	text = get(t, d, "/").Body.String()
	require.Contains(t, text, past, "a change now does not change the past")
	require.Contains(t, text, `data-wait="11"`)
	require.Contains(t, text, "newer transactions are not in it yet")
	require.Contains(t, html.UnescapeString(text), "+7 SOL", "the activity shows it at once")
	require.Equal(t, before, d.meter.Credits())
	now = now.Add(11 * time.Second)
	text = get(t, d, "/").Body.String()
	require.Contains(t, text, "<td>419.6184</td>")
	require.NotContains(t, text, "newer transactions")
	require.LessOrEqual(t, d.meter.Credits()-before, uint64(30))
}

// A second wallet once waited for the first one.
func TestSlowWalletHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service := newTestFake(t)
		service.Fail(historyOp, 1, fake.Hang())
		d := newTestDashboard(t, service)
		go func() { get(t, d, "/") }()
		synctest.Wait()
		began := time.Now()
		get(t, d, "/?wallet="+string(fake.CollectorAddress))
		require.Less(t, time.Since(began), 10*time.Second)
		time.Sleep(time.Minute)
	})
}

// Mints, token accounts, NFTs and programs are told apart from wallets, and lead to their owner.
func TestOtherAddressesAreTold(t *testing.T) {
	t.Parallel()
	service := newTestFake(t)
	d := newTestDashboard(t, service)
	account, err := types.AssociatedTokenAddress(fake.WalletAddress, progress.USDC, types.TokenProgram)
	require.NoError(t, err)
	nfts, err := d.readNFTs(t.Context(), fake.WalletAddress)
	require.NoError(t, err)
	toOwner := `href="/?wallet=` + string(fake.WalletAddress)
	for address, want := range map[types.Address][]string{
		progress.USDC:                 {"This is a token, not a wallet", "USD Coin (USDC)", "One costs $0.9999."},
		account:                       {"This is a token account, not a wallet", toOwner},
		types.AddressOf([32]byte{77}): {"Nothing is known about this address"},
		nfts[0].ID:                    {"This is an NFT, not a wallet", nfts[0].Content.Name(), toOwner},
		types.TokenProgram:            {"This is a program, not a wallet"},
	} {
		text := get(t, d, "/?wallet="+string(address)).Body.String()
		for _, part := range append(want, "https://explorer.example/address/"+string(address)) {
			require.Contains(t, text, part, address)
		}
		require.NotContains(t, text, "$0.00")
	}
}

// A swap is one line, and spam does not stand between the others.
func TestActivityIsOneLineForEachTransaction(t *testing.T) {
	t.Parallel()
	text := html.UnescapeString(get(t, newTestDashboard(t, newTestFake(t)), "/").Body.String())
	tags := regexp.MustCompile(`<[^>]*>`)
	main, spam, found := strings.Cut(text, `id="spam"`)
	require.True(t, found)
	require.Regexp(t, `Swap −415 USDC \+240 JTO\s+Jupiter \d+ May 2025, `, tags.ReplaceAllString(main, ""))
	_, activity, _ := strings.Cut(main, `id="entries"`)
	require.NotContains(t, activity, "GIFT")
	require.Contains(t, spam, "+777 GIFT1")
	require.Equal(t, strings.Count(text, "data-signature"), strings.Count(text, "https://explorer.example/tx/"))
}

func TestTokensAreSorted(t *testing.T) {
	t.Parallel()
	d := newTestDashboard(t, newTestFake(t))
	symbols := regexp.MustCompile(`<b>([^<]*)</b>(?: <i>compressed</i>)?<small class="name">`)
	for sort, want := range map[string][]string{"": {"SOL", "USDC", "WBTC"}, "token": {"$WIF", "Bonk", "INF"}, "price": {"WBTC", "WETH", "INF"}, "amount": {"Bonk", "USDC", "JUP"}} {
		text := get(t, d, "/?sort="+sort).Body.String()
		require.Equal(t, 1, strings.Count(text, "aria-sort"))
		for i, match := range symbols.FindAllStringSubmatch(text, len(want)) {
			require.Equal(t, want[i], match[1], "%q", sort)
		}
		top, others, _ := strings.Cut(text, `id="others"`)
		require.Len(t, symbols.FindAllString(top, -1), 20)
		others, unpriced, _ := strings.Cut(others, `id="unpriced"`)
		require.Len(t, symbols.FindAllString(others, -1), 11)
		require.Len(t, symbols.FindAllString(unpriced, -1), 12)
	}
}

func TestHoldingsSayThatMoreAreNotCounted(t *testing.T) {
	t.Parallel()
	var tokens []fake.Token
	for i := range 5100 {
		mint := types.AddressOf([32]byte{1, byte(i), byte(i >> 8)})
		tokens = append(tokens, fake.Token{Mint: mint, Amount: decimal.NewFromInt(1)})
	}
	service := fake.New(&fake.Options{World: &fake.World{Wallets: []fake.Wallet{{Address: fake.CollectorAddress, Tokens: tokens}}}})
	text := get(t, newTestDashboard(t, service), "/?wallet="+string(fake.CollectorAddress)).Body.String()
	require.Contains(t, text, "at least </small>$0.00")
}

// The wallet received 4 SOL, some of it as wrapped SOL, and swapped all of a token
// for 1 SOL. A SOL is worth $142.37 and a token $10.
func TestValueOverTimeCountsBothKindsOfSOL(t *testing.T) {
	t.Parallel()
	const owner, token = fake.CollectorAddress, fake.ProgramAddress
	day := func(n int) types.Time { return types.Time{Time: time.Date(2025, time.May, n, 0, 0, 0, 0, time.UTC)} }
	number := decimal.NewFromInt
	service := fake.New(&fake.Options{Clock: testClock(), World: &fake.World{
		Wallets: []fake.Wallet{
			{Address: owner, SOL: number(10), Tokens: []fake.Token{{Mint: types.WrappedSOL, Decimals: 9, Amount: number(2), PriceUSD: decimal.RequireFromString("142.37")}}},
			{Address: fake.ExchangeAddress, SOL: number(100), Tokens: []fake.Token{{Mint: token, Amount: number(20), PriceUSD: number(10)}}},
		},
		Transactions: []fake.Transaction{
			{BlockTime: day(28), FeePayer: fake.ExchangeAddress, Transfers: []fake.Transfer{
				{From: owner, To: fake.ExchangeAddress, Mint: token, Amount: number(20)},
				{From: fake.ExchangeAddress, To: owner, Amount: number(1)},
			}},
			{BlockTime: day(6), FeePayer: fake.ExchangeAddress, Transfers: []fake.Transfer{
				{From: fake.ExchangeAddress, To: owner, Amount: number(3)},
				{From: fake.ExchangeAddress, To: owner, Mint: types.WrappedSOL, Amount: number(1)},
			}},
		},
	}})
	d := newTestDashboard(t, service)
	d.clock = func() time.Time { return day(28).Add(time.Hour) }
	p := &page{Wallet: owner, Range: spanOf("")}
	d.fill(t.Context(), p)
	require.NoError(t, p.Value.Err)
	c := p.Value.Data
	// 7 SOL and 20 tokens, 11 SOL, 12 SOL
	require.Equal(t, []string{"$1,196.59", "$1,766.07", "$1,708.44", "+$511.85"}, []string{money(c.Low), money(c.High), money(c.Rows[0].Value), c.Flow})
	require.Equal(t, c.Low, c.Points[0].Value)
	require.Len(t, c.Points, 91)
	require.Len(t, c.Rows, 12)
}

// The demo runs for hours: months of history stay in the chart.
func TestChartLastsWhileTransactionsHappen(t *testing.T) {
	t.Parallel()
	var now atomic.Int64
	now.Store(begin)
	clock := func() time.Time { return time.Unix(now.Load(), 0) }
	service, err := newFake(clock)
	require.NoError(t, err)
	d := newTestDashboard(t, service)
	d.clock = clock
	low := func() decimal.Decimal {
		p := &page{Wallet: fake.WalletAddress, Range: spanOf("90d")}
		d.fill(t.Context(), p)
		require.NoError(t, p.Value.Err)
		require.False(t, p.History.Data.Capped)
		return slices.MinFunc(p.Value.Data.Points, func(a, b point) int { return a.Value.Cmp(b.Value) }).Value
	}
	before := low()
	for range 10 {
		for range 240 { // an hour
			now.Add(15)
			service.Transfer(fake.WalletAddress, fake.ExchangeAddress, 100_000)
		}
		require.InDelta(t, before.InexactFloat64(), low().InexactFloat64(), 200)
	}
}

func TestFailedHistoryIsReadAgainWhole(t *testing.T) {
	t.Parallel()
	var now atomic.Int64
	now.Store(begin)
	clock := func() time.Time { return time.Unix(now.Load(), 0) }
	service, err := newFake(clock)
	require.NoError(t, err)
	d := newTestDashboard(t, service)
	d.clock = clock
	entries := func() int {
		d.fill(t.Context(), &page{Wallet: fake.WalletAddress, Range: spanOf("")})
		return len(d.views[fake.WalletAddress].History.Data.Entries)
	}
	before := entries()
	for range 150 {
		service.Transfer(fake.WalletAddress, fake.ExchangeAddress, 1)
		now.Add(2)
	}
	service.Fail(historyOp, 2, fake.Status(400)) // the second page
	require.Equal(t, before, entries())
	now.Add(30)
	require.Equal(t, before+150, entries())
}

func TestBusyWalletsSaySinceWhenTheyAreComplete(t *testing.T) {
	t.Parallel()
	var all []fake.Transaction
	for i := range 1500 {
		at := types.Time{Time: time.Unix(begin, 0).Add(-time.Duration(i+1) * time.Minute)}
		all = append(all, fake.Transaction{BlockTime: at, Transfers: []fake.Transfer{{From: fake.WalletAddress, To: fake.ExchangeAddress, Amount: decimal.NewFromInt(1)}}})
	}
	service := fake.New(&fake.Options{Clock: testClock(), World: &fake.World{Transactions: all, Wallets: []fake.Wallet{{Address: fake.WalletAddress, SOL: decimal.NewFromInt(5)}}}})
	p := &page{Wallet: fake.WalletAddress, Range: spanOf("30d")}
	newTestDashboard(t, service).fill(t.Context(), p)
	require.True(t, p.History.Data.Capped)
	require.Equal(t, time.Unix(begin, 0).Add(-1000*time.Minute).UTC(), p.History.Data.Since.UTC())
	require.False(t, p.Value.Data.Points[0].Time.Before(p.History.Data.Since))
}

func TestNumbersAndNames(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][2]string{
		"0":           {"$0.00", "0"},
		"0.99985":     {"$1.00", "0.9999"},
		"-1234.5":     {"$-1,234.50", "-1,234.5"},
		"1234567.891": {"$1,234,567.89", "1,234,568"},
		"0.000014891": {"$0.00", "0.00001489"},
	} {
		d := decimal.RequireFromString(in)
		require.Equal(t, want, [2]string{money(d), amount(d)}, in)
	}
	require.Equal(t, "ab", clean(" a\x00\u202eb\u0301\n"))
	require.Len(t, []rune(clean(strings.Repeat("é", 99))), 32)
	require.Equal(t, "86xC…2MMY", short(fake.WalletAddress))
	require.Equal(t, "SOL", short(types.NativeSOLMint))
}
