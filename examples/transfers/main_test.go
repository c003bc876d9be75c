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
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), fake.New().Config(), demo.Wallet, 30, &out))
	want, err := os.ReadFile("testdata/golden.txt")
	require.NoError(t, err)
	require.Equal(t, string(want), out.String())
}

func TestAsksForNoMoreThanItShows(t *testing.T) {
	t.Parallel()
	for n, requests := range map[uint]int{1: 1, 100: 1, 101: 2} { // pages of 100
		s := fake.New()
		require.NoError(t, run(t.Context(), s.Config(), demo.Wallet, n, new(bytes.Buffer)))
		require.Len(t, s.Requests(), requests)
	}
}

func TestSumsAreByMint(t *testing.T) {
	t.Parallel()
	s := fake.New()
	s.Answer(200, `{"data":[
		{"timestamp":1763645581,"direction":"in","counterparty":"7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU","mint":"EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v","symbol":"USDC","amount":12.5,"amountRaw":"12500000"},
		{"timestamp":1763645580,"direction":"out","counterparty":"7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU","mint":"EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v","symbol":"USDC","amount":20,"amountRaw":"20000000"},
		{"timestamp":1763645579,"direction":"in","counterparty":"\u001b[2J\u202e","mint":"4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R","symbol":"US\u202eDC","amount":1e-7,"amountRaw":"1"},
		{"timestamp":1763645578,"direction":"in","counterparty":"7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU","mint":"So11111111111111111111111111111111111111111","symbol":null,"amount":2,"amountRaw":"2000000000"}
	],"pagination":{"hasMore":false}}`)
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), s.Config(), demo.Wallet, 0, &out))
	require.Equal(t, ""+
		"           TIME (UTC)     AMOUNT  TOKEN\n"+
		"  2025-11-20 13:33:01       12.5  EPjF…Dt1v (USDC) from 7xKX…gAsU\n"+
		"  2025-11-20 13:33:00        -20  EPjF…Dt1v (USDC) to 7xKX…gAsU\n"+
		"  2025-11-20 13:32:59  0.0000001  4k3D…kX6R (USDC) from [2J\n"+
		"  2025-11-20 13:32:58          2  SOL from 7xKX…gAsU\n"+
		"               IN ALL  0.0000001  4k3D…kX6R\n"+
		"               IN ALL       -7.5  EPjF…Dt1v\n"+
		"               IN ALL          2  SOL\n", out.String())
}

func TestErrorEndsItAfterWhatCame(t *testing.T) {
	t.Parallel()
	s := fake.New()
	s.Answer(200, `{"data":[{"timestamp":1763645581,"mint":"So11111111111111111111111111111111111111111","amount":2,"amountRaw":"2000000000"}],"pagination":{"hasMore":true}}`)
	var out bytes.Buffer
	require.ErrorIs(t, run(t.Context(), s.Config(), demo.Wallet, 30, &out), types.ErrIncomplete)
	require.Equal(t, ""+
		"           TIME (UTC)  AMOUNT  TOKEN\n"+
		"  2025-11-20 13:33:01       2  SOL from \n", out.String())
}
