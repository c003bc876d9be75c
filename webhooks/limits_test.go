package webhooks_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

// Making a decimal of a million digits would take seconds.
func TestLongNumberIsRefusedBeforeItIsRead(t *testing.T) {
	t.Parallel()
	_, err := webhooks.ParseEvents([]byte(strings.Replace(enhanced(sig1), "{", `{"tokenTransfers":[{"tokenAmount":`+strings.Repeat("9", 1_000_000)+"}],", 1)))
	require.ErrorContains(t, err, "number of more than 64 digits")
}

func TestTooMuchInOneBody(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		body    string
		message string
	}{
		"events":       {"[" + strings.Repeat(enhanced(sig1)+",", 1000) + enhanced(sig1) + "]", "more than 1000 events: too large"},
		"empty events": {"[" + strings.Repeat("{},", 1<<20) + "{}]", ""},
		"objects":      {strings.Replace(enhanced(sig1), "{", `{"tokenTransfers":[`+strings.Repeat("{},", 1<<17)+"{}],", 1), "more than 131072 objects: too large"},
		"nulls":        {strings.Replace(enhanced(sig1), "{", `{"tokenTransfers":[`+strings.Repeat("null,", 1<<17)+"null],", 1), "more than 131072 objects: too large"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := webhooks.ParseEvents([]byte(row.body))
			if row.message == "" { // refused for its first event already
				require.ErrorIs(t, err, types.ErrInvalid)
				return
			}
			require.ErrorIs(t, err, types.ErrTooLarge)
			require.EqualError(t, err, row.message)
		})
	}
}

func TestLargestBodyThatIsTaken(t *testing.T) {
	t.Parallel()
	events, err := webhooks.ParseEvents([]byte("[" + strings.Repeat(enhanced(sig1)+",", 999) + enhanced(sig2) + "]"))
	require.NoError(t, err)
	require.Len(t, events, 1000)
	deepest := strings.Replace(enhanced(sig1), "{", `{"x":`+strings.Repeat("[", 63)+`"]\"]"`+strings.Repeat("]", 63)+",", 1)
	_, err = webhooks.ParseEvents([]byte(deepest))
	require.NoError(t, err)
	_, err = webhooks.ParseEvents([]byte(strings.Replace(enhanced(sig1), "{", `{"x":"`+strings.Repeat("[{", 1<<18)+`\"[`+strings.Repeat("{", 100)+`\\",`, 1))) // inside text
	require.NoError(t, err)
}
