package node

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/internal/fake/wire"
	"github.com/solwire/solwire-go/internal/fake/world"
)

// A message is a transaction as a node encodes it.
type message struct {
	*world.Transaction
	w            *world.World
	keys         []string // the fee payer, wallets, token accounts, then mints and programs
	readonly     int      // the number of mints and programs
	instructions []instruction
	logs         []string
	pre, post    []uint64 // lamports of each key
	preTokens    []tokenBalance
	postTokens   []tokenBalance
}

// An instruction is an instruction in all encodings.
type instruction struct {
	program  int // like accounts, an index of keys
	accounts []int
	data     []byte
	parsed   json.RawMessage
}

type tokenBalance struct {
	Index   int    `json:"accountIndex"`
	Mint    string `json:"mint"`
	Owner   string `json:"owner"`
	Program string `json:"programId"`
	Amount  amount `json:"uiTokenAmount"`
}

// messageOf returns a transaction, which is the same for all of its wallets.
func messageOf(w *world.World, x *world.Transaction) *message {
	m := &message{Transaction: x, w: w, logs: []string{}, preTokens: []tokenBalance{}, postTokens: []tokenBalance{}}
	m.wallet(x.FeePayer)
	for _, t := range x.Transfers {
		m.wallet(t.From)
		m.wallet(t.To)
	}
	for _, t := range x.Transfers {
		m.tokens(t.From, t.Mint)
		m.tokens(t.To, t.Mint)
	}
	for _, wallet := range slices.Sorted(maps.Keys(x.Reach)) {
		if x.Reach[wallet] == world.TokenAccounts {
			m.tokens(wallet, world.USDC)
		}
	}
	writable := len(m.keys)
	for _, t := range x.Transfers {
		m.transfer(t)
	}
	for _, i := range x.Instructions {
		m.given(i)
	}
	m.readonly = len(m.keys) - writable
	if x.Memo != "" {
		m.memo(x.Memo)
	}
	if x.Failure != "" {
		m.fail()
	}
	return m
}

// add adds a key with its lamports unless it is there, and returns its index.
func (m *message) add(key string, before, after uint64) int {
	if i := slices.Index(m.keys, key); i >= 0 {
		return i
	}
	m.keys, m.pre, m.post = append(m.keys, key), append(m.pre, before), append(m.post, after)
	return len(m.keys) - 1
}

// wallet adds a wallet, unless only its token accounts are named.
func (m *message) wallet(address string) {
	if m.Reach[address] > world.Named {
		return
	}
	before, after := m.w.Wallet(address).Holding(world.SOL).Around(m.Transaction)
	m.add(address, before, after)
}

// tokens adds the token account of a wallet with what it held before and after.
func (m *message) tokens(owner, mint string) {
	h := m.w.Wallet(owner).Holding(mint)
	if mint == world.SOL || h == nil {
		return
	}
	account := m.w.AccountOf(owner, mint)
	if slices.Contains(m.keys, account) {
		return
	}
	before, after := h.Around(m.Transaction)
	rest := h.Raw - m.w.Account(account).Amount // in other accounts
	before, after = before-min(rest, before), after-min(rest, after)
	a := m.w.Account(account)
	b := tokenBalance{m.add(account, a.LamportsWith(before), a.LamportsWith(after)), mint, owner, h.Token.Program(), balanceAmount(before, h.Token.Decimals)}
	m.preTokens = append(m.preTokens, b)
	b.Amount = balanceAmount(after, h.Token.Decimals)
	m.postTokens = append(m.postTokens, b)
}

// balanceAmount returns the amount of a token balance. Nodes send null for none.
func balanceAmount(raw uint64, decimals int) amount {
	a := amountOf(raw, decimals)
	if raw == 0 {
		a.UI = wire.Null()
	}
	return a
}

// form is a parsed instruction.
type form struct {
	Type string `json:"type"`
	Info any    `json:"info"`
}

type parsedInstruction struct {
	Name    string `json:"program"`
	Program string `json:"programId"`
	Parsed  any    `json:"parsed"`
	Height  int    `json:"stackHeight"`
}

