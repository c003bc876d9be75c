package das_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGrandTotalBeyond64BitsIsUnknown(t *testing.T) {
	t.Parallel()
	for total, want := range map[string]uint64{"18446744073709551615": 18446744073709551615, "18446744073709551616": 0, "-1": 0, "1e3": 0} {
		page, err := replying(t, fmt.Sprintf(`"result":{"items":[],"grand_total":%s}`, total)).AssetsByOwner(t.Context(), owner, nil).Page()
		require.NoError(t, err)
		require.Equal(t, want, page.GrandTotal, total)
	}
}
