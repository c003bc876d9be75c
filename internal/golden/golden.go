// Package golden holds a request and a response of each operation, for tests. They come
// from the service's documentation and from captured exchanges with real servers, not
// from the types of this module. [Source] says from which.
package golden

import (
	"bytes"
	"embed"
	"io/fs"
	"strings"
	"sync"
)

//go:embed */*.json */*.requests
var files embed.FS

// Answer returns the response of an operation, such as wallet/identity, and whether
// there is one.
func Answer(name string) ([]byte, bool) { return read(name + ".json") }

// Source says where the response and the requests of an operation come from. It begins with
//
//   - captured: an exchange with the named server
//   - documented: values of ours in the shape that the named page has
//   - invented: nobody has documented this shape
//
// and stands in the first line of the file of requests.
func Source(name string) string {
	requests, _ := read(name + ".requests")
	first, _, _ := strings.Cut(string(requests), "\n")
	source, _ := strings.CutPrefix(first, "source: ")
	return source
}

// Minimal returns the request of an operation without options. It is in the first section
// of a file such as wallet/identity.requests, after its source.
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

// Names returns the names of all responses and requests, such as wallet/identity.json,
// wallet/identity.minimal and wallet/identity.full.
func Names() []string { return names() }

var names = sync.OnceValue(func() []string {
	var names []string
	all, _ := fs.Glob(files, "*/*.*")
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
