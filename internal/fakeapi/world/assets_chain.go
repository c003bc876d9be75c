package world

import (
	"cmp"
	"maps"
	"slices"

	"github.com/solwire/solwire-go/types"
)

// The programs of the metadata of NFTs and of the trees of compressed ones.
const (
	metadataProgram    = "metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s"
	compressionProgram = "cmtDvXumGCrqC1Age74AVPhSRVXJMd8PJS91L8KbNCK"
)

// Addresses returns the addresses of the accounts on the chain that describe the assets, in no
// order.
func (c *Collection) Addresses() []string {
	return slices.AppendSeq([]string{c.tree}, maps.Keys(c.metadata()))
}

// account returns the account on the chain at an address, the metadata of an NFT or the tree,
// nil if there is none.
func (c *Collection) account(address string) *Account {
	if nft := c.metadata()[address]; nft != nil && !nft.Burnt {
		return &Account{Address: address, Program: metadataProgram, Data: nft.metadata(), Lamports: Rent(metadataSize), Since: nft.Created}
	}
	if address != c.tree || len(c.leaves) == 0 {
		return nil
	}
	data, changed := c.treeData()
	a := Account{Address: address, Program: compressionProgram, Data: data, Lamports: Rent(len(data)), Since: c.leaves[0].Created}
	newest := a
	newest.Since, newest.before = changed, &a
	return &newest
}

// metadata returns the NFTs by the addresses of their metadata. Each is derived once, when an
// address is first looked for.
func (c *Collection) metadata() map[string]*Asset {
	for ; c.derived < len(c.all); c.derived++ {
		if a := c.all[c.derived]; !a.Compressed {
			address, _, _ := types.ProgramAddress([][]byte{[]byte("metadata"), []byte(Key(metadataProgram)), []byte(Key(a.ID))}, metadataProgram)
			c.byMetadata[string(address)] = a
		}
	}
	return c.byMetadata
}

// metadataSize is the size of an account of metadata.
const metadataSize = 607

// padded is a text as the program of metadata stores it: with its size, and zeros up to it.
func padded(text string, size int) []byte {
	return append(pack(uint32(size)), slices.Concat([]byte(text), make([]byte, size))[:size]...)
}

// metadata returns the account of the metadata of an NFT as the program stores it.
func (a *Asset) metadata() []byte {
	b := pack(byte(4), Key(cmp.Or(a.Authority, System)), Key(a.ID), // 4 is the kind of account
		padded(a.Name, 32), padded(a.Symbol, 10), padded(a.URI, 200), uint16(a.BasisPoints), len(a.Creators) > 0)
	if len(a.Creators) > 0 {
		b = append(b, pack(uint32(len(a.Creators)))...)
	}
	for _, c := range a.Creators {
		b = append(b, pack(Key(c.Address), c.Verified, byte(c.Share))...)
	}
	standard := byte(0) // NonFungible
	switch {
	case a.MasterEdition != "":
		standard = 3 // NonFungibleEdition
	case a.Interface == "ProgrammableNFT":
		standard = 4
	}
	// not sold; the bump of the edition
	b = append(b, pack(false, !a.Immutable, true, byte(255), true, standard, a.Collection != "")...)
	if a.Collection != "" {
		b = append(b, pack(true, Key(a.Collection))...) // verified
	}
	return append(b, make([]byte, max(0, metadataSize-len(b)))...)
}

// treeData returns the account of the tree as the program stores it, with its last change only,
// and the transaction that changed it last.
func (c *Collection) treeData() ([]byte, *Transaction) {
	var changes []AssetEvent
	for _, a := range c.leaves {
		changes = append(changes, a.Events()...)
	}
	newest := slices.MaxFunc(changes, func(a, b AssetEvent) int { return cmp.Compare(a.Slot, b.Slot) })
	rightmost := c.leaves[len(c.leaves)-1]
	nodes, root, _ := c.Proof(newest.Asset)
	depth, buffer := len(nodes), 64
	for _, size := range [][2]int{{13, 32}, {9, 16}, {5, 8}} { // as the program allows
		if depth <= size[0] {
			buffer = size[1]
		}
	}
	authority, _, _ := types.ProgramAddress([][]byte{[]byte(Key(c.tree))}, types.BubblegumProgram)

	var path []byte
	for level := range depth {
		n := c.node(level, newest.Asset.Leaf>>level)
		path = append(path, n[:]...)
	}
	change := pack(Key(root), path, uint32(newest.Asset.Leaf), uint32(0))
	// a tree of the first version, with its only change in place 0 of the buffer
	b := pack(byte(1), byte(0), uint32(buffer), uint32(depth), Key(string(authority)), c.leaves[0].Created.Slot, make([]byte, 6),
		uint64(len(changes)), uint64(0), uint64(1), change, make([]byte, (buffer-1)*len(change)))
	nodes, _, _ = c.Proof(rightmost)
	for _, n := range nodes {
		b = append(b, Key(n)...)
	}
	return append(b, pack(c.node(0, rightmost.Leaf), uint32(len(c.leaves)), uint32(0))...), newest.Transaction
}
