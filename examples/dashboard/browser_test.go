package main

import (
	"context"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types/fake"
)

// screenshots is where the tests leave what they saw. Git ignores it.
const screenshots = "screenshots"

// A tab is a tab of a real browser, with what went wrong in it.
type tab struct {
	*testing.T
	ctx context.Context

	mu       sync.Mutex
	problems []string
	requests []string
}

// open starts a browser, or skips the test where there is none.
func open(t *testing.T) *tab {
	t.Helper()
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		t.Skip("Chromium is not installed: the page is not tested in a browser")
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.Flag("disable-dev-shm-usage", true))
	if os.Getuid() == 0 {
		opts = append(opts, chromedp.NoSandbox)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 90*time.Second) // the browser ends in Cleanup
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, opts...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &tab{T: t, ctx: ctx}
	require.NoError(t, chromedp.Listen(ctx, b.watch))
	call(b, network.Enable, network.EnableParams{})
	call(b, log.Enable, cdp.Empty{})
	call(b, runtime.Enable, cdp.Empty{})
	t.Log(call(b, browser.GetVersion, cdp.Empty{}).Product)
	return b
}

// watch records requests, and errors in the console.
func (b *tab) watch(e any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := e.(type) {
	case *log.EventEntryAdded:
		b.problems = append(b.problems, e.Entry.Text+" "+e.Entry.URL)
	case *runtime.EventConsoleAPICalled:
		b.problems = append(b.problems, "console: "+string(e.Type))
	case *runtime.EventExceptionThrown:
		b.problems = append(b.problems, e.ExceptionDetails.Text)
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	}
}

func (b *tab) run(actions ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	require.NoError(b, chromedp.Do(b.ctx, actions...))
}

// result runs an action and returns its value.
func result[T any](b *tab, action chromedp.Action[T]) T {
	b.Helper()
	v, err := chromedp.Run(b.ctx, action)
	require.NoError(b, err)
	return v
}

// call sends a command of the protocol.
func call[P, R any](b *tab, command cdp.Command[P, R], params P) R {
	b.Helper()
	return result(b, func(ctx context.Context, target *chromedp.Target) (R, error) {
		return cdp.Call(ctx, target, command, params)
	})
}

// text returns the visible text of an element.
func (b *tab) text(selector string) string {
	b.Helper()
	return result(b, chromedp.Text(chromedp.CSS(selector)))
}

// holds fails the test unless an expression is true in the page.
func (b *tab) holds(expression string) {
	b.Helper()
	require.True(b, result(b, chromedp.Evaluate[bool](expression)), expression)
}

// waits fails the test unless an expression becomes true in the page.
func (b *tab) waits(expression string) {
	b.Helper()
	for range 100 {
		if result(b, chromedp.Evaluate[bool](expression)) {
			return
		}
		b.run(chromedp.Sleep(100 * time.Millisecond))
	}
	require.Fail(b, expression)
}

// shoot keeps a picture of the whole page.
func (b *tab) shoot(name string) {
	b.Helper()
	b.holds(`(scrollTo(0, document.body.scrollHeight), true)`) // loads all images
	b.run(chromedp.Sleep(600 * time.Millisecond))              // for the animations
	b.holds(`scrollTo(0, 0), [...document.images].every(i => i.closest("details, .shelf, .tall") || i.complete && i.naturalWidth > 0)`)
	image := result(b, chromedp.FullScreenshot(100))
	require.NoError(b, os.MkdirAll(screenshots, 0o755))
	require.NoError(b, os.WriteFile(filepath.Join(screenshots, name+".png"), image, 0o600))
	b.Logf("screenshot %s.png: %d bytes", name, len(image))
}

