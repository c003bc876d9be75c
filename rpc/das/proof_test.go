package das_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
)

// The proofs come from running indexers: from trees of depth 5, 10 and 30, for the last leaf of
// a tree and for an empty leaf.
func provedLeaves(t *testing.T) []das.Proof {
	t.Helper()
	b, err := os.ReadFile("testdata/proofs.json")
	require.NoError(t, err)
	var all []das.Proof
	require.NoError(t, json.Unmarshal(b, &all))
	require.Len(t, all, 5)
	return all
}

func TestProofsLeadToTheirRoot(t *testing.T) {
	t.Parallel()
	for _, p := range provedLeaves(t) {
		require.NoError(t, p.Verify())
	}
}

func TestChangedProofsDoNotVerify(t *testing.T) {
	t.Parallel()
	const other = "6bjqrFWxDPLMj8kFqELSZUxCqEJYNA61hXpZmQfGzhMH"
	const astray = "proof: the path does not lead to the root"
	for i := range provedLeaves(t) {
		for _, change := range []struct {
			what  func(*das.Proof)
			error string
		}{
			{func(p *das.Proof) { p.Leaf = other }, astray},
			{func(p *das.Proof) { p.Root = other }, astray},
			{func(p *das.Proof) { p.Path[len(p.Path)-1] = other }, astray},
			{func(p *das.Proof) { p.NodeIndex ^= 1 }, astray},
			{func(p *das.Proof) { p.Path = p.Path[1:] }, "does not belong to a tree of depth"},
			{func(p *das.Proof) { p.NodeIndex <<= 1 }, "does not belong to a tree of depth"},
			{func(p *das.Proof) { p.Leaf = "" }, "proof: leaf: hash has length 0"},
			{func(p *das.Proof) { p.Root = "x" }, "proof: root: hash has length 1"},
			{func(p *das.Proof) { p.Path[1] = "x" }, "proof: node 1: hash has length 1"},
		} {
			p := provedLeaves(t)[i]
			change.what(&p)
			require.ErrorContains(t, p.Verify(), change.error)
		}
	}
}

func TestMissingAssetsAndProofsAreNotFound(t *testing.T) {
	t.Parallel()
	for text, found := range map[string]bool{
		"Database Error: RecordNotFound Error: Asset Not Found":           false,
		"Database Error: RecordNotFound Error: Asset not found":           false,
		"Database Error: RecordNotFound Error: Asset Proof Not Found":     false,
		"Database Error: RecordNotFound Error: Master Edition not found":  false,
		"Database Error: Custom Error: Asset has no supply":               false,
		"Database Error: Custom Error: interface not known":               true,
		"Pagination Error. Limit should not be greater than 1000.":        true,
		"Database Error: Query Error: error returned from database: NULL": true,
	} {
		c := replying(t, `"error":{"code":-32000,"message":"`+text+`"}`)
		_, assetErr := c.Asset(t.Context(), owner, nil)
		_, proofErr := c.Proof(t.Context(), owner)
		_, editionErr := c.Editions(t.Context(), owner, nil).Page()
		_, signatureErr := c.Signatures(t.Context(), owner, nil).Page()
		for _, err := range []error{assetErr, proofErr, editionErr, signatureErr} {
			if found {
				require.NotErrorIs(t, err, types.ErrNotFound, text)
			} else {
				require.ErrorIs(t, err, types.ErrNotFound, text)
			}
			var refusal *types.APIError
			require.ErrorAs(t, err, &refusal)
			require.Equal(t, refusal.Error(), err.Error())
		}
	}
}

// An indexer leaves out assets without a proof, and answers {} if none has one.
func TestAssetsWithoutAProofAreNil(t *testing.T) {
	t.Parallel()
	for _, result := range []string{`{}`, `{"` + string(owner) + `":null}`} {
		got, err := replying(t, `"result":`+result).Proofs(t.Context(), []types.Address{owner})
		require.NoError(t, err, result)
		require.Equal(t, []*das.Proof{nil}, got)
	}
	_, err := replying(t, `"result":null`).Proofs(t.Context(), []types.Address{owner})
	require.Error(t, err)
}
