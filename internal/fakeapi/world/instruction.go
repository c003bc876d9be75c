package world

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/solwire/solwire-go/types"
)

// Programs that transactions call.
const (
	System      = string(types.SystemProgram) // transfers SOL
	MemoProgram = string(types.MemoProgram)
	Swaps       = "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4"
)

// An Instruction is a call of a program.
type Instruction struct {
	Program  string
	Accounts []string
	Data     []byte
	Inner    []Instruction // the calls that it makes, which make none

	// How Parsed Events decode it, empty if they cannot. The roles are of the first accounts.
	ProgramName, Name string
	Args              json.RawMessage
	Roles             []Role
}

// A Role is the role of an account in an instruction.
type Role struct {
	Name             string
	Signer, Writable bool
}

// A Layout is the decoded instruction of a program, and the names of its errors.
type Layout struct {
	Instruction                   // Data is how its data begins, Args a text for JSON
	Size        int               // of the data
	Offsets     []int             // of the arguments
	Args        string            // in JSON, a template
	Node        string            // the program in jsonParsed
	Errors      map[int][2]string // names and messages
}

const layoutsText = `{
"` + System + `":{"Node":"system","ProgramName":"system_program","Name":"transfer","Data":"AgAAAA==","Size":12,
	"Offsets":[4],"Args":"{\"lamports\":?}","Roles":[{"Name":"from","Signer":true,"Writable":true},{"Name":"to","Writable":true}],
	"Errors":{"1":["ResultWithNegativeLamports","an account does not have enough SOL"]}},
"` + string(types.TokenProgram) + `":{"Node":"spl-token","ProgramName":"spl_token","Name":"transferChecked","Data":"DA==","Size":10,
	"Offsets":[1,9],"Args":"{\"amount\":?,\"decimals\":?}",
	"Roles":[{"Name":"source","Writable":true},{"Name":"mint"},{"Name":"destination","Writable":true},{"Name":"authority","Signer":true}],
	"Errors":{"1":["InsufficientFunds","insufficient funds"]}},
"` + string(types.Token2022Program) + `":{"Node":"spl-token","ProgramName":"spl_token_2022","Name":"transferChecked","Data":"DA==","Size":10,
	"Offsets":[1,9],"Args":"{\"amount\":?,\"decimals\":?}",
	"Roles":[{"Name":"source","Writable":true},{"Name":"mint"},{"Name":"destination","Writable":true},{"Name":"authority","Signer":true}],
	"Errors":{"1":["InsufficientFunds","insufficient funds"]}},
"` + Swaps + `":{"ProgramName":"jupiter","Name":"route","Data":"5RfLl3rjrSo=","Size":24,
	"Offsets":[8,16],"Args":"{\"inAmount\":?,\"quotedOutAmount\":?,\"slippageBps\":50}",
	"Roles":[{"Name":"userTransferAuthority","Signer":true,"Writable":true},{"Name":"pool","Writable":true}],
	"Errors":{"6001":["SlippageToleranceExceeded","Slippage tolerance exceeded"]}},
"` + string(types.AssociatedTokenProgram) + `":{"Node":"spl-associated-token-account"},
"` + MemoProgram + `":{"Node":"spl-memo"}}`

// Layouts returns the layouts of the programs that are decoded.
var Layouts = sync.OnceValue(func() (all map[string]Layout) {
	if err := json.Unmarshal([]byte(layoutsText), &all); err != nil {
		panic(err)
	}
	return all
})

// Swap returns the transfers from and to the fee payer of a swap, nil if x is not a swap.
// Without Instructions, it is a swap of Jupiter.
func (x *Transaction) Swap() (in, out *Transfer) {
	if x.Kind != "SWAP" || len(x.Transfers) != 2 {
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
	var all, created []Instruction
	for _, a := range x.NewAccounts {
		created = append(created, Instruction{
			Program: string(types.AssociatedTokenProgram), Accounts: []string{x.FeePayer, a.Address, a.Owner, a.Token.Mint, System, a.Token.Program()}, Data: []byte{1},
		})
	}
	for _, t := range x.Transfers {
		all = append(all, w.transfer(t))
	}
	if in, out := x.Swap(); in != nil && len(x.Instructions) == 0 {
		// As with real venues, the amount is quoted before the fee of the pool, here one percent.
		all = []Instruction{{Program: Swaps, Accounts: []string{x.FeePayer, in.To}, Data: pack(Layouts()[Swaps].Data, in.Raw, out.Raw+out.Raw/100), Inner: all}}
	}
	all = slices.Concat(created, all, x.Instructions)
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
		return Instruction{Program: System, Accounts: []string{t.From, t.To}, Data: pack(Layouts()[System].Data, t.Raw)}
	}
	return Instruction{
		Program: token.Program(), Accounts: []string{w.AccountOf(t.From, t.Mint), t.Mint, w.AccountOf(t.To, t.Mint), t.From},
		Data: pack(Layouts()[token.Program()].Data, t.Raw, byte(token.Decimals)),
	}
}

// WithInner returns a call and the calls that it makes.
func (i *Instruction) WithInner() []Instruction { return slices.Concat([]Instruction{*i}, i.Inner) }

// Number returns the number at an offset in the data.
func (i *Instruction) Number(offset int) uint64 { return binary.LittleEndian.Uint64(i.Data[offset:]) }

// Is reports whether i is a transfer of SOL, a transferChecked of tokens, or a route, a swap.
func (i *Instruction) Is(name string) bool {
	l := Layouts()[i.Program]
	return l.Name == name && len(i.Data) == l.Size && bytes.HasPrefix(i.Data, l.Data) && len(i.Accounts) >= len(l.Roles)
}

// Decoded returns i as Parsed Events decode it.
func (i Instruction) Decoded() Instruction {
	l := Layouts()[i.Program]
	if i.Name != "" || l.Name == "" || !i.Is(l.Name) {
		return i
	}
	var args []any
	for _, at := range l.Offsets {
		if at+8 > len(i.Data) {
			args = append(args, int(i.Data[at]))
		} else {
			args = append(args, Text(i.Number(at), 0))
		}
	}
	i.ProgramName, i.Name, i.Args, i.Roles = l.ProgramName, l.Name, JSON(l.Args, args...), l.Roles
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

// Sent is the message of a transaction that was sent by a client: its keys in order, and how
// they are used.
type Sent struct {
	Signatures                               []string
	Keys                                     []string
	Signers, ReadonlySigners, ReadonlyOthers int
	Blockhash                                string
	Version                                  string          // JSON
	Config                                   json.RawMessage // of version 1
	PriorityFee                              uint64          // lamports; of version 1
	Wire                                     []byte
}