// transfer adds the instruction for a transfer.
func (m *message) transfer(t world.Transfer) {
	token := m.w.Token(t.Mint)
	data := binary.LittleEndian.AppendUint64([]byte{2, 0, 0, 0}, t.Raw)
	accounts := []string{t.From, t.To}
	name, kind := "system", "transfer"
	var info any = struct {
		From     string `json:"source"`
		To       string `json:"destination"`
		Lamports uint64 `json:"lamports"`
	}{t.From, t.To, t.Raw}
	if !token.IsNative() {
		data = append(binary.LittleEndian.AppendUint64([]byte{12}, t.Raw), byte(token.Decimals))
		accounts = []string{m.w.AccountOf(t.From, t.Mint), t.Mint, m.w.AccountOf(t.To, t.Mint), t.From}
		name, kind = "spl-token", "transferChecked"
		info = struct {
			From      string `json:"source"`
			Mint      string `json:"mint"`
			To        string `json:"destination"`
			Authority string `json:"authority"`
			Amount    amount `json:"tokenAmount"`
		}{accounts[0], t.Mint, accounts[2], t.From, amountOf(t.Raw, token.Decimals)}
	}
	m.call(token.Program(), accounts, data, world.Encode(parsedInstruction{name, token.Program(), form{kind, info}, 1}))
}

// call adds an instruction that succeeds.
func (m *message) call(program string, accounts []string, data []byte, parsed json.RawMessage) {
	m.logs = append(m.logs, "Program "+program+" invoke [1]", "Program "+program+" success")
	indexes := []int{}
	for _, key := range accounts {
		indexes = append(indexes, m.other(key))
	}
	m.instructions = append(m.instructions, instruction{m.other(program), indexes, data, parsed})
}

// other adds a key that the transaction does not change.
func (m *message) other(key string) int {
	var lamports uint64
	v := viewOf(m.w, key)
	if v != nil {
		lamports = v.lamports
	}
	if h := m.w.Wallet(key).Holding(world.SOL); h != nil && (v == nil || v.wallet) {
		_, lamports = h.Around(m.Transaction) // others may have changed it since
	}
	return m.add(key, lamports, lamports)
}

// given adds an instruction that a node cannot parse.
func (m *message) given(i world.Instruction) {
	accounts := i.Accounts
	if accounts == nil {
		accounts = []string{}
	}
	m.call(i.Program, accounts, i.Data, world.Encode(struct {
		Accounts []string `json:"accounts"`
		Data     string   `json:"data"`
		Program  string   `json:"programId"`
		Height   int      `json:"stackHeight"`
	}{accounts, base58.Encode(i.Data), i.Program, 1}))
}

func (m *message) memo(text string) {
	before := len(m.keys)
	m.call(world.MemoProgram, []string{m.FeePayer}, []byte(text), world.Encode(parsedInstruction{"spl-memo", world.MemoProgram, text, 1}))
	m.readonly += len(m.keys) - before
	m.logs = slices.Insert(m.logs, len(m.logs)-1, fmt.Sprintf("Program log: Memo (len %d): %q", len(text), text))
}

// fail lets the last instruction fail, or the one that the failure names. Of a transaction that
// nothing is known of it is a transfer.
func (m *message) fail() {
	var failing int
	_, _ = fmt.Sscanf(m.Failure, "InstructionError: [%d,", &failing) // others do not name one
	before := len(m.keys)
	for len(m.instructions) <= min(failing, maxFailing) {
		m.transfer(world.Transfer{From: m.FeePayer, To: m.FeePayer, Mint: world.SOL})
	}
	m.readonly += len(m.keys) - before
	m.logs[len(m.logs)-1] = strings.TrimSuffix(m.logs[len(m.logs)-1], "success") + "failed: " + m.Failure
}

// maxFailing is the highest index of an instruction that is made for a failure.
const maxFailing = 31

