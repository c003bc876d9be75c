package fakeapi_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
	"github.com/solwire/solwire-go/internal/golden"
	"github.com/solwire/solwire-go/types"
)

const (
	jsonParsedATA = string(types.AssociatedTokenProgram)
	budget        = string(types.ComputeBudgetProgram)
)

// A signer is a wallet whose key the test has.
type signer struct {
	key     ed25519.PrivateKey
	address string
}

func signerOf(n byte) signer {
	key := ed25519.NewKeyFromSeed(slices.Repeat([]byte{n}, 32))
	return signer{key, base58.Encode(key[32:])}
}

type instruction struct {
	program  string
	accounts []string
	data     []byte
}

// signed returns a transaction of one signer in base64.
func signed(t *testing.T, s *fakeapi.Service, by signer, calls ...instruction) string {
	t.Helper()
	keys := []string{by.address}
	index := func(key string) byte {
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
		return byte(slices.Index(keys, key))
	}
	body := []byte{byte(len(calls))}
	for _, c := range calls {
		var accounts []byte
		for _, a := range c.accounts {
			accounts = append(accounts, index(a))
		}
		body = slices.Concat(body, []byte{index(c.program), byte(len(accounts))}, accounts, []byte{byte(len(c.data))}, c.data)
	}
	message := []byte{1, 0, 0, byte(len(keys))}
	for _, key := range keys {
		message = append(message, world.Key(key)...)
	}
	w := s.World()
	w.Lock()
	message = append(message, world.Key(world.Blockhash(w.Slot()))...)
	w.Unlock()
	message = append(message, body...)
	return base64.StdEncoding.EncodeToString(slices.Concat([]byte{1}, ed25519.Sign(by.key, message), message))
}

func amount(kind byte, n uint64, more ...byte) []byte {
	return append(binary.LittleEndian.AppendUint64([]byte{kind}, n), more...)
}

// live returns a service with wallets of two signers, whose time stands still otherwise.
func live(t *testing.T) (s *fakeapi.Service, ann, bob signer) {
	t.Helper()
	ann, bob = signerOf(1), signerOf(2)
	b := world.NewBuilder("")
	b.Wallet(ann.address, "3")
	b.Hold(ann.address, world.Token{Mint: usdc, Decimals: 6}, "25000")
	b.Hold(ann.address, world.Token{Mint: world.WrappedSOL, Decimals: 9}, "1.5")
	b.Wallet(bob.address, "1")
	w, err := b.World()
	require.NoError(t, err)
	return fakeapi.NewOf(w), ann, bob
}

func ataOf(t *testing.T, owner, mint string) string {
	t.Helper()
	a, err := types.AssociatedTokenAddress(types.Address(owner), types.Address(mint), types.TokenProgram)
	require.NoError(t, err)
	return string(a)
}

func sent(t *testing.T, s *fakeapi.Service, text, options string) (signature, failure string) {
	t.Helper()
	result, failure := call(t, s, "sendTransaction", fmt.Sprintf(`[%q,{"encoding":"base64"%s}]`, text, options))
	_ = json.Unmarshal([]byte(result), &signature)
	return signature, failure
}

