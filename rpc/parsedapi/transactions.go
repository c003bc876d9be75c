package parsedapi

import (
	"cmp"
	"context"
	"errors"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/parsed"
)

var opTransactions = transport.Op{Method: "parsedapi.Client.Transactions", Wire: "POST /v1/parsed-events/transactions"}

// TransactionsOptions are the options of [Client.Transactions]. The zero value, like nil,
// means confirmed transactions without their raw form.
type TransactionsOptions struct {
	// Commitment is [types.CommitmentConfirmed] or [types.CommitmentFinalized]; empty
	// means types.CommitmentConfirmed.
	Commitment types.Commitment `json:"commitment,omitempty"`

	// Raw adds the transactions in this encoding, as nodes send them: EncodingJSON,
	// EncodingJSONParsed or EncodingBase64. Responses are then several times larger. Empty
	// means none. Wire name: rawTransaction.
	Raw types.Encoding `json:"-"`
}

type transactionsRequest struct {
	Signatures []types.Signature `json:"transactions"`
	TransactionsOptions
	members
}

// Transactions returns any number of transactions in the order of their signatures, with nil for
// a transaction that is unknown or below the commitment. A transaction that the service could
// not read has a ParserError in place of Parsed. A failed transaction is parsed too, and lists
// the transfers that it attempted: see [parsed.Transaction.Failed].
//
// It sends one request per 100 signatures, or per fewer where the response would be too large.
// Each costs 10 credits. If requests fail, the error is a [types.BatchError] and the other
// results are valid.
//
// REST: POST /v1/parsed-events/transactions.
func (c *Client) Transactions(
	ctx context.Context, signatures []types.Signature, opts *TransactionsOptions,
) ([]*parsed.Result, error) {
	o := argument.Options(opts)
	invalid := cmp.Or(argument.Each("signatures", signatures, argument.Signature), argument.FinalCommitment(o.Commitment), checkRaw(o.Raw))
	if err := c.api.Check(opTransactions, invalid); err != nil {
		return nil, err
	}
	m := members{Raw: o.Raw, optional: map[string]bool{"rawTransaction": o.Raw == types.EncodingJSON}}
	return paging.InParts(ctx, signatures, opTransactions.Facts().Inputs, func(part []types.Signature, into []*parsed.Result, items *transport.Items) error {
		got, err := fetch(ctx, c, transport.Request{Op: opTransactions, About: part, Items: items}, m, func(m members) any {
			return transactionsRequest{part, o, m}
		}, paging.PerInput(len(part), func(i int, r *result) error {
			if r.Signature != "" && r.Signature != part[i] {
				return errors.New("the response is of another transaction")
			}
			return r.complete()
		}))
		if err != nil {
			return err
		}
		for i, sent := range *got {
			if sent == nil {
				items.Null(opTransactions, i)
			} else if r := sent.public(); r.ParserError == nil || r.ParserError.Code != parsed.ParserErrorNotFound {
				into[i] = &r
			}
		}
		return nil
	})
}

// complete refuses a result without the members that all have.
func (r *result) complete() error {
	unread := r.Parsed == nil && r.ParserError == nil && (r.Status == parsed.StatusOK || r.Status == "")
	return cmp.Or(transport.Require(r.Signature != "", "signature"), transport.Require(!unread, "parsed or parserError"))
}

// check refuses a list with an incomplete result.
func check(list []result) error {
	err := paging.CheckItems(&list)
	for i := range list {
		err = cmp.Or(err, list[i].complete())
	}
	return err
}
