package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// testClock returns a clock that begins where the fake does.
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
	d, err := newDashboard(cfg, "https://explorer.example/tx/", testClock())
	require.NoError(t, err)
	d.owner = fake.WalletAddress
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

func TestFailedSectionLeavesTheOthers(t *testing.T) {
	t.Parallel()
	const failure = "This part cannot be shown. "
	for op, lost := range map[string]string{
		"GET /v1/wallet/{wallet}/balances":          "JitoSOL",
		"GET /v1/wallet/{wallet}/history":           "Values as a table",
		"GET /v1/wallet/{wallet}/transfers":         `class="transfers"`,
		"POST /v1/wallet/batch-identity":            "Binance 1",
		"getAssetsByOwner":                          "Harbor Lights",
		"getCompressedTokenBalancesByOwner":         "Not part of the total",
		"no operation: the page without any faults": "",
	} {
		service := newTestFake(t)
		if lost != "" {
			service.FailFrom(op, 1, fake.Status(400))
		}
		w := get(t, newTestDashboard(t, service), "/")
		require.Equal(t, http.StatusOK, w.Code, op)
		for _, part := range []string{"JitoSOL", "Values as a table", `class="transfers"`, "Binance 1", "Harbor Lights", "Not part of the total"} {
			stays := part != lost && (lost != "JitoSOL" || part != "Values as a table") && (lost != `class="transfers"` || part != "Binance 1")
			require.Equal(t, stays, strings.Contains(w.Body.String(), part), "%s: %s", op, part)
		}
		require.Equal(t, lost != "", strings.Contains(w.Body.String(), failure), op)
	}
}

// A view costs about 600 credits: it is read again after a minute, or when the user asks.
func TestViewsAreKeptForAMinute(t *testing.T) {
	t.Parallel()
	service := newTestFake(t)
	d := newTestDashboard(t, service)
	now := time.Unix(begin, 0).Add(time.Minute)
	d.clock = func() time.Time { return now }
	age := func() string {
		_, text, _ := strings.Cut(get(t, d, "/").Body.String(), "As of ")
		text, _, _ = strings.Cut(text, " credits")
		return text
	}
	first := age()
	sent := len(service.Requests())
	require.Contains(t, first, "2 Jun 2025, 15:06 UTC</time>. This view cost 630")
	now = now.Add(59 * time.Second)
	require.Contains(t, age(), "15:06 UTC</time>, 59s ago. This view cost 630")
	require.Len(t, service.Requests(), sent)
	require.Equal(t, http.StatusSeeOther, get(t, d, "/?fresh=1").Code)
	require.Len(t, service.Requests(), 2*sent)
	require.Contains(t, age(), "</time>. This view")
	now = now.Add(time.Minute)
	service.Fail("getAssetsByOwner", 1, fake.Status(400)) // as names on a free plan, which each view would pay for again
	age()
	age()
	require.Len(t, service.Requests(), 3*sent)
}

// A second wallet once waited for the first one.
func TestSlowWalletHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service := newTestFake(t)
		service.Fail("GET /v1/wallet/{wallet}/history", 1, fake.Hang())
		d := newTestDashboard(t, service)
		go func() { get(t, d, "/") }()
		synctest.Wait()
		began := time.Now()
		get(t, d, "/?wallet="+string(fake.CollectorAddress))
		require.Less(t, time.Since(began), 10*time.Second)
		time.Sleep(time.Minute)
	})
}

