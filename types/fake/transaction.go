package fake

import (
	"cmp"
	"encoding/json"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/internal/fakeapi/wire"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
)

// A Transaction is in the history of each wallet that sends or receives something.
type Transaction struct {
	Signature types.Signature `json:"signature,omitempty"` // empty means a generated one
	Type      txtype.Type     `json:"type,omitempty"`      // empty means TRANSFER

	// Zero means a minute before the previous Transaction.
	BlockTime types.Time `json:"blockTime,omitzero"`

	// Empty means the sender of the first transfer.
	FeePayer types.Address `json:"feePayer,omitempty"`

	FeeLamports uint64 `json:"feeLamports,omitempty"` // 0 means 5000

	// Why it failed, such as "InstructionError: [0, Custom(1)]", "InsufficientFundsForRent", or
	// the JSON of a node. A failed transaction has no transfers; without Instructions, its
	// only instruction is a transfer of nothing.
	TransactionError string `json:"err,omitempty"`

	Memo      string     `json:"memo,omitempty"`
	Transfers []Transfer `json:"transfers,omitempty"`

	// Executed after the transfers. A swap of two transfers without Instructions calls Jupiter.
	Instructions []Instruction `json:"instructions,omitempty"`

	// Further effects, for [Service.Happen] only: the effects of past transactions are in the
	// World.

	ProgramAccounts         []ProgramAccount         `json:"programAccounts,omitempty"` // new or changed
	ClosedAccounts          []types.Address          `json:"closedAccounts,omitempty"`  // of programs
	CompressedAccounts      []CompressedAccount      `json:"compressedAccounts,omitempty"`
	CompressedTokenAccounts []CompressedTokenAccount `json:"compressedTokenAccounts,omitempty"`
	SpentHashes             []types.Hash             `json:"spentHashes,omitempty"` // of compressed accounts
	Dropped                 bool                     `json:"dropped,omitempty"`     // never confirmed
}

// An Instruction is a call of a program in a Transaction. The transaction is in the history
// of the program and of its accounts too.
type Instruction struct {
	Program  types.Address   `json:"program"`
	Accounts []types.Address `json:"accounts,omitempty"`
	Data     []byte          `json:"data,omitempty"` // base64 in JSON

	// The decoded form in Parsed Events; none without a Name. Roles are the names of the first
	// Accounts.
	ProgramName string          `json:"programName,omitempty"`
	Name        string          `json:"name,omitempty"`
	Args        json.RawMessage `json:"args,omitempty"`
	Roles       []string        `json:"roles,omitempty"`
}

// A Transfer is a part of a Transaction. With [Service.Happen], the ID of an NFT as the Mint, and
// the Amount 1, transfer the NFT.
type Transfer struct {
	From   types.Address   `json:"from"`
	To     types.Address   `json:"to"`
	Mint   types.Address   `json:"mint,omitempty"` // empty means native SOL
	Amount decimal.Decimal `json:"amount"`         // in whole tokens
}

func (x *Transaction) build(b *world.Builder) {
	if len(x.ProgramAccounts)+len(x.ClosedAccounts)+len(x.CompressedAccounts)+len(x.CompressedTokenAccounts)+len(x.SpentHashes) > 0 || x.Dropped {
		b.Fieldf("ProgramAccounts", "and what else only Service.Happen has are set; use the fields of World")
	}
	x.transact(b)
}

func (x *Transaction) transact(b *world.Builder) {
	tx := world.Transaction{
		Signature: string(x.Signature), Kind: cmp.Or(string(x.Type), "TRANSFER"), FeePayer: string(x.FeePayer), Failure: x.TransactionError, Memo: x.Memo,
		At: x.BlockTime.Time, Fee: x.FeeLamports, Dropped: x.Dropped,
	}
	if !wire.IsType(tx.Kind) {
		b.Fieldf("Type", "%q is not a transaction type", x.Type)
	}
	for _, i := range x.Instructions {
		tx.Instructions = append(tx.Instructions, i.instruction())
	}
	b.Transact(tx, world.Convert[[]world.Leg](b, x.Transfers))
}

func (i *Instruction) instruction() world.Instruction {
	call := world.Instruction{
		Program: string(i.Program), Accounts: texts[string](i.Accounts), Data: i.Data, ProgramName: i.ProgramName, Name: i.Name, Args: i.Args,
	}
	for at, name := range i.Roles {
		call.Roles = append(call.Roles, world.Role{Name: name, Signer: at == 0})
	}
	return call
}

// happen executes the transaction for [Service.Happen].
func (x *Transaction) happen(b *world.Builder) {
	b.Check("", *x)
	x.transact(b)
	if !b.Happens() {
		return
	}
	for _, a := range x.ProgramAccounts {
		a.build(b)
	}
	for _, address := range x.ClosedAccounts {
		b.Close(string(address))
	}
	for _, hash := range x.SpentHashes {
		b.Spend(string(hash))
	}
	for _, a := range x.CompressedAccounts {
		a.build(b)
	}
	for _, a := range x.CompressedTokenAccounts {
		a.build(b)
	}
}
