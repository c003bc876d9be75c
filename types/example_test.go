package types_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/wallet"
)

// The examples run against a fake of the service. In a program, the Config has your
// API key: types.Config{APIKey: types.Key(key)}.
var cfg = fake.Config()

const owner = fake.WalletAddress

func ExampleConfig() {
	cfg := types.Config{
		APIKey:      types.Key("3f1c9a52-7d04-4e6b-9b8f-1d2a60c7e5f4"),
		HTTPClient:  &http.Client{Timeout: 10 * time.Second}, // of one attempt
		MaxAttempts: 6,
	}
	devnet := cfg
	devnet.Network = types.NetworkDevnet
	fmt.Println(devnet.APIKey, devnet.Network, devnet.MaxAttempts)
	// Output:
	// *** devnet 6
}

// A response is a Transport that responds to every request with itself.
type response string

func (r response) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK,
		Header:     http.Header{"Content-Type": {"application/json"}},
		Body:       io.NopCloser(strings.NewReader(string(r))),
	}, nil
}

// A Transport can replace the service in tests of your own code.
func ExampleConfig_transport() {
	wallets, err := wallet.New(types.Config{
		APIKey:     types.Key("any-key"),
		HTTPClient: &http.Client{Transport: response(`{"address":"toly.sol","type":"wallet","name":"Toly"}`)},
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

// A counter is a slog.Handler that counts the attempts of each context. A handler for
// a tracer finds the span of a call in the context in the same way.
type counter struct{ slog.Handler }

type attempts struct{}

func (counter) Enabled(context.Context, slog.Level) bool { return true }

func (counter) Handle(ctx context.Context, _ slog.Record) error {
	if n, ok := ctx.Value(attempts{}).(*int); ok {
		*n++
	}
	return nil
}

func ExampleConfig_logger() {
	cfg := cfg
	cfg.Logger = slog.New(counter{slog.DiscardHandler})
	wallets, err := wallet.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	var n int
	ctx := context.WithValue(context.Background(), attempts{}, &n)
	for _, err := range wallets.Balances(ctx, owner, nil).All() {
		if err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(n, "attempts")
	// Output:
	// 3 attempts
}

func ExampleAPIError() {
	cfg := cfg
	cfg.APIKey = types.Key(fake.LimitedKey)
	cfg.MaxAttempts = 1
	wallets, err := wallet.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	_, err = wallets.Balances(context.Background(), owner, nil).Page()
	var apiErr *types.APIError
	if errors.As(err, &apiErr) {
		fmt.Println(apiErr.StatusCode, apiErr.Message, apiErr.RetryAfter)
	}
	fmt.Println(errors.Is(err, types.ErrRateLimited), errors.Is(err, types.ErrQuotaExceeded))
	// Output:
	// 429 RATE_LIMIT_EXCEEDED 2s
	// true false
}

// An exhausted plan also matches ErrRateLimited. The message of the service distinguishes
// the two, and the call is not retried.
func ExampleAPIError_quota() {
	service := fake.New(nil)
	service.Fail("GET /v1/wallet/{wallet}/balances", 1, fake.QuotaExceeded())
	wallets, err := wallet.New(service.Config())
	if err != nil {
		log.Fatal(err)
	}
	_, err = wallets.Balances(context.Background(), owner, nil).Page()
	fmt.Println(errors.Is(err, types.ErrRateLimited), errors.Is(err, types.ErrQuotaExceeded), len(service.Requests()))
	// Output:
	// true true 1
}

// The second of two requests fails. The results of the first one are valid, and the
// other inputs can be requested again.
func ExampleBatchError() {
	service := fake.New(nil)
	service.Fail("getMultipleAccounts", 2, fake.Fault{Code: -32602, Message: "Invalid params"})
	client, err := rpc.New(service.Config())
	if err != nil {
		log.Fatal(err)
	}
	addresses := slices.Repeat([]types.Address{owner}, 150) // 100 in a request
	balances, err := client.Balances(context.Background(), addresses, nil)
	var batch *types.BatchError
	if err != nil && !errors.As(err, &batch) {
		log.Fatal(err)
	}
	fmt.Println(err)
	var again []types.Address
	for i, address := range addresses {
		switch {
		case batch != nil && batch.Errs[i] != nil:
			again = append(again, address)
		case i == 0:
			fmt.Println(address, "has", balances[i], "lamports")
		}
	}
	fmt.Println(len(again), "to request again")
	// Output:
	// getMultipleAccounts of 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY and 49 more: code -32602: Invalid params (50 of 150 inputs failed)
	// 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY has 1523754213877 lamports
	// 50 to request again
}

// Collect stops at its limit, and requests only the pages that it needs.
func ExampleCollect() {
	cfg := cfg
	cfg.Meter = new(types.Meter)
	wallets, err := wallet.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	txs, err := wallets.History(context.Background(), owner, nil).Collect(150)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(txs), "transactions for", cfg.Meter.Credits(), "credits")
	// Output:
	// 150 transactions for 200 credits
}

// A Meter counts the credits of all clients made from a Config, by the documented
// prices.
func ExampleMeter() {
	cfg := cfg
	cfg.Meter = new(types.Meter)
	wallets, err := wallet.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	accounts, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	for _, err := range wallets.Balances(context.Background(), owner, nil).All() {
		if err != nil {
			log.Fatal(err)
		}
	}
	if _, err := accounts.AccountsByOwner(context.Background(), fake.OwnerAddress, nil).Page(); err != nil {
		log.Fatal(err)
	}
	for _, s := range cfg.Meter.Spent() {
		fmt.Println(s.Op, s.Responses, s.Credits)
	}
	fmt.Println(cfg.Meter.Credits(), "credits")
	// Output:
	// GET /v1/wallet/{wallet}/balances 3 300
	// getCompressedAccountsByOwnerV2 1 10
	// 310 credits
}

// The first page of some listings tells how many items there are.
func ExampleEstimate() {
	accounts, err := rpc.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	page, err := accounts.ProgramAccounts(context.Background(), types.TokenProgram, nil).Page()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(page.Total, "accounts for at most", types.Estimate("getProgramAccountsV2", page.Total), "credits")
	// Output:
	// 1017 accounts for at most 3 credits
}

// A page may be short or empty although more follow: HasMore tells. After the last page,
// the cursor is empty, which would start over.
func ExamplePage() {
	accounts, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	opts := &compressed.AccountsByOwnerOptions{PageOptions: types.PageOptions{Limit: 1000}}
	for {
		page, err := accounts.AccountsByOwner(context.Background(), fake.OwnerAddress, opts).Page()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(page.Items), page.HasMore, page.Cursor == "")
		if !page.HasMore {
			break
		}
		opts.Cursor = page.Cursor
	}
	// Output:
	// 1000 true false
	// 1000 true false
	// 1000 true false
	// 500 false true
}

// The service says that more follows, but sends no cursor. The items so far are not
// the whole listing.
func ExamplePage_incomplete() {
	service := fake.New(nil)
	service.Fail("GET /v1/wallet/{wallet}/history", 2, fake.Incomplete())
	wallets, err := wallet.New(service.Config())
	if err != nil {
		log.Fatal(err)
	}
	n := 0
	for _, err := range wallets.History(context.Background(), owner, nil).All() {
		if errors.Is(err, types.ErrIncomplete) {
			fmt.Println("more than", n, "transactions")
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		n++
	}
	// Output:
	// more than 100 transactions
}

// The zero Time is unknown, not 1970. Compare with IsZero first.
func ExampleTime() {
	for _, text := range []string{"1748876645", "null"} {
		var t types.Time
		if err := json.Unmarshal([]byte(text), &t); err != nil {
			log.Fatal(err)
		}
		if t.IsZero() {
			fmt.Println("unknown")
		} else {
			fmt.Println(t.UTC().Format(time.RFC3339))
		}
	}
	// Output:
	// 2025-06-02T15:04:05Z
	// unknown
}

// A pace is a Limiter that allows one request per interval. Package
// golang.org/x/time/rate has a better one.
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

// Clients that were created from one Config share its Limiter.
func ExampleLimiter() {
	cfg := cfg
	cfg.Limiter = &pace{interval: time.Millisecond}
	wallets, err := wallet.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	accounts, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	start := time.Now()
	var calls sync.WaitGroup
	for range 3 {
		calls.Go(func() {
			if _, err := wallets.Balances(context.Background(), owner, nil).Page(); err != nil {
				log.Fatal(err)
			}
		})
		calls.Go(func() {
			if _, err := accounts.AccountsByOwner(context.Background(), fake.OwnerAddress, nil).Page(); err != nil {
				log.Fatal(err)
			}
		})
	}
	calls.Wait()
	fmt.Println("6 calls took at least 5 ms:", time.Since(start) >= 5*time.Millisecond)
	// Output:
	// 6 calls took at least 5 ms: true
}
