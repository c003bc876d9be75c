package consumer

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/wallet"
)

// Requests per second, as the service documents its plans.
var plans = map[string]struct{ RPC, Others rate.Limit }{
	"Free":         {10, 2},
	"Developer":    {50, 10},
	"Business":     {200, 50},
	"Professional": {500, 100},
}

// clients returns clients that stay within the rates of a plan.
func clients(key, planName string, hc *http.Client) (*wallet.Client, *rpc.Client, error) {
	plan := plans[planName]
	cfg := types.Config{APIKey: types.Key(key), HTTPClient: hc}
	cfg.Limiter = rate.NewLimiter(plan.Others, 1)
	wallets, err := wallet.New(cfg)
	if err != nil {
		return nil, nil, err
	}
	cfg.Limiter = rate.NewLimiter(plan.RPC, 1)
	rpcClient, err := rpc.New(cfg)
	return wallets, rpcClient, err
}

// answers is a transport that gives every request the same response.
type answers string

func (a answers) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK,
		Header:     http.Header{"Content-Type": {"application/json"}},
		Body:       io.NopCloser(strings.NewReader(string(a))),
	}, nil
}

func TestCallsStayWithinTheRateOfThePlan(t *testing.T) {
	for name, plan := range plans {
		for area, limit := range map[string]rate.Limit{"wallet": plan.Others, "rpc": plan.RPC} {
			t.Run(name+" "+area, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					hc := &http.Client{Transport: answers(`{
						"balances":[],"totalUsdValue":0,"pagination":{"page":1,"limit":100,"hasMore":false},
						"context":{"slot":1},"value":[]}`)}
					wallets, rpcClient, err := clients("key", name, hc)
					if err != nil {
						t.Fatal(err)
					}
					ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
					defer cancel()
					owner := fake.WalletAddress
					calls := 0
					for ctx.Err() == nil {
						if area == "wallet" {
							_, err = wallets.Balances(ctx, owner, nil).Page()
						} else {
							_, err = rpcClient.TokenAccountsByDelegate(ctx, owner, rpc.ByProgram(types.TokenProgram), nil).Page()
						}
						if err != nil {
							break
						}
						calls++
					}
					if want := int(limit) * 60; calls < want-1 || calls > want+1 {
						t.Errorf("%d calls in a minute instead of %d: %v", calls, want, err)
					}
				})
			})
		}
	}
}
