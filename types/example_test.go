package types_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
)

// The examples run against made-up data. A program of yours has a key here:
// types.Config{APIKey: key}.
var cfg = fake.New().Config()

const owner types.Address = fake.Wallet

func ExampleConfig() {
	cfg := types.Config{
		APIKey:      "3f1c9a52-7d04-4e6b-9b8f-1d2a60c7e5f4",
		HTTPClient:  &http.Client{Timeout: 10 * time.Second}, // of one try
		MaxAttempts: 6,
	}
	devnet := cfg
	devnet.RPCURL = types.DevnetRPCURL
	fmt.Println(cfg)
	fmt.Println(devnet)
	// Output:
	// {APIKey:*** RPCURL: WalletURL: WebhooksURL: MaxAttempts:6}
	// {APIKey:*** RPCURL:https://devnet.helius-rpc.com WalletURL: WebhooksURL: MaxAttempts:6}
}

// A answers is a transport that needs no network, for a test of your own code:
// it gives every request the same answer.
type answers string

func (a answers) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK,
		Header:     http.Header{"Content-Type": {"application/json"}},
		Body:       io.NopCloser(strings.NewReader(string(a))),
	}, nil
}

func ExampleConfig_transport() {
	wallets, err := wallet.New(types.Config{
		APIKey:     "any-key",
		HTTPClient: &http.Client{Transport: answers(`{"address":"toly.sol","type":"wallet","name":"Toly"}`)},
	})
	if err != nil {
		log.Fatal(err)
	}
	who, err := wallets.Identity(context.Background(), "toly.sol")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(who.Name)
	// Output:
	// Toly
}

// A tally is a slog.Handler that counts what is sent for each context, further
// tries too. One that knows your tracer finds the span of the call in the
// context in the same way.
type tally struct{ slog.Handler }

type requests struct{}

func (tally) Enabled(context.Context, slog.Level) bool { return true }

func (tally) Handle(ctx context.Context, _ slog.Record) error {
	if n, ok := ctx.Value(requests{}).(*int); ok {
		*n++
	}
	return nil
}

func ExampleConfig_logger() {
	cfg := cfg
	cfg.Logger = slog.New(tally{slog.DiscardHandler})
	wallets, err := wallet.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	var n int
	ctx := context.WithValue(context.Background(), requests{}, &n)
	for _, err := range wallets.AllBalances(ctx, owner, nil) {
		if err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(n, "requests")
	// Output:
	// 3 requests
}

func ExampleAPIError() {
	cfg := cfg
	cfg.APIKey = fake.LimitedKey
	cfg.MaxAttempts = 1
	wallets, err := wallet.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	_, err = wallets.Balances(context.Background(), owner, nil)
	var refused *types.APIError
	if errors.As(err, &refused) {
		fmt.Println(refused.StatusCode, refused.Message, refused.RetryAfter)
	}
	fmt.Println(errors.Is(err, types.ErrRateLimited), errors.Is(err, types.ErrQuotaExceeded))
	// Output:
	// 429 RATE_LIMIT_EXCEEDED 2s
	// true false
}

func ExampleParseAddress() {
	for _, text := range []string{"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY", "86xCnPeV", "toly.sol"} {
		_, err := types.ParseAddress(text)
		fmt.Println(err)
	}
	// Output:
	// <nil>
	// address: 8 characters instead of 32 to 44: invalid
	// address: 8 characters instead of 32 to 44: invalid
}

// A pace is a Limiter that lets one request go in each interval. Golang.org/x/time
// has a better one.
type pace struct {
	interval time.Duration
	mu       sync.Mutex
	next     time.Time
}

func (p *pace) Wait(ctx context.Context) error {
	p.mu.Lock()
	wait := time.Until(p.next)
	p.next = time.Now().Add(max(wait, 0) + p.interval)
	p.mu.Unlock()
	select {
	case <-time.After(wait):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Clients that are made from one Config share its Limiter.
func ExampleLimiter() {
	cfg := cfg
	cfg.Limiter = &pace{interval: time.Millisecond}
	wallets, err := wallet.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	started := time.Now()
	var calls sync.WaitGroup
	for range 6 {
		calls.Go(func() {
			if _, err := wallets.Balances(context.Background(), owner, nil); err != nil {
				log.Fatal(err)
			}
		})
	}
	calls.Wait()
	fmt.Println(time.Since(started) >= 5*time.Millisecond)
	// Output:
	// true
}

// A store is what processes share, such as a database. Take counts a request
// of this second and reports whether there was room for it.
type store interface {
	Take(ctx context.Context, second int64, limit int) (bool, error)
}

// Shared is a Limiter for all processes that reach one store.
type shared struct {
	store     store
	perSecond int
}

func (s shared) Wait(ctx context.Context) error {
	for {
		now := time.Now()
		ok, err := s.store.Take(ctx, now.Unix(), s.perSecond)
		if ok || err != nil {
			return err
		}
		select {
		case <-time.After(time.Until(now.Truncate(time.Second).Add(time.Second))):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// counts is a store in memory. With Redis, Take is an INCR of a key that ends
// with the second, and an EXPIRE.
type counts struct {
	mu    sync.Mutex
	taken map[int64]int
}

func (c *counts) Take(_ context.Context, second int64, limit int) (bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.taken[second] >= limit {
		return false, nil
	}
	c.taken[second]++
	return true, nil
}

func ExampleLimiter_processes() {
	cfg := cfg
	cfg.Limiter = shared{&counts{taken: map[int64]int{}}, 50}
	wallets, err := wallet.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	page, err := wallets.Balances(context.Background(), owner, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(page.Items))
	// Output:
	// 100
}
