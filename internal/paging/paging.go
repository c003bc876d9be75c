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

// CheckItems refuses a list with an item that is null or empty.
func CheckItems[T any](items *[]T) error {
	for i := range *items {
		item := reflect.ValueOf(&(*items)[i]).Elem()
		first := item // the member that all real items have, since IsZero allocates for large structs
		for first.Kind() == reflect.Struct {
			first = first.Field(0)
		}
		if first.IsZero() && item.IsZero() {
			return NullItem(i)
		}
	}
	return nil
}

// NullItem is the error of a list with a null at index i.
func NullItem(i int) error { return fmt.Errorf("item %d of the response is null", i) }
