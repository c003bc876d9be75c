package compressed

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var (
	opAccount           = inVersions("compressed.Client.Account", "getCompressedAccountV2", "getCompressedAccount")
	opAccountByAddress  = inVersions("compressed.Client.AccountByAddress", "getCompressedAccountV2", "getCompressedAccount")
	opAccounts          = inVersions("compressed.Client.Accounts", "getMultipleCompressedAccountsV2", "getMultipleCompressedAccounts")
	opAccountsByAddress = inVersions("compressed.Client.AccountsByAddress", "getMultipleCompressedAccountsV2", "getMultipleCompressedAccounts")
)

// An Account is one state of a compressed account.
type Account struct {
	Hash     types.Hash    `json:"hash"`     // identifies this state
	Address  types.Address `json:"address"`  // empty if it has none
	Owner    types.Address `json:"owner"`    // a program or a wallet
	Lamports uint64        `json:"lamports"` // 0 for most accounts, and if a listing omits it
	Data     *AccountData  `json:"data"`     // nil if it has none

	// Tree is the state tree that holds Hash. Wire name: tree, or in version 2
	// merkleContext.tree.
	Tree      types.Address `json:"tree"`
	LeafIndex uint64        `json:"leafIndex"` // the position in Tree

	// Seq is the sequence number of Tree after the insertion of Hash; nil while the account
	// waits in an output queue.
	Seq         *uint64 `json:"seq"`
	SlotCreated uint64  `json:"slotCreated"` // the slot of this state

	// ProveByIndex reports whether the account waits in an output queue, and needs no
	// Merkle proof. Always false from [WireVersion1].
	ProveByIndex  bool           `json:"proveByIndex"`
	MerkleContext *MerkleContext `json:"merkleContext"` // nil from WireVersion1
}

// A sentAccount is an Account that was requested by hash or address. Its lamports are required.
// In listings, they are mostly 0, so a missing number means 0.
type sentAccount struct {
	Account
	Lamports *uint64 `json:"lamports" required:"true"`
}

func (a *sentAccount) public() *Account {
	if a == nil {
		return nil
	}
	a.Account.Lamports = *a.Lamports
	return &a.Account
}

// setTree sets Tree, which version 2 has in the Merkle context only.
func (a *Account) setTree() {
	if a != nil && a.Tree == "" && a.MerkleContext != nil {
		a.Tree = a.MerkleContext.Tree
	}
}

// AccountData is the data of a compressed account.
type AccountData struct {
	Discriminator uint64     `json:"discriminator"` // the type of the data
	Bytes         []byte     `json:"data"`          // without the discriminator. Wire name: data
	Hash          types.Hash `json:"dataHash"`      // of all data, even with a DataSlice
}

// DiscriminatorBytes returns the discriminator as programs store it: 8 bytes in
// little-endian order.
func (d *AccountData) DiscriminatorBytes() [8]byte {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], d.Discriminator)
	return b
}

// A TreeType is the kind and version of a Merkle tree. Values without a constant
// here pass through; 0 and 255 mean unknown.
type TreeType uint16

// The tree types.
const (
	TreeTypeStateV1   TreeType = 1
	TreeTypeAddressV1 TreeType = 2
	TreeTypeStateV2   TreeType = 3
	TreeTypeAddressV2 TreeType = 4
)

// A MerkleContext is the tree of an account or a new address.
type MerkleContext struct {
	TreeType   TreeType      `json:"treeType"`
	Tree       types.Address `json:"tree"`
	Queue      types.Address `json:"queue"`           // nullifier queue (version 1) or output queue
	CPIContext types.Address `json:"cpiContext"`      // empty if there is none
	Next       *TreeContext  `json:"nextTreeContext"` // the next tree; nil if there is none
}

// A TreeContext has the addresses of a tree, its queue and its CPI context.
type TreeContext struct {
	TreeType   TreeType      `json:"treeType"`
	Tree       types.Address `json:"tree"`
	Queue      types.Address `json:"queue"`      // nullifier queue (version 1) or output queue
	CPIContext types.Address `json:"cpiContext"` // empty if there is none
}

