package node

import (
	"cmp"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/internal/fake/wire"
	"github.com/solwire/solwire-go/internal/fake/world"
	"github.com/solwire/solwire-go/types"
)

// The limits of a transaction: bytes, and characters of its encodings.
const (
	maxSent   = 1232
	maxBase58 = 1683
	maxBase64 = 1644
)

// sentIn reads the transaction that is the first parameter.
func sentIn(c *wire.Call, text, encoding string) (x *world.Transaction, forged bool) {
	encoding = cmp.Or(encoding, "base58")
	c.OneOf(encoding, "binary", "base64", "base58", "json", "jsonParsed")
	most, decode := maxBase58, base58.Decode
	switch encoding {
	case "base64":
		most, decode = maxBase64, base64.StdEncoding.DecodeString
	case "json", "jsonParsed":
		c.Invalid("unsupported encoding: %s. Supported encodings: base58, base64", encoding)
	}
	const kind = "solana_transaction::versioned::VersionedTransaction"
	if len(text) > most {
		c.Invalid("%s encoded %s too large: %d bytes (max: encoded/raw %d/%d)", encoding, kind, len(text), most, maxSent)
	}
	data, err := decode(text)
	if err != nil {
		c.Invalid("invalid %s encoding: %s", encoding, err)
	} else if len(data) > maxSent {
		c.Invalid("decoded %s too large: %d bytes (max: %d bytes)", kind, len(data), maxSent)
	}
	x, err = sent(data)
	forged = errors.Is(err, errForged)
	switch {
	case err != nil && !forged:
		c.Invalid("failed to deserialize %s: %s", kind, err)
	case len(x.Sent.Signatures) != x.Sent.Signers:
		c.Invalid("invalid transaction: Transaction failed to sanitize accounts offsets correctly")
	default:
		if twice := x.Priced(); twice > 0 {
			c.Invalid("invalid transaction: Transaction contains a duplicate instruction (%d) that is not allowed", twice)
		}
	}
	return x, forged
}

// sendTransaction executes a signed transaction.
func sendTransaction(c *wire.Call) []byte {
	var text string
	args := arguments(c, &text)
	var o struct {
		Encoding   string `json:"encoding"`
		Unchecked  bool   `json:"skipPreflight"`
		Commitment string `json:"preflightCommitment" oneof:"processed confirmed finalized"`
		Retries    *uint  `json:"maxRetries"`
		MinSlot    uint64 `json:"minContextSlot"`
	}
	c.Options(args, &o)
	slot := c.World.SlotOf(o.Commitment)
	c.Reached(o.MinSlot, slot)
	x, forged := sentIn(c, text, o.Encoding)
	if c.Refused != nil {
		return nil
	}
	earlier := c.World.Status(x.Signature)
	dropped := forged || earlier != nil || !world.IsRecent(x.Sent.Blockhash, c.World.SlotOf("processed"))
	if !o.Unchecked || !dropped {
		e := tried(c, x, slot, forged, o.Unchecked)
		dropped = dropped || !e.Charged
		if x.Failure != "" && !o.Unchecked {
			c.Refuse(&wire.Refusal{Code: -32002, Message: "Transaction simulation failed: " + x.Message(), Details: string(simulated(c, e, "null", nil, true))})
		}
	}
	if !dropped && c.Refused == nil {
		c.World.Land(x)
	}
	return world.Encode(x.Signature)
}

// tried executes a transaction without its effects. Unless it is unchecked, the node must know its blockhash
// up to a slot, and not the transaction.
func tried(c *wire.Call, x *world.Transaction, slot uint64, forged, unchecked bool) *world.Execution {
	earlier := c.World.Status(x.Signature)
	switch {
	case unchecked:
	case forged:
		x.Failure = "SignatureFailure"
	case earlier != nil && earlier.Slot <= slot:
		x.Failure = "AlreadyProcessed"
	case !world.IsRecent(x.Sent.Blockhash, slot):
		x.Failure = "BlockhashNotFound"
	}
	if x.Failure != "" {
		return &world.Execution{Transaction: x}
	}
	e := c.World.Execute(x)
	if e.Foreign != "" {
		c.Invalid("the fake does not execute %s", e.Foreign)
	}
	return e
}

