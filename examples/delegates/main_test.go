package main

import (
	"bytes"
	"io"
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
	require.NoError(t, run(t.Context(), fake.New().Config(), demo.Delegate, "", &out))
	want, err := os.ReadFile("testdata/golden.txt")
	require.NoError(t, err)
	require.Equal(t, string(want), out.String())
}

func TestOwnerSeesTheirOwn(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), fake.New().Config(), demo.Delegate, demo.Wallet, &out))
	require.Equal(t, ""+
		"      OWNER           HAS  MAY BE SPENT      TOKEN  STATE\n"+
		"  86xC…2MMY  25310.123456          1000  EPjF…Dt1v  initialized\n"+
		"  86xC…2MMY           2.5           0.5  So11…1112  initialized\n"+
		"  86xC…2MMY  18250.771204  18250.771204  JUPy…DvCN  initialized\n"+
		"  86xC…2MMY       1800.25          0.25  2b1k…4GXo  initialized\n", out.String())
}

func TestAmountThatTheServiceCannotShowIsInWholeTokensToo(t *testing.T) {
	t.Parallel()
	for _, said := range []string{"", "inf", "NaN"} {
		s := fake.New()
		s.Answer(200, `{"context":{"slot":1},"value":[{"pubkey":"a","account":{"data":{"program":"spl-token","parsed":{"type":"account","info":{
			"mint":"b","owner":"c","state":"frozen","tokenAmount":{"amount":"18446744073709551615","decimals":6,"uiAmount":null,"uiAmountString":"`+said+`"},
			"delegatedAmount":7}}}}}]}`)
		var out bytes.Buffer
		require.NoError(t, run(t.Context(), s.Config(), demo.Delegate, "c", &out))
		require.Equal(t, []string{"c", "18446744073709.551615", "0.000007", "b", "frozen"}, strings.Fields(strings.Split(out.String(), "\n")[1]))
	}
}

func TestErrorIsReturned(t *testing.T) {
	t.Parallel()
	s := fake.New()
	require.ErrorIs(t, run(t.Context(), s.Config(), "nobody", "", io.Discard), types.ErrInvalid)
	require.Empty(t, s.Requests())
	s.Answer(200, `{"context":{"slot":1},"value":[]}`)
	s.Answer(200, `{"context":{"slot":1},"value":[]}`)
	s.Answer(401, `{"jsonrpc":"2.0","error":{"code":-32001,"message":"Unauthorized"}}`)
	require.ErrorIs(t, run(t.Context(), s.Config(), demo.Delegate, "", io.Discard), types.ErrUnauthorized)
}
