package compressed_test

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
)

// The files in testdata are written by hand after the service's description:
// they prove the names, the tags and the exactness of every field.

const usdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"

func TestAccountsByOwnerOnTheWire(t *testing.T) {
	t.Parallel()
	s := fake.New()
	s.Answer(200, golden(t, "accounts.json"))
	page, err := client(t, s).AccountsByOwner(t.Context(), fake.Owner, &compressed.AccountsByOwnerOptions{
		Cursor:    "E7qY6SqtRNTFY9qtdfDDY3aB7pzj4RC6AcouFBQ4AFWV",
		Limit:     3,
		DataSlice: &types.DataSlice{Length: 8},
		Filters: []compressed.Filter{
			compressed.Memcmp(0, []byte{0, 1, 2, 3}),
			compressed.Memcmp(math.MaxUint64, []byte("hello world")),
		},
		Prefetch: true,
	})
	require.NoError(t, err)
	require.Equal(t, golden(t, "accounts.request"), sent(s))

	const tree = "H5hb7SnFCXDqRfnL8ava4TyMgY27xUxtutzN8zhNQDcs"
	seq := uint64(5)
	require.Equal(t, &compressed.Page[compressed.Account]{
		Slot: 344112233,
		Items: []compressed.Account{
			{
				Hash:      "Gb3HFeoLhMnrCjxKKRQPvy7pUC7wJwwzRyXSDVJbzxo3",
				Owner:     fake.Owner,
				Lamports:  999998000,
				Tree:      tree,
				LeafIndex: 3,
			},
			{
				Hash:     "HH5JPELYc1krxbZunUrd26Z5B3Yh6zz3ngqQuoaG89Hd",
				Address:  "CWnYLQzsvfHGcdAniz7Fyp8x1HGyMsjAgKFXrhqXxXGf",
				Owner:    fake.Owner,
				Lamports: 18446744073709551615,
				Data: &compressed.AccountData{
					Discriminator: 18446744073709551615,
					Bytes:         []byte{},
					Hash:          "4mThAfs1ozEFckia5US33J87YSaGoajoLg17XUkwLXke",
				},
				Tree:        tree,
				LeafIndex:   4294967295,
				Seq:         &seq,
				SlotCreated: 9007199254740993,
			},
			{
				Hash:  "ChS3AiupBJMLCp5iYno6fGbZ82jFrTgYH7KDo62hjopG",
				Owner: "no address",
				Data: &compressed.AccountData{
					Discriminator: 216172782113783808,
					Bytes:         []byte{1, 2, 3, 255},
					Hash:          "Hx1doqc287D9eq9zdZ8GN9KRWKHqEG7onpLPbLMEcTqA",
				},
				Tree:        tree,
				SlotCreated: 9,
			},
		},
		Cursor: "ChS3AiupBJMLCp5iYno6fGbZ82jFrTgYH7KDo62hjopG",
	}, page)
}

