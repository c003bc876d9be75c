package transport_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// batched is a step that responds to each call of a batch, in reverse order.
func batched(reply func(method string, call int) string) step {
	return func(req *http.Request) (*http.Response, error) {
		body, _ := io.ReadAll(req.Body)
		req.Body = io.NopCloser(bytes.NewReader(body)) // for the record
		var calls []struct{ ID, Method string }
		if err := json.Unmarshal(body, &calls); err != nil {
			return nil, err
		}
		var answers []string
		for i, c := range calls {
			if text := reply(c.Method, i); text != "" {
				answers = append(answers, strings.Replace(text, "{", fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,`, c.ID), 1))
			}
		}
		slices.Reverse(answers) // matched by id, whatever the order
		return answer(200, "["+strings.Join(answers, ",")+"]")(req)
	}
}

// number responds to getThingN with N.
func number(method string, _ int) string {
	return `{"result":` + strings.TrimPrefix(method, "getThing") + `}`
}

func queries(n int) []transport.Query[uint64] {
	all := make([]transport.Query[uint64], n)
	for i := range all {
		all[i].Op = transport.Op{Method: "test.Client.Thing", Wire: fmt.Sprint("getThing", i+1)}
	}
	return all
}

var batchOp = transport.Op{Method: "test.Client.Things", Wire: "batch"}

func values(outcomes []transport.Outcome[uint64]) []uint64 {
	var all []uint64
	for _, o := range outcomes {
		if o.Value != nil {
			all = append(all, *o.Value)
		}
	}
	return all
}

func TestBatchIsSplitAndKeepsItsOrder(t *testing.T) {
	t.Parallel()
	s := &script{steps: []step{batched(number)}}
	asked := &pacer{}
	cfg := config(s)
	cfg.Limiter = asked
	c := newClient(t, cfg, transport.RPC)
	outcomes := transport.Batch(t.Context(), c, batchOp, queries(7), 3)
	require.Equal(t, []uint64{1, 2, 3, 4, 5, 6, 7}, values(outcomes))
	require.Equal(t, 3, s.count(), "three, three and one")
	require.Equal(t, 7, asked.asked, "once for each call")
	require.Empty(t, transport.Batch(t.Context(), c, batchOp, queries(0), 3))
	require.Equal(t, 3, s.count())
}

func TestBatchOnTheWire(t *testing.T) {
	t.Parallel()
	c, s := client(t, transport.RPC, answer(200, `[{"jsonrpc":"2.0","id":"1","result":1},{"jsonrpc":"2.0","id":2,"result":2}]`))
	two := queries(2)
	two[1].Params = []any{"x"}
	require.Equal(t, []uint64{1, 2}, values(transport.Batch(t.Context(), c, batchOp, two, 10)))
	require.Equal(t, `[{"jsonrpc":"2.0","id":"1","method":"getThing1"},{"jsonrpc":"2.0","id":"2","method":"getThing2","params":["x"]}]`, s.bodies[0])
}

func TestBatchHasOneErrorPerCall(t *testing.T) {
	t.Parallel()
	c, s := client(t, transport.RPC, batched(func(method string, i int) string {
		return []string{
			number(method, i),
			`{"error":{"code":-32602,"message":"Invalid param: WrongSize"}}`,
			`{"result":"text"}`,
			`{"result":null}`,
			"",
			`{"other":1}`,
			number(method, i),
		}[i]
	}))
	outcomes := transport.Batch(t.Context(), c, batchOp, queries(7), 10)
	require.Equal(t, []uint64{1, 7}, values(outcomes))
	require.EqualError(t, outcomes[1].Err, "getThing2: code -32602: Invalid param: WrongSize")
	require.ErrorContains(t, outcomes[2].Err, "getThing3: ")
	require.EqualError(t, outcomes[3].Err, "getThing4: the response is null")
	require.EqualError(t, outcomes[4].Err, "getThing5: the response to the batch lacks this call")
	require.EqualError(t, outcomes[5].Err, "getThing6: the response has no result")
	require.Equal(t, 1, s.count())
}

func TestErrorOfAWholeBatchIsThatOfEachCall(t *testing.T) {
	t.Parallel()
	for says, reply := range map[string]step{
		"batch: code -32600: Invalid request":   answer(200, `{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request"},"id":null}`),
		"-32702":                                answer(200, `{"jsonrpc":"2.0","error":{"code":-32702,"message":"Response is too big"},"id":null}`),
		"batch: 403 Forbidden: plan":            answer(403, `{"error":"plan"}`),
		"code -32700: Parse error":              answer(200, `[{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}]`),
		"batch: the response to a batch is not": answer(200, `{"jsonrpc":"2.0","id":"1","result":1}`),
		"batch: code -32600: in other letters":  answer(200, `{"Error":{"code":-32600,"message":"in other letters"}}`),
		"batch: code 400: no":                   answer(200, `{"statusCode":400,"message":"no"}`),
		"getThing":                              answer(200, `[1,2]`),
		"lacks this call":                       answer(200, `[]`),
	} {
		c, s := client(t, transport.RPC, reply)
		for _, o := range transport.Batch(t.Context(), c, batchOp, queries(3), 10) {
			require.ErrorContains(t, o.Err, says)
			require.Nil(t, o.Value)
		}
		require.Equal(t, 1, s.count())
	}
}

// behind responds with a transient error to some calls.
func behind(methods ...string) step {
	return batched(func(method string, i int) string {
		if slices.Contains(methods, method) {
			return `{"error":{"code":-32005,"message":"Node is behind by 42 slots"}}`
		}
		return number(method, i)
	})
}

// Only the calls that failed with a transient error are sent again.
func TestTruncatedBatchIsRetried(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, s := client(t, transport.RPC, answer(200, `[{"jsonrpc":"2.0","id":"1","result":1},{"jso`), batched(number))
		require.Equal(t, []uint64{1, 2}, values(transport.Batch(t.Context(), c, batchOp, queries(2), 2)))
		require.Equal(t, 2, s.count())
	})
}

func TestBatchThatCannotBeEncodedIsNotSent(t *testing.T) {
	t.Parallel()
	c, s := client(t, transport.RPC, batched(number))
	all := queries(2)
	all[1].Params = make(chan int)
	for _, o := range transport.Batch(t.Context(), c, batchOp, all, 2) {
		require.ErrorIs(t, o.Err, types.ErrInvalid)
		require.ErrorContains(t, o.Err, "test.Client.Things: the request cannot be encoded")
	}
	require.Zero(t, s.count())
}

func TestOddElementOfABatchIsLeftOut(t *testing.T) {
	t.Parallel()
	c, _ := client(t, transport.RPC, answer(200, `[5,{"jsonrpc":"2.0","id":"2","result":2}]`))
	outcomes := transport.Batch(t.Context(), c, batchOp, queries(2), 2)
	require.ErrorContains(t, outcomes[0].Err, "the response to the batch lacks this call")
	require.Equal(t, []uint64{2}, values(outcomes))
}

func TestBatchRetriesTransientErrors(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &script{steps: []step{answer(503, ``), behind("getThing2", "getThing4"), behind("getThing2"), behind()}}
		asked := &pacer{}
		cfg := config(s)
		cfg.Limiter = asked
		outcomes := transport.Batch(t.Context(), newClient(t, cfg, transport.RPC), batchOp, queries(4), 10)
		require.Equal(t, []uint64{1, 2, 3, 4}, values(outcomes))
		require.Equal(t, 4, s.count())
		require.Equal(t, 4+4+2+1, asked.asked)
		require.NotContains(t, s.bodies[2], "getThing1")
		require.Equal(t, 1, strings.Count(s.bodies[3], "getThing2"))

		c, _ := client(t, transport.RPC, behind("getThing2"), answer(500, ``))
		outcomes = transport.Batch(t.Context(), c, batchOp, queries(2), 10)
		require.EqualError(t, outcomes[1].Err, "batch: 500 Internal Server Error (4 attempts)", "the last failure")

		c, _ = client(t, transport.RPC, behind("getThing4"))
		outcomes = transport.Batch(t.Context(), c, batchOp, queries(4), 10)
		require.Equal(t, []uint64{1, 2, 3}, values(outcomes))
		require.EqualError(t, outcomes[3].Err, "getThing4: code -32005: Node is behind by 42 slots (4 attempts)")
	})
}

func TestLimiterErrorIsThatOfThePendingCalls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		full := errors.New("would exceed the deadline")
		cfg := config(&script{steps: []step{behind("getThing2")}})
		cfg.Limiter = &pacer{wait: func(_ context.Context, n int) error { return map[int]error{3: full}[n] }}
		outcomes := transport.Batch(t.Context(), newClient(t, cfg, transport.RPC), batchOp, queries(2), 10)
		require.Equal(t, []uint64{1}, values(outcomes))
		require.ErrorIs(t, outcomes[1].Err, full)
		require.ErrorContains(t, outcomes[1].Err, "before that: getThing2: code -32005")
	})
}

