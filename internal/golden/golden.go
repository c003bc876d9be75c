// Package golden holds a request and a response of each operation. They come from
// the service's documentation and from captured exchanges with real servers, not
// from the types of this module. The conformance suite compares with them, and the
// fake serves stateless reads from them.
package golden

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"io/fs"
	"slices"
	"strings"
	"sync"
)

//go:embed */*
var files embed.FS

// Answer returns the response of an operation, such as wallet/identity, and whether
// there is one.
func Answer(name string) ([]byte, bool) { return read(name + ".json") }

// Method returns the answer of a JSON-RPC method to params, in whatever area it is.
// Of several answers it is the one with the transaction details and the encoding in
// params, otherwise the one that is named like the method. It is false where there
// is none.
func Method(name string, params json.RawMessage) ([]byte, bool) {
	known := methods()[name]
	if len(known) == 0 {
		return nil, false
	}
	want := formOf(params)
	best := slices.MaxFunc(known, func(a, b answer) int { return cmp.Compare(a.form.common(want), b.form.common(want)) })
	return Answer(best.file)
}

// An answer is a response by its name and the form of it that was requested.
type answer struct {
	file string
	form form
}

// A form has the options that change the shape of a response. They are empty where
// they are json and full, the defaults of nodes for transactions.
type form struct {
	Encoding string `json:"encoding"`
	Details  string `json:"transactionDetails"`
}

// common says how much f has in common with other. The details weigh more, since
// blocks without transactions have no encoding.
func (f form) common(other form) int {
	n := 0
	if f.Details == other.Details {
		n += 2
	}
	if f.Encoding == other.Encoding {
		n++
	}
	return n
}

// formOf returns the form that params ask for, the zero form by default.
func formOf(params json.RawMessage) form {
	var positional []json.RawMessage
	var f form
	if json.Unmarshal(params, &positional) == nil && len(positional) > 0 {
		_ = json.Unmarshal(positional[len(positional)-1], &f) // it may be no options
	}
	f.Encoding = strings.TrimSuffix(f.Encoding, "json")
	f.Details = strings.TrimSuffix(f.Details, "full")
	return f
}

// methods has the answers by the methods that their requests call. The answer that
// is named like the method comes before its special cases, and short names come
// before longer ones.
var methods = sync.OnceValue(func() map[string][]answer {
	found := map[string][]answer{}
	for _, file := range Names() {
		var call struct {
			Method string          `json:"method"`
			Params json.RawMessage `json:"params"`
		}
		name, isAnswer := strings.CutSuffix(file, ".json")
		// One response stands for both requests, and has the form of the minimal one.
		request, known := Minimal(name)
		if !known {
			request, _ = Full(name)
		}
		if isAnswer && json.Unmarshal(request, &call) == nil {
			found[call.Method] = append(found[call.Method], answer{name, formOf(call.Params)})
		}
	}
	for _, known := range found {
		slices.SortStableFunc(known, func(a, b answer) int { return cmp.Compare(len(a.file), len(b.file)) })
	}
	return found
})

// Minimal returns the request of an operation without options. It is in the first section
// of a file such as wallet/identity.requests.
func Minimal(name string) ([]byte, bool) { return section(name, "minimal") }

// Full returns the request of an operation with every option, the other section.
func Full(name string) ([]byte, bool) { return section(name, "full") }

// section returns the part of a file of requests below a line such as "-- full --".
func section(name, title string) ([]byte, bool) {
	requests, _ := read(name + ".requests")
	_, part, found := bytes.Cut(append([]byte("\n"), requests...), []byte("\n-- "+title+" --\n"))
	if next := bytes.Index(part, []byte("-- full --\n")); next >= 0 {
		part = part[:next]
	}
	return part, found
}

// Names returns the names of all responses and requests: those of wallet/identity are
// wallet/identity.json, wallet/identity.minimal and wallet/identity.full.
func Names() []string { return names() }

var names = sync.OnceValue(func() []string {
	var names []string
	all, _ := fs.Glob(files, "*/*")
	for _, file := range all {
		name, requests := strings.CutSuffix(file, ".requests")
		if !requests {
			names = append(names, file)
			continue
		}
		for _, title := range []string{"minimal", "full"} {
			if _, found := section(name, title); found {
				names = append(names, name+"."+title)
			}
		}
	}
	return names
})

func read(name string) ([]byte, bool) {
	b, err := files.ReadFile(name)
	return b, err == nil
}
