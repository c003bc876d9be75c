package rpc

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var (
	opSignatureStatuses    = op("rpc.Client.SignatureStatuses", "getSignatureStatuses")
	opSignaturesForAddress = op("rpc.Client.SignaturesForAddress", "getSignaturesForAddress")
)

// A SignatureStatus is the confirmation status of a transaction.
type SignatureStatus struct {
	Slot uint64 `json:"slot"`

	// Confirmations is the number of blocks since then; nil when finalized.
	Confirmations *uint64 `json:"confirmations"`

	// TransactionError is the error as sent, an object or a string; nil for success.
	TransactionError json.RawMessage `json:"err"`

	ConfirmationStatus types.Commitment `json:"confirmationStatus"` // empty when unknown
}

// UnmarshalJSON makes TransactionError nil when it is null.
func (s *SignatureStatus) UnmarshalJSON(b []byte) error {
	type plain SignatureStatus // without this method
	err := decode.Value(b, (*plain)(s))
	s.TransactionError = decode.Present(s.TransactionError)
	return err
}

// SignatureStatusesOptions are the options of [Client.SignatureStatuses]. The zero
// value, like nil, means recent transactions only.
type SignatureStatusesOptions struct {
	// WholeHistory also finds transactions that are older than about 150 blocks.
	// Wire name: searchTransactionHistory.
	WholeHistory bool `json:"searchTransactionHistory"`

	// Commitment is the lowest one of the state to read; empty means any. Nodes before
	// version 4.4 ignore it, and MinContextSlot.
	Commitment types.Commitment `json:"commitment,omitempty"`

	// MinContextSlot is the oldest acceptable slot of the node; 0 means any.
	MinContextSlot uint64 `json:"minContextSlot,omitempty"`
}

// SignatureStatuses returns the statuses of any number of transactions in the order of their
// signatures, with nil for unknown ones. It sends one request per 256 signatures, one after the
// other. Each costs 1 credit. If requests fail, the error is a [types.BatchError] and the other
// results are valid.
//
// JSON-RPC method: getSignatureStatuses.
func (c *Client) SignatureStatuses(
	ctx context.Context, signatures []types.Signature, opts *SignatureStatusesOptions,
) ([]*SignatureStatus, error) {
	config := argument.Options(opts)
	if err := c.api.Check(opSignatureStatuses, argument.Each("signatures", signatures, argument.Signature), argument.Fields(&config)); err != nil {
		return nil, err
	}
	return paging.InParts(ctx, signatures, opSignatureStatuses.Facts().Inputs, func(part []types.Signature, into []*SignatureStatus, items *transport.Items) error {
		got, err := value(ctx, c, transport.Query[[]*SignatureStatus]{
			Op: opSignatureStatuses, Params: params(config, part), Items: items, Check: paging.PerInput[SignatureStatus](len(part), nil),
		})
		copy(into, got)
		return err
	})
}

// SignaturesForAddressOptions are the options of [Client.SignaturesForAddress]. The
// zero value, like nil, means all transactions that name the address.
type SignaturesForAddressOptions struct {
	// Limit is at most 1000, and 0 means 1000. Cursor takes the place of Before.
	types.PageOptions

	// Commitment is the state to read; empty means CommitmentFinalized.
	// CommitmentProcessed is invalid.
	Commitment types.Commitment `json:"commitment,omitempty"`

	// MinContextSlot is the oldest acceptable slot of the node; 0 means any.
	MinContextSlot uint64 `json:"minContextSlot,omitempty"`

	// Before selects transactions that are older than this one; empty means all.
	Before types.Signature `json:"before,omitempty"`

	// After selects transactions that are newer than this one; empty means all. Nodes from version
	// 4.0 on fail with [types.ErrNotFound] for an unknown transaction; older nodes list all. Before
	// the second full page, the listing therefore requests the slot of After, for 1 credit. It ends
	// with [types.ErrIncomplete] at older slots, or at once if no node knows After. Wire name:
	// until.
	After types.Signature `json:"until,omitempty"`
}

