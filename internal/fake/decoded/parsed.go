// Package decoded answers Parsed Events with views of the world.
package decoded

import (
	"encoding/binary"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/internal/fake/node"
	"github.com/solwire/solwire-go/internal/fake/wire"
	"github.com/solwire/solwire-go/internal/fake/world"
)

// The program of swaps, and the pool that failed ones attempted to pay.
const (
	swapProgram = "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4"
	pool        = "8x5VqbHA8D7NkD52uNuS5nnt3PwA8pLD34ymskeSo2Wn"
)

type result struct {
	Signature string          `json:"signature"`
	Status    string          `json:"parserStatus"`
	Parsed    *transaction    `json:"parsed,omitempty"`
	Error     *parserError    `json:"parserError,omitempty"`
	Raw       json.RawMessage `json:"rawTransaction,omitempty"`
}

type parserError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

type transaction struct {
	Slot         uint64           `json:"slot"`
	Time         *int64           `json:"blockTime"`
	Fee          uint64           `json:"fee"`
	FeePayer     string           `json:"feePayer"`
	Status       string           `json:"transactionStatus"`
	Err          json.RawMessage  `json:"error"`
	Decoded      *decodedError    `json:"decodedError"`
	Native       []nativeTransfer `json:"nativeTransfers"`
	Tokens       []tokenTransfer  `json:"tokenTransfers"`
	Summary      *summary         `json:"summary"`
	Instructions []instruction    `json:"instructions"`
}

type decodedError struct {
	Index       int     `json:"instructionIndex"`
	Program     string  `json:"programId"`
	ProgramName string  `json:"programName"`
	Code        int     `json:"code"`
	Name        string  `json:"name"`
	Message     *string `json:"msg"`
}

type nativeTransfer struct {
	From   string `json:"fromUserAccount"`
	To     string `json:"toUserAccount"`
	Amount uint64 `json:"amount"`
}

type tokenTransfer struct {
	From        string `json:"fromUserAccount"`
	To          string `json:"toUserAccount"`
	FromAccount string `json:"fromTokenAccount"`
	ToAccount   string `json:"toTokenAccount"`
	Amount      uint64 `json:"rawTokenAmount"`
	Decimals    int    `json:"decimals"`
	Standard    string `json:"tokenStandard"`
	Mint        string `json:"mint"`
}

type summary struct {
	Type        string            `json:"type"`
	Description string            `json:"description"`
	Data        map[string]string `json:"parsedData"`
}

type instruction struct {
	Index       int      `json:"instructionIndex"`
	Inner       *int     `json:"innerInstructionIndex"`
	Height      int      `json:"stackHeight"`
	Program     string   `json:"programId"`
	Accounts    []string `json:"rawAccounts"`
	Data        string   `json:"rawData"`
	Summary     *summary `json:"summary"`
	ProgramName *string  `json:"programName"`
	Name        *string  `json:"instructionName"`
	Decoded     *decoded `json:"decoded"`
}

type decoded struct {
	Args     map[string]any `json:"args"`
	Accounts []account      `json:"accounts"`
}

type account struct {
	Name     string `json:"name"`
	Address  string `json:"pubkey"`
	Signer   bool   `json:"isSigner"`
	Writable bool   `json:"isWritable"`
}

// resultOf returns the result for a signature; x is nil if it is unknown.
func resultOf(w *world.World, signature string, x *world.Transaction, raw bool) result {
	if x == nil {
		return result{Signature: signature, Status: "ERROR", Error: &parserError{"transaction_not_found", "transaction not found"}}
	}
	r := result{Signature: signature, Status: "OK", Parsed: parse(w, x)}
	if raw {
		r.Raw = node.Text(w, x, node.Options{Index: true, Version: true})
	}
	return r
}

func parse(w *world.World, x *world.Transaction) *transaction {
	t := &transaction{
		Slot: x.Slot, Fee: x.Fee, FeePayer: x.FeePayer, Status: "OK", Err: wire.Null(),
		Native: []nativeTransfer{}, Tokens: []tokenTransfer{}, Instructions: []instruction{},
	}
	if !w.Untimed(x) {
		at := x.Time.Unix()
		t.Time = &at
	}
	for _, m := range x.Transfers {
		t.move(w, m)
	}
	switch in, out := swapOf(x); {
	case x.Failure != "":
		t.fail(x)
	case in != nil:
		t.swap(w, x, *in, *out)
	default:
		for _, m := range x.Transfers {
			t.Instructions = append(t.Instructions, transfer(w, m))
		}
		if len(x.Transfers) == 1 {
			t.Summary = t.Instructions[0].Summary
		}
	}
	for _, i := range x.Instructions {
		t.Instructions = append(t.Instructions, instruction{Height: 1, Program: i.Program, Accounts: append([]string{}, i.Accounts...), Data: base58.Encode(i.Data)})
	}
	top := -1
	for i := range t.Instructions {
		if t.Instructions[i].Inner == nil {
			top++
		}
		t.Instructions[i].Index = top
	}
	return t
}

