package webhooks_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
)

// answered returns a webhook as the service does.
func answered() *webhooks.Webhook {
	active := false
	return &webhooks.Webhook{
		ID:      hookID,
		Wallet:  fakeapi.Wallet,
		Project: "a1b2c3d4-demo",
		Active:  &active,
		Settings: webhooks.Settings{
			URL:              "https://example.com/hooks?team=a&stage=b",
			TransactionTypes: []txtype.Type{txtype.Swap, txtype.NFTSale, "SOMETHING_NEW"},
			AccountAddresses: []types.Address{account, "an odd entry"},
			Type:             webhooks.TypeEnhancedDevnet,
			AuthHeader:       secret,
			Encoding:         types.EncodingJSONParsed,
			Outcome:          types.OutcomeSucceeded,
		},
	}
}

// values returns all values that may hold the secret.
func values() map[string]any {
	w := answered()
	summary := webhooks.Summary{ID: hookID, URL: w.URL, AuthHeader: secret}
	cfg := webhooks.ReceiverConfig{Secrets: []webhooks.Secret{secret}}
	return map[string]any{
		"secret":          webhooks.Secret(secret),
		"settings":        w.Settings,
		"settings by ref": &w.Settings,
		"webhook":         *w,
		"webhook by ref":  w,
		"webhooks":        []*webhooks.Webhook{w},
		"in a map":        map[string]webhooks.Webhook{"a": *w},
		"in a struct":     struct{ W webhooks.Webhook }{*w},
		"summary":         summary,
		"summaries":       []webhooks.Summary{summary},
		"receiver config": cfg,
	}
}

func TestSecretIsMasked(t *testing.T) {
	t.Parallel()
	for name, v := range values() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var forms []string
			verbs := "vsqdxXobBcUteEfFgGOzT!" // not %p and %w
			if name == "webhooks" {
				verbs = "vdxXobT" // for a pointer inside another value
			}
			for _, verb := range verbs {
				for _, flags := range []string{"", "+", "#", "-", " ", "0", "#+", "9.3", "200"} {
					forms = append(forms, fmt.Sprintf("%"+flags+string(verb), v))
				}
			}
			forms = append(forms, fmt.Sprint(v), fmt.Sprintln(v), fmt.Errorf("%v", v).Error())
			var text, record bytes.Buffer
			slog.New(slog.NewTextHandler(&text, nil)).Info("x", "v", v)
			slog.New(slog.NewJSONHandler(&record, nil)).Info("x", "v", v, slog.Group("g", slog.Any("v", v)))
			forms = append(forms, text.String(), record.String())
			if b, err := json.Marshal(v); err == nil { // a ReceiverConfig has functions
				forms = append(forms, string(b))
			}
			if b, err := xml.Marshal(v); err == nil {
				forms = append(forms, string(b))
			}
			for _, form := range forms {
				for _, s := range []string{secret, "6b1f8e4c9a", fmt.Sprintf("%x", secret), fmt.Sprintf("%X", secret)} {
					require.NotContains(t, form, s)
				}
			}
		})
	}
}

// fmt does not call methods of unexported fields.
func TestReceiverDoesNotHoldTheSecret(t *testing.T) {
	t.Parallel()
	r, _ := receiver(t, webhooks.ReceiverConfig{})
	require.NotContains(t, fmt.Sprintf("%+v %#v", r, r), secret)
}

func TestWebhookPrintsItsOtherFields(t *testing.T) {
	t.Parallel()
	for _, verb := range []string{"%v", "%+v", "%#v"} {
		text := fmt.Sprintf(verb, *answered())
		for _, want := range []string{hookID, "a1b2c3d4-demo", "https://example.com/hooks?team=a&stage=b", "NFT_SALE", account, "enhancedDevnet", "***", "jsonParsed", "success"} {
			require.Contains(t, text, want, verb)
		}
	}
	b, err := json.Marshal(answered())
	require.NoError(t, err)
	require.Equal(t, `{"webhookID":"`+hookID+`","wallet":"`+fakeapi.Wallet+`","project":"a1b2c3d4-demo","active":false,`+
		`"webhookURL":"https://example.com/hooks?team=a\u0026stage=b","transactionTypes":["SWAP","NFT_SALE","SOMETHING_NEW"],`+
		`"accountAddresses":["`+account+`","an odd entry"],"webhookType":"enhancedDevnet","authHeader":"***",`+
		`"encoding":"jsonParsed","txnStatus":"success"}`, string(b))
}

