package rpc

import (
	"cmp"
	"context"
	"slices"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// ReadOptions are the options of methods that read the state of a node. The zero
// value, like nil, means finalized state.
type ReadOptions struct {
	// Commitment is the state to read; empty means CommitmentFinalized.
	Commitment types.Commitment `json:"commitment,omitempty"`

	// MinContextSlot is the oldest acceptable slot; 0 means any.
	MinContextSlot uint64 `json:"minContextSlot,omitempty"`
}

// CommitmentOptions are the options of methods that take a commitment only. The zero
// value, like nil, means finalized state.
type CommitmentOptions struct {
	// Commitment is the state to read; empty means CommitmentFinalized.
	Commitment types.Commitment `json:"commitment,omitempty"`
}

// AccountOptions are the options of [Client.Account] and [Client.Accounts], and part of the
// options of listings of accounts. The zero value, like nil, means finalized state and
// parsed data.
type AccountOptions struct {
	// Commitment is the state to read; empty means CommitmentFinalized.
	Commitment types.Commitment `json:"commitment,omitempty"`

	// MinContextSlot is the oldest acceptable slot; 0 means any.
	MinContextSlot uint64 `json:"minContextSlot,omitempty"`

	// DataSlice limits the data in the response; nil means all of it. It requires an
	// Encoding other than EncodingJSONParsed.
	DataSlice *types.DataSlice `json:"dataSlice,omitempty"`

	// Encoding of the data; empty means EncodingJSONParsed. Data that the node cannot parse comes
	// in EncodingBase64.
	Encoding types.Encoding `json:"encoding"`

	// ChangedSinceSlot selects accounts that changed at this slot or later; 0 means
	// all. Deleted accounts are never reported.
	ChangedSinceSlot uint64 `json:"changedSinceSlot,omitempty"`
}

// withDefaults returns a copy that later changes by the caller do not affect.
func (o *AccountOptions) withDefaults() AccountOptions {
	c := argument.Options(o)
	if c.DataSlice != nil {
		slice := *c.DataSlice
		c.DataSlice = &slice
	}
	// the default of nodes, base58, fails above 128 bytes
	c.Encoding = cmp.Or(c.Encoding, types.EncodingJSONParsed)
	return c
}

func (o *AccountOptions) check() error {
	if o.DataSlice != nil && o.Encoding == types.EncodingJSONParsed {
		return argument.Invalid("DataSlice", "does not go with jsonParsed, the default; set Encoding to EncodingBase64")
	}
	return cmp.Or(
		argument.OneOf("Encoding", o.Encoding, types.EncodingJSONParsed, types.EncodingBase64, types.EncodingBase64Zstd, types.EncodingBase58),
		argument.Commitment(o.Commitment),
	)
}

// params returns args followed by config. A zero config is left out, since some
// methods refuse an empty one.
func params[T comparable](config T, args ...any) []any {
	var none T
	list := append([]any{}, args...)
	if config == none {
		return list
	}
	return append(list, config)
}

// read returns the query of a method whose options are sent as they are, after its arguments.
func read[T any, O comparable](op transport.Op, opts *O, invalid error, complete func(*T) error, args ...any) transport.Query[T] {
	o := argument.Options(opts)
	return transport.Query[T]{Op: op, Invalid: cmp.Or(invalid, argument.Fields(&o)), Params: params(o, args...), Check: complete}
}

// hasMember accepts a text that is not empty.
func hasMember[T ~string](member string) func(*T) error {
	return func(text *T) error { return transport.Require(*text != "", member) }
}

// result returns the result of a method that is a number, a text or a list.
func result[T any](ctx context.Context, c *Client, q transport.Query[T]) (T, error) {
	got, err := transport.Result(ctx, c.api, q)
	if err != nil {
		got = new(T)
	}
	return *got, err
}

// items is [result] for a list whose items may be zero, but not null.
func items[T any](ctx context.Context, c *Client, q transport.Query[[]*T]) ([]T, error) {
	q.Check = func(list *[]*T) error {
		if i := slices.Index(*list, nil); i >= 0 {
			return transport.NullItem(i)
		}
		return nil
	}
	got, err := result(ctx, c, q)
	if err != nil {
		return nil, err
	}
	all := make([]T, len(got))
	for i, item := range got {
		all[i] = *item
	}
	return all, nil
}

// value is [result] for a method that returns {context, value}.
func value[T any](ctx context.Context, c *Client, q transport.Query[T]) (T, error) {
	got, _, err := transport.Value(ctx, c.api, q)
	if err != nil {
		got = new(T)
	}
	return *got, err
}
