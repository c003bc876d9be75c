package world

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/solwire/solwire-go/types"
)

// An Execution is the effect of a transaction that a client sent, or its possible effect: the
// transfers and deposits that its instructions have added to it so far.
type Execution struct {
	*Transaction
	Charged bool // whether the fee is paid
	Logs    []string
	Ran     int    // instructions
	Foreign string // a call that only a node would execute; empty for nothing

	w      *World
	synced map[string]uint64 // lamports in wrapped SOL that are not tokens yet
}

// Execute executes x in the current state, without changing it. If x fails, it gets its Failure.
func (w *World) Execute(x *Transaction) *Execution {
	e := &Execution{Transaction: x, w: w, synced: map[string]uint64{}}
	switch has := w.Wallet(x.FeePayer).Has(SOL); {
	case has == 0:
		x.Failure = "AccountNotFound"
		return e
	case has < x.Fee:
		x.Failure = "InsufficientFundsForFee"
		return e
	}
	e.Charged = true
	for i := range x.Instructions {
		if !w.Executable(x.Instructions[i].Program) {
			x.Failure = "ProgramAccountNotFound"
			return e
		}
	}
	for i := range x.Instructions {
		call := &x.Instructions[i]
		e.log("Program %s invoke [1]", call.Program)
		e.Ran++
		if reason := e.run(call); reason != "" && e.Foreign == "" {
			x.Failure = fmt.Sprintf("InstructionError: [%d, %s]", i, reason)
			e.log("Program %s failed: %s", call.Program, x.Reason().Log)
			break
		}
		e.log("Program %s success", call.Program)
	}
	for address := range e.synced { // of a failure, nothing counts
		e.refuse("lamports in %s, an account of wrapped SOL, without a following syncNative", address)
	}
	if x.Failure == "" {
		e.checkRent()
	}
	if x.Failure != "" {
		x.Transfers, x.deposits, x.NewAccounts, x.ClosedAccounts = nil, nil, nil, nil
	}
	return e
}

// oldMemoProgram is the first version of the memo program.
const oldMemoProgram = "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo"

// Executable reports whether there is a program at an address.
func (w *World) Executable(address string) bool {
	switch address {
	case System, string(types.TokenProgram), string(types.Token2022Program), string(types.AssociatedTokenProgram), MemoProgram, oldMemoProgram,
		string(types.ComputeBudgetProgram), string(types.CompressedTokenProgram), string(types.BubblegumProgram):
		return true
	}
	stored := w.stored[address]
	return stored != nil && stored.Executable
}

// checkRent fails the transaction if it leaves a wallet that is not exempt from rent.
func (e *Execution) checkRent() {
	for i, key := range e.Sent.Keys {
		after, changed := e.Lamports(key)
		if changed && after > 0 && after < Rent(0) && after >= e.w.Wallet(key).Has(SOL) {
			e.Failure = fmt.Sprintf(`{"InsufficientFundsForRent":{"account_index":%d}}`, i)
			return
		}
	}
}

// refuse keeps the first thing that the fake does not execute.
func (e *Execution) refuse(format string, args ...any) {
	if e.Foreign == "" {
		e.Foreign = fmt.Sprintf(format, args...)
	}
}

func (e *Execution) log(format string, args ...any) {
	e.Logs = append(e.Logs, fmt.Sprintf(format, args...))
}

func (e *Execution) signed(account string) bool {
	return slices.Contains(e.Sent.Keys[:e.Sent.Signers], account)
}

// holds returns how much of a token a wallet holds after the instructions so far. It is false if
// they have not moved any.
func (e *Execution) holds(wallet string, t *Token) (raw uint64, changed bool) {
	for _, f := range e.w.flows(e.Transaction) {
		if f.Owner == wallet && f.Token == t {
			return f.Raw + f.In - f.Out, true
		}
	}
	return e.w.Wallet(wallet).Has(t.Mint), false
}

// Lamports returns the SOL of a wallet after the transaction. It is false if it has not changed.
func (e *Execution) Lamports(wallet string) (lamports uint64, changed bool) {
	if !e.Charged {
		return 0, false
	}
	return e.holds(wallet, e.w.native)
}

// TokenAccount returns a token account after the instructions so far, nil if there is none.
func (e *Execution) TokenAccount(address string) *TokenAccount {
	known := e.w.Account(address)
	for _, a := range e.NewAccounts {
		if a.Address == address {
			known = a
		}
	}
	if known == nil || slices.Contains(e.ClosedAccounts, address) {
		return nil
	}
	h := cmp.Or(e.w.Wallet(known.Owner).Holding(known.Token.Mint), new(Holding))
	if len(h.Accounts) > 0 && e.w.account(h) != known {
		e.refuse("a change of %s, which is not the last token account of its owner and mint", address)
	}
	then := *known
	raw, _ := e.holds(known.Owner, known.Token)
	then.Amount += raw - h.Raw
	return &then
}

// run executes an instruction, and returns why it fails.
func (e *Execution) run(call *Instruction) (reason string) {
	switch call.Program {
	case System:
		return e.system(call)
	case string(types.TokenProgram), string(types.Token2022Program):
		return e.tokens(call)
	case string(types.AssociatedTokenProgram):
		return e.associate(call)
	case MemoProgram, oldMemoProgram:
		for _, account := range call.Accounts {
			if !e.signed(account) {
				return "MissingRequiredSignature"
			}
		}
		e.Memo = string(call.Data)
		e.log("Program log: Memo (len %d): %q", len(call.Data), call.Data)
	case string(types.ComputeBudgetProgram):
	default:
		e.refuse("program %s", call.Program)
	}
	return ""
}

