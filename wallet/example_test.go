package wallet_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"slices"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/wallet"
)

// The examples run against a fake of the service. In a program, the Config has your
// API key: types.Config{APIKey: types.Key(key)}.
var cfg = fake.Config()

const owner = fake.WalletAddress

func Example() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	wallets, err := wallet.New(cfg)
	if err != nil {
		log.Fatal(err)
	}

	n := 0
	for b, err := range wallets.Balances(ctx, owner, nil).All() {
		if err != nil {
			log.Fatal(err)
		}
		if n++; n <= 3 {
			fmt.Println(b.Symbol, b.Amount)
		}
	}
	fmt.Println(n, "tokens")
	// Output:
	// SOL 1523.754213877
	// USDC 25310.123456
	// JitoSOL 120.000000001
	// 263 tokens
}

func ExampleClient_Balances_page() {
	wallets, err := wallet.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	page, err := wallets.Balances(context.Background(), owner, &wallet.BalancesOptions{PageOptions: types.PageOptions{Limit: 4}, HideNative: true}).Page()
	if err != nil {
		log.Fatal(err)
	}
	for _, b := range page.Items {
		if b.USDValue.Valid { // the price may be unknown
			fmt.Println(b.Symbol, b.Amount, b.USDValue.Decimal.StringFixed(2))
		}
	}
	fmt.Println("more:", page.HasMore)
	// Output:
	// USDC 25310.123456 25306.33
	// JitoSOL 120.000000001 20647.20
	// mSOL 88.41120034 16349.00
	// Bonk 731250441.80012 10888.32
	// more: true
}

func ExampleClient_Balances_nfts() {
	wallets, err := wallet.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	page, err := wallets.Balances(context.Background(), owner, &wallet.BalancesOptions{PageOptions: types.PageOptions{Limit: 1}, ShowNFTs: true}).Page()
	if err != nil {
		log.Fatal(err)
	}
	for _, n := range page.NFTs[:3] {
		fmt.Printf("%q in %q, compressed: %t\n", n.Name, n.CollectionName, n.Compressed)
	}
	// Output:
	// "Harbor Lights #5504" in "Harbor Lights", compressed: true
	// "Night Owls #3439" in "Night Owls", compressed: false
	// "Paper Boats #3415" in "Paper Boats", compressed: false
}

func ExampleClient_Balances() {
	wallets, err := wallet.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	unpriced := 0
	for b, err := range wallets.Balances(context.Background(), owner, nil).All() {
		if err != nil {
			log.Fatal(err)
		}
		if !b.PricePerToken.Valid {
			unpriced++
		}
	}
	fmt.Println(unpriced, "tokens without a price")
	// Output:
	// 96 tokens without a price
}

// A loop with one variable drops the error, so a failed listing looks complete. It even
// counts the zero Balance that comes with the error.
func ExampleClient_Balances_oneVariable() {
	service := fake.New(nil)
	service.Fail("GET /v1/wallet/{wallet}/balances", 2, fake.Unauthorized()) // the second page
	wallets, err := wallet.New(service.Config())
	if err != nil {
		log.Fatal(err)
	}
	n := 0
	for range wallets.Balances(context.Background(), owner, nil).All() { // wrong
		n++
	}
	fmt.Println(n, "tokens")

	service.Fail("GET /v1/wallet/{wallet}/balances", 2, fake.Unauthorized())
	for _, err := range wallets.Balances(context.Background(), owner, nil).All() { // right
		if err != nil {
			fmt.Println("incomplete:", errors.Is(err, types.ErrUnauthorized))
		}
	}
	// Output:
	// 101 tokens
	// incomplete: true
}

// Native SOL and wrapped SOL have the same mint in balances.
func ExampleClient_Balances_wrappedSOL() {
	wallets, err := wallet.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	for b, err := range wallets.Balances(context.Background(), owner, nil).All() {
		if err != nil {
			log.Fatal(err)
		}
		if b.Mint == types.WrappedSOL {
			fmt.Println(b.Amount, b.Name)
		}
	}
	// Output:
	// 1523.754213877 Solana
	// 2.5 Wrapped SOL
}

func ExampleBalance_Raw() {
	wallets, err := wallet.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	page, err := wallets.Balances(context.Background(), owner, &wallet.BalancesOptions{PageOptions: types.PageOptions{Limit: 1}}).Page()
	if err != nil {
		log.Fatal(err)
	}
	lamports, err := page.Items[0].Raw()
	fmt.Println(lamports, err)
	// Output: 1523754213877 <nil>
}

func ExampleClient_History() {
	wallets, err := wallet.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	opts := &wallet.HistoryOptions{Type: txtype.Swap, TokenAccounts: types.TokenAccountHistoryNone}
	failed, swaps := 0, 0
	for tx, err := range wallets.History(context.Background(), owner, opts).All() {
		if err != nil {
			log.Fatal(err)
		}
		swaps++
		if tx.TransactionError != "" {
			failed++
		}
	}
	fmt.Println(swaps, "swaps,", failed, "of them failed")
	// Output:
	// 77 swaps, 24 of them failed
}

func ExampleClient_History_timeWindow() {
	wallets, err := wallet.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	opts := &wallet.HistoryOptions{Since: time.Date(2025, time.May, 30, 0, 0, 0, 0, time.UTC)}
	txs, err := wallets.History(context.Background(), owner, opts).Collect(1000)
	if err != nil {
		log.Fatal(err)
	}
	for _, tx := range txs {
		if tx.BlockTime.IsZero() {
			fmt.Println("slot", tx.Slot)
		} else {
			fmt.Println("slot", tx.Slot, "at", tx.BlockTime.Format(time.DateTime))
		}
	}
	// Output:
	// slot 344112233
	// slot 344069945
	// slot 343696995 at 2025-05-31 16:55:50
}

