package webhooks_test

import (
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

// Making a decimal of a million digits would take seconds.
func TestLongNumberIsRefusedBeforeItIsRead(t *testing.T) {
	t.Parallel()
	_, err := webhooks.ParseEvents([]byte(strings.Replace(enhanced(sig1), "{", `{"tokenTransfers":[{"tokenAmount":`+strings.Repeat("9", 1_000_000)+"}],", 1)))
	require.ErrorContains(t, err, "number of more than 16384 digits")
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

// A body without a length says nothing of its size before it is read. In a
// bubble a slow machine does not take the time that an answer has.
func TestBodyWithoutALengthIsReadUpToTheLimit(t *testing.T) {
	t.Parallel()
	for size, row := range map[int64]struct {
		status int
		read   int64
	}{
		8 << 20:   {200, 8 << 20},
		8<<20 + 1: {413, 8<<20 + 1},
		16 << 20:  {413, 8<<20 + 1}, // one byte more shows that it is too long
	} {
		synctest.Test(t, func(t *testing.T) {
			r, got := receiver(t, webhooks.ReceiverConfig{})
			event := list(sig1)
			body := &io.LimitedReader{R: io.MultiReader(strings.NewReader(event), blank{}), N: size}
			req := delivery(t, "")
			req.ContentLength, req.Body = -1, io.NopCloser(body)
			w := &answerWriter{header: http.Header{}}
			r.ServeHTTP(w, req)
			require.Equal(t, row.status, w.status, size)
			require.Equal(t, row.read, size-body.N, size)
			require.Equal(t, row.status == 200, len(got.list()) == 1, size)
		})
	}
}

// blank is white space without an end.
type blank struct{}

func (blank) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	return len(b), nil
}

// Values without an object take memory too: in events just below the size at
// which answers are looked at, a body of 7 MiB became more than 200.
func TestBodyOfTinyValuesTakesLittleMemory(t *testing.T) {
	for name, element := range map[string]string{
		"numbers":   "0",
		"lists":     "[]",
		"long text": `"` + strings.Repeat("9", 4000) + `"`,
	} {
		for _, form := range []string{
			`{"signature":"` + string(sig1) + `","transaction":{"signatures":["` + string(sig1) + `"]},"meta":{"rewards":[%s]}}`,
			`{"signature":"` + string(sig1) + `","transaction":{"signatures":["` + string(sig1) + `"]},"meta":{"logMessages":[%s]}}`,
			`{"signature":"` + string(sig1) + `","transactionError":[%s]}`,
			`{"signature":"` + string(sig1) + `","accountData":[{"tokenBalanceChanges":[{"rawTokenAmount":{"tokenAmount":[%s]}}]}]}`,
		} {
			list := strings.Repeat(element+",", (1<<20-1000)/(len(element)+1)) + element
			event := strings.Replace(form, "%s", list, 1)
			body := []byte("[" + strings.Repeat(event+",", 6) + event + "]")
			before := allocated()
			events, err := webhooks.ParseEvents(body)
			took := int64(allocated()-before) >> 20
			t.Logf("%s: %d MiB, %v", name, took, err)
			if len(element) < 10 {
				require.ErrorIs(t, err, types.ErrTooLarge, name)
				require.Empty(t, events)
			}
			require.Less(t, took, int64(100), name)
		}
	}
}

// allocated returns how much memory was ever taken.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}