// Instructions returns the instructions of a transaction in order.
func Instructions(w *world.World, x *world.Transaction) []world.Instruction {
	m := messageOf(w, x)
	var all []world.Instruction
	for _, i := range m.instructions {
		accounts := []string{}
		for _, key := range i.accounts {
			accounts = append(accounts, m.keys[key])
		}
		all = append(all, world.Instruction{Program: m.keys[i.program], Accounts: accounts, Data: i.data})
	}
	return all
}

// memoOf returns the memo of a listing, null for none.
func memoOf(x *world.Transaction) *string {
	if x.Memo == "" {
		return nil
	}
	text := fmt.Sprintf("[%d] %s", len(x.Memo), x.Memo)
	return &text
}

// Options are how a transaction is sent.
type Options struct {
	Encoding string
	Index    bool // with transactionIndex
	NoSlot   bool // as in a block
	Version  bool // a maximum version was sent
}

// Text returns a transaction as it is sent.
func Text(w *world.World, x *world.Transaction, o Options) json.RawMessage {
	m := messageOf(w, x)
	sent := struct {
		Slot        *uint64         `json:"slot,omitempty"`
		Index       *int            `json:"transactionIndex,omitempty"`
		Time        json.RawMessage `json:"blockTime,omitempty"`
		Version     string          `json:"version,omitempty"`
		Transaction json.RawMessage `json:"transaction"`
		Meta        json.RawMessage `json:"meta"`
	}{Transaction: m.encoded(o.Encoding), Meta: m.meta(o.Encoding, false)}
	if !o.NoSlot {
		sent.Slot, sent.Time = &x.Slot, blockTime(w, x)
	}
	if o.Index {
		sent.Index = &x.Index
	}
	if o.Version {
		sent.Version = "legacy"
	}
	return world.Encode(sent)
}

// blockTime returns the block time of x as it is sent, null while it is not known.
func blockTime(w *world.World, x *world.Transaction) json.RawMessage {
	if w.Untimed(x) {
		return wire.Null()
	}
	return world.Encode(x.Time.Unix())
}

// A role is a key with what the transaction may do with it.
type role struct {
	Key      string `json:"pubkey"`
	Signer   bool   `json:"signer"`
	Source   string `json:"source"`
	Writable bool   `json:"writable"`
}

// roles returns the keys with what the transaction may do with them.
func (m *message) roles() []role {
	var all []role
	for i, key := range m.keys {
		all = append(all, role{key, i == 0, "transaction", i < len(m.keys)-m.readonly})
	}
	return all
}

// encoded returns the transaction in an encoding; empty means json.
func (m *message) encoded(encoding string) json.RawMessage {
	hash := world.Blockhash(m.Slot - min(m.Slot, 20))
	switch encoding {
	case "base64":
		return world.Encode([]string{base64.StdEncoding.EncodeToString(m.bytes(hash)), encoding})
	case "base58":
		return world.Encode([]string{base58.Encode(m.bytes(hash)), encoding})
	}
	type header struct {
		Signers          int `json:"numRequiredSignatures"`
		ReadonlySigned   int `json:"numReadonlySignedAccounts"`
		ReadonlyUnsigned int `json:"numReadonlyUnsignedAccounts"`
	}
	type compiled struct {
		Program  int    `json:"programIdIndex"`
		Accounts []int  `json:"accounts"`
		Data     string `json:"data"`
		Height   int    `json:"stackHeight"`
	}
	sent := struct {
		Keys         any               `json:"accountKeys"`
		Header       header            `json:"header,omitzero"` // not of jsonParsed
		Instructions []json.RawMessage `json:"instructions"`
		Blockhash    string            `json:"recentBlockhash"`
	}{Keys: m.keys, Instructions: []json.RawMessage{}, Blockhash: hash}
	if encoding == "jsonParsed" {
		sent.Keys = m.roles()
	} else {
		sent.Header = header{1, 0, m.readonly}
	}
	for _, i := range m.instructions {
		if encoding == "jsonParsed" {
			sent.Instructions = append(sent.Instructions, i.parsed)
		} else {
			sent.Instructions = append(sent.Instructions, world.Encode(compiled{i.program, i.accounts, base58.Encode(i.data), 1}))
		}
	}
	return world.Encode(struct {
		Message    any      `json:"message"`
		Signatures []string `json:"signatures"`
	}{sent, []string{m.Signature}})
}

