// Package enhanced has the types of a Solana transaction as Helius parses it: a
// description, a type, transfers, balance changes and events. Enhanced webhooks deliver
// such transactions, and package webhooks/enhancedapi returns past ones.
//
// A whole program:
//
//	// Payments prints the latest transfers of SOL to and from a wallet.
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//		"os"
//
//		"github.com/solwire/solwire-go/types"
//		"github.com/solwire/solwire-go/webhooks/enhancedapi"
//	)
//
//	func main() {
//		client, err := enhancedapi.New(types.Config{APIKey: types.Key(os.Getenv("HELIUS_API_KEY"))})
//		if err != nil {
//			log.Fatal(err)
//		}
//		owner := types.Address("86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY")
//		list, err := client.History(context.Background(), owner, nil).Collect(100)
//		if err != nil {
//			log.Fatal(err)
//		}
//		for _, t := range list {
//			for _, n := range t.NativeTransfers {
//				fmt.Println(t.Type, n.FromUserAccount, n.ToUserAccount, n.Lamports)
//			}
//		}
//	}
//
// Amounts of SOL are in lamports. Amounts of tokens are exact in [TokenBalanceChange],
// and may be rounded in [TokenTransfer].
package enhanced

import (
	"encoding/json"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
)

// A Transaction is a parsed transaction. Enhanced webhooks deliver no failed
// transactions.
type Transaction struct {
	Description string          `json:"description"` // human-readable; may be empty
	Type        txtype.Type     `json:"type"`        // new types may appear at any time
	Source      string          `json:"source"`      // a marketplace or program, such as MAGIC_EDEN
	FeeLamports uint64          `json:"fee"`         // wire name: fee
	FeePayer    types.Address   `json:"feePayer"`    // the first signer
	Signature   types.Signature `json:"signature"`   // identifies the transaction
	Slot        uint64          `json:"slot"`        // of the block
	BlockTime   types.Time      `json:"blockTime"`   // zero when unknown. Wire name: timestamp

	NativeTransfers []NativeTransfer `json:"nativeTransfers"` // of SOL; may be empty
	TokenTransfers  []TokenTransfer  `json:"tokenTransfers"`  // of tokens; may be empty
	AccountData     []AccountData    `json:"accountData"`     // balance changes by account

	// TransactionError says why the transaction failed, as sent; nil when it succeeded. Wire
	// name: transactionError.
	TransactionError json.RawMessage `json:"transactionError"`

	Instructions []Instruction `json:"instructions"` // not always sent
	Events       Events        `json:"events"`       // empty for most types
}

// UnmarshalJSON reads the form of the service and the form of json.Marshal. A null
// TransactionError becomes nil.
func (t *Transaction) UnmarshalJSON(b []byte) error {
	type plain Transaction // without this method
	wire := struct {
		*plain
		Timestamp *types.Time `json:"timestamp"`
	}{(*plain)(t), &t.BlockTime}
	err := decode.Value(b, &wire)
	t.TransactionError = decode.Present(t.TransactionError)
	return err
}

// An Instruction calls a program.
type Instruction struct {
	Accounts          []types.Address    `json:"accounts"`          // in the order of the program
	Data              string             `json:"data"`              // base58
	ProgramID         types.Address      `json:"programId"`         // the called program
	InnerInstructions []InnerInstruction `json:"innerInstructions"` // cross-program invocations
}

// An InnerInstruction is a cross-program invocation.
type InnerInstruction struct {
	Accounts  []types.Address `json:"accounts"`  // in the order of the program
	Data      string          `json:"data"`      // base58
	ProgramID types.Address   `json:"programId"` // the called program
}
