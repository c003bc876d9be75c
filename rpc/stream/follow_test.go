package stream

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc/stream/internal/merge"
	"github.com/solwire/solwire-go/types/tx"
)

const signed = "4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofMhHTUy4nqLxS8pwVKbPfsPyKjJVZHvDuAhNsJkUa7dDhcS"

func logsOfSignature(signature string) string {
	return fmt.Sprintf(`{"context":{"slot":5},"value":{"signature":%q,"err":null,"logs":["x"]}}`, signature)
}

// Gateways mix up notifications, and what cannot be read is a gap.
func TestUnreadableNotificationsAreGaps(t *testing.T) {
	for name, result := range map[string]string{
		"no signature":      logsOfSignature(""),
		"not UTF-8":         strings.Replace(logsOfSignature(signed), "x", "\xff", 1),
		"no slot":           strings.Replace(logsOfSignature(signed), "5", "0", 1),
		"a slot":            `{"parent":1,"root":1,"slot":7}`,
		"a root":            `7`,
		"of another method": `{"context":{"slot":5},"value":{"lamports":5,"owner":"x"}}`,
		"good":              logsOfSignature(signed),
	} {
		q := merge.NewQueue[tx.Transaction](10, 1<<20)
		sink[tx.Transaction]{q, notified(logsItem)}.Notify(json.RawMessage(result))
		q.Pulse(6)
		q.Push(merge.Item[tx.Transaction]{ID: "next", Slot: 6})
		for e, err := range (&merge.Merge[tx.Transaction]{Queue: q}).All(t.Context()) {
			require.NoError(t, err)
			require.Equal(t, name == "good", e.ID != "next", name)
			require.Equal(t, name == "good", e.Gap == nil, name)
			break
		}
	}
}

// The bound of what waits for a slow loop is one of decoded events.
func TestSizeOfIsAtLeastTheMemory(t *testing.T) {
	const body = `{"signature":"` + signed + `","slot":5,"transaction":{"transaction":{"signatures":[""],"message":{"accountKeys":[],"instructions":[INSTRUCTIONS]}},"meta":{"preTokenBalances":[BALANCES],"logMessages":[LOGS]},"version":0}}`
	for part, element := range map[string]string{"INSTRUCTIONS": "{},", "BALANCES": "{},", "LOGS": `"",`} {
		many := strings.TrimSuffix(strings.Repeat(element, 10_000), ",")
		result := json.RawMessage(strings.NewReplacer(part, many, "INSTRUCTIONS", "", "BALANCES", "", "LOGS", "").Replace(body))
		var before, after runtime.MemStats
		var held []any
		runtime.GC()
		runtime.ReadMemStats(&before)
		for range 20 {
			item, err := notified(transactionItem)(result)
			require.NoError(t, err)
			held = append(held, item)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		require.LessOrEqual(t, int(after.HeapAlloc-before.HeapAlloc), len(held)*sizeOf(result), part)
		runtime.KeepAlive(held)
	}
}
