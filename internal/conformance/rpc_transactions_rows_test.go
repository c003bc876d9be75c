package conformance_test

import (
	"encoding/base64"
	"slices"
	"strings"
	"time"

	"github.com/solwire/solwire-go/internal/golden"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
)

func rpcTransactionRows() []row {
	return slices.Concat(transactionRows(), sendRows(), signatureRows(), blockRows())
}

// A shownTransaction is a transaction with the wire name that nodes give its position.
type shownTransaction struct {
	tx.Transaction
	Index uint64 `json:"transactionIndex"`
}

func shownTx(t *tx.Transaction) *shownTransaction {
	if t == nil {
		return nil
	}
	s := &shownTransaction{*t, t.IndexWithinBlock}
	s.IndexWithinBlock, s.Signature = 0, "" // the signature is the first one of Signed
	return s
}

const (
	notAVersion = `MaxVersion "2.0" is not legacy or a number from 0 to 255`
	notZstd     = `Encoding "base64+zstd" is not json, jsonParsed, base64 or base58`
)

func transactionRows() []row {
	get := func(s types.Signature, o *rpc.TransactionOptions) call {
		return calling("rpc.Client.Transaction", s, o)
	}
	one := row{
		method: "rpc.Client.Transaction", wire: "getTransaction", shape: as(shownTx),
		minimal: get(sig1, nil),
		full:    get(sig1, &rpc.TransactionOptions{Commitment: types.CommitmentConfirmed, Encoding: types.EncodingJSON, MaxVersion: "255", MinContextSlot: 5, Wait: time.Nanosecond}),
		beside:  []string{"status"}, needs: []string{"result.transaction"}, null: nullIsNotFound,
		keys: []string{"result.transaction.signatures.0"}, // which is compared with the argument
		refused: []refusal{
			{get(sig1, &rpc.TransactionOptions{Commitment: types.CommitmentProcessed}), notProcessed},
			{get(sig1, &rpc.TransactionOptions{Encoding: types.EncodingBase64Zstd}), notZstd},
			{get(sig1, &rpc.TransactionOptions{MaxVersion: "2.0"}), notAVersion},
			{get(sig1, &rpc.TransactionOptions{MaxVersion: "1", Encoding: types.EncodingBase58}), `MaxVersion "1" does not go with base58, in which nodes send no such transactions; use EncodingBase64`},
		},
	}
	variant := func(name string, o *rpc.TransactionOptions) row {
		return one.variant(name, get(requested("rpc/getTransaction-"+name), o))
	}
	encoded := func(name string, e types.Encoding) row { return variant(name, &rpc.TransactionOptions{Encoding: e}) }
	many := func(list ...types.Signature) call { return calling("rpc.Client.Transactions", list) }
	batch := row{
		method: "rpc.Client.Transactions", wire: "getTransaction", golden: "rpc/getTransaction-batch",
		shape: as(func(all []*tx.Transaction) any { return shownTx(all[0]) }),
		full:  many(sig1, sig2), answer: "0.result", beside: []string{"status"}, needs: []string{"0.result.transaction"}, keys: []string{"0.result.transaction.signatures.0"},
		refused: []refusal{
			{calling("rpc.Client.Transactions", nil, &rpc.TransactionOptions{MaxVersion: "2.0"}), notAVersion},
			{calling("rpc.Client.Transactions", nil, &rpc.TransactionOptions{Wait: time.Second}), "Wait is an option of Client.Transaction"},
		},
	}
	return []row{
		one, variant("v1", nil), variant("legacy", &rpc.TransactionOptions{MaxVersion: "legacy"}),
		variant("failed", nil), variant("fee", nil), variant("returned", nil),
		encoded("jsonParsed", types.EncodingJSONParsed), encoded("v1-jsonParsed", types.EncodingJSONParsed), encoded("inner-jsonParsed", types.EncodingJSONParsed),
		encoded("base64", types.EncodingBase64), encoded("v1-base64", types.EncodingBase64), encoded("base58", types.EncodingBase58),
		batch,
	}
}

// requested returns the signature in a golden request.
func requested(name string) types.Signature {
	body, _ := golden.Full(name)
	_, after, _ := strings.Cut(string(body), `"params":["`)
	signature, _, _ := strings.Cut(after, `"`)
	return types.Signature(signature)
}

