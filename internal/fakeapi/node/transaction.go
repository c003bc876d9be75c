package node

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/internal/fakeapi/world"
	"github.com/solwire/solwire-go/types"
)

// legacy is the version of transactions without one, as JSON.
const legacy = `"legacy"`

// A Message is a transaction as a node encodes it.
type Message struct {
	*world.Transaction
	world.Sent
	States
	Logs []string

	calls []world.Instruction
}

// States are the states of accounts, before and after a transaction.
type States struct {
	Lamports [2][]uint64
	Tokens   [2][]*world.TokenAccount // nil for other accounts
}

func statesOf(keys []string, views [2]func(key string) *view) (s States) {
	for n, viewOf := range views {
		for _, key := range keys {
			v := cmp.Or(viewOf(key), new(view))
			s.Lamports[n], s.Tokens[n] = append(s.Lamports[n], v.lamports), append(s.Tokens[n], v.token)
		}
	}
	return s
}

// texts returns the balances of token accounts, before or after the transaction.
func (s *States) texts(n int) (all []json.RawMessage) {
	for i, a := range s.Tokens[n] {
		if a == nil {
			continue
		}
		shown := amountOf(a.Amount, a.Token.Decimals, "")
		if a.Amount == 0 {
			shown = world.JSON("{"+amountMembers, "0", a.Token.Decimals, nil, "0")
		}
		all = append(all, world.JSON(`{"accountIndex":?,"mint":?,"owner":?,"programId":?,"uiTokenAmount":?}`, i, a.Token.Mint, a.Owner, a.Token.Program(), shown))
	}
	return all
}

// MessageOf returns a transaction, which is the same for all of its wallets.
func MessageOf(w *world.World, x *world.Transaction) *Message {
	m := &Message{Transaction: x, calls: w.Calls(x)}
	if x.Sent != nil {
		m.Sent = *x.Sent
	} else {
		keys, readonly := w.Keys(x)
		m.Sent = world.Sent{
			Signatures: []string{x.Signature}, Keys: keys, Signers: 1, ReadonlyOthers: len(keys) - readonly,
			Blockhash: world.Blockhash(x.Slot - min(x.Slot, 20)), Version: legacy,
		}
	}
	var views [2]func(string) *view
	for n, later := range x.Around() {
		views[n] = func(key string) *view { return viewOf(w, key, later) }
	}
	m.States = statesOf(m.Keys, views)
	failure := x.Reason()
	for i, call := range m.calls {
		m.run(call, 1, i == failure.Index, failure)
		if i == failure.Index {
			break
		}
	}
	return m
}

// run logs a call.
func (m *Message) run(call world.Instruction, height int, fails bool, failure world.Failure) {
	log := func(format string, args ...any) { m.Logs = append(m.Logs, fmt.Sprintf(format, args...)) }
	log("Program %s invoke [%d]", call.Program, height)
	if call.Program == world.MemoProgram {
		log("Program log: Memo (len %d): %q", len(call.Data), call.Data)
	}
	for _, inner := range call.Inner {
		m.run(inner, height+1, false, failure)
	}
	if fails {
		log("Program %s failed: %s", call.Program, failure.Log)
	} else {
		log("Program %s success", call.Program)
	}
}

func (m *Message) index(key string) int { return slices.Index(m.Keys, key) }

