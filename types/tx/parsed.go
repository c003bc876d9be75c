package tx

import (
	"bytes"
	"encoding/json"
	"sync"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
)

// An AccountKey is an account of a transaction with its role.
type AccountKey struct {
	Address  types.Address `json:"pubkey"`
	Signer   bool          `json:"signer"`
	Writable bool          `json:"writable"`
	Source   KeySource     `json:"source"`
}

// A KeySource says where a transaction names an account.
type KeySource string

// The sources of an account.
const (
	KeySourceTransaction KeySource = "transaction" // in the message
	KeySourceLookupTable KeySource = "lookupTable" // in an address lookup table
)

// A ParsedInstruction is an instruction of a transaction that a node has parsed.
type ParsedInstruction struct {
	ProgramID types.Address `json:"programId"`

	// 1, or more for cross-program invocations; 0 when unknown.
	StackHeight int `json:"stackHeight"`

	// Program and Parsed are set for programs that the node knows. Parsed is an
	// object with the members type and info, or a string: the text of a memo.
	Program string          `json:"program,omitempty"` // such as system, spl-token or spl-memo
	Parsed  json.RawMessage `json:"parsed,omitempty"`  // as the node sent it

	// Accounts and Data are set for other programs.
	Accounts []types.Address `json:"accounts,omitzero"`
	Data     string          `json:"data,omitempty"` // base58
}

// plainInstruction is an instruction without UnmarshalJSON, so that a list of them is
// decoded in one pass.
type plainInstruction Instruction

// instructions are the plain instructions of a list. If a node parsed an instruction, decoding
// fails or sets ProgramID. The lists are pooled, since growing a list costs more than decoding it.
type instructions []struct {
	plainInstruction

	ProgramID types.Address `json:"programId"`
}

// plain returns a copy of the instructions, or nil when there are none or a node parsed
// one.
func (l instructions) plain() []Instruction {
	if len(l) == 0 {
		return nil
	}
	all := make([]Instruction, len(l))
	for i := range l {
		if l[i].ProgramID != "" {
			return nil
		}
		all[i] = Instruction(l[i].plainInstruction)
	}
	return all
}

// emptied returns the list for the next use, without its elements: a decoder leaves
// old elements between the length and the capacity.
func (l instructions) emptied() instructions {
	if cap(l) > maxPooled {
		return nil
	}
	clear(l[:cap(l)])
	return l[:0]
}

const maxPooled = 128 // instructions; a transaction has at most 64

// UnmarshalJSON decodes both forms of an instruction.
func (i *Instruction) UnmarshalJSON(b []byte) error {
	*i = Instruction{}
	if !bytes.Contains(b, []byte(`"programId"`)) {
		return decode.Value(b, (*plainInstruction)(i))
	}
	i.Parsed = new(ParsedInstruction)
	err := decode.Value(b, i.Parsed)
	i.Parsed.Parsed = decode.Present(i.Parsed.Parsed)
	return err
}

// MarshalJSON encodes the instruction in the form in which it came.
func (i Instruction) MarshalJSON() ([]byte, error) {
	if i.Parsed != nil {
		return json.Marshal(i.Parsed)
	}
	return json.Marshal(plainInstruction(i))
}

// plainInner are inner instructions that no node parsed.
type plainInner struct {
	Index        int          `json:"index"`
	Instructions instructions `json:"instructions"`
}

var innerPool = sync.Pool{New: func() any { return new(plainInner) }}

// UnmarshalJSON decodes both forms of the instructions.
func (i *InnerInstructions) UnmarshalJSON(b []byte) error {
	in, _ := innerPool.Get().(*plainInner)
	defer func() {
		*in = plainInner{Instructions: in.Instructions.emptied()}
		innerPool.Put(in)
	}()
	if err := decode.Value(b, in); err == nil {
		if list := in.Instructions.plain(); list != nil {
			*i = InnerInstructions{in.Index, list}
			return nil
		}
	}
	type plain InnerInstructions // without this method
	*i = InnerInstructions{}
	return decode.Value(b, (*plain)(i))
}

// plainSigned is a transaction with plain instructions.
type plainSigned struct {
	Signatures []types.Signature `json:"signatures"`
	Message    struct {
		Message

		Instructions instructions `json:"instructions"` // hides the member of Message
	} `json:"message"`
}

var signedPool = sync.Pool{New: func() any { return new(plainSigned) }}