// sent returns the bytes of a transaction in a golden request.
func sent(name string) []byte {
	body, _ := golden.Full(name)
	_, after, _ := strings.Cut(string(body), `"params":["`)
	text, _, _ := strings.Cut(after, `"`)
	b, _ := base64.StdEncoding.DecodeString(text)
	return b
}

func sendRows() []row {
	signed, unsigned := sent("rpc/sendTransaction"), slices.Concat([]byte{1}, make([]byte, 100))
	send := func(o *rpc.SendOptions) call { return calling("rpc.Client.SendTransaction", signed, o) }
	one := row{
		// the signature is compared
		method: "rpc.Client.SendTransaction", wire: "sendTransaction", keys: []string{"result"}, small: true, changes: true,
		minimal: send(nil),
		full: send(&rpc.SendOptions{
			Commitment: types.CommitmentFinalized, SkipPreflight: true, MaxRetries: 3, MinContextSlot: 5, MEVProtect: true, RebateAddress: owner,
		}),
		refused: []refusal{
			{calling("rpc.Client.SendTransaction", []byte("x")), "signed: transaction of 1 bytes is not the bytes of a signed transaction"},
			{calling("rpc.Client.SendTransaction", unsigned), "signed: transaction is not signed"},
			{send(&rpc.SendOptions{MaxRetries: 1, NoRetries: true}), "MaxRetries does not go with NoRetries"},
			{send(&rpc.SendOptions{Sender: true, MEVProtect: true}), "Sender does not go with MaxRetries, MinContextSlot, MEVProtect or RebateAddress"},
			{send(&rpc.SendOptions{SWQoSOnly: true}), "SWQoSOnly requires Sender"},
		},
	}
	table := row{
		method: "rpc.Client.SimulateTransaction", wire: "simulateTransaction", beside: []string{"apiVersion"},
		shape:   as(func(s *rpc.Simulation) any { sent := *s; sent.Slot = 0; return &sent }),
		minimal: calling("rpc.Client.SimulateTransaction", sent("rpc/simulateTransaction"), nil),
		full: calling("rpc.Client.SimulateTransaction", sent("rpc/simulateTransaction"), &rpc.SimulateOptions{
			Commitment: types.CommitmentFinalized, ReplaceBlockhash: true, ShowInner: true, MinContextSlot: 5,
			Accounts: simulatedAccounts, Encoding: types.EncodingBase64Zstd,
		}),
		needs: []string{"result.value"},
		refused: []refusal{
			{calling("rpc.Client.SimulateTransaction", []byte(nil)), "transaction is empty"},
			{calling("rpc.Client.SimulateTransaction", signed, &rpc.SimulateOptions{VerifySignatures: true, ReplaceBlockhash: true}), "ReplaceBlockhash does not go with VerifySignatures: it makes the signatures wrong"},
			{calling("rpc.Client.SimulateTransaction", signed, &rpc.SimulateOptions{Encoding: types.EncodingBase58}), `Encoding "base58" is not jsonParsed, base64 or base64+zstd`},
		},
	}
	simulated := func(name string, o *rpc.SimulateOptions) row {
		return table.variant(name, calling("rpc.Client.SimulateTransaction", sent("rpc/simulateTransaction-"+name), o))
	}
	failed := simulated("failed", &rpc.SimulateOptions{VerifySignatures: true})
	return []row{
		one, one.variant("sender", send(&rpc.SendOptions{Sender: true, SWQoSOnly: true, NoRetries: true})),
		table, simulated("accounts", &rpc.SimulateOptions{Accounts: simulatedAccounts}), simulated("table", nil),
		simulated("replaced", &rpc.SimulateOptions{ReplaceBlockhash: true}), simulated("returned", nil), failed,
	}
}

// simulatedAccounts are accounts of the captured simulations.
var simulatedAccounts = []types.Address{"CQ65mDBPWup3mvhp8LwDZZmBGEJ6m4GaXCGs13Efo57J", "5yKZaJ1YxcYmyfiiLvXWv8DoyGrGwvcBPDP28hmsqKGF"}

