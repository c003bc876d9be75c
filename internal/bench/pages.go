package bench

import (
	"bytes"
	"encoding/base64"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/solwire/solwire-go/types"
)

// The items of pages. An @ stands for 44 letters of an address, a # for a number, and a $ for 50
// to 300 bytes in base64. A % stands for the same number in two spellings.
const (
	compressedAccount = `{"hash":"@","address":"@",` + compressedRest + `"owner":"@","lamports":#0#,"tree":"@","leafIndex":#,"seq":#,"slotCreated":3#}`
	withoutAddress    = `{"hash":"@","address":null,` + compressedRest + `"owner":"@","lamports":#0#,"tree":"@","leafIndex":#,"seq":#,"slotCreated":3#}`
	compressedRest    = `"data":{"discriminator":9#1#,"data":"$","dataHash":"@"},`

	// The shape of the token program: no address, no lamports and the discriminator of its third
	// version.
	tokenAccount = `{"account":{"hash":"@","address":null,"data":{"discriminator":288230376151711744,"data":"$","dataHash":"@"},` +
		`"owner":"@","lamports":0,"tree":"@","leafIndex":#,"seq":#,"slotCreated":3#},` +
		`"tokenData":{"mint":"@","owner":"@","amount":#1#,"delegate":"@","state":"initialized","tlv":null}}`

	parsedTokenAccount = `{"pubkey":"@","account":{"data":{"parsed":{"info":{"delegate":"@","delegatedAmount":{"amount":%},"isNative":false,` +
		`"mint":"@","owner":"@","state":"initialized","tokenAmount":{"amount":%}},"type":"account"},"program":"spl-token","space":165},` +
		`"executable":false,"lamports":2039280,"owner":"` + string(types.TokenProgram) + `","rentEpoch":18446744073709551615,"space":165}}`

	balance    = `{"mint":"@","symbol":"TK#","name":"Token number #","balance":#.#,"decimals":9,` + price + rest
	priceless  = `{"mint":"@","symbol":"TK#","name":"Token number #","balance":#.#,"decimals":9,"pricePerToken":null,"usdValue":null,` + rest
	price      = `"pricePerToken":1#.#,"usdValue":#.#,`
	rest       = `"logoUri":"https://tokens.solwire.test/@.png","tokenProgram":"spl-token"}`
	openAnswer = `{"jsonrpc":"2.0","id":"1","result":{"context":{"slot":344112233},"value":`
)

// CompressedAccounts returns a page of getCompressedAccountsByOwner: 644 KB
// for 1000 accounts.
func CompressedAccounts(n int) []byte {
	return page(n, openAnswer+`{"items":[`, func(i int) string {
		if i%10 == 3 {
			return withoutAddress
		}
		return compressedAccount
	}, `],"cursor":"@"}}}`)
}

// CompressedTokenAccounts returns a page of getCompressedTokenAccountsByDelegate.
func CompressedTokenAccounts(n int) []byte {
	return page(n, openAnswer+`{"items":[`, func(int) string { return tokenAccount }, `],"cursor":"@@"}}}`)
}

// ParsedTokenAccounts returns a list of getTokenAccountsByDelegate with the
// encoding jsonParsed.
func ParsedTokenAccounts(n int) []byte {
	return page(n, openAnswer+`[`, func(int) string { return parsedTokenAccount }, `]}}`)
}

// Balances returns a page of a wallet's balances, with a price in seven of ten cases.
func Balances(n int) []byte {
	return page(n, `{"balances":[`, func(i int) string {
		if i%10 < 7 {
			return balance
		}
		return priceless
	}, `],"totalUsdValue":48213.907731,"pagination":{"page":1,"limit":100,"hasMore":true}}`)
}

// page returns n items between open and end, with made-up values, the same ones in every run.
func page(n int, open string, item func(i int) string, end string) []byte {
	const letters = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	random := rand.New(rand.NewPCG(1, 2))
	number := func() string { return strconv.Itoa(10_000_000 + random.IntN(90_000_000)) }
	out := bytes.NewBufferString(open)
	fill := func(template string) {
		for _, c := range []byte(template) {
			switch c {
			case '@':
				out.WriteByte('5') // with which they are 32 bytes
				for range 43 {
					out.WriteByte(letters[random.IntN(len(letters))])
				}
			case '#':
				out.WriteString(number())
			case '%':
				ui := number() + "." + number()[:6]
				out.WriteString(`"` + strings.ReplaceAll(ui, ".", "") + `","decimals":6,"uiAmount":` + ui + `,"uiAmountString":"` + ui + `"`)
			case '$':
				data := make([]byte, 50+random.IntN(251))
				for i := range data {
					data[i] = byte(random.Uint32())
				}
				out.WriteString(base64.StdEncoding.EncodeToString(data))
			default:
				out.WriteByte(c)
			}
		}
	}
	for i := range n {
		if i > 0 {
			out.WriteByte(',')
		}
		fill(item(i))
	}
	fill(end)
	return out.Bytes()
}
