package parsedapi

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/bench"
	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types/parsed"
)

// resultsPage is a response with n routed swaps: 4 transfers of SOL, 6 of tokens, and 12
// instructions, of which 8 are decoded. Its seed is fixed.
func resultsPage(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	text := func(size int) string {
		b := make([]byte, size)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return base58.Encode(b)
	}
	list := func(n int, item func(i int) string) string {
		items := make([]string, n)
		for i := range items {
			items[i] = item(i)
		}
		return strings.Join(items, ",")
	}
	native := func(int) string {
		return fmt.Sprintf(`{"fromUserAccount":"%s","toUserAccount":"%s","amount":%d}`, text(32), text(32), r.Uint64())
	}
	token := func(int) string {
		return fmt.Sprintf(`{"fromUserAccount":"%s","toUserAccount":"%s","fromTokenAccount":"%s","toTokenAccount":"%s","rawTokenAmount":%d,"decimals":6,"tokenStandard":"Fungible","mint":"%s"}`,
			text(32), text(32), text(32), text(32), r.Uint64(), text(32))
	}
	account := func(i int) string {
		return fmt.Sprintf(`{"name":"account%d","pubkey":"%s","isSigner":false,"isWritable":true}`, i, text(32))
	}
	instruction := func(i int) string {
		summary, names, decoded := `null`, `"programName":null,"instructionName":null`, `null`
		if i%3 > 0 {
			names = `"programName":"spl_token","instructionName":"transferChecked"`
			decoded = fmt.Sprintf(`{"args":{"amount":"%d","decimals":6},"accounts":[%s]}`, r.Uint64(), list(6, account))
		}
		if i%4 == 1 {
			summary = `{"type":"transfer","description":"Transfer of 69.3 USDC to another account","parsedData":{"amount":"69300000"}}`
		}
		return fmt.Sprintf(`{"instructionIndex":%d,"innerInstructionIndex":%d,"stackHeight":2,"programId":"%s","rawAccounts":[%s],"rawData":"%s","summary":%s,%s,"decoded":%s}`,
			i/4, i%4, text(32), list(6, func(int) string { return `"` + text(32) + `"` }), text(24), summary, names, decoded)
	}
	return []byte("[" + list(n, func(int) string {
		return fmt.Sprintf(`{"signature":"%s","parserStatus":"OK","parsed":{"slot":371234567,"blockTime":1790000000,"fee":10005,"feePayer":"%s","transactionStatus":"OK",`+
			`"nativeTransfers":[%s],"tokenTransfers":[%s],"summary":{"type":"swap","description":"Swap of 0.5 SOL for 69.3 USDC","parsedData":{"inAmount":"500000000"}},"instructions":[%s]}}`,
			text(64), text(32), list(4, native), list(6, token), list(12, instruction))
	}) + "]")
}

func TestBothDecodersReadTheSameResults(t *testing.T) {
	t.Parallel()
	body := resultsPage(5)
	var ours, other []result
	require.NoError(t, decode.JSON(body, &ours))
	require.NoError(t, json.Unmarshal(body, &other))
	require.Equal(t, other, ours)
	require.Len(t, ours, 5)

	var public []parsed.Result // as users read stored results
	require.NoError(t, json.Unmarshal(body, &public))
	for i := range ours {
		require.Equal(t, public[i], ours[i].public())
	}
}

func listings() []bench.Listing {
	body := resultsPage(100)
	return []bench.Listing{{Name: "ParsedTransactions", Items: 100, Allocs: 353, Ours: bench.Decoded[[]result](decode.JSON, body), Other: bench.Decoded[[]result](json.Unmarshal, body)}}
}

func BenchmarkDecode(b *testing.B) { bench.Decode(b, listings()) }
