package world

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/solwire/solwire-go/types"
)

// Programs that transactions call.
const (
	System      = "11111111111111111111111111111111" // transfers SOL
	MemoProgram = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"
	Budget      = "ComputeBudget111111111111111111111111111111"
	Swaps       = "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4"
)

// An Instruction is a call of a program.
type Instruction struct {
	Program  string
	Accounts []string
	Data     []byte
	Inner    []Instruction // the calls that it makes

	// How Parsed Events decode it, empty if they cannot. The roles are of the first accounts.
	ProgramName, Name string
	Args              json.RawMessage
	Roles             []Role
}

// A Role is what an account is to an instruction.
type Role struct {
	Name             string
	Signer, Writable bool
}

// The instructions that are decoded, by program and first bytes of the data.
var (
	systemTransfer = []byte{2, 0, 0, 0}
	tokenTransfer  = []byte{12}
	route          = []byte{229, 23, 203, 151, 122, 227, 173, 42}
)

// Swap returns what the fee payer of a swap pays and what it receives, nil if x is not a swap
// of Jupiter.
func (x *Transaction) Swap() (in, out *Transfer) {
	if x.Kind != "SWAP" || len(x.Transfers) != 2 || x.Sent != nil || len(x.Instructions) > 0 {
		return nil, nil
	}
	in, out = &x.Transfers[0], &x.Transfers[1]
	if in.From != x.FeePayer {
		in, out = out, in
	}
	return in, out
}

// Calls returns the instructions of x in order.
func (w *World) Calls(x *Transaction) []Instruction {
	if x.Sent != nil {
		return x.Instructions
	}
	var all []Instruction
	for _, t := range x.Transfers {
		all = append(all, w.transfer(t))
	}
	if in, out := x.Swap(); in != nil {
		// As with real venues, the amount is quoted before the fee of the pool, here one percent.
		data := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(route, in.Raw), out.Raw+out.Raw/100)
		all = []Instruction{{Program: Swaps, Accounts: []string{x.FeePayer, in.To}, Data: data, Inner: all}}
	}
	all = append(all, x.Instructions...)
	if x.Memo != "" {
		all = append(all, Instruction{Program: MemoProgram, Accounts: []string{x.FeePayer}, Data: []byte(x.Memo)})
	}
	if len(all) == 0 && x.Failure != "" {
		all = append(all, w.transfer(Transfer{From: x.FeePayer, To: x.FeePayer, Mint: SOL}))
	}
	return all
}

// transfer returns the instruction of the system program or a token program.
func (w *World) transfer(t Transfer) Instruction {
	token := w.Token(t.Mint)
	if token.IsNative() {
		return Instruction{Program: System, Accounts: []string{t.From, t.To}, Data: binary.LittleEndian.AppendUint64(systemTransfer, t.Raw)}
	}
	return Instruction{
		Program: token.Program(), Accounts: []string{w.AccountOf(t.From, t.Mint), t.Mint, w.AccountOf(t.To, t.Mint), t.From},
		Data: append(binary.LittleEndian.AppendUint64(tokenTransfer, t.Raw), byte(token.Decimals)),
	}
}

// Number returns the number at an offset in the data.
func (i *Instruction) Number(offset int) uint64 { return binary.LittleEndian.Uint64(i.Data[offset:]) }

// Is reports whether i is a transfer of SOL, a transfer of tokens, or a swap.
func (i *Instruction) Is(kind string) bool {
	switch kind {
	case "transfer":
		return i.Program == System && i.has(systemTransfer, 12, 2)
	case "transferChecked":
		return (i.Program == string(types.TokenProgram) || i.Program == string(types.Token2022Program)) && i.has(tokenTransfer, 10, 4)
	}
	return i.Program == Swaps && i.has(route, 24, 2)
}

func (i *Instruction) has(first []byte, size, accounts int) bool {
	return len(i.Data) == size && bytes.HasPrefix(i.Data, first) && len(i.Accounts) >= accounts
}

// Decoded returns i with how Parsed Events decode it.
func (i Instruction) Decoded() Instruction {
	user, account := Role{"", true, true}, Role{"", false, true}
	as := func(r Role, name string) Role { r.Name = name; return r }
	switch {
	case i.Name != "":
	case i.Is("transfer"):
		i.ProgramName, i.Name = "system_program", "transfer"
		i.Args, i.Roles = JSON(`{"lamports":?}`, Text(i.Number(4), 0)), []Role{as(user, "from"), as(account, "to")}
	case i.Is("transferChecked"):
		i.ProgramName, i.Name = "spl_token", "transferChecked"
		if i.Program == string(types.Token2022Program) {
			i.ProgramName = "spl_token_2022"
		}
		i.Args = JSON(`{"amount":?,"decimals":?}`, Text(i.Number(1), 0), int(i.Data[9]))
		i.Roles = []Role{as(account, "source"), {"mint", false, false}, as(account, "destination"), {"authority", true, false}}
	case i.Is("route"):
		i.ProgramName, i.Name = "jupiter", "route"
		i.Args = JSON(`{"inAmount":?,"quotedOutAmount":?,"slippageBps":50}`, Text(i.Number(8), 0), Text(i.Number(16), 0))
		i.Roles = []Role{as(user, "userTransferAuthority"), as(account, "pool")}
	}
	return i
}

