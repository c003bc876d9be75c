package tx_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/tx"
)

// read returns a transfer of tokens.
func read() *tx.Transaction {
	client, err := rpc.New(fake.Config()) // or types.Config{APIKey: types.Key(key)}
	if err != nil {
		panic(err)
	}
	const signature = "2Kqqb2bDNXrUjabKZa2vvYeYfKjzcH7gcnnMqLjRfJfaHcyrNmSaJRT6wadVPW8RqkyU64rwpGRWhYjMLiipCbaR"
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
	for i, address := range t.Accounts() {
		if before, after := t.Meta.PreBalances[i], t.Meta.PostBalances[i]; before != after {
			fmt.Println(address, int64(after-before), "lamports")
		}
	}
	// Output:
	// 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY -44610 lamports
}

func ExampleTransaction_Changes() {
	for _, c := range read().Changes() {
		fmt.Println(c.Account, c.Net(), c.Mint)
	}
	// Output:
	// 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY -0.00004461 So11111111111111111111111111111111111111111
	// 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY -924.626006472382 Gwmg8XpefX5xKr3eGDDHWhBKREcyBwmgvb4uZVYqL8hS
	// 29Ay3biGwKZpFLWaNQ9QY6TYCD322W8RTtfokLtEkaGS 924.626006472382 Gwmg8XpefX5xKr3eGDDHWhBKREcyBwmgvb4uZVYqL8hS
}

// The keys include the addresses loaded from lookup tables, with their Source.
func ExampleTransaction_Keys() {
	for _, key := range read().Keys() {
		if key.Writable {
			fmt.Println(key.Address, "signer:", key.Signer, "source:", key.Source)
		}
	}
	// Output:
	// 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY signer: true source: transaction
	// 8CGw8cuSPK4ZQKPnWGPavMq7eaDufUwZhiVZ7z3GSer6 signer: false source: transaction
	// 7yDb6F9crMh1J1QH6cKXdLziKPsiKw17Tw9aHMqNPwYu signer: false source: transaction
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
