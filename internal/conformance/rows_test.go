package conformance_test

import (
	"context"
	"errors"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/solwire/solwire-go/internal/golden"
	"github.com/solwire/solwire-go/types"
)

// A row describes an operation.
type row struct {
	method   string          // Go name: wallet.Client.Balances
	wire     string          // wire name: GET /v1/wallet/{wallet}/balances
	golden   string          // path in internal/golden, no extension; empty: by the wire name
	args     []any           // the arguments before the options
	options  any             // every option
	minimal  call            // the call without options; nil means the method with args
	full     call            // the call with every option; nil means with args and options, if any
	shape    func(any) any   // the wire form of a result or page; nil means the result or the items
	through  func(call) call // how the client is prepared for a call; nil means not at all
	answer   string          // path of the result; empty: as answerOf says, or all of REST
	beside   []string        // members for paging that the result does not hold
	renamed  [2]string       // a response's member and its name in the result, where they differ
	keys     []string        // paths by which entries are matched to arguments
	needs    []string        // paths that a response must have; nil: the result, for REST nothing
	maps     []string        // paths of objects whose members have any names
	null     null            // the meaning of a null result
	refused  []refusal       // invalid arguments
	list     *listing        // how to read the list; nil unless this is a listing
	unlisted string          // why the suite cannot read the list of a listing
	changes  bool            // creates or removes something
	small    bool            // has no number above 2^53
	checks   bool            // may send further requests to check a response
}

type call func(context.Context, *clients) (any, error)

// null is the meaning of a null result.
type null int

const (
	nullIsError null = iota
	nullIsNotFound
	nullIsAnswer
)

// A refusal is a call that fails before anything is sent.
type refusal struct {
	call call
	says string // the error text between the method and "invalid argument"
}

const (
	owner     = "BtJ5rdXcZs8hVqK2nTyWfMgPe7UDAoLx3Ri9GQk6uHSv"
	walletKey = "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY"
	delegate  = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"
	mint      = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
	exchange  = "HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664"
	hookID    = "582dcf85-fa9f-4c0d-93b4-1b6e4b4e7f1a"
)

// rows returns the table of requests, which is made once.
var rows = sync.OnceValue(func() []row {
	return finished(slices.Concat(compressedRows(), dasRows(), parsedRows(), rpcRows(), walletRows(), webhooksRows()))
})

// finished completes rows by values that follow from the rest.
func finished(all []row) []row {
	for i := range all {
		r := &all[i]
		if r.golden == "" {
			r.golden = r.method[:strings.Index(r.method, ".")] + "/" + r.wire
		}
		if r.answer == "" && !strings.Contains(r.wire, " ") {
			r.answer = answerOf(r.golden)
		}
		if r.needs == nil && !strings.Contains(r.wire, " ") {
			r.needs = []string{r.answer}
		}
		if r.list != nil {
			r.list.method = r.method
		}
		if r.minimal == nil && r.full == nil {
			r.minimal = calling(r.method, r.args...)
			if r.options != nil {
				r.full = calling(r.method, append(slices.Clone(r.args), r.options)...)
			}
		}
		for _, call := range []*call{&r.minimal, &r.full} {
			if *call != nil {
				*call = r.shaped(*call)
			}
		}
	}
	return all
}

// shaped returns a call of r with the result as it is on the wire.
func (r row) shaped(f call) call {
	if r.through != nil {
		f = r.through(f)
	}
	return func(ctx context.Context, c *clients) (any, error) {
		got, err := f(ctx, c)
		if err != nil || got == nil || r.shape == nil {
			return got, err
		}
		if both, ok := got.(compared); ok {
			got = both.result
		}
		return compared{got, r.sent(got)}, nil
	}
}

// sent returns a result in the form that it has on the wire.
func (r row) sent(got any) any {
	both, isList := got.(compared)
	switch {
	case isList && r.shape == nil:
		return both.sent
	case isList:
		return r.shape(both.result)
	case r.shape == nil:
		return got
	}
	return r.shape(got)
}

// as returns a shape of results of a type.
func as[T, W any](f func(T) W) func(any) any {
	return func(got any) any {
		typed, _ := got.(T)
		return f(typed)
	}
}

