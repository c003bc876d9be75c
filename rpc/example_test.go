package rpc_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// The examples run against made-up data. A program of yours has a key here:
// types.Config{APIKey: types.Key(key)}.
var cfg = fake.Config()

// Each example uses a context, and a Client of cfg.
var (
	ctx       = context.Background()
	client, _ = rpc.New(cfg)
)

// results is like cfg with these results of the next requests, in their order. Calls
// make one attempt, so that errors come at once.
func results(all ...string) types.Config {
	service := fake.New(nil)
	for i, result := range all {
		service.Fail("", i+1, fake.Fault{Body: `{"jsonrpc":"2.0","id":null,"result":` + result + `}`})
	}
	cfg := service.Config()
	cfg.MaxAttempts = 1
	return cfg
}

// failing is like cfg with a failure of the next request.
func failing(f fake.Fault) types.Config {
	service := fake.New(nil)
	service.Fail("", 1, f)
	cfg := service.Config()
	cfg.MaxAttempts = 1
	return cfg
}

func Example() {
	var accounts, frozen int
	for item, err := range client.TokenAccountsByDelegate(ctx, fake.DelegateAddress, rpc.AnyProgram(), nil).All() {
		if err != nil {
			log.Fatal(err)
		}
		accounts++
		info, err := item.Account.Data.TokenAccount()
		if err != nil {
			log.Fatal(err)
		}
		if info.State == types.TokenStateFrozen {
			frozen++
		}
	}
	fmt.Printf("may spend from %d accounts, %d of them frozen\n", accounts, frozen)
	// Output:
	// may spend from 31 accounts, 1 of them frozen
}

func ExampleClient_TokenAccountsByDelegate() {
	const usdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
	list, err := client.TokenAccountsByDelegate(ctx, fake.DelegateAddress, rpc.ByMint(usdc), nil).Page()
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range list.Items {
		info, err := item.Account.Data.TokenAccount()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s of the %s USDC of %s\n", info.DelegatedAmount.UIAmountString, info.TokenAmount.UIAmountString, info.Owner)
	}
	// Output:
	// 338624.723577 of the 13206364.219514 USDC of E3wy2B9aQSbtLEW3JAw7EHQQPqRSBJ4VpGZrzrmNZZKs
	// 2.5 of the 0 USDC of 7NZ8YgRSTjkG5AJ2CkE7nEB1oT2NdybqryBnXyUciDAV
	// 18446744073709.551615 of the 0.000005 USDC of FuJa896CYAyzRaPKP35mXo8Vg1MgLtyAW1hKtLd98zm5
	// 1000 of the 25310.123456 USDC of 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY
	// 90281.712112 of the 1895915.954357 USDC of 8929uUGyLg77SKP4fHcrLj6dTccr45WzyHNztxLp723X
}

func ExampleClient_TokenAccountsByDelegate_anyProgram() {
	for item, err := range client.TokenAccountsByDelegate(ctx, fake.DelegateAddress, rpc.AnyProgram(), &rpc.TokenAccountsByDelegateOptions{Commitment: types.CommitmentConfirmed}).All() {
		if err != nil {
			log.Fatal(err)
		}
		info, err := item.Account.Data.TokenAccount()
		if err != nil {
			log.Fatal(err)
		}
		for _, extension := range info.Extensions {
			if extension.Name != "transferFeeAmount" {
				continue
			}
			var fee struct{ WithheldAmount uint64 }
			if err := json.Unmarshal(extension.State, &fee); err != nil {
				log.Fatal(err)
			}
			fmt.Println(info.Owner, "owes a fee of", fee.WithheldAmount)
		}
	}
	// Output:
	// 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY owes a fee of 18446744073709551615
}

