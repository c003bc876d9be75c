package compressed

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

const accountsByOwner = "getCompressedAccountsByOwner"

// AccountsByOwnerOptions narrow and page the list of the accounts of an owner.
// Their zero value, like nil, asks for all accounts, from the first one on.
type AccountsByOwnerOptions struct {
	Cursor    string           `json:"cursor,omitempty"`    // that of the page to go on after; empty means the first page
	Limit     int              `json:"limit,omitempty"`     // items per page; 0 means the service's default and maximum, 1000. Walks with less than ten notice late that accounts get lost
	DataSlice *types.DataSlice `json:"dataSlice,omitempty"` // the part of AccountData.Bytes to send; nil means all of it
	Filters   []Filter         `json:"filters,omitempty"`   // all must match; the service takes up to 5
	Prefetch  bool             `json:"-"`                   // when walking, ask for the next page while this one is handled
}

// A Filter is a condition on the data of an account. Make it with [Memcmp].
type Filter struct {
	offset uint64
	data   string // bytes, of the filter's own
}

// Memcmp returns the condition that the bytes of an account's data at offset
// are these. Offset counts from the start of the data, which is after the eight
// bytes of the discriminator, whatever the data slice. An account without data
// matches no condition. A call refuses a condition on no bytes at all, and on
// more than the 10 KiB that an account can have.
func Memcmp(offset uint64, data []byte) Filter { return Filter{offset, string(data)} }

// MarshalJSON makes the filter as it is sent, in base58: the service reads no
// other encoding here.
func (f Filter) MarshalJSON() ([]byte, error) {
	type memcmp struct {
		Offset uint64 `json:"offset"` // 0 is an offset like any other, and sent
		Bytes  string `json:"bytes"`
	}
	return json.Marshal(struct {
		Memcmp memcmp `json:"memcmp"`
	}{memcmp{f.offset, base58.Encode([]byte(f.data))}})
}

// An Account is a compressed account.
type Account struct {
	Hash        types.Hash    `json:"hash"`        // identifies the account in its present state
	Address     types.Address `json:"address"`     // empty when the account has none
	Owner       types.Address `json:"owner"`       // a program or a wallet
	Lamports    uint64        `json:"lamports"`    // 0 for most token accounts
	Data        *AccountData  `json:"data"`        // nil when the account has none
	Tree        types.Address `json:"tree"`        // the state tree that holds the hash
	LeafIndex   uint64        `json:"leafIndex"`   // where in the tree
	Seq         *uint64       `json:"seq"`         // the tree's sequence number; nil while the account waits to be put into the tree
	SlotCreated uint64        `json:"slotCreated"` // the slot of this state
}

// AccountData is the data of a compressed account.
type AccountData struct {
	Discriminator uint64     `json:"discriminator"` // the kind of data, by the owning program
	Bytes         []byte     `json:"data"`          // what follows the discriminator; may be empty
	Hash          types.Hash `json:"dataHash"`      // of all the data, also where Bytes is a part of it
}

// DiscriminatorBytes returns the discriminator as the eight bytes that stand
// before the data in programs: little-endian.
func (d *AccountData) DiscriminatorBytes() [8]byte {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], d.Discriminator)
	return b
}

// AccountsByOwner returns one page of the compressed accounts that a program
// or wallet owns. An owner that the service does not know has none. The order
// is the service's own. It costs 10 credits.
//
// An owner that is no address, a negative limit, a filter on no bytes or more
// than 10 KiB and a data slice beyond 2 GiB are refused with [types.ErrInvalid].
// Large pages of large accounts may pass the 10 MiB that the service answers
// with; then a lower limit or a data slice helps.
//
// JSON-RPC method: getCompressedAccountsByOwner.
func (c *Client) AccountsByOwner(ctx context.Context, owner types.Address, opts *AccountsByOwnerOptions) (*Page[Account], error) {
	o := opts.copied()
	if err := cmp.Or(argument.Address("owner", owner), o.check()); err != nil {
		return nil, err
	}
	params := struct {
		Owner types.Address `json:"owner"`
		AccountsByOwnerOptions
	}{owner, o}
	page, slot, err := transport.Call[Page[Account]](ctx, c.api, accountsByOwner, params)
	if err != nil {
		return nil, err
	}
	if page.Items == nil {
		return nil, transport.NoList(accountsByOwner, "items")
	}
	page.Slot = slot
	return &page, nil
}

