package transport_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

func TestLongNumbersAreFoundWhereverTheyStand(t *testing.T) {
	t.Parallel()
	const most = 16384
	for _, lead := range []int{0, 1, most - 1, most, most + 1, 3 * most, 50_000} {
		space := strings.Repeat(" ", lead)
		for _, n := range []int{1, 64, most - 1, most, most + 1, 2 * most, 2*most + 1} {
			digits := strings.Repeat("9", n)
			require.Equal(t, n > most, transport.LongNumber([]byte(space+digits)), "%d after %d", n, lead)
			require.Equal(t, n > most, transport.LongNumber([]byte(`{"a":`+space+digits+`}`)), "%d after %d", n, lead)
			require.Equal(t, n > most-3, transport.LongNumber([]byte(`[1,`+space+digits+`e-5]`)), "%d after %d", n, lead)
			require.Equal(t, n > most, transport.LongNumber([]byte(`{"a":"`+space+digits+`"}`)), "a decimal may stand in quotes, %d after %d", n, lead)
		}
	}
	for lead := range 64 {
		two := strings.Repeat("1", most) + "," + strings.Repeat("1", most)
		require.False(t, transport.LongNumber([]byte(`[`+strings.Repeat(" ", lead)+two+`]`)), "two numbers after %d", lead)
	}
	for _, c := range "+-.0123456789Ee" {
		long := strings.Repeat("7", most/2) + string(c) + strings.Repeat("7", most/2)
		require.True(t, transport.LongNumber([]byte(long)), "with %c", c)
	}
	require.False(t, transport.LongNumber(nil))
}

// A slow look at every character must come to the same verdict.
func FuzzLongNumber(f *testing.F) {
	for _, s := range []string{"", "1", `[1,-2.5e+7]`, `{"a":"12"}`} {
		f.Add([]byte(s), uint16(16_000), uint16(16_400))
		f.Add([]byte(s), uint16(0), uint16(16_384))
		f.Add([]byte(s), uint16(1), uint16(32_769))
	}
	f.Fuzz(func(t *testing.T, part []byte, lead, digits uint16) {
		body := slices.Concat(part, bytes.Repeat([]byte(" "), int(lead)), bytes.Repeat([]byte("7"), int(digits)), part)
		run, longest := 0, 0
		for _, c := range body {
			run++
			if !strings.ContainsRune("+-.0123456789Ee", rune(c)) {
				run = 0
			}
			longest = max(longest, run)
		}
		require.Equal(t, longest > 16_384, transport.LongNumber(body))
	})
}

// Some decoders quote what they could not read, all of it.
func TestDecodeErrorsAreShort(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1_000_000)
	var log bytes.Buffer
	cfg := config(&script{steps: []step{answer(200, `{"amount":"`+long+`"}`)}})
	cfg.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	c, err := transport.New(cfg, transport.Wallet)
	require.NoError(t, err)
	var out struct {
		Amount decimal.Decimal `json:"amount"`
	}
	err = c.Get(t.Context(), "/x", nil, &out)
	require.Error(t, err)
	require.Less(t, len(err.Error()), 1200)
	require.Less(t, log.Len(), 1500)
}

// An answer of many tiny values would take many times its size in memory.
func TestCrowdedAnswersAreTooLarge(t *testing.T) {
	t.Parallel()
	fetch := func(body string) error {
		c, err := transport.New(config(&script{steps: []step{answer(200, body)}}), transport.Wallet)
		require.NoError(t, err)
		var out []struct{ A, B, C, D string }
		return c.Get(t.Context(), "/x", nil, &out)
	}
	const mega = 1 << 20
	require.NoError(t, fetch(`[`+strings.Repeat(`{},`, 1000)+`{}]`), "a small one may be as it likes")
	require.ErrorIs(t, fetch(`[`+strings.Repeat(`{},`, mega)+`{}]`), types.ErrTooLarge)
	require.ErrorIs(t, fetch(`[`+strings.Repeat(`null,`, mega)+`{}]`), types.ErrTooLarge)
	require.NoError(t, fetch(`[`+strings.Repeat(`{"a":"7"},`, mega/8)+`{}]`))
	require.False(t, transport.Crowded([]byte(strings.Repeat(`"16 characters",`, 3*mega))))
	require.True(t, transport.Crowded([]byte(strings.Repeat(`"16 characters",`, 3*mega+1))), "however large")
}