// A method without a function in this package, and the members of its result
// that the program needs.
func ExampleClient_Call() {
	params := []any{
		fake.DelegateAddress,
		rpc.ByProgram(types.Token2022Program),
		rpc.AccountOptions{Encoding: types.EncodingBase64},
	}
	var result struct {
		Value []struct {
			Account struct {
				Lamports uint64 `json:"lamports"`
			} `json:"account"`
		} `json:"value"`
	}
	if err := client.Call(ctx, "getTokenAccountsByDelegate", params, &result); err != nil {
		log.Fatal(err)
	}
	var lamports uint64
	for _, item := range result.Value {
		lamports += item.Account.Lamports
	}
	fmt.Println(len(result.Value), "accounts hold", lamports, "lamports")
	// Output:
	// 4 accounts hold 8943600 lamports
}

// Numbers in a result of type any are not rounded.
func ExampleClient_Call_any() {
	client, err := rpc.New(results(`{"total":18446744073709551615}`))
	if err != nil {
		log.Fatal(err)
	}
	var result map[string]any
	if err := client.Call(ctx, "getSomething", nil, &result); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v is a %[1]T\n", result["total"])
	// Output:
	// 18446744073709551615 is a json.Number
}

// A null leaves a number unchanged; a pointer tells null from 0.
func ExampleClient_Call_null() {
	client, err := rpc.New(results(`null`, `null`))
	if err != nil {
		log.Fatal(err)
	}
	number, pointer := 5, new(int)
	if err := client.Call(ctx, "getSomething", nil, &number); err != nil {
		log.Fatal(err)
	}
	if err := client.Call(ctx, "getSomething", nil, &pointer); err != nil {
		log.Fatal(err)
	}
	fmt.Println(number, pointer == nil)
	// Output:
	// 5 true
}

// Two calls in one request.
func ExampleClient_Batch() {
	programs := []types.Address{types.TokenProgram, types.Token2022Program}
	results := make([]struct {
		Value []rpc.TokenAccount `json:"value"`
	}, len(programs))
	calls := make([]rpc.BatchCall, len(programs))
	for i, program := range programs {
		params := []any{fake.DelegateAddress, rpc.ByProgram(program), rpc.AccountOptions{Encoding: types.EncodingJSONParsed}}
		calls[i] = rpc.BatchCall{Method: "getTokenAccountsByDelegate", Params: params, Result: &results[i]}
	}
	if err := client.Batch(ctx, calls, nil); err != nil {
		log.Fatal(err) // the Err of each call says which failed
	}
	for i, program := range programs {
		fmt.Println(len(results[i].Value), "accounts of", program)
	}
	// Output:
	// 27 accounts of TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA
	// 4 accounts of TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb
}

// Batch returns the error of the first failed call. The other results are valid.
func ExampleClient_Batch_errors() {
	var slot uint64
	calls := []rpc.BatchCall{
		{Method: "getNoSuchThing"},
		{Method: "getSlot", Result: &slot},
	}
	if err := client.Batch(ctx, calls, nil); err != nil {
		for _, c := range calls {
			fmt.Println(c.Method, "failed:", c.Err != nil)
		}
	}
	fmt.Println("slot", slot)
	// Output:
	// getNoSuchThing failed: true
	// getSlot failed: false
	// slot 344112233
}

func ExampleData_Bytes() {
	list, err := client.TokenAccountsByDelegate(ctx, fake.DelegateAddress, rpc.ByMint(types.WrappedSOL), &rpc.TokenAccountsByDelegateOptions{
		Encoding:  types.EncodingBase64Zstd,
		DataSlice: &types.DataSlice{Offset: 32, Length: 40}, // owner and amount of a token account
	}).Page()
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range list.Items {
		b, err := item.Account.Data.Bytes()
		if err != nil {
			log.Fatal(err)
		}
		owner, err := types.AddressFromBytes(b[:32])
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(owner, "has", binary.LittleEndian.Uint64(b[32:]), "lamports of wrapped SOL")
	}
	// Output:
	// 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY has 2500000000 lamports of wrapped SOL
}
