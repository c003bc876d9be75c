package rpc_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

func TestCallDecodesAnyResult(t *testing.T) {
	t.Parallel()
	slot, health, supply := uint64(0), "", map[string]any{}
	var raw json.RawMessage
	var block *struct{ Height uint64 }
	for _, row := range []struct {
		result string
		into   any
		want   any
	}{
		{`18446744073709551615`, &slot, uint64(18446744073709551615)},
		{`"ok"`, &health, "ok"},
		{`{"value":{"total":9007199254740993}}`, &supply, map[string]any{"value": map[string]any{"total": json.Number("9007199254740993")}}},
		{`[1,{"a":null}]`, &raw, json.RawMessage(`[1,{"a":null}]`)},
	} {
		s := fakeapi.New()
		s.Answer(200, `{"jsonrpc":"2.0","id":"1","result":`+row.result+`}`)
		require.NoError(t, clientOf(t, s).Call(t.Context(), "getAnything", []any{"a", 1}, row.into))
		require.JSONEq(t, `{"jsonrpc":"2.0","id":"1","method":"getAnything","params":["a",1]}`, s.Requests()[0].Body)
	}
	require.Equal(t, uint64(18446744073709551615), slot)
	require.Equal(t, "ok", health)
	require.Equal(t, map[string]any{"value": map[string]any{"total": json.Number("9007199254740993")}}, supply)
	require.JSONEq(t, `[1,{"a":null}]`, string(raw))

	block = &struct{ Height uint64 }{7}
	s := fakeapi.New()
	s.Answer(200, `{"jsonrpc":"2.0","id":"1","result":null}`)
	require.NoError(t, clientOf(t, s).Call(t.Context(), "getBlock", nil, &block))
	require.Nil(t, block, "null sets a pointer to nil")
	require.JSONEq(t, `{"jsonrpc":"2.0","id":"1","method":"getBlock"}`, s.Requests()[0].Body)
}

