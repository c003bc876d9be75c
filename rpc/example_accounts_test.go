package rpc_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

func ExampleClient_Account() {
	account, err := client.Account(ctx, "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", nil)
	if err != nil { // errors.Is(err, types.ErrNotFound): it does not exist
		log.Fatal(err)
	}
	fmt.Println(account.Lamports, "lamports, a", account.Data.Type, "of", account.Data.Program)
	// Output:
	// 1461600 lamports, a mint of spl-token
}

// An account that does not exist is an error when it is read alone.
func ExampleClient_Account_notFound() {
	client, err := rpc.New(results(`{"context":{"slot":1},"value":null}`))
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.Account(ctx, "7atWvb5FrxaKfALo29puQAaJonHwgW2V73raX16VVvFC", nil)
	fmt.Println(errors.Is(err, types.ErrNotFound), err)
	// Output:
	// true getAccountInfo of 7atWvb5FrxaKfALo29puQAaJonHwgW2V73raX16VVvFC: not found
}

// With ChangedSinceSlot, an unchanged account comes without its data.
func ExampleClient_Account_changedSince() {
	opts := &rpc.AccountOptions{ChangedSinceSlot: 344_112_000} // the Slot of the last read
	account, err := client.Account(ctx, fake.CollectorAddress, opts)
	if err != nil {
		log.Fatal(err)
	}
	if account.Status == rpc.AccountStatusUnchanged {
		fmt.Println("keep the copy")
	}
	// Output:
	// keep the copy
}

// A node that has not reached MinContextSlot fails, after the usual retries.
func ExampleClient_Account_minContextSlot() {
	client, err := rpc.New(failing(fake.Fault{Code: -32016, Message: "Minimum context slot has not been reached"}))
	if err != nil {
		log.Fatal(err)
	}
	opts := &rpc.AccountOptions{MinContextSlot: 371234567} // the Slot of an earlier read
	_, err = client.Account(ctx, "BCad444MX7q218AQ5m3DNC3F8GSzpo8dfZjrKc9EcS1X", opts)
	fmt.Println(err)
	// Output:
	// getAccountInfo of BCad444MX7q218AQ5m3DNC3F8GSzpo8dfZjrKc9EcS1X: code -32016: Minimum context slot has not been reached
}

// A data slice needs an encoding as bytes: nodes do not cut parsed data.
func ExampleAccountOptions() {
	opts := &rpc.AccountOptions{DataSlice: &types.DataSlice{Offset: 32, Length: 32}}
	_, err := client.Account(ctx, "BCad444MX7q218AQ5m3DNC3F8GSzpo8dfZjrKc9EcS1X", opts)
	fmt.Println(err)
	// Output:
	// rpc.Client.Account: DataSlice does not go with jsonParsed, the default; set Encoding to EncodingBase64: invalid argument
}

func ExampleClient_Accounts() {
	addresses := []types.Address{
		fake.WalletAddress,
		"7atWvb5FrxaKfALo29puQAaJonHwgW2V73raX16VVvFC",
		"EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
	}
	accounts, err := client.Accounts(ctx, addresses, &rpc.AccountOptions{Encoding: types.EncodingBase64})
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
	// 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY has 0 bytes
	// 7atWvb5FrxaKfALo29puQAaJonHwgW2V73raX16VVvFC does not exist
	// EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v has 82 bytes
}

