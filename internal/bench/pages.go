package bench

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
)

// A source of made-up values, the same ones in every run.
type source struct {
	*rand.Rand
	out bytes.Buffer
}

func newSource() *source {
	return &source{Rand: rand.New(rand.NewPCG(1, 2))}
}

// CompressedAccounts returns a page of getCompressedAccountsByOwner: 644 KB
// for 1000 accounts.
func CompressedAccounts(n int) []byte {
	s := newSource()
	return s.answer(n, `{"items":[`, s.account, `],"cursor":"`+s.address()+`"}`)
}

// CompressedTokenAccounts returns a page of getCompressedTokenAccountsByDelegate.
func CompressedTokenAccounts(n int) []byte {
	s := newSource()
	return s.answer(n, `{"items":[`, s.tokenAccount, `],"cursor":"`+s.address()+s.address()[1:]+`"}`)
}

// ParsedTokenAccounts returns a list of getTokenAccountsByDelegate with the
// encoding jsonParsed.
func ParsedTokenAccounts(n int) []byte {
	s := newSource()
	return s.answer(n, `[`, s.parsedTokenAccount, `]`)
}

// Balances returns a page of what a wallet holds.
func Balances(n int) []byte {
	s := newSource()
	s.out.WriteString(`{"balances":[`)
	s.list(n, s.balance)
	s.out.WriteString(`],"totalUsdValue":48213.907731,"pagination":{"page":1,"limit":100,"hasMore":true}}`)
	return s.out.Bytes()
}

// answer returns a JSON-RPC response to a client's first request, with n items between open
// and end.
func (s *source) answer(n int, open string, item func(int), end string) []byte {
	s.out.WriteString(`{"jsonrpc":"2.0","id":"1","result":{"context":{"slot":344112233},"value":` + open)
	s.list(n, item)
	s.out.WriteString(end + `}}`)
	return s.out.Bytes()
}

func (s *source) list(n int, item func(int)) {
	for i := range n {
		if i > 0 {
			s.out.WriteByte(',')
		}
		item(i)
	}
}

func (s *source) account(i int) {
	address := `"` + s.address() + `"`
	if i%10 == 3 {
		address = "null"
	}
	s.compressed(address, s.Uint64()|1<<63, 50+s.IntN(251), s.Uint64()>>20)
}

// tokenAccount has the shape of the token program: no address, no lamports,
// the discriminator of its third version, and 107 bytes or, with extensions,
// more.
func (s *source) tokenAccount(int) {
	s.out.WriteString(`{"account":`)
	s.compressed("null", 288230376151711744, 107+s.IntN(100), 0)
	fmt.Fprintf(&s.out, `,"tokenData":{"mint":%q,"owner":%q,"amount":%d,"delegate":%q,"state":"initialized","tlv":null}}`,
		s.address(), s.address(), s.Uint64()>>s.IntN(40), s.address())
}

func (s *source) compressed(address string, discriminator uint64, size int, lamports uint64) {
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(s.Uint32())
	}
	fmt.Fprintf(&s.out, `{"hash":%q,"address":%s,"data":{"discriminator":%d,"data":%q,"dataHash":%q},`,
		s.address(), address, discriminator, base64.StdEncoding.EncodeToString(data), s.address())
	fmt.Fprintf(&s.out, `"owner":%q,"lamports":%d,"tree":%q,"leafIndex":%d,"seq":%d,"slotCreated":%d}`,
		s.address(), lamports, s.address(), s.IntN(1<<26), s.Uint32(), 300_000_000+s.IntN(40_000_000))
}

func (s *source) parsedTokenAccount(int) {
	fmt.Fprintf(&s.out, `{"pubkey":%q,"account":{"data":{"parsed":{"info":{"delegate":%q,"delegatedAmount":%s,"isNative":false,`,
		s.address(), s.address(), s.amount())
	fmt.Fprintf(&s.out, `"mint":%q,"owner":%q,"state":"initialized","tokenAmount":%s},"type":"account"},"program":"spl-token","space":165},`,
		s.address(), s.address(), s.amount())
	s.out.WriteString(`"executable":false,"lamports":2039280,"owner":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",` +
		`"rentEpoch":18446744073709551615,"space":165}}`)
}

// amount is a number of tokens in all its spellings.
func (s *source) amount() string {
	whole, rest := 1+s.IntN(1_000_000), 1+10*s.IntN(100_000)
	return fmt.Sprintf(`{"amount":"%d%06d","decimals":6,"uiAmount":%[1]d.%06[2]d,"uiAmountString":"%[1]d.%06[2]d"}`, whole, rest)
}

// balance has a price in seven of ten cases, a logo in most.
func (s *source) balance(i int) {
	mint := s.address()
	fmt.Fprintf(&s.out, `{"mint":%q,"symbol":"TK%d","name":"Token number %d","balance":%d.%09d,"decimals":9,`,
		mint, i, i, s.IntN(1_000_000), s.IntN(1_000_000_000))
	if i%10 < 7 {
		fmt.Fprintf(&s.out, `"pricePerToken":%d.%06d,"usdValue":%d.%09d,`,
			s.IntN(300), s.IntN(1_000_000), s.IntN(100_000), s.IntN(1_000_000_000))
	} else {
		s.out.WriteString(`"pricePerToken":null,"usdValue":null,`)
	}
	fmt.Fprintf(&s.out, `"logoUri":"https://tokens.solwire.test/%s.png","tokenProgram":"spl-token"}`, mint)
}

// address returns 44 letters of base58. With this first letter they are 32
// bytes.
func (s *source) address() string {
	const letters = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	b := make([]byte, 44)
	for i := range b {
		b[i] = letters[s.IntN(len(letters))]
	}
	b[0] = '5'
	return string(b)
}
