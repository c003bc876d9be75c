package rpc

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
)

var opSimulateTransaction = op("rpc.Client.SimulateTransaction", "simulateTransaction")

// SimulateOptions are the options of [Client.SimulateTransaction]. The zero value, like
// nil, means confirmed state and a transaction that need not be signed.
type SimulateOptions struct {
	// Commitment selects the state for the simulation. A state that is older than the blockhash
	// does not know it. Empty means CommitmentConfirmed.
	Commitment types.Commitment `json:"commitment"`

	// VerifySignatures makes wrong and missing signatures an error of the transaction. Wire
	// name: sigVerify.
	VerifySignatures bool `json:"sigVerify,omitempty"`

	// ReplaceBlockhash simulates with the latest blockhash: see Simulation.ReplacementBlockhash. It
	// excludes VerifySignatures. Wire name: replaceRecentBlockhash.
	ReplaceBlockhash bool `json:"replaceRecentBlockhash,omitempty"`

	// ShowInner adds the cross-program invocations. Wire name: innerInstructions.
	ShowInner bool `json:"innerInstructions,omitempty"`

	// Accounts are the accounts to return as they are after the simulation; nil means none. They
	// can be at most as many as the transaction names.
	Accounts []types.Address `json:"-"`

	// Encoding of the Accounts: EncodingJSONParsed, EncodingBase64 or EncodingBase64Zstd; empty
	// means EncodingJSONParsed. Data that the node cannot parse comes in EncodingBase64.
	Encoding types.Encoding `json:"-"`

	// MinContextSlot is the oldest acceptable slot of the node; 0 means any.
	MinContextSlot uint64 `json:"minContextSlot,omitempty"`
}

func (o *SimulateOptions) check() error {
	if o.VerifySignatures && o.ReplaceBlockhash {
		return argument.Invalid("ReplaceBlockhash", "does not go with VerifySignatures: it makes the signatures wrong")
	}
	return cmp.Or(
		argument.OneOf("Encoding", o.Encoding, "", types.EncodingJSONParsed, types.EncodingBase64, types.EncodingBase64Zstd),
		argument.Fields(o),
	)
}

// A simulateConfig is the wire form of SimulateOptions.
type simulateConfig struct {
	Encoding types.Encoding `json:"encoding"` // without it, nodes expect base58
	SimulateOptions
	Accounts *simulatedAccounts `json:"accounts,omitempty"`
}

type simulatedAccounts struct {
	Encoding  types.Encoding  `json:"encoding"`
	Addresses []types.Address `json:"addresses"`
}

// A Simulation is the result of executing a transaction without sending it.
type Simulation struct {
	// TransactionError is the error as sent, an object or a text; nil when the transaction
	// succeeded. Wire name: err.
	TransactionError json.RawMessage `json:"err"`

	Logs []string `json:"logs"` // nodes end them after about 10 000 bytes with "Log truncated"

	// UnitsConsumed are compute units. Set the limit of the transaction a little higher.
	UnitsConsumed uint64 `json:"unitsConsumed"`

	LoadedAccountsDataSize uint64 `json:"loadedAccountsDataSize"` // bytes; 0 when unknown

	// FeeLamports is nil when unknown, and where none would be charged, such as for an unknown
	// blockhash. Wire name: fee.
	FeeLamports *uint64 `json:"fee"`

	// Accounts are in the order of the option Accounts, with nil for accounts that do not exist.
	// All are nil if the transaction failed; nil without the option.
	Accounts []*Account `json:"accounts"`

	// InnerInstructions are the cross-program invocations, as nodes parse them; nil without
	// ShowInner.
	InnerInstructions []tx.InnerInstructions `json:"innerInstructions"`

	ReturnData *tx.ReturnData `json:"returnData"` // nil without any

	// PreBalances and PostBalances are the lamports of each account before and after; nil when
	// unknown. The static account keys come first, then LoadedAddresses. After a failure, they
	// differ by the fee only.
	PreBalances  []uint64 `json:"preBalances"`
	PostBalances []uint64 `json:"postBalances"`

	// PreTokenBalances and PostTokenBalances are the balances of token accounts before and
	// after; nil when unknown.
	PreTokenBalances  []tx.TokenBalance `json:"preTokenBalances"`
	PostTokenBalances []tx.TokenBalance `json:"postTokenBalances"`

	LoadedAddresses tx.LoadedAddresses `json:"loadedAddresses"` // from lookup tables

	ReplacementBlockhash *Blockhash `json:"replacementBlockhash"` // nil without ReplaceBlockhash

	Slot uint64 `json:"slot,omitempty"` // of the state that was used; 0 in a PreflightError
}

// UnmarshalJSON makes TransactionError nil when it is null.
func (s *Simulation) UnmarshalJSON(b []byte) error {
	type plain Simulation // without this method
	err := decode.Value(b, (*plain)(s))
	s.TransactionError = decode.Present(s.TransactionError)
	return err
}

// SimulateTransaction executes a transaction, in its wire format, without sending it. It
// costs 1 credit. A transaction that fails is a result with a TransactionError, not an
// error.
//
// JSON-RPC method: simulateTransaction.
func (c *Client) SimulateTransaction(ctx context.Context, transaction []byte, opts *SimulateOptions) (*Simulation, error) {
	o := argument.Options(opts)
	invalid := o.check()
	if len(transaction) == 0 {
		invalid = argument.Invalid("transaction", "is empty")
	}
	o.Commitment = cmp.Or(o.Commitment, types.CommitmentConfirmed)
	config := simulateConfig{Encoding: types.EncodingBase64, SimulateOptions: o}
	if len(o.Accounts) > 0 {
		config.Accounts = &simulatedAccounts{cmp.Or(o.Encoding, types.EncodingJSONParsed), o.Accounts}
	}
	got, slot, err := transport.Value(ctx, c.api, transport.Query[Simulation]{
		Op: opSimulateTransaction, Invalid: invalid, Params: []any{transaction, config},
		Check: func(s *Simulation) error {
			return transport.Require(s.Logs != nil || s.UnitsConsumed > 0 || s.TransactionError != nil, "logs")
		},
	})
	if err != nil {
		return nil, err
	}
	got.Slot = slot
	return got, nil
}