func ExampleClient_Balance() {
	lamports, err := client.Balance(ctx, fake.WalletAddress, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(lamports, "lamports")
	// Output:
	// 1523754213877 lamports
}

// An account that does not exist has the balance 0.
func ExampleClient_Balances() {
	addresses := []types.Address{
		fake.WalletAddress,
		"7atWvb5FrxaKfALo29puQAaJonHwgW2V73raX16VVvFC",
		"EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
	}
	balances, err := client.Balances(ctx, addresses, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(balances)
	// Output:
	// [1523754213877 0 1461600]
}

// The wallets of an airdrop, of which one has no account of the token yet.
func ExampleClient_AssociatedTokenBalances() {
	wallets := []types.Address{fake.WalletAddress, "7atWvb5FrxaKfALo29puQAaJonHwgW2V73raX16VVvFC"}
	balances, err := client.AssociatedTokenBalances(ctx, "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", wallets, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, b := range balances {
		fmt.Println(b.Owner, types.Amount(b.RawAmount, b.Decimals), b.Exists)
	}
	// Output:
	// 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY 25310.123456 true
	// 7atWvb5FrxaKfALo29puQAaJonHwgW2V73raX16VVvFC 0 false
}

func ExampleClient_MinimumBalanceForRentExemption() {
	const tokenAccount = 165 // bytes
	lamports, err := client.MinimumBalanceForRentExemption(ctx, tokenAccount, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(lamports, "lamports")
	// Output:
	// 2039280 lamports
}

// The token accounts of a mint and an owner, found by their size and their first bytes.
func ExampleClient_ProgramAccounts_filters() {
	list, err := client.ProgramAccounts(ctx, types.TokenProgram, &rpc.ProgramAccountsOptions{
		Filters: []types.Filter{types.DataSize(165), types.MemcmpAddress(0, types.WrappedSOL), types.MemcmpAddress(32, fake.WalletAddress)},
	}).Page()
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
	// 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY has 2.5
}

// A mint of Token-2022 with its extensions.
func ExampleData_Mint() {
	token := fake.Token{Mint: types.AddressOf([32]byte{2}), Decimals: 6, Amount: decimal.NewFromInt(500), Token2022: true}
	service := fake.New(&fake.Options{World: &fake.World{
		Wallets: []fake.Wallet{{Address: fake.WalletAddress, Tokens: []fake.Token{token}}},
		Patches: map[string]json.RawMessage{string(token.Mint): json.RawMessage(extensions)},
	}})
	client, err := rpc.New(service.Config())
	if err != nil {
		log.Fatal(err)
	}
	account, err := client.Account(ctx, token.Mint, nil)
	if err != nil {
		log.Fatal(err)
	}
	mint, err := account.Data.Mint()
	if err != nil {
		log.Fatal(err)
	}
	metadata, err := mint.Extensions.TokenMetadata()
	if err != nil {
		log.Fatal(err)
	}
	if metadata != nil {
		fmt.Println(mint.Supply(), metadata.Symbol)
	}
	fee, err := mint.Extensions.TransferFeeConfig()
	if err != nil { // such as a fee that the node could not parse
		log.Fatal(err)
	}
	if fee != nil { // it applies from an epoch on
		now, err := client.EpochInfo(ctx, nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("a transfer of 1000 costs", fee.At(now.Epoch).RawFee(1000))
	}
	// Output:
	// 500 TRU
	// a transfer of 1000 costs 25
}

// extensions are the extensions of a mint as a node parses them.
const extensions = `{"data":{"parsed":{"info":{"extensions":[
	{"extension":"transferFeeConfig","state":{
		"transferFeeConfigAuthority":null,"withdrawWithheldAuthority":null,"withheldAmount":0,
		"olderTransferFee":{"epoch":0,"maximumFee":18446744073709551615,"transferFeeBasisPoints":100},
		"newerTransferFee":{"epoch":1,"maximumFee":5000,"transferFeeBasisPoints":250}}},
	{"extension":"tokenMetadata","state":{
		"updateAuthority":null,"mint":"8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR",
		"name":"True","symbol":"TRU","uri":"","additionalMetadata":[]}}]}}}}`

// Data that the node cannot parse comes as base64, although jsonParsed is the default.
func ExampleData() {
	client, err := rpc.New(results(`{"context":{"slot":1},"value":{"data":["AQID","base64"],"lamports":1,"owner":"11111111111111111111111111111111"}}`))
	if err != nil {
		log.Fatal(err)
	}
	account, err := client.Account(ctx, "811Dv5AuND19q48ZS1nhnqmTSpXEXvvciUA1DEXiJaiu", nil)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := account.Data.TokenAccount(); err != nil {
		fmt.Println(err)
	}
	b, err := account.Data.Bytes()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(b), "bytes as", account.Data.Encoding)
	// Output:
	// account data: not parsed by the node; request EncodingJSONParsed, or use Bytes
	// 3 bytes as base64
}
