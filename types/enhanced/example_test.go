package enhanced_test

import (
	"encoding/json"
	"fmt"
	"log"

	"github.com/solwire/solwire-go/types/enhanced"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/txtype"
)

// Events.Swap is nil for all other types, and for swaps that the service could not parse
// further.
func ExampleSwapEvent() {
	var t enhanced.Transaction
	body := fake.New(&fake.Options{Seed: 1}).Swap(fake.WalletAddress).Enhanced() // or a delivery
	if err := json.Unmarshal(body, &t); err != nil {
		log.Fatal(err)
	}
	if swap := t.Events.Swap; t.Type == txtype.Swap && swap != nil {
		for _, in := range swap.TokenInputs {
			fmt.Println("paid", in.RawTokenAmount.Tokens(), "of", in.Mint)
		}
		fmt.Println("received", swap.NativeOutput.Lamports, "lamports")
	}
	// Output:
	// paid 57 of EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v
	// received 399000000 lamports
}

// The service may round the amounts of token transfers. Balance changes are exact.
func ExampleRawTokenAmount_Tokens() {
	var t enhanced.Transaction
	err := json.Unmarshal([]byte(`{
		"tokenTransfers": [{"mint": "DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263", "tokenAmount": 123456789012.34567}],
		"accountData": [{"tokenBalanceChanges": [
			{"mint": "DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263", "rawTokenAmount": {"tokenAmount": "-123456789012345678", "decimals": 6}}
		]}]
	}`), &t)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(t.TokenTransfers[0].Amount)
	fmt.Println(t.AccountData[0].TokenBalanceChanges[0].RawTokenAmount.Tokens())
	// Output:
	// 123456789012.34567
	// -123456789012.345678
}
