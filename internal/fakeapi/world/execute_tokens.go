package world

import "fmt"

// tokens executes an instruction of a token program: transfer or transferChecked.
func (e *Execution) tokens(call *Instruction) (reason string) {
	if len(call.Data) == 0 {
		return "InvalidInstructionData"
	}
	size, to := 9, 1 // of the data, and the place of the target
	switch call.Data[0] {
	case 3: // transfer
	case 12: // transferChecked, with the mint before the target
		size, to = 10, 2
	default:
		e.refuse("instruction %d of the token program %s", call.Data[0], call.Program)
		return ""
	}
	switch {
	case len(call.Data) < size:
		return "InvalidInstructionData"
	case len(call.Accounts) < to+2:
		return "NotEnoughAccountKeys"
	}
	from, into := e.token(call.Accounts[0]), e.token(call.Accounts[to])
	switch {
	case from == nil || into == nil:
		return "InvalidAccountData"
	case from.Token.Program() != call.Program:
		return "IncorrectProgramId"
	case from.Token != into.Token, to == 2 && call.Accounts[1] != from.Token.Mint:
		return e.custom(3, "Account not associated with this Mint")
	case to == 2 && int(call.Data[9]) != from.Token.Decimals:
		return e.custom(18, "the provided decimals value different from the Mint decimals")
	}
	n, authority := call.Number(1), call.Accounts[to+1]
	switch {
	case from.Frozen || into.Frozen:
		return e.custom(17, "Account is frozen")
	case from.Amount < n:
		return e.custom(1, "insufficient funds")
	case authority != from.Owner && (authority != from.Delegate || from.Delegated < n):
		return e.custom(4, "owner does not match")
	case !e.signed(authority):
		return "MissingRequiredSignature"
	}
	from.Amount -= n
	into.Amount += n
	e.Transfers = append(e.Transfers, Transfer{From: from.Owner, To: into.Owner, Mint: from.Token.Mint, Raw: n})
	return ""
}

// custom returns the error of a token program.
func (e *Execution) custom(code int, text string) string {
	e.log("Program log: Error: " + text)
	return fmt.Sprintf("Custom(%d)", code)
}
