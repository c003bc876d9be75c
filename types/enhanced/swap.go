package enhanced

import "github.com/solwire/solwire-go/types"

// A SwapEvent is an exchange of tokens, or of SOL and tokens. The user paid the inputs and
// received the outputs.
type SwapEvent struct {
	NativeInput  *NativeBalanceChange  `json:"nativeInput"`  // nil if no SOL was paid
	NativeOutput *NativeBalanceChange  `json:"nativeOutput"` // nil if no SOL was received
	TokenInputs  []TokenBalanceChange  `json:"tokenInputs"`  // may be empty
	TokenOutputs []TokenBalanceChange  `json:"tokenOutputs"` // may be empty
	TokenFees    []TokenBalanceChange  `json:"tokenFees"`    // may be empty
	NativeFees   []NativeBalanceChange `json:"nativeFees"`   // may be empty
	InnerSwaps   []InnerSwap           `json:"innerSwaps"`   // the steps of a routed swap
}

// An InnerSwap is one step of a swap. Its inputs and outputs are transfers.
type InnerSwap struct {
	NativeInput  *NativeTransfer  `json:"nativeInput"`  // nil if absent
	NativeOutput *NativeTransfer  `json:"nativeOutput"` // nil if absent
	TokenInputs  []TokenTransfer  `json:"tokenInputs"`  // may be empty
	TokenOutputs []TokenTransfer  `json:"tokenOutputs"` // may be empty
	TokenFees    []TokenTransfer  `json:"tokenFees"`    // may be empty
	NativeFees   []NativeTransfer `json:"nativeFees"`   // may be empty
	ProgramInfo  ProgramInfo      `json:"programInfo"`  // the program of this step
}

// ProgramInfo describes the program that executed a step of a swap.
type ProgramInfo struct {
	Source          string        `json:"source"`          // the exchange, such as ORCA
	Account         types.Address `json:"account"`         // the program ID
	ProgramName     string        `json:"programName"`     // such as ORCA_WHIRLPOOLS
	InstructionName string        `json:"instructionName"` // such as whirlpoolSwap
}