func signatureRows() []row {
	statuses := func(o *rpc.SignatureStatusesOptions, list ...types.Signature) call {
		return calling("rpc.Client.SignatureStatuses", list, o)
	}
	history := func(o *rpc.SignaturesForAddressOptions) call {
		return calling("rpc.Client.SignaturesForAddress", owner, o)
	}
	page := row{
		method: "rpc.Client.SignaturesForAddress", unlisted: "its cursors are signatures", wire: "getSignaturesForAddress",
		minimal: history(nil),
		full:    history(&rpc.SignaturesForAddressOptions{PageOptions: types.PageOptions{Prefetch: true, Limit: 3, Cursor: sig1}, Commitment: types.CommitmentConfirmed, MinContextSlot: 5, Before: sig2, After: sig2}),
		needs:   []string{"result", "result.0.signature", "result.1.signature", "result.2.signature"},
		refused: []refusal{
			{history(&rpc.SignaturesForAddressOptions{Commitment: types.CommitmentProcessed}), notProcessed},
			{history(&rpc.SignaturesForAddressOptions{PageOptions: types.PageOptions{Cursor: "x"}}), `Cursor "x": signature has length 1, not 64 to 88`},
		},
	}
	failed := page.variant("failed", history(&rpc.SignaturesForAddressOptions{PageOptions: types.PageOptions{Limit: 3}}))
	failed.needs = []string{"result", "result.0.signature"}
	return []row{
		{
			method: "rpc.Client.SignatureStatuses", wire: "getSignatureStatuses", beside: []string{"status"},
			minimal: statuses(nil, sig1, sig2, sig1), full: statuses(&rpc.SignatureStatusesOptions{WholeHistory: true, Commitment: types.CommitmentConfirmed, MinContextSlot: 5}, sig1, sig2, sig1),
		},
		page, failed,
	}
}

// A shownBlock is a block without the details of its transactions.
func shownBlock(b *rpc.Block) *rpc.Block {
	sent := *b
	sent.Transactions = slices.Clone(b.Transactions)
	for i := range sent.Transactions {
		t := &sent.Transactions[i]
		t.Signature, t.Slot, t.IndexWithinBlock, t.BlockTime = "", 0, 0, types.Time{}
	}
	return &sent
}

func blockRows() []row {
	get := func(o *rpc.BlockOptions) call { return calling("rpc.Client.Block", 39, o) }
	block := row{
		method: "rpc.Client.Block", wire: "getBlock", shape: as(shownBlock),
		minimal: get(nil),
		full: get(&rpc.BlockOptions{
			Commitment: types.CommitmentConfirmed, Encoding: types.EncodingJSONParsed, MaxVersion: "0", Details: rpc.TransactionDetailsAccounts, HideRewards: true,
		}),
		beside: []string{"status"}, needs: []string{"result.blockhash"}, null: nullIsNotFound,
		refused: []refusal{
			{get(&rpc.BlockOptions{Commitment: types.CommitmentProcessed}), notProcessed},
			{get(&rpc.BlockOptions{Encoding: types.EncodingBase64Zstd}), notZstd},
			{get(&rpc.BlockOptions{MaxVersion: "2.0"}), notAVersion},
		},
	}
	variant := func(name string, o *rpc.BlockOptions) row { return block.variant(name, get(o)) }
	blocks := func(since, until uint64, o *rpc.CommitmentOptions) call {
		return calling("rpc.Client.Blocks", since, until, o)
	}
	limited := func(o *rpc.CommitmentOptions) call { return calling("rpc.Client.BlocksWithLimit", 39, 5, o) }
	processed := &rpc.CommitmentOptions{Commitment: types.CommitmentProcessed}
	return []row{
		block, variant("jsonParsed", &rpc.BlockOptions{Encoding: types.EncodingJSONParsed}), variant("base64", &rpc.BlockOptions{Encoding: types.EncodingBase64}),
		variant("accounts", &rpc.BlockOptions{Details: rpc.TransactionDetailsAccounts}), variant("signatures", &rpc.BlockOptions{Details: rpc.TransactionDetailsSignatures}),
		variant("none", &rpc.BlockOptions{Details: rpc.TransactionDetailsNone}), variant("no-rewards", &rpc.BlockOptions{Details: rpc.TransactionDetailsNone, HideRewards: true}),
		{method: "rpc.Client.BlockTime", wire: "getBlockTime", args: []any{39}, null: nullIsNotFound},
		{
			method: "rpc.Client.Blocks", wire: "getBlocks",
			minimal: blocks(39, 0, nil), full: blocks(39, allBits, confirmed),
			refused: []refusal{{blocks(1, 2, processed), notProcessed}, {blocks(2, 2, nil), "SinceSlot 2 is not before UntilSlot 2"}},
		},
		{
			method: "rpc.Client.BlocksWithLimit", wire: "getBlocksWithLimit",
			minimal: limited(nil), full: limited(confirmed),
			refused: []refusal{{limited(processed), notProcessed}},
		},
	}
}
