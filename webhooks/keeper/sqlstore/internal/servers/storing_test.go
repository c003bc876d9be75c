package servers

import (
	"database/sql"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks/keeper/sqlstore"
)

// The columns of docs/storing.md keep every value.
func TestColumnsKeepAmounts(t *testing.T) {
	page, err := os.ReadFile("../../../../../docs/storing.md")
	require.NoError(t, err)
	tested := 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(line, " | ")
		if len(cells) != 6 || !strings.HasPrefix(line, "| `") {
			continue
		}
		kind := strings.Trim(cells[0], "| ")
		for _, d := range databases(t) {
			cell := map[sqlstore.Dialect]string{sqlstore.DialectPostgreSQL: cells[1], sqlstore.DialectMySQL: cells[2], sqlstore.DialectSQLite: cells[3]}[d.dialect]
			column := strings.Trim(cell, "`")
			t.Run(d.name+" "+kind, func(t *testing.T) {
				db := d.open(t, "amounts")
				_, err := db.ExecContext(t.Context(), "CREATE TABLE amounts (v "+column+")")
				require.NoError(t, err)
				keep(t, db, d.dialect, kind)
			})
			tested++
		}
	}
	require.GreaterOrEqual(t, tested, 6)
}

// keep writes values of a kind and reads them as the page says.
func keep(t *testing.T, db *sql.DB, dialect sqlstore.Dialect, kind string) {
	t.Helper()
	back := func(written, into any) {
		t.Helper()
		place := "?"
		if dialect == sqlstore.DialectPostgreSQL {
			place = "$1"
		}
		_, err := db.ExecContext(t.Context(), "DELETE FROM amounts")
		require.NoError(t, err)
		_, err = db.ExecContext(t.Context(), "INSERT INTO amounts VALUES ("+place+")", written)
		require.NoError(t, err)
		require.NoError(t, db.QueryRowContext(t.Context(), "SELECT v FROM amounts").Scan(into))
	}
	decimals := []string{"0", "-1.5", "18446744073709551615", "184467440737.09551615", "9007199254740993.000000001"}
	var text string
	switch kind {
	case "`uint64`, an amount":
		for _, n := range []uint64{0, 1<<53 + 1, 1 << 63, math.MaxUint64} {
			back(strconv.FormatUint(n, 10), &text)
			got, err := strconv.ParseUint(text, 10, 64)
			require.NoError(t, err)
			require.Equal(t, n, got)
		}
	case "`uint64`, a slot":
		for _, n := range []uint64{0, 460_000_000, 1<<53 + 1} {
			var i int64
			back(int64(n), &i)
			require.Equal(t, n, uint64(i))
		}
	case "`decimal.Decimal`":
		for _, s := range decimals {
			want, got := decimal.RequireFromString(s), decimal.Decimal{}
			back(want, &got)
			require.True(t, want.Equal(got), "%s became %s", want, got)
		}
	case "`decimal.NullDecimal`":
		var got decimal.NullDecimal
		back(decimal.NullDecimal{}, &got)
		require.False(t, got.Valid)
		want := decimal.NewNullDecimal(decimal.RequireFromString(decimals[4]))
		back(want, &got)
		require.True(t, got.Valid && want.Decimal.Equal(got.Decimal))
	case "`types.Address`":
		const a = types.NativeSOLMint
		back(string(a), &text)
		require.Equal(t, a, types.Address(text))
	case "`types.Signature`":
		s := types.Signature(strings.Repeat("5", 88))
		back(string(s), &text)
		require.Equal(t, s, types.Signature(text))
	default:
		require.Fail(t, "the test does not know a row of the page", kind)
	}
}
