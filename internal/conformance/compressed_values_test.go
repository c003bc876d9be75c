package conformance_test

import (
	"encoding/json"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
)

// Proofs and transactions in the forms of the two versions.

func proofOf(p *compressed.AccountProof) *compressed.AccountProof {
	sent := *p
	if sent.TreeContext != nil {
		sent.Tree = ""
	}
	return &sent
}

func proofsOf(list []*compressed.AccountProof) (all []any) {
	for _, p := range list {
		all = append(all, proofOf(p))
	}
	return all
}

type wireProof struct {
	A []int `json:"a"`
	B []int `json:"b"`
	C []int `json:"c"`
}

func numbers(p compressed.ProofBytes) (n []int) {
	for _, b := range p {
		n = append(n, int(b))
	}
	return n
}

func bytesOfProof(p *compressed.ZKProof) *wireProof {
	if p == nil {
		return nil
	}
	return &wireProof{numbers(p.A), numbers(p.B), numbers(p.C)}
}

func validityV1(v *compressed.ValidityProof) any {
	var sent struct {
		Proof       *wireProof      `json:"compressedProof"`
		Roots       []types.Hash    `json:"roots"`
		RootIndices []uint64        `json:"rootIndices"`
		LeafIndices []uint64        `json:"leafIndices"`
		Leaves      []string        `json:"leaves"`
		Trees       []types.Address `json:"merkleTrees"`
	}
	sent.Proof = bytesOfProof(v.Proof)
	add := func(root types.Hash, rootIndex, leafIndex uint64, leaf string, tree types.Address) {
		sent.Roots = append(sent.Roots, root)
		sent.RootIndices = append(sent.RootIndices, rootIndex)
		sent.LeafIndices = append(sent.LeafIndices, leafIndex)
		sent.Leaves = append(sent.Leaves, leaf)
		sent.Trees = append(sent.Trees, tree)
	}
	for _, a := range v.Accounts {
		add(a.Root, a.RootIndex, a.LeafIndex, string(a.Hash), a.Tree)
	}
	for _, a := range v.Addresses {
		add(a.Root, a.RootIndex, a.LeafIndex, string(a.Address), a.Tree)
	}
	return sent
}

func validityV2(v *compressed.ValidityProof) any {
	type rootIndex struct {
		RootIndex    uint64 `json:"rootIndex"`
		ProveByIndex bool   `json:"proveByIndex"`
	}
	type account struct {
		Hash          types.Hash                `json:"hash"`
		Root          types.Hash                `json:"root"`
		RootIndex     rootIndex                 `json:"rootIndex"`
		LeafIndex     uint64                    `json:"leafIndex"`
		MerkleContext *compressed.MerkleContext `json:"merkleContext"`
	}
	type address struct {
		Address       types.Address             `json:"address"`
		Root          types.Hash                `json:"root"`
		RootIndex     uint64                    `json:"rootIndex"`
		MerkleContext *compressed.MerkleContext `json:"merkleContext"`
	}
	var sent struct {
		Proof     *wireProof `json:"compressedProof"`
		Accounts  []account  `json:"accounts"`
		Addresses []address  `json:"addresses"`
	}
	sent.Proof = bytesOfProof(v.Proof)
	for _, a := range v.Accounts {
		sent.Accounts = append(sent.Accounts, account{a.Hash, a.Root, rootIndex{a.RootIndex, a.ProveByIndex}, a.LeafIndex, a.MerkleContext})
	}
	for _, a := range v.Addresses {
		sent.Addresses = append(sent.Addresses, address{a.Address, a.Root, a.RootIndex, a.MerkleContext})
	}
	return sent
}

type wireTransaction struct {
	Slot        uint64          `json:"slot"`
	BlockTime   types.Time      `json:"blockTime"`
	Version     tx.Version      `json:"version"`
	Meta        json.RawMessage `json:"meta"`
	Transaction []string        `json:"transaction"`
}

type wireChange struct {
	Account   any                   `json:"account"`
	TokenData *compressed.TokenData `json:"optionalTokenData"`
}

type wireInfo struct {
	Transaction wireTransaction `json:"transaction"`
	Info        struct {
		Closed []wireChange `json:"closedAccounts"`
		Opened []wireChange `json:"openedAccounts"`
	} `json:"compressionInfo"`
}

func transactionV1(t *compressed.Transaction) any {
	sent := wireInfo{Transaction: wireTransaction{t.Slot, t.BlockTime, t.Version, t.Meta, []string{t.Encoded, t.Encoding}}}
	for _, a := range t.Closed {
		sent.Info.Closed = append(sent.Info.Closed, wireChange{onWire(&a.Account), a.TokenData})
	}
	for _, a := range t.Opened {
		sent.Info.Opened = append(sent.Info.Opened, wireChange{onWire(&a.Account), a.TokenData})
	}
	return sent
}

func transactionV2(t *compressed.Transaction) any {
	type closed struct {
		Account   *compressed.Account `json:"account"`
		Nullifier types.Hash          `json:"nullifier"`
		TxHash    types.Hash          `json:"txHash"`
	}
	sent, _ := transactionV1(t).(wireInfo)
	for i, a := range t.Closed {
		sent.Info.Closed[i].Account = closed{onWire(&a.Account), a.Nullifier, a.TxHash}
	}
	return sent
}
