package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/examples/internal/demo"
	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
)

func TestOutput(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), fake.New().Config(), demo.Names, &out))
	want, err := os.ReadFile("testdata/golden.txt")
	require.NoError(t, err)
	require.Equal(t, string(want), out.String())
}

func TestErrorsEndIt(t *testing.T) {
	t.Parallel()
	s := fake.New()
	var out bytes.Buffer
	require.ErrorIs(t, run(t.Context(), s.Config(), "toly.sol,", &out), types.ErrInvalid)
	require.Empty(t, s.Requests())

	require.Empty(t, out.String())

	s.Answer(403, `{"error":"not in your plan","code":403}`)
	require.ErrorContains(t, run(t.Context(), s.Config(), "toly.sol", &out), "403 Forbidden: not in your plan")

	s.Answer(200, `[{"address":"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY","inputDomain":"toly.sol","type":"unknown"}]`)
	s.Answer(401, `{"error":"API key required","code":401}`)
	require.ErrorIs(t, run(t.Context(), s.Config(), "toly.sol,"+demo.Wallet, &out), types.ErrUnauthorized)
	require.Len(t, s.Requests(), 3)
	require.NotContains(t, out.String(), "toly.sol")
}

func TestWhatIsKnownIsShownThoughAPartFailed(t *testing.T) {
	t.Parallel()
	s := fake.New()
	s.Answer(422, `{"error":"refused","code":422}`)
	var out bytes.Buffer
	err := run(t.Context(), s.Config(), strings.Repeat(demo.Wallet+", ", 100)+"nobody-has-this.sol", &out)
	require.ErrorContains(t, err, "422 Unprocessable Entity: refused")
	require.Equal(t, ""+
		"               WALLET      WHO  FIRST SOL\n"+
		"  nobody-has-this.sol  unknown  no such name\n", out.String())
	require.Len(t, s.Requests(), 2, "nobody is asked about a name that leads nowhere")
}

func TestNamesAreFitForATerminal(t *testing.T) {
	t.Parallel()
	s := fake.New()
	s.Answer(200, `[{"address":"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY","type":"wallet","name":"\u001b[2JToly\n"}]`)
	s.Answer(200, `{"funder":"7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU","amount":0.5,"amountRaw":"500000000"}`)
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), s.Config(), demo.Wallet, &out))
	require.Equal(t, ""+
		"                WALLET      WHO  FIRST SOL\n"+
		"  86xCnPeV69n6t3DnyGv…  [2JToly  0.5 SOL from 7xKX…gAsU\n", out.String())
}