// A price of 1e9999 once took 12 seconds.
func TestAbsurdNumbersAreUnknown(t *testing.T) {
	t.Parallel()
	service := newTestFake(t)
	const item = `{"mint":"EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v","symbol":"USDC","name":"","balance":NUMBER,"decimals":6,` +
		`"pricePerToken":NUMBER,"usdValue":NUMBER,"logoUri":"","tokenProgram":"spl-token"}`
	service.Fail("GET /v1/wallet/{wallet}/balances", 1, fake.Fault{Body: `{"balances":[` + strings.ReplaceAll(item, "NUMBER", "1e9999") + `,` +
		strings.ReplaceAll(item, "NUMBER", "2") + `],"totalUsdValue":0,"nfts":[],"pagination":{"page":1,"limit":100,"hasMore":false}}`})
	began := time.Now()
	w := get(t, newTestDashboard(t, service), "/")
	require.Less(t, time.Since(began), 10*time.Second)
	require.Less(t, w.Body.Len(), 100_000)
	require.Contains(t, w.Body.String(), `<p class="total">$2.00</p>`)
	require.Contains(t, w.Body.String(), "1 have no price")
}

func TestTextOfStrangersIsEscaped(t *testing.T) {
	t.Parallel()
	const owner, mint = fake.CollectorAddress, fake.ProgramAddress
	evil := `<script>"x"</script>` + "\u202e"
	nft := func(image string) fake.NFT { return fake.NFT{Owner: owner, Name: evil, Image: image} }
	service := fake.New(&fake.Options{World: &fake.World{
		Wallets: []fake.Wallet{{Address: owner, Identity: &fake.Identity{Name: evil}, Tokens: []fake.Token{
			{Mint: mint, Symbol: evil, Name: evil, Amount: decimal.NewFromInt(1)},
		}}},
		NFTs: []fake.NFT{nft("javascript:alert(1)"), nft("http://a.example/plain.png"), nft("https://u:p@a.example/user.png"), nft(`https://a.example/"onerror=.png`)},
	}})
	d := newTestDashboard(t, service)
	d.madeUp = false // show links
	d.owner = owner
	text := get(t, d, "/").Body.String()
	require.Contains(t, text, "&lt;script&gt;")
	require.NotContains(t, text, "<script>")
	require.NotContains(t, text, "\u202e")
	for _, part := range []string{"javascript:", "plain.png", "user.png", `"onerror`} {
		require.NotContains(t, text, part)
	}
	require.Contains(t, text, `src="https://a.example/%22onerror=.png"`)
	picture := get(t, d, "/picture.svg?id=1&label=%3Cscript%3E").Body.String()
	require.Contains(t, picture, "&lt;</text>")
}

func TestKeyStaysInTheProgram(t *testing.T) {
	t.Parallel()
	service := newTestFake(t)
	service.FailShare("", 1, fake.Unauthorized())
	d := newTestDashboard(t, service)
	for _, path := range []string{"/", "/live?wallet=" + string(fake.WalletAddress), "/?wallet=x", "/assets/live.js", "/assets/style.css"} {
		w := get(t, d, path)
		require.NotContains(t, w.Body.String(), fake.Key, path)
		require.Contains(t, w.Header().Get("Content-Security-Policy"), "default-src 'none'")
	}
	require.Contains(t, get(t, d, "/").Body.String(), "The service refuses the API key")
}

func TestErrorsAreInPlainWords(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		fault fake.Fault
		want  string
	}{
		{fake.Status(500), "The service has a problem."},
		{fake.Status(400), "The service refuses the request: Invalid request"},
		{fake.Unauthorized(), "The service refuses the API key"},
		{fake.RateLimited(0), "The service has had too many requests."},
		{fake.QuotaExceeded(), "The credits of the plan are used up."},
		{fake.Dropped(), "The service cannot be reached: check the network."},
		{fake.Fault{Body: `{"balances":7}`}, "The answer of the service cannot be read."},
	} {
		service := newTestFake(t)
		service.FailFrom("GET /v1/wallet/{wallet}/balances", 1, row.fault)
		_, text, _ := strings.Cut(get(t, newTestDashboard(t, service), "/").Body.String(), "This part cannot be shown. ")
		require.Equal(t, row.want, text[:min(len(text), len(row.want))])
	}
	unknown := &url.Error{Op: "Get", URL: "https://x.example", Err: &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host"}}}
	require.Equal(t, "The service cannot be reached: check the network.", plain(unknown))
}

