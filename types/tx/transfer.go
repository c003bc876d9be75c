package tx

import (
	"cmp"
	"encoding/json"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
)

// Info returns the type of a parsed instruction, such as transferChecked, and its
// info as the node sent it. The type is empty for instructions that the node could
// not parse and for memos.
func (i *ParsedInstruction) Info() (kind string, info json.RawMessage) {
	var parsed struct {
		Type string          `json:"type"`
		Info json.RawMessage `json:"info"`
	}
	if i == nil || len(i.Parsed) == 0 || i.Parsed[0] != '{' || decode.Value(i.Parsed, &parsed) != nil {
		return "", nil
	}
	return parsed.Type, parsed.Info
}

// Memo returns the text of a parsed memo; false for other instructions.
func (i *ParsedInstruction) Memo() (text string, ok bool) {
	if i == nil || i.Program != "spl-memo" || decode.Value(i.Parsed, &text) != nil {
		return "", false
	}
	return text, true
}

// A Transfer is an instruction that transfers SOL or tokens.
type Transfer struct {
	Source      types.Address // of SOL, the wallet; of tokens, the token account
	Destination types.Address // as Source

	// Mint is empty for SOL, and for tokens where the instruction does not name it.
	Mint      types.Address
	Authority types.Address // that allowed it; of SOL, the source
	RawAmount uint64        // in the smallest unit: lamports of SOL
	Decimals  uint8         // 9 for SOL; 0 where Mint is empty

	// Withheld from RawAmount as a Token-2022 transfer fee; 0 where the instruction
	// does not name it.
	RawFee uint64
}

// Transfer returns what a parsed transfer instruction of the system program or of a
// token program moves; false for other instructions, such as createAccount.
func (i *ParsedInstruction) Transfer() (t Transfer, ok bool) {
	kind, info := i.Info()
	if kind == "" {
		return Transfer{}, false
	}
	var in struct {
		Source      types.Address      `json:"source"`
		Destination types.Address      `json:"destination"`
		Lamports    uint64             `json:"lamports"`
		Mint        types.Address      `json:"mint"`
		Authority   types.Address      `json:"authority"`
		Multisig    types.Address      `json:"multisigAuthority"`
		Amount      *uint64            `json:"amount,string"`
		TokenAmount *types.TokenAmount `json:"tokenAmount"`
		FeeAmount   types.TokenAmount  `json:"feeAmount"`
	}
	switch {
	case i.Program == "system" && (kind == "transfer" || kind == "transferWithSeed"):
	case (i.Program == "spl-token" || i.Program == "spl-token-2022") &&
		(kind == "transfer" || kind == "transferChecked" || kind == "transferCheckedWithFee"):
	default:
		return Transfer{}, false
	}
	if decode.Value(info, &in) != nil {
		return Transfer{}, false
	}
	t = Transfer{Source: in.Source, Destination: in.Destination, Mint: in.Mint, Authority: cmp.Or(in.Authority, in.Multisig), RawFee: in.FeeAmount.RawAmount}
	switch {
	case i.Program == "system":
		t.RawAmount, t.Decimals, t.Authority = in.Lamports, 9, in.Source
	case in.TokenAmount != nil:
		t.RawAmount, t.Decimals = in.TokenAmount.RawAmount, in.TokenAmount.Decimals
	case in.Amount != nil:
		t.RawAmount = *in.Amount
	}
	return t, true
}
