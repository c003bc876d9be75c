package tx

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
)

// A parsedInfo has the members of an instruction that a node has parsed.
type parsedInfo struct {
	Type string          `json:"type" required:"true"`
	Info json.RawMessage `json:"info"`
}

// Info returns the type of a parsed instruction, such as transferChecked, and its
// info as the node sent it. The type is empty for instructions that the node could
// not parse and for memos.
func (i *ParsedInstruction) Info() (kind string, info json.RawMessage, err error) {
	if i == nil || len(i.Parsed) == 0 || i.Parsed[0] == '"' {
		return "", nil, nil
	}
	var parsed parsedInfo
	if err := decode.JSON(i.Parsed, &parsed); err != nil {
		return "", nil, fmt.Errorf("instruction of %s: %w", i.Program, err)
	}
	return parsed.Type, parsed.Info, nil
}

// Memo returns the text of a parsed memo; empty for other instructions.
func (i *ParsedInstruction) Memo() (text string, err error) {
	if i == nil || i.Program != "spl-memo" || len(i.Parsed) == 0 {
		return "", nil
	}
	if err := decode.JSON(i.Parsed, &text); err != nil {
		return "", fmt.Errorf("memo: %w", err)
	}
	return text, nil
}

// A Transfer is a transfer of SOL or tokens.
type Transfer struct {
	Source      types.Address // the wallet for SOL, the token account for tokens
	Destination types.Address // as Source

	// SourceOwner and DestinationOwner are the wallets: the owner of a token account, or else the
	// account itself. They are empty if the transaction does not say who owns a token account, and
	// in transfers of [ParsedInstruction.Transfers].
	SourceOwner      types.Address
	DestinationOwner types.Address

	// Mint is empty for SOL, and for tokens where nothing names it.
	Mint      types.Address
	Authority types.Address // the account that allowed it; Source for SOL
	RawAmount uint64        // in the smallest unit: lamports of SOL
	Decimals  uint8         // 9 for SOL; 0 where Mint is empty

	// Withheld from RawAmount as a Token-2022 transfer fee; 0 where the instruction
	// does not name it.
	RawFee uint64
}

// Transfers iterates over the transfers of a parsed instruction of the system program or of a token
// program: one, or all transfers of a batch. Other instructions have none, even if they move SOL,
// such as createAccount and closeAccount. An unreadable transfer is an error in its place; then the
// iteration continues. The owners are empty: [Transaction.Transfers] sets them.
func (i *ParsedInstruction) Transfers() iter.Seq2[Transfer, error] {
	return func(yield func(Transfer, error) bool) {
		kind, info, err := i.Info()
		if err != nil {
			yield(Transfer{}, err)
			return
		}
		if kind == "" {
			return
		}
		all := []batched{{in: parsedInfo{kind, info}}}
		if kind == "batch" && isTokenProgram(i.Program) {
			var batch struct {
				Instructions []batched `json:"instructions"`
			}
			err := decode.JSON(info, &batch)
			if err == nil && batch.Instructions == nil {
				err = errors.New("lacks instructions")
			}
			if err != nil {
				yield(Transfer{}, fmt.Errorf("batch of %s: %w", i.Program, err))
				return
			}
			all = batch.Instructions
		}
		for _, one := range all {
			read := one.transfer(i.Program)
			if read == nil {
				continue
			}
			t, err := read()
			if err != nil {
				err = fmt.Errorf("%s of %s: %w", cmp.Or(one.in.Type, "instruction"), i.Program, err)
			}
			if !yield(t, err) {
				return
			}
		}
	}
}

// A batched is an instruction of a batch, or why it cannot be read.
type batched struct {
	in  parsedInfo
	err error
}

// UnmarshalJSON leaves the other instructions of the batch readable.
func (b *batched) UnmarshalJSON(raw []byte) error {
	b.err = decode.JSON(raw, &b.in)
	return nil
}

func (b batched) transfer(program string) func() (Transfer, error) {
	if b.err != nil {
		return func() (Transfer, error) { return Transfer{}, b.err }
	}
	return b.in.transfer(program)
}

func isTokenProgram(name string) bool { return name == "spl-token" || name == "spl-token-2022" }

// transfer returns how to read an instruction of a program, nil unless it is a transfer.
func (p parsedInfo) transfer(program string) func() (Transfer, error) {
	switch p.Type {
	case "transfer", "transferWithSeed":
		if program == "system" {
			return p.ofSOL
		}
	}
	switch p.Type {
	case "transfer", "transferChecked", "transferCheckedWithFee":
		if isTokenProgram(program) {
			return p.ofTokens
		}
	}
	return nil
}

func (p parsedInfo) ofSOL() (Transfer, error) {
	var in struct {
		Source      types.Address  `json:"source"`
		Destination types.Address  `json:"destination"`
		Lamports    *decode.Uint64 `json:"lamports"`
	}
	if err := decode.JSON(p.Info, &in); err != nil {
		return Transfer{}, err
	}
	if in.Source == "" || in.Destination == "" || in.Lamports == nil {
		return Transfer{}, errors.New("lacks source, destination or lamports")
	}
	return Transfer{Source: in.Source, Destination: in.Destination, Authority: in.Source, RawAmount: uint64(*in.Lamports), Decimals: solDecimals}, nil
}

