package das

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"

	"golang.org/x/crypto/sha3"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var (
	opProof  = op("das.Client.Proof", "getAssetProof")
	opProofs = op("das.Client.Proofs", "getAssetProofBatch")
)

// A Proof shows that a leaf is in a Merkle tree of compressed NFTs.
type Proof struct {
	Root types.Hash `json:"root"` // of the tree

	// Path has the sibling of each node from the leaf to the root. Wire name: proof.
	Path []types.Hash `json:"proof"`

	// NodeIndex is the leaf's index plus 2 to the power of the tree's depth.
	NodeIndex uint64 `json:"node_index"`

	// Leaf is 32 zero bytes, "111…", when the leaf is empty.
	Leaf types.Hash `json:"leaf"`

	Tree  types.Address `json:"tree_id"`
	Burnt bool          `json:"burnt"` // not always sent

	// Slot is the slot of the state; 0 when the service does not say.
	Slot uint64 `json:"last_indexed_slot"`
}

// Verify checks that Path leads from Leaf to Root. It does not check that the asset is this leaf:
// compare Leaf with its Compression.AssetHash. Nor does it check that the tree has this root:
// compare Root with the roots in the account of the tree.
func (p *Proof) Verify() error {
	node, err := p.Leaf.Bytes()
	if err != nil {
		return fmt.Errorf("proof: leaf: %w", err)
	}
	root, err := p.Root.Bytes()
	if err != nil {
		return fmt.Errorf("proof: root: %w", err)
	}
	index := p.NodeIndex
	keccak := sha3.NewLegacyKeccak256() // not SHA3-256, which pads differently
	for i, hash := range p.Path {
		sibling, err := hash.Bytes()
		if err != nil {
			return fmt.Errorf("proof: node %d: %w", i, err)
		}
		left, right := node, sibling
		if index&1 == 1 {
			left, right = sibling, node
		}
		keccak.Reset()
		_, _ = keccak.Write(left)
		_, _ = keccak.Write(right)
		node = keccak.Sum(nil)
		index >>= 1
	}
	if index != 1 {
		return fmt.Errorf("proof: node index %d does not belong to a tree of depth %d", p.NodeIndex, len(p.Path))
	}
	if !bytes.Equal(node, root) {
		return errors.New("proof: the path does not lead to the root")
	}
	return nil
}

// Proof returns the Merkle proof of a compressed NFT. It costs 10 credits. Assets that
// do not exist or are not compressed fail with [types.ErrNotFound].
//
// JSON-RPC method: getAssetProof.
func (c *Client) Proof(ctx context.Context, id types.Address) (*Proof, error) {
	params := struct {
		ID types.Address `json:"id"`
	}{id}
	p, err := transport.Result(ctx, c.api, transport.Query[Proof]{
		Op: opProof, Invalid: argument.Address("id", id),
		About: id, Params: params, Null: transport.NullIsNotFound, Check: (*Proof).complete,
	})
	switch {
	case err != nil:
		return nil, orNotFound(err)
	case p.empty():
		return nil, fmt.Errorf("%s of %s: %w", opProof.Wire, id, types.ErrNotFound)
	}
	return p, nil
}

// empty reports whether p was {}, which means that there is no proof.
func (p *Proof) empty() bool { return reflect.ValueOf(p).Elem().IsZero() }

func (p *Proof) complete() error { return transport.Require(p.Root != "" || p.empty(), "root") }

// Proofs returns the Merkle proofs of any number of compressed NFTs. Result i belongs to ids[i],
// and is nil without a proof. It sends one request per 1000 different IDs, each for 10 credits.
// If requests fail, the error is a [types.BatchError] and the other results are valid.
//
// JSON-RPC method: getAssetProofBatch.
func (c *Client) Proofs(ctx context.Context, ids []types.Address) ([]*Proof, error) {
	if err := c.api.Check(opProofs, argument.Each("ids", ids, argument.Address)); err != nil {
		return nil, err
	}
	return paging.InDistinctParts(ctx, ids, opProofs.Facts().Inputs, func(ids []types.Address, found map[types.Address]*Proof, items *transport.Items) error {
		params := struct {
			IDs []types.Address `json:"ids"`
		}{ids}
		got, err := transport.Result(ctx, c.api, transport.Query[map[types.Address]listedProof]{
			Op: opProofs, About: ids, Params: params,
		})
		if err != nil {
			return err
		}
		for id, p := range *got {
			switch {
			case p.odd != nil:
				p.odd.ID = string(id)
				items.Fail(0, c.api.CleanItem(p.odd))
			case p.proof != nil && !p.proof.empty():
				found[id] = p.proof
			}
		}
		return nil
	})
}

// A listedProof is the proof of one of several assets, or why it cannot be read.
type listedProof struct {
	proof *Proof
	odd   *types.ItemError
}

// UnmarshalJSON leaves the other proofs of a response readable.
func (p *listedProof) UnmarshalJSON(b []byte) error {
	read := func(part []byte) error {
		p.proof = new(Proof)
		return cmp.Or(decode.JSON(part, p.proof), p.proof.complete())
	}
	if err := read(b); err != nil {
		p.odd = transport.Unreadable(opProofs, bytes.Clone(b), err, read)
	}
	return nil
}