func TestHostileAnswersEndSoon(t *testing.T) {
	t.Parallel()
	const million = 1_000_000
	for name, body := range map[string]string{
		"open lists":     strings.Repeat("[", million),
		"nested lists":   strings.Repeat("[", million) + strings.Repeat("]", million),
		"nested objects": strings.Repeat(`{"a":`, million) + "1" + strings.Repeat("}", million),
		"unknown member": `{"unknown":` + strings.Repeat("[", million) + strings.Repeat("]", million) + `}`,
		"long number":    `{"answer":` + strings.Repeat("9", million) + `}`,
		"empty objects":  `{"answer":[` + strings.Repeat("{},", million) + `{}]}`,
		"nulls":          `{"answer":[` + strings.Repeat("null,", million) + `null]}`,
		"long text":      `{"answer":"` + strings.Repeat("x", million) + `","value":"` + strings.Repeat("x", million) + `"}`,
		"long exponent":  `{"answer":1e` + strings.Repeat("9", million) + `}`,
	} {
		for _, kind := range callers {
			t.Run(name+"/"+kind.name, func(t *testing.T) {
				t.Parallel()
				cfg := config(&script{steps: []step{answer(200, body)}})
				cfg.MaxAttempts = 1
				start := time.Now()
				_, err := kind.call(t.Context(), cfg)
				require.Error(t, err)
				require.Less(t, len(err.Error()), 1000)
				require.Less(t, time.Since(start), 30*time.Second)
			})
		}
	}
}

// Nobody can make an answer slow with numbers that are just short enough.
func TestAnswerOfTheLongestNumbersEndsSoon(t *testing.T) {
	t.Parallel()
	longest := strings.Repeat("9", 16_384)
	var out []decimal.Decimal
	start := time.Now()
	require.NoError(t, transport.Decode([]byte(`[`+strings.Repeat(longest+",", 255)+longest+`]`), &out)) // 4 MiB
	require.Less(t, time.Since(start), 30*time.Second)
	require.Len(t, out, 256)
	require.Equal(t, longest, out[255].String())
}

// FuzzEnvelope compares the one-pass envelope with a reading of the answer
// member by member.
func FuzzEnvelope(f *testing.F) {
	for _, s := range []string{
		`{"jsonrpc":"2.0","id":"1","result":{"context":{"slot":9},"value":7}}`,
		`{"context":{"slot":9},"value":7}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}`,
		`{"jsonrpc":"2.0","id":1,"result":null}`,
		`{"result":{"value":null}}`,
		`{"jsonrpc":"2.0","id":"2","result":{"value":1}}`,
		`{"error":"x"}`, `{"error":null,"result":{"value":3}}`, `null`, `{}`, `[]`, `7`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		cfg := config(&script{steps: []step{answer(200, string(body))}})
		cfg.MaxAttempts = 1
		got, err := callers[1].call(t.Context(), cfg)
		want, sound := reference(body)
		require.Equal(t, sound, err == nil, "%s: %v", body, err)
		if sound {
			require.Equal(t, want, got, "%s", body)
		}
	})
}

// reference reads an answer slowly, with encoding/json.
func reference(body []byte) (value int, sound bool) {
	type result struct {
		Context struct {
			Slot uint64 `json:"slot"`
		} `json:"context"`
		Value *int `json:"value"`
	}
	var e struct {
		JSONRPC json.RawMessage `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   json.RawMessage `json:"error"`
		Result  *result         `json:"result"`
		result
	}
	absent := func(raw json.RawMessage) bool {
		return len(raw) == 0 || string(raw) == "null" || string(raw) == `""` || string(raw) == "false"
	}
	if json.Unmarshal(body, &e) != nil || !absent(e.Error) {
		return 0, false
	}
	if e.Result == nil {
		if !absent(e.JSONRPC) {
			return 0, false
		}
		e.Result = &e.result
	}
	if slot := e.Result.Context.Slot; e.Result.Value == nil || slot != 9 && slot != 0 {
		return 0, false
	}
	return *e.Result.Value, len(e.ID) == 0 || string(e.ID) == "null" || string(e.ID) == `"1"` || string(e.ID) == `1`
}
