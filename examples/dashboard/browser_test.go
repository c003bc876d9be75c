package main

import (
	"context"
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

// shoot keeps a picture of the whole page.
func (b *tab) shoot(name string) {
	b.Helper()
	b.holds(`(scrollTo(0, document.body.scrollHeight), true)`) // loads all images
	b.run(chromedp.Sleep(600 * time.Millisecond))              // for the animations
	b.holds(`scrollTo(0, 0), [...document.images].every(i => i.complete && i.naturalWidth > 0)`)
	image := result(b, chromedp.FullScreenshot(100))
	require.NoError(b, os.MkdirAll(screenshots, 0o755))
	require.NoError(b, os.WriteFile(filepath.Join(screenshots, name+".png"), image, 0o600))
	b.Logf("screenshot %s.png: %d bytes", name, len(image))
}

func TestPageInABrowser(t *testing.T) {
	service := newTestFake(t)
	server := httptest.NewServer(newTestDashboard(t, service).handler())
	t.Cleanup(server.Close) // after the browser
	b := open(t)

	began := time.Now()
	b.run(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(server.URL), chromedp.WaitVisible(chromedp.CSS("#spent")))
	t.Logf("first paint after %v", time.Since(began).Round(time.Millisecond))
	require.Equal(t, "toly.sol", b.text("h1"))
	require.Contains(t, b.text(".hero .total"), "$355,0")
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
	require.Contains(t, b.text("#state"), "Connected")
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
	b.holds(`document.querySelector(".chart").naturalWidth > 0 && document.querySelector(".chart").currentSrc != document.querySelector(".chart").src`)
	b.shoot("dark")

	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
	b.run(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile), chromedp.Reload(), chromedp.WaitVisible(chromedp.CSS("#spent")))
	b.holds(`document.documentElement.scrollWidth <= 390`)
	b.holds(`[...document.querySelectorAll(".scroll")].every(e => e.scrollWidth <= e.clientWidth)`)
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
	require.Contains(t, b.text(".wide:has(#holdings) .error"), "400 Bad Request")
	require.Contains(t, b.text(".wide:has(#value) .error"), "400 Bad Request")
	require.Contains(t, b.text("#state"), "401")
	require.Contains(t, b.text(".transfers"), "JUP")
	require.Contains(t, b.text(".gallery"), "Harbor Lights")
	b.shoot("errors")
	require.Empty(t, b.problems)

	call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	b.run(chromedp.Reload(), chromedp.WaitVisible(chromedp.CSS("#live noscript")))
	require.Contains(t, b.text("#live"), "need JavaScript")
	require.Contains(t, b.text(".transfers"), "JUP")
}