// answerOf returns the path of the result in a response of JSON-RPC: result.value.items,
// result.value or result.
func answerOf(name string) string {
	body, _ := golden.Answer(name)
	doc := parse(body)
	switch {
	case doc.at("result.context") == nil || doc.at("result.value") == nil:
		return "result"
	case doc.at("result.value.items") != nil:
		return "result.value.items"
	}
	return "result.value"
}

// invoke calls a method with arguments, and zero values for the others.
func (c *clients) invoke(ctx context.Context, method string, args []any) []reflect.Value {
	typ, m := methodOf(method)
	in := []reflect.Value{c.of(typ)}
	for i := 1; i < m.Type.NumIn(); i++ {
		v := reflect.New(m.Type.In(i)).Elem()
		if arg := append([]any{ctx}, args...); i <= len(arg) && arg[i-1] != nil {
			given := reflect.ValueOf(arg[i-1])
			if v.Kind() == reflect.Slice && given.Kind() == reflect.String {
				v.Set(reflect.Append(v, given.Convert(v.Type().Elem())))
			} else {
				v.Set(given.Convert(v.Type()))
			}
		}
		in = append(in, v)
	}
	return m.Func.Call(in)
}

// calling returns the call of a method with arguments, for a row: its options are noted.
func calling(method string, args ...any) call {
	for _, arg := range args {
		noteOptions(reflect.ValueOf(arg))
	}
	return unnoted(method, args...)
}

// unnoted returns the call of a method with arguments. Of a list it reads a page, and of a
// stream an event.
func unnoted(method string, args ...any) call {
	return func(ctx context.Context, c *clients) (any, error) {
		_, m := methodOf(method)
		out := c.invoke(ctx, method, args)
		if out[0].Kind() == reflect.Func { // the first event of a stream
			for event, e := range out[0].Seq2() {
				if err, _ := reflect.TypeAssert[error](e); err != nil {
					return nil, err
				}
				return event.Interface(), nil
			}
			return nil, errors.New("the stream ended")
		}
		list := returnsList(m)
		if list {
			out = out[0].MethodByName("Page").Call(nil)
		}
		err, _ := reflect.TypeAssert[error](out[len(out)-1])
		if len(out) == 1 || err != nil && empty(out[0]) {
			return nil, err
		}
		if list && err == nil {
			return compared{out[0].Interface(), out[0].Elem().FieldByName("Items").Interface()}, nil
		}
		return out[0].Interface(), err
	}
}

// methodOf returns a client type and its method, such as wallet.Client.Balances.
func methodOf(method string) (client reflect.Type, m reflect.Method) {
	area, name, _ := strings.Cut(method, ".Client.")
	for dir, typ := range clientTypes {
		if path.Base(dir) == area {
			client = typ
		}
	}
	m, _ = client.MethodByName(name)
	return client, m
}

// everyRow returns the whole table, and the streams.
func everyRow() []row { return slices.Concat(rows(), streamRows()) }

// streams reports whether the operation is a subscription. Its golden files are the requests to
// subscribe; the events of a stream are tested in its package.
func (r row) streams() bool { return strings.HasPrefix(r.method, "stream.") }

// variant returns a row with another golden file and another call only.
func (r row) variant(name string, full call) row {
	r.golden = r.method[:strings.Index(r.method, ".")] + "/" + r.wire + "-" + name
	r.minimal, r.full, r.refused, r.list = nil, full, nil, nil
	return r
}

// older returns the row of a method in version 1, with another golden file.
func (r row) older(golden string, args ...any) row {
	r.wire, _, _ = strings.Cut(golden, "-")
	r.golden, r.through, r.refused, r.list = "compressed/"+golden, version1, nil, nil
	if len(args) > 0 {
		r.args = args
	}
	return r
}

// badAddress returns the refusals of an address argument.
func badAddress(name string, with func(types.Address) call) []refusal {
	return []refusal{
		{with(""), name + " is empty"},
		{with("short"), name + ` "short": address has length 5, not 32 to 44`},
		{with("0OIl0OIl0OIl0OIl0OIl0OIl0OIl0OIl"), name + ` "0OIl0OIl0OIl0OIl0OIl0OIl0OIl0OIl": address is not base58`},
		{with("toly.sol"), name + ` "toly.sol" is a domain name; resolve it with wallet.Client.Identity`},
	}
}
