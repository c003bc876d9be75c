package poseidon_test

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/poseidon"
	"github.com/solwire/solwire-go/types"
)

// The hash of 1 and 2 is from the tests of circomlib, and the roots of empty trees are from an
// indexer.
func TestHashIsTheOneOfCircomlib(t *testing.T) {
	t.Parallel()
	got, ok := poseidon.Hash([32]byte{31: 1}, [32]byte{31: 2})
	require.True(t, ok)
	require.Equal(t, "115cc0f5e7d690413df64c6b9662e9cf2a3617f2743245519e19607a4417189a", hex.EncodeToString(got[:]))

	var node [32]byte
	for height, root := range map[int]types.Hash{26: "2DTG1EeYyHnDQR4dXYnBRmmgmZCf4rhE7rJMB8Bhouzo", 40: "2HyboT2niB6v1P2DwybB5iwbwuFWgzQUEV8692fTZNgQ"} {
		node = [32]byte{}
		for range height {
			node, ok = poseidon.Hash(node, node)
			require.True(t, ok)
		}
		want, err := root.Bytes()
		require.NoError(t, err)
		require.Equal(t, want, node[:])
	}

	field, err := hex.DecodeString("30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001")
	require.NoError(t, err)
	for _, outside := range [][]byte{field, []byte(strings.Repeat("\xff", 32))} {
		_, ok = poseidon.Hash([32]byte(outside), [32]byte{})
		require.False(t, ok)
		_, ok = poseidon.Hash([32]byte{}, [32]byte(outside))
		require.False(t, ok)
	}
}

func BenchmarkHash(b *testing.B) {
	for b.Loop() {
		poseidon.Hash([32]byte{31: 1}, [32]byte{31: 2})
	}
}
