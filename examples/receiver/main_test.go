package main

import (
	"bytes"
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/examples/internal/demo"
	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

const anyPort = "127.0.0.1:0"

func TestOutput(t *testing.T) {
	t.Parallel()
	s := fake.New()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), s.Config(), anyPort, "", demo.Wallet, &out))
	want, err := os.ReadFile("testdata/golden.txt")
	require.NoError(t, err)
	require.Equal(t, string(want), out.String())

	hooks, err := webhooks.New(s.Config())
	require.NoError(t, err)
	all, err := hooks.List(t.Context())
	require.NoError(t, err)
	require.Empty(t, all) // the webhook is gone with the program
}

func TestRefusedWebhookEndsTheProgram(t *testing.T) {
	t.Parallel()
	s := fake.New()
	s.Answer(401, `{"error":"Unauthorized"}`)
	require.ErrorIs(t, run(t.Context(), s.Config(), anyPort, "", demo.Wallet, io.Discard), types.ErrUnauthorized)
	require.ErrorIs(t, run(t.Context(), s.Config(), anyPort, "", "no address", io.Discard), types.ErrInvalid)
	require.Error(t, run(t.Context(), s.Config(), "no address", "", demo.Wallet, io.Discard))
}

func TestLinesOfEvents(t *testing.T) {
	t.Parallel()
	for event, want := range map[string]string{
		`"type":"TRANSFER","timestamp":1735689600,"tokenTransfers":[{"tokenAmount":0.1,"mint":"EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v","toUserAccount":"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY"}]`: "2025-01-01 00:00:00  TRANSFER  5wHu…kt2W  0.1 EPjF…Dt1v to 86xC…2MMY\n",
		`"type":"SWAP","events":{"swap":{"nativeInput":{"amount":"1"},"tokenInputs":[{"mint":"So11111111111111111111111111111111111111112","rawTokenAmount":{"tokenAmount":"15","decimals":1}}]}}`:             "a moment ago  SWAP      5wHu…kt2W  0.000000001 SOL and 1.5 SOL or wSOL for \n",
		`"type":"\u001b[31m"`: "a moment ago  [31m      5wHu…kt2W  \n",
	} {
		events, err := webhooks.ParseEvents([]byte(`{"signature":"5wHu1qwD7q5ifaN5nwdcDqNFo53GJqa7nLp2BeeEpcHCusb4GzARz4GjgzsEHMkBMgCJMGa6GSQ1VG96Exv8kt2W",` + event + "}"))
		require.NoError(t, err)
		var out bytes.Buffer
		require.NoError(t, show(&out, events[0]))
		require.Equal(t, want, out.String())
	}
	require.ErrorIs(t, show(io.Discard, &webhooks.Event{}), webhooks.ErrSkip)
}
