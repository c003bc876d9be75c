package parsedapi

import (
	"cmp"
	"context"
	"fmt"

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

// Transactions returns any number of transactions in the order of their signatures, with
// nil for a transaction that is unknown, or not yet confirmed or finalized. A transaction
// that the service could not read has a ParserError in place of Parsed. A failed
// transaction is parsed too, and lists the transfers that it attempted: see
// [parsed.Transaction.Failed].
//
// It sends one request per 100 signatures, or per fewer where the response would be too
// large, each of which costs 10 credits. If requests fail, the error is a
// [types.BatchError] and the other results are valid.
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
	return transport.InParts(ctx, signatures, opTransactions.Facts().Inputs, func(part []types.Signature, into []*parsed.Result) error {
		got, err := fetch(ctx, c, transport.Request{Op: opTransactions, About: part}, m, func(m members) any {
			return transactionsRequest{part, o, m}
		}, func(list *[]result) error { return checkBatch(*list, part) })
		if err != nil {
			return err
		}
		for i := range *got {
			if r := (*got)[i].public(); r.ParserError == nil || r.ParserError.Code != parsed.ParserErrorNotFound {
				into[i] = &r
			}
		}
		return nil
	})
}

// checkBatch refuses a response whose results do not belong to the signatures, in their
// order.
func checkBatch(list []result, signatures []types.Signature) error {
	if err := cmp.Or(transport.OnePer(len(signatures), len(list)), check(list)); err != nil {
		return err
	}
	for i := range list {
		if list[i].Signature != signatures[i] {
			return fmt.Errorf("result %d of the response is of another transaction", i)
		}
	}
	return nil
}

// check refuses results without what all of them have.
func check(list []result) error {
	if err := paging.CheckItems(&list); err != nil {
		return err
	}
	for i := range list {
		switch r := &list[i]; {
		case r.Signature == "":
			return fmt.Errorf("item %d of the response has no signature", i)
		case r.Parsed == nil && r.ParserError == nil && (r.Status == parsed.StatusOK || r.Status == ""):
			return fmt.Errorf("item %d of the response has neither parsed nor parserError", i)
		}
	}
	return nil
}
