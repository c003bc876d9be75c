package types_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
)

const (
	key      = "0b7f6a52-3c1d-4e8f-9a60-d41f2c9e8b73"
	otherKey = "77aa12cd-90ef-4b56-8c34-1d2e3f405162" // pasted beside APIKey
)

var printed = []struct {
	name               string
	config             types.Config
	text, record, json string
}{
	{
		name:   "defaults",
		config: types.Config{APIKey: key},
		text:   `{APIKey:*** RPCURL: WalletURL: WebhooksURL: MaxAttempts:0}`,
		record: `{"APIKey":"***","RPCURL":"","WalletURL":"","WebhooksURL":"","MaxAttempts":0}`,
		json:   `{"RPCURL":"","WalletURL":"","WebhooksURL":"","MaxAttempts":0}`,
	},
	{
		name:   "no key",
		config: types.Config{RPCURL: "https://rpc.example"},
		text:   `{APIKey: RPCURL:https://rpc.example WalletURL: WebhooksURL: MaxAttempts:0}`,
		record: `{"APIKey":"","RPCURL":"https://rpc.example","WalletURL":"","WebhooksURL":"","MaxAttempts":0}`,
		json:   `{"RPCURL":"https://rpc.example","WalletURL":"","WebhooksURL":"","MaxAttempts":0}`,
	},
	{
		name: "harmless URLs, everything set",
		config: types.Config{
			APIKey: key, RPCURL: types.DevnetRPCURL, WalletURL: "http://127.0.0.1:8080/a%20b", WebhooksURL: "http://[::1]",
			HTTPClient: http.DefaultClient, MaxAttempts: 3, Logger: slog.Default(),
		},
		text:   `{APIKey:*** RPCURL:https://devnet.helius-rpc.com WalletURL:http://127.0.0.1:8080/a%20b WebhooksURL:http://[::1] MaxAttempts:3}`,
		record: `{"APIKey":"***","RPCURL":"https://devnet.helius-rpc.com","WalletURL":"http://127.0.0.1:8080/a%20b","WebhooksURL":"http://[::1]","MaxAttempts":3}`,
		json:   `{"RPCURL":"https://devnet.helius-rpc.com","WalletURL":"http://127.0.0.1:8080/a%20b","WebhooksURL":"http://[::1]","MaxAttempts":3}`,
	},
	{
		name: "key in query, path and user",
		config: types.Config{
			APIKey: key, RPCURL: "https://rpc.example/?api-key=" + key,
			WalletURL: "https://rpc.example/" + key + "/v1", WebhooksURL: "https://" + key + "@rpc.example",
		},
		text:   `{APIKey:*** RPCURL:*** WalletURL:*** WebhooksURL:*** MaxAttempts:0}`,
		record: `{"APIKey":"***","RPCURL":"***","WalletURL":"***","WebhooksURL":"***","MaxAttempts":0}`,
		json:   `{"RPCURL":"***","WalletURL":"***","WebhooksURL":"***","MaxAttempts":0}`,
	},
	{
		name: "another key in fragment, query and password",
		config: types.Config{
			APIKey: key, RPCURL: "https://rpc.example/#" + otherKey,
			WalletURL: "https://rpc.example?api-key=" + otherKey, WebhooksURL: "https://me:" + otherKey + "@rpc.example",
		},
		text:   `{APIKey:*** RPCURL:*** WalletURL:*** WebhooksURL:*** MaxAttempts:0}`,
		record: `{"APIKey":"***","RPCURL":"***","WalletURL":"***","WebhooksURL":"***","MaxAttempts":0}`,
		json:   `{"RPCURL":"***","WalletURL":"***","WebhooksURL":"***","MaxAttempts":0}`,
	},
	{
		name: "key in the host; escaped in the path; beside a broken escape",
		config: types.Config{
			APIKey: "top secret/1", RPCURL: "https://top secret/1",
			WalletURL: "https://rpc.example/top%20secret%2f1", WebhooksURL: "https://rpc.example/top%20secret%2f1%",
		},
		text:   `{APIKey:*** RPCURL:*** WalletURL:*** WebhooksURL:*** MaxAttempts:0}`,
		record: `{"APIKey":"***","RPCURL":"***","WalletURL":"***","WebhooksURL":"***","MaxAttempts":0}`,
		json:   `{"RPCURL":"***","WalletURL":"***","WebhooksURL":"***","MaxAttempts":0}`,
	},
	{
		name:   "key in a URL alone",
		config: types.Config{RPCURL: "https://rpc.example/?api-key=" + key},
		text:   `{APIKey: RPCURL:*** WalletURL: WebhooksURL: MaxAttempts:0}`,
		record: `{"APIKey":"","RPCURL":"***","WalletURL":"","WebhooksURL":"","MaxAttempts":0}`,
		json:   `{"RPCURL":"***","WalletURL":"","WebhooksURL":"","MaxAttempts":0}`,
	},
}

