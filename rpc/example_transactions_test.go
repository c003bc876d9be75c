package rpc_test

import (
	"crypto/ed25519"
	"encoding/binary"
	"errors"
	"fmt"
	"log"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

func ExampleClient_Transaction() {
	t, err := client.Transaction(ctx, "2Kqqb2bDNXrUjabKZa2vvYeYfKjzcH7gcnnMqLjRfJfaHcyrNmSaJRT6wadVPW8RqkyU64rwpGRWhYjMLiipCbaR", nil)
	if err != nil { // errors.Is(err, types.ErrNotFound): it does not exist
		log.Fatal(err)
	}
	fmt.Println("version", t.Version, "in slot", t.Slot, "for", t.Meta.FeeLamports, "lamports")
	for _, key := range t.Keys() { // with the addresses from lookup tables, whose Source tells so
		if key.Signer {
			fmt.Println("signed by", key.Address)
		}
	}
	// Output:
	// version legacy in slot 343696995 for 44610 lamports
	// signed by 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY
}

// A transaction is found with CommitmentConfirmed seconds before it is finalized.
func ExampleClient_Transaction_confirmed() {
	client, err := rpc.New(results(`null`, `{"slot":132,"blockTime":null,"transaction":{"signatures":["caDyTGu8dJ3qFfZpxhyni8DKjgWQapcfiX7MpJ8R67FdiSMcyNHyKjwskBCv45X4CVFZK4nrCCATdW9zysMQFoJ"],"message":{"accountKeys":[],"instructions":[]}},"meta":null}`))
	if err != nil {
		log.Fatal(err)
	}
	const signature = "caDyTGu8dJ3qFfZpxhyni8DKjgWQapcfiX7MpJ8R67FdiSMcyNHyKjwskBCv45X4CVFZK4nrCCATdW9zysMQFoJ"
	_, err = client.Transaction(ctx, signature, nil)
	fmt.Println("finalized:", errors.Is(err, types.ErrNotFound), err)
	t, err := client.Transaction(ctx, signature, &rpc.TransactionOptions{Commitment: types.CommitmentConfirmed})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("confirmed: in slot", t.Slot)
	// Output:
	// finalized: true getTransaction of caDyTGu8dJ3qFfZpxhyni8DKjgWQapcfiX7MpJ8R67FdiSMcyNHyKjwskBCv45X4CVFZK4nrCCATdW9zysMQFoJ: not found
	// confirmed: in slot 132
}

// Nodes do not read transactions and blocks as processed. A transaction with a
// version above MaxVersion is an error.
func ExampleTransactionOptions() {
	client, err := rpc.New(failing(fake.Fault{Code: -32015, Message: "Transaction version (2) is not supported by the requesting client"}))
	if err != nil {
		log.Fatal(err)
	}
	const signature = "caDyTGu8dJ3qFfZpxhyni8DKjgWQapcfiX7MpJ8R67FdiSMcyNHyKjwskBCv45X4CVFZK4nrCCATdW9zysMQFoJ"
	_, err = client.Transaction(ctx, signature, &rpc.TransactionOptions{Commitment: types.CommitmentProcessed})
	fmt.Println(err)
	_, err = client.Transaction(ctx, signature, nil)
	fmt.Println(err)
	// Output:
	// rpc.Client.Transaction: Commitment "processed" is not confirmed or finalized, the levels of this method: invalid argument
	// getTransaction of caDyTGu8dJ3qFfZpxhyni8DKjgWQapcfiX7MpJ8R67FdiSMcyNHyKjwskBCv45X4CVFZK4nrCCATdW9zysMQFoJ: code -32015: Transaction version (2) is not supported by the requesting client (set MaxVersion)
}

func ExampleClient_Transactions() {
	signatures := []types.Signature{
		"2Kqqb2bDNXrUjabKZa2vvYeYfKjzcH7gcnnMqLjRfJfaHcyrNmSaJRT6wadVPW8RqkyU64rwpGRWhYjMLiipCbaR",
		"5G7Zzq8J63xVUVheNVuW9KaXmXvFB8Zh6kLEmoRiedVTXTN5crxWY9qZiyPfaWM6xpWf3aMTtGaQZsc1xPt8fHVi",
	}
	list, err := client.Transactions(ctx, signatures, &rpc.TransactionOptions{Commitment: types.CommitmentConfirmed})
	if err != nil {
		log.Fatal(err)
	}
	for i, t := range list {
		if t == nil {
			fmt.Println(signatures[i], "is unknown")
			continue
		}
		fmt.Println("slot", t.Slot, "fee", t.Meta.FeeLamports)
	}
	// Output:
	// slot 343696995 fee 44610
	// 5G7Zzq8J63xVUVheNVuW9KaXmXvFB8Zh6kLEmoRiedVTXTN5crxWY9qZiyPfaWM6xpWf3aMTtGaQZsc1xPt8fHVi is unknown
}

// Before it is sent, a simulation tells how many compute units the transaction needs.
func ExampleClient_SimulateTransaction() {
	client, err := rpc.New(fake.New(paid).Config())
	if err != nil {
		log.Fatal(err)
	}
	unsigned := payment(types.Hash(types.SystemProgram)) // a signer adds the blockhash and signs it later
	simulation, err := client.SimulateTransaction(ctx, unsigned, &rpc.SimulateOptions{ReplaceBlockhash: true})
	if err != nil {
		log.Fatal(err)
	}
	if simulation.TransactionError != nil {
		fmt.Println("fails:", string(simulation.TransactionError), simulation.Logs)
	}
	fmt.Println(simulation.UnitsConsumed, "compute units,", *simulation.FeeLamports, "lamports")
	// Output:
	// 150 compute units, 5000 lamports
}

func ExampleClient_SendTransaction() {
	client, err := rpc.New(fake.New(paid).Config())
	if err != nil {
		log.Fatal(err)
	}
	latest, err := client.LatestBlockhash(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	signed := payment(latest.Hash) // by your signer
	signature, err := client.SendTransaction(ctx, signed, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("sent:", signature != "") // not yet executed: see stream.Client.Confirm
	// Output:
	// sent: true
}

// The key of a signer, whom the World gives SOL.
var (
	signer = ed25519.NewKeyFromSeed(make([]byte, 32))
	paid   = &fake.Options{World: &fake.World{
		Wallets: []fake.Wallet{{Address: types.AddressOf([32]byte(signer[32:])), SOL: decimal.NewFromInt(1)}},
	}}
)

// payment is a signed transfer of 1 000 000 lamports.
func payment(hash types.Hash) []byte {
	message := append([]byte{1, 0, 1, 3}, signer[32:]...) // one signer and one program of three accounts
	for _, text := range []string{string(fake.ExchangeAddress), string(types.SystemProgram), string(hash)} {
		b, err := types.Address(text).Bytes()
		if err != nil {
			panic(err)
		}
		message = append(message, b...)
	}
	// instruction 2 of the program, with the amount
	message = append(message, 1, 2, 2, 0, 1, 12, 2, 0, 0, 0)
	message = binary.LittleEndian.AppendUint64(message, 1_000_000)
	return append(append([]byte{1}, ed25519.Sign(signer, message)...), message...)
}

// A node simulates a transaction before it sends it. If that fails, nothing was sent.
func ExamplePreflightError() {
	client, err := rpc.New(failing(fake.Fault{Body: refused("Error processing Instruction 0: custom program error: 0x1", `{"InstructionError":[0,{"Custom":1}]}`)}))
	if err != nil {
		log.Fatal(err)
	}
	signed, _ := signedTransaction()
	_, err = client.SendTransaction(ctx, signed, nil)
	var failed *rpc.PreflightError
	switch {
	case errors.As(err, &failed):
		fmt.Println(string(failed.Simulation.TransactionError), failed.Simulation.Logs)
	case errors.Is(err, types.ErrMayHaveExecuted):
		fmt.Println("sent, or not; the same transaction may be sent again")
	}
	// Output:
	// {"InstructionError":[0,{"Custom":1}]} [Program log: Error: insufficient funds]
}

func ExampleClient_SignatureStatuses() {
	signatures := []types.Signature{
		"2Kqqb2bDNXrUjabKZa2vvYeYfKjzcH7gcnnMqLjRfJfaHcyrNmSaJRT6wadVPW8RqkyU64rwpGRWhYjMLiipCbaR",
		"33zbSt9efz64fQid53xVd55kCNkDSSkyXfx1Bf6E7Co7j5jdpGEAGiqRtymVZtjrR8wkgzz6Xo2Zr3czjeyRzjPQ",
		"tyXLh4zKWqnE52H3rxcCL7qSnssJCzxGmJyPbJvBgi67A24FLkqg1GxKCgNZSfhPGEJrVfM4eVvpza3sNw61RFh",
	}
	statuses, err := client.SignatureStatuses(ctx, signatures, &rpc.SignatureStatusesOptions{WholeHistory: true})
	if err != nil {
		log.Fatal(err)
	}
	for _, status := range statuses {
		switch {
		case status == nil:
			fmt.Println("unknown")
		case status.TransactionError != nil:
			fmt.Println("failed:", string(status.TransactionError))
		default:
			fmt.Println(status.ConfirmationStatus)
		}
	}
	// Output:
	// finalized
	// failed: {"InstructionError":[3,{"Custom":6001}]}
	// unknown
}

func ExampleClient_Block() {
	block, err := client.Block(ctx, 343696995, nil)
	if err != nil { // errors.Is(err, types.ErrNotFound): the slot was skipped
		log.Fatal(err)
	}
	for _, t := range block.Transactions {
		fmt.Println(t.IndexWithinBlock, t.Version, len(t.Meta.LogMessages), "messages")
	}
	// Output:
	// 0 legacy 2 messages
}

// A slot whose leader was offline has no block.
func ExampleClient_Block_skipped() {
	client, err := rpc.New(failing(fake.Fault{Code: -32007, Message: "Slot 133 was skipped, or missing due to ledger jump to recent snapshot"}))
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.Block(ctx, 133, nil)
	fmt.Println(errors.Is(err, types.ErrNotFound), err)
	// Output:
	// true getBlock of 133: code -32007: Slot 133 was skipped, or missing due to ledger jump to recent snapshot
}

// A slot that the node has not reached yet is another error, after the usual retries.
func ExampleClient_Block_future() {
	client, err := rpc.New(failing(fake.Fault{Code: -32004, Message: "Block not available for slot 999"}))
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.Block(ctx, 999, nil)
	fmt.Println(errors.Is(err, types.ErrNotFound), err)
	// Output:
	// false getBlock of 999: code -32004: Block not available for slot 999
}

func ExampleClient_BlockTime() {
	at, err := client.BlockTime(ctx, 343696995)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(at.UTC())
	// Output:
	// 2025-05-31 16:55:50 +0000 UTC
}

// Skipped slots, here 41 and 42, are not listed.
func ExampleClient_Blocks() {
	client, err := rpc.New(results(`[39,40,43,44]`))
	if err != nil {
		log.Fatal(err)
	}
	slots, err := client.Blocks(ctx, 39, 45, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(slots)
	// Output:
	// [39 40 43 44]
}

func ExampleClient_BlocksWithLimit() {
	slots, err := client.BlocksWithLimit(ctx, 39, 5, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(slots)
	// Output:
	// [39 40 41 42 43]
}

func ExampleClient_SignaturesForAddress() {
	client, err := rpc.New(results(
		`[{"signature":"caDyTGu8dJ3qFfZpxhyni8DKjgWQapcfiX7MpJ8R67FdiSMcyNHyKjwskBCv45X4CVFZK4nrCCATdW9zysMQFoJ","slot":132,"err":null,"memo":"[5] hello"}]`,
		`[]`,
	))
	if err != nil {
		log.Fatal(err)
	}
	for s, err := range client.SignaturesForAddress(ctx, "HEarmFjAVPrZ3haSFYi86iGx5P917QPwUiiKNrDo1EF2", nil).All() {
		if err != nil {
			log.Fatal(err)
		}
		if s.TransactionError == nil { // failed transactions are listed too
			fmt.Println("slot", s.Slot, s.Memo)
		}
	}
	// Output:
	// slot 132 [5] hello
}
