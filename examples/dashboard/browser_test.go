package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/examples/progress"
	"github.com/solwire/solwire-go/types/fake"
)

// screenshots is the directory for pictures of the page. Git ignores it.
const screenshots = "screenshots"

// A tab is a tab of a real browser, with its errors and requests.
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
	ctx, cancel := context.WithTimeout(context.Background(), 90*time.Second) // Cleanup ends the browser
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

// waits fails the test unless an expression becomes true in the page. A browser has no virtual
// time.
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
	b.holds(`scrollTo(0, 0), [...document.images].every(i => i.closest("details:not([open])") || i.complete && i.naturalWidth > 0)`)
	image := result(b, chromedp.FullScreenshot(100))
	require.NoError(b, os.MkdirAll(screenshots, 0o755))
	require.NoError(b, os.WriteFile(filepath.Join(screenshots, name+".png"), image, 0o600))
	b.Logf("screenshot %s.png: %d bytes", name, len(image))
}

// colors chooses light or dark.
func (b *tab) colors(scheme string) {
	b.Helper()
	features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features})
}

// show opens the wallet in a window of a width.
func (b *tab) show(url string, width int64) {
	b.Helper()
	var options []chromedp.EmulateViewportOption
	if width < 1000 {
		options = append(options, chromedp.EmulateMobile)
	}
	b.run(chromedp.EmulateViewport(width, 900, options...), chromedp.Navigate(url), chromedp.WaitVisible(chromedp.CSS("#cost, .alone")))
}

// A stalling writer waits while the program stands still.
type stalling struct {
	http.ResponseWriter

	runs *sync.RWMutex
}

func (w stalling) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w stalling) Write(b []byte) (int, error) {
	w.runs.RLock()
	defer w.runs.RUnlock()
	return w.ResponseWriter.Write(b)
}

