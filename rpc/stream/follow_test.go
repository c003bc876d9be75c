package stream

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc/stream/internal/merge"
	"github.com/solwire/solwire-go/types"
)

const signed = "4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofMhHTUy4nqLxS8pwVKbPfsPyKjJVZHvDuAhNsJkUa7dDhcS"

func logsOfSignature(signature string) string {
	return fmt.Sprintf(`{"context":{"slot":5},"value":{"signature":%q,"err":null,"logs":["x"]}}`, signature)
}

// Gateways mix up notifications.
func TestUnreadableNotificationsAreEvents(t *testing.T) {
	for name, test := range map[string]struct{ result, id, path string }{
		"no signature":      {logsOfSignature(""), "", ""},
		"no slot":           {strings.Replace(logsOfSignature(signed), "5", "0", 1), signed, ""},
		"odd slot":          {strings.Replace(logsOfSignature(signed), "5", `"x"`, 1), signed, "context.slot"},
		"odd logs":          {strings.Replace(logsOfSignature(signed), `["x"]`, "7", 1), signed, "value.logs"},
		"a slot":            {`{"parent":1,"root":1,"slot":7}`, "", ""},
		"a root":            {`7`, "", ""},
		"of another method": {`{"context":{"slot":5},"value":{"lamports":5,"owner":"x"}}`, "", ""},
		"good":              {logsOfSignature(signed), signed, ""},
	} {
		q := merge.NewQueue[LogsEvent](10, 1<<20)
		sink[LogsEvent]{q, notified(opLogs, logsItem)}.Notify(json.RawMessage(test.result))
		q.Pulse(6)
		for e, err := range (&merge.Merge[LogsEvent]{Queue: q}).All(t.Context()) {
			require.NoError(t, err)
			require.Equal(t, test.id, e.ID, name)
			require.Nil(t, e.Gap, name)
			var unreadable *types.ItemError
			if name != "good" {
				require.ErrorAs(t, e.Err, &unreadable, name)
				require.Equal(t, test.path, unreadable.Path, name)
				require.Equal(t, test.result, string(unreadable.JSON))
			} else {
				require.NoError(t, e.Err)
			}
			break
		}
	}
}

// Live, in the history and after a restart, a rounded number is the same.
func TestRoundedNumbersOfNotificationsAreRead(t *testing.T) {
	t.Parallel()
	item := notified(opTransactions, transactionItem)(json.RawMessage(`{"signature":"` + signed + `","slot":5.0,"transactionIndex":3,
		"transaction":{"transaction":{"signatures":["` + signed + `"],"message":{}},"meta":{"err":null,"fee":5e3,"preBalances":[18446744073709552000]},"version":0}}`))
	require.NoError(t, item.Err)
	require.Equal(t, uint64(5), item.Slot)
	require.Equal(t, uint64(5000), item.Value.Transaction.Meta.FeeLamports)
	require.Equal(t, []uint64{18446744073709551615}, item.Value.Transaction.Meta.PreBalances)
}
