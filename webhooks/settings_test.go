package webhooks_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

// values are all that can hold the secret.
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

func TestSecretIsMaskedInEveryForm(t *testing.T) {
	t.Parallel()
	for name, v := range values() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var forms []string
			verbs := "vsqdxXobBcUteEfFgGOzT!" // of %p and %w the comment of Secret warns
			if name == "webhooks" {
				verbs = "vdxXobT" // those that fit a pointer inside another value
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

// Fmt asks no method of what is inside unexported fields.
func TestReceiverDoesNotKeepTheSecret(t *testing.T) {
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
	require.Equal(t, `{"webhookID":"`+hookID+`","wallet":"`+fake.Wallet+`","project":"a1b2c3d4-demo","active":false,`+
		`"webhookURL":"https://example.com/hooks?team=a\u0026stage=b","transactionTypes":["SWAP","NFT_SALE","SOMETHING_NEW"],`+
		`"accountAddresses":["`+account+`","an odd entry"],"webhookType":"enhancedDevnet","authHeader":"***",`+
		`"encoding":"jsonParsed","txnStatus":"success"}`, string(b))
}

func TestUnsetSecretPrintsNothing(t *testing.T) {
	t.Parallel()
	require.Equal(t, "[]", fmt.Sprintf("[%v]", webhooks.Secret("")))
	b, err := json.Marshal(webhooks.Settings{URL: "https://example.com"})
	require.NoError(t, err)
	require.Equal(t, `{"webhookURL":"https://example.com"}`, string(b))
}

// Settings that were kept as JSON have lost the secret. They must not replace
// that of a webhook by the mask.
func TestMaskedSecretIsNotWrittenBack(t *testing.T) {
	t.Parallel()
	s := fake.New()
	c := client(t, s)
	made, err := c.Create(t.Context(), full())
	require.NoError(t, err)
	kept, err := json.Marshal(made.Settings)
	require.NoError(t, err)
	var settings webhooks.Settings
	require.NoError(t, json.Unmarshal(kept, &settings))
	before := len(s.Requests())
	_, err = c.Edit(t.Context(), made.ID, settings)
	require.ErrorIs(t, err, types.ErrInvalid)
	require.Len(t, s.Requests(), before)
	settings.AuthHeader = secret
	_, err = c.Edit(t.Context(), made.ID, settings)
	require.NoError(t, err)
}

func TestSummaryHasWhatAWebhookHas(t *testing.T) {
	t.Parallel()
	require.Equal(t, tags(reflect.TypeFor[webhooks.Webhook]()), tags(reflect.TypeFor[webhooks.Summary]()))
}

// tags returns the wire names of a struct and of what it embeds.
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