// The execution of common instructions, as balances show it, and the fee of the price.
func TestSentInstructionsAreExecuted(t *testing.T) {
	t.Parallel()
	s, ann, bob := live(t)
	from, to, wrapped := ataOf(t, ann.address, usdc), ataOf(t, bob.address, usdc), ataOf(t, ann.address, world.WrappedSOL)
	require.Equal(t, "25000000000", read[struct{ Value struct{ Amount string } }](t, s, "getTokenAccountBalance", `[%q]`, from).Value.Amount,
		"tokens of a world are at the associated address")
	create := instruction{jsonParsedATA, []string{ann.address, to, bob.address, usdc, world.System, tokenProgram}, []byte{1}}
	// the older transfer, a burn, a memo and a budget of 1000 units at 1500 micro-lamports
	text := signed(t, s, ann,
		instruction{budget, nil, []byte{2, 232, 3, 0, 0}}, instruction{budget, nil, amount(3, 1500)}, create,
		instruction{tokenProgram, []string{from, to, ann.address}, amount(3, 4_000_000)},
		instruction{tokenProgram, []string{from, usdc, to, ann.address}, amount(12, 1_000_000, 6)},
		instruction{tokenProgram, []string{from, usdc, ann.address}, amount(8, 5)},
		instruction{world.MemoProgram, []string{ann.address}, []byte("rent")},
		instruction{tokenProgram, []string{wrapped, bob.address, ann.address}, []byte{9}},
	)
	type simulation struct {
		Value struct {
			Err                       any
			Fee, UnitsConsumed        uint64
			PreBalances, PostBalances []uint64
			Logs                      []string
		}
	}
	before := read[simulation](t, s, "simulateTransaction", `[%q,{"encoding":"base64"}]`, text).Value
	signature, failure := sent(t, s, text, "")
	require.Empty(t, failure)
	type landed struct {
		Meta struct {
			Err                       any
			Fee                       uint64
			PreBalances, PostBalances []uint64
			PreTokenBalances          []struct{ AccountIndex int }
		}
	}
	x := read[landed](t, s, "getTransaction", `[%q]`, signature).Meta
	require.Nil(t, x.Err)
	require.EqualValues(t, 5002, x.Fee, "1.5 lamports rounded up")
	require.Equal(t, x.Fee, before.Fee)
	require.Equal(t, x.PreBalances, before.PreBalances)
	require.Equal(t, x.PostBalances, before.PostBalances, "it did what it would do")
	require.Len(t, x.PreTokenBalances, 2, "the created account was not there")
	parsed := read[struct {
		Transaction struct {
			Message struct {
				Instructions []struct{ Parsed json.RawMessage }
			}
		}
	}](t, s, "getTransaction", `[%q,{"encoding":"jsonParsed"}]`, signature).Transaction.Message.Instructions
	require.JSONEq(t, fmt.Sprintf(`{"type":"transfer","info":{"source":%q,"destination":%q,"authority":%q,"amount":"4000000"}}`, from, to, ann.address),
		string(parsed[3].Parsed))
	for account, want := range map[string]string{from: "24994999995", to: "5000000"} {
		require.Equal(t, want, read[struct{ Value struct{ Amount string } }](t, s, "getTokenAccountBalance", `[%q]`, account).Value.Amount)
	}
	lamports := func(address string) uint64 {
		return read[struct{ Value uint64 }](t, s, "getBalance", `[%q]`, address).Value
	}
	const rent = 2_039_280
	require.Equal(t, uint64(3_000_000_000-5002-rent), lamports(ann.address))
	require.Equal(t, uint64(1_000_000_000+1_500_000_000+rent), lamports(bob.address), "who got what was wrapped")
	require.Zero(t, lamports(wrapped), "it was closed")
	require.Equal(t, "24999999995", read[struct{ Value struct{ Amount string } }](t, s, "getTokenSupply", `[%q]`, usdc).Value.Amount)
}

// As Agave 4.2.2 refuses.
func TestSentTransactionsAreRefused(t *testing.T) {
	t.Parallel()
	s, ann, bob := live(t)
	from := ataOf(t, ann.address, usdc)
	pay := func(n uint64) instruction {
		return instruction{world.System, []string{ann.address, bob.address}, append([]byte{2, 0, 0, 0}, amount(0, n)[1:]...)}
	}
	const failed = "Transaction simulation failed: "
	for _, row := range []struct {
		call  instruction
		says  string
		error string // of the transaction
	}{
		{pay(4_000_000_000), failed + "Error processing Instruction 0: custom program error: 0x1", `{"InstructionError":[0,{"Custom":1}]}`},
		{instruction{someone, nil, []byte{1}}, failed + "Attempt to load a program that does not exist", `"ProgramAccountNotFound"`},
		{instruction{tokenProgram, []string{from, from, bob.address}, amount(3, 1)}, failed + "Error processing Instruction 0: custom program error: 0x4", `{"InstructionError":[0,{"Custom":4}]}`},
		{instruction{world.System, []string{ann.address, someone}, append([]byte{2, 0, 0, 0}, amount(0, 1000)[1:]...)}, failed + "Transaction results in an account (1) with insufficient funds for rent", `{"InsufficientFundsForRent":{"account_index":1}}`},
		{instruction{tokenProgram, []string{usdc, someone}, []byte{20}}, "the fake does not execute instruction 20 of the token program " + tokenProgram, ""},
		{instruction{world.System, []string{ann.address, someone}, make([]byte, 52)}, "the fake does not execute instruction 0 of the system program", ""},
	} {
		text := signed(t, s, ann, row.call)
		_, failure := sent(t, s, text, "")
		require.Contains(t, failure, row.says)
		if row.error == "" {
			_, failure = sent(t, s, text, `,"skipPreflight":true`)
			require.Contains(t, failure, row.says)
			continue
		}
		value := read[struct{ Value struct{ Err json.RawMessage } }](t, s, "simulateTransaction", `[%q,{"encoding":"base64"}]`, text).Value
		require.Equal(t, row.error, string(value.Err))
		signature, failure := sent(t, s, text, `,"skipPreflight":true`)
		require.Empty(t, failure)
		require.Equal(t, row.error, string(read[struct{ Meta struct{ Err json.RawMessage } }](t, s, "getTransaction", `[%q]`, signature).Meta.Err), "it lands and fails")
	}
	_, failure := sent(t, s, signed(t, s, ann, instruction{budget, nil, amount(3, 1)}, instruction{budget, nil, amount(3, 1)}), "")
	require.Contains(t, failure, "Transaction contains a duplicate instruction (1) that is not allowed")
	_, failure = sent(t, s, signed(t, s, signerOf(3), pay(1)), "")
	require.Contains(t, failure, "Attempt to debit an account but found no record of a prior credit.")
}

