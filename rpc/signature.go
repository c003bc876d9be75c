package rpc

import (
	"cmp"
	"context"
	"encoding/json"
	"iter"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

const (
	opSignatureStatuses    transport.Op = "rpc.Client.SignatureStatuses getSignatureStatuses"
	opSignaturesForAddress transport.Op = "rpc.Client.SignaturesForAddress getSignaturesForAddress"
)

// maxStatuses is the most signatures that nodes accept in one request.
const maxStatuses = 256

// A SignatureStatus is the confirmation status of a transaction.
type SignatureStatus struct {
	Slot uint64 `json:"slot"`

	// Confirmations is the number of blocks since then; nil when finalized.
	Confirmations *uint64 `json:"confirmations"`

	// Err is the error as sent, an object or a string; nil when the transaction succeeded.
	Err json.RawMessage `json:"err"`

	ConfirmationStatus Commitment `json:"confirmationStatus"` // empty when unknown
}

// SignatureStatusesOptions are the options of [Client.SignatureStatuses]. The zero
// value, like nil, means recent transactions only.
type SignatureStatusesOptions struct {
	// SearchHistory also finds transactions that are older than about 150 blocks.
	// Wire name: searchTransactionHistory.
	SearchHistory bool `json:"searchTransactionHistory"`
}

// SignatureStatuses returns the statuses of any number of transactions in the order
// of their signatures, with nil for those that the node does not know. It sends one
// request per 256 signatures, one after the other, each of which costs 1 credit. If
// requests fail, the error is a [types.BatchError] and the other results are valid.
//
// JSON-RPC method: getSignatureStatuses.
func (c *Client) SignatureStatuses(
	ctx context.Context, signatures []types.Signature, opts *SignatureStatusesOptions,
) ([]*SignatureStatus, error) {
	var config SignatureStatusesOptions
	if opts != nil {
		config = *opts
	}
	if err := c.api.Check(opSignatureStatuses, argument.Each("signatures", signatures, argument.Signature)); err != nil {
		return nil, err
	}
	all := make([]*SignatureStatus, len(signatures))
	err := transport.InParts(ctx, len(signatures), maxStatuses, func(start, end int) error {
		part := signatures[start:end]
		got, _, err := transport.Value(ctx, c.api, transport.Query[[]*SignatureStatus]{
			Op: opSignatureStatuses, Params: params(config, part),
			Check: func(list *[]*SignatureStatus) error { return transport.OnePer(len(part), len(*list)) },
		})
		if err != nil {
			return err
		}
		for i, s := range *got {
			if s != nil && string(s.Err) == "null" {
				s.Err = nil
			}
			all[start+i] = s
		}
		return nil
	})
	return all, err
}

// SignaturesForAddressOptions select and page the transactions of an address. The zero
// value, like nil, starts at the newest one.
type SignaturesForAddressOptions struct {
	// Commitment is the state to read; empty means CommitmentFinalized.
	// CommitmentProcessed is invalid.
	Commitment Commitment `json:"commitment,omitempty"`

	// MinContextSlot is the oldest acceptable slot of the node; 0 means any.
	MinContextSlot uint64 `json:"minContextSlot,omitempty"`

	// Limit is the number of items per page, up to 1000. 0 means 1000.
	Limit int `json:"limit,omitempty"`

	// Cursor is that of the last handled page, to go on after it: a signature, and
	// only older transactions are listed. Wire name: before.
	Cursor string `json:"before,omitempty"`

	// Until ends the listing before this transaction; empty means the oldest one.
	Until types.Signature `json:"until,omitempty"`

	// Prefetch requests the next page while the loop handles the current one.
	Prefetch bool `json:"-"`
}

// SignaturesForAddress returns one page of the transactions that name an address, the
// newest first; an empty page ends the listing. It costs 1 credit. For transactions
// that name only the token accounts of a wallet, use
// [Client.TransactionSignaturesForAddress].
//
// JSON-RPC method: getSignaturesForAddress.
func (c *Client) SignaturesForAddress(
	ctx context.Context, address types.Address, opts *SignaturesForAddressOptions,
) (*types.Page[SignatureInfo], error) {
	var config SignaturesForAddressOptions
	if opts != nil {
		config = *opts
	}
	got, err := transport.Result(ctx, c.api, transport.Query[[]SignatureInfo]{
		Op: opSignaturesForAddress, Invalid: cmp.Or(argument.Address("address", address), config.check()),
		Params: params(config, address), Check: func(list *[]SignatureInfo) error {
			n := len(*list)
			return cmp.Or(checkSignatures(*list), transport.Require(n == 0 || (*list)[n-1].Signature != "", "signature in the last item"))
		},
	})
	if err != nil {
		return nil, err
	}
	withoutNull(*got)
	page := &types.Page[SignatureInfo]{Items: *got}
	if n := len(page.Items); n > 0 {
		page.Cursor, page.HasMore = string(page.Items[n-1].Signature), true
	}
	return page, nil
}

func checkSignatures(list []SignatureInfo) error {
	return paging.CheckItems(list, func(s *SignatureInfo) bool { return s.Signature != "" })
}

func (o *SignaturesForAddressOptions) check() error {
	var before, until error
	if o.Cursor != "" {
		before = argument.Signature("Cursor", types.Signature(o.Cursor))
	}
	if o.Until != "" {
		until = argument.Signature("Until", o.Until)
	}
	return cmp.Or(o.Commitment.checkFinal(), argument.NotNegative("Limit", o.Limit), before, until)
}

// SignaturesForAddressPages iterates over the pages of [Client.SignaturesForAddress],
// at 1 credit each. To resume, set Cursor to that of the last handled page. A repeated
// page, or one out of order, ends the listing with [types.ErrIncomplete].
func (c *Client) SignaturesForAddressPages(
	ctx context.Context, address types.Address, opts *SignaturesForAddressOptions,
) iter.Seq2[*types.Page[SignatureInfo], error] {
	var o SignaturesForAddressOptions
	if opts != nil {
		o = *opts
	}
	fetch := func(ctx context.Context, cursor string) (*types.Page[SignatureInfo], error) {
		o := o
		o.Cursor = cursor
		return c.SignaturesForAddress(ctx, address, &o)
	}
	place := func(s *SignatureInfo) (slot, index uint64) { return s.Slot, s.IndexWithinBlock }
	return ordered(ctx, listingOf{opSignaturesForAddress, o.Cursor, o.Prefetch, false, false}, fetch, place)
}

// AllSignaturesForAddress iterates over the transactions of all pages of
// [Client.SignaturesForAddressPages], at 1 credit per page. It ends with the same
// errors. Transactions that are newer than the first request are not listed.
func (c *Client) AllSignaturesForAddress(
	ctx context.Context, address types.Address, opts *SignaturesForAddressOptions,
) iter.Seq2[SignatureInfo, error] {
	return paging.ListItems(c.SignaturesForAddressPages(ctx, address, opts))
}