func TestOtherSitesAreRefused(t *testing.T) {
	t.Parallel()
	service := newTestFake(t)
	d := newTestDashboard(t, service)
	require.Equal(t, http.StatusForbidden, get(t, d, "/", "Sec-Fetch-Site", "cross-site").Code)
	require.Equal(t, http.StatusForbidden, get(t, d, "/live?wallet="+string(fake.WalletAddress), "Sec-Fetch-Site", "same-site").Code)
	rebound := httptest.NewRequest(http.MethodGet, "http://evil.example:8080/", nil)
	w := httptest.NewRecorder()
	d.handler().ServeHTTP(w, rebound)
	require.Equal(t, http.StatusForbidden, w.Code)
	require.Empty(t, service.Requests())
	for _, site := range []string{"", "none", "same-origin"} {
		require.Equal(t, http.StatusOK, get(t, d, "/", "Sec-Fetch-Site", site).Code)
	}
}

func TestWalletsAreFoundByName(t *testing.T) {
	t.Parallel()
	d := newTestDashboard(t, newTestFake(t))
	found := get(t, d, "/?wallet=toly.sol")
	require.Equal(t, "/?wallet="+string(fake.WalletAddress), found.Header().Get("Location"), "a reload costs no second search")
	for query, want := range map[string]string{
		"nobody.sol":            "No wallet has this name.",
		"0x1":                   "This is not the address of a wallet",
		"<b>":                   "This is not the address of a wallet",
		strings.Repeat("5", 88): "This looks like the signature of a transaction.",
	} {
		w := get(t, d, "/?wallet="+query)
		require.GreaterOrEqual(t, w.Code, 400)
		require.Contains(t, w.Body.String(), "This wallet cannot be shown")
		require.Contains(t, w.Body.String(), want)
		require.NotContains(t, w.Body.String(), "<script", "it would look for the live section, which is missing")
	}
}

func TestFailedResolutionIsNotAnUnknownWallet(t *testing.T) {
	t.Parallel()
	service := newTestFake(t)
	service.Fail("GET /v1/wallet/{wallet}/identity", 1, fake.Unauthorized())
	w := get(t, newTestDashboard(t, service), "/?wallet=toly.sol")
	require.Equal(t, http.StatusBadGateway, w.Code)
	require.NotContains(t, w.Body.String(), "No such wallet")
	require.Contains(t, w.Body.String(), "The service refuses the API key")
}

func TestHoldingsSayThatMoreAreNotCounted(t *testing.T) {
	t.Parallel()
	var tokens []fake.Token
	for i := range 1200 {
		mint := types.AddressOf([32]byte{1, byte(i), byte(i >> 8)})
		tokens = append(tokens, fake.Token{Mint: mint, Amount: decimal.NewFromInt(1)})
	}
	service := fake.New(&fake.Options{World: &fake.World{Wallets: []fake.Wallet{{Address: fake.CollectorAddress, Tokens: tokens}}}})
	text := get(t, newTestDashboard(t, service), "/?wallet="+string(fake.CollectorAddress)).Body.String()
	require.Contains(t, text, "at least $0.00")
	require.Contains(t, text, "of the first 1000 tokens")
}