func TestEmptySecretPrintsNothing(t *testing.T) {
	t.Parallel()
	require.Equal(t, "[]", fmt.Sprintf("[%v]", webhooks.Secret("")))
	b, err := json.Marshal(webhooks.Settings{URL: "https://example.com"})
	require.NoError(t, err)
	require.Equal(t, `{"webhookURL":"https://example.com"}`, string(b))
}

// Settings that were stored as JSON have lost the secret.
func TestMaskedSecretIsRefused(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	c := client(t, s)
	made, err := c.Create(t.Context(), full())
	require.NoError(t, err)
	kept, err := json.Marshal(made.Settings)
	require.NoError(t, err)
	var settings webhooks.Settings
	require.NoError(t, json.Unmarshal(kept, &settings))
	before := len(s.Requests())
	_, err = c.Replace(t.Context(), made.ID, settings)
	require.ErrorIs(t, err, types.ErrInvalid)
	require.Len(t, s.Requests(), before)
	settings.AuthHeader = secret
	_, err = c.Replace(t.Context(), made.ID, settings)
	require.NoError(t, err)
}

func TestSecretMatches(t *testing.T) {
	t.Parallel()
	s := webhooks.Secret(secret)
	require.True(t, s.Matches(secret))
	for _, header := range []string{"", "***", secret[1:], secret + " ", strings.ToUpper(secret)} {
		require.False(t, s.Matches(header), header)
	}
	require.False(t, webhooks.Secret("").Matches(""))
}

// unfitSecrets are secrets that a header does not carry unchanged.
func unfitSecrets() map[webhooks.Secret]string {
	const white, beyond = "starts or ends with white space; trim it", "has a character that a header cannot carry"
	return map[webhooks.Secret]string{
		" abc": white, "abc ": white, "abc\n": white, "\tabc": white, " ": white, "abc\r\n": white,
		"a\r\nX-Evil: 1": beyond, "\xff\xfe\x01": beyond, "a\x00b": beyond, "a\x7fb": beyond, "a\tb": beyond, "pässword": beyond,
		"***": "is masked; set the secret",
	}
}

func TestUnfitSecretsAreRefused(t *testing.T) {
	t.Parallel()
	for s, why := range unfitSecrets() {
		_, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
			Secrets: []webhooks.Secret{secret, s},
			Handle:  func(context.Context, *webhooks.Event) error { return nil },
		})
		require.ErrorIs(t, err, types.ErrInvalid, "%q", string(s))
		require.EqualError(t, err, "webhooks.ReceiverConfig: Secrets[1] "+why+": invalid argument")

		service := fakeapi.New()
		settings := full()
		settings.AuthHeader = s
		_, err = client(t, service).Create(t.Context(), settings)
		require.EqualError(t, err, "webhooks.Client.Create: AuthHeader "+why+": invalid argument")
		_, err = client(t, service).Replace(t.Context(), hookID, settings)
		require.EqualError(t, err, "webhooks.Client.Replace: AuthHeader "+why+": invalid argument")
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

func TestErrorsMaskTheSecret(t *testing.T) {
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
			"edit":   func(c *webhooks.Client) error { _, err := c.Replace(t.Context(), hookID, settings); return err },
		} {
			s := fakeapi.New()
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

func TestSummaryHasTheMembersOfAWebhook(t *testing.T) {
	t.Parallel()
	require.Equal(t, tags(reflect.TypeFor[webhooks.Webhook]()), tags(reflect.TypeFor[webhooks.Summary]()))
}

// tags returns the wire names of the members of a struct.
func tags(t reflect.Type) []string {
	var all []string
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous {
			all = append(all, tags(f.Type)...)
		} else {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			all = append(all, name)
		}
	}
	return all
}
