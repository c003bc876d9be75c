package parsedapi

import (
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/types"
)

// A Match says which transactions a scan finds. It has programs, mints or both: with both, a
// transaction has to match one of each.
type Match struct {
	Programs []ProgramMatch `json:"programs,omitempty"` // up to 20, each program once
	Mints    []MintMatch    `json:"mints,omitempty"`    // up to 20, each mint once
}

// A ProgramMatch finds transactions that call a program, also from another program. With
// Instructions or Discriminators, one of them has to be called.
type ProgramMatch struct {
	ProgramID types.Address `json:"programId"`

	// Instructions are up to 50 names, as the description of the program (IDL) spells them or
	// in snake_case. The service refuses unknown names with status 400.
	Instructions []string `json:"instructions,omitempty"`

	Discriminators []Discriminator `json:"discriminators,omitempty"` // up to 50

	Scope Scope `json:"scope,omitempty"` // empty means ScopeAddress
}

// A Discriminator is the beginning of the data of an instruction, 1 to 8 bytes, which tells the
// instructions of a program apart. Programs of Anchor have 8.
type Discriminator []byte

// MarshalText encodes the bytes in hexadecimal, as the service expects them.
func (d Discriminator) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, d), nil }

// A MintMatch finds transactions with a balance of a token before or after.
type MintMatch struct {
	// Mint is the token; [types.NativeSOLMint] or [types.SOL] for changes of SOL apart from
	// the fee.
	Mint types.Address `json:"mint"`

	Scope Scope `json:"scope,omitempty"` // empty means ScopeAddress
}

// A Scope says whose calls and balances a scan looks at.
type Scope string

// The scopes.
const (
	// ScopeAddress means balances of the address, and calls that name the address or one of its
	// token accounts. For the address of a mint, it means calls that name an account of its
	// tokens. It is the default.
	ScopeAddress Scope = "address"

	ScopeTransaction Scope = "transaction" // all calls and balances in transactions of the address
)

// sent returns a copy of m as it is sent.
func (m Match) sent() Match {
	m.Mints = append([]MintMatch(nil), m.Mints...)
	for i := range m.Mints {
		if m.Mints[i].Mint.IsNativeSOL() {
			m.Mints[i].Mint = types.NativeSOLMint
		}
	}
	return m
}

// text tells matches apart in the cursors of listings.
func (m Match) text() string {
	b, _ := json.Marshal(m) // it has only texts
	return string(b)
}

func (m Match) check() error {
	if len(m.Programs)+len(m.Mints) == 0 {
		return argument.Invalid("match", "is empty; set Programs or Mints")
	}
	for i, p := range m.Programs {
		name := fmt.Sprintf("match.Programs[%d].", i)
		if err := argument.Address(name+"ProgramID", p.ProgramID); err != nil {
			return err
		}
		if err := argument.OneOf(name+"Scope", p.Scope, "", ScopeAddress, ScopeTransaction); err != nil {
			return err
		}
		for j, d := range p.Discriminators {
			if len(d) < 1 || len(d) > 8 {
				return argument.Invalid(fmt.Sprintf("%sDiscriminators[%d]", name, j), fmt.Sprintf("has %d bytes, not 1 to 8", len(d)))
			}
		}
	}
	for i, t := range m.Mints {
		name := fmt.Sprintf("match.Mints[%d].", i)
		if err := argument.Address(name+"Mint", t.Mint); err != nil {
			return err
		}
		if err := argument.OneOf(name+"Scope", t.Scope, "", ScopeAddress, ScopeTransaction); err != nil {
			return err
		}
	}
	return nil
}
