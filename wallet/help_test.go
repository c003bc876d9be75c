package wallet_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
)

// client returns one that asks s.
func client(t *testing.T, s *fake.Service) *wallet.Client {
	t.Helper()
	c, err := wallet.New(s.Config())
	require.NoError(t, err)
	return c
}

// answering returns a client whose first answer is a golden one.
func answering(t *testing.T, name string) (*wallet.Client, *fake.Service) {
	t.Helper()
	s := fake.New()
	s.Answer(200, golden(t, name+".json"))
	return client(t, s), s
}

func golden(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	require.NoError(t, err)
	return string(text)
}

// sent returns what came in: a line for each request, and one for a body.
func sent(s *fake.Service) string {
	var b strings.Builder
	for _, r := range s.Requests() {
		b.WriteString(r.Method + " " + r.Path)
		if len(r.Query) > 0 {
			b.WriteString("?" + r.Query.Encode())
		}
		b.WriteString("\n")
		if r.Body != "" {
			b.WriteString(r.Header.Get("Content-Type") + " " + r.Body + "\n")
		}
	}
	return b.String()
}

// exact is a decimal with the digits of text. Values are compared together
// with their exponents, so nothing is rounded unnoticed.
func exact(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func known(text string) decimal.NullDecimal { return decimal.NewNullDecimal(exact(text)) }

// blockTime is 2025-11-20T13:33:01Z.
var blockTime = types.Time{Time: time.Unix(1763645581, 0).UTC()}
