package webhooks_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

// flawed are events with a signature whose details are not what they should be.
func flawed() map[string]string {
	with := func(members string) string { return strings.Replace(enhanced(sig1), "{", "{"+members+",", 1) }
	raw := func(members string) string {
		return `{"transaction":{"signatures":["` + string(sig1) + `"]},` + members + `}`
	}
	return map[string]string{
		"wrong type":                  with(`"slot":"x"`),
		"negative slot":               with(`"slot":-1`),
		"fraction of a lamport":       with(`"fee":1.5`),
		"lamports that are no number": with(`"events":{"swap":{"nativeInput":{"amount":"1e3"}}}`),
		"events that are a text":      with(`"events":"x"`),
		"no number of tokens":         with(`"accountData":[{"tokenBalanceChanges":[{"rawTokenAmount":{"tokenAmount":""}}]}]`),
		"a very long number":          with(`"tokenTransfers":[{"tokenAmount":"` + strings.Repeat("9", 101) + `"}]`),
		"a very long raw number":      with(`"accountData":[{"tokenBalanceChanges":[{"rawTokenAmount":{"tokenAmount":"` + strings.Repeat("9", 101) + `"}}]}]`),
		"huge exponent":               with(`"tokenTransfers":[{"tokenAmount":1e999999999}]`),
		"decimals no token has":       with(`"tokenTransfers":[{"decimals":256}]`),
		"number of raw tokens":        raw(`"meta":{"postTokenBalances":[{"uiTokenAmount":{"amount":5}}]}`),
		"parsed account keys":         `{"transaction":{"signatures":["` + string(sig1) + `"],"message":{"accountKeys":[{"pubkey":"` + account + `"}]}}}`,
	}
}

func TestEventWithFlawedDetailsSaysSo(t *testing.T) {
	t.Parallel()
	for name, body := range flawed() {
		events, err := webhooks.ParseEvents([]byte("[" + body + "," + enhanced(sig2) + "]"))
		require.NoError(t, err, name)
		require.Len(t, events, 2, name)
		require.Nil(t, events[0].Enhanced, name)
		require.Nil(t, events[0].Raw, name)
		require.ErrorIs(t, events[0].Err, types.ErrInvalid, name)
		require.Less(t, len(events[0].Err.Error()), 120, name)
		require.Equal(t, sig1, events[0].Signature, name)
		require.Equal(t, body, string(events[0].JSON), name)
		require.NoError(t, events[1].Err, name)
		require.Equal(t, sig2, events[1].Enhanced.Signature, name)
	}
}

// Answered with an error, the service would deliver it three times more, drop
// it and its neighbours, and in the end switch the webhook off.
func TestEventWithFlawedDetailsIsSkippedAlone(t *testing.T) {
	for name, body := range flawed() {
		for _, queue := range []int{0, 4} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var skipped []string
					var log bytes.Buffer
					r, got := receiver(t, webhooks.ReceiverConfig{
						Queue:  queue,
						Logger: slog.New(slog.NewTextHandler(&log, nil)),
						Skipped: func(_ context.Context, e *webhooks.Event, err error) {
							if !errors.Is(err, e.Err) {
								t.Error(err)
							}
							skipped = append(skipped, string(e.JSON))
						},
					})
					require.Equal(t, 200, post(t, r, "["+body+","+enhanced(sig2)+"]"))
					require.Equal(t, 200, post(t, r, body))
					require.NoError(t, r.Shutdown(t.Context()))
					require.Equal(t, []types.Signature{sig2}, got.list())
					require.Equal(t, []string{body}, skipped)
					require.Contains(t, log.String(), "event not read")
				})
			})
		}
	}
}

func TestMemberTransactionOfAnotherKindIsNoRawEvent(t *testing.T) {
	t.Parallel()
	for _, value := range []string{`"x"`, "null", "1", "[]", "true"} {
		events, err := webhooks.ParseEvents([]byte(strings.Replace(enhanced(sig1), "{", `{"transaction":`+value+",", 1)))
		require.NoError(t, err, value)
		require.NotNil(t, events[0].Enhanced, value)
		require.Equal(t, sig1, events[0].Signature, value)
	}
}

// What is quoted of a body has at most 100 bytes, whatever its characters are.
func TestLongTextOfABodyIsCut(t *testing.T) {
	t.Parallel()
	events, err := webhooks.ParseEvents([]byte(strings.Replace(enhanced(sig1), "{", `{"events":{"swap":{"nativeInput":{"amount":"`+strings.Repeat("\u20ac", 400)+`"}}},`, 1)))
	require.NoError(t, err)
	require.ErrorContains(t, events[0].Err, "no number of lamports")
	require.LessOrEqual(t, len(events[0].Err.Error()), len("details: ")+100)
	require.True(t, utf8.ValidString(events[0].Err.Error()))
}

func TestLamportsAsTextOrNumber(t *testing.T) {
	t.Parallel()
	events, err := webhooks.ParseEvents([]byte(`{"signature":"` + string(sig1) + `","nativeTransfers":[{"amount":"5","toUserAccount":"` + account + `"},{"amount":6},{"amount":null}],
		"events":{"nft":{"amount":"7","fee":8,"description":"x"},"distributeCompressionRewards":{"amount":"9"},
		"swap":{"nativeInput":{"amount":"18446744073709551615"},"nativeFees":[{"amount":10}],"innerSwaps":[{"nativeFees":[{"amount":"11"}]}]}}}`))
	require.NoError(t, err)
	require.NoError(t, events[0].Err)
	e := events[0].Enhanced
	require.Equal(t, []webhooks.NativeTransfer{{ToUserAccount: account, Amount: 5}, {Amount: 6}, {}}, e.NativeTransfers)
	require.Equal(t, &webhooks.NFTEvent{Amount: 7, Fee: 8, Description: "x"}, e.Events.NFT)
	require.Equal(t, uint64(9), e.Events.DistributeCompressionRewards.Amount)
	require.Equal(t, uint64(18446744073709551615), e.Events.Swap.NativeInput.Amount)
	require.Equal(t, uint64(10), e.Events.Swap.NativeFees[0].Amount)
	require.Equal(t, []webhooks.NativeTransfer{{Amount: 11}}, e.Events.Swap.InnerSwaps[0].NativeFees)
}
