package webhooks_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/enhanced"
	"github.com/solwire/solwire-go/types/tx"
	"github.com/solwire/solwire-go/webhooks"
)

const (
	sig1 types.Signature = "5wHu1qwD7q5ifaN5nwdcDqNFo53GJqa7nLp2BeeEpcHCusb4GzARz4GjgzsEHMkBMgCJMGa6GSQ1VG96Exv8kt2W"
	sig2 types.Signature = "3Ww3Wz9C1b7RM8P3xEzyWmeHk7H7jE7VtCFTJwEsqz2MrJxt2Cb7D1YzTFY6hYC1Hn7QWQcX5dUoZ7r2A5rQ7tPb"
	sig3 types.Signature = "2nBhEBYYvfaAe16UMNqRHre4YNSskvuYgx3M6E4JP1oDYvZEJHvoPzyUidNgNX5r9sTyN1J9UxtbCXy2rqYcuyuv"
	sig4 types.Signature = "4S5tCQwcPBBmpbyjPc1RbWkUDSfc1LnhMUJyPcP3vJEtjvJLEtPkCpN6qMKFUwqk6f7iHYPJJoRAQDkuh9aCiZR1"
)

// event returns the smallest event.
func event(signature types.Signature) string {
	return fmt.Sprintf(`{"signature":%q,"type":"TRANSFER"}`, signature)
}

// recorded returns documented deliveries.
func recorded(t testing.TB, kind webhooks.Kind) string {
	t.Helper()
	dir := map[webhooks.Kind]string{webhooks.KindEnhanced: "enhanced", webhooks.KindRaw: "tx"}[kind]
	text, err := os.ReadFile("../types/" + dir + "/testdata/transactions.json")
	require.NoError(t, err)
	return string(text)
}

func TestRoundedNumbersOfEventsAreRead(t *testing.T) {
	t.Parallel()
	events, err := webhooks.ParseEvents([]byte(`[{"slot":5,"meta":{"err":null,"fee":5e3,"preBalances":[18446744073709552000]},"transaction":{"signatures":["` + string(sig1) + `"]}},
		{"signature":"` + string(sig2) + `","fee":5000.0}]`))
	require.NoError(t, err)
	require.NoError(t, errors.Join(events[0].Err, events[1].Err))
	require.Equal(t, uint64(5000), events[0].Raw.Meta.FeeLamports)
	require.Equal(t, []uint64{18446744073709551615}, events[0].Raw.Meta.PreBalances)
	require.Equal(t, uint64(5000), events[1].Enhanced.FeeLamports)
}

func TestEventHoldsTheTransaction(t *testing.T) {
	t.Parallel()
	for _, kind := range []webhooks.Kind{webhooks.KindEnhanced, webhooks.KindRaw} {
		body := recorded(t, kind)
		events, err := webhooks.ParseEvents([]byte(body))
		require.NoError(t, err)
		var parsed []enhanced.Transaction
		var raw []tx.Transaction
		if kind == webhooks.KindEnhanced {
			require.NoError(t, json.Unmarshal([]byte(body), &parsed))
			raw = make([]tx.Transaction, len(parsed))
		} else {
			require.NoError(t, json.Unmarshal([]byte(body), &raw))
			parsed = make([]enhanced.Transaction, len(raw))
		}
		require.Len(t, events, len(raw))
		for i, e := range events {
			require.Equal(t, kind, e.Kind)
			require.NoError(t, e.Err)
			require.Equal(t, parsed[i], e.Enhanced)
			require.Equal(t, raw[i], e.Raw)
			if kind == webhooks.KindRaw {
				require.Equal(t, raw[i].Signature, e.Signature)
			} else {
				require.Equal(t, parsed[i].Signature, e.Signature)
			}
			require.Equal(t, max(parsed[i].Slot, raw[i].Slot), e.Slot)
			require.Contains(t, []types.Time{parsed[i].BlockTime, raw[i].BlockTime}, e.BlockTime)
			require.Contains(t, body, string(e.JSON), "unknown members are kept")

			again, err := webhooks.ParseEvents(e.JSON)
			require.NoError(t, err)
			require.Equal(t, []*webhooks.Event{e}, again, "a stored event is parsed again")
		}
	}
}

func TestSingleObjectIsAnEvent(t *testing.T) {
	t.Parallel()
	for _, form := range []string{"%s", "[%s]", " \r\n\t%s\n", " [ %s ] "} {
		events, err := webhooks.ParseEvents(fmt.Appendf(nil, form, event(sig1)))
		require.NoError(t, err, form)
		require.Len(t, events, 1, form)
		require.Equal(t, sig1, events[0].Signature)
	}
	events, err := webhooks.ParseEvents([]byte("[]"))
	require.NoError(t, err)
	require.Empty(t, events)
}

