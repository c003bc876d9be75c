package parsed_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/solwire/solwire-go/rpc/parsed"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// In a program of yours: types.Config{APIKey: os.Getenv("HELIUS_API_KEY")}.
var cfg = fake.New(nil).Config()

func ExampleClient_History() {
	ctx := context.Background()
	client, err := parsed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	wallet := fake.WalletAddress
	opts := &parsed.HistoryOptions{Until: time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)}
	for r, err := range client.History(ctx, wallet, opts).All() {
		if err != nil {
			log.Fatal(err)
		}
		if r.Parsed == nil { // the service could not read it
			fmt.Println(r.ParserError)
			continue
		}
		fmt.Println(r.Parsed.Describe(wallet))
	}
	// Output:
	// swap: +18446744073.209551615 SOL, +69.30693 EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v, +18446744073709551615 JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4, fee 0.000005 SOL
	// failed transaction (SlippageToleranceExceeded): no transfers
}

// A transaction may be unknown, not parsed, failed, or successful.
func ExampleClient_Transactions() {
	ctx := context.Background()
	client, err := parsed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	signatures := []types.Signature{
		"caDyTGu8dJ3qFfZpxhyni8DKjgWQapcfiX7MpJ8R67FdiSMcyNHyKjwskBCv45X4CVFZK4nrCCATdW9zysMQFoJ",
		"5G7Zzq8J63xVUVheNVuW9KaXmXvFB8Zh6kLEmoRiedVTXTN5crxWY9qZiyPfaWM6xpWf3aMTtGaQZsc1xPt8fHVi",
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
			fmt.Println("not parsed:", r.ParserError.Message)
		case r.Parsed.Failed():
			fmt.Println("failed, with", len(r.Parsed.NativeTransfers()), "transfers")
		default:
			fmt.Println(len(r.Parsed.NativeTransfers()), "transfers of SOL")
		}
	}
	// Output:
	// 2 transfers of SOL
	// failed, with 0 transfers
	// not parsed: unsupported version
}
