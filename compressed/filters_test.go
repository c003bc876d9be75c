package compressed_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/types"
)

func TestInvalidFilterIsRefused(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	good := types.Memcmp(0, []byte{1})
	for _, row := range []struct {
		bad  types.Filter
		want string
	}{
		{types.Memcmp(0, nil), "compares no bytes; call types.Memcmp with at least one byte"},
		{types.Memcmp(0, make([]byte, 10<<10+1)), "compares 10241 bytes; at most 10240 are possible"},
		{types.MemcmpAddress(1<<31-1, usdc), "has an offset beyond 2147483646"},
		{types.MemcmpAddress(0, ""), `"": address has length 0, not 32 to 44`},
	} {
		opts := &compressed.AccountsByOwnerOptions{Filters: []types.Filter{good, row.bad}}
		_, err := client(t, s).AccountsByOwner(t.Context(), fakeapi.Owner, opts).Page()
		require.EqualError(t, err, "compressed.Client.AccountsByOwner: Filters[1] "+row.want+": invalid argument")
	}
	require.Empty(t, s.Requests())
}

func TestDataSliceBeyond2GiBIsRefused(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	for _, part := range []types.DataSlice{{Length: 1 << 31}, {Offset: math.MaxUint64, Length: math.MaxUint64}} {
		_, err := client(t, s).AccountsByOwner(t.Context(), fakeapi.Owner, &compressed.AccountsByOwnerOptions{DataSlice: &part}).Page()
		require.ErrorIs(t, err, types.ErrInvalid)
	}
	require.Empty(t, s.Requests())
}

func TestLargestOffsetsAndLengthsAreSent(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	page, err := client(t, s).AccountsByOwner(t.Context(), fakeapi.Owner, &compressed.AccountsByOwnerOptions{
		DataSlice: &types.DataSlice{Offset: 1<<31 - 2, Length: 1<<31 - 1},
		Filters:   []types.Filter{types.Memcmp(1<<31-2, []byte{1}), types.Memcmp(0, make([]byte, 10<<10))},
	}).Page()
	require.NoError(t, err)
	require.Empty(t, page.Items)
	require.Contains(t, s.Requests()[0].Body, `"dataSlice":{"offset":2147483646,"length":2147483647},"filters":[`+
		`{"memcmp":{"offset":2147483646,"bytes":"2"}},{"memcmp":{"offset":0,"bytes":"`+strings.Repeat("1", 10<<10)+`"}}]`)
}

// The service refuses null filters.
func TestEmptyFiltersAreNotSent(t *testing.T) {
	t.Parallel()
	for _, filters := range [][]types.Filter{nil, {}} {
		s := fakeapi.New()
		_, err := client(t, s).AccountsByOwner(t.Context(), fakeapi.Owner, &compressed.AccountsByOwnerOptions{Filters: filters}).Page()
		require.NoError(t, err)
		require.NotContains(t, s.Requests()[0].Body, "filters")
	}
}

func TestDiscriminatorBytesAreLittleEndian(t *testing.T) {
	t.Parallel()
	for n, want := range map[uint64][8]byte{
		0:                  {},
		2:                  {2, 0, 0, 0, 0, 0, 0, 0},
		216172782113783808: {0, 0, 0, 0, 0, 0, 0, 3},
		0x0807060504030201: {1, 2, 3, 4, 5, 6, 7, 8},
		math.MaxUint64:     {255, 255, 255, 255, 255, 255, 255, 255},
	} {
		data := compressed.AccountData{Discriminator: n}
		require.Equal(t, want, data.DiscriminatorBytes())
	}
}
