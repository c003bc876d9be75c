package decode

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/goccy/go-json"
)

// shaped rewords the error of the fast decoder for a value of another type than expected,
// which would name unexported Go types.
func shaped(err error) error {
	var e *json.UnmarshalTypeError
	if !errors.As(err, &e) {
		return err
	}
	want := kind(e.Type)
	// of a field with the option string
	if k := e.Type.Kind(); e.Value == "number" && reflect.Int <= k && k <= reflect.Uint64 {
		want += " in quotes"
	}
	return shapeError{e.Value, e.Field, want}
}

// A shapeError is a value of another type than expected, at a path that may be empty.
type shapeError struct{ value, at, want string }

func (e shapeError) Error() string {
	if e.at != "" {
		e.value += " at " + e.at
	}
	return fmt.Sprintf("the response has %s where %s is expected", e.value, e.want)
}

// kind returns the JSON type that decodes to a Go type.
func kind(t reflect.Type) string {
	switch k := t.Kind(); {
	case t == reflect.TypeFor[json.Number]():
		return "number"
	case k == reflect.Struct, k == reflect.Map:
		return "object"
	case k == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		return "base64"
	case k == reflect.Slice, k == reflect.Array:
		return "array"
	}
	return t.Kind().String()
}
