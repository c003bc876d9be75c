package tx_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/internal/golden"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/tx"
)

// read returns a transaction. It is version 0: some accounts are from a lookup table.
func read() *tx.Transaction {
	body, _ := golden.Answer("rpc/getTransaction")
	service := fake.New(nil)
	service.Fail("getTransaction", 1, fake.Fault{Body: string(body)})
	client, err := rpc.New(service.Config()) // or types.Config{APIKey: types.Key(key)}
	if err != nil {
		panic(err)
	}
	const signature = "caDyTGu8dJ3qFfZpxhyni8DKjgWQapcfiX7MpJ8R67FdiSMcyNHyKjwskBCv45X4CVFZK4nrCCATdW9zysMQFoJ"
	t, err := client.Transaction(context.Background(), signature, nil)
	if err != nil {
		panic(err)
	}
	return t
}

// Indexes of accounts count the addresses loaded from lookup tables too, which
// Message.AccountKeys does not have.
func ExampleTransaction_Accounts() {
	t := read()
	accounts := t.Accounts()
	fmt.Println(len(t.Signed.Message.AccountKeys), "of", len(accounts), "accounts are in the message")
	for i, address := range accounts {
		if before, after := t.Meta.PreBalances[i], t.Meta.PostBalances[i]; before != after {
			fmt.Println(address, int64(after-before), "lamports")
		}
	}
	// Output:
	// 6 of 9 accounts are in the message
	// 5yKZaJ1YxcYmyfiiLvXWv8DoyGrGwvcBPDP28hmsqKGF -1010001 lamports
	// HEarmFjAVPrZ3haSFYi86iGx5P917QPwUiiKNrDo1EF2 1000001 lamports
}

func ExampleTransaction_Changes() {
	for _, c := range read().Changes() {
		fmt.Println(c.Account, c.Net(), c.Mint)
	}
	// Output:
	// 5yKZaJ1YxcYmyfiiLvXWv8DoyGrGwvcBPDP28hmsqKGF -0.001010001 So11111111111111111111111111111111111111111
	// HEarmFjAVPrZ3haSFYi86iGx5P917QPwUiiKNrDo1EF2 0.001000001 So11111111111111111111111111111111111111111
	// AcCKkPQWA1AwYfxggasJDmsNrxT4HMkAfb1W9YPw9dRS 0.000000005 6nQztsh181HQhDQnCpgEnoF1stWmjg8eXuetVw4YQSwV
	// 811Dv5AuND19q48ZS1nhnqmTSpXEXvvciUA1DEXiJaiu -0.000000005 6nQztsh181HQhDQnCpgEnoF1stWmjg8eXuetVw4YQSwV
}

func ExampleTransaction_Keys() {
	for _, key := range read().Keys() {
		if key.Signer || key.Source == tx.KeySourceLookupTable {
			fmt.Println(key.Address, "signer:", key.Signer, "writable:", key.Writable)
		}
	}
	// Output:
	// 5yKZaJ1YxcYmyfiiLvXWv8DoyGrGwvcBPDP28hmsqKGF signer: true writable: true
	// 811Dv5AuND19q48ZS1nhnqmTSpXEXvvciUA1DEXiJaiu signer: true writable: false
	// HEarmFjAVPrZ3haSFYi86iGx5P917QPwUiiKNrDo1EF2 signer: false writable: true
	// APQXmjUpibwXQS18oaW55kAoraDxtJZs6bWHbi5qtVps signer: false writable: true
	// 6nQztsh181HQhDQnCpgEnoF1stWmjg8eXuetVw4YQSwV signer: false writable: false
}

// Only a transaction that was requested as base64 or base58 has bytes.
func ExampleSigned_Bytes() {
	var signed tx.Signed
	if err := json.Unmarshal([]byte(`["AQID","base64"]`), &signed); err != nil {
		log.Fatal(err)
	}
	raw, err := signed.Bytes()
	fmt.Println(len(raw), err)

	_, err = read().Signed.Bytes()
	fmt.Println(err)
	// Output:
	// 3 <nil>
	// transaction: not encoded; ask for base64
}

// A ledger needs the wallets on both sides. Nodes name token accounts in transfers of tokens.
func ExampleTransaction_Transfers() {
	const ann, bob types.Address = "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY", "HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664"
	service := fake.New(&fake.Options{World: &fake.World{Transactions: []fake.Transaction{{FeePayer: ann, Transfers: []fake.Transfer{
		{From: ann, To: bob, Mint: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", Amount: decimal.RequireFromString("7.25")},
		{From: bob, To: ann, Amount: decimal.RequireFromString("0.05")},
	}}}}})
	client, err := rpc.New(service.Config()) // or types.Config{APIKey: key}
	if err != nil {
		log.Fatal(err)
	}
	opts := &rpc.TransactionsForAddressOptions{Encoding: types.EncodingJSONParsed}
	for t, err := range client.TransactionsForAddress(context.Background(), ann, opts).All() {
		if err != nil {
			log.Fatal(err)
		}
		for transfer, err := range t.Transfers() {
			if err != nil { // an unreadable transfer; the others follow
				log.Fatal(err)
			}
			amount := types.Amount(transfer.RawAmount, transfer.Decimals)
			fmt.Println(transfer.SourceOwner, "to", transfer.DestinationOwner, amount, cmp.Or(transfer.Mint, types.SOL))
		}
	}
	// Output:
	// 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY to HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664 7.25 EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v
	// HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664 to 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY 0.05 SOL
}

func ExampleParsedInstruction_Transfers() {
	for _, text := range []string{
		`{"program":"system","programId":"11111111111111111111111111111111","parsed":{"type":"transfer","info":{
			"source":"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY","destination":"HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664","lamports":5000}}}`,
		`{"program":"spl-memo","programId":"MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr","parsed":"invoice 12"}`,
	} {
		var i tx.ParsedInstruction
		if err := json.Unmarshal([]byte(text), &i); err != nil {
			log.Fatal(err)
		}
		for t, err := range i.Transfers() {
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println(t.RawAmount, "lamports to", t.Destination)
		}
		if memo, err := i.Memo(); err == nil && memo != "" {
			fmt.Println("memo:", memo)
		}
	}
	// Output:
	// 5000 lamports to HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664
	// memo: invoice 12
}

// A failed transaction is included in blocks and histories, and costs its fee.
func ExampleMeta() {
	var m tx.Meta
	if err := json.Unmarshal([]byte(`{"err":{"InstructionError":[2,{"Custom":6001}]},"fee":5000}`), &m); err != nil {
		log.Fatal(err)
	}
	fmt.Println("failed:", m.TransactionError != nil, string(m.TransactionError), m.FeeLamports)
	// Output:
	// failed: true {"InstructionError":[2,{"Custom":6001}]} 5000
}