// bytes returns the transaction as it is sent to the network.
func (m *message) bytes(blockhash string) []byte {
	b := append([]byte{1}, world.Key(m.Signature)...)
	b = append(b, 1, 0, byte(m.readonly))
	b = binary.AppendUvarint(b, uint64(len(m.keys)))
	for _, key := range m.keys {
		b = append(b, world.Key(key)...)
	}
	b = append(b, world.Key(blockhash)...)
	b = binary.AppendUvarint(b, uint64(len(m.instructions)))
	for _, i := range m.instructions {
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

// meta returns the result of the transaction, of which blocks with accounts have a part.
func (m *message) meta(encoding string, short bool) json.RawMessage {
	failure := Failure(m.Failure)
	type loaded struct {
		Readonly []string `json:"readonly"`
		Writable []string `json:"writable"`
	}
	sent := struct {
		Units      *int                       `json:"computeUnitsConsumed,omitempty"`
		Cost       *int                       `json:"costUnits,omitempty"`
		Err        json.RawMessage            `json:"err"`
		Fee        uint64                     `json:"fee"`
		Inner      []struct{}                 `json:"innerInstructions,omitzero"`
		Loaded     *loaded                    `json:"loadedAddresses,omitempty"`
		Logs       []string                   `json:"logMessages,omitzero"`
		Post       []uint64                   `json:"postBalances"`
		PostTokens []tokenBalance             `json:"postTokenBalances"`
		Pre        []uint64                   `json:"preBalances"`
		PreTokens  []tokenBalance             `json:"preTokenBalances"`
		Rewards    []struct{}                 `json:"rewards"`
		Status     map[string]json.RawMessage `json:"status"`
	}{
		Err: failure, Fee: m.Fee, Pre: m.pre, Post: m.post, PreTokens: m.preTokens, PostTokens: m.postTokens,
		Rewards: []struct{}{}, Status: statusOf(failure),
	}
	if !short {
		units := 150 + 150*len(m.instructions)
		cost := units + 1470
		sent.Units, sent.Cost, sent.Inner, sent.Logs = &units, &cost, []struct{}{}, m.logs
		if encoding != "jsonParsed" {
			sent.Loaded = &loaded{[]string{}, []string{}}
		}
	}
	return world.Encode(sent)
}

// statusOf returns a failure in the older form.
func statusOf(failure json.RawMessage) map[string]json.RawMessage {
	if string(failure) == "null" {
		return map[string]json.RawMessage{"Ok": failure}
	}
	return map[string]json.RawMessage{"Err": failure}
}

// Failure returns why a transaction failed as a node sends it, null if it succeeded. The text
// is how Rust prints the reason, or JSON.
func Failure(text string) json.RawMessage {
	switch {
	case text == "":
		return wire.Null()
	case strings.HasPrefix(text, "{") && json.Valid([]byte(text)):
		return json.RawMessage(text)
	}
	var index int
	var code uint32
	var reason string
	if _, err := fmt.Sscanf(text, "InstructionError: [%d, Custom(%d)]", &index, &code); err == nil {
		return fmt.Appendf(nil, `{"InstructionError":[%d,{"Custom":%d}]}`, index, code)
	}
	if _, err := fmt.Sscanf(text, "InstructionError: [%d, %s", &index, &reason); err == nil {
		return fmt.Appendf(nil, `{"InstructionError":[%d,%s]}`, index, world.Encode(strings.TrimSuffix(reason, "]")))
	}
	if _, err := fmt.Sscanf(text, "DuplicateInstruction(%d)", &index); err == nil {
		return fmt.Appendf(nil, `{"DuplicateInstruction":%d}`, index)
	}
	switch text {
	case "InsufficientFundsForRent", "ProgramExecutionTemporarilyRestricted":
		return fmt.Appendf(nil, `{%q:{"account_index":1}}`, text)
	}
	return world.Encode(text)
}
