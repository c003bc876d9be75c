package stream_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// open returns a client of a fake in which 0.001 SOL are paid ten times per second, until stop.
// A program of yours has a key: types.Config{APIKey: types.Key(key)}.
func open() (streams *stream.Client, stop func()) {
	service := fake.New(nil)
	streams, err := stream.New(service.Config())
	if err != nil {
		log.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-time.After(100 * time.Millisecond):
				service.Transfer(fake.WalletAddress, fake.ExchangeAddress, 1_000_000)
			case <-done:
				return
			}
		}
	}()
	return streams, func() { close(done); streams.Close() }
}

func ExampleClient_Transactions() {
	streams, stop := open()
	defer stop()
	accounts := []types.Address{fake.ExchangeAddress}
	for e, err := range streams.Transactions(context.Background(), accounts, nil) {
		if err != nil {
			log.Fatal(err)
		}
		for _, c := range e.Transaction.Changes() {
			fmt.Println(c.Account, c.Net())
		}
		break
	}
	// Output:
	// 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY -0.001005
	// HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664 0.001
}

func ExampleClient_Logs() {
	streams, stop := open()
	defer stop()
	for e, err := range streams.Logs(context.Background(), fake.ExchangeAddress, nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(e.Logs[0])
		break
	}
	// Output:
	// Program 11111111111111111111111111111111 invoke [1]
}

func ExampleClient_AllLogs() {
	streams, stop := open()
	defer stop()
	for e, err := range streams.AllLogs(context.Background(), nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(e.Logs), "lines, failed:", e.TransactionError != nil)
		break
	}
	// Output:
	// 2 lines, failed: false
}

func ExampleClient_ParsedTransactions() {
	streams, stop := open()
	defer stop()
	opts := &stream.ParsedTransactionsOptions{Accounts: []types.Address{fake.ExchangeAddress}}
	for e, err := range streams.ParsedTransactions(context.Background(), opts) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(e.Parsed.Describe(fake.ExchangeAddress, nil))
		break
	}
	// Output:
	// transfer: +0.001 SOL
}

// The first event is the current state.
func ExampleClient_Account() {
	streams, stop := open()
	defer stop()
	for e, err := range streams.Account(context.Background(), fake.ExchangeAddress, nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(e.Account.Lamports >= 5_000_000_000_000, e.Account.Owner)
		break
	}
	// Output:
	// true 11111111111111111111111111111111
}

func ExampleClient_ProgramAccounts() {
	streams, stop := open()
	defer stop()
	const system = "11111111111111111111111111111111"
	for e, err := range streams.ProgramAccounts(context.Background(), system, nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(e.Address)
		break
	}
	// Output:
	// 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY
}

func ExampleClient_Slots() {
	streams, stop := open()
	defer stop()
	last := uint64(0)
	for e, err := range streams.Slots(context.Background()) {
		if err != nil {
			log.Fatal(err)
		}
		if last != 0 {
			fmt.Println("a later slot:", e.Slot > last)
			break
		}
		last = e.Slot
	}
	// Output:
	// a later slot: true
}

func ExampleClient_Roots() {
	streams, stop := open()
	defer stop()
	for e, err := range streams.Roots(context.Background()) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("final:", e.Slot > 0)
		break
	}
	// Output:
	// final: true
}

func ExampleClient_Confirm() {
	service := fake.New(nil)
	streams, err := stream.New(service.Config())
	if err != nil {
		log.Fatal(err)
	}
	defer streams.Close()
	payment := service.Transfer(fake.WalletAddress, fake.ExchangeAddress, 1_000_000)
	status, err := streams.Confirm(context.Background(), payment.Signature(), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(status.ConfirmationStatus)
	// Output:
	// confirmed
}

func ExampleClient_Send() {
	ctx, service := context.Background(), fake.New(nil)
	streams, err := stream.New(service.Config())
	if err != nil {
		log.Fatal(err)
	}
	defer streams.Close()
	node, err := rpc.New(service.Config())
	if err != nil {
		log.Fatal(err)
	}
	latest, err := node.LatestBlockhash(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	signed := payment(service, latest.Hash) // by your signer
	opts := &stream.SendOptions{Confirm: stream.ConfirmOptions{LastValidBlockHeight: latest.LastValidBlockHeight}}
	status, err := streams.Send(ctx, signed, opts)
	switch {
	case errors.Is(err, stream.ErrExpired):
		fmt.Println("sign it again with a new blockhash")
	case err != nil:
		log.Fatal(err)
	default:
		fmt.Println(status.ConfirmationStatus)
	}
	// Output:
	// confirmed
}

// payment is a signed transfer of 5 lamports from a new account, which the fake's wallet funds.
func payment(service *fake.Service, hash types.Hash) []byte {
	key := ed25519.NewKeyFromSeed(make([]byte, 32))
	payer := types.AddressOf([32]byte(key[32:]))
	service.Transfer(fake.WalletAddress, payer, 1_000_000_000)
	message := append([]byte{1, 0, 1, 3}, key[32:]...) // one signer and one program of three accounts
	for _, text := range []string{string(fake.ExchangeAddress), string(types.SystemProgram), string(hash)} {
		b, err := types.Address(text).Bytes()
		if err != nil {
			log.Fatal(err)
		}
		message = append(message, b[:]...)
	}
	// instruction 2 of the program, 5
	message = append(message, 1, 2, 2, 0, 1, 12, 2, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0)
	return append(append([]byte{1}, ed25519.Sign(key, message)...), message...)
}