// AccountsByOwnerPages walks the pages of [Client.AccountsByOwner] from
// opts.Cursor on. Each page costs 10 credits. To resume a walk, keep the filters
// and set the cursor to that of the last page that was handled; an empty one
// means that there is no more.
//
// An error ends the walk. One that matches [types.ErrIncomplete] says that the
// service promises more but there is no sound way to it. That is so when a
// cursor comes back that was there before, and when the service sorts by leaf
// index while its cursors compare hashes: of 3000 accounts, pages of 1000 then
// show about half and repeat many of them, and of 100 accounts, pages of 10
// show less than a quarter. The walk ends instead of the page that shows it: all
// pages so far are in the order of the leaf index, too many accounts for an
// accident, and one page starts below the end of the page before. With pages of
// ten items or more that is mostly the second. Smaller ones take longer and may
// lose accounts up to the end without a sign, and each walk starts anew: better
// leave Limit at 0. There is no point in resuming such a walk. A single page is
// complete, so the way out is filters that leave no more than one page of 1000.
func (c *Client) AccountsByOwnerPages(ctx context.Context, owner types.Address, opts *AccountsByOwnerOptions) iter.Seq2[*Page[Account], error] {
	o := opts.copied()
	return func(yield func(*Page[Account], error) bool) {
		var order leafOrder // of this walk alone
		fetch := func(ctx context.Context, cursor string) (*Page[Account], error) {
			o := o
			o.Cursor = cursor
			page, err := c.AccountsByOwner(ctx, owner, &o)
			if err == nil && order.brokenBy(page.Items) {
				return nil, fmt.Errorf("%s: page at %s: accounts come in the order of leaf indexes, where cursors lose some; "+
					"use filters that leave a single page: %w", accountsByOwner, cursor, types.ErrIncomplete)
			}
			return page, err
		}
		paging.Pages(ctx, accountsByOwner, o.Cursor, o.Prefetch, fetch, (*Page[Account]).next)(yield)
	}
}

// AllAccountsByOwner walks the items of [Client.AccountsByOwnerPages], at its
// cost and with its errors.
//
// The list is no snapshot: of 5000 accounts of which ten change between pages,
// about eight are missed and eight seen twice, under another hash. It ends with
// [types.ErrIncomplete] where the pages do.
func (c *Client) AllAccountsByOwner(ctx context.Context, owner types.Address, opts *AccountsByOwnerOptions) iter.Seq2[Account, error] {
	return paging.Items(c.AccountsByOwnerPages(ctx, owner, opts), (*Page[Account]).items)
}

// copied returns the options as they are now, whatever the caller does to them
// later.
func (o *AccountsByOwnerOptions) copied() AccountsByOwnerOptions {
	if o == nil {
		return AccountsByOwnerOptions{}
	}
	c := *o
	c.Filters = slices.Clone(o.Filters)
	if o.DataSlice != nil {
		part := *o.DataSlice
		c.DataSlice = &part
	}
	return c
}

// maxSlice is where the service's database ends. Beyond it the service answers
// with an internal error that says nothing and seems worth another try.
const maxSlice = 1 << 31

// maxCompared is how much data an account can have: what a program may hand to
// another. To make base58 of it takes time with its square.
const maxCompared = 10 << 10 // bytes

func (o *AccountsByOwnerOptions) check() error {
	if err := argument.NotNegative("Limit", o.Limit); err != nil {
		return err
	}
	if s := o.DataSlice; s != nil && (s.Offset >= maxSlice || s.Length >= maxSlice) {
		return argument.Invalid("DataSlice", "offset and length must be below 2147483648; leave it nil for all data")
	}
	for i, f := range o.Filters {
		if problem := f.problem(); problem != "" {
			return argument.Invalid(fmt.Sprintf("Filters[%d]", i), problem)
		}
	}
	return nil
}

// problem says why the filter cannot work; empty where it can.
func (f Filter) problem() string {
	switch {
	case f.data == "":
		return "compares no bytes; make it with Memcmp and at least one byte"
	case len(f.data) > maxCompared:
		return fmt.Sprintf("compares %d bytes; an account has at most %d", len(f.data), maxCompared)
	}
	return ""
}

// leafOrder finds out whether the pages of a walk come in the order of leaf
// indexes though their cursors compare hashes, so that following them loses
// accounts. Then all pages are in that order, but one starts below the end of
// the page before.
type leafOrder struct {
	hashed   bool    // whether a page was in another order, as the service means it
	evidence float64 // that the order is no accident: the logarithm of how rare it is
	end      uint64  // the last leaf index so far
	dropped  bool    // whether a page started below the end of the page before
}

// enough is that of a page of ten: accounts sorted by hash are in the order of
// their leaf indexes once in 10!, which is 3.6 million.
const enough = 15.1

func (l *leafOrder) brokenBy(accounts []Account) bool {
	if l.hashed || len(accounts) == 0 {
		return false
	}
	l.dropped = l.dropped || accounts[0].LeafIndex < l.end
	equal := 1 // trees count their leaves each from 0, and equal ones are in any order
	for i := 1; i < len(accounts); i++ {
		before, here := accounts[i-1].LeafIndex, accounts[i].LeafIndex
		if here < before {
			l.hashed = true
			return false
		}
		if here > before {
			equal = 0
		}
		equal++
		l.evidence += math.Log(float64(i+1) / float64(equal))
	}
	l.end = accounts[len(accounts)-1].LeafIndex
	return l.dropped && l.evidence >= enough
}
