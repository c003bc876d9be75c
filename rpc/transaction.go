package rpc

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/internal/wait"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
)

var (
	opTransaction  = op("rpc.Client.Transaction", "getTransaction")
	opTransactions = op("rpc.Client.Transactions", "getTransaction")
)

// TransactionOptions are the options of [Client.Transaction] and
// [Client.Transactions]. The zero value, like nil, means finalized transactions of all
// versions up to 1, with instructions that are not parsed.
type TransactionOptions struct {
	Commitment types.Commitment // empty means CommitmentFinalized; not CommitmentProcessed

	// Encoding is EncodingJSON, EncodingJSONParsed, EncodingBase64 or EncodingBase58;
	// empty means EncodingJSON.
	Encoding types.Encoding

	// MaxVersion is the latest version to accept: "legacy", "0" or a later number. Empty means "1",
	// or "0" with EncodingBase58, in which nodes send no later version. A later transaction fails
	// with code -32015.
	MaxVersion tx.Version

	// Wait is how long Transaction waits for a transaction that the node lacks: some nodes have it
	// only seconds after its confirmation. It requests again after half a second, then less often,
	// for 1 credit each. 0 means not to wait. Transactions refuses it.
	Wait time.Duration

	// MinContextSlot is the oldest acceptable slot of the node; 0 means any. Nodes before
	// version 4.4 ignore it.
	MinContextSlot uint64
}

// transactionConfig is the wire form of TransactionOptions.
type transactionConfig struct {
	Commitment types.Commitment `json:"commitment,omitempty"`
	Encoding   types.Encoding   `json:"encoding"`
	MaxVersion *uint8           `json:"maxSupportedTransactionVersion,omitempty"`
	MinSlot    uint64           `json:"minContextSlot,omitempty"`
}

func (o TransactionOptions) config() (transactionConfig, error) {
	encoding := cmp.Or(o.Encoding, types.EncodingJSON)
	maximum, err := maxVersion(o.MaxVersion, encoding)
	return transactionConfig{o.Commitment, encoding, maximum, o.MinContextSlot}, cmp.Or(
		argument.OneOf("Encoding", encoding, types.EncodingJSON, types.EncodingJSONParsed, types.EncodingBase64, types.EncodingBase58),
		err, argument.FinalCommitment(o.Commitment),
	)
}

// maxVersion returns the number of a version, nil for legacy. Since version 4.3, nodes refuse
// base58 together with version 1 or later.
func maxVersion(v tx.Version, e types.Encoding) (*uint8, error) {
	latest := tx.Version("1")
	if e == types.EncodingBase58 {
		latest = "0"
	}
	if v == "legacy" {
		return nil, nil //nolint:nilnil // which is sent as no version
	}
	n, err := strconv.ParseUint(string(cmp.Or(v, latest)), 10, 8)
	switch {
	case err != nil:
		return nil, argument.Invalid("MaxVersion "+argument.Quote(string(v)), "is not legacy or a number from 0 to 255")
	case n > 0 && e == types.EncodingBase58:
		return nil, argument.Invalid("MaxVersion "+argument.Quote(string(v)), "does not go with base58, in which nodes send no such transactions; use EncodingBase64")
	}
	number := uint8(n)
	return &number, nil
}

// A transaction is a transaction with the wire names of nodes. Its meta has no
// UnmarshalJSON, so that the largest part is read once.
type transaction struct {
	BlockTime types.Time `json:"blockTime"`
	Index     uint64     `json:"transactionIndex"`
	Slot      uint64     `json:"slot"`
	Signed    tx.Signed  `json:"transaction"`
	Meta      meta       `json:"meta"`
	Version   tx.Version `json:"version"`
}

type meta tx.Meta

func (t *transaction) complete() error {
	s := &t.Signed
	return transport.Require(s.Signatures != nil || s.Encoded != "" || s.Message.AccountKeys != nil, "transaction")
}

func (t *transaction) public() *tx.Transaction {
	if t == nil {
		return nil
	}
	t.Meta.TransactionError = decode.Present(t.Meta.TransactionError)
	return &tx.Transaction{
		Signature: t.signature(), BlockTime: t.BlockTime, IndexWithinBlock: t.Index, Slot: t.Slot,
		Signed: t.Signed, Meta: tx.Meta(t.Meta), Version: t.Version,
	}
}

// signature returns the signature that identifies the transaction; empty when unknown.
func (t *transaction) signature() types.Signature {
	if len(t.Signed.Signatures) == 0 {
		return ""
	}
	return t.Signed.Signatures[0]
}