// One text for all verbs is more than a search for the key: a verb such as %x
// would write it in hexadecimal.
func TestConfigPrintsWithoutItsKeyWhateverTheVerb(t *testing.T) {
	t.Parallel()
	const verbs = "vsqdxXobBcUteEfFgGOz!" // %T prints the type alone; of %p and %w the comment of Config warns
	for _, row := range printed {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			for _, verb := range verbs {
				for _, flags := range []string{"", "+", "#", "-", " ", "0", "#+", "# ", "9.3", "200", "[1]"} {
					format := "%" + flags + string(verb)
					require.Equal(t, row.text, fmt.Sprintf(format, row.config), format)
					require.Equal(t, row.text, fmt.Sprintf(format, &row.config), format+" of a pointer")
				}
			}
			require.Equal(t, row.text, fmt.Sprint(row.config))
			require.Equal(t, row.text+"\n", fmt.Sprintln(&row.config))
			require.Equal(t, row.text, fmt.Errorf("%v", row.config).Error())
			require.Equal(t, "["+row.text+"]", fmt.Sprintf("%d", []types.Config{row.config}))
			require.Equal(t, "map[1:"+row.text+"]", fmt.Sprintf("%d", map[int]types.Config{1: row.config}))
		})
	}
}

func TestConfigInsideAnotherStructPrintsWithoutItsKey(t *testing.T) {
	t.Parallel()
	type app struct {
		Name   string
		Config types.Config
	}
	for _, row := range printed {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, "{x "+row.text+"}", fmt.Sprint(app{"x", row.config}))
			require.Equal(t, "&{Name:x Config:"+row.text+"}", fmt.Sprintf("%+v", &app{"x", row.config}))
			b, err := json.Marshal(app{"x", row.config})
			require.NoError(t, err)
			require.Equal(t, `{"Name":"x","Config":`+row.json+`}`, string(b))
		})
	}
}

func TestAPointerToConfigHasItsAddressUnderVerbP(t *testing.T) {
	t.Parallel()
	require.Regexp(t, `^0x[0-9a-f]+$`, fmt.Sprintf("%p", &types.Config{APIKey: key}))
}

func TestConfigIsLoggedWithoutItsKey(t *testing.T) {
	t.Parallel()
	for _, row := range printed {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			log := slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{ReplaceAttr: withoutBuiltIns}))

			for _, value := range []any{row.config, &row.config} {
				out.Reset()
				log.Info("", "config", value)
				require.Equal(t, `{"config":`+row.record+"}\n", out.String())

				out.Reset()
				log.With("config", value).WithGroup("more").Info("", "config", value)
				require.Equal(t, `{"config":`+row.record+`,"more":{"config":`+row.record+"}}\n", out.String())
			}

			out.Reset()
			log.Info("", "configs", []types.Config{row.config}) // no LogValuer: the handler asks encoding/json
			require.Equal(t, `{"configs":[`+row.json+"]}\n", out.String())
		})
	}
}

func TestConfigIsLoggedAsTextWithoutItsKey(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: withoutBuiltIns}))
	config := types.Config{APIKey: key, RPCURL: "https://rpc.example/" + key, MaxAttempts: 3}

	log.Info("", "c", config)
	log.Info("", "c", &config)
	log.Info("", "cs", []types.Config{config}) // no LogValuer: the handler asks fmt
	require.Equal(t, `c.APIKey=*** c.RPCURL=*** c.WalletURL="" c.WebhooksURL="" c.MaxAttempts=3
c.APIKey=*** c.RPCURL=*** c.WalletURL="" c.WebhooksURL="" c.MaxAttempts=3
cs="[{APIKey:*** RPCURL:*** WalletURL: WebhooksURL: MaxAttempts:3}]"
`, out.String())
}

func TestConfigEncodesAsJSONWithoutItsKey(t *testing.T) {
	t.Parallel()
	for _, row := range printed {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			b, err := json.Marshal(row.config)
			require.NoError(t, err)
			require.Equal(t, row.json, string(b))

			b, err = json.Marshal(&row.config)
			require.NoError(t, err)
			require.Equal(t, row.json, string(b))
		})
	}
}

// withoutBuiltIns leaves the attributes of a record that the test gave it.
func withoutBuiltIns(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && (a.Key == slog.TimeKey || a.Key == slog.LevelKey || a.Key == slog.MessageKey) {
		return slog.Attr{}
	}
	return a
}
