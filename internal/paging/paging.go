// Package paging iterates over listings, by page or by item.
package paging

import (
	"fmt"
	"reflect"
)

// maxCursor limits the length of a cursor. Real ones have less than 200 bytes.
const maxCursor = 4 << 10

// CheckCursor refuses a cursor that is too long.
func CheckCursor(cursor string) error {
	if len(cursor) > maxCursor {
		return fmt.Errorf("the cursor has %d bytes", len(cursor))
	}
	return nil
}

// CheckItems refuses a list with an item that is null or empty. Identified reports whether an
// item has the member that all real items have; only items without it are examined
// further.
func CheckItems[T any](items []T, identified func(*T) bool) error {
	for i := range items {
		if !identified(&items[i]) && reflect.ValueOf(&items[i]).Elem().IsZero() {
			return NullItem(i)
		}
	}
	return nil
}

// NullItem is the error of a list with a null at index i.
func NullItem(i int) error { return fmt.Errorf("item %d of the response is null", i) }
