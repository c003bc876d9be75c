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
	otherKey = "77aa12cd-90ef-4b56-8c34-1d2e3f405162" // in a URL only
)

var printed = []struct {
	name               string
	config             types.Config
	text, record, json string
}{
	{
		name:   "defaults",
		config: types.Config{APIKey: key},
		text:   `{APIKey:*** Network: RPCURL: WalletURL: WebhooksURL: ParsedStreamsURL: MaxAttempts:0 MaxWebSockets:0 FillCredits:0}`,
		record: `{"APIKey":"***","Network":"","RPCURL":"","WalletURL":"","WebhooksURL":"","ParsedStreamsURL":"","MaxAttempts":0,"MaxWebSockets":0,"FillCredits":0}`,
		json:   `{"Network":"","RPCURL":"","WalletURL":"","WebhooksURL":"","ParsedStreamsURL":"","MaxAttempts":0,"MaxWebSockets":0,"FillCredits":0}`,
	},
	{
		name:   "no key",
		config: types.Config{RPCURL: "https://rpc.example"},
		text:   `{APIKey: Network: RPCURL:https://rpc.example WalletURL: WebhooksURL: ParsedStreamsURL: MaxAttempts:0 MaxWebSockets:0 FillCredits:0}`,
		record: `{"APIKey":"","Network":"","RPCURL":"https://rpc.example","WalletURL":"","WebhooksURL":"","ParsedStreamsURL":"","MaxAttempts":0,"MaxWebSockets":0,"FillCredits":0}`,
		json:   `{"Network":"","RPCURL":"https://rpc.example","WalletURL":"","WebhooksURL":"","ParsedStreamsURL":"","MaxAttempts":0,"MaxWebSockets":0,"FillCredits":0}`,
	},
	{
		name: "all fields set, without keys in URLs",
		config: types.Config{
			APIKey: key, Network: types.NetworkDevnet, RPCURL: types.DevnetRPCURL, WalletURL: "http://127.0.0.1:8080/a%20b", WebhooksURL: "http://[::1]",
			HTTPClient: http.DefaultClient, MaxAttempts: 3, Logger: slog.Default(),
		},
		text:   `{APIKey:*** Network:devnet RPCURL:https://devnet.helius-rpc.com WalletURL:http://127.0.0.1:8080/a%20b WebhooksURL:http://[::1] ParsedStreamsURL: MaxAttempts:3 MaxWebSockets:0 FillCredits:0}`,
		record: `{"APIKey":"***","Network":"devnet","RPCURL":"https://devnet.helius-rpc.com","WalletURL":"http://127.0.0.1:8080/a%20b","WebhooksURL":"http://[::1]","ParsedStreamsURL":"","MaxAttempts":3,"MaxWebSockets":0,"FillCredits":0}`,
		json:   `{"Network":"devnet","RPCURL":"https://devnet.helius-rpc.com","WalletURL":"http://127.0.0.1:8080/a%20b","WebhooksURL":"http://[::1]","ParsedStreamsURL":"","MaxAttempts":3,"MaxWebSockets":0,"FillCredits":0}`,
	},
	{
		name: "key in query, path and user",
		config: types.Config{
			APIKey: key, RPCURL: "https://rpc.example/?api-key=" + key,
			WalletURL: "https://rpc.example/" + key + "/v1", WebhooksURL: "https://" + key + "@rpc.example",
		},
		text:   `{APIKey:*** Network: RPCURL:*** WalletURL:*** WebhooksURL:*** ParsedStreamsURL: MaxAttempts:0 MaxWebSockets:0 FillCredits:0}`,
		record: `{"APIKey":"***","Network":"","RPCURL":"***","WalletURL":"***","WebhooksURL":"***","ParsedStreamsURL":"","MaxAttempts":0,"MaxWebSockets":0,"FillCredits":0}`,
		json:   `{"Network":"","RPCURL":"***","WalletURL":"***","WebhooksURL":"***","ParsedStreamsURL":"","MaxAttempts":0,"MaxWebSockets":0,"FillCredits":0}`,
	},
	{
		name: "another key in fragment, query and password",
		config: types.Config{
			APIKey: key, RPCURL: "https://rpc.example/#" + otherKey,
			WalletURL: "https://rpc.example?api-key=" + otherKey, WebhooksURL: "https://me:" + otherKey + "@rpc.example",
		},
		text:   `{APIKey:*** Network: RPCURL:*** WalletURL:*** WebhooksURL:*** ParsedStreamsURL: MaxAttempts:0 MaxWebSockets:0 FillCredits:0}`,
		record: `{"APIKey":"***","Network":"","RPCURL":"***","WalletURL":"***","WebhooksURL":"***","ParsedStreamsURL":"","MaxAttempts":0,"MaxWebSockets":0,"FillCredits":0}`,
		json:   `{"Network":"","RPCURL":"***","WalletURL":"***","WebhooksURL":"***","ParsedStreamsURL":"","MaxAttempts":0,"MaxWebSockets":0,"FillCredits":0}`,
	},
	{
		name: "key in the host; escaped in the path; beside a broken escape",
		config: types.Config{
			APIKey: "top secret/1", RPCURL: "https://top secret/1",
			WalletURL: "https://rpc.example/top%20secret%2f1", WebhooksURL: "https://rpc.example/top%20secret%2f1%",
		},
		text:   `{APIKey:*** Network: RPCURL:*** WalletURL:*** WebhooksURL:*** ParsedStreamsURL: MaxAttempts:0 MaxWebSockets:0 FillCredits:0}`,
		record: `{"APIKey":"***","Network":"","RPCURL":"***","WalletURL":"***","WebhooksURL":"***","ParsedStreamsURL":"","MaxAttempts":0,"MaxWebSockets":0,"FillCredits":0}`,
		json:   `{"Network":"","RPCURL":"***","WalletURL":"***","WebhooksURL":"***","ParsedStreamsURL":"","MaxAttempts":0,"MaxWebSockets":0,"FillCredits":0}`,
	},
	{
		name:   "key in a URL only",
		config: types.Config{RPCURL: "https://rpc.example/?api-key=" + key, ParsedStreamsURL: "https://parsed.example/?api-key=" + key},
		text:   `{APIKey: Network: RPCURL:*** WalletURL: WebhooksURL: ParsedStreamsURL:*** MaxAttempts:0 MaxWebSockets:0 FillCredits:0}`,
		record: `{"APIKey":"","Network":"","RPCURL":"***","WalletURL":"","WebhooksURL":"","ParsedStreamsURL":"***","MaxAttempts":0,"MaxWebSockets":0,"FillCredits":0}`,
		json:   `{"Network":"","RPCURL":"***","WalletURL":"","WebhooksURL":"","ParsedStreamsURL":"***","MaxAttempts":0,"MaxWebSockets":0,"FillCredits":0}`,
	},
}

