package fake

import (
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/types"
)

// systemProgram transfers SOL.
const systemProgram = "11111111111111111111111111111111"

// A nodeTransaction is a transaction as a node encodes it, made from the moves of a
// transaction in a history.
type nodeTransaction struct {
	keys         []string // the fee payer, wallets, token accounts, then mints and programs
	readonly     int      // the number of mints and programs
	instructions []nodeInstruction
	logs         []string
	pre, post    []uint64 // lamports of each key
	preTokens    []nodeTokens
	postTokens   []nodeTokens
}

// A nodeInstruction is an instruction in all encodings.
type nodeInstruction struct {
	program  int // like accounts, an index of keys
	accounts []int
	data     []byte
	parsed   json.RawMessage
}

type nodeTokens struct {
	Index   int    `json:"accountIndex"`
	Mint    string `json:"mint"`
	Owner   string `json:"owner"`
	Program string `json:"programId"`
	Amount  amount `json:"uiTokenAmount"`
}

// A flow is what an owner received and sent of an asset.
type flow struct {
	owner   string
	of      asset
	in, out uint64
}

// withFlow adds f to flows, in which an owner has one flow of each asset.
func withFlow(flows []flow, f flow) []flow {
	i := slices.IndexFunc(flows, func(g flow) bool { return g.owner == f.owner && g.of == f.of })
	if i < 0 {
		return append(flows, f)
	}
	flows[i].in += f.in
	flows[i].out += f.out
	return flows
}

// around returns what the owner held before and after a transaction. An owner without
// it in its history held just what it sent.
func (s *Service) around(f flow, signature string) (before, after uint64) {
	list := s.transactionsOf(f.owner)
	place := slices.IndexFunc(list, func(x transaction) bool { return x.signature == signature })
	if place < 0 {
		return f.out, f.in
	}
	before, _ = s.balance(f.owner, f.of, func(i int, _ *transaction) bool { return i > place })
	after, _ = s.balance(f.owner, f.of, func(i int, _ *transaction) bool { return i >= place })
	return before, after
}

// nodeTransaction returns a transaction, which is the same for all of its wallets.
func (s *Service) nodeTransaction(x *parsedTransaction) *nodeTransaction {
	flows := []flow{{x.feePayer, nativeSOL(), 0, x.fee}}
	var tokens []flow
	for _, m := range x.moves {
		if m.of == nativeSOL() {
			flows = withFlow(withFlow(flows, flow{m.from, m.of, 0, m.raw}), flow{m.to, m.of, m.raw, 0})
			continue
		}
		flows = withFlow(withFlow(flows, flow{owner: m.from, of: nativeSOL()}), flow{owner: m.to, of: nativeSOL()})
		tokens = withFlow(withFlow(tokens, flow{m.from, m.of, 0, m.raw}), flow{m.to, m.of, m.raw, 0})
	}
	for _, wallet := range slices.Sorted(maps.Keys(x.reach)) {
		flows = withFlow(flows, flow{owner: wallet, of: nativeSOL()})
	}
	n := &nodeTransaction{logs: []string{}, preTokens: []nodeTokens{}, postTokens: []nodeTokens{}}
	for _, f := range flows {
		before, after := s.around(f, x.signature)
		n.add(f.owner, before, after)
	}
	const rent = 2039280
	for _, f := range tokens {
		before, after := s.around(f, x.signature)
		held := nodeTokens{
			n.add(s.tokenAccountOf(f.owner, f.of.mint), rent, rent), f.of.mint, f.owner, s.programOf(f.of), amountOf(before, f.of.decimals),
		}
		n.preTokens = append(n.preTokens, held)
		held.Amount = amountOf(after, f.of.decimals)
		n.postTokens = append(n.postTokens, held)
	}
	writable := len(n.keys)
	for _, m := range x.moves {
		n.transfer(s, m)
	}
	n.readonly = len(n.keys) - writable
	return n
}

// programOf returns the program that transfers an asset.
func (s *Service) programOf(of asset) string {
	switch {
	case of == nativeSOL():
		return systemProgram
	case s.world.tokens[of.mint].program == token2022:
		return string(types.Token2022Program)
	}
	return string(types.TokenProgram)
}

// add adds a key with its lamports unless it is there, and returns its index.
func (n *nodeTransaction) add(key string, before, after uint64) int {
	if i := slices.Index(n.keys, key); i >= 0 {
		return i
	}
	n.keys, n.pre, n.post = append(n.keys, key), append(n.pre, before), append(n.post, after)
	return len(n.keys) - 1
}