type hashParam struct {
	Hash types.Hash `json:"hash"`
}

type addressParam struct {
	Address types.Address `json:"address"`
}

// Account returns the account with a hash. An unknown or spent hash fails with
// [types.ErrNotFound]. It costs 10 credits.
//
// JSON-RPC method: getCompressedAccountV2, or getCompressedAccount.
func (c *Client) Account(ctx context.Context, hash types.Hash) (*Account, error) {
	return c.account(ctx, opAccount, argument.Hash("hash", hash), hash, hashParam{hash})
}

// AccountByAddress returns the current state of the account with an address. An
// unknown address and the address of a closed account fail with [types.ErrNotFound]. It
// costs 10 credits.
//
// JSON-RPC method: getCompressedAccountV2, or getCompressedAccount.
func (c *Client) AccountByAddress(ctx context.Context, address types.Address) (*Account, error) {
	return c.account(ctx, opAccountByAddress, argument.Address("address", address), address, addressParam{address})
}

// account requests one account.
func (c *Client) account(ctx context.Context, op operation, invalid error, about, params any) (*Account, error) {
	found, _, err := ask(ctx, c, op, transport.Query[sentAccount]{
		Invalid: invalid, About: about, Params: params, Null: transport.NullIsNotFound, Check: func(a *sentAccount) error {
			a.setTree()
			return transport.Require(a.Hash != "", "hash")
		},
	})
	if errors.Is(err, types.ErrNotFound) && !errors.As(err, new(*refusalError)) { // null
		err = fmt.Errorf("%w (unknown, spent or not indexed yet)", err)
	}
	return found.public(), err
}

// Accounts returns the accounts with any number of hashes. Result i belongs to hashes[i], and is
// nil if the hash is unknown or spent. It sends one request per 1000 hashes, or more if responses
// would be too large. Each request costs 10 credits. If requests fail, the error is a
// [types.BatchError] and the other results are valid.
//
// JSON-RPC method: getMultipleCompressedAccountsV2, or getMultipleCompressedAccounts.
func (c *Client) Accounts(ctx context.Context, hashes []types.Hash) ([]*Account, error) {
	return accounts(ctx, c, opAccounts, "hashes", hashes, argument.Hash, func(a *Account) types.Hash { return a.Hash })
}

// AccountsByAddress is [Client.Accounts] for addresses, at the same price: 10 credits per
// request. A result is nil if the address is unknown or the account is closed.
//
// JSON-RPC method: getMultipleCompressedAccountsV2, or getMultipleCompressedAccounts.
func (c *Client) AccountsByAddress(
	ctx context.Context, addresses []types.Address,
) ([]*Account, error) {
	return accounts(ctx, c, opAccountsByAddress, "addresses", addresses, argument.Address, func(a *Account) types.Address { return a.Address })
}

// accounts requests one account per input. ID returns the input of an account, or "" if the
// account does not have it.
func accounts[I ~string](
	ctx context.Context, c *Client, op operation, name string, inputs []I, check func(string, I) error, id func(*Account) I,
) ([]*Account, error) {
	if err := c.api.Check(op.v2, argument.Each(name, inputs, check)); err != nil {
		return nil, err
	}
	type items struct {
		Items []*sentAccount `json:"items" required:"true"`
	}
	return batch(ctx, inputs, func(part []I, unreadable *transport.Items) ([]*Account, error) {
		each := paging.PerInput(len(part), func(i int, a *sentAccount) error {
			a.setTree()
			if id := id(&a.Account); id != "" && id != part[i] {
				return fmt.Errorf("the response is another account: %.60q", string(a.Hash))
			}
			return nil
		})
		found, _, err := ask(ctx, c, op, transport.Query[items]{About: part, Params: map[string][]I{name: part}, Items: unreadable, Check: func(l *items) error {
			return each(&l.Items)
		}})
		if err != nil {
			return nil, err
		}
		all := make([]*Account, len(found.Items))
		for i, a := range found.Items {
			all[i] = a.public()
		}
		return all, nil
	})
}
