package compressed

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
)

var opTransaction = inVersions("compressed.Client.Transaction", "getTransactionWithCompressionInfoV2", "getTransactionWithCompressionInfo")

// A Transaction is a transaction with the compressed accounts that it changed. Closed
// and Opened are empty if it failed.
type Transaction struct {
	Slot      uint64          `json:"slot"`
	BlockTime types.Time      `json:"blockTime"`      // zero when unknown
	Version   tx.Version      `json:"version"`        // empty when unknown
	Meta      json.RawMessage `json:"meta,omitempty"` // as a node sends it; see ParseMeta
	Encoded   string          `json:"encoded"`        // the signed transaction; see Bytes
	Encoding  string          `json:"encoding"`       // of Encoded: base64

	Closed []TransactionAccount `json:"closedAccounts"` // spent by the transaction
	Opened []TransactionAccount `json:"openedAccounts"` // created by the transaction
}

// A TransactionAccount is a compressed account that a transaction spent or created.
type TransactionAccount struct {
	Account   Account    `json:"account"`
	TokenData *TokenData `json:"tokenData"` // nil if it is not a token account

	// Nullifier and TxHash are set for closed accounts, except from WireVersion1. 32 zero
	// bytes, "111…", mean unknown.
	Nullifier types.Hash `json:"nullifier"`
	TxHash    types.Hash `json:"txHash"`
}

// Bytes returns the signed transaction as it was sent to the chain.
func (t *Transaction) Bytes() ([]byte, error) {
	if t.Encoding != "base64" {
		return nil, errors.New("transaction: its encoding is not base64")
	}
	b, err := base64.StdEncoding.DecodeString(t.Encoded)
	if err != nil {
		return nil, fmt.Errorf("transaction: %w", err)
	}
	return b, nil
}

// ParseMeta returns the result of the execution: fees, balances and logs.
func (t *Transaction) ParseMeta() (*tx.Meta, error) {
	var meta tx.Meta
	if err := decode.JSON(t.Meta, &meta); err != nil {
		return nil, fmt.Errorf("transaction: meta: %w", err)
	}
	return &meta, nil
}

// Transaction returns a transaction with the compressed accounts that it spent and created. It
// fails with [ErrNotIndexed] if a spent account is not indexed yet. An unknown signature fails
// with an internal error of the service, after two attempts at most. It costs 10 credits.
//
// JSON-RPC method: getTransactionWithCompressionInfoV2, or
// getTransactionWithCompressionInfo.
func (c *Client) Transaction(
	ctx context.Context, signature types.Signature,
) (*Transaction, error) {
	var in *transactionInfo
	err := c.withFallback(opTransaction, func(op transport.Op) (err error) {
		in, err = transport.Result(ctx, c.api, transport.Query[transactionInfo]{
			Op: op, Invalid: argument.Signature("signature", signature),
			About: signature, MaxAttempts: 2, Null: transport.NullIsNotFound, Check: (*transactionInfo).complete,
			Params: struct {
				Signature types.Signature `json:"signature"`
			}{signature},
		})
		if err == nil && in.Transaction == nil {
			err = fmt.Errorf("%s: %w", op, types.ErrNotFound)
		}
		return err
	})
	if err != nil {
		return nil, notIndexed(err)
	}
	t := &Transaction{
		Slot: in.Transaction.Slot, BlockTime: in.Transaction.BlockTime, Version: in.Transaction.Version,
		Meta: in.Transaction.Meta, Encoded: in.Transaction.Transaction[0], Encoding: in.Transaction.Transaction[1],
	}
	for _, closed := range in.changes().Closed {
		t.Closed = append(t.Closed, closed.account())
	}
	for _, opened := range in.changes().Opened {
		t.Opened = append(t.Opened, opened.account())
	}
	return t, nil
}

// notIndexed changes ErrNotFound to ErrNotIndexed: the transaction exists, but an account that
// it spent is not indexed.
func notIndexed(err error) error {
	var e *refusalError
	if errors.As(err, &e) && e.kind == types.ErrNotFound { //nolint:errorlint // set by classify
		return &refusalError{e.err, ErrNotIndexed, " (an account that the transaction spent is not indexed)"}
	}
	return err
}

// transactionInfo is a transaction as the service sends it.
type transactionInfo struct {
	Transaction *struct {
		Slot        uint64          `json:"slot"`
		BlockTime   types.Time      `json:"blockTime"`
		Version     tx.Version      `json:"version"`
		Meta        json.RawMessage `json:"meta"`
		Transaction [2]string       `json:"transaction"` // the bytes and their encoding
	} `json:"transaction"`

	Info      *changes `json:"compressionInfo"`
	SnakeInfo *changes `json:"compression_info"` // as the service documents it
}

func (t *transactionInfo) changes() *changes { return cmp.Or(t.Info, t.SnakeInfo) }

func (t *transactionInfo) complete() error {
	info := t.changes()
	switch {
	case info == nil:
		return transport.Require(false, "compressionInfo")
	case t.Transaction == nil: // unknown
		return nil
	}
	return cmp.Or(transport.Require(info.Closed != nil, "closedAccounts"), transport.Require(info.Opened != nil, "openedAccounts"))
}

type changes struct {
	Closed []changedAccount `json:"closedAccounts"`
	Opened []changedAccount `json:"openedAccounts"`
}

// A changedAccount is an account that a transaction changed.
type changedAccount struct {
	Account struct {
		Account

		Lamports  *uint64      `json:"lamports" required:"account"`
		Closed    *sentAccount `json:"account"` // instead, of closed accounts in version 2
		Nullifier types.Hash   `json:"nullifier"`
		TxHash    types.Hash   `json:"txHash"`
	} `json:"account"`
	TokenData *TokenData `json:"optionalTokenData"`
}

func (a *changedAccount) account() TransactionAccount {
	account := a.Account.Closed.public()
	if account == nil {
		account = &a.Account.Account
		account.Lamports = *cmp.Or(a.Account.Lamports, new(uint64)) // nil where the account is null
	}
	account.setTree()
	return TransactionAccount{*account, a.TokenData, a.Account.Nullifier, a.Account.TxHash}
}
