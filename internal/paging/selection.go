package paging

import (
	"fmt"
	"strings"

	"github.com/solwire/solwire-go/internal/argument"
)

// A Selection is what selects the items of a listing: its method, the address that it is
// about, and its filters; for page numbers also the page size. Cursors of the listing end
// with a mark of it: the service takes a cursor as a position, and in a listing of other
// items or of other pages it would skip some silently.
type Selection [3]string

// markSign starts a mark. Cursors of the service do not contain it.
const markSign = "~"

// Marked returns the cursor of a page with the mark. The last page has none, and a dead end
// needs none.
func (s Selection) Marked(cursor string) string {
	if s == (Selection{}) || cursor == "" || strings.HasPrefix(cursor, deadEnd) {
		return cursor
	}
	mark := s.mark()
	return cursor + markSign + string(mark[:])
}

// Position returns a cursor without its mark. A cursor without a mark is accepted: programs
// may have it from the service, or from an earlier version of this module.
func (s Selection) Position(cursor string) (string, error) {
	i := strings.LastIndex(cursor, markSign)
	if s == (Selection{}) || i < 0 || strings.HasPrefix(cursor, deadEnd) {
		return cursor, nil
	}
	if s.Marked(cursor[:i]) == cursor {
		return cursor[:i], nil
	}
	problem := "belongs to another listing; resume with the method, arguments, filters and Limit of the page it came with"
	if mark := cursor[i+1:]; len(mark) != len(s.mark()) || strings.Trim(mark, digits) != "" {
		problem = "is damaged; store the Cursor of a page as it is"
	}
	return "", fmt.Errorf("%s: %w", s[0], argument.Invalid("Cursor", problem))
}

const digits = "0123456789abcdef"

// mark returns the hash FNV-1a of the selection, which takes no allocation.
func (s Selection) mark() [8]byte {
	h := uint32(2166136261)
	for _, text := range s {
		for i := range len(text) {
			h = (h ^ uint32(text[i])) * 16777619
		}
		h *= 16777619 // the end of a text, as a byte of 0
	}
	var mark [8]byte
	for i := range mark {
		mark[i] = digits[h>>(28-4*i)&15]
	}
	return mark
}