// text returns a call in an encoding that is not binary.
func (m *Message) text(call *world.Instruction, height int, encoding string) json.RawMessage {
	data, accounts := base58.Encode(call.Data), call.Accounts
	parsed := func(value any) json.RawMessage {
		return world.JSON(`{"program":?,"programId":?,"parsed":?,"stackHeight":?}`, world.Layouts()[call.Program].Node, call.Program, value, height)
	}
	switch {
	case encoding != "jsonParsed":
		indexes := []int{}
		for _, key := range accounts {
			indexes = append(indexes, m.index(key))
		}
		return world.JSON(`{"programIdIndex":?,"accounts":?,"data":?,"stackHeight":?}`, m.index(call.Program), indexes, data, height)
	case call.Program == world.MemoProgram:
		return parsed(string(call.Data))
	case call.Program == string(types.AssociatedTokenProgram) && len(accounts) >= 6:
		name := "create"
		if string(call.Data) == "\x01" {
			name = "createIdempotent"
		}
		return parsed(world.JSON(`{"type":?,"info":{"source":?,"account":?,"wallet":?,"mint":?,"systemProgram":?,"tokenProgram":?}}`,
			name, accounts[0], accounts[1], accounts[2], accounts[3], accounts[4], accounts[5]))
	case call.Is("transfer"):
		return parsed(world.JSON(`{"type":"transfer","info":{"source":?,"destination":?,"lamports":?}}`, accounts[0], accounts[1], call.Number(4)))
	case world.Layouts()[call.Program].Node == "spl-token" && len(call.Data) == 9 && call.Data[0] == 3 && len(accounts) >= 3:
		return parsed(world.JSON(`{"type":"transfer","info":{"source":?,"destination":?,"authority":?,"amount":?}}`,
			accounts[0], accounts[1], accounts[2], world.Text(call.Number(1), 0)))
	case call.Is("transferChecked"):
		return parsed(world.JSON(`{"type":"transferChecked","info":{"source":?,"mint":?,"destination":?,"authority":?,"tokenAmount":?}}`,
			accounts[0], accounts[1], accounts[2], accounts[3], amountOf(call.Number(1), int(call.Data[9]), "")))
	}
	return world.JSON(`{"accounts":?,"data":?,"programId":?,"stackHeight":?}`, accounts, data, call.Program, height)
}

// Options are how a transaction is sent.
type Options struct {
	Encoding string
	Index    bool // with transactionIndex
	NoSlot   bool // as in a block
	Version  bool // a maximum version was sent
	Short    bool // with its accounts only
	Raw      bool // as raw webhooks have it
}

// Text returns a transaction as it is sent.
func Text(w *world.World, x *world.Transaction, o Options) json.RawMessage {
	m := MessageOf(w, x)
	var transaction json.RawMessage
	if o.Short {
		o.Encoding = "jsonParsed"
		transaction = world.JSON(`{"accountKeys":?,"signatures":?}`, m.roles(), m.Signatures)
	} else {
		transaction = m.encoded(o.Encoding)
	}
	return world.JSON(`{"slot":~,"transactionIndex":~,"blockTime":~,"version":~,"transaction":?,"meta":?,"indexWithinBlock":~}`,
		world.When(!o.NoSlot, "?", x.Slot), world.When(o.Index, "?", x.Index), world.When(!o.NoSlot, "?", w.BlockTime(x)), world.When(o.Version, "?", json.RawMessage(m.Version)),
		transaction, m.meta(o.Encoding, o.Short), world.When(o.Raw, "?", x.Index))
}

// roles returns the keys with their rights in the transaction.
func (m *Message) roles() []json.RawMessage {
	var all []json.RawMessage
	for i, key := range m.Keys {
		writable := i < m.Signers-m.ReadonlySigners || i >= m.Signers && i < len(m.Keys)-m.ReadonlyOthers
		all = append(all, world.JSON(`{"pubkey":?,"signer":?,"source":"transaction","writable":?}`, key, i < m.Signers, writable))
	}
	return all
}

// encoded returns the transaction in an encoding; empty means json.
func (m *Message) encoded(encoding string) json.RawMessage {
	if text := binaryOf(encoding, m.bytes()); text != nil {
		return text
	}
	var keys, header any = m.Keys, nil
	if encoding == "jsonParsed" {
		keys = m.roles()
	} else {
		header = world.JSON(`{"numRequiredSignatures":?,"numReadonlySignedAccounts":?,"numReadonlyUnsignedAccounts":?}`,
			m.Signers, m.ReadonlySigners, m.ReadonlyOthers)
	}
	var calls []json.RawMessage
	for i := range m.calls {
		calls = append(calls, m.text(&m.calls[i], 1, encoding))
	}
	return world.JSON(`{"message":{"accountKeys":?,"header":~,"instructions":?,"recentBlockhash":?,"transactionConfig":~},"signatures":?}`,
		keys, header, calls, m.Blockhash, m.Config, m.Signatures)
}