func (e *Execution) system(call *Instruction) (reason string) {
	switch {
	case len(call.Data) < 4:
		return "InvalidInstructionData"
	case binary.LittleEndian.Uint32(call.Data) != 2:
		e.refuse("instruction %d of the system program", binary.LittleEndian.Uint32(call.Data))
		return ""
	case len(call.Data) < 12:
		return "InvalidInstructionData"
	case len(call.Accounts) < 2:
		return "NotEnoughAccountKeys"
	case !e.signed(call.Accounts[0]):
		return "MissingRequiredSignature"
	}
	return e.pay(call.Accounts[0], call.Accounts[1], call.Number(4))
}

// pay moves lamports.
func (e *Execution) pay(from, to string, n uint64) (reason string) {
	if reason = e.debit(from, n); reason != "" {
		return reason
	}
	if a := e.TokenAccount(to); a != nil {
		if a.Token.Mint != WrappedSOL {
			e.refuse("a transfer of lamports to the token account %s", to)
		}
		e.synced[to] += n
		e.deposits = append(e.deposits, deposit{from, SOL, 0, n})
		return ""
	}
	e.Transfers = append(e.Transfers, Transfer{From: from, To: to, Mint: SOL, Raw: n})
	return ""
}

// debit fails if a wallet has not enough lamports.
func (e *Execution) debit(from string, n uint64) (reason string) {
	has, _ := e.Lamports(from)
	if has < n {
		e.log("Transfer: insufficient lamports %d, need %d", has, n)
		return "Custom(1)"
	}
	return ""
}

// associate creates an associated token account.
func (e *Execution) associate(call *Instruction) (reason string) {
	accounts := call.Accounts
	kind := byte(0)
	if len(call.Data) > 0 {
		kind = call.Data[0]
	}
	switch {
	case kind > 1:
		e.refuse("instruction %d of the associated token program", kind)
		return ""
	case len(accounts) < 6:
		return "NotEnoughAccountKeys"
	}
	payer, address, owner := accounts[0], accounts[1], accounts[2]
	mint, known := e.w.tokens[accounts[3]]
	switch {
	case !known || mint.Program() != accounts[5]:
		e.log("Program log: Error: IncorrectProgramId")
		return "IncorrectProgramId"
	case associated(owner, mint) != address:
		e.log("Program log: Error: Associated address does not match seed derivation")
		return "InvalidSeeds"
	}
	if e.TokenAccount(address) != nil {
		if kind == 1 {
			return ""
		}
		return "IllegalOwner"
	}
	if !e.signed(payer) {
		return "MissingRequiredSignature"
	}
	a := &TokenAccount{Address: address, Token: mint, Owner: owner}
	if mint.Mint == WrappedSOL {
		a.Reserve = Rent(tokenAccountSize)
	}
	rent := Rent(tokenAccountSize)
	if reason = e.debit(payer, rent); reason != "" {
		return reason
	}
	e.deposits, e.NewAccounts = append(e.deposits, deposit{payer, SOL, 0, rent}), append(e.NewAccounts, a)
	return ""
}

// Message returns the words of a node about the failure of x.
func (x *Transaction) Message() string {
	f := x.Reason()
	if f.Index >= 0 {
		return fmt.Sprintf("Error processing Instruction %d: %s", f.Index, f.Log)
	}
	if strings.Contains(x.Failure, "InsufficientFundsForRent") {
		return fmt.Sprintf("Transaction results in an account (%s) with insufficient funds for rent", strings.Trim(x.Failure, `{}:"_abcdefghijklmnopqrstuvwxyzFIR`))
	}
	return map[string]string{
		"AccountNotFound":         "Attempt to debit an account but found no record of a prior credit.",
		"AlreadyProcessed":        "This transaction has already been processed",
		"BlockhashNotFound":       "Blockhash not found",
		"InsufficientFundsForFee": "Insufficient funds for fee",
		"ProgramAccountNotFound":  "Attempt to load a program that does not exist",
		"SignatureFailure":        "Transaction did not pass signature verification",
	}[x.Failure]
}

// Priced sets the fee of x, for its signatures and its compute units, which cost micro-lamports. It
// returns the place of a repeated compute budget instruction, 0 for none.
func (x *Transaction) Priced() (twice int) {
	var units, price uint64
	set := map[byte]bool{}
	for i := range x.Instructions {
		call := &x.Instructions[i]
		switch {
		case call.Program == string(types.ComputeBudgetProgram) && len(call.Data) > 4:
			if kind := call.Data[0]; set[kind] {
				twice = i
			} else if set[kind] = true; kind == 2 {
				units = uint64(binary.LittleEndian.Uint32(call.Data[1:]))
			} else if kind == 3 && len(call.Data) == 9 {
				price = call.Number(1)
			}
		case !set[2] && call.Program != string(types.ComputeBudgetProgram):
			units += 200_000
		}
	}
	x.Fee = 5000*uint64(x.Sent.Signers) + (min(units, 1_400_000)*price+999_999)/1_000_000 + x.Sent.PriorityFee
	return twice
}

// Airdrop sends lamports from the faucet of a test network to a wallet.
func (w *World) Airdrop(to string, lamports uint64) (signature string) {
	w.made++
	source, faucet := Seed(63).Item(w.made), Derived("faucet")
	x := &Transaction{
		Signature: source.Signature(), Kind: "TRANSFER", Fee: 5000, FeePayer: faucet, Transfers: []Transfer{{From: faucet, To: to, Mint: SOL, Raw: lamports}},
	}
	w.Land(x)
	return x.Signature
}
