package node

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/internal/fake/wire"
	"github.com/solwire/solwire-go/internal/fake/world"
)

// sendTransaction lets a signed transaction happen.
func sendTransaction(c *wire.Call) []byte {
	var text string
	args := arguments(c, &text)
	var o struct {
		Encoding   string `json:"encoding"`
		Unchecked  bool   `json:"skipPreflight"`
		Commitment string `json:"preflightCommitment"`
		Retries    *int   `json:"maxRetries"`
		MinSlot    uint64 `json:"minContextSlot"`
	}
	c.Options(args, &o)
	data, err := base58.Decode(text)
	if o.Encoding == "base64" {
		data, err = base64.StdEncoding.DecodeString(text)
	}
	if err != nil {
		c.Invalid("invalid %s encoding", text[:min(len(text), 8)])
	}
	x, err := sent(data)
	if err != nil {
		c.Invalid("failed to deserialize solana_transaction::versioned::VersionedTransaction: %s", err)
	}
	if c.Refused != nil {
		return nil
	}
	fails := func(reason string, message string) {
		f, _ := world.FailureOf(reason)
		c.Refuse(&wire.Refusal{
			Code: -32002, Message: "Transaction simulation failed: " + message,
			Details: string(world.JSON(`{"err":?,"logs":[],"accounts":null,"unitsConsumed":0,"returnData":null}`, f.Err)),
		})
	}
	w := c.World
	switch {
	case w.Status(x.Signature) != nil:
		fails("AlreadyProcessed", "This transaction has already been processed")
	case !world.IsRecent(x.Sent.Blockhash, w.SlotOf("processed")):
		fails("BlockhashNotFound", "Blockhash not found")
	}
	for i := range x.Instructions {
		reason := transferOf(w, x, &x.Instructions[i])
		if reason == "" && w.Affords(x) != nil {
			reason = "Custom(1)"
		}
		if reason != "" {
			x.Failure, x.Transfers = fmt.Sprintf("InstructionError: [%d, %s]", i, reason), nil
			break
		}
	}
	if x.Failure != "" && !o.Unchecked {
		fails(x.Failure, fmt.Sprintf("Error processing Instruction %d: %s", x.Reason().Index, x.Reason().Log))
	}
	if w.Affords(x) != nil {
		fails("InsufficientFundsForFee", "Transaction results in an account with insufficient funds for fee")
	}
	if c.Refused == nil {
		w.Land(x)
	}
	return world.Encode(x.Signature)
}

// transferOf adds the transfer that an instruction is, if it is one. It returns why it fails.
func transferOf(w *world.World, x *world.Transaction, i *world.Instruction) (reason string) {
	signed := func(account string) bool { return slices.Contains(x.Sent.Keys[:x.Sent.Signers], account) }
	switch {
	case i.Is("transfer") && !signed(i.Accounts[0]), i.Is("transferChecked") && !signed(i.Accounts[3]):
		return "MissingRequiredSignature"
	case i.Is("transfer"):
		x.Transfers = append(x.Transfers, world.Transfer{From: i.Accounts[0], To: i.Accounts[1], Mint: world.SOL, Raw: i.Number(4)})
	case i.Is("transferChecked"):
		from, to := w.Account(i.Accounts[0]), w.Account(i.Accounts[2])
		switch {
		case from == nil || to == nil || from.Token.Mint != i.Accounts[1] || to.Token != from.Token:
			return "InvalidAccountData"
		case from.Owner != i.Accounts[3] && from.Delegate != i.Accounts[3]:
			return "Custom(4)" // OwnerMismatch
		case from.Amount < i.Number(1):
			return "Custom(1)"
		}
		x.Transfers = append(x.Transfers, world.Transfer{From: from.Owner, To: to.Owner, Mint: from.Token.Mint, Raw: i.Number(1)})
	case i.Program == world.MemoProgram:
		x.Memo = string(i.Data)
	}
	return ""
}

// sent reads a transaction as it is sent to the network, and checks its signatures.
func sent(data []byte) (*world.Transaction, error) {
	r := reader{rest: data}
	m := &world.Sent{Version: legacy, Wire: data}
	for range r.length() {
		m.Signatures = append(m.Signatures, base58.Encode(r.take(64)))
	}
	message := r.rest
	if len(message) > 0 && message[0] >= 0x80 {
		m.Version = strconv.Itoa(int(r.take(1)[0] & 0x7f))
	}
	header := r.take(3)
	m.Signers, m.ReadonlySigners, m.ReadonlyOthers = int(header[0]), int(header[1]), int(header[2])
	for range r.length() {
		m.Keys = append(m.Keys, base58.Encode(r.take(32)))
	}
	m.Blockhash = base58.Encode(r.take(32))
	x := &world.Transaction{Kind: "TRANSFER", Fee: 5000 * uint64(m.Signers), Sent: m}
	key := func(n byte) string {
		if int(n) < len(m.Keys) {
			return m.Keys[n]
		}
		r.short = true
		return ""
	}
	for range r.length() {
		i := world.Instruction{Program: key(r.take(1)[0])}
		for _, n := range r.take(r.length()) {
			i.Accounts = append(i.Accounts, key(n))
		}
		i.Data = r.take(r.length())
		x.Instructions = append(x.Instructions, i)
	}
	if m.Version != legacy && r.length() > 0 {
		return nil, errors.New("the fake has no address lookup tables")
	}
	if r.short || len(r.rest) > 0 || m.Signers < 1 || len(m.Signatures) != m.Signers || len(m.Keys) < m.Signers {
		return nil, errors.New("unexpected end, length or index")
	}
	x.Signature, x.FeePayer = m.Signatures[0], m.Keys[0]
	for i, s := range m.Signatures {
		if !ed25519.Verify([]byte(world.Key(m.Keys[i])), message, []byte(world.Key(s))) {
			return x, errForged
		}
	}
	return x, nil
}

var errForged = errors.New("signature verification failure")

// A reader reads a transaction. Beyond its end are zeros.
type reader struct {
	rest  []byte
	short bool
}

func (r *reader) take(n int) []byte {
	if n > len(r.rest) {
		r.rest, r.short = nil, true
		return make([]byte, min(n, 64))
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) length() int {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 || n > 1<<14 {
		r.rest, r.short = nil, true
		return 0
	}
	r.rest = r.rest[size:]
	return int(n)
}
