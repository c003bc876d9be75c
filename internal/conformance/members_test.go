package conformance_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/compare"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

// plain prepares a value for a comparison: equal decimals and equal raw JSON become equal
// values. Secrets are never marshalled.
func plain(v reflect.Value) any {
	switch x := v.Interface().(type) {
	case decimal.Decimal:
		return x.String()
	case json.RawMessage:
		var decoded any
		return []any{json.Unmarshal(x, &decoded) == nil, decoded}
	case webhooks.Secret:
		return nil
	case types.Time:
		return x.UnixNano()
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
		if v.IsNil() {
			return nil
		}
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return []any{plain(v.Elem())}
	case reflect.Slice, reflect.Array:
		all := []any{}
		for i := range v.Len() {
			all = append(all, plain(v.Index(i)))
		}
		return all
	case reflect.Struct:
		fields := map[string]any{}
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() {
				fields[field.Name] = plain(v.Field(i))
			}
		}
		return fields
	case reflect.Map:
		members := map[any]any{}
		for key, value := range v.Seq2() {
			members[key.Interface()] = plain(value)
		}
		return members
	}
	return v.Interface()
}

func TestUnknownMembersAreIgnored(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, r row) {
		doc := parse(r.good(t))
		objects := 0
		doc.walk("", func(path string, v *value) {
			if v.object != nil && !slices.Contains(r.maps, path) {
				objects++
				v.object["somethingNew"] = &value{text: `{"deep":[1,null,{"a":"b"}]}`}
			}
		})
		_, c := serve(t, answer{200, doc.String()})
		_, err := r.any()(t.Context(), c)
		require.NoError(t, err)
		require.True(t, objects > 0 || r.golden == "webhooks/delete")
	})
}

// kinds returns a function to tell whether a path is of the same kind as an earlier one. Paths of
// one kind differ in the indexes of lists only.
func kinds() func(path string) bool {
	index := regexp.MustCompile(`\.\d+\b`)
	seen := map[string]bool{}
	return func(path string) bool {
		kind := index.ReplaceAllString(path, ".#")
		defer func() { seen[kind] = true }()
		return seen[kind]
	}
}

func TestMembersMayBeNullOrAbsent(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, r row) {
		_, c := serve(t)
		good, seen := parse(r.good(t)), kinds()
		var leaves, others []string
		good.walk("", func(path string, v *value) {
			before, _, _ := cutLast(path)
			switch {
			case path == "" || v.inList || slices.Contains(r.maps, before) || seen(path) || (path == r.answer || !r.holds(path)) && !slices.Contains(r.needs, path):
			case v.object != nil || v.isList || slices.Contains(r.needs, path):
				others = append(others, path)
			default:
				leaves = append(leaves, path)
			}
		})
		for _, change := range []string{"null", "absent"} {
			bisect(leaves, func(paths []string) bool {
				_, err := r.ask(t, c, good.with(change, paths...))
				// without its slot, an item is out of order
				fails := err != nil && !errors.Is(err, types.ErrIncomplete)
				if _, name, _ := cutLast(paths[0]); fails && len(paths) == 1 && strings.Contains(err.Error(), "the response has no "+name) {
					return true // a required member
				}
				require.False(t, fails && len(paths) == 1, "%s %s: %v; the needs of the row or the Check of %s are wrong", paths, change, err, r.method)
				return !fails
			})
			for _, path := range others {
				_, err := r.ask(t, c, good.with(change, path))
				require.Equal(t, slices.Contains(r.needs, path), err != nil && !errors.Is(err, types.ErrIncomplete), "%s %s: %v; the needs of the row or the Check of %s are wrong", path, change, err, r.method)
			}
		}
	})
}

// bisect calls try with all paths, and with the halves of those for which it returns false.
func bisect(paths []string, try func([]string) bool) {
	if len(paths) == 0 || try(paths) || len(paths) == 1 {
		return
	}
	bisect(paths[:len(paths)/2], try)
	bisect(paths[len(paths)/2:], try)
}

