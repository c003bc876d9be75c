package fake_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
)

// events makes n of them, swaps and transfers in turn.
func events(n int) []fake.Event {
	var all []fake.Event
	for i := range n {
		if i%2 == 0 {
			all = append(all, fake.SwapEvent(i, watched))
		} else {
			all = append(all, fake.TransferEvent(i, watched))
		}
	}
	return all
}

func TestEventsHaveTheTimeTheyAreGiven(t *testing.T) {
	t.Parallel()
	for i, e := range events(2) {
		later := e.At(time.Unix(1_800_000_000, 999))
		require.Contains(t, later.Enhanced, `"timestamp":1800000000,`)
		require.Contains(t, later.Raw, `"blockTime":1800000000,`)
		first := fmt.Sprint(1_735_689_600 + i)
		require.Equal(t, e.Enhanced, strings.Replace(later.Enhanced, "1800000000", first, 1))
		require.Equal(t, e.Raw, strings.Replace(later.Raw, "1800000000", first, 1))
		require.Equal(t, e.Accounts, later.Accounts)
	}
}

func TestMadeEventsAreJSONWithTheirAccounts(t *testing.T) {
	t.Parallel()
	for i, e := range events(20) {
		for _, text := range []string{e.Enhanced, e.Raw} {
			require.True(t, json.Valid([]byte(text)), text)
			require.NotContains(t, text, "<", "a name of the template that has no value")
			require.Contains(t, text, e.Signature)
			for _, a := range e.Accounts {
				require.Contains(t, text, a)
			}
			require.Contains(t, text, fmt.Sprint(1735689600+i))
		}
		require.Contains(t, e.Enhanced, `"type":"`+e.Type+`"`)
	}
	require.Equal(t, events(3), events(3))
}