func TestErrorOfACallQuotesLittleOfItsParams(t *testing.T) {
	t.Parallel()
	for text, quoted := range map[any]string{
		types.Address("a b"):                        `sendBundle of "a b": code -32602: no`,
		types.Address(strings.Repeat("AQID", 1000)): "sendBundle of " + strings.Repeat("AQID", 25) + "…: code -32602: no",
	} {
		s := fakeapi.New()
		s.Answer(200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}`)
		var out any
		require.EqualError(t, clientOf(t, s).Call(t.Context(), "sendBundle", []any{text}, &out), quoted)
	}
}

// The bits of the sysvar SlotHistory, parsed by a node, are a text of a million digits.
func TestCallDecodesLongTextsOfDigits(t *testing.T) {
	t.Parallel()
	bits := strings.Repeat("10", 1<<19)
	var value any
	named := map[string]any{}
	for _, into := range []any{&value, &named} {
		s := fakeapi.New()
		s.Answer(200, `{"jsonrpc":"2.0","id":"1","result":{"nextSlot":"8","bits":"`+bits+`"}}`)
		require.NoError(t, clientOf(t, s).Call(t.Context(), "getAccountInfo", nil, into))
	}
	require.Equal(t, map[string]any{"nextSlot": "8", "bits": bits}, named)
	require.Equal(t, any(named), value)
}

func TestCallErrors(t *testing.T) {
	t.Parallel()
	for result, want := range map[string]string{
		`{"result":"text"}`:                                      "getSlot: ",
		`{"jsonrpc":"2.0","id":"1"}`:                             "getSlot: the response has no result",
		`{"error":{"code":-32601,"message":"Method not found"}}`: "getSlot: code -32601: Method not found",
	} {
		s := fakeapi.New()
		s.Answer(200, result)
		var slot uint64
		require.ErrorContains(t, clientOf(t, s).Call(t.Context(), "getSlot", nil, &slot), want)
		require.Zero(t, slot)
	}
}

func TestCallThatSendsIsSentOnce(t *testing.T) {
	t.Parallel()
	for method, requests := range map[string]int{"getSlot": 2, "sendTransaction": 1, "requestAirdrop": 1} {
		synctest.Test(t, func(t *testing.T) {
			s := fakeapi.New()
			s.Answer(500, `{}`)
			s.Answer(200, `{"result":1}`)
			err := clientOf(t, s).Call(t.Context(), method, nil, nil)
			require.Equal(t, requests == 1, err != nil)
			require.Len(t, s.Requests(), requests)
		})
	}
}

func TestCallRefusesInvalidArguments(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	c := clientOf(t, s)
	const (
		badMethod = "is not the name of a JSON-RPC method: letters, digits and _, at most 64"
		badResult = "is not a non-nil pointer"
	)
	for _, row := range []struct {
		method string
		result any
		want   string
	}{
		{"", nil, "method " + badMethod},
		{"get slot", nil, "method " + badMethod},
		{"getSlot?api-key=x", nil, "method " + badMethod},
		{s.Config().APIKey.Reveal(), nil, "method holds the API key"},
		{"getSlot", 7, "result " + badResult},
		{"getSlot", (*uint64)(nil), "result " + badResult},
	} {
		require.EqualError(t, c.Call(t.Context(), row.method, nil, row.result), "rpc.Client.Call: "+row.want+": invalid argument")
	}
	calls := []rpc.BatchCall{{Method: "getSlot"}, {Method: "getSlot", Result: "slot"}}
	require.EqualError(t, c.Batch(t.Context(), calls, nil), "rpc.Client.Batch: calls[1].Result "+badResult+": invalid argument")
	calls[1].Method = "get/slot"
	require.EqualError(t, c.Batch(t.Context(), calls, nil), "rpc.Client.Batch: calls[1].Method "+badMethod+": invalid argument")
	require.EqualError(t, c.Batch(t.Context(), nil, &rpc.BatchOptions{Limit: -1}), "rpc.Client.Batch: Limit -1 is negative; 0 means the default: invalid argument")
	require.Empty(t, s.Requests())
}

func TestBatchKeepsTheResultsOfGoodCalls(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, `[{"id":"2","error":{"code":-32602,"message":"no"}},{"id":"1","result":5},{"id":"3","result":"text"},{"id":"4","result":null}]`)
	var slots [4]uint64
	calls := make([]rpc.BatchCall, len(slots))
	for i := range calls {
		calls[i] = rpc.BatchCall{Method: "getSlot", Result: &slots[i]}
	}
	err := clientOf(t, s).Batch(t.Context(), calls, nil)
	require.Equal(t, calls[1].Err, err, "the first error")
	var refusal *types.APIError
	require.ErrorAs(t, err, &refusal)
	require.Equal(t, "getSlot", refusal.Op)
	require.Equal(t, [4]uint64{5}, slots)
	require.NoError(t, calls[0].Err)
	require.ErrorContains(t, calls[2].Err, "getSlot: ")
	require.NoError(t, calls[3].Err)
	require.Len(t, s.Requests(), 1)
}

func TestBatchIsSplitByWhatTheServiceAccepts(t *testing.T) {
	t.Parallel()
	for method, requests := range map[string]int{"getTransaction": 1, "getBalance": 1, "getBlock": 10, "getSignaturesForAddress": 10, "getTransfersByAddress": 10} {
		s := fakeapi.New()
		calls := make([]rpc.BatchCall, 100)
		for i := range calls {
			calls[i] = rpc.BatchCall{Method: method, Params: []any{fakeapi.Wallet}}
			switch method {
			case "getBlock":
				calls[i].Params = []any{i}
			case "getTransaction":
				calls[i].Params = []any{strings.Repeat("1", 64)}
			}
		}
		require.NoError(t, clientOf(t, s).Batch(t.Context(), calls, nil))
		require.Len(t, s.Requests(), requests, method)
	}
	s := fakeapi.New()
	err := clientOf(t, s).Batch(t.Context(), []rpc.BatchCall{{Method: "getSlot"}, {Method: "getTransactionsForAddress"}}, nil)
	require.EqualError(t, err, "rpc.Client.Batch: calls[1].Method is getTransactionsForAddress, which the service does not batch; use Call: invalid argument")
	require.Empty(t, s.Requests())
}

func TestBatchIsSplitByItsLimit(t *testing.T) {
	t.Parallel()
	for limit, requests := range map[int]int{0: 1, 1: 3, 2: 2} {
		s := fakeapi.New()
		var lists [3]struct{ Value []rpc.TokenAccount }
		calls := make([]rpc.BatchCall, len(lists))
		for i := range calls {
			calls[i] = rpc.BatchCall{
				Method: "getTokenAccountsByDelegate",
				Params: []any{fakeapi.Delegate, rpc.ByMint(usdc), rpc.AccountOptions{Encoding: types.EncodingBase64}},
				Result: &lists[i],
			}
		}
		require.NoError(t, clientOf(t, s).Batch(t.Context(), calls, &rpc.BatchOptions{Limit: limit}))
		require.Len(t, s.Requests(), requests)
		for _, list := range lists {
			require.NotEmpty(t, list.Value)
		}
	}
}
