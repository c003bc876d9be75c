package rpc_test

import (
	"context"
	"fmt"
	"log"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

func ExampleClient_Account() {
	client, err := rpc.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	account, err := client.Account(context.Background(), "BCad444MX7q218AQ5m3DNC3F8GSzpo8dfZjrKc9EcS1X", nil)
	if err != nil { // errors.Is(err, types.ErrNotFound): it does not exist
		log.Fatal(err)
	}
	fmt.Println(account.Lamports, "lamports, a", account.Data.Type, "of", account.Data.Program)
	// Output:
	// 13800160 lamports, a mint of spl-token-2022
}

func ExampleClient_Accounts() {
	client, err := rpc.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	addresses := []types.Address{
		"811Dv5AuND19q48ZS1nhnqmTSpXEXvvciUA1DEXiJaiu",
		"7atWvb5FrxaKfALo29puQAaJonHwgW2V73raX16VVvFC",
		"APQXmjUpibwXQS18oaW55kAoraDxtJZs6bWHbi5qtVps",
		"6nQztsh181HQhDQnCpgEnoF1stWmjg8eXuetVw4YQSwV",
		"811Dv5AuND19q48ZS1nhnqmTSpXEXvvciUA1DEXiJaiu",
	}
	accounts, err := client.Accounts(context.Background(), addresses, &rpc.AccountOptions{Encoding: rpc.EncodingBase64})
	if err != nil {
		log.Fatal(err)
	}
	for i, account := range accounts {
		if account == nil {
			fmt.Println(addresses[i], "does not exist")
			continue
		}
		fmt.Println(addresses[i], "has", account.Space, "bytes")
	}
	// Output:
	// 811Dv5AuND19q48ZS1nhnqmTSpXEXvvciUA1DEXiJaiu has 0 bytes
	// 7atWvb5FrxaKfALo29puQAaJonHwgW2V73raX16VVvFC does not exist
	// APQXmjUpibwXQS18oaW55kAoraDxtJZs6bWHbi5qtVps has 165 bytes
	// 6nQztsh181HQhDQnCpgEnoF1stWmjg8eXuetVw4YQSwV has 82 bytes
	// 811Dv5AuND19q48ZS1nhnqmTSpXEXvvciUA1DEXiJaiu has 0 bytes
}

func ExampleClient_Balance() {
	client, err := rpc.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	lamports, err := client.Balance(context.Background(), "6Xh1aoaPN8G3AFNC4Zc23xJ4RTN2bVuFeEQaKEDMBQUp", nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(lamports, "lamports")
	// Output:
	// 3000000123456789 lamports
}

func ExampleClient_MinimumBalanceForRentExemption() {
	client, err := rpc.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	const tokenAccount = 165 // bytes
	lamports, err := client.MinimumBalanceForRentExemption(context.Background(), tokenAccount, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(lamports, "lamports")
	// Output:
	// 2039280 lamports
}

// The token accounts of a mint, found by their size and by the mint in their first
// bytes.
func ExampleClient_ProgramAccounts() {
	client, err := rpc.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	list, err := client.ProgramAccounts(context.Background(), types.TokenProgram, &rpc.ProgramAccountsOptions{
		Filters: []rpc.Filter{rpc.DataSize(165), rpc.MemcmpAddress(0, "6nQztsh181HQhDQnCpgEnoF1stWmjg8eXuetVw4YQSwV")},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range list.Items {
		info, err := item.Account.Data.TokenAccount()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(info.Owner, "has", info.TokenAmount.UIAmountString)
	}
	// Output:
	// BLmuozBzRj69GYFMg95Va3wq3EtcXkYQDPdQzLdPJT4v has 0.000001002
	// GQ2QBgcvZmdmscFWbaAjDBJfQ2g8VVNeM3jG163K3F9r has 0.000001001
	// B9qvLMCvioALaXABU1XjRtSsgd6Hfspe5paSZdDCjWsi has 0.000001001
}

// A mint of Token-2022 with its extensions.
func ExampleData_Mint() {
	client, err := rpc.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	account, err := client.Account(context.Background(), "BCad444MX7q218AQ5m3DNC3F8GSzpo8dfZjrKc9EcS1X", nil)
	if err != nil {
		log.Fatal(err)
	}
	mint, err := account.Data.Mint()
	if err != nil {
		log.Fatal(err)
	}
	if metadata, ok := mint.Extensions.TokenMetadata(); ok {
		fmt.Println(mint.Supply(), metadata.Symbol)
	}
	if fee, ok := mint.Extensions.TransferFeeConfig(); ok {
		fmt.Println("a transfer of 1000 costs", fee.Newer.RawFee(1000))
	}
	// Output:
	// 18446744073709.551615 TRU
	// a transfer of 1000 costs 25
}