func TestTokenAccountsByDelegateOnTheWire(t *testing.T) {
	t.Parallel()
	s := fake.New()
	s.Answer(200, golden(t, "token_accounts.json"))
	page, err := client(t, s).TokenAccountsByDelegate(t.Context(), fake.Delegate, &compressed.TokenAccountsByDelegateOptions{
		Mint:     usdc,
		Cursor:   "5uznnnH2jZQM9dYV9Cw3cnByo7YAVDvFHV5pvqohgVdoJ3KAY2QQKwTZyun9HNNB8PNcS348D7V2xuTuwRz2YuBb",
		Limit:    1000,
		Prefetch: true,
	})
	require.NoError(t, err)
	require.Equal(t, golden(t, "token_accounts.request"), sent(s))

	const tree = "H5hb7SnFCXDqRfnL8ava4TyMgY27xUxtutzN8zhNQDcs"
	seq := uint64(7)
	require.Equal(t, &compressed.Page[compressed.TokenAccount]{
		Slot: 100,
		Items: []compressed.TokenAccount{
			{
				Account: compressed.Account{
					Hash:  "FW23Xgu5rGQcYRyJP91CMBggntv6dcnqV4RjobbFLVya",
					Owner: types.CompressedTokenProgram,
					Data: &compressed.AccountData{
						Discriminator: 216172782113783808,
						Bytes:         []byte{0},
						Hash:          "DfJRPVxrzkE8ywAx5AaQ9pSRWjAAuspJbMqoipyWZpGu",
					},
					Tree:      tree,
					LeafIndex: 6,
					Seq:       &seq,
				},
				TokenData: compressed.TokenData{
					Mint:     usdc,
					Owner:    fake.Wallet,
					Amount:   5,
					Delegate: fake.Delegate,
					State:    compressed.Frozen,
				},
			},
			{
				Account: compressed.Account{
					Hash:  "DanFQ5jq5w1vAsaCp8GrN6M298P9keGNp6hXXDZ6JpyH",
					Owner: types.CompressedTokenProgram,
					Data: &compressed.AccountData{
						Discriminator: 288230376151711744,
						Bytes:         []byte{255, 255},
						Hash:          "98695PHipQ2JVLrBZ6hD5WrZWkJTMnJP4t4yoa8NPtLa",
					},
					Tree:        tree,
					LeafIndex:   7,
					SlotCreated: 344112000,
				},
				TokenData: compressed.TokenData{
					Mint:     usdc,
					Owner:    fake.Wallet,
					Amount:   18446744073709551615,
					Delegate: fake.Delegate,
					State:    compressed.Initialized,
					TLV:      []byte{1, 0, 0, 0, 0},
				},
			},
			{
				Account:   compressed.Account{Hash: "3BKdB4eXwFFJuKMThXMLjrnwYcYBqPU9VMF36oT29s2Q"},
				TokenData: compressed.TokenData{Mint: usdc, Owner: fake.Wallet, Amount: 9007199254740993, State: "asleep"},
			},
		},
	}, page)
}

func TestDefaultsAreNotSent(t *testing.T) {
	t.Parallel()
	const empty = `{"jsonrpc":"2.0","id":"1","result":{"context":{"slot":1},"value":{"items":[],"cursor":null}}}`
	for _, opts := range []*compressed.AccountsByOwnerOptions{nil, {}, {Filters: []compressed.Filter{}}} {
		s := fake.New()
		s.Answer(200, empty)
		_, err := client(t, s).AccountsByOwner(t.Context(), fake.Owner, opts)
		require.NoError(t, err)
		require.Equal(t, `{"jsonrpc":"2.0","id":"1","method":"getCompressedAccountsByOwner",`+
			`"params":{"owner":"BtJ5rdXcZs8hVqK2nTyWfMgPe7UDAoLx3Ri9GQk6uHSv"}}`+"\n", sent(s))
	}
	for _, opts := range []*compressed.TokenAccountsByDelegateOptions{nil, {}} {
		s := fake.New()
		s.Answer(200, empty)
		_, err := client(t, s).TokenAccountsByDelegate(t.Context(), fake.Delegate, opts)
		require.NoError(t, err)
		require.Equal(t, `{"jsonrpc":"2.0","id":"1","method":"getCompressedTokenAccountsByDelegate",`+
			`"params":{"delegate":"4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"}}`+"\n", sent(s))
	}
}