// Transaction returns a transaction. It costs 1 credit. An unknown transaction fails with
// [types.ErrNotFound], and by default so does a transaction before it is finalized. With the option
// Wait, it fails only after that time.
//
// JSON-RPC method: getTransaction.
func (c *Client) Transaction(
	ctx context.Context, signature types.Signature, opts *TransactionOptions,
) (*tx.Transaction, error) {
	o := argument.Options(opts)
	config, err := o.config()
	q := transactionQuery(opTransaction, signature, config, transport.NullIsNotFound)
	q.Invalid = cmp.Or(argument.Signature("signature", signature), err)
	got, err := transport.Result(ctx, c.api, q)
	for began, n := time.Now(), 1; errors.Is(err, types.ErrNotFound) && time.Since(began) < o.Wait; n++ {
		if wait.For(ctx, min(wait.Backoff(n, 500*time.Millisecond, 5*time.Second), o.Wait-time.Since(began))) != nil {
			break
		}
		got, err = transport.Result(ctx, c.api, q)
	}
	if err != nil {
		return nil, err
	}
	return got.public(), nil
}

func transactionQuery(op transport.Op, s types.Signature, config transactionConfig, null transport.Null) transport.Query[transaction] {
	return transport.Query[transaction]{Op: op, Params: []any{s, config}, Null: null, Check: (*transaction).complete}
}

// Transactions returns any number of transactions in the order of their signatures,
// with nil for unknown ones. It sends one request per 100 signatures, or
// per fewer where the response would be too large, and costs 1 credit per signature. If
// some fail, the error is a [types.BatchError] and the other results are valid.
//
// JSON-RPC method: getTransaction.
func (c *Client) Transactions(
	ctx context.Context, signatures []types.Signature, opts *TransactionOptions,
) ([]*tx.Transaction, error) {
	o := argument.Options(opts)
	config, err := o.config()
	if o.Wait != 0 {
		err = cmp.Or(err, argument.Invalid("Wait", "is an option of Client.Transaction"))
	}
	if err := c.api.Check(opTransactions, argument.Each("signatures", signatures, argument.Signature), err); err != nil {
		return nil, err
	}
	all, errs := make([]*tx.Transaction, len(signatures)), make([]error, len(signatures))
	pending := make([]int, len(signatures))
	for i := range pending {
		pending[i] = i
	}
	for limit := opTransactions.Facts().Batch; len(pending) > 0; limit /= 2 {
		limit = min(limit, len(pending))
		queries := make([]transport.Query[transaction], len(pending))
		for k, i := range pending {
			queries[k] = transactionQuery(opTransactions, signatures[i], config, transport.NullIsAnswer)
		}
		var tooLarge []int
		for k, outcome := range transport.Batch(ctx, c.api, opTransactions, queries, limit) {
			i := pending[k]
			all[i], errs[i] = outcome.Value.public(), outcome.Err
			if limit > 1 && errors.Is(outcome.Err, types.ErrTooLarge) {
				tooLarge = append(tooLarge, i)
			}
		}
		pending = tooLarge
	}
	if slices.ContainsFunc(errs, func(err error) bool { return err != nil }) {
		return all, &types.BatchError{Errs: errs}
	}
	return all, nil
}

// A SignatureInfo is a transaction without its contents.
type SignatureInfo struct {
	Signature types.Signature `json:"signature"`
	Slot      uint64          `json:"slot"`

	// IndexWithinBlock is the position in execution order; 0 also when unknown. Wire name:
	// transactionIndex.
	IndexWithinBlock uint64 `json:"transactionIndex"`

	BlockTime types.Time `json:"blockTime"` // zero when unknown

	// TransactionError is the error as sent, an object or a string; nil for success.
	TransactionError json.RawMessage `json:"err"`

	// Memo has the memos with their lengths, such as "[3] one; [5] other"; empty without a
	// memo.
	Memo string `json:"memo"`

	ConfirmationStatus types.Commitment `json:"confirmationStatus"` // empty when unknown
}

func (s *SignatureInfo) place() paging.Place {
	return paging.Place{Slot: s.Slot, Index: s.IndexWithinBlock}
}

// UnmarshalJSON makes TransactionError nil when it is null.
func (s *SignatureInfo) UnmarshalJSON(b []byte) error {
	var in sentSignature
	err := decode.Value(b, &in)
	*s = in.public()
	return err
}

// A sentSignature is a SignatureInfo without UnmarshalJSON, so that a list is decoded in
// one pass.
type sentSignature SignatureInfo

func (s *sentSignature) public() SignatureInfo {
	s.TransactionError = decode.Present(s.TransactionError)
	return SignatureInfo(*s)
}
