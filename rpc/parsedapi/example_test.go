package parsedapi_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/solwire/solwire-go/rpc/parsedapi"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// In a program of yours: types.Config{APIKey: types.Key(os.Getenv("HELIUS_API_KEY"))}.
// The history of the World ends at its clock.
var cfg = fake.New(&fake.Options{Clock: func() time.Time {
	return time.Date(2026, time.November, 29, 6, 0, 0, 0, time.UTC)
}}).Config()

func ExampleClient_History() {
	ctx := context.Background()
	client, err := parsedapi.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	wallet := fake.WalletAddress
	results, err := client.History(ctx, wallet, nil).Collect(5)
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range results {
		if r.Parsed == nil { // the service could not read it
			fmt.Println(r.ParserError)
			continue
		}
		fmt.Println(r.Parsed.Describe(wallet, nil))
	}
	// Output:
	// swap: +3.192156933 SOL, -0.040656889 So11111111111111111111111111111111111111112, fee 0.000005 SOL
	// swap: +0.022378223 SOL, -1649.27905 DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263, fee 0.000005 SOL
	// transfer: -924.626006472382 Gwmg8XpefX5xKr3eGDDHWhBKREcyBwmgvb4uZVYqL8hS, fee 0.00004461 SOL
	// transfer: +0.000835471 SOL, fee 0.000005 SOL
	// transfer: +506593503 54skrEhS5Dpt6gBENTPqQzJcBTvQGZCJ74pMZzSJHyBT
}

// The service searches the history: all swaps of a wallet with Jupiter.
func ExampleClient_Scan() {
	ctx := context.Background()
	client, err := parsedapi.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	wallet := fake.WalletAddress
	match := parsedapi.Match{Programs: []parsedapi.ProgramMatch{{
		ProgramID: "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4", Instructions: []string{"route"},
	}}}
	opts := new(parsedapi.ScanOptions)
	opts.Outcome, opts.SinceSlot = types.OutcomeSucceeded, 455_000_000
	for page, err := range client.Scan(ctx, wallet, match, opts).Pages() {
		if err != nil {
			log.Fatal(err)
		}
		for _, r := range page.Items {
			fmt.Println(r.Parsed.Describe(wallet, nil))
		}
		fmt.Println(page.Matched, "of", page.Searched, "transactions for", page.Credits, "credits")
	}
	// Output:
	// swap: +3.192156933 SOL, -0.040656889 So11111111111111111111111111111111111111112, fee 0.000005 SOL
	// swap: +0.022378223 SOL, -1649.27905 DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263, fee 0.000005 SOL
	// swap: +0.003812746 SOL, -1.197837 27G8MtK7VtTcCHkpASjSDdkWWYfoqT6ggEuKidVJidD4, fee 0.000037738 SOL
	// 3 of 16 transactions for 11 credits
}

// Discriminators find instructions that the service cannot decode.
func ExampleClient_ScanSignatures() {
	ctx := context.Background()
	client, err := parsedapi.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	match := parsedapi.Match{Programs: []parsedapi.ProgramMatch{{
		ProgramID:      "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4",
		Discriminators: []parsedapi.Discriminator{{0xe5, 0x17, 0xcb, 0x97, 0x7a, 0xe3, 0xad, 0x2a}},
	}}}
	found, err := client.ScanSignatures(ctx, fake.WalletAddress, match, nil).Collect(2)
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range found {
		fmt.Println(s.Signature)
	}
	// Output:
	// 2HHDELW4RRiLHPz3R64uZM6ExsamPiJRDf1EnYBbYDopzD1aUAcCsyk5fh8TR72saoadWxVXTs4TgdSee5yfE3Cr
	// 2jrB7GE6NidGnD5D1MTec5zLKRaEkPFAsJNTYvnyzRgWVAPjR8yLCjTJ2hD1CnQoZgoAYGpGAb8FoLvy5hZ6fS4P
}

// How often did a balance of USDC change?
func ExampleClient_ScanCount() {
	ctx := context.Background()
	client, err := parsedapi.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	match := parsedapi.Match{Mints: []parsedapi.MintMatch{{Mint: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"}}}
	count, err := client.ScanCount(ctx, fake.WalletAddress, match, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(count.Matched, "of", count.Searched)
	// Output:
	// 17 of 298
}

// A transaction may be unknown, not parsed, failed, or successful.
func ExampleClient_Transactions() {
	ctx := context.Background()
	client, err := parsedapi.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	signatures := []types.Signature{
		"2jrB7GE6NidGnD5D1MTec5zLKRaEkPFAsJNTYvnyzRgWVAPjR8yLCjTJ2hD1CnQoZgoAYGpGAb8FoLvy5hZ6fS4P",
		"33zbSt9efz64fQid53xVd55kCNkDSSkyXfx1Bf6E7Co7j5jdpGEAGiqRtymVZtjrR8wkgzz6Xo2Zr3czjeyRzjPQ",
		"5wHu1qwD7q5ifaN5nwdcDqNFo53GJqa7nLp2BeeEpcHCusb4GzARz4GjgzsEHMkBMgCJMGa6GSQ1VG96Exv8kt2W",
	}
	results, err := client.Transactions(ctx, signatures, nil)
	var failed *types.BatchError
	if errors.As(err, &failed) {
		log.Println("some requests failed:", err) // the other results are valid
	} else if err != nil {
		log.Fatal(err)
	}
	for _, r := range results {
		switch {
		case r == nil:
			fmt.Println("unknown")
		case r.Parsed == nil:
			fmt.Println(r.ParserError) // the service could not read it
		case r.Parsed.Failed():
			fmt.Println("failed:", r.Parsed.DecodedError.Name)
		default:
			fmt.Println(len(r.Parsed.NativeTransfers()), "transfer of SOL")
		}
	}
	// Output:
	// 1 transfer of SOL
	// failed: SlippageToleranceExceeded
	// unknown
}
