package enhancedapi

import (
	"context"
	"net/url"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/enhanced"
)

var opTransactions = transport.Op{Method: "enhancedapi.Client.Transactions", Wire: "POST /v0/transactions"}

// TransactionsOptions are the options of [Client.Transactions]. The zero value, like nil, selects
// finalized transactions.
type TransactionsOptions struct {
	Commitment types.Commitment // empty means CommitmentFinalized; not CommitmentProcessed
}

// Transactions returns transactions as enhanced webhooks deliver them, and also failed
// transactions. Result i belongs to signatures[i], and is nil if the service does not return it.
//
// It sends requests for 100 different signatures, one after the other. Each request costs 100
// credits. If requests fail, the error is a [types.BatchError] and the other results are valid.
//
// REST: POST /v0/transactions.
func (c *Client) Transactions(ctx context.Context, signatures []types.Signature, opts *TransactionsOptions) ([]*enhanced.Transaction, error) {
	o := argument.Options(opts)
	if err := c.api.Check(opTransactions, argument.Each("signatures", signatures, argument.Signature), argument.FinalCommitment(o.Commitment)); err != nil {
		return nil, err
	}
	query := url.Values{}
	if o.Commitment != "" {
		query.Set("commitment", string(o.Commitment))
	}
	return paging.InDistinctParts(ctx, signatures, opTransactions.Facts().Inputs, func(part []types.Signature, found map[types.Signature]*enhanced.Transaction, items *transport.Items) error {
		in := struct {
			Transactions []types.Signature `json:"transactions"`
		}{part}
		list, err := transport.Fetch[[]*enhanced.Transaction](ctx, c.api, transport.Request{Op: opTransactions, About: part, Query: query, Body: in, Items: items}, nil)
		if err != nil {
			return err
		}
		for _, t := range *list { // the service does not document where it leaves out unknown ones
			if t != nil {
				found[t.Signature] = t
			}
		}
		return nil
	})
}