func (p parsedInfo) ofTokens() (Transfer, error) {
	type amount struct {
		Raw      *decode.Uint64 `json:"amount"`
		Decimals *uint8         `json:"decimals"`
	}
	var in struct {
		Source      types.Address  `json:"source"`
		Destination types.Address  `json:"destination"`
		Mint        types.Address  `json:"mint"`
		Authority   types.Address  `json:"authority"`
		Multisig    types.Address  `json:"multisigAuthority"`
		Amount      *decode.Uint64 `json:"amount"`
		TokenAmount amount         `json:"tokenAmount"`
		FeeAmount   amount         `json:"feeAmount"`
	}
	if err := decode.JSON(p.Info, &in); err != nil {
		return Transfer{}, err
	}
	raw := cmp.Or(in.TokenAmount.Raw, in.Amount)
	if in.Source == "" || in.Destination == "" || raw == nil {
		return Transfer{}, errors.New("lacks source, destination or amount")
	}
	t := Transfer{Source: in.Source, Destination: in.Destination, Mint: in.Mint, Authority: cmp.Or(in.Authority, in.Multisig), RawAmount: uint64(*raw)}
	if in.TokenAmount.Decimals != nil {
		t.Decimals = *in.TokenAmount.Decimals
	} else if in.TokenAmount.Raw != nil {
		return Transfer{}, errors.New("lacks decimals")
	}
	if in.FeeAmount.Raw != nil {
		t.RawFee = uint64(*in.FeeAmount.Raw)
	} else if p.Type == "transferCheckedWithFee" {
		return Transfer{}, errors.New("lacks a fee amount")
	}
	return t, nil
}

// Transfers iterates over the transfers of the transaction in the order of execution, including
// cross-program invocations. The owners of token accounts come from the token balances. A failed
// transaction has no transfers. An unreadable transfer is an error in its place; then the iteration
// continues. A transaction that no node parsed is an error: request [types.EncodingJSONParsed].
//
// The transfers do not add up to [Transaction.Changes], which includes fees, rent, and minted and
// burned tokens.
func (t *Transaction) Transfers() iter.Seq2[Transfer, error] {
	return func(yield func(Transfer, error) bool) {
		message := &t.Signed.Message
		switch {
		case t.Meta.TransactionError != nil:
			return
		case message.RecentBlockhash == "":
			yield(Transfer{}, errors.New("transaction: no instructions; request EncodingJSONParsed, and all details of a block"))
			return
		case t.Meta.PreBalances == nil:
			yield(Transfer{}, errors.New("transaction: the node does not know its result"))
			return
		}
		holders := t.tokenAccounts()
		for index, instruction := range message.Instructions {
			all := []Instruction{instruction}
			for _, inner := range t.Meta.InnerInstructions {
				if inner.Index == index {
					all = append(all, inner.Instructions...)
				}
			}
			for _, one := range all {
				if one.Parsed == nil {
					yield(Transfer{}, errors.New("transaction: not parsed by the node; request EncodingJSONParsed"))
					return
				}
				for transfer, err := range one.Parsed.Transfers() {
					if err == nil {
						holders.complete(&transfer, one.Parsed.Program == "system")
					}
					if !yield(transfer, err) {
						return
					}
				}
			}
		}
	}
}

// holders are the balances of token accounts before and after a transaction.
type holders map[types.Address][2]*TokenBalance

func (t *Transaction) tokenAccounts() holders {
	accounts, all := t.Accounts(), holders{}
	for side, balances := range [][]TokenBalance{t.Meta.PreTokenBalances, t.Meta.PostTokenBalances} {
		for i := range balances {
			if b := &balances[i]; b.AccountIndex >= 0 && b.AccountIndex < len(accounts) {
				both := all[accounts[b.AccountIndex]]
				both[side] = b
				all[accounts[b.AccountIndex]] = both
			}
		}
	}
	return all
}

// complete sets the wallets of a transfer, and the mint where the instruction does not name it.
// Tokens leave the owner before the transaction, and reach the owner after it.
func (h holders) complete(t *Transfer, sol bool) {
	source, destination := h[t.Source], h[t.Destination]
	from, to := cmp.Or(source[0], source[1]), cmp.Or(destination[1], destination[0])
	if from != nil {
		t.SourceOwner = from.Owner
	}
	if to != nil {
		t.DestinationOwner = to.Owner
	}
	if sol {
		t.SourceOwner, t.DestinationOwner = cmp.Or(t.SourceOwner, t.Source), cmp.Or(t.DestinationOwner, t.Destination)
		return
	}
	if known := cmp.Or(from, to); t.Mint == "" && known != nil {
		t.Mint, t.Decimals = known.Mint, known.UITokenAmount.Decimals
	}
}
