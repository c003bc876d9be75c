package compressed_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

func ExampleClient_AccountProof() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	proof, err := client.AccountProof(context.Background(), "214SstbHJ2SQFVhq1Cm77X8QFjS2kXNzdkH7XmA82Lp8")
	if err != nil {
		log.Fatal(err)
	}
	if err := proof.Verify(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(proof.Proof), "hashes lead from leaf", proof.LeafIndex, "to the root")
	// Output:
	// 26 hashes lead from leaf 29149853 to the root
}

func ExampleClient_AccountProofs() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	hashes := []types.Hash{"212gqJpZfyuwWQwx4NdbqiRGiFpxuXZUnZo3usaeLkUW", "214SstbHJ2SQFVhq1Cm77X8QFjS2kXNzdkH7XmA82Lp8"}
	proofs, err := client.AccountProofs(context.Background(), hashes)
	if err != nil {
		log.Fatal(err)
	}
	for _, proof := range proofs {
		fmt.Println(proof.Hash, "by index:", proof.ProveByIndex, "hashes:", len(proof.Proof))
	}
	// Output:
	// 212gqJpZfyuwWQwx4NdbqiRGiFpxuXZUnZo3usaeLkUW by index: false hashes: 26
	// 214SstbHJ2SQFVhq1Cm77X8QFjS2kXNzdkH7XmA82Lp8 by index: false hashes: 26
}

func ExampleClient_NewAddressProofs() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	addresses := []compressed.NewAddress{
		{Address: "erApnM97UPBvqfxW5TSTJ7bQmhdoRTV14oaoc7hHnnS"},
	}
	proofs, err := client.NewAddressProofs(context.Background(), addresses)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(proofs[0].LowerAddress, "to", proofs[0].HigherAddress)
	// Output:
	// 11111111111111111111111111111111 to 361e3MVchvM8fSjCmeFqkj762JWttTA76tZXc3crLwVh
}

// An address that exists has no such proof.
func ExampleClient_NewAddressProofs_exists() {
	client, err := compressed.New(failing(fake.Fault{Code: -32000, Message: "Validation Error: Address already exists"}))
	if err != nil {
		log.Fatal(err)
	}
	// in AddressTreeV1
	addresses := []compressed.NewAddress{{Address: "erApnM97UPBvqfxW5TSTJ7bQmhdoRTV14oaoc7hHnnS"}}
	_, err = client.NewAddressProofs(context.Background(), addresses)
	fmt.Println(errors.Is(err, compressed.ErrRefused), err)
	// Output:
	// true getMultipleNewAddressProofsV2 of erApnM97UPBvqfxW5TSTJ7bQmhdoRTV14oaoc7hHnnS: code -32000: Validation Error: Address already exists
}

// Version 1 of a method says less about trees: it has no MerkleContext.
// After a transaction, a read fails instead of showing the state before it.
func ExampleClient_WithMinSlot() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	const sent = 1 << 62 // the slot of the transaction
	_, err = client.WithMinSlot(sent).BalanceByOwner(context.Background(), fake.OwnerAddress)
	fmt.Println(errors.Is(err, compressed.ErrNotIndexed))
	// Output:
	// true
}

func ExampleClient_WithVersion() {
	ctx := context.Background()
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	for _, version := range []compressed.WireVersion{compressed.WireVersion1, compressed.WireVersion2} {
		accounts, err := client.WithVersion(version).AccountsByOwner(ctx, fake.OwnerAddress, nil).Collect(1)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("version", version, "has a context:", accounts[0].MerkleContext != nil)
	}
	// Output:
	// version 1 has a context: false
	// version 2 has a context: true
}

func ExampleClient_ValidityProof() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	hashes := []types.Hash{"214SstbHJ2SQFVhq1Cm77X8QFjS2kXNzdkH7XmA82Lp8"}
	proof, err := client.ValidityProof(context.Background(), hashes, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("tree", proof.Accounts[0].Tree, "root", proof.Accounts[0].RootIndex)
	if proof.Proof != nil { // not all accounts are proven by index
		fmt.Println(len(proof.Proof.A), len(proof.Proof.B), len(proof.Proof.C), "bytes")
	}
	// Output:
	// tree smt1NamzXdq4AMqS2fS2F1i5KTYPZRhoHgWx38d8WsT root 1053
	// 32 64 32 bytes
}

