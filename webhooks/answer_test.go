package webhooks_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

// A caller who takes an empty webhook for the one it asked for may lose what
// the webhook has, or create it again.
func TestAnswerWithoutAWebhookIsAnError(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		op   string
		call func(context.Context, *webhooks.Client) (any, error)
	}{
		"get":    {"GET /v0/webhooks/" + hookID, func(ctx context.Context, c *webhooks.Client) (any, error) { return c.Get(ctx, hookID) }},
		"create": {"POST /v0/webhooks", func(ctx context.Context, c *webhooks.Client) (any, error) { return c.Create(ctx, full()) }},
		"edit":   {"PUT /v0/webhooks/" + hookID, func(ctx context.Context, c *webhooks.Client) (any, error) { return c.Edit(ctx, hookID, full()) }},
		"toggle": {"PATCH /v0/webhooks/" + hookID, func(ctx context.Context, c *webhooks.Client) (any, error) { return c.SetActive(ctx, hookID, true) }},
		"update": {"GET /v0/webhooks/" + hookID, func(ctx context.Context, c *webhooks.Client) (any, error) {
			return c.Update(ctx, hookID, func(*webhooks.Settings) error { return errors.New("called") })
		}},
	} {
		for _, body := range []string{`{}`, `{"jsonrpc":"2.0","id":"1"}`, `{"message":"Webhook not found","statusCode":404}`, `{"webhookID":""}`} {
			s := fake.New()
			s.Answer(200, body)
			w, err := row.call(t.Context(), client(t, s))
			require.EqualError(t, err, row.op+": answer has no webhookID", name)
			require.Nil(t, w, name)
			require.Len(t, s.Requests(), 1)
		}
	}
	for _, body := range []string{`[null]`, `[{}]`, `[` + golden(t, "webhook.json") + `,{"wallet":"x"}]`} {
		s := fake.New()
		s.Answer(200, body)
		all, err := client(t, s).List(t.Context())
		require.EqualError(t, err, "GET /v0/webhooks: answer has no webhookID")
		require.Nil(t, all)
	}
}

// The service returns settings in clear, and may quote them when it refuses.
func TestRefusalDoesNotQuoteTheSecret(t *testing.T) {
	t.Parallel()
	odd := webhooks.Secret(`Bearer "6b1f&8e4c9a"`)
	settings := full()
	settings.AuthHeader = odd
	for _, body := range []string{
		`{"message":"authHeader Bearer \"6b1f&8e4c9a\" is bad","error":"Bad Request","statusCode":400}`,
		`{"error":"bad","details":"Bearer \"6b1f&8e4c9a\""}`,
		`{"error":"bad","details":{"authHeader":"Bearer \"6b1f&8e4c9a\""}}`,
		`{"jsonrpc":"2.0","error":{"code":-32602,"message":"no","data":{"authHeader":"Bearer \"6b1f\u00268e4c9a\""}},"id":"1"}`,
	} {
		for name, call := range map[string]func(*webhooks.Client) error{
			"create": func(c *webhooks.Client) error { _, err := c.Create(t.Context(), settings); return err },
			"edit":   func(c *webhooks.Client) error { _, err := c.Edit(t.Context(), hookID, settings); return err },
		} {
			s := fake.New()
			s.Answer(400, body)
			var log bytes.Buffer
			cfg := s.Config()
			cfg.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
			c, err := webhooks.New(cfg)
			require.NoError(t, err)
			err = call(c)
			require.Contains(t, log.String(), "error=")
			require.NotContains(t, log.String(), "6b1f", name)
			var refusal *types.APIError
			require.ErrorAs(t, err, &refusal, name)
			require.Equal(t, 400, refusal.StatusCode)
			for _, text := range []string{err.Error(), refusal.Message, refusal.Details} {
				require.NotContains(t, text, "6b1f", name)
			}
			require.Contains(t, refusal.Message+refusal.Details, "***", name)
		}
	}
}