func TestAnswersComeWithAndWithoutEnvelope(t *testing.T) {
	t.Parallel()
	const result = `{"context":{"slot":18446744073709551615},"value":{"items":[{"hash":"a"},{"account":{"hash":"a"}}],"cursor":"b"}}`
	for _, answer := range []string{
		`{"jsonrpc":"2.0","result":` + result + `,"id":"1"}`,
		`{"jsonrpc":"2.0","result":` + result + `,"id":1}`,
		`{"jsonrpc":"2.0","result":` + result + `,"id":null}`,
		`{"jsonrpc":"2.0","method":"getCompressed","params":[],"error":null,"result":` + result + `}`,
		`{"result":` + result + `}`,
		result,
	} {
		accounts, err := answering(t, answer).AccountsByOwner(t.Context(), fake.Owner, nil)
		require.NoError(t, err, answer)
		require.Equal(t, uint64(18446744073709551615), accounts.Slot)
		require.Equal(t, types.Hash("a"), accounts.Items[0].Hash)
		require.Equal(t, "b", accounts.Cursor)

		tokens, err := answering(t, answer).TokenAccountsByDelegate(t.Context(), fake.Delegate, nil)
		require.NoError(t, err, answer)
		require.Equal(t, uint64(18446744073709551615), tokens.Slot)
		require.Equal(t, types.Hash("a"), tokens.Items[1].Account.Hash)
		require.Equal(t, "b", tokens.Cursor)
	}
}

func TestCursorOfTheLastPageIsEmpty(t *testing.T) {
	t.Parallel()
	for _, end := range []string{``, `,"cursor":null`, `,"cursor":""`} {
		c := answering(t, `{"jsonrpc":"2.0","id":"1","result":{"context":{"slot":1},"value":{"items":[]`+end+`}}}`)
		page, err := c.AccountsByOwner(t.Context(), fake.Owner, nil)
		require.NoError(t, err)
		require.Empty(t, page.Cursor)
		require.NotNil(t, page.Items)
	}
}

func TestAnswerWithoutItsListIsAnError(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		`{"jsonrpc":"2.0","id":"1","result":{"context":{"slot":1},"value":{"items":null,"cursor":null}}}`: "answer has no items",
		`{"jsonrpc":"2.0","id":"1","result":{"context":{"slot":1},"value":{"cursor":null}}}`:              "answer has no items",
		`{"context":{"slot":1},"value":{}}`:                                       "answer has no items",
		`{"jsonrpc":"2.0","id":"1","result":{"context":{"slot":1},"value":null}}`: "answer has no value",
		`{"jsonrpc":"2.0","id":"1","result":null}`:                                "answer has no result",
		`{}`: "answer has no value",
	} {
		accounts, err := answering(t, answer).AccountsByOwner(t.Context(), fake.Owner, nil)
		require.EqualError(t, err, "getCompressedAccountsByOwner: "+want, answer)
		require.Nil(t, accounts)
		tokens, err := answering(t, answer).TokenAccountsByDelegate(t.Context(), fake.Delegate, nil)
		require.EqualError(t, err, "getCompressedTokenAccountsByDelegate: "+want, answer)
		require.Nil(t, tokens)
	}
}

func TestDiscriminatorBytesAreLittleEndian(t *testing.T) {
	t.Parallel()
	for n, want := range map[uint64][8]byte{
		0:                    {},
		2:                    {2, 0, 0, 0, 0, 0, 0, 0},
		216172782113783808:   {0, 0, 0, 0, 0, 0, 0, 3},
		0x0807060504030201:   {1, 2, 3, 4, 5, 6, 7, 8},
		18446744073709551615: {255, 255, 255, 255, 255, 255, 255, 255},
	} {
		data := compressed.AccountData{Discriminator: n}
		require.Equal(t, want, data.DiscriminatorBytes())
	}
}

// client returns one that asks s.
func client(t *testing.T, s *fake.Service) *compressed.Client {
	t.Helper()
	c, err := compressed.New(s.Config())
	require.NoError(t, err)
	return c
}

// answering returns a client whose first answer is given.
func answering(t *testing.T, answer string) *compressed.Client {
	t.Helper()
	s := fake.New()
	s.Answer(200, answer)
	return client(t, s)
}

func golden(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	require.NoError(t, err)
	return string(text)
}

// sent returns the bodies that came in, a line for each.
func sent(s *fake.Service) string {
	var b strings.Builder
	for _, r := range s.Requests() {
		b.WriteString(r.Body + "\n")
	}
	return b.String()
}
