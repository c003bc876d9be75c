package rpc

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/bench"
	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
)

// Pages of the listings in their envelope, made by a generator with a fixed seed, so
// that decoding them is comparable between commits.

func random() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

func randomBytes(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// accountsPage is a page of n token accounts in base64.
func accountsPage(n int) []byte {
	r := random()
	items := make([]string, n)
	for i := range items {
		items[i] = fmt.Sprintf(`{"pubkey":"%s","account":{"lamports":2039280,"data":["%s","base64"],"owner":"`+string(types.TokenProgram)+`",`+
			`"executable":false,"rentEpoch":18446744073709551615,"space":165}}`, base58.Encode(randomBytes(r, 32)), base64.StdEncoding.EncodeToString(randomBytes(r, 165)))
	}
	return []byte(`{"jsonrpc":"2.0","id":"1","result":{"context":{"apiVersion":"3.1.6","slot":371234567},"value":{"accounts":[` + strings.Join(items, ",") +
		`],"paginationKey":"` + base58.Encode(randomBytes(r, 32)) + `","totalResults":null}}}`)
}

// transactionsPage is a page of n whole transactions: swaps with 20 accounts, 4
// instructions, 10 inner ones, 8 token balances and 40 messages.
func transactionsPage(n int) []byte {
	r := random()
	address := func() string { return base58.Encode(randomBytes(r, 32)) }
	list := func(n int, item func() string) string {
		items := make([]string, n)
		for i := range items {
			items[i] = item()
		}
		return strings.Join(items, ",")
	}
	instruction := func() string {
		return fmt.Sprintf(`{"accounts":[%d,4,5,6,7,8,9],"data":"%s","programIdIndex":%d,"stackHeight":2}`,
			r.IntN(20), base58.Encode(randomBytes(r, 24)), r.IntN(20))
	}
	balance := func() string {
		return fmt.Sprintf(`{"accountIndex":%d,"mint":"%s","owner":"%s","programId":"`+string(types.TokenProgram)+`",`+
			`"uiTokenAmount":{"amount":"%d","decimals":6,"uiAmount":1234.5,"uiAmountString":"1234.5"}}`, r.IntN(20), address(), address(), r.Uint64())
	}
	lamports := func() string { return fmt.Sprint(r.Uint64()) }
	items := list(n, func() string {
		return `{"slot":371234567,"transactionIndex":12,"blockTime":1790000000,"version":0,"transaction":{"signatures":["` + base58.Encode(randomBytes(r, 64)) + `"],` +
			`"message":{"accountKeys":[` + list(16, func() string { return `"` + address() + `"` }) + `],"header":{"numReadonlySignedAccounts":0,"numReadonlyUnsignedAccounts":6,"numRequiredSignatures":1},` +
			`"recentBlockhash":"` + address() + `","addressTableLookups":[{"accountKey":"` + address() + `","readonlyIndexes":[2,9],"writableIndexes":[0,3]}],"instructions":[` + list(4, instruction) + `]}},` +
			`"meta":{"err":null,"fee":10005,"status":{"Ok":null},"computeUnitsConsumed":181234,"costUnits":190000,"rewards":[],` +
			`"loadedAddresses":{"readonly":["` + address() + `","` + address() + `"],"writable":["` + address() + `","` + address() + `"]},` +
			`"innerInstructions":[{"index":2,"instructions":[` + list(10, instruction) + `]}],` +
			`"logMessages":[` + list(40, func() string { return `"Program ` + address() + ` consumed 4645 of 181234 compute units"` }) + `],` +
			`"preBalances":[` + list(20, lamports) + `],"postBalances":[` + list(20, lamports) + `],` +
			`"preTokenBalances":[` + list(4, balance) + `],"postTokenBalances":[` + list(4, balance) + `]}}`
	})
	return []byte(`{"jsonrpc":"2.0","id":"1","result":{"data":[` + items + `],"paginationToken":"371234567:12"}}`)
}

type (
	accountsEnvelope struct {
		Result programPage `json:"result"`
	}
	transactionsEnvelope[T any] struct {
		Result historyPage[T] `json:"result"`
	}
)

// A plainTransaction is a transaction in a hand-written client that never asks a node
// to parse one: encoding/json then reads it in one pass.
type plainTransaction struct {
	transaction

	Signed struct {
		Signatures []types.Signature `json:"signatures"`
		Message    struct {
			tx.Message

			Instructions []plainInstruction `json:"instructions"`
		} `json:"message"`
	} `json:"transaction"`
	Meta struct {
		meta

		InnerInstructions []struct {
			Index        int                `json:"index"`
			Instructions []plainInstruction `json:"instructions"`
		} `json:"innerInstructions"`
	} `json:"meta"`
}

type plainInstruction tx.Instruction // without UnmarshalJSON

// same returns the transaction as ours decodes it.
func (t *plainTransaction) same() transaction {
	list := func(plain []plainInstruction) []tx.Instruction {
		all := make([]tx.Instruction, len(plain))
		for i := range plain {
			all[i] = tx.Instruction(plain[i])
		}
		return all
	}
	same := t.transaction
	same.Signed = tx.Signed{Signatures: t.Signed.Signatures, Message: t.Signed.Message.Message}
	same.Signed.Message.Instructions = list(t.Signed.Message.Instructions)
	same.Meta = t.Meta.meta
	for _, inner := range t.Meta.InnerInstructions {
		same.Meta.InnerInstructions = append(same.Meta.InnerInstructions, tx.InnerInstructions{Index: inner.Index, Instructions: list(inner.Instructions)})
	}
	return same
}

func TestBothDecodersReadTheSamePages(t *testing.T) {
	t.Parallel()
	var a, b accountsEnvelope
	require.NoError(t, decode.JSON(accountsPage(20), &a))
	require.NoError(t, json.Unmarshal(accountsPage(20), &b))
	require.Equal(t, b, a)
	require.Len(t, a.Result.Value.Accounts, 20)

	var ours transactionsEnvelope[*transaction]
	var other transactionsEnvelope[plainTransaction]
	require.NoError(t, decode.JSON(transactionsPage(5), &ours))
	require.NoError(t, json.Unmarshal(transactionsPage(5), &other))
	require.Len(t, ours.Result.Data, 5)
	for i := range ours.Result.Data {
		require.Equal(t, other.Result.Data[i].same(), *ours.Result.Data[i])
	}
	require.Len(t, ours.Result.Data[4].Meta.InnerInstructions[0].Instructions, 10)
}

func listings() []bench.Listing {
	accounts, transactions := accountsPage(10_000), transactionsPage(100)
	return []bench.Listing{
		{Name: "ProgramAccounts", Items: 10_000, Allocs: 5.1, Ours: bench.Decoded[accountsEnvelope](decode.JSON, accounts), Other: bench.Decoded[accountsEnvelope](json.Unmarshal, accounts)},
		{
			Name: "TransactionsForAddress", Items: 100, Allocs: 182, Ours: bench.Decoded[transactionsEnvelope[*transaction]](decode.JSON, transactions),
			Other: bench.Decoded[transactionsEnvelope[plainTransaction]](json.Unmarshal, transactions),
		},
	}
}

func BenchmarkDecode(b *testing.B) { bench.Decode(b, listings()) }
