// Package golden holds a request and a response of each operation. They come from
// the service's documentation and from captured exchanges with real servers, not
// from the types of this module. The conformance suite compares with them, and the
// fake serves stateless reads from them.
package golden

import (
	"embed"
	"encoding/json"
	"io/fs"
	"path"
	"strings"
	"sync"
)

//go:embed */*
var files embed.FS

// Answer returns the response of an operation, such as wallet/identity, and whether
// there is one.
func Answer(name string) ([]byte, bool) { return read(name + ".json") }

// Method returns the answer of a JSON-RPC method, in whatever area it is. It is
// false where there is none.
func Method(name string) ([]byte, bool) {
	file, found := methods()[name]
	if !found {
		return nil, false
	}
	return Answer(file)
}

// methods has the names of the answers by the methods that their requests call.
// The answer that is named like the method comes before its special cases.
var methods = sync.OnceValue(func() map[string]string {
	found := map[string]string{}
	_ = fs.WalkDir(files, ".", func(file string, _ fs.DirEntry, err error) error {
		name := strings.TrimSuffix(file, path.Ext(file))
		var call struct {
			Method string `json:"method"`
		}
		request, _ := files.ReadFile(file)
		if path.Ext(file) == ".json" || json.Unmarshal(request, &call) != nil {
			return err
		}
		if _, known := found[call.Method]; !known || path.Base(name) == call.Method {
			found[call.Method] = name
		}
		return err
	})
	return found
})

// Minimal returns the request of an operation without options.
func Minimal(name string) ([]byte, bool) { return read(name + ".minimal") }

// Full returns the request of an operation with every option.
func Full(name string) ([]byte, bool) { return read(name + ".full") }

func read(name string) ([]byte, bool) {
	b, err := files.ReadFile(name)
	return b, err == nil
}