// The whole text is compared, because a verb such as %x would print the key in
// hexadecimal.
func TestConfigIsPrintedWithoutTheKey(t *testing.T) {
	t.Parallel()
	const verbs = "vsqdxXobBcUteEfFgGOz!" // %T prints the type; %p and %w are documented exceptions
	type app struct {
		Name   string
		Config types.Config
	}
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
			require.Equal(t, row.text+"\n", fmt.Sprintln(&row.config))
			require.Equal(t, "["+row.text+"]", fmt.Sprintf("%d", []types.Config{row.config}))
			require.Equal(t, "&{Name:x Config:"+row.text+"}", fmt.Sprintf("%+v", &app{"x", row.config}))

			for _, value := range []any{row.config, &row.config} {
				b, err := json.Marshal(value)
				require.NoError(t, err)
				require.Equal(t, row.json, string(b))

				var out bytes.Buffer
				log := slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{ReplaceAttr: withoutBuiltIns}))
				log.With("config", value).WithGroup("more").Info("", "config", value)
				require.Equal(t, `{"config":`+row.record+`,"more":{"config":`+row.record+"}}\n", out.String())
				out.Reset()
				log.Info("", "configs", []any{value}) // encoded by encoding/json
				require.Equal(t, `{"configs":[`+row.json+"]}\n", out.String())
			}
		})
	}
}

// withoutBuiltIns removes the time, level and message of a record.
func withoutBuiltIns(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && (a.Key == slog.TimeKey || a.Key == slog.LevelKey || a.Key == slog.MessageKey) {
		return slog.Attr{}
	}
	return a
}
