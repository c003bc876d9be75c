package compressed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/poseidon"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var (
	opAccountProof     = inVersions("compressed.Client.AccountProof", "getCompressedAccountProofV2", "getCompressedAccountProof")
	opAccountProofs    = inVersions("compressed.Client.AccountProofs", "getMultipleCompressedAccountProofsV2", "getMultipleCompressedAccountProofs")
	opNewAddressProofs = inVersions("compressed.Client.NewAddressProofs", "getMultipleNewAddressProofsV2", "getMultipleNewAddressProofs")
)

// An AccountProof is a Merkle proof of an account.
type AccountProof struct {
	Hash      types.Hash   `json:"hash"`      // of the account
	Proof     []types.Hash `json:"proof"`     // the siblings from the leaf up, without the root
	Root      types.Hash   `json:"root"`      // 32 zero bytes, "111…", if there is none
	LeafIndex uint64       `json:"leafIndex"` // the position in Tree

	// RootSeq is the sequence number of Root. On chain, Root is at index RootSeq % n of the tree's
	// root history, whose length is n.
	RootSeq uint64 `json:"rootSeq"`

	// Tree is the state tree. Wire name: merkleTree, or in version 2
	// treeContext.tree.
	Tree types.Address `json:"merkleTree"`

	// ProveByIndex reports whether the account waits in an output queue. Then LeafIndex proves
	// it, and Proof does not: ignore it. Always false from [WireVersion1].
	ProveByIndex bool         `json:"proveByIndex"`
	TreeContext  *TreeContext `json:"treeContext"` // nil from WireVersion1
}

// Verify checks that Proof leads from Hash to Root. It does not check that the tree has this
// root: compare Root with the roots in the on-chain account Tree. It cannot check the contents
// of the account, since the service does not document how Hash is computed. The proof of a
// spent account fails, and so does a proof with ProveByIndex.
func (p *AccountProof) Verify() error {
	if p.ProveByIndex {
		return errors.New("proof: the account is queued, and its index proves it; there is no path")
	}
	if p.LeafIndex>>len(p.Proof) != 0 {
		return fmt.Errorf("proof: leaf index %d does not belong to a tree of depth %d", p.LeafIndex, len(p.Proof))
	}
	var nodes [][32]byte // the leaf, the path and the root
	for i, hash := range slices.Concat([]types.Hash{p.Hash}, p.Proof, []types.Hash{p.Root}) {
		b, err := hash.Bytes()
		if err != nil {
			return fmt.Errorf("proof: node %d: %w", i, err)
		}
		nodes = append(nodes, [32]byte(b))
	}
	node, path := nodes[0], nodes[1:len(nodes)-1]
	for i, sibling := range path {
		left, right := node, sibling
		if p.LeafIndex>>i&1 == 1 {
			left, right = sibling, node
		}
		var ok bool
		if node, ok = poseidon.Hash(left, right); !ok {
			return fmt.Errorf("proof: node %d or %d is not in the field of the hash", i, i+1)
		}
	}
	if node != nodes[len(nodes)-1] {
		return errors.New("proof: the path does not lead to the root")
	}
	return nil
}

// zeroHash is 32 zero bytes.
const zeroHash = "11111111111111111111111111111111"

// complete sets Tree and Hash. Version 2 has the tree elsewhere, and leaves out the hash of a
// queued account. It refuses the proof of another account.
func (p *AccountProof) complete(hash types.Hash) error {
	if p.Tree == "" && p.TreeContext != nil {
		p.Tree = p.TreeContext.Tree
	}
	if p.Hash == zeroHash {
		p.Hash = hash
	}
	if p.Hash != "" && p.Hash != hash {
		return fmt.Errorf("the response proves another account: %.60q", string(p.Hash))
	}
	return nil
}

// AccountProof returns the Merkle proof of the account with a hash. An unknown hash fails with
// [types.ErrNotFound]. WireVersion1 does not find accounts in an output queue; WireVersion2 also
// returns proofs of spent accounts. It costs 10 credits.
//
// JSON-RPC method: getCompressedAccountProofV2, or getCompressedAccountProof.
func (c *Client) AccountProof(ctx context.Context, hash types.Hash) (*AccountProof, error) {
	p, _, err := ask(ctx, c, opAccountProof, transport.Query[AccountProof]{
		Invalid: argument.Hash("hash", hash), About: hash, Params: hashParam{hash}, Check: func(p *AccountProof) error {
			return cmp.Or(transport.Require(p.Root != "", "root"), p.complete(hash))
		},
	})
	return p, err
}

