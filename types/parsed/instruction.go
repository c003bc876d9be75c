package parsed

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
)

// A Summary describes a transaction or an instruction in words. Its amounts come from the exchange:
// [Transaction.Changes] has the payments and receipts of accounts.
type Summary struct {
	Type        SummaryType     `json:"type"`
	Description string          `json:"description"` // human-readable
	ParsedData  json.RawMessage `json:"parsedData"`  // an object by type; nil without one
}

// UnmarshalJSON makes ParsedData nil when it is null.
func (s *Summary) UnmarshalJSON(b []byte) error {
	type plain Summary // without this method
	err := decode.Value(b, (*plain)(s))
	s.ParsedData = decode.Present(s.ParsedData)
	return err
}

// A SummaryType is the kind of a transaction or an instruction. Other values than the constants
// pass through.
type SummaryType string

// The summary types.
const (
	SummaryTypeSwap               SummaryType = "swap"
	SummaryTypeTransfer           SummaryType = "transfer"
	SummaryTypeAddLiquidity       SummaryType = "add_liquidity"
	SummaryTypeRemoveLiquidity    SummaryType = "remove_liquidity"
	SummaryTypeCreateAccount      SummaryType = "create_account"
	SummaryTypeCreateTokenAccount SummaryType = "create_token_account"
)

// An Instruction calls a program.
type Instruction struct {
	InstructionIndex int `json:"instructionIndex"` // in the transaction

	// InnerInstructionIndex is the position in the cross-program invocations of the
	// instruction; nil for the instruction itself.
	InnerInstructionIndex *int `json:"innerInstructionIndex"`

	StackHeight int           `json:"stackHeight"` // 1, more if a program calls it; 0 when unknown
	ProgramID   types.Address `json:"programId"`   // the called program

	// Accounts are in the order of the program. Wire name: rawAccounts.
	Accounts []types.Address `json:"rawAccounts"`

	Data string `json:"rawData"` // base58. Wire name: rawData

	Summary     *Summary `json:"summary"`         // nil without one
	ProgramName string   `json:"programName"`     // empty when unknown
	Name        string   `json:"instructionName"` // empty when unknown. Wire name: instructionName
	Decoded     *Decoded `json:"decoded"`         // nil if the program has no description
}

// Decoded are the arguments and accounts of an instruction by name. The names come from the
// program and may change with its description.
type Decoded struct {
	// Args is an object with a member for each argument. 64-bit integers are text in it.
	Args json.RawMessage `json:"args,omitempty"`

	Accounts []Account `json:"accounts"` // in the order of the program
}

// An Account is an account that is passed to an instruction.
type Account struct {
	Name       string        `json:"name"`   // the role, such as user
	Address    types.Address `json:"pubkey"` // wire name: pubkey
	IsSigner   bool          `json:"isSigner"`
	IsWritable bool          `json:"isWritable"`
}

// Arg returns an argument as sent, or nil if there is none. Further names select a member of an
// argument that is an object, and fail for others. A nil d has no arguments.
func (d *Decoded) Arg(name string, names ...string) (json.RawMessage, error) {
	if d == nil {
		return nil, nil
	}
	value := d.Args
	for _, name := range append([]string{name}, names...) {
		var members map[string]json.RawMessage
		if value = decode.Present(value); value == nil {
			return nil, nil
		}
		if err := decode.JSON(value, &members); err != nil {
			return nil, fmt.Errorf("argument %s: %w", name, err)
		}
		value = members[name]
	}
	return value, nil
}

// Uint64 is like [Decoded.Arg] for an unsigned integer of up to 64 bits. It is nil if the argument
// is missing or null, and fails for another value.
func (d *Decoded) Uint64(name string, names ...string) (*uint64, error) {
	n, err := argument[decode.Uint64](d, name, names)
	return (*uint64)(n), err
}

// Text is like [Decoded.Arg] for a text, such as an address or an integer of more than 64 bits.
// It is nil if the argument is missing or null, and fails for another value.
func (d *Decoded) Text(name string, names ...string) (*string, error) {
	return argument[string](d, name, names)
}

// argument decodes an argument.
func argument[T any](d *Decoded, name string, names []string) (*T, error) {
	value, err := d.Arg(name, names...)
	if value = decode.Present(value); value == nil || err != nil {
		return nil, err
	}
	v := new(T)
	if err := decode.JSON(value, v); err != nil {
		return nil, fmt.Errorf("argument %s: %w", strings.Join(append([]string{name}, names...), "."), err)
	}
	return v, nil
}

// Account returns the account with a name, and whether there is one. A nil d has no accounts.
func (d *Decoded) Account(name string) (account Account, ok bool) {
	if d == nil {
		return Account{}, false
	}
	for _, a := range d.Accounts {
		if a.Name == name {
			return a, true
		}
	}
	return Account{}, false
}
