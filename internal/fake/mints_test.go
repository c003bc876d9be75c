package fake_test

import (
	"testing"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/internal/fake/world"
	"github.com/solwire/solwire-go/types"
)

const (
	grain    = "4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R"
	annKey   = "Ann1111111111111111111111111111111111111111"
	bobKey   = "Bob1111111111111111111111111111111111111111"
	stranger = string(types.VoteProgram)
)

// farmers are a world in which ann holds 5 units of a token and bob none, each in a token
// account whose address is known.
func farmers(t *testing.T) *fake.Service {
	t.Helper()
	b := world.NewBuilder("")
	b.TokenAccount(world.TokenAccount{Delegate: stranger, Address: "2Bob1111111111111111111111111111111111111111", Owner: bobKey}, world.Token{Mint: grain})
	b.TokenAccount(world.TokenAccount{Delegate: stranger, Address: "3Ann1111111111111111111111111111111111111111", Owner: annKey, Amount: 5, Delegated: 2}, world.Token{Mint: grain})
	b.CompressedToken(world.Compressed{TokenOwner: annKey, Amount: 1 << 63}, stranger, world.Token{Mint: grain}, false)
	b.CompressedToken(world.Compressed{TokenOwner: annKey, Amount: 1<<63 - 15}, stranger, world.Token{Mint: grain}, false) // the supply is the largest possible one
	b.CompressedToken(world.Compressed{TokenOwner: bobKey, Amount: 9}, stranger, world.Token{Mint: grain}, false)
	w, err := b.World()
	require.NoError(t, err)
	return fake.NewOf(w)
}

func TestTokenAccountsAreIndexed(t *testing.T) {
	t.Parallel()
	s := farmers(t)
	const (
		head = `{"last_indexed_slot":344112233,"total":`
		ann  = `{"address":"3Ann1111111111111111111111111111111111111111","mint":"` + grain + `","owner":"` + annKey + `","amount":5,` +
			`"delegate":"` + stranger + `","delegated_amount":2,"close_authority":null,"frozen":false,"burnt":false,"extensions":null}`
		bob = `{"address":"2Bob1111111111111111111111111111111111111111","mint":"` + grain + `","owner":"` + bobKey + `","amount":0,` +
			`"delegate":"` + stranger + `","delegated_amount":0,"close_authority":null,"frozen":false,"burnt":false,"extensions":null}`
		tail = `],"errors":[]}`
	)
	for _, row := range []struct{ params, want string }{
		{`"owner":"` + annKey + `","page":1`, head + `1,"limit":1000,"page":1,"cursor":null,"token_accounts":[` + ann + tail},
		{`"owner":"` + annKey + `","page":2`, head + `0,"limit":1000,"page":2,"cursor":null,"token_accounts":[` + tail},
		{`"owner":"` + annKey + `"`, head + `1,"limit":1000,"cursor":"3Ann1111111111111111111111111111111111111111","token_accounts":[` + ann + tail},
		{`"owner":"` + annKey + `","cursor":"3Ann1111111111111111111111111111111111111111"`, head + `0,"limit":1000,"cursor":null,"token_accounts":[` + tail},
		{`"owner":"` + annKey + `","mint":"` + usdc + `","page":1`, head + `0,"limit":1000,"page":1,"cursor":null,"token_accounts":[` + tail},
		{`"mint":"` + grain + `","owner":"` + bobKey + `","page":1`, head + `0,"limit":1000,"page":1,"cursor":null,"token_accounts":[` + tail},
		{`"owner":"` + bobKey + `","page":1,"options":{"showZeroBalance":true}`, head + `1,"limit":1000,"page":1,"cursor":null,"token_accounts":[` + bob + tail},
		{`"mint":"` + grain + `","limit":1,"page":2,"options":{"showZeroBalance":true}`, head + `1,"limit":1,"page":2,"cursor":null,"token_accounts":[` + ann + tail},
		{`"mint":"` + grain + `","limit":1,"cursor":"2Bob1111111111111111111111111111111111111111"`, head + `1,"limit":1,"cursor":"3Ann1111111111111111111111111111111111111111","token_accounts":[` + ann + tail},
		{`"mint":"` + grain + `","after":"2Bob1111111111111111111111111111111111111111","before":"3Ann1111111111111111111111111111111111111111"`, head + `0,"limit":1000,"cursor":null,"token_accounts":[` + tail},
	} {
		got, failure := call(t, s, "getTokenAccounts", `{`+row.params+`}`)
		require.Empty(t, failure, row.params)
		same(t, row.want, got, row.params)
	}
}

func TestHoldersOfCompressedTokensAreSortedAndPaged(t *testing.T) {
	t.Parallel()
	s := farmers(t)
	bob, err := base58.Decode(bobKey)
	require.NoError(t, err)
	cursor := base58.Encode(append([]byte{9, 0, 0, 0, 0, 0, 0, 0}, bob...))
	const head = `{"context":{"slot":344112233},"value":{"items":[`
	ann := `{"owner":"` + annKey + `","balance":18446744073709551601}`
	for _, row := range []struct{ params, want string }{
		{`"limit":1000`, head + ann + `,{"owner":"` + bobKey + `","balance":9}],"cursor":null}}`},
		{`"limit":2`, head + ann + `,{"owner":"` + bobKey + `","balance":9}],"cursor":"` + cursor + `"}}`},
		{`"cursor":"` + cursor + `"`, head + `],"cursor":null}}`},
		{`"limit":0`, head + `],"cursor":null}}`},
	} {
		got, failure := call(t, s, "getCompressedMintTokenHolders", `{"mint":"`+grain+`",`+row.params+`}`)
		require.Empty(t, failure, row.params)
		same(t, row.want, got, row.params)
	}
	_, failure := call(t, s, "getCompressedMintTokenHolders", `{"mint":"`+grain+`","cursor":"abc"}`)
	require.Contains(t, failure, "Invalid cursor length. Expected 40. Received 3.")
}