// Numbers are exact up to the largest value of their type, and unknown enum values
// pass through.
func TestExtremeValuesPassThrough(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, r row) {
		_, c := serve(t)
		good, seen := parse(r.good(t)), kinds()
		var numbers, texts, words []string
		good.walk("", func(path string, v *value) {
			switch {
			case seen(path + fmt.Sprint(v.isNumber(), v.isWord())):
			case v.isNumber() && (r.holds(path) || path == r.answer):
				if numbers = append(numbers, path); strings.HasPrefix(v.text, `"`) {
					numbers, texts = numbers[:len(numbers)-1], append(texts, path)
				}
			// data is base64
			case v.isWord() && !strings.HasSuffix(path, ".data.data") && r.holds(path) && !slices.Contains(r.keys, path):
				words = append(words, path)
			}
		})
		newWords := good.clone()
		for i, path := range words {
			newWords.set(path, fmt.Sprintf(`"a new word %d"`, i)) // no item twice
		}
		got, err := r.ask(t, c, newWords.String())
		require.NoError(t, err)
		require.Empty(t, r.differences(t, newWords.String(), got))
		_, found := r.leaves([]byte(r.good(t)), got, nil)
		for _, path := range words { // the comparison overlooks none
			at := strings.TrimPrefix(strings.TrimPrefix(path, r.answer), ".")
			require.True(t, strings.Contains("."+at, ".unknown") || slices.ContainsFunc(found, func(d compare.Difference) bool { return strings.HasPrefix(at, d.Path) }), path)
		}
		large := false
		for _, paths := range [][]string{numbers, texts} {
			for _, most := range []string{"18446744073709551615", "9223372036854775807", "255"} {
				var smaller []string // which have a type with smaller values
				bisect(paths, func(paths []string) bool {
					text := most
					if strings.HasPrefix(good.at(paths[0]).text, `"`) {
						text = strconv.Quote(most)
					}
					body := good.with(text, paths...)
					got, err := r.ask(t, c, body)
					// the items were decoded, and refused for their order
					holds := errors.Is(err, types.ErrIncomplete) && len(paths) == 1 ||
						err == nil && r.differences(t, body, got) == ""
					large = large || holds && len(most) > 3
					if !holds && len(paths) == 1 {
						smaller = append(smaller, paths[0])
					}
					return holds
				})
				paths = smaller
			}
			require.Empty(t, paths, "these do not accept their largest values")
		}
		require.True(t, len(numbers)+len(texts) == 0 || r.small || large || strings.HasPrefix(r.golden, "webhooks/") || strings.HasPrefix(r.golden, "wallet/identit"), "no number above 2^53")
	})
}

func TestNullAndEmptyResponses(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, r row) {
		rest := strings.Contains(r.wire, "/")
		bodies := []string{"null", "{}"}
		if !rest {
			bodies = append(bodies, `{"jsonrpc":"2.0","id":"1"}`, `{"jsonrpc":"2.0","id":"1","result":{}}`)
		}
		for _, body := range bodies {
			_, c := serve(t, answer{200, body})
			got, err := r.any()(t.Context(), c)
			if r.wire == "getAssetProofBatch" && strings.Contains(body, "{}") { // no asset has a proof
				require.NoError(t, err)
				continue
			}
			if r.null == nullIsAnswer && body == "null" || r.golden == "webhooks/delete" && body == "{}" {
				require.NoError(t, err, body)
				continue
			}
			require.Error(t, err, "%s accepts the response %s: give its transport.Query a Check", r.method, body)
			require.Nil(t, got, body)
		}
		if rest {
			return
		}
		nulls := []string{`{"jsonrpc":"2.0","id":"1","result":null}`}
		if good := parse(r.good(t)); good.at("result.context") != nil || good.at("context") != nil {
			nulls = append(nulls, `{"jsonrpc":"2.0","id":"1","result":{"context":{"slot":1},"value":null}}`)
		}
		for i, body := range nulls {
			_, c := serve(t, answer{200, body})
			_, err := r.any()(t.Context(), c)
			require.Error(t, err)
			switch {
			// a batch is a list; of another shape
			case strings.HasPrefix(r.answer, "0."), i == 1 && !strings.Contains(r.answer, "value"):
			case r.null == nullIsNotFound:
				require.ErrorIs(t, err, types.ErrNotFound)
			default:
				require.Regexp(t, "^"+r.wire+"( of [^:]+)?: the response (is null|has no [a-z]+)(; it may have been executed)?$", err.Error())
			}
		}
	})
}