// An account that waits in an output queue is proven by its index, without a ZK proof.
func ExampleClient_ValidityProof_queued() {
	hash := types.Hash(types.AddressOf([32]byte{1}))
	service := fake.New(&fake.Options{World: &fake.World{
		CompressedAccounts: []fake.CompressedAccount{{Owner: fake.OwnerAddress, Hash: hash, V2: true}},
	}})
	client, err := compressed.New(service.Config())
	if err != nil {
		log.Fatal(err)
	}
	proof, err := client.ValidityProof(context.Background(), []types.Hash{hash}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(proof.Proof == nil, proof.Accounts[0].ProveByIndex)
	// Output:
	// true true
}

func ExampleClient_Transaction() {
	first, second := types.Hash(types.AddressOf([32]byte{1})), types.Hash(types.AddressOf([32]byte{2}))
	account := fake.CompressedAccount{Owner: fake.OwnerAddress, Hash: first, Lamports: 1000}
	service := fake.New(&fake.Options{World: &fake.World{CompressedAccounts: []fake.CompressedAccount{account}}})
	client, err := compressed.New(service.Config())
	if err != nil {
		log.Fatal(err)
	}
	account.Hash = second
	e := service.Happen(fake.Transaction{
		FeePayer: fake.OwnerAddress, SpentHashes: []types.Hash{first}, CompressedAccounts: []fake.CompressedAccount{account},
	})
	t, err := client.Transaction(context.Background(), e.Signature())
	if err != nil {
		log.Fatal(err)
	}
	meta, err := t.ParseMeta()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("fee", meta.FeeLamports)
	for _, spent := range t.Closed {
		fmt.Println("spent", spent.Account.Lamports, "lamports")
	}
	for _, created := range t.Opened {
		fmt.Println("created", created.Account.Lamports, "lamports of", created.Account.Owner)
	}
	// Output:
	// fee 5000
	// spent 1000 lamports
	// created 1000 lamports of BtJ5rdXcZs8hVqK2nTyWfMgPe7UDAoLx3Ri9GQk6uHSv
}

// The indexer processes a transaction after the chain.
func ExampleClient_Transaction_notIndexed() {
	client, err := compressed.New(failing(fake.Fault{Code: -32000, Message: "Record Not Found: No data has been indexed"}))
	if err != nil {
		log.Fatal(err)
	}
	const signature = "5UZuijpSnqBpgMpqnggxZ58bzZ8aJtqqVjtvzx2Pg2C58jXph1rdrXyHdTxJfsHawNJyr8syU4U1MEYccDUQeTSV"
	_, err = client.Transaction(context.Background(), signature)
	if errors.Is(err, compressed.ErrNotIndexed) {
		fmt.Println("call WaitForSlot, and then again")
	}
	// Output:
	// call WaitForSlot, and then again
}

func ExampleParseTokenData() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	for item, err := range client.TokenAccountsByDelegate(context.Background(), fake.DelegateAddress, nil).All() {
		if err != nil {
			log.Fatal(err)
		}
		account := item.Account // without token data, as Client.Account returns it
		data, err := compressed.ParseTokenData(&account)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(data.Owner, "has", data.RawAmount, "of", data.Mint)
		break
	}
	// Output:
	// EdMz13yv4pYyPKsLquypTPMW7E7QwnvoiriMBDpDWQRi has 254748 of USDSwr9ApdHk5bvJKMjzff41FfuX8bSxdKcR81vTwcA
}

func ExampleClient_IndexerHealth() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	err = client.IndexerHealth(context.Background())
	if errors.Is(err, compressed.ErrNodeBehind) {
		log.Fatal("responses are old: ", err)
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("healthy")
	// Output:
	// healthy
}

func ExampleClient_IndexerSlot() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	slot, err := client.IndexerSlot(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(slot)
	// Output:
	// 344112233
}

func ExampleClient_WaitForSlot() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	const sent = 344112233 // the slot in which the program's own transaction was confirmed
	if err := client.WaitForSlot(ctx, sent); err != nil {
		log.Fatal(err)
	}
	fmt.Println("reads show the transaction")
	// Output:
	// reads show the transaction
}