// parsedMessage is a message whose accounts have roles.
type parsedMessage struct {
	AccountKeys         []AccountKey         `json:"accountKeys"`
	RecentBlockhash     types.Hash           `json:"recentBlockhash"`
	AddressTableLookups []AddressTableLookup `json:"addressTableLookups,omitzero"`
	Instructions        []Instruction        `json:"instructions"`
	Config              *V1Config            `json:"transactionConfig,omitempty"`
}

// parsedSigned is a transaction with a parsed message, or with accounts alone.
type parsedSigned struct {
	Signatures  []types.Signature `json:"signatures"`
	AccountKeys []AccountKey      `json:"accountKeys,omitempty"`
	Message     *parsedMessage    `json:"message,omitempty"`
}

// UnmarshalJSON decodes all forms of a transaction: an object with a message or with accounts
// alone, a pair of text and encoding, or base58 text.
func (s *Signed) UnmarshalJSON(b []byte) error {
	type plain Signed // without this method
	*s = Signed{}
	switch b = bytes.TrimSpace(b); {
	case bytes.HasPrefix(b, []byte(`"`)):
		s.Encoding = "base58"
		err := decode.Value(b, &s.Encoded)
		s.Signatures = s.encodedSignatures()
		return err
	case bytes.HasPrefix(b, []byte(`[`)):
		var pair [2]string
		err := decode.Value(b, &pair)
		s.Encoded, s.Encoding = pair[0], pair[1]
		s.Signatures = s.encodedSignatures()
		return err
	case hasRoles(b):
		return s.parse(b)
	}
	if s.decodePlain(b) {
		return nil
	}
	return decode.Value(b, (*plain)(s))
}

// decodePlain decodes b if it is a transaction with plain instructions, and reports whether it is.
func (s *Signed) decodePlain(b []byte) bool {
	in, _ := signedPool.Get().(*plainSigned)
	defer func() {
		list := in.Message.Instructions.emptied()
		*in = plainSigned{}
		in.Message.Instructions = list
		signedPool.Put(in)
	}()
	if err := decode.Value(b, in); err != nil {
		return false
	}
	list := in.Message.Instructions.plain()
	if list == nil {
		return false
	}
	*s = Signed{Signatures: in.Signatures, Message: in.Message.Message}
	s.Message.Instructions = list
	return true
}

// parse decodes a transaction whose accounts have roles.
func (s *Signed) parse(b []byte) error {
	var in parsedSigned
	if err := decode.Value(b, &in); err != nil {
		return err
	}
	s.Signatures = in.Signatures
	m := &s.Message
	m.ParsedKeys = in.AccountKeys
	if p := in.Message; p != nil {
		m.ParsedKeys = p.AccountKeys
		m.RecentBlockhash, m.AddressTableLookups, m.Instructions, m.Config = p.RecentBlockhash, p.AddressTableLookups, p.Instructions, p.Config
	}
	m.AccountKeys = make([]types.Address, 0, len(m.ParsedKeys))
	for i := range m.ParsedKeys {
		if m.ParsedKeys[i].Source != KeySourceLookupTable {
			m.AccountKeys = append(m.AccountKeys, m.ParsedKeys[i].Address)
		}
	}
	return nil
}

// hasRoles reports whether the account keys of a transaction are objects.
func hasRoles(b []byte) bool {
	_, after, _ := bytes.Cut(b, []byte(`"accountKeys"`))
	for _, token := range []string{":", "[", "{"} {
		after = bytes.TrimLeft(after, " \t\r\n")
		if !bytes.HasPrefix(after, []byte(token)) {
			return false
		}
		after = after[1:]
	}
	return true
}

// MarshalJSON encodes the transaction in the form in which it came.
func (s Signed) MarshalJSON() ([]byte, error) {
	m := &s.Message
	switch {
	case s.Encoding != "":
		return json.Marshal([]string{s.Encoded, s.Encoding})
	case m.ParsedKeys == nil:
		type plain Signed // without this method
		return json.Marshal(plain(s))
	case m.RecentBlockhash == "" && m.Instructions == nil:
		return json.Marshal(parsedSigned{Signatures: s.Signatures, AccountKeys: m.ParsedKeys})
	}
	return json.Marshal(parsedSigned{Signatures: s.Signatures, Message: &parsedMessage{
		m.ParsedKeys, m.RecentBlockhash, m.AddressTableLookups, m.Instructions, m.Config,
	}})
}