// The wallet received 4 SOL, some of it as wrapped SOL, and swapped what it had of a token
// for 1 SOL. A SOL is worth $142.37 and a token $10.
func TestValueOverTimeCountsBothKindsOfSOL(t *testing.T) {
	t.Parallel()
	const owner, token = fake.CollectorAddress, fake.ProgramAddress
	day := func(n int) types.Time { return types.Time{Time: time.Date(2025, time.May, n, 0, 0, 0, 0, time.UTC)} }
	number := decimal.NewFromInt
	service := fake.New(&fake.Options{World: &fake.World{
		Wallets: []fake.Wallet{
			{Address: owner, SOL: number(10), Tokens: []fake.Token{{Mint: types.WrappedSOL, Decimals: 9, Amount: number(2), PriceUSD: decimal.RequireFromString("142.37")}}},
			{Address: fake.ExchangeAddress, SOL: number(100), Tokens: []fake.Token{{Mint: token, Amount: number(20), PriceUSD: number(10)}}},
		},
		Transactions: []fake.Transaction{
			{BlockTime: day(28), FeePayer: fake.ExchangeAddress, Transfers: []fake.Transfer{
				{From: owner, To: fake.ExchangeAddress, Mint: token, Amount: number(20)},
				{From: fake.ExchangeAddress, To: owner, Amount: number(1)},
			}},
			{BlockTime: day(1), FeePayer: fake.ExchangeAddress, Transfers: []fake.Transfer{
				{From: fake.ExchangeAddress, To: owner, Amount: number(3)},
				{From: fake.ExchangeAddress, To: owner, Mint: types.WrappedSOL, Amount: number(1)},
			}},
		},
	}})
	d := newTestDashboard(t, service)
	p := &page{Wallet: owner}
	d.clock = func() time.Time { return day(28).Add(time.Hour) }
	d.load(t.Context(), p)
	require.NoError(t, p.Value.Err)
	c := p.Value.Data
	require.Equal(t, "−$57.63 (−3.26 %) in 24 hours", c.Change)
	require.Equal(t, "out", c.Class)
	small := draw([]point{{Time: day(1).Time, Value: number(20)}, {Time: day(2).Time, Value: decimal.New(19_995, -3)}})
	require.Equal(t, "No change in 24 hours", small.Change)
	require.Empty(t, small.Class)
	require.Equal(t, "Line chart from 1 May 2025, 00:00 UTC to 28 May 2025, 01:00 UTC: $1,766.07 at first, "+ // 11 SOL and 20 tokens
		"between $1,708.44 and $1,766.07, $1,708.44 at last.", c.Text) // 12 SOL
	require.Equal(t, []string{"$2,000", "$1,500", "$1,000", "$500", "$0"}, c.Marks)
	require.Equal(t, []string{"5 May", "14 May", "23 May"}, c.Times)
	require.Equal(t, "0.00,11.70 0.00,11.70 99.85,11.70 99.85,14.58 100.00,14.58 100.00,14.58 ", c.Line)
}

func TestExplorerIsAURL(t *testing.T) {
	t.Parallel()
	_, err := newDashboard(newTestFake(t).Config(), "explorer.example/tx/", time.Now)
	require.EqualError(t, err, `-explorer "explorer.example/tx/" is not a URL`)
}

func TestLiveEventsResume(t *testing.T) {
	t.Parallel()
	service := newTestFake(t)
	server := httptest.NewServer(newTestDashboard(t, service).handler())
	t.Cleanup(server.Close)
	find := func(events <-chan message, signature types.Signature) message {
		for m := range events {
			if m.event.Signature == signature {
				return m
			}
		}
		t.Fatal("the event is missing")
		return message{}
	}

	events, stop := listen(t, server.URL, "")
	require.NotEqual(t, "0", (<-events).id) // a position, from which no event is missed
	got := find(events, service.Transfer(fake.ExchangeAddress, fake.WalletAddress, 1_500_000_000).Signature())
	stop()
	require.Equal(t, "transfer", got.event.Kind)
	require.Equal(t, []string{"+1.5 SOL"}, got.event.Changes)

	missed := service.Transfer(fake.WalletAddress, fake.ExchangeAddress, 2_000_000_000).Signature()
	events, stop = listen(t, server.URL, got.id)
	defer stop()
	require.Equal(t, []string{"−2 SOL"}, find(events, missed).event.Changes)
}

// A pipe is a listener with one connection, in which nothing is buffered.
type pipe chan net.Conn

