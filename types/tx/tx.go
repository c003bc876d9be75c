// Package tx has the types of a Solana transaction as a node encodes it. The methods of
// package rpc return such transactions, and the raw webhooks of Helius deliver them.
//
// A whole program:
//
//	// Changes prints the balances that a transaction changed, and by how much.
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//		"os"
//
//		"github.com/solwire/solwire-go/rpc"
//		"github.com/solwire/solwire-go/types"
//	)
//
//	func main() {
//		client, err := rpc.New(types.Config{APIKey: types.Key(os.Getenv("HELIUS_API_KEY"))})
//		if err != nil {
//			log.Fatal(err)
//		}
//		const signature = "2Kqqb2bDNXrUjabKZa2vvYeYfKjzcH7gcnnMqLjRfJfaHcyrNmSaJRT6wadVPW8RqkyU64rwpGRWhYjMLiipCbaR"
//		t, err := client.Transaction(context.Background(), signature, nil)
//		if err != nil {
//			log.Fatal(err)
//		}
//		for _, c := range t.Changes() {
//			fmt.Println(c.Account, c.Net(), c.Mint)
//		}
//	}
package tx

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
)

// A Transaction is a transaction with its metadata. Failed transactions are included: see
// [Meta.TransactionError]. Encoding and decoding it with encoding/json loses nothing.
type Transaction struct {
	// Signature identifies the transaction. It is the first signature of Signed, or empty if there
	// is none.
	Signature types.Signature `json:"signature,omitempty"`

	BlockTime types.Time `json:"blockTime"` // zero when unknown

	// Execution order within the block. Nodes name it transactionIndex.
	IndexWithinBlock uint64 `json:"indexWithinBlock"`

	Slot   uint64 `json:"slot"`        // of the block
	Signed Signed `json:"transaction"` // signatures and message; wire name: transaction

	// Meta is the result of the execution. Nodes send null for some old transactions: see
	// [Meta.Known].
	Meta Meta `json:"meta,omitzero"`

	Version Version `json:"version"` // empty when unknown
}

// plainMeta is a Meta without UnmarshalJSON, so that the largest part of a transaction is
// read once.
type plainMeta Meta

// UnmarshalJSON sets Signature, which nodes do not send, and accepts their name of
// IndexWithinBlock.
func (t *Transaction) UnmarshalJSON(b []byte) error {
	type plain Transaction // without this method
	var in struct {
		plain

		Index uint64    `json:"transactionIndex"` // as nodes name it
		Meta  plainMeta `json:"meta"`
	}
	err := decode.Value(b, &in)
	*t = Transaction(in.plain)
	t.IndexWithinBlock = cmp.Or(t.IndexWithinBlock, in.Index)
	t.Meta = Meta(in.Meta)
	t.Meta.clean()
	if t.Signature == "" && len(t.Signed.Signatures) > 0 {
		t.Signature = t.Signed.Signatures[0]
	}
	return err
}

// Accounts returns all accounts in the order of account indexes: the keys of the message, then the
// writable and the read-only addresses of lookup tables. It lacks the keys of the message if the
// transaction was requested as bytes.
func (t *Transaction) Accounts() []types.Address {
	if keys := t.Signed.Message.ParsedKeys; keys != nil { // they include the loaded addresses
		all := make([]types.Address, len(keys))
		for i := range keys {
			all[i] = keys[i].Address
		}
		return all
	}
	return slices.Concat(t.Signed.Message.AccountKeys, t.Meta.LoadedAddresses.Writable, t.Meta.LoadedAddresses.Readonly)
}

// A Version is the version of the transaction format: "legacy", "0" or a later
// number.
type Version string

// UnmarshalJSON accepts a string, a number or null, which is empty.
func (v *Version) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] != '"' && b[0] != 'n' {
		var n json.Number
		err := decode.Value(b, &n)
		*v = Version(n)
		return err
	}
	var s string
	err := decode.Value(b, &s)
	*v = Version(s)
	return err
}

// Signed is a message with its signatures.
type Signed struct {
	Signatures []types.Signature `json:"signatures"` // the first one identifies the transaction
	Message    Message           `json:"message"`    // the signed part

	// Encoded is the whole transaction, in place of Message, where it was requested as
	// base64 or base58; Encoding says which.
	Encoded  string `json:"-"`
	Encoding string `json:"-"`
}