func ExampleClient_Transfers() {
	wallets, err := wallet.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	for t, err := range wallets.Transfers(context.Background(), owner, nil).All() {
		if err != nil {
			log.Fatal(err)
		}
		if t.Direction == types.DirectionIn && t.Mint.IsNativeSOL() {
			fmt.Println("last received:", t.Amount, "SOL")
			break // no more requests
		}
	}
	// Output:
	// last received: 0.000835471 SOL
}

// Histories support 31 types, some of which webhooks do not have.
func ExampleHistoryTypes() {
	all := wallet.HistoryTypes()
	fmt.Println(len(all), slices.Contains(all, txtype.Swap), slices.Contains(all, txtype.Any))
	// Output: 31 true false
}

// For an unknown owner, the service returns an error or an Identity that is not Known.
func ExampleClient_Identity() {
	wallets, err := wallet.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range []string{"toly.sol", "4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R"} {
		who, err := wallets.Identity(context.Background(), name)
		switch {
		case errors.Is(err, types.ErrNotFound), err == nil && !who.Known():
			fmt.Println(name, "is unknown")
		case err != nil:
			log.Fatal(err)
		default:
			fmt.Println(name, "is", who.Address)
		}
	}
	// Output:
	// toly.sol is 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY
	// 4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R is unknown
}

func ExampleClient_Identities() {
	wallets, err := wallet.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	names := []string{
		"HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664",
		"4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R",
		"nobody-has-this.sol",
	}
	all, err := wallets.Identities(context.Background(), names)
	if err != nil {
		log.Println(err) // some requests failed; the other results are valid
	}
	for i, who := range all {
		switch {
		case who.Known():
			fmt.Println(names[i], "is", who.Name)
		case who.Unresolved:
			fmt.Println(names[i], "does not resolve")
		default:
			fmt.Println(names[i], "is unknown")
		}
	}
	// Output:
	// HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664 is Binance 1
	// 4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R is unknown
	// nobody-has-this.sol does not resolve
}

// If a request fails, the other results are valid, and the results of the failed request are
// nil.
func ExampleClient_Identities_partial() {
	service := fake.New(nil)
	service.Fail("POST /v1/wallet/batch-identity", 2, fake.Unauthorized())
	wallets, err := wallet.New(service.Config())
	if err != nil {
		log.Fatal(err)
	}
	names := make([]string, 150) // two requests
	for i := range names {
		names[i] = string(fake.ExchangeAddress)
	}
	all, err := wallets.Identities(context.Background(), names)
	var batch *types.BatchError
	if err != nil && !errors.As(err, &batch) {
		log.Fatal(err)
	}
	for _, i := range []int{0, 149} {
		if batch != nil && batch.Errs[i] != nil {
			fmt.Println("not read:", batch.Errs[i])
		} else {
			fmt.Println(all[i].Name)
		}
	}
	// Output:
	// Binance 1
	// not read: POST /v1/wallet/batch-identity of HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664 and 49 more: 401 Unauthorized (a key was sent; it is wrong or expired)
}

func ExampleClient_FundedBy() {
	wallets, err := wallet.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	funding, err := wallets.FundedBy(context.Background(), owner)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(funding.Amount, "SOL from", funding.FunderName, "in slot", funding.Slot)
	// Output:
	// 1482.311079152 SOL from Binance 1 in slot 197385615
}

func ExampleClient_BalanceAt() {
	wallets, err := wallet.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	at := wallet.AtTime(time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC))
	balance, err := wallets.BalanceAt(context.Background(), owner, types.NativeSOLMint, at)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(balance.Amount, "SOL")
	if balance.AsOf == nil {
		fmt.Println("no activity until then")
	}
	// Output:
	// 1510.2910634 SOL
}

// A slot is exact. A block time is an estimate, which may be off by seconds.
func ExampleAtSlot() {
	wallets, err := wallet.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	balance, err := wallets.BalanceAt(context.Background(), owner, types.NativeSOLMint, wallet.AtSlot(343_696_995))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(balance.Amount, "SOL since slot", balance.AsOf.Slot)
	// Output: 1520.539688721 SOL since slot 343696995
}

// The Wallet API exists on mainnet only.
func ExampleNew_devnet() {
	_, err := wallet.New(types.Config{APIKey: types.Key(fake.Key), Network: types.NetworkDevnet})
	fmt.Println(err)
	fmt.Println(errors.Is(err, types.ErrInvalid))
	// Output:
	// types.Config: Network devnet has no Wallet API; set Network to mainnet, or WalletURL to a host that has it: invalid argument
	// true
}

func Example_errors() {
	wallets, err := wallet.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	_, err = wallets.FundedBy(context.Background(), "4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R")
	var apiErr *types.APIError
	if errors.As(err, &apiErr) {
		fmt.Println(apiErr.StatusCode, apiErr.Message, errors.Is(err, types.ErrNotFound))
	}

	_, err = wallets.Balances(context.Background(), "not an address", nil).Page()
	fmt.Println(err)
	// Output:
	// 404 No funding transaction found true
	// wallet.Client.Balances: wallet "not an address": address has length 14, not 32 to 44: invalid argument
}
