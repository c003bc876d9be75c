package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/rpc/parsed"
	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/wallet"
	"github.com/solwire/solwire-go/webhooks"
)

// A doctor has a client of each API.
type doctor struct {
	cfg        types.Config
	watch      *watcher
	rpc        *rpc.Client
	das        *das.Client
	parsed     *parsed.Client
	compressed *compressed.Client
	wallets    *wallet.Client
	webhooks   *webhooks.Client
	streams    *stream.Client
}

func (d *doctor) connect() error {
	var errs [7]error
	d.rpc, errs[0] = rpc.New(d.cfg)
	d.das, errs[1] = das.New(d.cfg)
	d.parsed, errs[2] = parsed.New(d.cfg)
	d.compressed, errs[3] = compressed.New(d.cfg)
	d.wallets, errs[4] = wallet.New(d.cfg)
	d.webhooks, errs[5] = webhooks.New(d.cfg)
	d.streams, errs[6] = stream.New(d.cfg)
	return errors.Join(errs[:]...)
}

// A check returns what it found, and what to do next if that is not all well.
type check struct {
	name string
	do   func(ctx context.Context) (found, advice string, err error)
}

// wrong is a finding that is not an error of the service.
type wrong struct{ found, advice string }

func (w wrong) Error() string { return w.found + "; " + w.advice }

// checks returns the checks in the order in which they are made.
func (d *doctor) checks() []check {
	// An account that every network has.
	const token = types.TokenProgram
	return []check{
		{"key", d.key},
		{"network", d.network},
		{"connection", d.connection},
		{"latency", d.latency},
		{"clock", d.clock},
		{"accounts", d.does("getAccountInfo", func(ctx context.Context) error {
			_, err := d.rpc.Account(ctx, token, nil)
			return err
		})},
		{"histories", d.does("getTransactionsForAddress", func(ctx context.Context) error {
			_, err := d.rpc.TransactionSignaturesForAddress(ctx, fake.WalletAddress, &rpc.TransactionsForAddressOptions{Limit: 1}).Page()
			return err
		})},
		{"assets", d.does("getAssetsByOwner", func(ctx context.Context) error {
			_, err := d.das.AssetsByOwner(ctx, fake.WalletAddress, &das.AssetsOptions{Limit: 1}).Page()
			return err
		})},
		{"compression", d.does("getIndexerSlot", func(ctx context.Context) error {
			_, err := d.compressed.IndexerSlot(ctx)
			return err
		})},
		{"parsed events", d.does("a history of one transaction", func(ctx context.Context) error {
			_, err := d.parsed.History(ctx, fake.WalletAddress, &parsed.HistoryOptions{Limit: 1}).Page()
			return err
		})},
		{"wallet", d.does("an identity", func(ctx context.Context) error {
			_, err := d.wallets.Identity(ctx, string(fake.ExchangeAddress))
			return err
		})},
		{"webhooks", d.hooks},
		{"websocket", d.webSocket},
		{"rate limits", d.limits},
	}
}

// does returns a check that succeeds if the call does, or if what it asks for does not exist.
func (d *doctor) does(what string, call func(context.Context) error) func(context.Context) (string, string, error) {
	return func(ctx context.Context) (string, string, error) {
		if err := call(ctx); err != nil && !errors.Is(err, types.ErrNotFound) {
			return "", "", err
		}
		return "answers " + what, "", nil
	}
}

func (d *doctor) key(ctx context.Context) (found, advice string, err error) {
	slot, err := d.rpc.Slot(ctx, nil)
	return fmt.Sprint("accepted, at slot ", slot), "", err
}

// network compares the hash of the first block with the one of the network.
func (d *doctor) network(ctx context.Context) (found, advice string, err error) {
	hash, err := d.rpc.GenesisHash(ctx)
	if err != nil {
		return "", "", err
	}
	names := map[types.Hash]string{
		"5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d": "mainnet",
		"EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxkZrBkG": "devnet",
		"4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY": "testnet",
	}
	want := "mainnet"
	if d.cfg.Network != "" {
		want = string(d.cfg.Network)
	}
	switch name, known := names[hash]; {
	case !known:
		return "an unknown network, with genesis hash " + string(hash), "", nil
	case name != want:
		return "", "", wrong{"the host is on " + name + ", the configuration says " + want, "set Config.Network, or another URL"}
	}
	return want, "", nil
}