// transfer adds the instruction for a move.
func (n *nodeTransaction) transfer(s *Service, m parsedMove) {
	program := s.programOf(m.of)
	n.logs = append(n.logs, "Program "+program+" invoke [1]", "Program "+program+" success")
	data := binary.LittleEndian.AppendUint64([]byte{2, 0, 0, 0}, m.raw)
	accounts := []string{m.from, m.to}
	name, kind := "system", "transfer"
	var info any = struct {
		From     string `json:"source"`
		To       string `json:"destination"`
		Lamports uint64 `json:"lamports"`
	}{m.from, m.to, m.raw}
	if m.of != nativeSOL() {
		data = append(binary.LittleEndian.AppendUint64([]byte{12}, m.raw), byte(m.of.decimals))
		accounts = []string{s.tokenAccountOf(m.from, m.of.mint), m.of.mint, s.tokenAccountOf(m.to, m.of.mint), m.from}
		name, kind = spl, "transferChecked"
		info = struct {
			From      string `json:"source"`
			Mint      string `json:"mint"`
			To        string `json:"destination"`
			Authority string `json:"authority"`
			Amount    amount `json:"tokenAmount"`
		}{accounts[0], m.of.mint, accounts[2], m.from, amountOf(m.raw, m.of.decimals)}
	}
	var indexes []int
	for _, key := range accounts {
		indexes = append(indexes, n.add(key, 1, 1))
	}
	type form struct {
		Type string `json:"type"`
		Info any    `json:"info"`
	}
	n.instructions = append(n.instructions, nodeInstruction{n.add(program, 1, 1), indexes, data, encode(struct {
		Name    string `json:"program"`
		Program string `json:"programId"`
		Parsed  form   `json:"parsed"`
		Height  int    `json:"stackHeight"`
	}{name, program, form{kind, info}, 1})})
}

// nodeText returns a transaction as it is sent. The index is nil for methods without
// one.
func (s *Service) nodeText(p *parsedTransaction, index *int, encoding string) json.RawMessage {
	x := &p.transaction
	n := s.nodeTransaction(p)
	return encode(struct {
		Slot        uint64          `json:"slot"`
		Index       *int            `json:"transactionIndex,omitempty"`
		Time        json.RawMessage `json:"blockTime"`
		Version     string          `json:"version"`
		Transaction json.RawMessage `json:"transaction"`
		Meta        json.RawMessage `json:"meta"`
	}{s.slotOf(x), index, s.blockTime(x), "legacy", n.encoded(x, encoding), n.meta(x)})
}

// blockTime returns the block time of x as it is sent, null while it is not known.
func (s *Service) blockTime(x *transaction) json.RawMessage {
	if s.untimed(x) {
		return null()
	}
	return encode(s.timeOf(x).Unix())
}

// isGolden reports whether a signature is of a transaction in the golden answers.
func isGolden(signature string) bool {
	const usual, inBase58 = "caDyTGu8dJ3qFfZpxhyni8DKjgWQapcfiX7MpJ8R67FdiSMcyNHyKjwskBCv45X4CVFZK4nrCCATdW9zysMQFoJ",
		"5Fg2tQUnCtFitUFH9LBk8RmGKjqkedXTJLHrXaeiETAQqyQLPuTQ5uf8aXo4ohEGMvQ6MWnafHtCpPtLZ6HjjQs7"
	return signature == usual || signature == inBase58
}

// transactionOf answers getTransaction from the histories of the wallets. What a world
// with the data of a preset does not know has the golden answer.
func transactionOf(s *Service, c *call) ([]byte, *refusal) {
	var args []json.RawMessage
	var signature string
	var options struct {
		Commitment string `json:"commitment"`
		Encoding   string `json:"encoding"`
		MaxVersion any    `json:"maxSupportedTransactionVersion"` // all transactions are legacy
	}
	if json.Unmarshal(c.params, &args) != nil || len(args) == 0 || json.Unmarshal(args[0], &signature) != nil {
		return nil, invalidParams("Invalid params: expected a signature and a configuration")
	}
	if refused := cmp.Or(s.options(args[1:], &options), archived(options.Commitment), transactionEncoding(options.Encoding)); refused != nil {
		return nil, refused
	}
	x := s.transactionWith(signature)
	switch {
	case x == nil && (!s.world.preset || !isGolden(signature)):
		return null(), nil
	case x == nil:
		return fromMethod("getTransaction")(s, c)
	}
	return s.nodeText(x, nil, options.Encoding), nil
}

// archived refuses commitments that methods of past transactions do not have.
func archived(commitment string) *refusal {
	if commitment == "processed" {
		return invalidParams("Method does not support commitment below `confirmed`")
	}
	return variant(commitment, "confirmed", "finalized")
}

func transactionEncoding(encoding string) *refusal {
	return variant(encoding, "json", "jsonParsed", "base58", "base64")
}

