package transport_test

import (
	"encoding/json"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

func query[T any](null transport.Null) transport.Query[T] {
	return transport.Query[T]{Op: transport.Op{Method: "test.Client.Thing", Wire: "getThing"}, Null: null}
}

// result calls a method with a result of type T, and returns the result as JSON.
func result[T any](t *testing.T, body string, null transport.Null) (string, error) {
	t.Helper()
	c, _ := client(t, transport.RPC, answer(200, body))
	got, err := transport.Result(t.Context(), c, query[T](null))
	encoded, _ := json.Marshal(got)
	return string(encoded), err
}

func TestResultsOfEveryShape(t *testing.T) {
	t.Parallel()
	type object struct{ A *uint64 }
	type row struct {
		body, want string
		run        func(*testing.T, string, transport.Null) (string, error)
	}
	for name, r := range map[string]row{
		"number":              {`{"jsonrpc":"2.0","id":"1","result":18446744073709551615}`, `18446744073709551615`, result[uint64]},
		"list":                {`{"jsonrpc":"2.0","id":"1","result":[1,2]}`, `[1,2]`, result[[]uint64]},
		"empty list":          {`{"jsonrpc":"2.0","id":"1","result":[]}`, `[]`, result[[]uint64]},
		"text":                {`{"jsonrpc":"2.0","id":"1","result":"ok"}`, `"ok"`, result[string]},
		"object":              {`{"jsonrpc":"2.0","id":"1","result":{"A":1,"new":[{}]}}`, `{"A":1}`, result[object]},
		"raw":                 {`{"jsonrpc":"2.0","id":"1","result":{"b": [1.50]}}`, `{"b":[1.50]}`, result[json.RawMessage]},
		"without an envelope": {`{"A":1}`, `{"A":1}`, result[object]},
		"with a context": {`{"jsonrpc":"2.0","id":"1","result":{"context":{"slot":1},"value":{"A":2}}}`, `{"value":{"A":2}}`, result[struct {
			Value json.RawMessage `json:"value"`
		}]},
	} {
		got, err := r.run(t, r.body, transport.NullIsError)
		require.NoError(t, err, name)
		require.Equal(t, r.want, got, name)
	}
}

func TestNullResult(t *testing.T) {
	t.Parallel()
	const null = `{"jsonrpc":"2.0","id":"1","result":null}`
	got, err := result[uint64](t, null, transport.NullIsAnswer)
	require.NoError(t, err)
	require.Equal(t, "null", got)
	_, err = result[uint64](t, null, transport.NullIsNotFound)
	require.ErrorIs(t, err, types.ErrNotFound)
	require.EqualError(t, err, "getThing: not found")
	_, err = result[uint64](t, null, transport.NullIsError)
	require.EqualError(t, err, "getThing: the response is null")
	for _, meaning := range []transport.Null{transport.NullIsAnswer, transport.NullIsNotFound, transport.NullIsError} {
		_, err = result[uint64](t, `{"jsonrpc":"2.0","id":"1"}`, meaning)
		require.EqualError(t, err, "getThing: the response has no result", "absent is not null")
		_, err = result[uint64](t, `null`, meaning)
		require.Error(t, err)
	}
}

// An envelope alone is not a result, and a result without one has no id.
func TestEnvelopeWithoutAResult(t *testing.T) {
	t.Parallel()
	type asset struct{ Name string }
	for _, body := range []string{`{"id":"1"}`, `{"id":1,"error":null}`, `{"jsonrpc":null,"id":"1"}`, `{"id":"1","name":"x"}`} {
		_, err := result[asset](t, body, transport.NullIsError)
		require.EqualError(t, err, "getThing: the response has no result", body)
	}
}

func TestNullInAContext(t *testing.T) {
	t.Parallel()
	value := func(body string, null transport.Null) (*uint64, uint64, error) {
		c, _ := client(t, transport.RPC, answer(200, body))
		return transport.Value(t.Context(), c, query[uint64](null))
	}
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":"1","result":{"context":{"slot":9},"value":null}}`,
		`{"context":{"slot":9},"value":null}`,
	} {
		got, slot, err := value(body, transport.NullIsAnswer)
		require.NoError(t, err)
		require.Nil(t, got)
		require.EqualValues(t, 9, slot)
		_, slot, err = value(body, transport.NullIsNotFound)
		require.ErrorIs(t, err, types.ErrNotFound)
		require.EqualValues(t, 9, slot, "the slot in which nothing was found")
		_, _, err = value(body, transport.NullIsError)
		require.EqualError(t, err, "getThing: the response is null")
	}
	got, _, err := value(`{"jsonrpc":"2.0","id":"1","result":null}`, transport.NullIsAnswer)
	require.NoError(t, err)
	require.Nil(t, got)
	for _, body := range []string{`{"jsonrpc":"2.0","id":"1","result":{"context":{"slot":9}}}`, `{"jsonrpc":"2.0","id":"1","result":{}}`} {
		_, _, err = value(body, transport.NullIsAnswer)
		require.EqualError(t, err, "getThing: the response has no value")
	}
}

// An incomplete response is not retried and does not refill the budget.
func TestIncompleteResponseIsAnError(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, s := client(t, transport.RPC, answer(500, `{}`), answer(200, `{"value":{}}`))
		_, _, err := transport.Value(t.Context(), c, transport.Query[struct{ Items []int }]{
			Op:    transport.Op{Method: "test.Client.Thing", Wire: "getThing"},
			Check: func(v *struct{ Items []int }) error { return transport.Require(v.Items != nil, "items") },
		})
		require.EqualError(t, err, "getThing: the response has no items (2 attempts)")
		require.EqualValues(t, 495, transport.Tokens(c))
		require.Equal(t, 2, s.count())
	})
}

func TestParamsOnTheWire(t *testing.T) {
	t.Parallel()
	c, s := client(t, transport.RPC, answer(200, `{"jsonrpc":"2.0","result":1}`))
	q := query[uint64](transport.NullIsError)
	for _, q.Params = range []any{nil, []any{}, struct{}{}, []any{"x", nil}} {
		_, err := transport.Result(t.Context(), c, q)
		require.NoError(t, err)
	}
	require.Equal(t, []string{
		`{"jsonrpc":"2.0","id":"1","method":"getThing"}`,
		`{"jsonrpc":"2.0","id":"1","method":"getThing","params":[]}`,
		`{"jsonrpc":"2.0","id":"1","method":"getThing","params":{}}`,
		`{"jsonrpc":"2.0","id":"1","method":"getThing","params":["x",null]}`,
	}, s.bodies)
	q.Params = func() {}
	_, err := transport.Result(t.Context(), c, q)
	require.ErrorIs(t, err, types.ErrInvalid)
	require.Len(t, s.bodies, 4)
}

// FuzzEnvelope compares the one-pass envelope with a member-by-member reading.
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
		got, err := protocols[1].call(t.Context(), cfg)
		want, sound := reference(body)
		require.Equal(t, sound, err == nil, "%s: %v", body, err)
		if sound {
			require.Equal(t, want, got, "%s", body)
		}
	})
}

// reference decodes a response with encoding/json.
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
	return *e.Result.Value, true
}