func (d *doctor) connection(context.Context) (found, advice string, err error) {
	host, proxy, state, protocol := d.watch.connection()
	found = "host " + host + ", " + protocol
	if state != nil {
		found += ", " + tls.VersionName(state.Version)
	}
	if proxy != "" {
		found += ", through the proxy " + proxy
	}
	return found, "", nil
}

func (d *doctor) latency(ctx context.Context) (found, advice string, err error) {
	var times []time.Duration
	for range 5 {
		start := time.Now()
		if err := d.rpc.Health(ctx); err != nil {
			return "", "", err
		}
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	found = fmt.Sprintf("median %v, slowest %v of 5 requests", times[2].Round(time.Microsecond*100), times[4].Round(time.Microsecond*100))
	if times[2] > time.Second {
		advice = "the service is far away: read pages with Prefetch, and batches instead of single calls"
	}
	return found, advice, nil
}

// clock compares the time of the newest finalized block, which is 10 to 30 s old, with the
// time of this machine.
func (d *doctor) clock(ctx context.Context) (found, advice string, err error) {
	slot, err := d.rpc.Slot(ctx, nil)
	if err != nil {
		return "", "", err
	}
	block, err := d.rpc.BlockTime(ctx, slot)
	for i := 0; i < 5 && errors.Is(err, types.ErrNotFound); i++ { // a slot without a block
		slot--
		block, err = d.rpc.BlockTime(ctx, slot)
	}
	if err != nil {
		return "", "", err
	}
	age := time.Since(block.Time).Round(time.Second)
	if age < -5*time.Second || age > 2*time.Minute {
		return "", "", wrong{fmt.Sprintf("the newest finalized block is %v old", age), "set the clock of this machine, or use a node that is not behind"}
	}
	return fmt.Sprintf("the newest finalized block is %v old", age), "", nil
}

func (d *doctor) hooks(ctx context.Context) (found, advice string, err error) {
	list, err := d.webhooks.Webhooks(ctx)
	if err != nil {
		return "", "", err
	}
	inactive := 0
	for _, w := range list {
		if w.Active != nil && !*w.Active {
			inactive++
		}
	}
	if inactive > 0 {
		advice = "the service switches a webhook off when most deliveries fail; switch it on with webhooks.Client.SetActive"
	}
	return fmt.Sprintf("%d webhooks, %d of them switched off", len(list), inactive), advice, nil
}

// webSocket waits for the first slot of a stream. A stream tries again for as long as its
// context lasts, so that it ends with the last reason.
func (d *doctor) webSocket(ctx context.Context) (found, advice string, err error) {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	for e, err := range d.streams.Slots(ctx, nil) {
		if err != nil {
			return "", "", err
		}
		return fmt.Sprint("notified of slot ", e.Slot), "", nil
	}
	return "", "", errors.New("the stream ended without a slot")
}

func (d *doctor) limits(context.Context) (found, advice string, err error) {
	if headers := d.watch.limits(d.cfg.APIKey); headers != "" {
		return headers, "", nil
	}
	return "the service sent no headers about rate limits", "", nil
}

// A watcher is a Transport that notes how the service is connected. It is below the client
// and sees the key; it keeps no URL.
type watcher struct {
	next http.RoundTripper

	mu     sync.Mutex
	host   string
	proxy  string
	state  *tls.ConnectionState
	proto  string
	header map[string]string
}

func (w *watcher) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := w.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.host == "" {
		w.host, w.state, w.proto = req.URL.Host, resp.TLS, resp.Proto
		if proxy, err := http.ProxyFromEnvironment(req); err == nil && proxy != nil {
			w.proxy = proxy.Host // without the user and password
		}
		w.header = map[string]string{}
	}
	for name, values := range resp.Header {
		if lower := strings.ToLower(name); strings.Contains(lower, "ratelimit") || strings.Contains(lower, "rate-limit") || lower == "retry-after" {
			w.header[name] = strings.Join(values, ", ")
		}
	}
	return resp, nil
}

func (w *watcher) connection() (host, proxy string, state *tls.ConnectionState, protocol string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.host == "" {
		return "not reached", "", nil, "no response"
	}
	return w.host, w.proxy, w.state, w.proto
}

// limits returns the last value of each header about rate limits.
func (w *watcher) limits(key string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []string
	for name, value := range w.header {
		all = append(all, name+": "+value)
	}
	slices.Sort(all)
	return strings.ReplaceAll(strings.Join(all, "; "), key, "***")
}
