package solanago_test

import (
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
	theirs "github.com/gagliardetto/solana-go/rpc"
	"github.com/gagliardetto/solana-go/rpc/jsonrpc"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/tx"
)

// The other names of solana-go in docs/from-solana-go.md.
var (
	_ error                 = theirs.ErrNotFound
	_ error                 = (*jsonrpc.RPCError)(nil)
	_                       = theirs.New
	_ theirs.CommitmentType = theirs.CommitmentFinalized
)

// Each method in the table of docs/from-solana-go.md exists: left in solana-go, right in package
// rpc or rpc/stream.
func TestMethodsOfTheGuideExist(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../../docs/from-solana-go.md")
	require.NoError(t, err)
	methods := []*regexp.Regexp{regexp.MustCompile("`(?:client\\.)?((?:Get|RPC)\\w+)"), regexp.MustCompile("`(?:client\\.)?([A-Z]\\w+)")}
	sides := []reflect.Type{reflect.TypeFor[*theirs.Client](), reflect.TypeFor[*rpc.Client]()}
	data := []reflect.Type{reflect.TypeFor[*theirs.DataBytesOrJSON](), reflect.TypeFor[*rpc.Data]()}
	checked := 0
	for line := range strings.Lines(string(guide)) {
		cells := strings.Split(line, "|")
		if len(cells) != 4 || strings.HasPrefix(line, "|-") {
			continue
		}
		for side, cell := range cells[1:3] {
			of := sides[side]
			if strings.Contains(cell, "package `rpc/stream`") {
				of = reflect.TypeFor[*stream.Client]()
			}
			for _, m := range methods[side].FindAllStringSubmatch(cell, -1) {
				_, ok := of.MethodByName(m[1])
				require.True(t, ok, "%s has no method %s", of, m[1])
				checked++
			}
			if _, name, ok := strings.Cut(cell, "account.Data."); ok {
				name, _, _ = strings.Cut(name, "(")
				_, ok := data[side].MethodByName(name)
				require.True(t, ok, "%s has no method %s", data[side], name)
			}
		}
	}
	require.Greater(t, checked, 30)
}

// A transaction of solana-go for addresses and a blockhash of this module.
func TestTransactionWithTheBlockhashOfThisModule(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	client, err := rpc.New(fake.Config())
	require.NoError(t, err)
	wallet := solana.NewWallet()
	key := wallet.PublicKey()
	var signed *solana.Transaction
	require.NoError(t, func() error {
		owner := types.AddressOf(key) // key is a solana.PublicKey
		raw, err := owner.Key()
		if err != nil {
			return err // not base58 of 32 bytes
		}
		key = solana.PublicKey(raw)
		latest, err := client.LatestBlockhash(ctx, nil)
		if err != nil {
			return err
		}
		hash, err := solana.HashFromBase58(string(latest.Hash))
		if err != nil {
			return err
		}
		memo := solana.NewInstruction(solana.MemoProgramID, solana.AccountMetaSlice{solana.Meta(key).SIGNER()}, []byte("hello"))
		signed, err = solana.NewTransaction([]solana.Instruction{memo}, hash)
		return err
	}())
	_, err = signed.Sign(func(solana.PublicKey) *solana.PrivateKey { return &wallet.PrivateKey })
	require.NoError(t, err)
	require.NoError(t, signed.VerifySignatures())
	require.Equal(t, wallet.PublicKey(), signed.Message.AccountKeys[0])
}

func TestMethodWithoutAFunction(t *testing.T) {
	t.Parallel()
	s := fake.New(nil)
	s.Fail("", 1, fake.Fault{Body: `{"jsonrpc":"2.0","id":1,"result":415}`})
	client, err := rpc.New(s.Config())
	require.NoError(t, err)
	ctx := t.Context()
	require.NoError(t, func() error {
		var slot uint64
		if err := client.Call(ctx, "getMaxShredInsertSlot", nil, &slot); err != nil {
			return err
		}
		require.EqualValues(t, 415, slot)
		return nil
	}())
}

// solana.TransactionFromBytes decodes version 0, and not version 1: the guide says so.
func TestTransactionFromBytes(t *testing.T) {
	t.Parallel()
	for file, fails := range map[string]bool{"getTransaction-base64": false, "getTransaction-v1-base64": true} {
		body, err := os.ReadFile("../../golden/rpc/" + file + ".json")
		require.NoError(t, err)
		var in struct{ Result tx.Transaction }
		require.NoError(t, json.Unmarshal(body, &in))
		b, err := in.Result.Signed.Bytes()
		require.NoError(t, err)
		_, err = solana.TransactionFromBytes(b)
		require.Equal(t, fails, err != nil, "%s: %v", file, err)
	}
}
