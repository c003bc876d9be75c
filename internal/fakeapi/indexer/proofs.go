package indexer

import (
	"encoding/json"
	"slices"

	"github.com/solwire/solwire-go/internal/fakeapi/wire"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
)

// nothing is the root in a proof of an account that is not in its tree yet.
const nothing = "11111111111111111111111111111111"

// rootSeq is a made-up number of changes of a tree, for its root in the proof of a leaf. Each leaf
// has another root.
func rootSeq(leaf uint64) uint64 { return 5000 + leaf%1000 }

// rootIndex is the place of that root in the history of the tree.
func rootIndex(leaf uint64) uint64 { return rootSeq(leaf) % 2400 }

// rootOf returns the root of the proof of an account, with the nodes.
func rootOf(x *world.Compressed) (nodes []string, root string) {
	if x.Queued() {
		return nil, nothing
	}
	nodes = world.Path(x.Tree, x.Leaf, 26)
	return nodes, world.Root(x.Hash, x.Leaf, nodes)
}

// proofOf returns the proof of an account, an empty one for an account in a queue.
func proofOf(x *world.Compressed, v2 bool) json.RawMessage {
	seq := rootSeq(x.Leaf)
	nodes, root := rootOf(x)
	if x.Queued() {
		seq = 0
	}
	more := world.JSON(`"merkleTree":?`, x.Tree)
	if v2 {
		more = world.JSON(`"proveByIndex":?,"treeContext":?`, x.Queued(), stateContext(x, ""))
	}
	return world.JSON(`{"proof":?,"root":?,"leafIndex":?,"hash":?,"rootSeq":?,`+string(more)+`}`, nodes, root, x.Leaf, x.Hash, seq)
}

// proofsOf returns the proofs of accounts. It refuses the call if one does not exist.
func proofsOf(c *wire.Call, hashes []string, v2 bool) (all []json.RawMessage) {
	for i, hash := range hashes {
		x := c.World.Compressed.Find(hash)
		if x == nil || !v2 && x.Queued() || slices.Contains(hashes[:i], hash) {
			c.Fail(failed, "Record Not Found: Leaf nodes not found for hashes. Got %d hashes. Expected %d.", len(all), len(hashes))
			break
		}
		all = append(all, proofOf(x, v2))
	}
	return all
}

func proof(c *wire.Call, v2 bool) []byte {
	hash := c.Named("hash").Key("hash", true)
	if all := proofsOf(c, []string{hash}, v2); all != nil {
		return inContext(c, all[0])
	}
	return nil
}

func proofs(c *wire.Call, v2 bool) []byte {
	hashes := sequence[string](c)
	c.CheckKeys(hashes...)
	return inContext(c, proofsOf(c, hashes, v2))
}

// A newAddress is an address that does not exist yet, with its tree.
type newAddress struct {
	Address string `json:"address"`
	Tree    string `json:"tree"`
}

// check refuses trees that do not exist, and addresses that do.
func (a newAddress) check(c *wire.Call) {
	c.CheckKeys(a.Address)
	switch {
	case a.Tree != world.AddressTree && a.Tree != world.AddressTreeV2:
		c.Fail(failed, "Invalid Public Key: field '%s'", a.Tree)
	case c.World.Compressed.FindAddress(a.Address) != nil:
		c.Fail(failed, "Validation Error: Address %s already exists", a.Address)
	}
}

// highestAddress is the end of the range of all addresses. It is below the prime of the hashes,
// as clients require.
const highestAddress = "361e3MVchvM8fSjCmeFqkj762JWttTA76tZXc3crLwVh"

