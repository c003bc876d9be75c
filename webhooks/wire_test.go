package webhooks_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
)

// The files in testdata are written by hand after the service's description:
// they prove the names and the tags of every field.

const (
	hookID  = "582dcf85-fa9f-4c0d-93b4-1b6e4b4e7f1a"
	account = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"
	another = "DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263"
	secret  = "Bearer 6b1f8e4c9a"
)

// full has a value in every field.
func full() webhooks.Settings {
	return webhooks.Settings{
		URL:              "https://example.com/hooks",
		TransactionTypes: []txtype.Type{txtype.Swap, txtype.NFTSale},
		AccountAddresses: []types.Address{account, another},
		Type:             webhooks.Enhanced,
		AuthHeader:       secret,
		Encoding:         webhooks.JSONParsed,
		TxnStatus:        webhooks.AnyStatus,
	}
}

// answered is what testdata/webhook.json says.
func answered() *webhooks.Webhook {
	active := false
	return &webhooks.Webhook{
		ID:      hookID,
		Wallet:  fake.Wallet,
		Project: "a1b2c3d4-demo",
		Active:  &active,
		Settings: webhooks.Settings{
			URL:              "https://example.com/hooks?team=a&stage=b",
			TransactionTypes: []txtype.Type{txtype.Swap, txtype.NFTSale, "SOMETHING_NEW"},
			AccountAddresses: []types.Address{account, "an odd entry"},
			Type:             webhooks.EnhancedDevnet,
			AuthHeader:       secret,
			Encoding:         webhooks.JSONParsed,
			TxnStatus:        webhooks.Succeeded,
		},
	}
}

func TestCreateOnTheWire(t *testing.T) {
	t.Parallel()
	c, s := answering(t, "webhook")
	w, err := c.Create(t.Context(), full())
	require.NoError(t, err)
	require.Equal(t, golden(t, "create.request"), sent(s))
	require.Equal(t, answered(), w)
}

func TestEditOnTheWire(t *testing.T) {
	t.Parallel()
	c, s := answering(t, "webhook")
	w, err := c.Edit(t.Context(), hookID, full())
	require.NoError(t, err)
	require.Equal(t, golden(t, "edit.request"), sent(s))
	require.Equal(t, answered(), w)
}

func TestGetOnTheWire(t *testing.T) {
	t.Parallel()
	c, s := answering(t, "webhook")
	w, err := c.Get(t.Context(), hookID)
	require.NoError(t, err)
	require.Equal(t, "GET /v0/webhooks/"+hookID+"?api-key="+fake.Key+"\n", sent(s))
	require.Equal(t, answered(), w)
}

func TestAbsentAndNullAreAlike(t *testing.T) {
	t.Parallel()
	c, _ := answering(t, "bare")
	w, err := c.Get(t.Context(), hookID)
	require.NoError(t, err)
	require.Equal(t, &webhooks.Webhook{
		ID:     hookID,
		Wallet: fake.Wallet,
		Settings: webhooks.Settings{
			URL:              "https://example.com",
			AccountAddresses: []types.Address{},
			Type:             webhooks.Raw,
		},
	}, w)
}

func TestSetActiveOnTheWire(t *testing.T) {
	t.Parallel()
	c, s := answering(t, "webhook")
	w, err := c.SetActive(t.Context(), hookID, false)
	require.NoError(t, err)
	require.Equal(t, golden(t, "toggle.request"), sent(s))
	require.Equal(t, answered(), w)
}

func TestListOnTheWire(t *testing.T) {
	t.Parallel()
	c, s := answering(t, "list")
	all, err := c.List(t.Context())
	require.NoError(t, err)
	require.Equal(t, "GET /v0/webhooks?api-key="+fake.Key+"\n", sent(s))
	active := true
	require.Equal(t, []webhooks.Summary{
		{
			ID:               hookID,
			Wallet:           fake.Wallet,
			Project:          "a1b2c3d4-demo",
			Active:           &active,
			URL:              "https://example.com/hooks",
			TransactionTypes: []txtype.Type{txtype.Any},
			AccountAddresses: []types.Address{account},
			Type:             webhooks.Enhanced,
			AuthHeader:       secret,
			Encoding:         webhooks.JSONParsed,
			TxnStatus:        webhooks.AnyStatus,
		},
		{
			ID:               "9e1d3c52-0b7a-4c55-8c34-1d2e3f405162",
			Wallet:           fake.Wallet,
			URL:              "https://discord.com/api/webhooks/1/x",
			AccountAddresses: []types.Address{},
			Type:             webhooks.Discord,
		},
	}, all)
}

