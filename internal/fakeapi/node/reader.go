package node

import (
	"crypto/ed25519"
	"encoding/binary"
	"errors"
	"slices"
	"strconv"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/internal/fakeapi/world"
)

// version1 is the first byte of transactions of version 1.
const version1 = 0x81

// sent reads a transaction as it is sent to the network, and checks its signatures.
func sent(data []byte) (*world.Transaction, error) {
	r := reader{rest: data}
	var signatures []string
	if len(data) > 1 && data[0] == version1 { // which ends with its signatures
		r.take(max(0, len(data)-64*int(data[1])))
		for range data[1] {
			signatures = append(signatures, base58.Encode(r.take(64)))
		}
		r.rest = data[:max(0, len(data)-64*len(signatures))]
	} else {
		for range r.length() {
			signatures = append(signatures, base58.Encode(r.take(64)))
		}
	}
	signed := r.rest
	x, err := r.message()
	if err != nil {
		return nil, err
	}
	m := x.Sent
	m.Signatures, m.Wire = signatures, data
	if len(signatures) == 0 {
		return x, nil
	}
	x.Signature = signatures[0]
	for i, s := range signatures {
		if i >= m.Signers || !ed25519.Verify([]byte(world.Key(m.Keys[i])), signed, []byte(world.Key(s))) {
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

// message reads the message of a transaction.
func (r *reader) message() (*world.Transaction, error) {
	m := &world.Sent{Version: legacy}
	if len(r.rest) > 0 && r.rest[0] >= 0x80 {
		m.Version = strconv.Itoa(int(r.take(1)[0] & 0x7f))
	}
	header := r.take(3)
	m.Signers, m.ReadonlySigners, m.ReadonlyOthers = int(header[0]), int(header[1]), int(header[2])
	x := &world.Transaction{Kind: "TRANSFER", Sent: m}
	if m.Version == "1" {
		r.version1(x)
	} else {
		r.body(x)
	}
	if m.Version == "0" && r.length() > 0 {
		return nil, errors.New("the fake has no address lookup tables")
	}
	if r.short || len(r.rest) > 0 || m.Signers < 1 || len(m.Keys) < m.Signers {
		return nil, errors.New("unexpected end, length or index")
	}
	x.FeePayer = m.Keys[0]
	return x, nil
}

// body reads a message before version 1 after its header.
func (r *reader) body(x *world.Transaction) {
	r.keys(x.Sent, r.length())
	x.Sent.Blockhash = base58.Encode(r.take(32))
	for range r.length() {
		i := world.Instruction{Program: r.key(x.Sent, r.take(1)[0])}
		r.accounts(x.Sent, &i, r.length())
		i.Data = r.take(r.length())
		x.Instructions = append(x.Instructions, i)
	}
}

// version1 reads a message of version 1 after its header.
func (r *reader) version1(x *world.Transaction) {
	m, order := x.Sent, binary.LittleEndian
	mask := order.Uint32(r.take(4))
	m.Blockhash = base58.Encode(r.take(32))
	counts := r.take(2) // of instructions and keys
	r.keys(m, int(counts[1]))
	var values [4]any
	if mask&3 == 3 {
		m.PriorityFee = order.Uint64(r.take(8))
		values[3] = m.PriorityFee
	}
	for i, bit := range []uint32{4, 8, 16} {
		if mask&bit != 0 {
			values[i] = order.Uint32(r.take(4))
		}
	}
	m.Config = world.JSON(`{"computeUnitLimit":?,"loadedAccountsDataSizeLimit":?,"heapSize":?,"priorityFee":?}`, values[:]...)
	heads := r.take(4 * int(counts[0]))
	for head := range slices.Chunk(heads, 4) {
		i := world.Instruction{Program: r.key(m, head[0])}
		r.accounts(m, &i, int(head[1]))
		i.Data = r.take(int(order.Uint16(head[2:])))
		x.Instructions = append(x.Instructions, i)
	}
}

func (r *reader) keys(m *world.Sent, n int) {
	for range n {
		m.Keys = append(m.Keys, base58.Encode(r.take(32)))
	}
}

// key returns the key with an index.
func (r *reader) key(m *world.Sent, n byte) string {
	if int(n) < len(m.Keys) {
		return m.Keys[n]
	}
	r.short = true
	return ""
}

func (r *reader) accounts(m *world.Sent, i *world.Instruction, n int) {
	for _, at := range r.take(n) {
		i.Accounts = append(i.Accounts, r.key(m, at))
	}
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