// A caller's Transport may quote what it was to send. The text of an error is
// cut at 1024 bytes, and half a secret is one too.
func TestErrorOfATransportDoesNotQuoteTheSecret(t *testing.T) {
	t.Parallel()
	const secret = "0123456789abcdef0123456789abcdef"
	for name, row := range map[string]struct {
		key, secret string
		text        string
	}{
		"across the cut":         {"a-key", secret, strings.Repeat("x", 1000) + secret},
		"behind the key":         {"a-key", secret, "a-key " + strings.Repeat("x", 1000) + secret},
		"begins with the key":    {"0123456789", secret, "refused " + secret},
		"the key begins with it": {secret, "0123456789", "refused " + secret},
	} {
		var log bytes.Buffer
		c, err := webhooks.New(types.Config{
			APIKey:     row.key,
			HTTPClient: &http.Client{Transport: quoting(row.text)},
			Logger:     slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		})
		require.NoError(t, err)
		settings := full()
		settings.AuthHeader = webhooks.Secret(row.secret)
		_, err = c.Create(t.Context(), settings)
		require.Error(t, err)
		for _, text := range []string{err.Error(), log.String()} {
			require.Contains(t, text, "***", name)
			require.NotContains(t, text, "abcdef", name)
			require.NotContains(t, text, "01234", name)
		}
	}
}

// A quoting Transport fails with a text.
type quoting string

func (q quoting) RoundTrip(req *http.Request) (*http.Response, error) {
	_ = req.Body.Close()
	return nil, errors.New(string(q))
}

// An odd secret of the webhook as it is does not keep other changes from it.
func TestUpdateDoesNotJudgeTheSecretThatWasThere(t *testing.T) {
	t.Parallel()
	s := fake.New()
	body := `{"webhookID":"` + hookID + `","webhookURL":"https://example.com","webhookType":"raw","accountAddresses":["` + account + `"],"authHeader":" x"}`
	s.Answer(200, body)
	s.Answer(200, body)
	_, err := client(t, s).AddAddresses(t.Context(), hookID, another)
	require.NoError(t, err)
	require.Contains(t, s.Requests()[1].Body, `"authHeader":" x"`)
}

// unfitSecrets cannot come back as they were sent, so no delivery would match.
func unfitSecrets() map[webhooks.Secret]string {
	const white, beyond = "has white space at its end or start", "has a character that a header cannot carry"
	return map[webhooks.Secret]string{
		" abc": white, "abc ": white, "abc\n": white, "\tabc": white, " ": white, "abc\r\n": white,
		"a\r\nX-Evil: 1": beyond, "\xff\xfe\x01": beyond, "a\x00b": beyond, "a\x7fb": beyond, "a\tb": beyond, "pässword": beyond,
		"***": "is masked; set the secret itself",
	}
}

func TestSecretsThatCanNeverMatchAreRefused(t *testing.T) {
	t.Parallel()
	for s, why := range unfitSecrets() {
		_, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
			Secrets: []webhooks.Secret{secret, s},
			Handle:  func(context.Context, *webhooks.Event) error { return nil },
		})
		require.ErrorIs(t, err, types.ErrInvalid, "%q", string(s))
		require.EqualError(t, err, "Secrets[1]: "+why+": invalid")

		service := fake.New()
		settings := full()
		settings.AuthHeader = s
		_, err = client(t, service).Create(t.Context(), settings)
		require.EqualError(t, err, "AuthHeader: "+why+": invalid")
		_, err = client(t, service).Edit(t.Context(), hookID, settings)
		require.EqualError(t, err, "AuthHeader: "+why+": invalid")
		_, err = client(t, service).Update(t.Context(), hookID, func(s *webhooks.Settings) error { return errors.New("never") })
		require.ErrorIs(t, err, types.ErrNotFound)
		require.Len(t, service.Requests(), 1)
	}
	_, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
		Secrets: []webhooks.Secret{"Bearer 6b1f !~", "x"},
		Handle:  func(context.Context, *webhooks.Event) error { return nil },
	})
	require.NoError(t, err)
}
