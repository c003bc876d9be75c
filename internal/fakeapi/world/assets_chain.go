package world

import (
	"cmp"
	"encoding/binary"
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
	return slices.AppendSeq([]string{c.tree.Address}, maps.Keys(c.metadata()))
}

// account returns the account on the chain at an address, the metadata of an NFT or the tree,
// nil if there is none.
func (c *Collection) account(address string) *Account {
	if nft := c.metadata()[address]; nft != nil && !nft.Burnt {
		return &Account{Address: address, Program: metadataProgram, Data: nft.metadata(), Lamports: Rent(metadataSize), Since: nft.Created}
	}
	if address != c.tree.Address || len(c.tree.leaves) == 0 {
		return nil
	}
	data, changed := c.treeData()
	a := Account{Address: address, Program: compressionProgram, Data: data, Lamports: Rent(len(data)), Since: c.tree.leaves[0].Created}
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

// The sizes of an account of metadata and of its texts, which are padded with zeros.
const (
	metadataSize = 607
	nameSize     = 32
	symbolSize   = 10
	uriSize      = 200
)

// metadata returns the account of the metadata of an NFT as the program stores it.
func (a *Asset) metadata() []byte {
	order := binary.LittleEndian
	b := make([]byte, 0, metadataSize)
	b = append(b, 4) // the kind of account
	b = append(append(b, Key(cmp.Or(a.Authority, System))...), Key(a.ID)...)
	for _, text := range []struct {
		value string
		size  int
	}{{a.Name, nameSize}, {a.Symbol, symbolSize}, {a.URI, uriSize}} {
		b = order.AppendUint32(b, uint32(text.size))
		b = append(b, make([]byte, text.size)...)
		copy(b[len(b)-text.size:], text.value)
	}
	b = order.AppendUint16(b, uint16(a.BasisPoints))
	b = append(b, bit(len(a.Creators) > 0))
	if len(a.Creators) > 0 {
		b = order.AppendUint32(b, uint32(len(a.Creators)))
	}
	for _, c := range a.Creators {
		b = append(append(b, Key(c.Address)...), bit(c.Verified), byte(c.Share))
	}
	standard := byte(0) // NonFungible
	switch {
	case a.MasterEdition != "":
		standard = 3 // NonFungibleEdition
	case a.Interface == "ProgrammableNFT":
		standard = 4
	}
	// not sold; the bump of the edition
	b = append(b, 0, bit(!a.Immutable), 1, 255, 1, standard, bit(a.Collection != ""))
	if a.Collection != "" {
		b = append(append(b, 1), Key(a.Collection)...) // verified
	}
	return append(b, make([]byte, max(0, metadataSize-len(b)))...)
}

func bit(set bool) byte {
	if set {
		return 1
	}
	return 0
}

// treeData returns the account of the tree as the program stores it, with its last change only,
// and the transaction that changed it last.
func (c *Collection) treeData() ([]byte, *Transaction) {
	var changes []AssetEvent
	for _, a := range c.tree.leaves {
		changes = append(changes, a.Events()...)
	}
	newest := slices.MaxFunc(changes, func(a, b AssetEvent) int { return cmp.Compare(a.Slot, b.Slot) })
	rightmost := c.tree.leaves[len(c.tree.leaves)-1]
	nodes, root, _ := c.Proof(newest.Asset)
	depth, buffer := len(nodes), 64
	for _, size := range [][2]int{{13, 32}, {9, 16}, {5, 8}} { // as the program allows
		if depth <= size[0] {
			buffer = size[1]
		}
	}
	authority, _, _ := types.ProgramAddress([][]byte{[]byte(Key(c.tree.Address))}, types.BubblegumProgram)

	order := binary.LittleEndian
	change := 40 + 32*depth
	b := make([]byte, 0, 80+(buffer+1)*change)
	b = append(b, 1, 0) // a tree, of the first version
	b = order.AppendUint32(order.AppendUint32(b, uint32(buffer)), uint32(depth))
	b = append(b, Key(string(authority))...)
	b = order.AppendUint64(b, c.tree.leaves[0].Created.Slot)
	b = append(b, make([]byte, 6)...)
	b = order.AppendUint64(b, uint64(len(changes)))
	b = order.AppendUint64(order.AppendUint64(b, 0), 1) // the active change, and how many there are
	b = append(b, Key(root)...)
	for level := range depth {
		n := c.node(level, newest.Asset.Leaf>>level)
		b = append(b, n[:]...)
	}
	b = order.AppendUint32(b, uint32(newest.Asset.Leaf))
	b = append(b, make([]byte, cap(b)-change-len(b))...)
	nodes, _, _ = c.Proof(rightmost)
	for _, n := range nodes {
		b = append(b, Key(n)...)
	}
	n := c.node(0, rightmost.Leaf)
	b = order.AppendUint32(append(b, n[:]...), uint32(len(c.tree.leaves)))
	return append(b, 0, 0, 0, 0), newest.Transaction
}
