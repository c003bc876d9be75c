package rpc

import (
	"cmp"
	"context"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/internal/transport"
)

// The method of a call follows the name of the operation.
var (
	opCall  = op("rpc.Client.Call", "")
	opBatch = op("rpc.Client.Batch", "batch")
)

// Call runs any JSON-RPC method with the same key, retries and errors as the other methods.
// Params is a slice or a struct, nil for none. Result is a pointer to the decoded result, nil to
// discard it. The package comment says how nulls and numbers are decoded. A [types.Meter] counts
// the lowest price of the method.
func (c *Client) Call(ctx context.Context, method string, params, result any) error {
	q := query(method, params)
	q.Invalid = cmp.Or(c.checkMethod("method", method), checkResult("result", result))
	raw, err := transport.Result(ctx, c.api, q)
	if err != nil {
		return err
	}
	return c.take(q.Op, raw, result)
}

// A BatchCall is one call of a [Client.Batch].
type BatchCall struct {
	Method string // the JSON-RPC method
	Params any    // a slice or a struct; nil sends no params
	Result any    // pointer to the result, as in [Client.Call]; nil discards it
	Err    error  // why the call failed; set by Batch
}

// BatchOptions are the options of [Client.Batch]. The zero value, like nil, means
// the defaults.
type BatchOptions struct {
	// Limit is the most calls in one request. 0 means the limit of the service: 100, or 10 if a
	// call reads history by another method than getTransaction.
	Limit int
}

// Batch runs any number of calls, up to Limit of them in one request, and sets the Result or the
// Err of each. It returns the error of the first failed call. Calls that failed for a transient
// reason are sent again without the others. The service does not batch getTransactionsForAddress,
// so it fails with [types.ErrInvalid]: use [Client.Call].
func (c *Client) Batch(ctx context.Context, calls []BatchCall, opts *BatchOptions) error {
	limit := batchLimit(calls)
	if opts != nil && opts.Limit != 0 {
		limit = opts.Limit
	}
	if err := c.api.Check(opBatch, argument.NotNegative("Limit", limit), argument.Each("calls", calls, c.checkCall)); err != nil {
		return err
	}
	queries := make([]transport.Query[json.RawMessage], len(calls))
	for i, b := range calls {
		queries[i] = query(b.Method, b.Params)
	}
	var first error
	for i, outcome := range transport.Batch(ctx, c.api, opBatch, queries, limit) {
		b := &calls[i]
		if b.Err = outcome.Err; b.Err == nil {
			b.Err = c.take(queries[i].Op, outcome.Value, b.Result)
		}
		first = cmp.Or(first, b.Err)
	}
	return first
}

// batchLimit is the most of these calls that the service accepts in one request.
func batchLimit(calls []BatchCall) int {
	limit := opCall.Facts().Batch
	for _, b := range calls {
		limit = min(limit, query(b.Method, nil).Op.Facts().Batch)
	}
	return limit
}

func query(method string, params any) transport.Query[json.RawMessage] {
	return transport.Query[json.RawMessage]{
		Op:      transport.Op{Method: opCall.Method, Wire: method},
		Params:  params,
		Null:    transport.NullIsAnswer,
		Changes: strings.HasPrefix(method, "send") || strings.HasPrefix(method, "request"),
	}
}

// take decodes a result, which is nil for null.
func (c *Client) take(op transport.Op, raw *json.RawMessage, result any) error {
	if result == nil {
		return nil
	}
	text := json.RawMessage("null")
	if raw != nil {
		text = *raw
	}
	return c.api.WithOp(op, decode.Exact(text, result))
}

func (c *Client) checkCall(name string, b BatchCall) error {
	if query(b.Method, nil).Op.Facts().Batch == 1 {
		return argument.Invalid(name+".Method", "is "+b.Method+", which the service does not batch; use Call")
	}
	return cmp.Or(c.checkMethod(name+".Method", b.Method), checkResult(name+".Result", b.Result))
}

// checkMethod refuses an invalid name of a method, since the name becomes part
// of errors and log records.
func (c *Client) checkMethod(name, method string) error {
	if c.api != nil && c.api.Holds(method) {
		return argument.Invalid(name, "holds the API key")
	}
	if method == "" || len(method) > 64 || strings.Trim(method, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != "" {
		return argument.Invalid(name, "is not the name of a JSON-RPC method: letters, digits and _, at most 64")
	}
	return nil
}

func checkResult(name string, result any) error {
	if v := reflect.ValueOf(result); result != nil && (v.Kind() != reflect.Pointer || v.IsNil()) {
		return argument.Invalid(name, "is not a non-nil pointer")
	}
	return nil
}
