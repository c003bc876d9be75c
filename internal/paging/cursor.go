package paging

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/types"
)

// The separator divides a cursor into four parts. They are the position of the next page, facts
// about the items before it, the page size, and a mark of the listing. Without the mark, a cursor
// of another listing would skip items silently: the service takes it as a position.
const separator = "~" // not in cursors of the service

// stop begins the position of a page that cannot be requested. The reason follows.
const stop = "!"

// DeadEnd returns the position after a page if the listing has more items and cannot continue.
// Following its cursor, also in another process, fails with types.ErrIncomplete and the reason,
// and requests nothing.
func DeadEnd(reason string) string { return stop + strings.ReplaceAll(reason, separator, " ") }

// cursor returns the cursor of a position.
func (l *Listing) cursor(at, known string) string {
	return strings.Join([]string{at, known, strconv.Itoa(l.Limit), l.mark()}, separator)
}

// position returns the first part of a cursor.
func position(cursor string) string {
	at, _, _ := strings.Cut(cursor, separator)
	return at
}

// parse returns the parts of a cursor that the walk needs. A cursor of the service is a
// position too.
func (l *Listing) parse(cursor string) (at, known string, err error) {
	parts := strings.Split(cursor, separator)
	if at = parts[0]; len(parts) == 4 {
		known = parts[1]
	}
	reason, stopped := strings.CutPrefix(at, stop)
	switch {
	case len(parts) == 1 && !stopped:
	case len(parts) != 4 || len(parts[3]) != 8:
		err = argument.Invalid("Cursor", "is damaged; store the Cursor of a page as it is")
	case parts[3] != l.mark(), l.Sized && parts[2] != strconv.Itoa(l.Limit):
		err = argument.Invalid("Cursor", "belongs to another listing; resume with the method, arguments, filters and Limit of the page it came with")
	case stopped:
		return "", "", l.Incomplete("%s", argument.Printable(reason))
	}
	if err != nil {
		return "", "", l.API.Clean(fmt.Errorf("%s: %w", l.Op.Method, err))
	}
	return at, known, nil
}

// mark returns the hash FNV-1a of the method and its arguments in one allocation.
func (l *Listing) mark() string {
	h := uint32(2166136261)
	for _, text := range [...]string{l.Op.Method, "\x00", l.About, "\x00", l.Filters} {
		for i := range len(text) {
			h = (h ^ uint32(text[i])) * 16777619
		}
	}
	return strconv.FormatUint(1<<32|uint64(h), 16)[1:] // eight digits
}

// Incomplete returns the error of a listing that lacks items, or may do.
func (l *Listing) Incomplete(format string, args ...any) error {
	name := l.Op.Wire
	if _, err := types.Address(l.About).Bytes(); err == nil { // arguments may be invalid
		name += " of " + l.About
	}
	return l.API.Clean(fmt.Errorf("%s: %s: %w", name, fmt.Sprintf(format, args...), types.ErrIncomplete))
}