func (p pipe) Accept() (net.Conn, error) {
	if c, ok := <-p; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}
func (p pipe) Close() error   { return nil }
func (p pipe) Addr() net.Addr { return new(net.TCPAddr) }

func TestLiveEventsEndForAClientThatDoesNotRead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		handler, ended := newTestDashboard(t, newTestFake(t)).handler(), make(chan struct{})
		server := &http.Server{ReadHeaderTimeout: time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			defer close(ended)
			handler.ServeHTTP(w, r)
		})}
		client, conn := net.Pipe()
		connections := make(pipe, 1)
		connections <- conn
		go func() { _ = server.Serve(connections) }()
		_, err := io.WriteString(client, "GET /live?wallet="+string(fake.WalletAddress)+" HTTP/1.1\r\nHost: localhost\r\n\r\n")
		require.NoError(t, err)
		select {
		case <-ended:
		case <-time.After(time.Minute):
			t.Error("the handler still waits for the client")
		}
		require.NoError(t, client.Close())
		close(connections)
		<-ended
	})
}

func TestLiveEventsOfAnEndedDashboardDoNotFail(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, "http://localhost/live?wallet="+string(fake.WalletAddress), nil)
	w := httptest.NewRecorder()
	newTestDashboard(t, newTestFake(t)).handler().ServeHTTP(w, r)
	require.Contains(t, w.Body.String(), "id: ")
	require.NotContains(t, w.Body.String(), "event: failed")
}

type message struct {
	id    string
	event event
}

// listen reads the live events after one with an id, as a browser does.
func listen(t *testing.T, url, id string) (<-chan message, func()) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/live?wallet="+string(fake.WalletAddress), nil)
	require.NoError(t, err)
	r.Header.Set("Last-Event-ID", id)
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	require.Equal(t, "text/event-stream", response.Header.Get("Content-Type"))
	messages := make(chan message)
	go func() {
		defer close(messages)
		defer func() { _ = response.Body.Close() }()
		var m message
		for lines := bufio.NewScanner(response.Body); lines.Scan() && ctx.Err() == nil; {
			if data, ok := strings.CutPrefix(lines.Text(), "data: {"); ok && json.Unmarshal([]byte("{"+data), &m.event) != nil {
				return
			} else if text, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
				m = message{id: text}
			} else if lines.Text() == "" && m.id != "" {
				select {
				case messages <- m:
				case <-ctx.Done():
				}
				m = message{}
			}
		}
	}()
	return messages, cancel
}

func TestNumbersAndNames(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][3]string{
		"0":           {"$0.00", "$0.00", "0"},
		"0.99985":     {"$1.00", "$0.9999", "0.9999"},
		"-1234.5":     {"-$1,234.50", "-$1,234.50", "-1,234.5"},
		"1234567.891": {"$1,234,567.89", "$1,234,567.89", "1,234,568"},
		"0.000014891": {"$0.00", "$0.00001489", "0.00001489"},
	} {
		d := decimal.RequireFromString(in)
		require.Equal(t, want, [3]string{money(d), price(d), amount(d)}, in)
	}
	require.Equal(t, "ab", clean(" a\x00\u202eb\u0301\n"))
	require.Len(t, []rune(clean(strings.Repeat("é", 99))), 32)
	require.Equal(t, "86xC…2MMY", short(fake.WalletAddress))
	require.Equal(t, "SOL", short(types.NativeSOLMint))
}

func TestRunServesUntilItIsStopped(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	read, write := io.Pipe()
	done, d := make(chan error, 1), newTestDashboard(t, newTestFake(t))
	go func() { done <- run(ctx, d, "127.0.0.1:0", write) }()
	line, err := bufio.NewReader(read).ReadString('\n')
	require.NoError(t, err)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.Fields(line)[1], nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusOK, response.StatusCode)
	cancel()
	require.NoError(t, <-done)
}
