package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/tx"
)

const address = "5yKZaJ1YxcYmyfiiLvXWv8DoyGrGwvcBPDP28hmsqKGF"

// page is a page of two transactions from a slot on.
func page(slot int, cursor string) string {
	item := `{"slot":%d,"transactionIndex":%d,"blockTime":1790000000,"version":0,"transaction":{"signatures":["s%d"]},"meta":{"err":null,"fee":5000}}`
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":{"data":[`+item+`,`+item+`],"paginationToken":%s}}`, slot, 1, slot, slot+1, 2, slot+1, cursor)
}

func october(t *testing.T) job {
	return job{
		Address: address,
		Since:   time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC),
		Until:   time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC),
		out:     filepath.Join(t.TempDir(), "out.jsonl"),
	}
}

func slots(t *testing.T, file string) (list []uint64) {
	t.Helper()
	f, err := os.Open(file)
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var one tx.Transaction
		require.NoError(t, json.Unmarshal(lines.Bytes(), &one))
		list = append(list, one.Slot)
	}
	return list
}

func TestInterruptedJobIsResumed(t *testing.T) {
	t.Parallel()
	j := october(t)
	s := fake.New(nil)
	s.Fail("getTransactionsForAddress", 1, fake.Fault{Body: page(100, `"102:1"`)})
	s.Fail("getTransactionsForAddress", 2, fake.Unauthorized())
	got, err := run(t.Context(), s.Config(), j)
	require.ErrorIs(t, err, types.ErrUnauthorized)
	require.Equal(t, 2, got.Lines)

	f, err := os.OpenFile(j.out, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = f.WriteString(`{"slot":102,"tran`) // as a process leaves it that is killed
	require.NoError(t, err)
	require.NoError(t, f.Close())

	s = fake.New(nil)
	s.Fail("getTransactionsForAddress", 1, fake.Fault{Body: page(102, "null")})
	got, err = run(t.Context(), s.Config(), j)
	require.NoError(t, err)
	require.True(t, got.Done)
	require.Equal(t, 4, got.Lines)
	require.Equal(t, []uint64{100, 101, 102, 103}, slots(t, j.out))
	require.Contains(t, s.Requests()[0].Body, `"paginationToken":"102:1"`)
	require.Contains(t, s.Requests()[0].Body, `"filters":{"blockTime":{"gte":1790812800,"lt":1793491200},"tokenAccounts":"balanceChanged"}`)

	got, err = run(t.Context(), s.Config(), j)
	require.NoError(t, err)
	require.True(t, got.Done)
	require.Len(t, s.Requests(), 1, "a finished job sends nothing")

	later, madeUp := j, j
	later.Until = j.Until.Add(time.Second)
	madeUp.MadeUp = true
	for _, other := range []job{later, madeUp} {
		_, err = run(t.Context(), s.Config(), other)
		require.ErrorContains(t, err, "another file")
	}

	require.NoError(t, os.Truncate(j.out, 5))
	_, err = run(t.Context(), s.Config(), j)
	require.ErrorContains(t, err, "lacks transactions")
}

func TestForeignFilesAreKept(t *testing.T) {
	t.Parallel()
	j := october(t)
	require.NoError(t, os.WriteFile(j.out, []byte("precious"), 0o600))
	s := fake.New(nil)
	_, err := run(t.Context(), s.Config(), j)
	require.ErrorContains(t, err, "not written by an earlier run")
	require.Empty(t, s.Requests())
	b, err := os.ReadFile(j.out)
	require.NoError(t, err)
	require.Equal(t, "precious", string(b))
}
