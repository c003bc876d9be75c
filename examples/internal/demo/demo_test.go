package demo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
)

func TestWithoutKeyTheFakeAnswersAndIsSaidTo(t *testing.T) {
	t.Parallel()
	var out, notes bytes.Buffer
	show := func(_ context.Context, cfg types.Config, out io.Writer) error {
		_, err := fmt.Fprintln(out, cfg.WalletURL)
		return err
	}
	require.Zero(t, Program(show).run(t.Context(), "show", "", &out, &notes))
	require.Equal(t, "https://wallet.solwire.test\n", out.String())
	require.Equal(t, "HELIUS_API_KEY is not set: this is made-up data.\n", notes.String())
}

func TestWithKeyTheServiceAnswers(t *testing.T) {
	t.Parallel()
	var out, notes bytes.Buffer
	show := func(_ context.Context, cfg types.Config, out io.Writer) error {
		_, err := fmt.Fprintln(out, cfg.APIKey, cfg.WalletURL == "", cfg.HTTPClient == nil)
		return err
	}
	require.Zero(t, Program(show).run(t.Context(), "show", "a-key", &out, &notes))
	require.Equal(t, "a-key true true\n", out.String())
	require.Empty(t, notes.String())
}

func TestErrorIsOneLineAndStatusOne(t *testing.T) {
	t.Parallel()
	var out, notes bytes.Buffer
	fail := func(context.Context, types.Config, io.Writer) error {
		return errors.Join(errors.New("one"), errors.New("two"))
	}
	require.Equal(t, 1, Program(fail).run(t.Context(), "show", "a-key", &out, &notes))
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
	table := Table(&out)
	fmt.Fprint(table, "A\tB\t  C\nlong\t1\t  left\n")
	require.NoError(t, table.Flush())
	require.Equal(t, "     A  B  C\n  long  1  left\n", out.String())
}