// transactionWith returns the transaction with a signature as all of its wallets see it,
// nil if none has it.
func (s *Service) transactionWith(signature string) *parsedTransaction {
	s.mu.Lock()
	wallets := slices.AppendSeq(slices.Collect(maps.Keys(s.world.holders)), maps.Keys(s.recent))
	s.mu.Unlock()
	slices.Sort(wallets)
	ledgers := map[string][]transaction{}
	for _, wallet := range slices.Compact(wallets) {
		list := s.transactionsOf(wallet)
		if i := slices.IndexFunc(list, func(x transaction) bool { return x.signature == signature }); i >= 0 {
			ledgers[wallet] = list[i : i+1]
		}
	}
	for _, x := range merged(ledgers) {
		return x
	}
	return nil
}

// encoded returns the transaction in an encoding; empty means json.
func (n *nodeTransaction) encoded(x *transaction, encoding string) json.RawMessage {
	blockhash := seed(41).item(len(n.keys))
	hash := blockhash.address()
	switch encoding {
	case "base64":
		return encode([]string{base64.StdEncoding.EncodeToString(n.bytes(x.signature, hash)), encoding})
	case "base58":
		return encode([]string{base58.Encode(n.bytes(x.signature, hash)), encoding})
	}
	type header struct {
		Signers          int `json:"numRequiredSignatures"`
		ReadonlySigned   int `json:"numReadonlySignedAccounts"`
		ReadonlyUnsigned int `json:"numReadonlyUnsignedAccounts"`
	}
	type message struct {
		Keys         []json.RawMessage `json:"accountKeys"`
		Header       header            `json:"header,omitzero"` // not of jsonParsed
		Instructions []json.RawMessage `json:"instructions"`
		Blockhash    string            `json:"recentBlockhash"`
	}
	type role struct {
		Key      string `json:"pubkey"`
		Signer   bool   `json:"signer"`
		Source   string `json:"source"`
		Writable bool   `json:"writable"`
	}
	type instruction struct {
		Program  int    `json:"programIdIndex"`
		Accounts []int  `json:"accounts"`
		Data     string `json:"data"`
		Height   int    `json:"stackHeight"`
	}
	m := message{Instructions: []json.RawMessage{}, Blockhash: hash}
	parsed := encoding == "jsonParsed"
	if !parsed {
		m.Header = header{1, 0, n.readonly}
	}
	for i, key := range n.keys {
		if parsed {
			m.Keys = append(m.Keys, encode(role{key, i == 0, "transaction", i < len(n.keys)-n.readonly}))
		} else {
			m.Keys = append(m.Keys, encode(key))
		}
	}
	for _, i := range n.instructions {
		if parsed {
			m.Instructions = append(m.Instructions, i.parsed)
		} else {
			m.Instructions = append(m.Instructions, encode(instruction{i.program, i.accounts, base58.Encode(i.data), 1}))
		}
	}
	return encode(struct {
		Signatures []string `json:"signatures"`
		Message    message  `json:"message"`
	}{[]string{x.signature}, m})
}

// bytes returns the transaction as it is sent to the network.
func (n *nodeTransaction) bytes(signature, blockhash string) []byte {
	b := []byte{1}
	b = appendBase58(b, signature)
	b = append(b, 1, 0, byte(n.readonly))
	b = binary.AppendUvarint(b, uint64(len(n.keys)))
	for _, key := range n.keys {
		b = appendBase58(b, key)
	}
	b = appendBase58(b, blockhash)
	b = binary.AppendUvarint(b, uint64(len(n.instructions)))
	for _, i := range n.instructions {
		b = append(b, byte(i.program))
		b = binary.AppendUvarint(b, uint64(len(i.accounts)))
		for _, account := range i.accounts {
			b = append(b, byte(account))
		}
		b = binary.AppendUvarint(b, uint64(len(i.data)))
		b = append(b, i.data...)
	}
	return b
}

func appendBase58(b []byte, text string) []byte {
	decoded, _ := unbase58(text) // made by the fake, or checked by World
	return append(b, decoded...)
}

// meta returns the result of the transaction.
func (n *nodeTransaction) meta(x *transaction) json.RawMessage {
	return encode(struct {
		Err        json.RawMessage `json:"err"`
		Fee        uint64          `json:"fee"`
		Inner      []struct{}      `json:"innerInstructions"`
		Logs       []string        `json:"logMessages"`
		Pre        []uint64        `json:"preBalances"`
		Post       []uint64        `json:"postBalances"`
		PreTokens  []nodeTokens    `json:"preTokenBalances"`
		PostTokens []nodeTokens    `json:"postTokenBalances"`
	}{nodeError(x.failure), x.fee, []struct{}{}, n.logs, n.pre, n.post, n.preTokens, n.postTokens})
}

// nodeError returns why a transaction failed, null if it succeeded.
func nodeError(text string) json.RawMessage {
	if text == "" {
		return null()
	}
	var instruction, code int
	if _, err := fmt.Sscanf(text, "InstructionError: [%d, Custom(%d)]", &instruction, &code); err == nil {
		return fmt.Appendf(nil, `{"InstructionError":[%d,{"Custom":%d}]}`, instruction, code)
	}
	return encode(text)
}