// SignaturesForAddress lists the transactions that name an address, the newest first. For a wallet,
// it lacks incoming transfers of tokens, which name only a token account:
// [Client.TransactionSignaturesForAddress] has them, at 10 credits per 1000.
//
// An empty page ends the listing. Read the list with All, Pages, Page or Collect; each page
// costs 1 credit, also the empty one at the end.
//
// JSON-RPC method: getSignaturesForAddress.
func (c *Client) SignaturesForAddress(
	ctx context.Context, address types.Address, opts *SignaturesForAddressOptions,
) types.List[SignatureInfo] {
	o := argument.Options(opts)
	invalid := cmp.Or(argument.Address("address", address), argument.FinalCommitment(o.Commitment), argument.Fields(&o))
	fetch := func(ctx context.Context, token string, items *transport.Items) (*historyPage[sentSignature], error) {
		before, bound, _ := strings.Cut(token, afterSign)
		bad := cmp.Or(invalid, argument.Optional("Cursor", types.Signature(before), argument.Signature))
		config := struct {
			Commitment     types.Commitment `json:"commitment,omitempty"`
			MinContextSlot uint64           `json:"minContextSlot,omitempty"`
			Limit          int              `json:"limit,omitempty"`
			Before         types.Signature  `json:"before,omitempty"`
			After          types.Signature  `json:"until,omitempty"`
		}{o.Commitment, o.MinContextSlot, o.Limit, cmp.Or(types.Signature(before), o.Before), o.After}
		list, err := result(ctx, c, transport.Query[[]sentSignature]{
			Op: opSignaturesForAddress, Invalid: bad, Params: params(config, address), Check: checkSignatures, Items: items,
		})
		page := &historyPage[sentSignature]{Data: list}
		if n := len(list); n > 0 {
			page.Cursor = string(list[n-1].Signature)
		}
		if page.Cursor = items.Last(len(list), page.Cursor); page.Cursor == "" && len(items.Unreadable) > 0 {
			page.Cursor = paging.DeadEnd("there is no signature after which to continue")
		}
		if err == nil && o.After != "" && page.Cursor != "" {
			err = c.stopAfter(ctx, o, bound, page)
		}
		return page, err
	}
	return history[sentSignature, SignatureInfo]{
		Listing: paging.ListingOf(c.api, opSignaturesForAddress, address, "", o.PageOptions),
		fetch:   fetch, item: (*sentSignature).public, at: (*SignatureInfo).place,
	}.list(ctx)
}

// afterSign divides the position of a page in a listing with the option After: before it is the
// signature, after it the slot of After. The slot is "?" before it was requested.
const (
	afterSign  = "@"
	afterAsked = "?"
)

// stopAfter ends a listing at a page with older slots than After's.
func (c *Client) stopAfter(ctx context.Context, o SignaturesForAddressOptions, bound string, page *historyPage[sentSignature]) error {
	switch {
	// the node has probably stopped
	case bound == "" && len(page.Data) < cmp.Or(o.Limit, opSignaturesForAddress.Facts().Items):
		return nil
	case bound == "":
		bound = afterAsked
	case bound == afterAsked:
		statuses, err := c.SignatureStatuses(ctx, []types.Signature{o.After}, &SignatureStatusesOptions{WholeHistory: true})
		if err != nil {
			return err
		}
		if statuses[0] == nil {
			page.Cursor = paging.DeadEnd("no node knows After, so nothing says where to stop; list without it, or select slots with TransactionSignaturesForAddress")
			return nil
		}
		bound = strconv.FormatUint(statuses[0].Slot, 10)
	}
	page.Cursor += afterSign + bound
	slot, _ := strconv.ParseUint(bound, 10, 64)
	if i := slices.IndexFunc(page.Data, func(s sentSignature) bool { return s.Slot < slot }); i >= 0 {
		page.Data = page.Data[:i]
		page.Cursor = paging.DeadEnd(fmt.Sprintf("the node does not know After; the listing has all transactions since its slot %d, also the ones before it in that slot", slot))
	}
	return nil
}

// checkSignatures refuses items without a signature, the cursor of the next page.
func checkSignatures(list *[]sentSignature) error {
	if err := paging.CheckItems(list); err != nil {
		return err
	}
	for _, s := range *list {
		if s.Signature == "" {
			return transport.Require(false, "signature")
		}
	}
	return nil
}
