// Package paging iterates over listings, by page or by item.
package paging

import (
	"reflect"

	"github.com/solwire/solwire-go/internal/transport"
)

// CheckItems refuses a list with an item that is null or empty.
func CheckItems[T any](items *[]T) error {
	for i := range *items {
		item := reflect.ValueOf(&(*items)[i]).Elem()
		// the member that all real items have, since IsZero allocates for large structs
		first := item
		for first.Kind() == reflect.Struct {
			first = first.Field(0)
		}
		if first.IsZero() && item.IsZero() {
			return transport.NullItem(i)
		}
	}
	return nil
}
