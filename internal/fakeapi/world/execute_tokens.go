package world

import (
	"cmp"
	"fmt"
)

// A tokenCall is an instruction of a token program that the fake executes.
type tokenCall struct {
	accounts  int // in order: the source, the mint of a checked one, the target, the authority
	size      int // of the data
	from, to  int // places in the accounts, -1 for none
	mint      int
	authority int
}

// tokenCalls returns the instructions by their numbers.
func tokenCalls() map[byte]tokenCall {
	return map[byte]tokenCall{
		3:  {3, 9, 0, 1, -1, 2},   // transfer
		7:  {3, 9, -1, 1, 0, 2},   // mintTo
		8:  {3, 9, 0, -1, 1, 2},   // burn
		9:  {3, 1, 0, -1, -1, 2},  // closeAccount
		12: {4, 10, 0, 2, 1, 3},   // transferChecked
		14: {3, 10, -1, 1, 0, 2},  // mintToChecked
		15: {3, 10, 0, -1, 1, 2},  // burnChecked
		17: {1, 1, 0, -1, -1, -1}, // syncNative
	}
}

// tokens executes an instruction of a token program: transfer, mint, burn, close and sync.
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
	at := func(place int) (address string, a *TokenAccount) {
		if place < 0 {
			return "", nil
		}
		return call.Accounts[place], e.token(call.Accounts[place])
	}
	_, from := at(t.from)
	to, into := at(t.to)
	switch {
	case t.from >= 0 && from == nil, t.to >= 0 && into == nil:
		return "InvalidAccountData"
	}
	token := cmp.Or(from, into).Token
	switch {
	case token.Program() != call.Program:
		return "IncorrectProgramId"
	case from != nil && into != nil && from.Token != into.Token, t.mint >= 0 && call.Accounts[t.mint] != token.Mint:
		return e.custom(3, "Account not associated with this Mint")
	case t.size == 10 && int(call.Data[9]) != token.Decimals:
		return e.custom(18, "the provided decimals value different from the Mint decimals")
	}
	switch call.Data[0] {
	case 9:
		return e.close(from, call.Accounts[1], call.Accounts[2])
	case 17:
		n := e.synced[from.Address]
		delete(e.synced, from.Address)
		from.Amount += n
		e.deposits = append(e.deposits, deposit{from.Owner, WrappedSOL, n, 0})
		return ""
	}
	n, authority := call.Number(1), call.Accounts[t.authority]
	if from == nil { // the mints of a world have no authority
		return e.custom(5, "the total supply of this token is fixed")
	}
	switch {
	case from.Frozen || into != nil && into.Frozen:
		return e.custom(17, "Account is frozen")
	case from.Amount < n:
		return e.custom(1, "insufficient funds")
	case authority != from.Owner && (authority != from.Delegate || from.Delegated < n):
		return e.custom(4, "owner does not match")
	case !e.signed(authority):
		return "MissingRequiredSignature"
	}
	from.Amount -= n
	if into == nil {
		e.deposits = append(e.deposits, deposit{from.Owner, token.Mint, 0, n})
		return ""
	}
	into.Amount += n
	e.Tokens[to] = into
	e.Transfers = append(e.Transfers, Transfer{From: from.Owner, To: into.Owner, Mint: token.Mint, Raw: n})
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
	e.Lamports[to] = e.lamports(to) + a.Lamports()
	e.Tokens[a.Address], e.ClosedAccounts = nil, append(e.ClosedAccounts, a.Address)
	return ""
}