// A captured transaction of version 1 costs as much as there, and a sent one is read as it was
// sent.
func TestTransactionsOfVersion1AreExecuted(t *testing.T) {
	t.Parallel()
	captured, _ := golden.Answer("rpc/getTransaction-v1-base64")
	var there struct {
		Result struct {
			Transaction [2]string
			Meta        struct{ Fee uint64 }
		}
	}
	require.NoError(t, json.Unmarshal(captured, &there))
	_, ann, _ := live(t)
	b := world.NewBuilder("")
	b.Wallet("5yKZaJ1YxcYmyfiiLvXWv8DoyGrGwvcBPDP28hmsqKGF", "3")
	b.Wallet(ann.address, "3")
	w, err := b.World()
	require.NoError(t, err)
	s := fakeapi.NewOf(w)
	type simulation struct {
		Value struct {
			Err any
			Fee uint64
		}
	}
	would := read[simulation](t, s, "simulateTransaction", `[%q,{"encoding":"base64","replaceRecentBlockhash":true}]`, there.Result.Transaction[0]).Value
	require.Nil(t, would.Err)
	require.Equal(t, there.Result.Meta.Fee, would.Fee)

	message, err := base64.StdEncoding.DecodeString(there.Result.Transaction[0])
	require.NoError(t, err)
	message = message[:len(message)-64]
	copy(message[8:], world.Key(world.Blockhash(w.Slot())))
	copy(message[42:], ann.key[32:])
	signature, failure := sent(t, s, base64.StdEncoding.EncodeToString(slices.Concat(message, ed25519.Sign(ann.key, message))), "")
	require.Empty(t, failure)
	type landed struct {
		Version     int
		Transaction struct {
			Message struct{ TransactionConfig json.RawMessage }
		}
	}
	x := read[landed](t, s, "getTransaction", `[%q,{"maxSupportedTransactionVersion":1}]`, signature)
	require.Equal(t, 1, x.Version)
	require.JSONEq(t, `{"computeUnitLimit":50000,"heapSize":65536,"loadedAccountsDataSizeLimit":2000000,"priorityFee":7}`, string(x.Transaction.Message.TransactionConfig))
	_, failure = call(t, s, "getTransaction", fmt.Sprintf(`[%q,{"maxSupportedTransactionVersion":0}]`, signature))
	require.Contains(t, failure, "-32015")
}

func TestAirdropOfDevnet(t *testing.T) {
	t.Parallel()
	s, ann, _ := live(t)
	params := fmt.Sprintf(`[%q,1000000000]`, ann.address)
	_, failure := call(t, s, "requestAirdrop", params)
	require.Contains(t, failure, "-32600")
	s.World().Network = types.NetworkDevnet
	_, failure = call(t, s, "requestAirdrop", params)
	require.Empty(t, failure)
	require.Equal(t, uint64(4_000_000_000), read[struct{ Value uint64 }](t, s, "getBalance", `[%q]`, ann.address).Value)
}
