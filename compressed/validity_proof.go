package compressed

import (
	"cmp"
	"context"
	"slices"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var opValidityProof = inVersions("compressed.Client.ValidityProof", "getValidityProofV2", "getValidityProof")

// A ValidityProof proves that accounts exist and addresses are new, for a transaction
// that spends and creates them.
type ValidityProof struct {
	Proof     *ZKProof        `json:"proof"`     // nil if all accounts are proven by index
	Accounts  []ProvenAccount `json:"accounts"`  // in the order of the hashes
	Addresses []ProvenAddress `json:"addresses"` // in the order of the new addresses
}

// A ZKProof is a zero-knowledge proof. Wire name: compressedProof.
type ZKProof struct {
	A ProofBytes `json:"a"` // 32 bytes
	B ProofBytes `json:"b"` // 64 bytes
	C ProofBytes `json:"c"` // 32 bytes
}

// ProofBytes are a part of a [ZKProof].
type ProofBytes []byte

// UnmarshalJSON accepts an array of numbers, as indexers send it, and base64, as the service
// documents it.
func (p *ProofBytes) UnmarshalJSON(b []byte) error { return decode.Value(b, (*[]byte)(p)) }

// A ProvenAccount is an account in a [ValidityProof].
type ProvenAccount struct {
	Hash          types.Hash     `json:"hash"`
	Root          types.Hash     `json:"root"`          // 32 zero bytes, "111…", if ProveByIndex
	RootIndex     uint64         `json:"rootIndex"`     // of Root in the tree's root history
	ProveByIndex  bool           `json:"proveByIndex"`  // in an output queue; false from WireVersion1
	LeafIndex     uint64         `json:"leafIndex"`     // the position in Tree
	Tree          types.Address  `json:"tree"`          // the state tree
	MerkleContext *MerkleContext `json:"merkleContext"` // nil from WireVersion1
}

// A ProvenAddress is an address in a [ValidityProof].
type ProvenAddress struct {
	Address       types.Address  `json:"address"`
	Root          types.Hash     `json:"root"`
	RootIndex     uint64         `json:"rootIndex"`     // of Root in the tree's root history
	LeafIndex     uint64         `json:"leafIndex"`     // of the next lower address; 0 from WireVersion2
	Tree          types.Address  `json:"tree"`          // the address tree
	MerkleContext *MerkleContext `json:"merkleContext"` // nil from WireVersion1
}

// ValidityProof returns one proof for up to 8 accounts, or for up to 2 new addresses and up to 4
// accounts. Either list may be empty. It may take long, and costs 100 credits. A failed attempt
// is repeated once, which may cost 100 more. It fails with
//   - [types.ErrNotFound] for an unknown, spent or repeated hash;
//   - [ErrRefused] for accounts of version 1 and version 2 trees in one call, unless the
//     version 2 accounts wait in an output queue;
//   - an internal error of the service for more inputs, and for 5, 6 or 7 accounts of version
//     1 trees.
//
// JSON-RPC method: getValidityProofV2, or getValidityProof.
func (c *Client) ValidityProof(
	ctx context.Context, hashes []types.Hash, newAddresses []NewAddress,
) (*ValidityProof, error) {
	type params struct {
		Hashes       []types.Hash `json:"hashes,omitempty"`
		NewAddresses []NewAddress `json:"newAddressesWithTrees,omitempty"`
	}
	in := params{Hashes: hashes}
	for _, a := range newAddresses {
		in.NewAddresses = append(in.NewAddresses, a.withTree())
	}
	var proof *ValidityProof
	_, _, err := ask(ctx, c, opValidityProof, transport.Query[wireProof]{
		Invalid: checkProven(hashes, newAddresses), About: hashes, Params: in, MaxAttempts: 2, Check: func(p *wireProof) (err error) {
			proof, err = p.proof(len(hashes), len(newAddresses))
			return err
		},
	})
	if err != nil {
		return nil, err
	}
	return proof, nil
}

func checkProven(hashes []types.Hash, newAddresses []NewAddress) error {
	if len(hashes)+len(newAddresses) == 0 {
		return argument.Invalid("hashes and newAddresses", "are empty; set one of them")
	}
	return cmp.Or(argument.Each("hashes", hashes, argument.Hash), argument.Each("newAddresses", newAddresses, checkNewAddress))
}

// A wireProof is a proof as the service sends it.
type wireProof struct {
	Proof *ZKProof `json:"compressedProof"`

	// In version 1, each list has the accounts, and then the addresses.
	Leaves      []string        `json:"leaves"` // hashes of accounts, and addresses
	Roots       []types.Hash    `json:"roots"`
	RootIndices []uint64        `json:"rootIndices"`
	LeafIndices []uint64        `json:"leafIndices"`
	Trees       []types.Address `json:"merkleTrees"`

	// In version 2.
	Accounts []struct {
		ProvenAccount

		RootIndex struct {
			RootIndex    uint64 `json:"rootIndex"`
			ProveByIndex bool   `json:"proveByIndex"`
		} `json:"rootIndex"`
	} `json:"accounts"`
	Addresses []ProvenAddress `json:"addresses"`
}

// proof returns the proof of a number of accounts and addresses. It fails if the response
// lacks a part of it.
func (p *wireProof) proof(accounts, addresses int) (*ValidityProof, error) {
	for _, n := range []int{len(p.Roots), len(p.RootIndices), len(p.LeafIndices), len(p.Trees)} {
		if err := transport.OnePer(len(p.Leaves), n); err != nil {
			return nil, err
		}
	}
	v := &ValidityProof{Proof: p.Proof}
	for i, leaf := range p.Leaves {
		if i < accounts {
			v.Accounts = append(v.Accounts, ProvenAccount{
				Hash: types.Hash(leaf), Root: p.Roots[i], RootIndex: p.RootIndices[i], LeafIndex: p.LeafIndices[i], Tree: p.Trees[i],
			})
		} else {
			v.Addresses = append(v.Addresses, ProvenAddress{
				Address: types.Address(leaf), Root: p.Roots[i], RootIndex: p.RootIndices[i], LeafIndex: p.LeafIndices[i], Tree: p.Trees[i],
			})
		}
	}
	for _, in := range p.Accounts {
		a := in.ProvenAccount
		a.RootIndex, a.ProveByIndex = in.RootIndex.RootIndex, in.RootIndex.ProveByIndex
		if a.MerkleContext != nil {
			a.Tree = a.MerkleContext.Tree
		}
		v.Accounts = append(v.Accounts, a)
	}
	for _, a := range p.Addresses {
		if a.MerkleContext != nil {
			a.Tree = a.MerkleContext.Tree
		}
		v.Addresses = append(v.Addresses, a)
	}
	needed := addresses > 0 || slices.ContainsFunc(v.Accounts, func(a ProvenAccount) bool { return !a.ProveByIndex })
	return v, cmp.Or(
		transport.OnePer(accounts, len(v.Accounts)),
		transport.OnePer(addresses, len(v.Addresses)),
		transport.Require(p.Proof != nil || !needed, "compressedProof"),
	)
}
