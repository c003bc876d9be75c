package rpc_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/rpc"
)

func TestEpochSaturates(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]rpc.Epoch{
		`0`:                      0,
		`361`:                    361,
		`9007199254740993`:       9007199254740993,
		`18446744073709551614`:   18446744073709551614,
		`18446744073709551615`:   rpc.NoRent,
		`18446744073709552000`:   rpc.NoRent,
		`1.8446744073709552e19`:  rpc.NoRent,
		`1.8446744073709552E+19`: rpc.NoRent,
		`5.0`:                    5,
		`1e3`:                    1000,
		`null`:                   0,
	} {
		var got struct{ Epoch rpc.Epoch }
		require.NoError(t, decode.Value([]byte(`{"Epoch":`+text+`}`), &got), text)
		require.Equal(t, want, got.Epoch, text)
		got.Epoch = 7
		require.NoError(t, json.Unmarshal([]byte(`{"Epoch":`+text+`}`), &got), text)
		require.Equal(t, want, got.Epoch, text)
	}
	var none struct{ Epoch rpc.Epoch }
	require.NoError(t, decode.Value([]byte(`{}`), &none))
	require.Zero(t, none.Epoch)
}
