// Package parsed has the types of a Solana transaction as Parsed Events of Helius reads it:
// transfers, a summary and decoded instructions. The service has the interface descriptions (IDLs)
// of more than 3600 programs. Package rpc/parsedapi returns such transactions.
//
// A whole program:
//
//	// Stored prints the changes of balances in a stored transaction.
//	package main
//
//	import (
//		"encoding/json"
//		"fmt"
//		"log"
//
//		"github.com/solwire/solwire-go/types/parsed"
//	)
//
//	func main() {
//		const stored = `{"signature":"3nMakvGa","parserStatus":"OK","parsed":{"transactionStatus":"OK",
//			"nativeTransfers":[
//				{"fromUserAccount":"86xCnPeV","toUserAccount":"HXsKP7wr","amount":1500000000}]}}`
//		var result parsed.Result
//		if err := json.Unmarshal([]byte(stored), &result); err != nil {
//			log.Fatal(err)
//		}
//		for _, change := range result.Parsed.Changes() {
//			fmt.Println(change.Account, change.Net())
//		}
//	}
//
// A [Result] has two statuses. Its ParserStatus says whether the service could read the
// transaction, and [Transaction.Status] whether the transaction succeeded. A failed transaction
// moved nothing except its fee, but the service lists the transfers that it attempted.
// [Transaction.NativeTransfers], [Transaction.TokenTransfers] and [Transaction.Changes] leave these
// out.
//
// For accounting, use transfers, not summaries: the amounts of a [Summary] come from the exchange
// and may differ from the wallet's payment. The descriptions of programs change while the service
// runs: a transaction without decoded instructions may have some tomorrow. Do not use decoded
// instructions as keys.
package parsed

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
)

// A Status says whether something succeeded. Other values than the constants pass
// through.
type Status string

// The statuses.
const (
	StatusOK    Status = "OK"
	StatusError Status = "ERROR"
)

// A Result is a transaction as the service has parsed it. One of Parsed and ParserError is
// not nil.
type Result struct {
	Signature    types.Signature `json:"signature"`
	ParserStatus Status          `json:"parserStatus"` // of the parser, not of the transaction
	Parsed       *Transaction    `json:"parsed"`       // nil when unreadable by the service
	ParserError  *ParserError    `json:"parserError"`  // why it was unreadable; else nil

	// Raw is the transaction as nodes encode it, if it was requested; nil if the service
	// sent none. Wire name: rawTransaction.
	Raw *tx.Transaction `json:"rawTransaction"`
}

// ParserErrorNotFound is the code of a [ParserError] for a transaction that does not
// exist, or is not yet confirmed.
const ParserErrorNotFound = "transaction_not_found"

// A ParserError says why the service could not read a transaction. It is not the error
// of a failed transaction: see [Transaction.TransactionError].
type ParserError struct {
	Code    string `json:"code"`    // such as ParserErrorNotFound; empty when unknown
	Message string `json:"message"` // empty when unknown
}

// Error returns the code and the message, where they are known.
func (e *ParserError) Error() string {
	parts := []string{"transaction is not parsed", e.Code, e.Message}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ": ")
}

// Is reports whether target is [types.ErrNotFound] and the transaction does not exist.
func (e *ParserError) Is(target error) bool {
	return target == types.ErrNotFound && e.Code == ParserErrorNotFound
}

// A Transaction is a transaction that the service could read. Encoding and decoding it with
// encoding/json loses nothing.
type Transaction struct {
	Slot        uint64        `json:"slot"`      // of the block
	BlockTime   types.Time    `json:"blockTime"` // zero when unknown
	FeeLamports uint64        `json:"fee"`       // paid by a failed transaction too. Wire name: fee
	FeePayer    types.Address `json:"feePayer"`  // the first signer; empty when unknown

	// Status says whether the transaction succeeded; see Failed. Wire name:
	// transactionStatus.
	Status Status `json:"transactionStatus"`

	// TransactionError says why the transaction failed, as nodes send it; nil when it succeeded.
	// Wire name: error.
	TransactionError json.RawMessage `json:"error"`

	DecodedError *DecodedError `json:"decodedError"` // TransactionError in words; nil when unknown

	// AttemptedNativeTransfers and AttemptedTokenTransfers include the transfers of a failed
	// transaction, which moved nothing. The methods NativeTransfers and TokenTransfers leave these
	// out. Wire names: nativeTransfers, tokenTransfers.
	AttemptedNativeTransfers []NativeTransfer `json:"nativeTransfers"`
	AttemptedTokenTransfers  []TokenTransfer  `json:"tokenTransfers"`

	Summary      *Summary      `json:"summary"`      // nil without one
	Instructions []Instruction `json:"instructions"` // in execution order, inner ones included
}

// UnmarshalJSON makes TransactionError nil when it is null.
func (t *Transaction) UnmarshalJSON(b []byte) error {
	type plain Transaction // without this method
	err := decode.Value(b, (*plain)(t))
	t.TransactionError = decode.Present(t.TransactionError)
	return err
}

// Failed reports whether the transaction failed, or whether its status is unknown.
func (t *Transaction) Failed() bool { return t.Status != StatusOK || t.TransactionError != nil }

// NativeTransfers returns the transfers of SOL; none of a failed transaction.
func (t *Transaction) NativeTransfers() []NativeTransfer {
	if t.Failed() {
		return nil
	}
	return t.AttemptedNativeTransfers
}

// TokenTransfers returns the transfers of tokens; none of a failed transaction.
func (t *Transaction) TokenTransfers() []TokenTransfer {
	if t.Failed() {
		return nil
	}
	return t.AttemptedTokenTransfers
}

// A DecodedError is the error of a failed instruction in words.
type DecodedError struct {
	InstructionIndex int           `json:"instructionIndex"` // of the failed instruction
	ProgramID        types.Address `json:"programId"`
	ProgramName      string        `json:"programName"`
	Code             int64         `json:"code"` // of the program
	Name             string        `json:"name"`
	Message          string        `json:"msg"` // empty when unknown. Wire name: msg
}
