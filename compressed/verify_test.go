package compressed_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/types"
	fakes "github.com/solwire/solwire-go/types/fake"
)

// The tree has the leaves 1 and 2, whose hash is in the tests of circomlib.
func TestProofsVerify(t *testing.T) {
	t.Parallel()
	const zero types.Hash = "11111111111111111111111111111111"
	one, two := types.Hash(types.AddressOf([32]byte{31: 1})), types.Hash(types.AddressOf([32]byte{31: 2}))
	parent := types.Hash("2AmxqhCRyjSJL7fT46PTWMFswy9sySoWAm9pttogNQam")
	left := compressed.AccountProof{Hash: one, Proof: []types.Hash{two}, Root: parent}
	right := compressed.AccountProof{Hash: two, Proof: []types.Hash{one}, Root: parent, LeafIndex: 1}
	require.NoError(t, left.Verify())
	require.NoError(t, right.Verify())

	for says, change := range map[string]func(*compressed.AccountProof){
		"proof: the path does not lead to the root":                               func(p *compressed.AccountProof) { p.LeafIndex = 1 },
		"proof: leaf index 2 does not belong to a tree of depth 1":                func(p *compressed.AccountProof) { p.LeafIndex = 2 },
		"proof: node 2: hash has length 0, not 32 to 44: invalid argument":        func(p *compressed.AccountProof) { p.Root = "" },
		"proof: node 0 or 1 is not in the field of the hash":                      func(p *compressed.AccountProof) { p.Hash = types.Hash(types.AddressOf([32]byte{0x31})) },
		"proof: the account is queued, and its index proves it; there is no path": func(p *compressed.AccountProof) { p.ProveByIndex = true },
	} {
		p := left
		p.Proof = slices.Clone(left.Proof)
		change(&p)
		require.EqualError(t, p.Verify(), says)
	}
	require.Error(t, (&compressed.AccountProof{Hash: zero, Root: one}).Verify())
	require.Error(t, new(compressed.AccountProof).Verify())
}

func TestProofsOfTheFakeVerify(t *testing.T) {
	t.Parallel()
	c, err := compressed.New(fakes.Config())
	require.NoError(t, err)
	hashes := []types.Hash{"212gqJpZfyuwWQwx4NdbqiRGiFpxuXZUnZo3usaeLkUW", "214SstbHJ2SQFVhq1Cm77X8QFjS2kXNzdkH7XmA82Lp8"}
	proofs, err := c.AccountProofs(t.Context(), hashes)
	require.NoError(t, err)
	for i, p := range proofs {
		require.Equal(t, hashes[i], p.Hash)
		require.NoError(t, p.Verify())
	}
}