func TestMalformedBodies(t *testing.T) {
	t.Parallel()
	good := event(sig1)
	for name, body := range map[string]string{
		"nothing":                  "",
		"white space":              " \n",
		"null":                     "null",
		"text":                     `"x"`,
		"number":                   "1",
		"no JSON":                  "<html>",
		"breaks off":               "[" + good,
		"breaks off after a comma": "[" + good + ",",
		"breaks off inside":        "[" + good[:20],
		"comma at the end":         "[" + good + ",]",
		"no comma":                 "[" + good + good + "]",
		"wrong bracket":            "[" + good + "}",
		"text after a list":        "[" + good + "]x",
		"second list":              "[" + good + "][]",
		"text after an object":     good + "x",
		"second object":            good + good,
		"nested":                   "[" + strings.Repeat("[", 100_000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			events, err := webhooks.ParseEvents([]byte(body))
			require.ErrorIs(t, err, types.ErrInvalid)
			require.Nil(t, events)
			require.Less(t, len(err.Error()), 200) // it must not carry the body
		})
	}
}

// flawed returns events that have a signature and cannot be decoded otherwise.
func flawed() map[string]string {
	with := func(members string) string { return strings.Replace(event(sig1), "{", "{"+members+",", 1) }
	raw := func(members string) string {
		return `{"transaction":{"signatures":["` + string(sig1) + `"]},` + members + `}`
	}
	return map[string]string{
		"wrong type":             with(`"slot":"x"`),
		"negative slot":          with(`"slot":-1`),
		"fraction of a lamport":  with(`"fee":1.5`),
		"invalid lamports":       with(`"events":{"swap":{"nativeInput":{"amount":"1e-3"}}}`),
		"events that are a text": with(`"events":"x"`),
		"no number of tokens":    with(`"accountData":[{"tokenBalanceChanges":[{"rawTokenAmount":{"tokenAmount":""}}]}]`),
		"huge exponent":          with(`"tokenTransfers":[{"tokenAmount":1e999999999}]`),
		"transfer of no amount":  with(`"tokenTransfers":[{"mint":"x","tokenAmount":null}]`),
		"decimals no token has":  with(`"tokenTransfers":[{"decimals":256}]`),
		"number of raw tokens":   raw(`"meta":{"postTokenBalances":[{"uiTokenAmount":{"amount":5}}]}`),
	}
}

func TestEventWithoutASignatureHasErr(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"no signature":             "{}",
		"null":                     "[null]",
		"text":                     `["x"]`,
		"empty signature":          event(""),
		"short signature":          event(sig1[:60]),
		"long signature":           event(types.Signature(strings.Repeat("1", 1_000_000))),
		"signature no base58":      event(types.Signature(strings.Replace(string(sig1), "w", "0", 1))),
		"raw without signatures":   `{"transaction":{"signatures":[]}}`,
		"raw with null signatures": `{"transaction":{"signatures":null},"signature":"` + string(sig1) + `"}`,
	} {
		events, err := webhooks.ParseEvents([]byte(body))
		require.NoError(t, err, name)
		require.Len(t, events, 1, name)
		require.ErrorIs(t, events[0].Err, types.ErrInvalid, name)
		require.Less(t, len(events[0].Err.Error()), 200, name)
		require.Empty(t, events[0].Signature, name)
	}
}

func TestUndecodableEventHasErr(t *testing.T) {
	t.Parallel()
	for name, body := range flawed() {
		events, err := webhooks.ParseEvents([]byte("[" + body + "," + event(sig2) + "]"))
		require.NoError(t, err, name)
		require.Len(t, events, 2, name)
		require.Zero(t, events[0].Enhanced, name)
		require.Zero(t, events[0].Raw, name)
		require.ErrorIs(t, events[0].Err, types.ErrInvalid, name)
		require.Less(t, len(events[0].Err.Error()), 300, name)
		var item *types.ItemError
		require.ErrorAs(t, events[0].Err, &item, name)
		require.NotEmpty(t, item.Path, name)
		require.Equal(t, sig1, events[0].Signature, name)
		require.Equal(t, body, string(events[0].JSON), name)
		require.NoError(t, events[1].Err, name)
		require.Equal(t, sig2, events[1].Enhanced.Signature, name)
	}
}