func newAddressProofs(c *wire.Call, v2 bool) []byte {
	var wanted []newAddress
	if v2 {
		wanted = sequence[newAddress](c)
	} else {
		for _, address := range sequence[string](c) {
			wanted = append(wanted, newAddress{address, world.AddressTree})
		}
	}
	if len(wanted) == 0 {
		c.Fail(failed, "Validation Error: No addresses provided")
	}
	var all []json.RawMessage
	for _, a := range wanted {
		a.check(c)
		nodes, root := a.proof()
		all = append(all, world.JSON(`{"address":?,"lowerRangeAddress":?,"higherRangeAddress":?,"nextIndex":1,"lowElementLeafIndex":0,"proof":?,"root":?,"rootSeq":?,"merkleTree":?}`,
			a.Address, nothing, highestAddress, nodes, root, rootSeq(0), a.Tree))
	}
	return inContext(c, all)
}

// zeroProof is a proof of no knowledge: made up, of the right sizes.
func zeroProof(seed string) json.RawMessage {
	s := world.Seeded(seed)
	numbers := func(n int) []int {
		all := make([]int, n)
		for i := range all {
			all[i] = s.Below(256)
		}
		return all
	}
	return world.JSON(`{"a":?,"b":?,"c":?}`, numbers(32), numbers(64), numbers(32))
}

// inputs reads the accounts and the new addresses of a validity proof.
func inputs(c *wire.Call, known ...string) (found []*world.Compressed, addresses []newAddress) {
	p := c.Named(known...)
	hashes := p.Keys("hashes")
	addresses, _ = wire.Member[[]newAddress](p, "newAddressesWithTrees", "a sequence")
	for _, address := range p.Keys("newAddresses") {
		addresses = append(addresses, newAddress{address, world.AddressTree})
	}
	for _, a := range addresses {
		a.check(c)
	}
	for _, hash := range hashes {
		x := c.World.Compressed.Find(hash)
		if x == nil {
			c.Fail(failed, "Validation Error: Not all requested account hashes exist, or some have been spent")
			break
		}
		found = append(found, x)
	}
	return found, addresses
}

func validityProof(c *wire.Call) []byte {
	found, addresses := inputs(c, "hashes", "newAddressesWithTrees", "newAddresses")
	if len(found)+len(addresses) == 0 {
		c.Fail(failed, "Validation Error: No hashes or new addresses provided for proof generation")
		return nil
	}
	var roots, leaves, trees []string
	var indices, places []uint64
	add := func(root string, place uint64, leaf, tree string) {
		roots, indices = append(roots, root), append(indices, rootIndex(place))
		places, leaves, trees = append(places, place), append(leaves, leaf), append(trees, tree)
	}
	for _, x := range found {
		_, root := rootOf(x)
		add(root, x.Leaf, x.Hash, x.Tree)
	}
	for _, a := range addresses {
		_, root := a.proof()
		add(root, 0, a.Address, a.Tree)
	}
	return inContext(c, world.JSON(`{"compressedProof":?,"roots":?,"rootIndices":?,"leafIndices":?,"leaves":?,"merkleTrees":?}`,
		zeroProof(leaves[0]), roots, indices, places, leaves, trees))
}

func validityProofV2(c *wire.Call) []byte {
	found, addresses := inputs(c, "hashes", "newAddressesWithTrees")
	var proof json.RawMessage
	var accounts, created []json.RawMessage
	for _, x := range found {
		_, root := rootOf(x)
		index := rootIndex(x.Leaf)
		if x.Queued() {
			index = 0
		} else {
			proof = zeroProof(x.Hash)
		}
		accounts = append(accounts, world.JSON(`{"hash":?,"root":?,"rootIndex":{"rootIndex":?,"proveByIndex":?},"leafIndex":?,"merkleContext":?}`,
			x.Hash, root, index, x.Queued(), x.Leaf, stateContext(x, next)))
	}
	for _, a := range addresses {
		_, root := a.proof()
		kind := 2
		if a.Tree != world.AddressTree {
			kind = 4
		}
		created = append(created, world.JSON(`{"address":?,"root":?,"rootIndex":?,"merkleContext":?}`, a.Address, root, rootIndex(0), contextText(kind, a.Tree, a.Tree, next)))
		proof = zeroProof(a.Address)
	}
	return inContext(c, world.JSON(`{"compressedProof":?,"accounts":?,"addresses":?}`, proof, accounts, created))
}
