package demo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
)

func TestWithoutKeyTheFakeAnswersAndIsSaidTo(t *testing.T) {
	t.Parallel()
	var notes bytes.Buffer
	cfg := config("", "", &notes)
	require.Equal(t, "https://wallet.solwire.test", cfg.WalletURL)
	require.NotNil(t, cfg.HTTPClient)
	require.Equal(t, "HELIUS_API_KEY is not set: this is made-up data.\n", notes.String())
}

func TestWithKeyTheServiceAnswers(t *testing.T) {
	t.Parallel()
	var notes bytes.Buffer
	require.Equal(t, types.Config{APIKey: "a-key"}, config("a-key", "", &notes))
	require.Empty(t, notes.String())
}

func TestDevserverIsSentNoKeyButItsOwn(t *testing.T) {
	t.Parallel()
	const base = "http://127.0.0.1:8899"
	var notes bytes.Buffer
	for key, want := range map[string]string{
		"":                                     "demo-key",
		"0b9d4c1e-5a6f-4d27-8c3e-9f1b2a7d6e50": "demo-key",
		"demo-key":                             "demo-key",
		"limited-key":                          "limited-key",
		"expired-key":                          "expired-key",
	} {
		require.Equal(t, types.Config{APIKey: want, RPCURL: base, WalletURL: base, WebhooksURL: base}, config(key, base, &notes))
	}
	require.Empty(t, notes.String())
}

func TestProgramWritesWhatItShows(t *testing.T) {
	t.Parallel()
	var out, notes bytes.Buffer
	show := func(_ context.Context, cfg types.Config, out io.Writer) error {
		_, err := fmt.Fprintln(out, cfg.APIKey)
		return err
	}
	require.Zero(t, Program(show).run(t.Context(), "show", types.Config{APIKey: "a-key"}, &out, &notes))
	require.Equal(t, "a-key\n", out.String())
	require.Empty(t, notes.String())
}

func TestErrorIsOneLineAndStatusOne(t *testing.T) {
	t.Parallel()
	var out, notes bytes.Buffer
	fail := func(context.Context, types.Config, io.Writer) error {
		return errors.Join(errors.New("one"), errors.New("two"))
	}
	require.Equal(t, 1, Program(fail).run(t.Context(), "show", types.Config{}, &out, &notes))
	require.Equal(t, "show: one; two\n", notes.String())
	require.Empty(t, out.String())
}

func TestTextIsFitForATerminal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{"Bonk", "Bonk"},
		{"Äpfel 🍏", "Äpfel 🍏"},
		{"two\nlines\tand a tab", "twolinesand a tab"},
		{"\x1b[31mred\x1b[0m", "[31mred[0m"},
		{"abc\u202edef", "abcdef"},
		{"bad \xff byte", "bad \ufffd byte"},
		{"12345678901234567890", "12345678901234567890"},
		{"123456789012345678901", "1234567890123456789…"},
		{"", ""},
	} {
		require.Equal(t, c.want, Text(c.in))
	}
}

func TestTableAlignsAtTheRight(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	table := Table(&out, "A\tB\t  C")
	fmt.Fprint(table, "long\t1\t  left\n")
	require.NoError(t, table.Flush())
	require.Equal(t, "     A  B  C\n  long  1  left\n", out.String())
}

func TestTokensOfSOLAreNamed(t *testing.T) {
	t.Parallel()
	require.Equal(t, "SOL", Token(types.SOL))
	require.Equal(t, "SOL", Token(types.NativeSOLMint))
	require.Equal(t, "SOL or wSOL", Token(types.WrappedSOL))
	require.Equal(t, "EPjF…Dt1v", Token("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"))
	require.Equal(t, "odd", Token("o\x07dd"))
	require.Empty(t, Token(""))
}

func TestUnknownTimeIsNow(t *testing.T) {
	t.Parallel()
	require.Equal(t, "a moment ago", Time(types.Time{}))
	require.Equal(t, "2025-11-20 13:33:01", Time(types.Time{Time: time.Unix(1763645581, 0)}))
}