func TestPageInABrowser(t *testing.T) {
	var passed atomic.Int64 // of an hour in which the demo runs
	running := testClock()
	clock := func() time.Time { return running().Add(time.Duration(passed.Load())) }
	service, err := newFake(clock)
	require.NoError(t, err)
	for range 1200 {
		passed.Add(int64(3 * time.Second))
		service.Transfer(fake.WalletAddress, fake.ExchangeAddress, 1_000_000)
	}
	d := newTestDashboard(t, service)
	d.clock = clock
	server := httptest.NewServer(d.handler())
	t.Cleanup(server.Close) // after the browser
	b := open(t)

	began := time.Now()
	b.run(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(server.URL), chromedp.WaitVisible(chromedp.CSS("#spent")))
	t.Logf("first paint after %v", time.Since(began).Round(time.Millisecond))
	require.Equal(t, "toly.sol", b.text("h1"))
	require.Contains(t, b.text(".hero .total"), "$354,888.81")
	require.Contains(t, b.text(".tokens"), "JitoSOL")
	require.Contains(t, b.text(".gallery"), "Harbor Lights")

	// A live event.
	for range 20 { // until the page has subscribed
		service.Transfer(fake.ExchangeAddress, fake.WalletAddress, 250_000_000)
		b.run(chromedp.Sleep(300 * time.Millisecond))
		if result(b, chromedp.Evaluate[bool](`document.querySelector("#events li") != null`)) {
			break
		}
	}
	require.Contains(t, b.text("#events li"), "+0.25 SOL")
	require.Contains(t, b.text("#events li"), "with Binance 1")
	b.waits(`document.getElementById("state").textContent.startsWith("Connected")`)
	const lost = `document.getElementById("state").textContent.startsWith("Not connected")`
	for range 20 { // the program looks each second, and may have connected again before
		service.CutStreams(1001) // the page keeps its link to the program, which tells that it has none
		b.run(chromedp.Sleep(300 * time.Millisecond))
		if result(b, chromedp.Evaluate[bool](lost)) {
			break
		}
	}
	b.waits(lost)
	b.waits(`document.getElementById("state").textContent.startsWith("Connected")`)

	// Each transfer and event opens its transaction and can be copied, and has the same clock.
	b.holds(`document.querySelectorAll(".transfers li").length == 20`)
	b.holds(`[...document.querySelectorAll(".transfers li, #events li")].every(i => i.querySelector("a.tx").href.match("^https://explorer.example/tx/.{80}") && i.querySelector(".copy"))`)
	b.holds(`[...document.querySelectorAll("time")].every(i => i.textContent.match(/^[0-9]+ [A-Z][a-z]{2} 20[0-9]{2}, [0-9:]+ UTC$/))`)
	b.holds(`[...document.querySelectorAll("#events time")].every(i => i.textContent.startsWith("2 Jun 2025, 16:"))`)
	b.holds(`Object.defineProperty(navigator, "clipboard", {value: {writeText: (text) => { window.copied = text; }}}), document.querySelector(".transfers .copy").click(), true`)
	b.waits(`document.querySelector(".transfers .copy").textContent == "Copied"`)
	b.holds(`window.copied == document.querySelector(".transfers a.tx").dataset.signature && window.copied.length > 80`)

	// What is shown says its time, and that there is more since.
	require.Contains(t, b.text("#as-of"), "2 Jun 2025, 16:05 UTC")
	require.Contains(t, b.text("#newer"), "newer.")
	require.Contains(t, b.text("#change"), "since 2 Jun, 16:00 UTC") // when the latest 100 transactions begin
	b.holds(`document.querySelector(".hero").innerText.includes("This view cost 630 credits")`)
	b.holds(`document.querySelectorAll("#others tbody tr").length > 200 && !document.getElementById("others").open`)
	b.holds(`/[$]0$/.test(document.querySelector(".marks").innerText)`)      // the axis begins at 0
	b.holds(`/^16:0[0-9]/.test(document.querySelector(".times").innerText)`) // and has hours, as the transactions are of minutes
	b.shoot("page")

	// For screen readers and keyboards.
	b.holds(`document.querySelectorAll("h1").length == 1 && document.documentElement.lang == "en"`)
	b.holds(`[...document.images].every(i => i.hasAttribute("alt"))`)
	b.holds(`[...document.querySelectorAll("table")].every(t => t.caption && t.tHead.querySelector("th[scope=col]"))`)
	b.holds(`[...document.querySelectorAll("section")].every(s => document.getElementById(s.getAttribute("aria-labelledby")))`)
	b.holds(`document.querySelectorAll("main, header, form[role=search]").length == 3 && document.querySelector("label[for=wallet]") != null`)
	b.run(chromedp.KeyEvent(kb.Tab))
	b.holds(`document.activeElement.className == "skip" && getComputedStyle(document.activeElement).outlineStyle != "none"`)
	b.run(chromedp.KeyEvent(kb.Enter))
	b.holds(`document.activeElement.id == "main"`)

	dark := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: dark})
	b.run(chromedp.Sleep(200 * time.Millisecond))
	b.holds(`getComputedStyle(document.querySelector("polyline")).stroke == "rgb(157, 134, 255)"`)
	b.shoot("dark")

	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
	b.run(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile), chromedp.Reload(), chromedp.WaitVisible(chromedp.CSS("#spent")))
	b.holds(`document.documentElement.scrollWidth <= 390`)
	b.holds(`[...document.querySelectorAll("section > .scroll")].every(e => e.scrollWidth <= e.clientWidth)`)
	b.holds(`document.documentElement.scrollHeight < 3600`)
	b.shoot("phone")

	require.Empty(t, b.problems)
	for _, url := range b.requests {
		require.True(t, strings.HasPrefix(url, server.URL) || strings.HasPrefix(url, "data:"), url)
		require.NotContains(t, url, fake.Key)
	}
}

func TestErrorsInABrowser(t *testing.T) {
	service := newTestFake(t)
	service.FailFrom("GET /v1/wallet/{wallet}/balances", 1, fake.Status(400))
	service.FailFrom(fake.Upgrade, 1, fake.Unauthorized())
	server := httptest.NewServer(newTestDashboard(t, service).handler())
	t.Cleanup(server.Close) // after the browser
	b := open(t)

	b.run(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(server.URL), chromedp.WaitVisible(chromedp.CSS("#state.error")))
	require.Contains(t, b.text(".wide:has(#holdings) .error"), "The service refuses the request: Invalid request")
	require.Contains(t, b.text(".wide:has(#value) .error"), "The service refuses the request: Invalid request")
	require.Equal(t, "Live transactions cannot be shown. The service refuses the API key: check HELIUS_API_KEY.", b.text("#state"))
	require.Contains(t, b.text(".transfers"), "JUP")
	require.Contains(t, b.text(".gallery"), "Harbor Lights")
	b.shoot("errors")
	b.run(chromedp.Navigate(server.URL+"/?wallet=toly"), chromedp.WaitVisible(chromedp.CSS(".hero .error")))
	b.holds(`document.querySelector(".hero .error").getBoundingClientRect().left < 200`) // below its heading
	require.Contains(t, b.text(".hero .error"), "This is not the address of a wallet")
	b.problems = nil // the status
	b.run(chromedp.Navigate(server.URL), chromedp.WaitVisible(chromedp.CSS("#state.error")))
	require.Empty(t, b.problems)

	call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	b.run(chromedp.Reload(), chromedp.WaitVisible(chromedp.CSS("#live noscript")))
	require.Contains(t, b.text("#live"), "need JavaScript")
	require.Contains(t, b.text(".transfers"), "JUP")
}
