package webhooks

import (
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// Operations that read past transactions.
var (
	opEvents      = transport.Op{Method: "webhooks.Client.Events", Wire: "POST /v0/transactions"}
	opRawEvents   = transport.Op{Method: "webhooks.Client.Events", Wire: "getTransaction"}
	opSignatures  = transport.Op{Method: "webhooks.Client.Signatures", Wire: "getSignaturesForAddress"}
	opTokenLists  = transport.Op{Method: "webhooks.Client.Signatures", Wire: "getTransactionsForAddress"}
	opGenesisHash = transport.Op{Method: "webhooks.Client.Signatures", Wire: "getGenesisHash"}
)

// Events returns confirmed transactions by their signatures, as a webhook of type t delivers
// them, such as after a lost delivery. Event i belongs to signatures[i], and is nil if the
// service does not return it. An event that cannot be decoded has its Err set.
//
// Events of an enhanced type cost 100 credits per request for up to 100 signatures. Events of a
// raw type cost 1 credit each. If requests fail, the error is a [types.BatchError] and the other
// events are valid.
//
// REST: POST /v0/transactions. JSON-RPC method: getTransaction.
func (c *Client) Events(ctx context.Context, t Type, signatures []types.Signature) ([]*Event, error) {
	invalid := argument.Each("signatures", signatures, argument.Signature)
	if err := c.api.Check(opEvents, checkContext(ctx), c.checkType(t), invalid); err != nil {
		return nil, err
	}
	if t.raw() {
		return paging.InParts(ctx, signatures, 1, func(part []types.Signature, into []*Event, _ *transport.Items) error {
			return c.rawEvent(ctx, part[0], &into[0])
		})
	}
	return paging.InParts(ctx, signatures, opEvents.Facts().Inputs, func(part []types.Signature, into []*Event, _ *transport.Items) error {
		return c.enhancedEvents(ctx, part, into)
	})
}

func (c *Client) enhancedEvents(ctx context.Context, signatures []types.Signature, into []*Event) error {
	in := struct {
		Transactions []types.Signature `json:"transactions"`
	}{signatures}
	list, err := transport.Fetch[[]json.RawMessage](ctx, c.api, transport.Request{
		Op: opEvents, About: signatures, Query: url.Values{"commitment": {string(types.CommitmentConfirmed)}}, Body: in,
	}, nil)
	if err != nil {
		return err
	}
	for _, raw := range *list { // in any order
		e := parseEvent(raw)
		for i, s := range signatures {
			if s == e.Signature {
				into[i] = e
			}
		}
	}
	return nil
}

func (c *Client) rawEvent(ctx context.Context, signature types.Signature, into **Event) error {
	config := struct {
		Encoding   types.Encoding   `json:"encoding"`
		Commitment types.Commitment `json:"commitment"`
		MaxVersion int              `json:"maxSupportedTransactionVersion"`
	}{types.EncodingJSON, types.CommitmentConfirmed, 1}
	raw, err := transport.Result(ctx, c.node, transport.Query[json.RawMessage]{Op: opRawEvents, Params: []any{signature, config}, Null: transport.NullIsAnswer})
	if err != nil || raw == nil {
		return err
	}
	*into = parseEvent(*raw)
	(*into).Signature = signature
	return nil
}

// A Listing selects the transactions that [Client.Signatures] lists.
type Listing struct {
	Address types.Address

	// SinceSlot and Since are the first slot and the first block time; zero means no bound.
	SinceSlot uint64
	Since     time.Time

	// TokenAccounts adds transactions that name only a token account of the address, such as
	// incoming token transfers. Empty means none. With it, a page costs 10 credits instead of 1,
	// and the plan has to include getTransactionsForAddress.
	TokenAccounts types.TokenAccountHistory
}

// A Listed is a transaction in a listing. If the item cannot be decoded, only Signature is set.
// Without a valid signature, all fields are zero.
type Listed struct {
	Signature        types.Signature `json:"signature"` // empty if the transaction cannot be requested
	Slot             uint64          `json:"slot"`      // 0 when unknown
	BlockTime        types.Time      `json:"blockTime"` // zero when unknown
	TransactionError json.RawMessage `json:"err"`       // why it failed; empty or null for success
}

// Failed reports whether the transaction failed.
func (l *Listed) Failed() bool {
	return len(l.TransactionError) > 0 && string(l.TransactionError) != "null"
}

// Signatures lists the finalized transactions of an address, the newest first, and calls page
// with up to 1000 of them at a time. A page costs 1 credit, or 10 with TokenAccounts. The first
// call of a Client costs 1 more: it checks the network of the node.
//
// An error of page ends the listing and is returned. If the node is of another network than the
// Client, the error matches [types.ErrInvalid].
//
// JSON-RPC methods: getSignaturesForAddress, getTransactionsForAddress.
func (c *Client) Signatures(ctx context.Context, l Listing, page func([]Listed) error) error {
	err := c.api.Check(opSignatures, checkContext(ctx), c.nodeErr, argument.Address("Address", l.Address))
	if err == nil {
		err = c.checkNode(ctx)
	}
	if err != nil {
		return err
	}
	listing := paging.ListingOf(c.node, opSignatures, l.Address, "", types.PageOptions{})
	list := paging.List(ctx, listing, func(ctx context.Context, w *paging.Walk) (*types.Page[Listed], error) {
		return c.listed(ctx, l, w)
	})
	for p, err := range list.Pages() {
		if err != nil {
			return err
		}
		selected := slices.DeleteFunc(slices.Clone(p.Items), func(x Listed) bool {
			return x.Slot > 0 && x.Slot < l.SinceSlot || !x.BlockTime.IsZero() && x.BlockTime.Before(l.Since)
		})
		if len(selected) > 0 {
			if err := page(selected); err != nil {
				return err
			}
		}
		if len(selected) < len(p.Items) || len(p.Items) == 0 { // a short page need not be the last one
			return nil
		}
	}
	return nil
}

// listed requests a page of a listing, from new to old.
func (c *Client) listed(ctx context.Context, l Listing, w *paging.Walk) (*types.Page[Listed], error) {
	var config struct {
		Details    string           `json:"transactionDetails,omitempty"`
		Commitment types.Commitment `json:"commitment"`
		Limit      int              `json:"limit"`
		Before     string           `json:"before,omitempty"`
		Cursor     string           `json:"paginationToken,omitempty"`
		Filters    struct {
			Slots         argument.Slots            `json:"slot,omitzero"`
			TokenAccounts types.TokenAccountHistory `json:"tokenAccounts"`
		} `json:"filters,omitzero"`
	}
	config.Commitment, config.Limit = types.CommitmentFinalized, opSignatures.Facts().Items
	page, items := new(types.Page[Listed]), &transport.Items{} // an unreadable item ends no listing
	if l.TokenAccounts == "" || l.TokenAccounts == types.TokenAccountHistoryNone {
		config.Before = w.At
		got, err := transport.Result(ctx, c.node, transport.Query[[]Listed]{Op: opSignatures, Params: []any{l.Address, config}, Items: items})
		if err != nil {
			return nil, err
		}
		page.Items = *got
		for _, x := range *got {
			page.Cursor = cmp.Or(string(x.valid()), page.Cursor) // a null has none
		}
		page.Cursor = items.Last(len(*got), page.Cursor)
	} else {
		config.Details, config.Cursor = "signatures", w.At
		config.Filters.Slots.Since, config.Filters.TokenAccounts = l.SinceSlot, l.TokenAccounts
		type result struct {
			Data   []Listed `json:"data"`
			Cursor string   `json:"paginationToken"`
		}
		got, err := transport.Result(ctx, c.node, transport.Query[result]{
			Op: opTokenLists, Params: []any{l.Address, config}, Items: items,
			Check: func(r *result) error { return transport.Require(r.Data != nil, "data") },
		})
		if err != nil {
			return nil, err
		}
		page.Items, page.Cursor = got.Data, got.Cursor
	}
	for _, e := range items.Unreadable {
		page.Items = append(page.Items, Listed{Signature: types.Signature(e.ID)})
	}
	for i := range page.Items {
		if x := &page.Items[i]; x.valid() == "" {
			*x = Listed{}
		}
	}
	return page, w.InOrder(len(page.Items), func(i int) paging.Place { return paging.Place{Slot: page.Items[i].Slot} }, false, true)
}

// valid returns the signature if it is valid, or else none.
func (l *Listed) valid() types.Signature {
	if argument.Signature("signature", l.Signature) != nil {
		return ""
	}
	return l.Signature
}

// checkNode refuses a node of another network, once.
func (c *Client) checkNode(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.checked {
		return nil
	}
	hash, err := transport.Result(ctx, c.node, transport.Query[types.Hash]{Op: opGenesisHash, Check: func(h *types.Hash) error {
		return transport.Require(*h != "", "hash")
	}})
	if err != nil {
		return err
	}
	if *hash != map[types.Network]types.Hash{types.NetworkMainnet: types.MainnetGenesisHash, types.NetworkDevnet: types.DevnetGenesisHash}[c.network] {
		return c.api.Check(opSignatures, argument.Invalid("Config.RPCURL", "is not a node of "+string(c.network)))
	}
	c.checked = true
	return nil
}

// Check returns the first reason why a Keeper or a Backfill cannot use the settings, without
// sending anything. It refuses settings that Create or Replace refuse, types other than enhanced
// and raw, and types of another network. Its errors match [types.ErrInvalid].
func (c *Client) Check(s Settings) error {
	return c.api.Check(opCheck, c.checkType(s.Type), s.check(Settings{}), s.checkReplace())
}

// checkType refuses a type without events, or of another network.
func (c *Client) checkType(t Type) error {
	name := "Type " + argument.Quote(string(t))
	switch {
	case !t.raw() && t != TypeEnhanced && t != TypeEnhancedDevnet:
		return argument.Invalid(name, "has no events; it is not enhanced or raw")
	case strings.HasSuffix(string(t), "Devnet") != (c.network == types.NetworkDevnet):
		return argument.Invalid(name, "does not fit the Config, whose Network is "+string(c.network))
	}
	return c.nodeErr
}

func (t Type) raw() bool { return t == TypeRaw || t == TypeRawDevnet }