// simulateTransaction answers with what a transaction would do.
func simulateTransaction(c *wire.Call) []byte {
	var text string
	args := arguments(c, &text)
	var o struct {
		Encoding   string `json:"encoding"`
		Commitment string `json:"commitment"`
		Verify     bool   `json:"sigVerify"`
		Replace    bool   `json:"replaceRecentBlockhash"`
		Inner      bool   `json:"innerInstructions"`
		MinSlot    uint64 `json:"minContextSlot"`
		Accounts   *struct {
			Encoding  string   `json:"encoding"`
			Addresses []string `json:"addresses"`
		} `json:"accounts"`
	}
	c.Options(args, &o)
	slot := c.World.SlotOf(o.Commitment)
	c.Reached(o.MinSlot, slot)
	x, forged := sentIn(c, text, o.Encoding)
	if o.Verify && o.Replace {
		c.Invalid("sigVerify may not be used with replaceRecentBlockhash")
	}
	accounts := "null"
	var asked []string
	if o.Accounts != nil {
		asked, accounts = o.Accounts.Addresses, cmp.Or(o.Accounts.Encoding, "base64")
		c.OneOf(accounts, "base64", "base64+zstd", "jsonParsed")
	}
	if c.Refused != nil {
		return nil
	}
	if len(asked) > len(x.Sent.Keys) {
		c.Invalid("Too many accounts provided; max %d", len(x.Sent.Keys))
	}
	for _, address := range asked {
		checkSize(c, address, 32)
	}
	if o.Replace {
		x.Sent.Blockhash = world.Blockhash(slot)
	}
	value := simulated(c, tried(c, x, slot, forged && o.Verify, false), accounts, asked, false)
	if o.Replace {
		value = wire.Merge(value, world.JSON(`{"replacementBlockhash":?}`, blockhashOf(slot)))
	}
	if o.Inner && x.Failure == "" {
		value = wire.Merge(value, json.RawMessage(`{"innerInstructions":[]}`))
	}
	return inContext(slot, value)
}

// simulated returns the result of a simulation, with accounts in an encoding, null for none. A preflight
// has less.
func simulated(c *wire.Call, e *world.Execution, encoding string, asked []string, preflight bool) json.RawMessage {
	keys, size := e.Sent.Keys, 0
	lamports := [2][]uint64{make([]uint64, len(keys)), make([]uint64, len(keys))} // before and after
	var tokens [2][]json.RawMessage
	for i, key := range keys {
		was := viewOf(c.World, key, math.MaxUint64)
		size += 64
		if was != nil {
			size += len(was.data)
		}
		for n, v := range []*view{was, viewAfter(c, e, key)} {
			if v != nil {
				lamports[n][i] = v.lamports
			}
			if v != nil && v.token != nil {
				tokens[n] = append(tokens[n], (&tokenBalance{TokenAccount: v.token, key: i}).text(v.token.Amount))
			}
		}
	}
	var accounts, fee, loaded any
	if encoding != "null" {
		found := make([]json.RawMessage, len(asked))
		for i, address := range asked {
			if v := viewAfter(c, e, address); v != nil && e.Failure == "" {
				found[i] = v.encoded(config{Call: c, Encoding: encoding})
			}
		}
		accounts = found
	}
	balances := []any{lamports[0], lamports[1], tokens[0], tokens[1]}
	if preflight || e.Failure == "SignatureFailure" {
		balances = make([]any, len(balances))
	}
	if !preflight {
		loaded = json.RawMessage(`{"readonly":[],"writable":[]}`)
	}
	if e.Charged {
		fee = e.Fee
	} else {
		size = 0
	}
	return world.JSON(`{"accounts":?,"err":?,"fee":?,"innerInstructions":null,"loadedAccountsDataSize":?,"loadedAddresses":?,"logs":?,"postBalances":?,`+
		`"postTokenBalances":?,"preBalances":?,"preTokenBalances":?,"replacementBlockhash":null,"returnData":null,"unitsConsumed":?}`,
		accounts, e.Reason().Err, fee, size, loaded, e.Logs, balances[1], balances[3], balances[0], balances[2], unitsOf(e.Ran))
}

// unitsOf returns the compute units that instructions consume.
func unitsOf(instructions int) int { return 150 * instructions }

// viewAfter returns the account at an address after a simulation, nil if there is none.
func viewAfter(c *wire.Call, e *world.Execution, address string) *view {
	if a, changed := e.Tokens[address]; changed && a == nil {
		return nil
	} else if changed {
		return tokenView(a, nil)
	}
	lamports, changed := e.Lamports[address]
	v := viewOf(c.World, address, math.MaxUint64)
	switch {
	case !changed:
		return v
	case lamports == 0:
		return nil
	}
	return &view{address: address, lamports: lamports, program: world.System}
}

// requestAirdrop sends SOL from the faucet of devnet.
func requestAirdrop(c *wire.Call) []byte {
	var lamports uint64
	address, _ := keyed(c, &lamports)
	if c.World.Network != types.NetworkDevnet {
		c.Fail(-32600, "Invalid request")
	}
	if c.Refused != nil {
		return nil
	}
	return world.Encode(c.World.Airdrop(address, lamports))
}

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

// version1 is the first byte of transactions of version 1.
const version1 = 0x81

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

// feeForMessage answers with the fee of a message.
func feeForMessage(c *wire.Call) []byte {
	var text string
	o := configOf(c, arguments(c, &text))
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		c.Invalid("invalid base64 encoding")
		return nil
	}
	r := reader{rest: data}
	x, err := r.message()
	if err != nil {
		c.Invalid("failed to deserialize solana_message::versions::VersionedMessage: %s", err)
		return nil
	}
	x.Priced()
	if !world.IsRecent(x.Sent.Blockhash, o.slot) {
		return inContext(o.slot, nil)
	}
	return inContext(o.slot, x.Fee)
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