func TestDeleteOnTheWire(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		status int
		body   string
	}{
		"empty":      {200, ""},
		"no content": {204, ""},
		"message":    {200, `{"message":"Webhook deleted successfully"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := fake.New()
			s.Answer(row.status, row.body)
			require.NoError(t, client(t, s).Delete(t.Context(), hookID))
			require.Equal(t, "DELETE /v0/webhooks/"+hookID+"?api-key="+fake.Key+"\n", sent(s))
			require.NotContains(t, s.Requests()[0].Header, "Content-Type") // the service refuses one without a body
		})
	}
}

// Every shape in which the service refuses a call, see also internal/transport.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		status   int
		body     string
		headers  []string
		code     int
		message  string
		details  string
		matching error
	}{
		"JSON-RPC":             {404, `{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":"1"}`, nil, -32601, "Method not found", "", types.ErrNotFound},
		"JSON-RPC with data":   {400, `{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid params","data":{"field":"webhookURL"}},"id":"1"}`, nil, -32602, "Invalid params", `{"field":"webhookURL"}`, nil},
		"message and error":    {400, `{"message":"Body cannot be empty","error":"Bad Request","statusCode":400}`, nil, 0, "Body cannot be empty", "", nil},
		"list of messages":     {400, `{"message":["webhookURL must be a string","webhookType is required"],"error":"Bad Request","statusCode":400}`, nil, 0, "webhookURL must be a string; webhookType is required", "", nil},
		"gateway":              {400, `{"error":"invalid path"}`, nil, 0, "invalid path", "", nil},
		"error in a 200":       {200, `{"error":{"code":404,"message":"Webhook not found"}}`, nil, 404, "Webhook not found", "", types.ErrNotFound},
		"plain text":           {404, "Webhook not found", []string{"Content-Type", "text/plain; charset=utf-8"}, 0, "Webhook not found", "", types.ErrNotFound},
		"nothing":              {401, "", nil, 0, "", "", types.ErrUnauthorized},
		"same code as timeout": {403, `{"jsonrpc":"2.0","error":{"code":-32003,"message":"Forbidden"},"id":"1"}`, nil, -32003, "Forbidden", "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := fake.New()
			c := client(t, s)
			calls := map[string]func() error{
				"GET /v0/webhooks":              func() error { _, err := c.List(t.Context()); return err },
				"GET /v0/webhooks/" + hookID:    func() error { _, err := c.Get(t.Context(), hookID); return err },
				"POST /v0/webhooks":             func() error { _, err := c.Create(t.Context(), full()); return err },
				"PUT /v0/webhooks/" + hookID:    func() error { _, err := c.Edit(t.Context(), hookID, full()); return err },
				"PATCH /v0/webhooks/" + hookID:  func() error { _, err := c.SetActive(t.Context(), hookID, true); return err },
				"DELETE /v0/webhooks/" + hookID: func() error { return c.Delete(t.Context(), hookID) },
			}
			for op, call := range calls {
				s.Answer(row.status, row.body, row.headers...)
				err := call()
				var refusal *types.APIError
				require.ErrorAs(t, err, &refusal)
				require.Equal(t, &types.APIError{
					Op: op, StatusCode: row.status, Code: row.code, Message: row.message, Details: row.details, Attempts: 1,
				}, refusal)
				if row.matching != nil {
					require.ErrorIs(t, err, row.matching)
				}
			}
			require.Len(t, s.Requests(), len(calls))
		})
	}
}

func client(t *testing.T, s *fake.Service) *webhooks.Client {
	t.Helper()
	c, err := webhooks.New(s.Config())
	require.NoError(t, err)
	return c
}

// answering returns a client whose first answer is a golden one.
func answering(t *testing.T, name string) (*webhooks.Client, *fake.Service) {
	t.Helper()
	s := fake.New()
	s.Answer(200, golden(t, name+".json"))
	return client(t, s), s
}

func golden(t testing.TB, file string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	require.NoError(t, err)
	return string(text)
}

// sent returns what came in: a line for each request, and one for a body.
func sent(s *fake.Service) string {
	var b strings.Builder
	for _, r := range s.Requests() {
		b.WriteString(r.Method + " " + r.Path + "?" + r.Query.Encode() + "\n")
		if r.Body != "" {
			b.WriteString(r.Header.Get("Content-Type") + " " + r.Body + "\n")
		}
	}
	return b.String()
}