// A Failure is why a transaction failed.
type Failure struct {
	Err   json.RawMessage // as a node sends it
	Index int             // of the instruction that failed, -1 if none did
	Code  int             // of the program, -1 without one
	Log   string          // how the log of the instruction ends
}

var (
	instructionError = regexp.MustCompile(`^(?:InstructionError: |\{"InstructionError":)\[(\d+), ?(?:(?:Custom\(|\{"Custom":)(\d+)[)}]|"?([A-Z]\w+)"?)\]\}?$`)
	capital          = regexp.MustCompile(`\B[A-Z]`)
)

// plainErrors are the other reasons why nodes say that a transaction failed.
const plainErrors = " AccountInUse AccountLoadedTwice AccountNotFound ProgramAccountNotFound InsufficientFundsForFee InvalidAccountForFee " +
	"AlreadyProcessed BlockhashNotFound CallChainTooDeep MissingSignatureForFee InvalidAccountIndex SignatureFailure " +
	"InvalidProgramForExecution SanitizeFailure ClusterMaintenance AccountBorrowOutstanding WouldExceedMaxBlockCostLimit " +
	"UnsupportedVersion InvalidWritableAccount WouldExceedMaxAccountCostLimit WouldExceedAccountDataBlockLimit TooManyAccountLocks " +
	"AddressLookupTableNotFound InvalidAddressLookupTableOwner InvalidAddressLookupTableData InvalidAddressLookupTableIndex " +
	"InvalidRentPayingAccount WouldExceedMaxVoteCostLimit WouldExceedAccountDataTotalLimit MaxLoadedAccountsDataSizeExceeded " +
	"InvalidLoadedAccountsDataSizeLimit ResanitizationNeeded UnbalancedTransaction ProgramCacheHitMaxLimit CommitCancelled "

// FailureOf reads how Rust prints the reason of a failure, or its JSON. It is false for other
// texts. Without a text, nothing failed.
func FailureOf(text string) (f Failure, ok bool) {
	f = Failure{Err: json.RawMessage("null"), Index: -1, Code: -1}
	switch found := instructionError.FindStringSubmatch(text); {
	case text == "":
	case found != nil:
		_, _ = fmt.Sscan(found[1], &f.Index)
		reason := Encode(found[3])
		f.Log = strings.ToLower(capital.ReplaceAllString(found[3], " $0"))
		if found[2] != "" {
			_, _ = fmt.Sscan(found[2], &f.Code)
			f.Log, reason = fmt.Sprintf("custom program error: 0x%x", f.Code), JSON(`{"Custom":?}`, f.Code)
		}
		f.Err = JSON(`{"InstructionError":[?,?]}`, f.Index, reason)
	case text == "InsufficientFundsForRent" || text == "ProgramExecutionTemporarilyRestricted":
		f.Err = json.RawMessage(`{"` + text + `":{"account_index":1}}`)
	case strings.HasPrefix(text, `{"`) && json.Valid([]byte(text)) && !strings.HasPrefix(text, `{"InstructionError"`):
		f.Err = json.RawMessage(text)
	case strings.Contains(plainErrors, " "+text+" "):
		f.Err = Encode(text)
	default:
		return f, false
	}
	return f, true
}

// Reason returns why x failed.
func (x *Transaction) Reason() Failure {
	f, _ := FailureOf(x.Failure) // it was checked
	return f
}

// checkFailure refuses a failure that no node reports of x.
func (w *World) checkFailure(x *Transaction) error {
	f, ok := FailureOf(x.Failure)
	if n := len(w.Calls(x)); !ok {
		return fmt.Errorf(`is %q, but must be like "InstructionError: [0, Custom(1)]", "InsufficientFundsForRent" or {"InstructionError":[0,{"Custom":1}]}`, x.Failure)
	} else if f.Index >= n {
		return fmt.Errorf("is of instruction %d, but the transaction has %d; add Instructions", f.Index, n)
	}
	return nil
}

// An errorName is what a program calls an error.
type errorName struct{ Name, Message string }

// ErrorName returns what a program calls an error.
func ErrorName(program string, code int) (name, message string) {
	e := map[string]errorName{
		Swaps + " 6001":                       {"SlippageToleranceExceeded", "Slippage tolerance exceeded"},
		System + " 1":                         {"ResultWithNegativeLamports", "an account does not have enough SOL"},
		string(types.TokenProgram) + " 1":     {"InsufficientFunds", "insufficient funds"},
		string(types.Token2022Program) + " 1": {"InsufficientFunds", "insufficient funds"},
	}[fmt.Sprint(program, " ", code)]
	return e.Name, e.Message
}

// Sent is the message of a transaction that was sent by a client: its keys in order, and how
// they are used.
type Sent struct {
	Signatures                               []string
	Keys                                     []string
	Signers, ReadonlySigners, ReadonlyOthers int
	Blockhash, Version                       string
	Wire                                     []byte
}

// ProgramNameOf returns the name of a program in jsonParsed.
func ProgramNameOf(program string) string {
	return cmp.Or(map[string]string{System: "system", MemoProgram: "spl-memo", string(types.Token2022Program): "spl-token"}[program], "spl-token")
}