func TestLimitsOfABody(t *testing.T) {
	t.Parallel()
	_, err := webhooks.ParseEvents([]byte("[" + strings.Repeat(event(sig1)+",", 1000) + event(sig1) + "]"))
	require.ErrorIs(t, err, types.ErrTooLarge)
	require.EqualError(t, err, "more than 1000 events: too large")
	events, err := webhooks.ParseEvents([]byte("[" + strings.Repeat(event(sig1)+",", 999) + event(sig2) + "]"))
	require.NoError(t, err)
	require.Len(t, events, 1000)
}

func FuzzEvents(f *testing.F) {
	service := fakeapi.New()
	x, err := service.Swap(account)
	require.NoError(f, err)
	swap := service.Book().Of(x)
	for _, body := range []string{recorded(f, webhooks.KindEnhanced), recorded(f, webhooks.KindRaw), swap.Enhanced, swap.Raw, "[" + swap.Enhanced + "," + swap.Raw + "]"} {
		f.Add([]byte(body))
	}
	seedTrouble(f, event(sig1))
	seedTrouble(f, `{"transaction":{"signatures":["`+string(sig1)+`"]}}`)
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, e := range parsed(t, body) {
			switch {
			case e.Err != nil:
			case e.Kind == webhooks.KindEnhanced:
				var want enhanced.Transaction
				require.NoError(t, json.Unmarshal(e.JSON, &want))
				require.Equal(t, want, e.Enhanced)
				require.Equal(t, want.Signature, e.Signature)
				require.Equal(t, want.Slot, e.Slot)
			default:
				var want tx.Transaction
				require.NoError(t, json.Unmarshal(e.JSON, &want))
				require.Equal(t, want, e.Raw)
				require.Equal(t, want.Signature, e.Signature)
				loaded := want.Meta.LoadedAddresses
				require.Len(t, e.Raw.Accounts(), len(want.Signed.Message.AccountKeys)+len(loaded.Writable)+len(loaded.Readonly))
			}
		}
	})
}

// seedTrouble adds malformed bodies.
func seedTrouble(f *testing.F, event string) {
	f.Helper()
	for _, body := range []string{
		"", "null", "[]", "[null]", "{}", "[[]]", `"x"`, event, "[" + event + "]", "[" + event + "," + event + "]", event + event,
		"[" + event + "]]", "[" + event + ",", `{"signature":1}`, `{"transaction":[]}`, `[{"transaction":{"signatures":[""]}}]`,
		"[" + event + `,{"transaction":{}}]`,
		`{"signature":"` + string(sig1) + `","fee":"x"}`,
	} {
		f.Add([]byte(body))
	}
}

// parsed parses a body. It fails the test unless a Receiver calls Handle for
// the events of a valid body and refuses an invalid one.
func parsed(t *testing.T, body []byte) []*webhooks.Event {
	t.Helper()
	events, err := webhooks.ParseEvents(body)
	var called []*webhooks.Event
	r, newErr := webhooks.NewReceiver(webhooks.ReceiverConfig{
		Secrets: []webhooks.Secret{secret},
		Handle: func(_ context.Context, e *webhooks.Event) error {
			called = append(called, e)
			return nil
		},
	})
	require.NoError(t, newErr)
	var status int
	synctest.Test(t, func(t *testing.T) { status = post(t, r, string(body)) }) // on a busy machine too
	if err != nil {
		require.Nil(t, events)
		require.NotEqual(t, errors.Is(err, types.ErrInvalid), errors.Is(err, types.ErrTooLarge), err)
		require.Contains(t, []int{400, 413}, status)
		require.Empty(t, called)
		require.Less(t, len(err.Error()), 200)
		return nil
	}
	require.Equal(t, 200, status)
	require.LessOrEqual(t, len(events), 1000)
	seen := map[types.Signature]bool{}
	var first []*webhooks.Event
	for _, e := range events {
		if e.Signature == "" {
			require.Error(t, e.Err)
			first = append(first, e)
			continue
		}
		key, err := e.Signature.Bytes()
		require.NoError(t, err)
		require.Len(t, key, 64)
		require.Equal(t, e.Err == nil && e.Kind == webhooks.KindRaw, len(e.Raw.Signed.Signatures) > 0)
		require.Equal(t, e.Err == nil && e.Kind == webhooks.KindEnhanced, e.Enhanced.Signature != "")
		require.True(t, json.Valid(e.JSON))
		again, err := webhooks.ParseEvents(append(append([]byte("["), e.JSON...), ']'))
		require.NoError(t, err)
		require.Equal(t, []*webhooks.Event{e}, again)
		if !seen[e.Signature] {
			first = append(first, e)
		}
		seen[e.Signature] = true
	}
	require.Equal(t, first, called)
	return events
}
