package solanago_test

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
	theirs "github.com/gagliardetto/solana-go/rpc"
	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/bench"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

// made returns n bytes of a generator with a fixed seed.
func made(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func repeated(n int, item func() string) string {
	items := make([]string, n)
	for i := range items {
		items[i] = item()
	}
	return strings.Join(items, ",")
}

// programAccounts is the response with n token accounts in base64, as a bare list.
func programAccounts(n int) string {
	r := rand.New(rand.NewPCG(1, 2))
	return `{"jsonrpc":"2.0","id":null,"result":[` + repeated(n, func() string {
		return fmt.Sprintf(`{"pubkey":"%s","account":{"lamports":2039280,"data":["%s","base64"],"owner":"`+string(types.TokenProgram)+`",`+
			`"executable":false,"rentEpoch":18446744073709551615,"space":165}}`, base58.Encode(made(r, 32)), base64.StdEncoding.EncodeToString(made(r, 165)))
	}) + `]}`
}

// block is the response with a block of n swaps.
func block(n int) string {
	r := rand.New(rand.NewPCG(1, 2))
	address := func() string { return `"` + base58.Encode(made(r, 32)) + `"` }
	instruction := func() string {
		return fmt.Sprintf(`{"accounts":[%d,4,5,6,7,8,9],"data":"%s","programIdIndex":%d,"stackHeight":2}`, r.IntN(16), base58.Encode(made(r, 24)), r.IntN(16))
	}
	lamports := func() string { return fmt.Sprint(r.Uint64()) }
	return `{"jsonrpc":"2.0","id":null,"result":{"blockHeight":5,"blockTime":1790000000,"blockhash":` + address() + `,"previousBlockhash":` + address() + `,"parentSlot":4,"transactions":[` +
		repeated(n, func() string {
			return `{"version":"legacy","transaction":["` + base64.StdEncoding.EncodeToString(made(r, 800)) + `","base64"],` +
				`"meta":{"err":null,"fee":10005,"status":{"Ok":null},"computeUnitsConsumed":181234,"rewards":[],"loadedAddresses":{"readonly":[],"writable":[]},` +
				`"innerInstructions":[{"index":2,"instructions":[` + repeated(10, instruction) + `]}],"logMessages":[` +
				repeated(40, func() string { return `"Program consumed 4645 of 181234 compute units of the budget"` }) +
				`],"preBalances":[` + repeated(16, lamports) + `],"postBalances":[` + repeated(16, lamports) + `],"preTokenBalances":[],"postTokenBalances":[]}}`
		}) + `]}}`
}

// both returns clients of both modules for a server with one response.
func both(b *testing.B, response string) (*rpc.Client, *theirs.Client) {
	b.Helper()
	url := bench.Serve(b, []byte(response))
	ours, err := rpc.New(types.Config{APIKey: types.Key("x"), RPCURL: url})
	require.NoError(b, err)
	return ours, theirs.New(url)
}

// BenchmarkProgramAccounts lists 10 000 token accounts in base64. Solana-go decodes
// addresses and data, which ours leaves to the caller: with Decoded, ours decodes them
// too.
func BenchmarkProgramAccounts(b *testing.B) {
	const n = 10_000
	_, other := both(b, programAccounts(n))
	ours, _ := both(b, strings.Replace(programAccounts(n), `"result":[`, `"result":{"accounts":[`, 1)+"}")
	list := func() (*types.Page[rpc.ProgramAccount], error) {
		return ours.ProgramAccounts(b.Context(), types.TokenProgram, &rpc.ProgramAccountsOptions{AccountOptions: rpc.AccountOptions{Encoding: types.EncodingBase64}}).Page()
	}
	raw := func() error {
		_, err := list()
		return err
	}
	decoded := func() error {
		accounts, err := list()
		if err != nil {
			return err
		}
		for i := range accounts.Items {
			if _, err := accounts.Items[i].Address.Bytes(); err != nil {
				return err
			}
			if _, err := accounts.Items[i].Account.Owner.Bytes(); err != nil {
				return err
			}
			if _, err := accounts.Items[i].Account.Data.Bytes(); err != nil {
				return err
			}
		}
		return nil
	}
	solanaGo := func() error {
		_, err := other.GetProgramAccountsWithOpts(b.Context(), solana.TokenProgramID, &theirs.GetProgramAccountsOpts{Encoding: solana.EncodingBase64})
		return err
	}
	b.Run("Decoded", func(b *testing.B) { compare(b, n, decoded, solanaGo) })
	b.Run("Raw", func(b *testing.B) { compare(b, n, raw, solanaGo) })
}

// BenchmarkBlock reads a block of 500 transactions, whose messages stay in base64:
// solana-go does not read them in JSON.
func BenchmarkBlock(b *testing.B) {
	const n = 500
	ours, other := both(b, block(n))
	version := uint64(1)
	compare(b, n, func() error {
		_, err := ours.Block(b.Context(), 5, &rpc.BlockOptions{Encoding: types.EncodingBase64})
		return err
	}, func() error {
		_, err := other.GetBlockWithOpts(b.Context(), 5, &theirs.GetBlockOpts{Encoding: solana.EncodingBase64, MaxSupportedTransactionVersion: &version})
		return err
	})
}
