// Dashboard serves a page that shows a wallet: its value and holdings, its value over
// time, transfers and who the other side is, NFTs, compressed tokens, and transactions as
// they happen.
//
//	go run -C examples/dashboard .
//
// The key stays in this process. The program has no login: it listens on loopback, and
// everybody who can open the page spends credits.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"time"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:8080", "`address` to listen on")
	owner := flag.String("wallet", string(fake.WalletAddress), "`address` of the wallet that is shown first")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	cfg := types.Config{APIKey: os.Getenv("HELIUS_API_KEY")}
	if cfg.APIKey == "" {
		fmt.Fprintln(os.Stderr, "HELIUS_API_KEY is not set: this is made-up data.")
		service := newFake()
		cfg = service.Config()
		go trade(ctx, service, types.Address(*owner)) // ends with ctx
	}
	err := run(ctx, cfg, *listen, types.Address(*owner), os.Stdout)
	cancel()
	if err != nil {
		log.Fatal(err)
	}
}

// run serves the page until ctx ends.
func run(ctx context.Context, cfg types.Config, listen string, owner types.Address, out io.Writer) error {
	d, err := newDashboard(cfg, owner)
	if err != nil {
		return err
	}
	defer d.streams.Close()
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", listen)
	if err != nil {
		return err
	}
	server := &http.Server{
		Handler: d.handler(), ReadHeaderTimeout: 5 * time.Second,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	fmt.Fprintf(out, "Open http://%s/ in a browser.\n", listener.Addr())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// newFake returns a fake whose time goes on from the latest transactions of its world. The
// wallet also holds compressed tokens, and trades with an exchange.
func newFake() *fake.Service {
	begin, start := time.Date(2025, time.June, 2, 15, 5, 0, 0, time.UTC), time.Now()
	held := func(mint types.Address, raw uint64, decimals uint8) fake.CompressedTokenAccount {
		return fake.CompressedTokenAccount{Owner: fake.WalletAddress, Mint: mint, RawAmount: raw, Decimals: decimals}
	}
	moved := func(days int, from, to types.Address, amount int64) fake.Transaction {
		return fake.Transaction{
			BlockTime: types.Time{Time: begin.AddDate(0, 0, -days)},
			Transfers: []fake.Transfer{{From: from, To: to, Amount: decimal.NewFromInt(amount)}},
		}
	}
	const owner, exchange = fake.WalletAddress, fake.ExchangeAddress
	return fake.New(&fake.Options{
		World: &fake.World{
			Preset: fake.PresetDefault,
			Transactions: []fake.Transaction{
				moved(2, owner, exchange, 40), moved(19, owner, exchange, 90), moved(33, exchange, owner, 70), moved(51, owner, exchange, 180),
				moved(78, exchange, owner, 120), moved(96, exchange, owner, 70), moved(131, owner, exchange, 140), moved(160, exchange, owner, 150),
			},
			CompressedTokenAccounts: []fake.CompressedTokenAccount{
				held("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", 1_250_500_000, 6),
				held("DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263", 4_000_000_00000, 5),
			},
		},
		Clock: func() time.Time { return begin.Add(time.Since(start)) },
	})
}

// trade lets something happen to a wallet of a fake every few seconds.
func trade(ctx context.Context, service *fake.Service, owner types.Address) {
	for i := uint64(1); ; i++ {
		select {
		case <-ctx.Done():
			return
		case <-time.After(3 * time.Second):
		}
		switch i % 3 {
		case 0:
			service.Swap(owner)
		case 1:
			service.Transfer(fake.ExchangeAddress, owner, 250_000_000*i)
		default:
			service.Transfer(owner, fake.CollectorAddress, 10_000_000*i)
		}
	}
}