// A Message is the part of a transaction that its signers sign.
type Message struct {
	// AccountKeys are the static account keys. [Transaction.Accounts] includes
	// the addresses loaded from lookup tables.
	AccountKeys []types.Address `json:"accountKeys"`

	// The numbers of signers and of read-only keys.
	Header MessageHeader `json:"header"`

	RecentBlockhash     types.Hash           `json:"recentBlockhash"`     // or a durable nonce
	AddressTableLookups []AddressTableLookup `json:"addressTableLookups"` // nil if legacy
	Instructions        []Instruction        `json:"instructions"`        // in execution order

	Config *V1Config `json:"transactionConfig"` // of version 1; nil for others

	// ParsedKeys are all accounts with their roles, including accounts from lookup tables. It is
	// nil if the node sent no roles.
	ParsedKeys []AccountKey `json:"-"`
}

// A MessageHeader says which account keys of a [Message] are signers or read-only. Signers come
// first. The read-only keys are the last ones of the signers, and the last ones of the non-signers.
type MessageHeader struct {
	NumRequiredSignatures       int `json:"numRequiredSignatures"`       // signers
	NumReadonlySignedAccounts   int `json:"numReadonlySignedAccounts"`   // read-only signers
	NumReadonlyUnsignedAccounts int `json:"numReadonlyUnsignedAccounts"` // read-only non-signers
}

// An AddressTableLookup loads addresses from an address lookup table.
type AddressTableLookup struct {
	AccountKey      types.Address `json:"accountKey"`      // the lookup table
	WritableIndexes []int         `json:"writableIndexes"` // table entries to load as writable
	ReadonlyIndexes []int         `json:"readonlyIndexes"` // table entries to load as read-only
}

// An Instruction calls a program. Its indexes refer to [Transaction.Accounts].
type Instruction struct {
	ProgramIDIndex int    `json:"programIdIndex"` // the program
	Accounts       []int  `json:"accounts"`       // passed to the program, in its order
	Data           string `json:"data"`           // base58

	// 1, and more for cross-program invocations; 0 when unknown.
	StackHeight int `json:"stackHeight"`

	// Parsed is set in place of the fields above where a node parsed the
	// transaction (jsonParsed).
	Parsed *ParsedInstruction `json:"-"`
}

// Meta is the result of executing a transaction.
type Meta struct {
	TransactionError json.RawMessage `json:"err"`                 // as sent; nil when the transaction succeeded
	FeeLamports      uint64          `json:"fee" required:"true"` // wire name: fee

	// InnerInstructions are the cross-program invocations. An instruction
	// without any has no entry.
	InnerInstructions []InnerInstructions `json:"innerInstructions"`

	LoadedAddresses LoadedAddresses `json:"loadedAddresses"` // empty in a legacy transaction
	LogMessages     []string        `json:"logMessages"`     // nodes truncate long logs

	PreBalances  []uint64 `json:"preBalances"`  // lamports of each account before
	PostBalances []uint64 `json:"postBalances"` // lamports of each account after

	// PreTokenBalances and PostTokenBalances are the balances of token accounts before
	// and after. An account has no entry before its creation or after its closing.
	PreTokenBalances  []TokenBalance `json:"preTokenBalances"`
	PostTokenBalances []TokenBalance `json:"postTokenBalances"`

	Rewards []json.RawMessage `json:"rewards"` // as sent; usually empty

	ComputeUnitsConsumed uint64 `json:"computeUnitsConsumed"` // 0 when unknown

	// Counted against the limit of the block; 0 when unknown.
	CostUnits uint64 `json:"costUnits"`

	ReturnData *ReturnData `json:"returnData"` // nil without any
}

// Known reports whether the result of the execution is known. If not, a nil TransactionError does
// not mean success, and FeeLamports is 0 although there was a fee.
func (m *Meta) Known() bool { return m.PreBalances != nil || m.TransactionError != nil }

// UnmarshalJSON makes TransactionError nil when it is null.
func (m *Meta) UnmarshalJSON(b []byte) error {
	err := decode.Value(b, (*plainMeta)(m))
	m.clean()
	return err
}

func (m *Meta) clean() {
	m.TransactionError = decode.Present(m.TransactionError)
}

// InnerInstructions are the cross-program invocations of one instruction.
type InnerInstructions struct {
	Index        int           `json:"index"`        // of the instruction in the message
	Instructions []Instruction `json:"instructions"` // in execution order
}

// LoadedAddresses are the accounts that a transaction loaded from address lookup
// tables.
type LoadedAddresses struct {
	Writable []types.Address `json:"writable"`
	Readonly []types.Address `json:"readonly"`
}

// A TokenBalance is the balance of a token account before or after a transaction.
type TokenBalance struct {
	AccountIndex int `json:"accountIndex"` // in [Transaction.Accounts]

	// Native SOL is in PreBalances and PostBalances of [Meta].
	Mint types.Address `json:"mint"`

	Owner         types.Address     `json:"owner"`         // the wallet; empty when unknown
	ProgramID     types.Address     `json:"programId"`     // the token program; empty when unknown
	UITokenAmount types.TokenAmount `json:"uiTokenAmount"` // RawAmount is exact
}
