package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types/fake"
)

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
		{fake.Fault{Body: `{"data":7}`}, "The answer of the service cannot be read."},
	} {
		service := newTestFake(t)
		service.FailFrom(historyOp, 1, row.fault)
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
	require.Contains(t, found.Header().Get("Location"), "wallet="+string(fake.WalletAddress), "a reload costs no second search")
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
		require.Contains(t, w.Body.String(), `href="/?wallet=`+string(fake.WalletAddress), "a way on")
		require.NotContains(t, w.Body.String(), "credits")
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

func TestPagesAreCompressed(t *testing.T) {
	t.Parallel()
	d := newTestDashboard(t, newTestFake(t))
	plain, most := get(t, d, "/"), map[string]int{"/": 16_000, "/assets/style.css": 4000, "/assets/live.js": 4000}
	for path, most := range most {
		w := get(t, d, path, "Accept-Encoding", "gzip, br")
		require.Equal(t, "gzip", w.Header().Get("Content-Encoding"))
		t.Logf("%s: %d bytes", path, w.Body.Len())
		require.Less(t, w.Body.Len(), most)
		r, err := gzip.NewReader(w.Body)
		require.NoError(t, err)
		content, err := io.ReadAll(r)
		require.NoError(t, err)
		if path == "/" {
			require.Len(t, content, plain.Body.Len())
		}
	}
	require.Equal(t, "404 page not found\n", get(t, d, "/assets/none", "Accept-Encoding", "gzip").Body.String())
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
