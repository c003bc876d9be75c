package conformance_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

// Users cache answers: what is marshalled and unmarshalled is equal, a success stays a
// success, and nil stays nil.
func TestResultsSurviveJSON(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, r row) {
		_, c := serve(t, answer{200, r.good(t)})
		got, err := r.any()(t.Context(), c)
		require.NoError(t, err)
		if both, ok := got.(compared); ok {
			got = both.result
		}
		if got == nil {
			return
		}
		text, err := json.Marshal(got)
		require.NoError(t, err)
		back := reflect.New(reflect.TypeOf(got))
		require.NoError(t, json.Unmarshal(text, back.Interface()), string(text))
		require.Empty(t, changed("", reflect.ValueOf(got), back.Elem()), string(text))
	})
}

// changed returns the path of the first value that two values do not share; empty if
// they are equal. Decimals are compared as numbers, and raw JSON as JSON.
func changed(path string, a, b reflect.Value) string {
	switch x := a.Interface().(type) {
	case decimal.Decimal:
		if y, _ := reflect.TypeAssert[decimal.Decimal](b); !x.Equal(y) {
			return path
		}
		return ""
	case json.RawMessage:
		y, _ := reflect.TypeAssert[json.RawMessage](b)
		if (x == nil) != (y == nil) || x != nil && !jsonEqual(x, y) {
			return fmt.Sprintf("%s: %s became %s", path, x, y)
		}
		return ""
	case webhooks.Secret: // is never marshalled
		return ""
	case types.Time:
		if y, _ := reflect.TypeAssert[types.Time](b); !x.Equal(y.Time) {
			return path
		}
		return ""
	}
	if a.Kind() != b.Kind() || nilable(a) && a.IsNil() != b.IsNil() {
		return fmt.Sprintf("%s: %v became %v", path, a, b)
	}
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() {
			return ""
		}
		return changed(path, a.Elem(), b.Elem())
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return path
		}
		for i := range a.Len() {
			if found := changed(fmt.Sprint(path, "[", i, "]"), a.Index(i), b.Index(i)); found != "" {
				return found
			}
		}
		return ""
	case reflect.Struct:
		for i := range a.NumField() {
			if field := a.Type().Field(i); field.IsExported() {
				if found := changed(path+"."+field.Name, a.Field(i), b.Field(i)); found != "" {
					return found
				}
			}
		}
		return ""
	case reflect.Map:
		if a.Len() != b.Len() {
			return path
		}
		for _, key := range a.MapKeys() {
			if !b.MapIndex(key).IsValid() {
				return fmt.Sprint(path, "[", key, "]")
			}
			if found := changed(fmt.Sprint(path, "[", key, "]"), a.MapIndex(key), b.MapIndex(key)); found != "" {
				return found
			}
		}
		return ""
	}
	if !reflect.DeepEqual(a.Interface(), b.Interface()) {
		return fmt.Sprintf("%s: %v became %v", path, a, b)
	}
	return ""
}

func nilable(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
		return true
	}
	return false
}

func jsonEqual(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}
