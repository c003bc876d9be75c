package types

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// An ItemError is the error of an unreadable item in a response, such as a transaction with text as
// its fee. Get it with errors.As.
//
// The other items are not lost: a listing yields all readable items of the page and then ends with
// the error. A batch has it as the error of one input, and a stream has it in the event. With
// [Config.OnItemError], listings continue instead.
type ItemError struct {
	Op   string          // the JSON-RPC method, or the HTTP method and the route, and its argument
	ID   string          // the signature, address, hash or ID of the item; empty if it has none
	Path string          // of the first unreadable member, such as meta.fee; may be empty
	JSON json.RawMessage // the item as the service sent it; Error does not quote it

	// Cursor resumes the listing after the page of the item: set it as the Cursor of the
	// options. It is empty outside of listings and on the last page.
	Cursor string

	// More are the other unreadable items of the page. It is nil in the calls of
	// Config.OnItemError, which gets each item.
	More []*ItemError

	Err error // why the item could not be read
}

// Error returns the operation, the ID, the path and the reason.
func (e *ItemError) Error() string {
	id := ""
	if e.ID != "" {
		id = " " + e.ID
	}
	parts := []string{e.Op, "item" + id + " cannot be read", e.Path}
	if e.Err != nil {
		parts = append(parts, e.Err.Error())
	}
	text := strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ": ")
	if n := len(e.More); n > 0 {
		text += fmt.Sprintf(" (and %d more items of the page)", n)
	}
	return text
}

// Unwrap returns Err.
func (e *ItemError) Unwrap() error { return e.Err }