func TestPageInABrowser(t *testing.T) {
	service := newTestFake(t)
	d := newTestDashboard(t, service)
	var runs sync.RWMutex
	handler := d.handler()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(stalling{w, &runs}, r)
	}))
	t.Cleanup(server.Close) // after the browser
	b := open(t)
	call(b, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: "Asia/Kolkata"})
	b.show(server.URL, 1280)
	require.Equal(t, "toly.sol", b.text("h1"))
	require.Contains(t, b.text(".total"), "$186,607.66")
	require.Regexp(t, `^2 Jun( 2025)?, 20:35`, b.text("#summary time"), "local time")

	// A transaction is shown at once, also in a chosen range, and a silent program is noticed.
	b.waits(`document.getElementById("state").textContent == "Connected"`)
	b.run(chromedp.Click(chromedp.CSS("nav a:nth-child(4)")))
	b.waits(`document.querySelector("nav [aria-current]").textContent == "90d"`)
	b.run(chromedp.Click(chromedp.CSS(".tokens thead th:nth-child(1) a")))
	b.waits(`document.querySelector(".tokens [aria-sort] a").textContent == "Token"`)
	b.holds(`location.search.includes("range=90d") && location.search.includes("sort=token") && document.activeElement.textContent == "Token"`)
	service.Transfer(fake.ExchangeAddress, fake.WalletAddress, 250_000_000)
	b.waits(`document.querySelector("#entries li.new")?.innerText.startsWith("Received +0.25 SOL") === true`)
	require.Contains(t, b.text("#entries li"), "Northwind Exchange")
	require.Equal(t, "Received +0.25 SOL", result(b, chromedp.Evaluate[string](`document.getElementById("latest").textContent`)))
	runs.Lock()
	b.waits(`document.getElementById("state").textContent == "No answer for some seconds"`)
	runs.Unlock()
	b.waits(`document.getElementById("state").textContent == "Connected"`)
	v := d.view(fake.WalletAddress)
	v.Balances = v.Balances.Add(-pause)
	v.mu.Unlock()
	server.CloseClientConnections()
	service.Transfer(fake.ExchangeAddress, fake.WalletAddress, 750_000_000)
	b.waits(`document.querySelector("#entries li").innerText.startsWith("Received +0.75 SOL")`)
	b.problems = nil // the lost connection

	b.holds(`Object.defineProperty(navigator, "clipboard", {value: {writeText: (text) => { window.copied = text; }}}), document.querySelector(".copy").click(), true`)
	b.waits(`document.querySelector(".copy").textContent == "Copied"`)
	b.holds(`window.copied == "` + string(fake.WalletAddress) + `"`)
	b.run(chromedp.ScrollIntoView(chromedp.CSS("#value")))
	box := result(b, chromedp.Evaluate[[]float64](`(b => [b.x + b.width / 2, b.y + b.height / 2])(document.querySelectorAll(".plot li")[40].getBoundingClientRect())`))
	b.run(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, box[0], box[1]))
	b.holds(`getComputedStyle(document.querySelectorAll(".plot li p")[40]).visibility == "visible"`)
	b.holds(`/^[$][0-9,.]+ ?[0-9]+ [A-Z][a-z]+/.test(document.querySelectorAll(".plot li p")[40].innerText.replace(/\s+/g, " "))`)

	b.shoot("hover")

	// For keyboards, screen readers, and fingers; in each width, and in both colors.
	b.show(server.URL, 1280)
	b.holds(`document.querySelectorAll("h1").length == 1 && document.documentElement.lang == "en"`)
	b.holds(`[...document.images].every(i => i.hasAttribute("alt"))`)
	b.holds(`[...document.querySelectorAll("table")].every(t => t.caption && t.tHead.querySelector("th[scope=col]"))`)
	b.holds(`[...document.querySelectorAll("section")].every(s => document.getElementById(s.getAttribute("aria-labelledby")))`)
	b.run(chromedp.KeyEvent(kb.Tab))
	b.holds(`document.activeElement.className == "skip" && getComputedStyle(document.activeElement).outlineStyle != "none"`)
	b.run(chromedp.KeyEvent(kb.Enter))
	b.holds(`document.activeElement.id == "main"`)
	for _, width := range []int64{320, 390, 768, 1152, 1280, 1920} {
		b.colors("light")
		b.show(server.URL, width)
		b.holds(fmt.Sprintf(`document.querySelectorAll("details").forEach(d => { d.open = true }), document.documentElement.scrollWidth <= %d`, width))
		b.show(server.URL, width)
		b.holds(`[...document.querySelectorAll("main *")].every(e => !["auto", "scroll"].includes(getComputedStyle(e).overflowY))`)
		b.holds(`[...document.querySelectorAll("table.tokens")].every(t => t.getBoundingClientRect().right <= t.closest("section").getBoundingClientRect().right)`)
		b.holds(`[...document.querySelectorAll(".holdings > table td:nth-child(4)")].filter(e => e.scrollWidth <= e.clientWidth).length == 20`)
		if width >= 768 {
			b.holds(`document.querySelector(".tokens td:nth-child(5)").getBoundingClientRect().width > 30`)
		}
		if width < 1000 {
			require.Empty(t, result(b, chromedp.Evaluate[string](`[...document.querySelectorAll("main a, button, summary")].filter(e => e.checkVisibility() && `+
				`Math.min(e.getBoundingClientRect().height, e.getBoundingClientRect().width) < 44).map(e => e.outerHTML).join("\n")`)))
		}
		b.waits(`document.getElementById("state").textContent == "Connected"`)
		b.shoot(fmt.Sprint(width))
		b.colors("dark")
		b.shoot(fmt.Sprint(width, "-dark"))
	}
	b.holds(`getComputedStyle(document.querySelector("polyline")).stroke == "rgb(163, 145, 255)"`)

	require.Empty(t, b.problems)
	for _, url := range b.requests {
		require.True(t, strings.HasPrefix(url, server.URL) || strings.HasPrefix(url, "data:"), url)
		require.NotContains(t, url, fake.Key)
	}
}

func TestErrorsInABrowser(t *testing.T) {
	service := newTestFake(t)
	service.FailFrom(balancesOp, 1, fake.Status(400))
	service.FailFrom(fake.Upgrade, 1, fake.Unauthorized())
	server := httptest.NewServer(newTestDashboard(t, service).handler())
	t.Cleanup(server.Close) // after the browser
	b := open(t)
	b.show(server.URL, 1280)
	b.waits(`document.getElementById("state").textContent == "Not live. The service refuses the API key: check HELIUS_API_KEY."`)
	require.Contains(t, b.text("#holdings .error"), "The service refuses the request: Invalid request")
	require.Contains(t, b.text("#value .error"), "The service refuses the request: Invalid request")
	require.Contains(t, b.text(".gallery"), "Harbor Lights")
	b.holds(`(i => { i.innerHTML = "<img src='/none.png'>" })(document.querySelector(".gallery i")), true`)
	b.waits(`document.querySelector(".gallery img") === null`) // the one below it shows
	b.shoot("errors")
	b.show(server.URL+"/?wallet=toly", 1280)
	require.Contains(t, b.text(".error"), "This is not the address of a wallet")
	b.shoot("refused")
	b.show(server.URL+"/?wallet="+string(progress.USDC), 1280)
	b.shoot("token")

	call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	b.show(server.URL, 390)
	require.Contains(t, b.text("#state"), "Not live without JavaScript")
	require.Contains(t, b.text("#entries"), "JTO")
}