// bytes returns the transaction as it is sent to the network.
func (m *Message) bytes() []byte {
	if m.Wire != nil {
		return m.Wire
	}
	b := append([]byte{1}, world.Key(m.Signature)...)
	b = append(b, 1, 0, byte(m.ReadonlyOthers))
	b = binary.AppendUvarint(b, uint64(len(m.Keys)))
	for _, key := range m.Keys {
		b = append(b, world.Key(key)...)
	}
	b = append(b, world.Key(m.Blockhash)...)
	b = binary.AppendUvarint(b, uint64(len(m.calls)))
	for _, call := range m.calls {
		b = append(b, byte(m.index(call.Program)))
		b = binary.AppendUvarint(b, uint64(len(call.Accounts)))
		for _, account := range call.Accounts {
			b = append(b, byte(m.index(account)))
		}
		b = binary.AppendUvarint(b, uint64(len(call.Data)))
		b = append(b, call.Data...)
	}
	return b
}

// meta returns the result of the transaction. The short form, for blocks with accounts, has less.
func (m *Message) meta(encoding string, short bool) json.RawMessage {
	failure := m.Reason()
	var units, cost int
	var inner, loaded, logs any
	if !short {
		units = unitsOf(len(m.calls))
		cost = units + 1470
		calls := []json.RawMessage{}
		for i := range m.calls {
			var all []json.RawMessage
			for j := range m.calls[i].Inner {
				all = append(all, m.text(&m.calls[i].Inner[j], 2, encoding))
			}
			if all != nil {
				calls = append(calls, world.JSON(`{"index":?,"instructions":?}`, i, all))
			}
		}
		inner, logs = world.JSON("?", calls), world.JSON("?", m.Logs)
		if encoding != "jsonParsed" {
			loaded = json.RawMessage(`{"readonly":[],"writable":[]}`)
		}
	}
	return world.JSON(`{"computeUnitsConsumed":~,"costUnits":~,"err":?,"fee":?,"innerInstructions":~,"loadedAddresses":~,"logMessages":~,`+
		`"postBalances":?,"postTokenBalances":?,"preBalances":?,"preTokenBalances":?,"rewards":[],"status":?}`,
		units, cost, failure.Err, m.Fee, inner, loaded, logs, m.Lamports[1], m.texts(1), m.Lamports[0], m.texts(0), statusOf(failure.Err))
}

// statusOf returns a failure in the older form.
func statusOf(failure json.RawMessage) json.RawMessage {
	if string(failure) == "null" {
		return json.RawMessage(`{"Ok":null}`)
	}
	return world.JSON(`{"Err":?}`, failure)
}

// Transfers returns the transfers of SOL and of tokens in the form of enhanced and parsed
// transactions. Amount returns the members with the amount, in which they differ.
func Transfers(w *world.World, x *world.Transaction, amount func(raw uint64, decimals int) json.RawMessage) (native, tokens []json.RawMessage) {
	for _, t := range x.Transfers {
		if t.Mint == world.SOL {
			native = append(native, world.JSON(`{"fromUserAccount":?,"toUserAccount":?,"amount":?}`, t.From, t.To, t.Raw))
		} else {
			tokens = append(tokens, TokenTransfer(w, t, w.AccountOf(t.From, t.Mint), w.AccountOf(t.To, t.Mint), amount))
		}
	}
	return native, tokens
}

// TokenTransfer returns a transfer between two token accounts.
func TokenTransfer(w *world.World, t world.Transfer, from, to string, amount func(raw uint64, decimals int) json.RawMessage) json.RawMessage {
	token := w.Token(t.Mint)
	return world.JSON(`{"fromUserAccount":?,"toUserAccount":?,"fromTokenAccount":?,"toTokenAccount":?,?,"mint":?,"tokenStandard":?}`,
		t.From, t.To, from, to, amount(t.Raw, token.Decimals), t.Mint, token.Standard())
}