func (t *transaction) move(w *world.World, m world.Transfer) {
	token := w.Token(m.Mint)
	if token.IsNative() {
		t.Native = append(t.Native, nativeTransfer{m.From, m.To, m.Raw})
		return
	}
	standard := "Fungible"
	if token.Asset != nil {
		standard = "NonFungible"
	}
	t.Tokens = append(t.Tokens, tokenTransfer{
		m.From, m.To, w.AccountOf(m.From, m.Mint), w.AccountOf(m.To, m.Mint), m.Raw, token.Decimals, standard, m.Mint,
	})
}

// fail adds what a failed transaction attempted: to swap one SOL.
func (t *transaction) fail(x *world.Transaction) {
	const lamports, code = 1_000_000_000, 6001
	t.Status, t.Err = "ERROR", json.RawMessage(`{"InstructionError":[0,{"Custom":6001}]}`)
	t.Decoded = &decodedError{0, swapProgram, "jupiter", code, "SlippageToleranceExceeded", wire.OrNull(x.Failure)}
	t.Native = append(t.Native, nativeTransfer{x.FeePayer, pool, lamports})
	t.Summary = &summary{"swap", "Swap", nil}
	t.Instructions = append(t.Instructions, route(x.FeePayer, lamports, 0, t.Summary))
}

// swapOf returns what the fee payer of a swap pays and what it receives, nil if x is not a
// swap.
func swapOf(x *world.Transaction) (in, out *world.Transfer) {
	if x.Kind != "SWAP" || len(x.Transfers) != 2 {
		return nil, nil
	}
	in, out = &x.Transfers[0], &x.Transfers[1]
	if in.From != x.FeePayer {
		in, out = out, in
	}
	return in, out
}

// swap adds a call of the swap program, which transfers by inner instructions. As with real
// venues, the summary has the amount before the fee of the pool, here one percent.
func (t *transaction) swap(w *world.World, x *world.Transaction, in, out world.Transfer) {
	quoted := out.Raw + out.Raw/100
	shown := func(m world.Transfer, raw uint64) string {
		token := w.Token(m.Mint)
		return world.Text(raw, token.Decimals) + " " + m.Mint
	}
	t.Summary = &summary{
		"swap", "Swap " + shown(in, in.Raw) + " for " + shown(out, quoted),
		map[string]string{"inAmount": decimal(in.Raw), "outAmount": decimal(quoted)},
	}
	t.Instructions = append(t.Instructions, route(x.FeePayer, in.Raw, quoted, t.Summary))
	for i, m := range x.Transfers {
		inner := transfer(w, m)
		inner.Inner, inner.Height = &i, 2
		t.Instructions = append(t.Instructions, inner)
	}
}

func route(user string, in, out uint64, s *summary) instruction {
	data := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64([]byte{229, 23, 203, 151, 122, 227, 173, 42}, in), out)
	return instruction{
		Height: 1, Program: swapProgram, Accounts: []string{user, pool}, Data: base58.Encode(data), Summary: s,
		ProgramName: wire.OrNull("jupiter"), Name: wire.OrNull("route"), Decoded: &decoded{
			map[string]any{"inAmount": decimal(in), "quotedOutAmount": decimal(out), "slippageBps": 50},
			[]account{{"userTransferAuthority", user, true, true}, {"pool", pool, false, true}},
		},
	}
}

// transfer returns the instruction of the system program or a token program.
func transfer(w *world.World, m world.Transfer) instruction {
	token := w.Token(m.Mint)
	s := &summary{"transfer", "Transfer of " + world.Text(m.Raw, token.Decimals), map[string]string{"amount": decimal(m.Raw)}}
	if token.IsNative() {
		return instruction{
			Height: 1, Program: world.System, Accounts: []string{m.From, m.To}, Summary: s,
			Data:        base58.Encode(binary.LittleEndian.AppendUint64([]byte{2, 0, 0, 0}, m.Raw)),
			ProgramName: wire.OrNull("system_program"), Name: wire.OrNull("transfer"), Decoded: &decoded{
				map[string]any{"lamports": decimal(m.Raw)}, []account{{"from", m.From, true, true}, {"to", m.To, false, true}},
			},
		}
	}
	from, to := w.AccountOf(m.From, m.Mint), w.AccountOf(m.To, m.Mint)
	name := "spl_token"
	if token.Token2022 {
		name = "spl_token_2022"
	}
	return instruction{
		Height: 1, Program: token.Program(), Accounts: []string{from, m.Mint, to, m.From}, Summary: s,
		Data:        base58.Encode(append(binary.LittleEndian.AppendUint64([]byte{12}, m.Raw), byte(token.Decimals))),
		ProgramName: &name, Name: wire.OrNull("transferChecked"), Decoded: &decoded{
			map[string]any{"amount": decimal(m.Raw), "decimals": token.Decimals},
			[]account{{"source", from, false, true}, {"mint", m.Mint, false, false}, {"destination", to, false, true}, {"authority", m.From, true, false}},
		},
	}
}

func decimal(n uint64) string { return strconv.FormatUint(n, 10) }

func refuse(message string) *wire.Refusal {
	return &wire.Refusal{Code: http.StatusBadRequest, Message: message}
}
