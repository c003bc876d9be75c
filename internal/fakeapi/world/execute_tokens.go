package world

import "fmt"

// A tokenCall is an instruction of a token program that the fake executes. The first of its
// accounts is the source, the last one the authority.
type tokenCall struct {
	accounts int
	size     int // of the data
	mint, to int // places in the accounts, 0 for none
}

// tokenCalls returns the instructions by their numbers.
func tokenCalls() map[byte]tokenCall {
	return map[byte]tokenCall{
		3:  {3, 9, 0, 1},  // transfer
		8:  {3, 9, 1, 0},  // burn
		9:  {3, 1, 0, 0},  // closeAccount
		12: {4, 10, 1, 2}, // transferChecked
		15: {3, 10, 1, 0}, // burnChecked
		17: {1, 1, 0, 0},  // syncNative
	}
}

// tokens executes an instruction of a token program: transfer, burn, close and sync.
func (e *Execution) tokens(call *Instruction) (reason string) {
	if len(call.Data) == 0 {
		return "InvalidInstructionData"
	}
	t, known := tokenCalls()[call.Data[0]]
	switch {
	case !known:
		e.refuse("instruction %d of the token program %s", call.Data[0], call.Program)
		return ""
	case len(call.Data) < t.size:
		return "InvalidInstructionData"
	case len(call.Accounts) < t.accounts:
		return "NotEnoughAccountKeys"
	}
	from := e.TokenAccount(call.Accounts[0])
	into := from
	if t.to > 0 {
		into = e.TokenAccount(call.Accounts[t.to])
	}
	switch {
	case from == nil || into == nil:
		return "InvalidAccountData"
	case from.Token.Program() != call.Program:
		return "IncorrectProgramId"
	case from.Token != into.Token, t.mint > 0 && call.Accounts[t.mint] != from.Token.Mint:
		return e.custom(3, "Account not associated with this Mint")
	case t.size == 10 && int(call.Data[9]) != from.Token.Decimals:
		return e.custom(18, "the provided decimals value different from the Mint decimals")
	}
	switch call.Data[0] {
	case 9:
		return e.close(from, call.Accounts[1], call.Accounts[2])
	case 17:
		n := e.synced[from.Address]
		delete(e.synced, from.Address)
		e.deposits = append(e.deposits, deposit{from.Owner, WrappedSOL, n, 0})
		return ""
	}
	n, authority := call.Number(1), call.Accounts[t.accounts-1]
	switch {
	case from.Frozen || into.Frozen:
		return e.custom(17, "Account is frozen")
	case from.Amount < n:
		return e.custom(1, "insufficient funds")
	case authority != from.Owner && (authority != from.Delegate || from.Delegated < n):
		return e.custom(4, "owner does not match")
	case !e.signed(authority):
		return "MissingRequiredSignature"
	case t.to == 0:
		e.deposits = append(e.deposits, deposit{from.Owner, from.Token.Mint, 0, n})
	default:
		e.Transfers = append(e.Transfers, Transfer{From: from.Owner, To: into.Owner, Mint: from.Token.Mint, Raw: n})
	}
	return ""
}

// custom returns the error of a token program.
func (e *Execution) custom(code int, text string) string {
	e.log("Program log: Error: %s", text)
	return fmt.Sprintf("Custom(%d)", code)
}

// close closes a token account, and gives its lamports away.
func (e *Execution) close(a *TokenAccount, to, authority string) (reason string) {
	wrapped := a.Token.Mint == WrappedSOL
	switch {
	case a.Amount > 0 && !wrapped:
		return e.custom(11, "Non-native account can only be closed if its balance is zero")
	case authority != a.Owner && authority != a.Closer:
		return e.custom(4, "owner does not match")
	case !e.signed(authority):
		return "MissingRequiredSignature"
	}
	if wrapped {
		e.deposits = append(e.deposits, deposit{a.Owner, WrappedSOL, 0, a.Amount})
	}
	e.deposits = append(e.deposits, deposit{to, SOL, a.Lamports(), 0})
	e.ClosedAccounts = append(e.ClosedAccounts, a.Address)
	return ""
}