// A call that is not idempotent keeps the whole request from being repeated. Once it
// has an outcome, the others may be sent again.
func TestBatchSendsACreateOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		all := queries(3)
		all[1].Changes = true
		for _, first := range []step{answer(503, ``), failing(reset)} {
			c, s := client(t, transport.RPC, first, batched(number))
			for _, o := range transport.Batch(t.Context(), c, batchOp, all, 10) {
				require.Error(t, o.Err)
			}
			require.Equal(t, 1, s.count())
		}
		// getThing1 was not executed, getThing2 may have been
		limited := batched(func(method string, _ int) string {
			return map[string]string{
				"getThing1": `{"error":{"code":-32429,"message":"rate limited"}}`,
				"getThing2": `{"error":{"code":-32603,"message":"Internal error"}}`,
				"getThing3": `{"result":3}`,
			}[method]
		})
		for _, first := range []step{limited, behind("getThing1", "getThing2", "getThing3")} {
			c, s := client(t, transport.RPC, first, batched(number))
			outcomes := transport.Batch(t.Context(), c, batchOp, all, 10)
			require.Equal(t, []uint64{1, 3}, values(outcomes))
			require.ErrorContains(t, outcomes[1].Err, "getThing2: code -32")
			require.Equal(t, 2, s.count())
			require.NotContains(t, s.bodies[1], "getThing2")
		}
	})
}

func TestCancelledBatchKeepsItsResults(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		c, s := client(t, transport.RPC, batched(number), hang)
		outcomes := transport.Batch(ctx, c, batchOp, queries(5), 2)
		require.Equal(t, []uint64{1, 2}, values(outcomes))
		for _, o := range outcomes[2:] {
			require.ErrorIs(t, o.Err, context.DeadlineExceeded)
		}
		require.Equal(t, 2, s.count())
		require.ErrorIs(t, transport.Batch(nil, c, batchOp, queries(1), 1)[0].Err, types.ErrInvalid) //nolint:staticcheck // nil is the case
		require.ErrorIs(t, transport.Batch[uint64](t.Context(), nil, batchOp, queries(1), 1)[0].Err, types.ErrInvalid)
	})
}
