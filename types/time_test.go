package types_test

import (
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"math/big"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
)

type entry struct {
	At types.Time `json:"timestamp"`
}

func TestTimeDecodesUnixSeconds(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		json string
		want time.Time
	}{
		{`{"timestamp":1704067200}`, time.Date(2024, time.January, 1, 0, 0, 0, 0, time.UTC)},
		{`{"timestamp": 1 }`, time.Date(1970, time.January, 1, 0, 0, 1, 0, time.UTC)},
		{`{"timestamp":0}`, time.Date(1970, time.January, 1, 0, 0, 0, 0, time.UTC)},
		{`{"timestamp":-1}`, time.Date(1969, time.December, 31, 23, 59, 59, 0, time.UTC)},
		{`{"timestamp":253402300800}`, time.Date(10000, time.January, 1, 0, 0, 0, 0, time.UTC)},
		{`{"timestamp":9007199254740993}`, time.Unix(9007199254740993, 0).UTC()}, // 2^53 + 1
		{`{"timestamp":null}`, time.Time{}},
		{`{}`, time.Time{}},
	} {
		var e entry
		require.NoError(t, json.Unmarshal([]byte(row.json), &e), row.json)
		require.Equal(t, row.want, e.At.Time, row.json)
		require.Equal(t, time.UTC, e.At.Location(), row.json)
		require.Equal(t, row.want.IsZero(), e.At.IsZero(), row.json)
	}
}

func TestNullResetsATime(t *testing.T) {
	t.Parallel()
	e := entry{At: types.Time{Time: time.Unix(7, 0)}}
	require.NoError(t, json.Unmarshal([]byte(`{"timestamp":null}`), &e))
	require.True(t, e.At.IsZero())
}

func TestTimeRefusesOtherValues(t *testing.T) {
	t.Parallel()
	for _, value := range []string{
		`"1704067200"`, `"2024-01-01T00:00:00Z"`, `""`, `1704067200.5`, `1704067200.0`, `1.7e9`, `1E3`, `true`, `[1704067200]`,
		`{"seconds":1}`, `9223372036854775808`, `18446744073709551615`, `-9223372036854775809`,
	} {
		e := entry{At: types.Time{Time: time.Unix(7, 0)}}
		err := json.Unmarshal([]byte(`{"timestamp":`+value+`}`), &e)
		require.EqualError(t, err, "time is not a number of Unix seconds", value)
		require.Equal(t, int64(7), e.At.Unix(), value)
	}
}

func TestTimeEncodesUnixSeconds(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		at   time.Time
		want string
	}{
		{time.Date(2024, time.January, 1, 0, 0, 0, 999_999_999, time.UTC), `{"timestamp":1704067200}`},
		{time.Date(2024, time.January, 1, 2, 0, 0, 0, time.FixedZone("", 2*60*60)), `{"timestamp":1704067200}`},
		{time.Unix(0, 0), `{"timestamp":0}`},
		{time.Unix(-1, 0), `{"timestamp":-1}`},
		{time.Unix(9007199254740993, 0), `{"timestamp":9007199254740993}`},
		{time.Time{}, `{"timestamp":null}`},
	} {
		b, err := json.Marshal(entry{At: types.Time{Time: row.at}})
		require.NoError(t, err)
		require.Equal(t, row.want, string(b))
	}
}

func TestTimeIsAColumn(t *testing.T) {
	t.Parallel()
	var (
		_ sql.Scanner   = new(types.Time)
		_ driver.Valuer = types.Time{}
	)
	blockTime := time.Date(2025, time.November, 20, 13, 33, 1, 0, time.UTC)
	for _, src := range []any{
		blockTime, blockTime.In(time.FixedZone("CET", 3600)), int64(1763645581), "1763645581", []byte("1763645581"),
		"2025-11-20T13:33:01Z", "2025-11-20T14:33:01+01:00", "2025-11-20 13:33:01Z", "2025-11-20 14:33:01+01:00",
		"2025-11-20 14:33:01+01", "2025-11-20 13:33:01", []byte("2025-11-20 13:33:01.000000"), blockTime.String(),
	} {
		var got types.Time
		require.NoError(t, got.Scan(src), "%v", src)
		require.Equal(t, blockTime, got.Time, "%v", src)
	}
	for src, want := range map[any]time.Time{
		nil:          {},
		int64(0):     time.Unix(0, 0).UTC(),
		"2025-11-20": time.Date(2025, time.November, 20, 0, 0, 0, 0, time.UTC),
		"2025-11-20 13:33:01.123456789 +0000 UTC": blockTime.Add(123_456_789),
	} {
		got := types.Time{Time: time.Unix(7, 0)}
		require.NoError(t, got.Scan(src))
		require.Equal(t, want, got.Time)
	}
	for src, want := range map[any]string{
		"yesterday": `types.Time cannot hold the column "yesterday": it is neither a timestamp nor Unix seconds`,
		true:        "types.Time cannot hold a column of type bool",
		1.5:         "types.Time cannot hold a column of type float64",
	} {
		got := types.Time{Time: time.Unix(7, 0)}
		require.EqualError(t, got.Scan(src), want)
		require.Equal(t, int64(7), got.Unix())
	}
	for _, at := range []time.Time{{}, blockTime, time.Unix(0, 0), time.Now()} {
		value, err := types.Time{Time: at}.Value()
		require.NoError(t, err)
		require.True(t, driver.IsValue(value))
		require.Equal(t, at.IsZero(), value == nil)
		var got types.Time
		require.NoError(t, got.Scan(value))
		require.True(t, at.Equal(got.Time))
	}
}

// A JSON value is a time exactly if it is null or a 64-bit integer, and it encodes to
// the same time.
func FuzzTime(f *testing.F) {
	for _, value := range []string{
		"null", "0", "-0", "1704067200", "-1", "9007199254740993", "9223372036854775807", "-9223372036854775808",
		"9223372036854775808", "18446744073709551615", "-62135596800", "253402300800",
		"1.0", "1e3", "1E400", `"1"`, "true", "[]", "{}", "", " 5\n", "05", "+5", "1_000", "0x10", "nul", "--1",
	} {
		f.Add(value)
	}
	integer := regexp.MustCompile(`^-?(0|[1-9]\d*)$`)
	f.Fuzz(func(t *testing.T, value string) {
		var at types.Time
		err := json.Unmarshal([]byte(value), &at)

		trimmed := strings.Trim(value, " \t\r\n")
		if trimmed == "null" {
			require.NoError(t, err)
			require.True(t, at.IsZero())
			return
		}
		want := new(big.Int)
		if len(trimmed) < 1000 && integer.MatchString(trimmed) {
			want.SetString(trimmed, 10)
		}
		if len(trimmed) >= 1000 || !integer.MatchString(trimmed) || !want.IsInt64() {
			require.Error(t, err)
			require.Less(t, len(err.Error()), 400)
			require.True(t, at.IsZero())
			return
		}
		require.NoError(t, err)
		require.Equal(t, want.Int64(), at.Unix())
		require.NotContains(t, at.String(), "PANIC")

		written, err := json.Marshal(at)
		require.NoError(t, err)
		var again types.Time
		require.NoError(t, json.Unmarshal(written, &again))
		require.Equal(t, at, again)
	})
}
