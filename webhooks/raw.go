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
	BlockTime        types.Time `json:"blockTime"`
	IndexWithinBlock uint64     `json:"indexWithinBlock"` // with Slot, the order in which transactions ran
	Slot             uint64     `json:"slot"`
	Transaction      Signed     `json:"transaction"`
	Meta             Meta       `json:"meta"`
	Version          Version    `json:"version"` // empty when the service did not say
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
	Message    Message           `json:"message"`
}

// A Message is what a transaction's signers signed.
type Message struct {
	AccountKeys         []types.Address       `json:"accountKeys"`
	Header              MessageHeader         `json:"header"`
	RecentBlockhash     types.Hash            `json:"recentBlockhash"`
	AddressTableLookups []AddressTableLookup  `json:"addressTableLookups"` // nil in a legacy transaction
	Instructions        []CompiledInstruction `json:"instructions"`
}

// A MessageHeader says which of the account keys sign and which are written:
// the signers come first, and of each kind those that are only read come last.
type MessageHeader struct {
	NumRequiredSignatures       int `json:"numRequiredSignatures"`
	NumReadonlySignedAccounts   int `json:"numReadonlySignedAccounts"`
	NumReadonlyUnsignedAccounts int `json:"numReadonlyUnsignedAccounts"`
}

// An AddressTableLookup takes accounts from an address table.
type AddressTableLookup struct {
	AccountKey      types.Address `json:"accountKey"` // of the table
	WritableIndexes []int         `json:"writableIndexes"`
	ReadonlyIndexes []int         `json:"readonlyIndexes"`
}

// A CompiledInstruction is a call of a program. Its indexes count the accounts
// of [RawTransaction.Accounts].
type CompiledInstruction struct {
	ProgramIDIndex int    `json:"programIdIndex"`
	Accounts       []int  `json:"accounts"`
	Data           string `json:"data"` // base58
}

// Meta is what came of a transaction.
type Meta struct {
	Err               json.RawMessage     `json:"err"` // as it came; nil when the transaction succeeded
	Fee               uint64              `json:"fee"` // lamports
	InnerInstructions []InnerInstructions `json:"innerInstructions"`
	LoadedAddresses   LoadedAddresses     `json:"loadedAddresses"`
	LogMessages       []string            `json:"logMessages"`
	PreBalances       []uint64            `json:"preBalances"`  // lamports of each account before
	PostBalances      []uint64            `json:"postBalances"` // lamports of each account after
	PreTokenBalances  []TokenBalance      `json:"preTokenBalances"`
	PostTokenBalances []TokenBalance      `json:"postTokenBalances"`
	Rewards           []json.RawMessage   `json:"rewards"` // as they came; most often none
}

// InnerInstructions are the calls that the programs of one instruction made.
type InnerInstructions struct {
	Index        int                   `json:"index"` // of the instruction
	Instructions []CompiledInstruction `json:"instructions"`
}

// LoadedAddresses are the accounts that a transaction took from address tables.
type LoadedAddresses struct {
	Writable []types.Address `json:"writable"`
	Readonly []types.Address `json:"readonly"`
}

// A TokenBalance is what a token account held before or after a transaction.
type TokenBalance struct {
	AccountIndex  int           `json:"accountIndex"` // in [RawTransaction.Accounts]
	Mint          types.Address `json:"mint"`
	Owner         types.Address `json:"owner"` // the wallet
	ProgramID     types.Address `json:"programId"`
	UITokenAmount TokenAmount   `json:"uiTokenAmount"`
}

// A TokenAmount is a number of tokens.
type TokenAmount struct {
	Amount         uint64      `json:"amount,string"`  // in the smallest unit; the only exact form
	Decimals       uint8       `json:"decimals"`       // digits after the point
	UIAmount       json.Number `json:"uiAmount"`       // rounded, as the service wrote it; empty when it cannot be computed
	UIAmountString string      `json:"uiAmountString"` // without trailing zeros
}