// AccountProofs is [Client.AccountProof] for any number of accounts: result i belongs to
// hashes[i]. It sends one request per 1000 hashes, each for 10 credits. One unknown hash makes
// its whole request fail with [types.ErrNotFound]. If requests fail, the error is a
// [types.BatchError] and the other results are valid.
//
// JSON-RPC method: getMultipleCompressedAccountProofsV2, or
// getMultipleCompressedAccountProofs.
func (c *Client) AccountProofs(ctx context.Context, hashes []types.Hash) ([]*AccountProof, error) {
	if err := c.api.Check(opAccountProofs.v2, argument.Each("hashes", hashes, argument.Hash)); err != nil {
		return nil, err
	}
	// the service refuses repetitions
	return paging.InDistinctParts(ctx, hashes, maxInputs, func(part []types.Hash, found map[types.Hash]*AccountProof, items *transport.Items) error {
		proofs, err := list(ctx, c, opAccountProofs, part, part, len(part), items, func(i int, p *AccountProof) error { return p.complete(part[i]) })
		for i, p := range proofs {
			found[part[i]] = p
		}
		return err
	})
}

// AddressTreeV1 is the address tree of version 1.
const AddressTreeV1 types.Address = "amt1Ayt45jfbdw5YSo7iz6WZxUmnZsQTYXy82hVwyC2"

// A NewAddress is an address to create in a tree.
type NewAddress struct {
	Address types.Address `json:"address"`
	Tree    types.Address `json:"tree"` // empty means AddressTreeV1
}

func (a NewAddress) withTree() NewAddress {
	a.Tree = cmp.Or(a.Tree, AddressTreeV1)
	return a
}

func checkNewAddress(name string, a NewAddress) error {
	return cmp.Or(argument.Address(name+".Address", a.Address), argument.Optional(name+".Tree", a.Tree, argument.Address))
}

// A NewAddressProof proves that an address does not exist in a tree.
type NewAddressProof struct {
	Address types.Address `json:"address"`

	// LowerAddress and HigherAddress are the existing addresses next to Address. Wire
	// names: lowerRangeAddress, higherRangeAddress.
	LowerAddress  types.Address `json:"lowerRangeAddress"`
	HigherAddress types.Address `json:"higherRangeAddress"`

	// LeafIndex is the leaf of LowerAddress, NextIndex the leaf of HigherAddress. Wire
	// name of LeafIndex: lowElementLeafIndex.
	LeafIndex uint64 `json:"lowElementLeafIndex"`
	NextIndex uint64 `json:"nextIndex"`

	Proof []types.Hash `json:"proof"` // the siblings of LowerAddress from the leaf up
	Root  types.Hash   `json:"root"`

	// RootSeq is the sequence number of Root. On chain, Root is at index RootSeq % n of the tree's
	// root history, whose length is n.
	RootSeq uint64 `json:"rootSeq"`

	Tree types.Address `json:"merkleTree"` // the address tree. Wire name: merkleTree
}

// check refuses the proof of another address. If the address exists, some indexers return a
// proof of it instead of an error.
func (p *NewAddressProof) check(a NewAddress) error {
	switch {
	case p.Address != "" && p.Address != a.Address:
		return fmt.Errorf("the response is about another address: %.60q", string(p.Address))
	case a.Address == p.LowerAddress, a.Address == p.HigherAddress:
		return fmt.Errorf("address %s exists: %w", a.Address, ErrRefused)
	}
	return nil
}

// NewAddressProofs returns one proof per new address, for any number of addresses. Result i
// belongs to addresses[i]. It sends one request per 1000 addresses, each for 10 credits. A
// request fails with [ErrRefused] if a tree is unknown or an address exists. With WireVersion1,
// trees other than [AddressTreeV1] fail with [types.ErrInvalid]. If requests fail, the error is a
// [types.BatchError] and the other results are valid.
//
// JSON-RPC method: getMultipleNewAddressProofsV2, or getMultipleNewAddressProofs.
func (c *Client) NewAddressProofs(
	ctx context.Context, addresses []NewAddress,
) ([]*NewAddressProof, error) {
	_, tree := newAddressParams(c.current(opNewAddressProofs), addresses)
	if err := c.api.Check(opNewAddressProofs.v2, argument.Each("addresses", addresses, checkNewAddress), tree); err != nil {
		return nil, err
	}
	return batch(ctx, addresses, func(part []NewAddress, items *transport.Items) (proofs []*NewAddressProof, err error) {
		err = c.withFallback(opNewAddressProofs, func(op transport.Op) error {
			params, err := newAddressParams(op, part)
			if err := c.api.Check(op, err); err != nil {
				return err
			}
			proofs, err = list(ctx, c, operation{op, op}, part[0].Address, params, len(part), items, func(i int, p *NewAddressProof) error { return p.check(part[i]) })
			return err
		})
		return proofs, err
	})
}

// newAddressParams returns addresses with their trees. Version 1 has only AddressTreeV1, and
// takes addresses alone.
func newAddressParams(op transport.Op, addresses []NewAddress) (any, error) {
	var withTrees []NewAddress
	var alone []types.Address
	for _, a := range addresses {
		if a = a.withTree(); op == opNewAddressProofs.v1 && a.Tree != AddressTreeV1 {
			return nil, argument.Invalid("Tree "+argument.Quote(string(a.Tree)), "requires WireVersion2; WireVersion1 has AddressTreeV1 only")
		}
		withTrees, alone = append(withTrees, a), append(alone, a.Address)
	}
	if op == opNewAddressProofs.v1 {
		return alone, nil
	}
	return withTrees, nil
}
