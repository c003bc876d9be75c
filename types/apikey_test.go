package types_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
)

const key = "0b7f6a52-3c1d-4e8f-9a60-d41f2c9e8b73"

func TestPrintedValuesDoNotContainTheKey(t *testing.T) {
	t.Parallel()
	type service struct {
		name string
		cfg  types.Config
		next *types.Config
		key  types.APIKey
	}
	cfg := types.Config{APIKey: types.Key(key), RPCURL: "https://rpc.example"}
	s := service{"x", cfg, &cfg, cfg.APIKey}
	var out bytes.Buffer
	for _, value := range []any{cfg.APIKey, &cfg.APIKey, cfg, &cfg, s, &s, []types.Config{cfg}, map[string]types.APIKey{"k": cfg.APIKey}, struct{ Config any }{cfg}} {
		for _, verb := range "vsqdxXobBcUteEfFgGOz!Tp" {
			for _, flags := range []string{"", "+", "#", "-", " ", "0", "#+", "# ", "9.3"} {
				fmt.Fprintf(&out, "%"+flags+string(verb), value)
			}
		}
		fmt.Fprintln(&out, value)
		require.NoError(t, json.NewEncoder(&out).Encode(value))
		for _, h := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
			slog.New(h).With("with", value).WithGroup("group").Info("", "value", value, "list", []any{value})
		}
	}
	printed := strings.ToLower(strings.ReplaceAll(out.String(), " ", ""))
	require.Contains(t, printed, "https://rpc.example")
	require.NotContains(t, printed, key)
	require.NotContains(t, strings.ReplaceAll(printed, "0x", ""), hex.EncodeToString([]byte(key)))
}

func TestAPIKeyPrintsAsStars(t *testing.T) {
	t.Parallel()
	require.Equal(t, "*** *** *** \"***\"", fmt.Sprintf("%v %+v %#v %q", types.Key(key), types.Key(key), types.Key(key), types.Key(key)))
	require.Empty(t, fmt.Sprint(types.APIKey{}))
}

func TestAPIKeyIsReadFromAConfiguration(t *testing.T) {
	t.Parallel()
	var cfg types.Config
	require.NoError(t, json.Unmarshal([]byte(`{"APIKey":"`+key+`","Network":"devnet"}`), &cfg))
	require.Equal(t, key, cfg.APIKey.Reveal())
	require.Equal(t, types.Key(key), cfg.APIKey)
	require.NotEqual(t, types.Key("another"), cfg.APIKey)

	require.NoError(t, json.Unmarshal([]byte(`{"APIKey":""}`), &cfg))
	require.Equal(t, types.APIKey{}, cfg.APIKey)
	require.Empty(t, cfg.APIKey.Reveal())
}
