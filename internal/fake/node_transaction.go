package fake

import (
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

// balances returns what the owner held before and after the first transaction of
// list, the history of a wallet. Other wallets held just what they sent.
func (f flow) balances(list []transaction, wallet string) (before, after uint64) {
	after = f.in
	if f.owner == wallet {
		after = lastBalance(list, f.of, f.in)
	}
	return after - f.in + f.out, after
}

// lastBalance returns the latest known balance, or other.
func lastBalance(list []transaction, of asset, other uint64) uint64 {
	for _, x := range list {
		if i := slices.IndexFunc(x.changes, func(c change) bool { return c.of.mint == of.mint }); i >= 0 {
			return x.changes[i].after
		}
	}
	return other
}

// nodeTransaction returns the first transaction of list, the history of a wallet.
func (s *Service) nodeTransaction(list []transaction, wallet string) *nodeTransaction {
	x := &list[0]
	wallets := withFlow([]flow{{x.feePayer, nativeSOL(), 0, x.fee}}, flow{owner: wallet, of: nativeSOL()})
	var tokens []flow
	for _, m := range x.moves {
		wallets = withFlow(wallets, flow{owner: m.with, of: nativeSOL()})
		flows := &tokens
		if m.of == nativeSOL() {
			flows = &wallets
		}
		from, to := m.sides(wallet)
		*flows = withFlow(*flows, flow{from, m.of, 0, m.raw})
		*flows = withFlow(*flows, flow{to, m.of, m.raw, 0})
	}
	n := &nodeTransaction{logs: []string{}, preTokens: []nodeTokens{}, postTokens: []nodeTokens{}}
	for _, f := range wallets {
		before, after := f.balances(list, wallet)
		n.add(f.owner, before, after)
	}
	const rent = 2039280
	for _, f := range tokens {
		before, after := f.balances(list, wallet)
		held := nodeTokens{
			n.add(tokenAccountOf(f.owner, f.of.mint), rent, rent), f.of.mint, f.owner, s.programOf(f.of), amountOf(before, f.of.decimals),
		}
		n.preTokens = append(n.preTokens, held)
		held.Amount = amountOf(after, f.of.decimals)
		n.postTokens = append(n.postTokens, held)
	}
	writable := len(n.keys)
	for _, m := range x.moves {
		n.transfer(s.programOf(m.of), m, wallet)
	}
	n.readonly = len(n.keys) - writable
	return n
}

// sides returns the sender and the receiver of a move of a wallet.
func (m move) sides(wallet string) (from, to string) {
	if m.out {
		return wallet, m.with
	}
	return m.with, wallet
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

// transfer adds the instruction for a move of a wallet.
func (n *nodeTransaction) transfer(program string, m move, wallet string) {
	n.logs = append(n.logs, "Program "+program+" invoke [1]", "Program "+program+" success")
	from, to := m.sides(wallet)
	data := binary.LittleEndian.AppendUint64([]byte{2, 0, 0, 0}, m.raw)
	accounts := []string{from, to}
	name, kind := "system", "transfer"
	var info any = struct {
		From     string `json:"source"`
		To       string `json:"destination"`
		Lamports uint64 `json:"lamports"`
	}{from, to, m.raw}
	if m.of != nativeSOL() {
		data = append(binary.LittleEndian.AppendUint64([]byte{12}, m.raw), byte(m.of.decimals))
		accounts = []string{tokenAccountOf(from, m.of.mint), m.of.mint, tokenAccountOf(to, m.of.mint), from}
		name, kind = spl, "transferChecked"
		info = struct {
			From      string `json:"source"`
			Mint      string `json:"mint"`
			To        string `json:"destination"`
			Authority string `json:"authority"`
			Amount    amount `json:"tokenAmount"`
		}{accounts[0], m.of.mint, accounts[2], from, amountOf(m.raw, m.of.decimals)}
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

// nodeText returns the first transaction of list, the history of a wallet, as it is
// sent. The index is nil for methods without one.
func (s *Service) nodeText(list []transaction, wallet string, index *int, encoding string) json.RawMessage {
	x := &list[0]
	n := s.nodeTransaction(list, wallet)
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

// transactionOf answers getTransaction from the histories of the wallets. What a world
// with the data of a preset does not know has the golden answer.
func transactionOf(s *Service, c *call) ([]byte, *refusal) {
	var args []json.RawMessage
	var signature string
	var options struct {
		Encoding string `json:"encoding"`
	}
	if json.Unmarshal(c.params, &args) != nil || len(args) == 0 || json.Unmarshal(args[0], &signature) != nil ||
		len(args) > 1 && json.Unmarshal(args[1], &options) != nil {
		return nil, invalidParams("Invalid params: expected a signature and a configuration")
	}
	list, wallet := s.historyWith(signature)
	switch {
	case list == nil && !s.world.preset:
		return null(), nil
	case list == nil:
		return fromMethod("getTransaction")(s, c)
	}
	return s.nodeText(list, wallet, nil, options.Encoding), nil
}

// historyWith returns the transactions of a wallet from the one with a signature on, of the
// wallet that saw most of it. They are nil if none has it.
func (s *Service) historyWith(signature string) (list []transaction, wallet string) {
	s.mu.Lock()
	wallets := slices.AppendSeq(slices.Collect(maps.Keys(s.world.holders)), maps.Keys(s.recent))
	s.mu.Unlock()
	slices.Sort(wallets)
	for _, name := range slices.Compact(wallets) {
		all := s.transactionsOf(name)
		i := slices.IndexFunc(all, func(x transaction) bool { return x.signature == signature })
		if i >= 0 && (len(list) == 0 || len(all[i].moves) > len(list[0].moves)) {
			list, wallet = all[i:], name
		}
	}
	return list, wallet
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
