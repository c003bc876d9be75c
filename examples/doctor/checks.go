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
	"github.com/solwire/solwire-go/rpc/parsedapi"
	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/wallet"
	"github.com/solwire/solwire-go/webhooks"
)

// A check returns its findings.
type check struct {
	name string
	do   func(context.Context) (found string, err error)
}

// wrong is a finding that is not an error of the service.
type wrong struct{ found, advice string }

func (w wrong) Error() string { return w.found }

// checks returns the checks in the order in which they are made.
func checks(cfg types.Config, node *rpc.Client, watch *watcher) []check {
	return []check{
		{"key", func(ctx context.Context) (string, error) {
			slot, err := node.Slot(ctx, nil)
			return fmt.Sprint("accepted, at slot ", slot), err
		}},
		{"network", func(ctx context.Context) (string, error) { return network(ctx, cfg, node) }},
		{"connection", func(context.Context) (string, error) { return watch.connection() }},
		{"latency", func(ctx context.Context) (string, error) { return latency(ctx, node) }},
		{"clock", func(ctx context.Context) (string, error) { return clock(ctx, node) }},
		{"accounts", calls(cfg, "getAccountInfo", rpc.New, func(ctx context.Context, c *rpc.Client) (any, error) {
			return c.Account(ctx, types.TokenProgram, nil) // which every network has
		})},
		{"histories", calls(cfg, "getTransactionsForAddress", rpc.New, func(ctx context.Context, c *rpc.Client) (any, error) {
			return c.TransactionSignaturesForAddress(ctx, fake.WalletAddress, &rpc.TransactionsForAddressOptions{PageOptions: types.PageOptions{Limit: 1}}).Page()
		})},
		{"assets", calls(cfg, "getAssetsByOwner", das.New, func(ctx context.Context, c *das.Client) (any, error) {
			return c.AssetsByOwner(ctx, fake.WalletAddress, &das.AssetsOptions{PageOptions: types.PageOptions{Limit: 1}}).Page()
		})},
		{"compression", calls(cfg, "getIndexerSlot", compressed.New, func(ctx context.Context, c *compressed.Client) (any, error) {
			return c.IndexerSlot(ctx)
		})},
		{"parsed events", calls(cfg, "a history of one transaction", parsedapi.New, func(ctx context.Context, c *parsedapi.Client) (any, error) {
			return c.History(ctx, fake.WalletAddress, &parsedapi.HistoryOptions{PageOptions: types.PageOptions{Limit: 1}}).Page()
		})},
		{"wallet", calls(cfg, "the balances", wallet.New, func(ctx context.Context, c *wallet.Client) (any, error) {
			return c.Balances(ctx, fake.WalletAddress, &wallet.BalancesOptions{PageOptions: types.PageOptions{Limit: 1}}).Page()
		})},
		{"webhooks", calls(cfg, "the list of webhooks", webhooks.New, func(ctx context.Context, c *webhooks.Client) (any, error) {
			return c.Webhooks(ctx)
		})},
		{"websocket", calls(cfg, "slotSubscribe", stream.New, firstSlot)},
		{"rate limits", func(context.Context) (string, error) { return watch.limits(cfg.APIKey.Reveal()), nil }},
	}
}

// calls returns a check that makes one call with a client.
func calls[C any](cfg types.Config, what string, client func(types.Config) (C, error), call func(context.Context, C) (any, error)) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		c, err := client(cfg)
		if err == nil {
			_, err = call(ctx, c)
		}
		return "answers " + what, err
	}
}

// network compares the hash of the first block with the one of the network.
func network(ctx context.Context, cfg types.Config, node *rpc.Client) (string, error) {
	names := map[types.Hash]types.Network{
		types.MainnetGenesisHash: types.NetworkMainnet,
		types.DevnetGenesisHash:  types.NetworkDevnet,
		types.TestnetGenesisHash: "testnet",
	}
	hash, err := node.GenesisHash(ctx)
	switch name, known := names[hash]; {
	case err != nil:
		return "", err
	case !known:
		return "an unknown network, with genesis hash " + string(hash), nil
	case name != cfg.Network:
		return "", wrong{fmt.Sprintf("the host is on %s, the configuration says %s", name, cfg.Network), "set -network and Config.Network, or another URL"}
	}
	return string(cfg.Network), nil
}

func latency(ctx context.Context, node *rpc.Client) (string, error) {
	var times [5]time.Duration
	for i := range times {
		start := time.Now()
		if err := node.Health(ctx); err != nil {
			return "", err
		}
		times[i] = time.Since(start).Round(100 * time.Microsecond)
	}
	slices.Sort(times[:])
	found := fmt.Sprintf("median %v, slowest %v of 5 requests", times[2], times[4])
	if times[2] > time.Second {
		found += "; the service is far away: read pages with Prefetch, and batches instead of single calls"
	}
	return found, nil
}

// clock compares the time of the newest finalized block, which is 10 to 30 s old, with the
// time of this machine.
func clock(ctx context.Context, node *rpc.Client) (string, error) {
	slot, err := node.Slot(ctx, nil)
	if err != nil {
		return "", err
	}
	block, err := node.BlockTime(ctx, slot)
	for i := uint64(1); i <= 5 && errors.Is(err, types.ErrNotFound); i++ { // a slot without a block
		block, err = node.BlockTime(ctx, slot-i)
	}
	if err != nil {
		return "", err
	}
	age := time.Since(block.Time).Round(time.Second)
	found := fmt.Sprintf("the newest finalized block is %v old", age)
	if age < -5*time.Second || age > 2*time.Minute {
		return "", wrong{found, "set the clock of this machine, or use a node that is not behind"}
	}
	return found, nil
}

// firstSlot waits for the first slot of a stream, which tries again until its context ends.
func firstSlot(ctx context.Context, c *stream.Client) (any, error) {
	defer c.Close()
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	for e, err := range c.Slots(ctx) {
		return e, err
	}
	return nil, errors.New("the WebSocket stream ended without a slot")
}

// A watcher is a Transport that notes how the service is connected. It is below the client
// and sees the key; it keeps no URL.
type watcher struct {
	next http.RoundTripper

	mu     sync.Mutex
	first  string // the first connection
	header map[string]string
}

func (w *watcher) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := w.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.first == "" {
		w.first = "host " + req.URL.Host + ", " + resp.Proto
		if resp.TLS != nil {
			w.first += ", " + tls.VersionName(resp.TLS.Version)
		}
		if proxy, err := http.ProxyFromEnvironment(req); err == nil && proxy != nil {
			w.first += ", through the proxy " + proxy.Host // without the user and password
		}
	}
	for name, values := range resp.Header {
		lower := strings.ToLower(name)
		if strings.Contains(lower, "ratelimit") || strings.Contains(lower, "rate-limit") || lower == "retry-after" {
			w.header[name] = strings.Join(values, ", ")
		}
	}
	return resp, nil
}

func (w *watcher) connection() (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.first == "" {
		return "", errors.New("no response")
	}
	return w.first, nil
}

// limits returns the last value of each header about rate limits.
func (w *watcher) limits(key string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := []string{}
	for name, value := range w.header {
		if len(value) < min(len(key), 32) { // a longer one may repeat the key
			all = append(all, name+": "+value)
		}
	}
	if len(all) == 0 {
		return "the service sent no headers about rate limits"
	}
	slices.Sort(all)
	return strings.Join(all, "; ")
}
