package rpc

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// methodNotFound is the code of an unknown JSON-RPC method.
const methodNotFound = -32601

// pagedOrWhole requests a page of accounts with the method op. Once the host has shown that it
// lacks op, it requests the whole list with the method of any node. The client remembers the
// method, since their cursors differ.
func pagedOrWhole[T any](c *Client, op transport.Op, paged, whole func() (*types.Page[T], error)) (*types.Page[T], error) {
	lacks, known := c.lacks.Load(op)
	if lacks == true {
		return whole()
	}
	page, err := paged()
	var refusal *types.APIError
	unknown := errors.As(err, &refusal) && refusal.Code == methodNotFound
	if known || err != nil && !unknown {
		return page, err
	}
	if lacks, _ = c.lacks.LoadOrStore(op, unknown); lacks == true && unknown {
		return whole()
	}
	return page, err
}

// whole requests a list of accounts in one page.
func whole[T any](ctx context.Context, c *Client, op transport.Op, items *transport.Items, invalid error, params ...any) (*types.Page[T], error) {
	list, slot, err := transport.Value(ctx, c.api, transport.Query[[]T]{Op: op, Invalid: invalid, Params: params, Check: paging.CheckItems[T], Items: items})
	if err != nil {
		return nil, err
	}
	return &types.Page[T]{Items: *list, Slot: slot}, nil
}

// checkNode refuses options that hosts without paged methods would ignore silently.
func (o *AccountOptions) checkNode(cursor string) error {
	switch {
	case cursor != "":
		return argument.Invalid("Cursor", "is of a paged listing, and this host has no paged methods; start without a Cursor")
	case o.ChangedSinceSlot != 0:
		return argument.Invalid("ChangedSinceSlot", "does not work with this host, which has no paged methods")
	}
	return nil
}

// listingOf returns the listing of a method about an address, with filters.
func (c *Client) listingOf(op transport.Op, address types.Address, filters any, page types.PageOptions) paging.Listing {
	text, _ := json.Marshal(filters) // fails for invalid filters only, which are refused
	return paging.ListingOf(c.api, op, address, string(text), page)
}

// A programPage is a page of program accounts: the accounts beside the key, or both in
// value. Without a union in it, it decodes faster than a tokenPage.
type programPage struct {
	Context readContext `json:"context"`
	keyedAccounts[ProgramAccount]
	Value keyedAccounts[ProgramAccount] `json:"value"`
}

// A tokenPage is a page of token accounts in any documented shape. The key is beside the accounts,
// inside value with them, or beside value if that is the accounts.
type tokenPage struct {
	Context readContext `json:"context"`
	keyedAccounts[TokenAccount]
	Value accountsOrPage `json:"value"`
}

type readContext struct {
	Slot uint64 `json:"slot"`
}

// keyedAccounts are accounts with the key of the next page.
type keyedAccounts[T any] struct {
	Accounts []T    `json:"accounts"`
	Key      string `json:"paginationKey"`
	Total    uint64 `json:"totalResults"`
}

// complete takes members that k lacks from the object around it, and refuses an incomplete
// page.
func (k *keyedAccounts[T]) complete(around keyedAccounts[T]) error {
	if k.Accounts == nil {
		k.Accounts = around.Accounts
	}
	k.Key, k.Total = cmp.Or(k.Key, around.Key), cmp.Or(k.Total, around.Total)
	return cmp.Or(transport.Require(k.Accounts != nil, "accounts"), paging.CheckItems(&k.Accounts))
}

func (k *keyedAccounts[T]) page(slot uint64, cursor string) *types.Page[T] {
	return &types.Page[T]{Items: k.Accounts, Cursor: cursor, Slot: slot, Total: k.Total}
}

// accountsOrPage is the value of a tokenPage.
type accountsOrPage struct{ keyedAccounts[TokenAccount] }

func (v *accountsOrPage) UnmarshalJSON(b []byte) error {
	*v = accountsOrPage{}
	if bytes.HasPrefix(bytes.TrimSpace(b), []byte("[")) {
		return decode.JSON(b, &v.Accounts)
	}
	return decode.Value(b, &v.keyedAccounts)
}
