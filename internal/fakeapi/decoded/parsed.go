// Package decoded answers Parsed Events with views of the world.
package decoded

import (
	"encoding/json"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/internal/fakeapi/node"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
)

// resultOf returns the result for a signature; x is nil if it is unknown.
func resultOf(w *world.World, signature string, x *world.Transaction, raw string) json.RawMessage {
	if x == nil {
		return world.JSON(`{"signature":?,"parserStatus":"ERROR","parserError":{"code":"transaction_not_found","message":"transaction not found"}}`, signature)
	}
	t := parse(w, x)
	var rawTransaction any
	if raw != "" && raw != "none" {
		rawTransaction = node.Text(w, x, node.Options{Encoding: raw, Index: true, Version: true})
	}
	return world.JSON(`{"signature":?,"parserStatus":"OK","parsed":{"slot":?,"blockTime":?,"fee":?,"feePayer":?,"transactionStatus":?,"error":?,`+
		`"decodedError":?,"nativeTransfers":?,"tokenTransfers":?,"summary":?,"instructions":?},"rawTransaction":~}`,
		signature, x.Slot, w.BlockTime(x), x.Fee, x.FeePayer, t.status, x.Reason().Err, t.decodedErr, t.native, t.tokens, t.summary, t.texts, rawTransaction)
}

// A transaction is a transaction of the world as Parsed Events decode it.
type transaction struct {
	status         string
	decodedErr     json.RawMessage
	native, tokens []json.RawMessage
	summary        json.RawMessage
	calls          []world.Instruction // with their inner calls
	inner          []bool              // whether another call makes them
	texts          []json.RawMessage
}

func parse(w *world.World, x *world.Transaction) *transaction {
	t := &transaction{status: "OK"}
	t.native, t.tokens = node.Transfers(w, x, func(raw uint64, decimals int) json.RawMessage {
		return world.JSON(`"rawTokenAmount":?,"decimals":?`, raw, decimals)
	})
	calls, failure := w.Calls(x), x.Reason()
	for i, call := range calls {
		for j, one := range call.WithInner() {
			summary := summaryOf(&one)
			t.calls, t.inner, t.texts = append(t.calls, one), append(t.inner, j > 0), append(t.texts, textOf(one, i, j-1, summary))
			if j == 0 && (call.Is("route") || len(calls) == 1) { // a swap, or the only instruction
				t.summary = summary
			}
		}
		if i == failure.Index && failure.Code >= 0 {
			if is := world.Layouts()[call.Program].Errors[failure.Code]; is[0] != "" {
				t.decodedErr = world.JSON(`{"instructionIndex":?,"programId":?,"programName":?,"code":?,"name":?,"msg":?}`,
					i, call.Program, call.Decoded().ProgramName, failure.Code, is[0], is[1])
			}
		}
		if x.Failure != "" && call.Is("route") { // the attempted transfer
			t.native = append(t.native, world.JSON(`{"fromUserAccount":?,"toUserAccount":?,"amount":?}`, call.Accounts[0], call.Accounts[1], call.Number(8)))
		}
	}
	if x.Failure != "" {
		t.status = "ERROR"
	}
	return t
}

// textOf returns the sent form of an instruction. Inner is its place in another one, negative
// for none.
func textOf(call world.Instruction, index, inner int, summary json.RawMessage) json.RawMessage {
	call = call.Decoded()
	var place, decoded any
	height := 1
	if inner >= 0 {
		place, height = inner, 2
	}
	if call.Name != "" {
		var accounts []json.RawMessage
		for i, r := range call.Roles[:min(len(call.Roles), len(call.Accounts))] {
			accounts = append(accounts, world.JSON(`{"name":?,"pubkey":?,"isSigner":?,"isWritable":?}`, r.Name, call.Accounts[i], r.Signer, r.Writable))
		}
		decoded = world.JSON(`{"args":?,"accounts":?}`, call.Args, accounts)
	}
	return world.JSON(`{"instructionIndex":?,"innerInstructionIndex":?,"stackHeight":?,"programId":?,"rawAccounts":?,"rawData":?,`+
		`"summary":?,"programName":!,"instructionName":!,"decoded":?}`,
		index, place, height, call.Program, call.Accounts, base58.Encode(call.Data), summary, call.ProgramName, call.Name, decoded)
}

// summaryOf describes transfers and swaps, nil for other instructions.
func summaryOf(call *world.Instruction) json.RawMessage {
	switch {
	case call.Is("route"):
		in, quoted := world.Text(call.Number(8), 0), world.Text(call.Number(16), 0)
		return world.JSON(`{"type":"swap","description":?,"parsedData":{"inAmount":?,"outAmount":?}}`, "Swap of "+in+" for "+quoted, in, quoted)
	case call.Is("transfer"):
		return transferSummary(call.Number(4), 9)
	case call.Is("transferChecked"):
		return transferSummary(call.Number(1), int(call.Data[9]))
	}
	return nil
}

func transferSummary(amount uint64, decimals int) json.RawMessage {
	return world.JSON(`{"type":"transfer","description":?,"parsedData":{"amount":?}}`, "Transfer of "+world.Text(amount, decimals), world.Text(amount, 0))
}
