package transport

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
)

// An Outcome is the result of one call of a batch.
type Outcome[T any] struct {
	Value *T // nil for null
	Err   error
}

// Batch sends queries with up to limit of them per request and returns their outcomes
// in the same order. Calls that fail with a transient error are sent again without
// the others. After a refusal of the key, nothing more is sent. Op is the operation
// that the requests are logged as.
func Batch[T any](ctx context.Context, c *Client, op Op, queries []Query[T], limit int) []Outcome[T] {
	outcomes := make([]Outcome[T], len(queries))
	for start := 0; start < len(queries); start += limit {
		end := min(start+limit, len(queries))
		b := batch[T]{queries: queries[start:end], outcomes: outcomes[start:end]}
		b.run(ctx, c, op)
		if err := outcomes[end-1].Err; RefusesAll(err) {
			for i := end; i < len(outcomes); i++ {
				outcomes[i].Err = err
			}
			break
		}
	}
	return outcomes
}

// RefusesAll reports whether the service refuses the key, the plan or its credits, or the
// budget is spent, and with them every further request.
func RefusesAll(err error) bool {
	var refusal *types.APIError
	return errors.Is(err, types.ErrUnauthorized) || errors.Is(err, types.ErrBudget) || errors.Is(err, types.ErrQuotaExceeded) ||
		errors.As(err, &refusal) && refusal.StatusCode == http.StatusForbidden
}

// A batch is the state of one request of a Batch.
type batch[T any] struct {
	queries  []Query[T]
	outcomes []Outcome[T]
	pending  []int           // indexes of the calls without a final outcome
	refusal  *types.APIError // of the first pending call in the last response
}

func (b *batch[T]) run(ctx context.Context, c *Client, op Op) {
	for i := range b.queries {
		b.pending = append(b.pending, i)
	}
	if err := c.Check(op); err != nil {
		b.fail(err, false)
		return
	}
	x := c.newCall(op, nil)
	if err := b.prepare(x); err != nil {
		b.fail(err, false)
		return
	}
	x.decode = func(status int, body []byte) error {
		if err := b.decode(x, status, body); err != nil || b.refusal == nil {
			return err
		}
		return cmp.Or[error](b.prepare(x), b.refusal)
	}
	if err := x.run(ctx); err != nil && err != error(b.refusal) { //nolint:errorlint // an error that wraps it has another reason, such as the context
		b.fail(err, x.unsure)
	} // else each call has its own error
}

// fail sets the error of the pending calls. Unsure is whether the service may have
// executed them.
func (b *batch[T]) fail(err error, unsure bool) {
	for _, i := range b.pending {
		b.outcomes[i].Err = err
		if unsure && b.queries[i].Changes {
			b.outcomes[i].Err = executed(err)
		}
	}
}

// prepare makes x the request for the pending calls.
func (b *batch[T]) prepare(x *call) error {
	requests := make([]request, 0, len(b.pending))
	x.size, x.creates, x.charges = len(b.pending), false, nil
	x.about = b.queries[b.pending[0]].about()
	for _, i := range b.pending {
		q := &b.queries[i]
		requests = append(requests, request{"2.0", uint64(i) + 1, q.Op.Wire, q.Params})
		x.creates = x.creates || q.Changes
		x.charges = append(x.charges, q.Op)
	}
	return x.encode(requests)
}

// decode reads the outcomes from a response. Calls that failed with a transient error
// stay pending.
func (b *batch[T]) decode(x *call, status int, body []byte) error {
	b.refusal = nil
	if !bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) { // a refusal of the whole request
		return cmp.Or(x.findRefusal(status, body), errors.New("the response to a batch is not an array"))
	}
	answers, err := decodeAnswers[T](body)
	if err != nil {
		return err
	}
	byID := make(map[string]*answer[T], len(answers))
	otherwise := &answer[T]{err: errors.New("the response to the batch lacks this call")} // or a refusal that names none
	for i := range answers {
		a := &answers[i]
		// some proxies turn it into a number
		if id := strings.Trim(string(a.ID), `"`); id != "" && id != "null" {
			byID[id] = a
		} else if present(a.Error) {
			otherwise = a
		}
	}
	var retry []int
	for _, i := range b.pending {
		a := cmp.Or(byID[strconv.Itoa(i+1)], otherwise)
		b.outcomes[i] = b.outcome(x, &b.queries[i], a, status)
		var refusal *types.APIError
		if errors.As(b.outcomes[i].Err, &refusal) && afterRefusal(b.queries[i].Op, refusal).includes(b.queries[i].Changes) {
			retry = append(retry, i)
			b.refusal = cmp.Or(b.refusal, refusal)
		}
	}
	b.pending = retry
	return nil
}

// An answer is the part of a response for one call of a batch.
type answer[T any] struct {
	envelope[T]
	err error // why it could not be decoded
}

// decodeAnswers decodes the response to a batch at once. If the result of a call has another
// type, it decodes call by call: the results of the others are good.
func decodeAnswers[T any](body []byte) ([]answer[T], error) {
	var answers []answer[T]
	// null, as for an unknown transaction, or malformed
	lacks := func(a answer[T]) bool { return a.Result == nil && !present(a.Error) }
	if decode.JSON(body, &answers) == nil && !slices.ContainsFunc(answers, lacks) {
		return answers, nil
	}
	var raw []json.RawMessage
	if err := decode.JSON(body, &raw); err != nil {
		return nil, err
	}
	answers = make([]answer[T], len(raw))
	for i := range raw {
		a := &answers[i]
		mended, err := decode.Mended(raw[i], func(part []byte) error {
			*a = answer[T]{}
			return decode.JSON(part, a)
		})
		switch {
		case err != nil:
			a.err = unreadable[T](mended, err)
		case lacks(*a) && !isNull(raw[i], "result"):
			a.err = errors.New("the response has no result")
		}
	}
	return answers, nil
}

// unreadable returns the error of the result in an answer, or err if that is not to blame.
func unreadable[T any](raw json.RawMessage, err error) error {
	var whole envelope[json.RawMessage]
	if decode.JSON(raw, &whole) != nil || whole.Result == nil {
		return err
	}
	return Unreadable(Op{}, *whole.Result, err, func(part []byte) error { return decode.JSON(part, new(T)) })
}

// outcome returns the outcome of a query with an answer.
func (b *batch[T]) outcome(x *call, q *Query[T], a *answer[T], status int) Outcome[T] {
	one := x.newCall(q.Op, q.about())
	var err error
	unsure := true
	if present(a.Error) {
		refusal := &types.APIError{Op: q.Op.Wire, Input: one.input(), StatusCode: status, Attempts: x.attempt}
		x.fill(refusal, errorBody{Error: a.Error})
		err, unsure = refusal, afterRefusal(q.Op, refusal) == idempotent
	} else {
		if err = cmp.Or(a.err, q.check(a.Result)); err == nil {
			return Outcome[T]{a.Result, q.notFound(one, a.Result)}
		}
		var item *types.ItemError
		if errors.As(err, &item) {
			item.Op, item.ID = q.Op.Wire, cmp.Or(one.input(), item.ID)
			_ = x.CleanItem(item)
		} else {
			err = x.secret.clean(fmt.Errorf("%s: %w", one.name(), err))
		}
	}
	if unsure && q.Changes {
		err = executed(err)
	}
	return Outcome[T]{Err: err}
}
