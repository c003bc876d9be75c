package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/examples/internal/demo"
	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
)

func TestOutput(t *testing.T) {
	t.Parallel()
	for file, nfts := range map[string]bool{"golden.txt": false, "nfts.txt": true} {
		var out bytes.Buffer
		require.NoError(t, run(t.Context(), fake.New().Config(), demo.Wallet, nfts, &out))
		want, err := os.ReadFile("testdata/" + file)
		require.NoError(t, err)
		require.Equal(t, string(want), out.String())
	}
}

func TestNothingIsPrintedWhenAPageFails(t *testing.T) {
	t.Parallel()
	s := fake.New()
	s.Answer(200, `{"balances":[],"totalUsdValue":0,"pagination":{"page":1,"limit":100,"hasMore":true}}`)
	s.Answer(401, `{"error":"API key required","code":401}`)
	var out bytes.Buffer
	require.ErrorIs(t, run(t.Context(), s.Config(), demo.Wallet, false, &out), types.ErrUnauthorized)
	require.Empty(t, out.String())
}

func TestNamesThatStrangersChoseDoNotReachTheTerminal(t *testing.T) {
	t.Parallel()
	s := fake.New()
	s.Answer(200, `{
		"balances": [{"mint":"4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R","symbol":"\u001b\u202e","balance":1,"decimals":0,"tokenProgram":"spl-token"}],
		"nfts": [{"mint":"8x5VqbHA8D7NkD52uNuS5nnt3PwA8pLD34ymskeSo2Wn","name":"\u001b]0;owned\u0007","compressed":false}],
		"totalUsdValue": 0, "pagination": {"page":1,"limit":100,"hasMore":false}}`)
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), s.Config(), demo.Wallet, true, &out))
	require.Equal(t, ""+
		"                SYMBOL  AMOUNT  PRICE  VALUE  PROGRAM\n"+
		"  4k3Dyjzvzp8eMZWUXbB…       1      -      -  spl-token\n"+
		"                 TOTAL                  0.00  USD\n"+
		"NFT  ]0;owned, in no collection\n", out.String())
}
