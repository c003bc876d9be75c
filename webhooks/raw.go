package webhooks

import (
	"encoding/json"
	"slices"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A RawTransaction is a transaction as raw webhooks deliver it: as a node gives
// it, failed ones included.
type RawTransaction struct {
	BlockTime        types.Time `json:"blockTime"`        // zero when the service did not say
	IndexWithinBlock uint64     `json:"indexWithinBlock"` // with Slot, the order in which transactions ran
	Slot             uint64     `json:"slot"`             // of the block
	Transaction      Signed     `json:"transaction"`      // what was asked for
	Meta             Meta       `json:"meta"`             // what came of it
	Version          Version    `json:"version"`          // empty when the service did not say
}

// Accounts returns all accounts of the transaction, in the order that the
// indexes of its instructions and balances count: those of the message, then
// the looked-up ones that are writable, then those that are not.
func (t *RawTransaction) Accounts() []types.Address {
	return slices.Concat(t.Transaction.Message.AccountKeys, t.Meta.LoadedAddresses.Writable, t.Meta.LoadedAddresses.Readonly)
}

// A Version is that of a transaction's format: "legacy", "0" or a later number.
type Version string

// UnmarshalJSON reads text or a number; null is empty.
func (v *Version) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] != '"' && b[0] != 'n' {
		var n json.Number
		err := transport.Unmarshal(b, &n)
		*v = Version(n)
		return err
	}
	var s string
	err := transport.Unmarshal(b, &s)
	*v = Version(s)
	return err
}

// Signed is the signed part of a transaction.
type Signed struct {
	Signatures []types.Signature `json:"signatures"` // the first identifies the transaction
	Message    Message           `json:"message"`    // what the signatures are for
}

// A Message is what a transaction's signers signed.
type Message struct {
	AccountKeys         []types.Address       `json:"accountKeys"`         // those that the message itself names; [RawTransaction.Accounts] has the looked-up ones too
	Header              MessageHeader         `json:"header"`              // what the keys may do
	RecentBlockhash     types.Hash            `json:"recentBlockhash"`     // which ends the time in which the transaction can run; a durable nonce may stand in its place
	AddressTableLookups []AddressTableLookup  `json:"addressTableLookups"` // nil in a legacy transaction
	Instructions        []CompiledInstruction `json:"instructions"`        // what to do, one after the other
}

// A MessageHeader says which of the account keys sign and which are written:
// the signers come first, and of each kind those that are only read come last.
type MessageHeader struct {
	NumRequiredSignatures       int `json:"numRequiredSignatures"`       // so many keys at the start sign
	NumReadonlySignedAccounts   int `json:"numReadonlySignedAccounts"`   // so many of the signers, the last ones, are only read
	NumReadonlyUnsignedAccounts int `json:"numReadonlyUnsignedAccounts"` // so many keys at the end are only read
}

// An AddressTableLookup takes accounts from an address table.
type AddressTableLookup struct {
	AccountKey      types.Address `json:"accountKey"`      // of the table
	WritableIndexes []int         `json:"writableIndexes"` // which entries of the table, to be written
	ReadonlyIndexes []int         `json:"readonlyIndexes"` // which entries of the table, to be read only
}

// A CompiledInstruction is a call of a program. Its indexes count the accounts
// of [RawTransaction.Accounts].
type CompiledInstruction struct {
	ProgramIDIndex int    `json:"programIdIndex"` // of the account that is the program
	Accounts       []int  `json:"accounts"`       // of those handed to the program, in its order
	Data           string `json:"data"`           // base58
}

// Meta is what came of a transaction.
type Meta struct {
	Err               json.RawMessage     `json:"err"`               // as it came; nil when the transaction succeeded
	Fee               uint64              `json:"fee"`               // lamports
	InnerInstructions []InnerInstructions `json:"innerInstructions"` // what programs called in turn; an instruction that called nothing has no entry
	LoadedAddresses   LoadedAddresses     `json:"loadedAddresses"`   // empty in a legacy transaction
	LogMessages       []string            `json:"logMessages"`       // line by line; a node cuts a long log short
	PreBalances       []uint64            `json:"preBalances"`       // lamports of each account before
	PostBalances      []uint64            `json:"postBalances"`      // lamports of each account after
	PreTokenBalances  []TokenBalance      `json:"preTokenBalances"`  // of token accounts before; one that was made in the transaction has no entry
	PostTokenBalances []TokenBalance      `json:"postTokenBalances"` // of token accounts after; one that was closed in it has no entry
	Rewards           []json.RawMessage   `json:"rewards"`           // as they came; most often none
}

// InnerInstructions are the calls that the programs of one instruction made.
type InnerInstructions struct {
	Index        int                   `json:"index"`        // of the instruction
	Instructions []CompiledInstruction `json:"instructions"` // in the order in which they ran
}

// LoadedAddresses are the accounts that a transaction took from address tables.
type LoadedAddresses struct {
	Writable []types.Address `json:"writable"` // those the transaction may write
	Readonly []types.Address `json:"readonly"` // those it may only read
}

// A TokenBalance is what a token account held before or after a transaction.
type TokenBalance struct {
	AccountIndex  int           `json:"accountIndex"`  // in [RawTransaction.Accounts]
	Mint          types.Address `json:"mint"`          // which token; native SOL is in the balances of [Meta]
	Owner         types.Address `json:"owner"`         // the wallet
	ProgramID     types.Address `json:"programId"`     // the token program; empty when the service did not say
	UITokenAmount TokenAmount   `json:"uiTokenAmount"` // exact in its Amount
}

// A TokenAmount is a number of tokens.
type TokenAmount struct {
	Amount         uint64      `json:"amount,string"`  // in the smallest unit; the only exact form
	Decimals       uint8       `json:"decimals"`       // digits after the point
	UIAmount       json.Number `json:"uiAmount"`       // rounded, as the service wrote it; empty when it cannot be computed
	UIAmountString string      `json:"uiAmountString"` // without trailing zeros
}
