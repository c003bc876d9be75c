package tx

import (
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/types"
)

// Keys returns all accounts of the transaction with their roles, in the order of
// [Transaction.Accounts]. If no node parsed the transaction, Writable is as the message asks,
// although the runtime makes programs read-only.
func (t *Transaction) Keys() []AccountKey {
	m := &t.Signed.Message
	if m.ParsedKeys != nil {
		return m.ParsedKeys
	}
	signers, static := m.Header.NumRequiredSignatures, len(m.AccountKeys)
	keys := make([]AccountKey, 0, static)
	for i, a := range m.AccountKeys {
		last := static - m.Header.NumReadonlyUnsignedAccounts
		if i < signers {
			last = signers - m.Header.NumReadonlySignedAccounts
		}
		keys = append(keys, AccountKey{a, i < signers, i < last, KeySourceTransaction})
	}
	for _, a := range t.Meta.LoadedAddresses.Writable {
		keys = append(keys, AccountKey{a, false, true, KeySourceLookupTable})
	}
	for _, a := range t.Meta.LoadedAddresses.Readonly {
		keys = append(keys, AccountKey{a, false, false, KeySourceLookupTable})
	}
	return keys
}

// encodedSignatures returns the signatures of a transaction that came as bytes; nil if
// the bytes are not a transaction.
func (s *Signed) encodedSignatures() []types.Signature {
	b, err := s.Bytes()
	if err != nil {
		return nil
	}
	return signaturesIn(b)
}

// SignatureOf returns the first signature in the bytes of a transaction, which identifies the
// transaction. It fails with [types.ErrInvalid] for bytes that are too short, and without the
// signature of the fee payer.
func SignatureOf(signed []byte) (types.Signature, error) {
	all := signaturesIn(signed)
	switch {
	case all == nil:
		return "", fmt.Errorf("transaction of %d bytes is not the bytes of a signed transaction: %w", len(signed), types.ErrInvalid)
	case all[0] == unsigned:
		return "", fmt.Errorf("transaction is not signed: %w", types.ErrInvalid)
	}
	return all[0], nil
}

// unsigned is 64 bytes of zeros, which stand for a missing signature.
const unsigned = "1111111111111111111111111111111111111111111111111111111111111111"

// signaturesIn returns the signatures in the bytes of a transaction; nil for other bytes.
func signaturesIn(b []byte) []types.Signature {
	const size, version1 = 64, 0x81
	if len(b) <= size {
		return nil
	}
	n, at := int(b[0]), 1
	if b[0] == version1 { // it has its signatures at the end
		n, at = int(b[1]), len(b)-size*int(b[1])
	}
	if n == 0 || at < 1 || at+size*n > len(b) {
		return nil
	}
	all := make([]types.Signature, n)
	for i := range all {
		all[i] = types.Signature(base58.Encode(b[at+size*i : at+size*(i+1)]))
	}
	return all
}

// maxBase58 limits base58 text, because the time to decode it grows with the square of its length.
// Nodes encode up to 4096 bytes, the largest transaction of version 1.
const maxBase58 = 5594

// Bytes returns the whole transaction as it was sent to the network. The transaction must have been
// requested as base64 or base58.
func (s *Signed) Bytes() ([]byte, error) { return decoded("transaction", s.Encoded, s.Encoding) }

// decoded returns the bytes of a thing that a node encoded as text.
func decoded(thing, text, encoding string) (b []byte, err error) {
	switch {
	case encoding == "base64":
		b, err = base64.StdEncoding.DecodeString(text)
	case encoding == "base58" && len(text) > maxBase58:
		err = fmt.Errorf("base58 of %d characters: %w", len(text), types.ErrTooLarge)
	case encoding == "base58":
		b, err = base58.Decode(text)
	default:
		err = errors.New("not encoded; ask for base64")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", thing, err)
	}
	return b, nil
}

// A V1Config holds the limits and the fee that a transaction of version 1 asks for. A
// member is nil where the transaction does not set it.
type V1Config struct {
	// For the whole transaction. Wire name: priorityFee.
	PriorityFeeLamports *uint64 `json:"priorityFee"`

	ComputeUnitLimit            *uint64 `json:"computeUnitLimit"`            // in compute units
	HeapSize                    *uint64 `json:"heapSize"`                    // bytes
	LoadedAccountsDataSizeLimit *uint64 `json:"loadedAccountsDataSizeLimit"` // bytes
}

// ReturnData is the last data that a program of the transaction returned.
type ReturnData struct {
	ProgramID types.Address `json:"programId"`
	Data      [2]string     `json:"data"` // the data and its encoding, base64
}

// Bytes returns the data.
func (r *ReturnData) Bytes() ([]byte, error) { return decoded("return data", r.Data[0], r.Data[1]) }
