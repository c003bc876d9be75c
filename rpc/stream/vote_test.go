package stream

import (
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
)

// Nodes leave out what they take for a plain vote, and notify all others.
func TestOnlyPlainVotesAreLeftOut(t *testing.T) {
	program, err := types.VoteProgram.Bytes()
	require.NoError(t, err)
	raw := func(version, signatures, instructions int) []byte {
		b := append([]byte{byte(signatures)}, make([]byte, 64*signatures)...)
		if version >= 0 {
			b = append(b, 0x80|byte(version))
		}
		b = append(b, 1, 0, 1, 2)
		b = append(append(b, make([]byte, 32)...), program...)
		b = append(append(b, make([]byte, 32)...), byte(instructions))
		for range instructions {
			b = append(b, 1, 1, 0, 0)
		}
		return b
	}
	const invoke = "Program " + string(types.VoteProgram) + " invoke [1]"
	for name, test := range map[string]struct {
		version                  int
		signatures, instructions int
		log                      string
		vote                     bool
	}{
		"vote":               {-1, 1, 1, invoke, true},
		"two signatures":     {-1, 2, 1, invoke, true},
		"three signatures":   {-1, 3, 1, invoke, false},
		"two instructions":   {-1, 1, 2, invoke, false},
		"version 0":          {0, 1, 1, invoke, false},
		"of another program": {-1, 1, 1, "Program 11111111111111111111111111111111 invoke [1]", false},
	} {
		t.Run(name, func(t *testing.T) {
			version := tx.Version("legacy")
			if test.version >= 0 {
				version = "0"
			}
			encoded := tx.Transaction{Version: version, Meta: tx.Meta{LogMessages: []string{test.log}}}
			parsed := encoded
			encoded.Signed = tx.Signed{Signatures: make([]types.Signature, test.signatures), Encoded: base64.StdEncoding.EncodeToString(raw(test.version, test.signatures, test.instructions)), Encoding: "base64"}
			parsed.Signed = tx.Signed{Signatures: make([]types.Signature, test.signatures), Message: tx.Message{Instructions: make([]tx.Instruction, test.instructions)}}
			require.Equal(t, test.vote, isVote(&encoded))
			require.Equal(t, test.vote, isVote(&parsed))
		})
	}
	for cut := range 100 { // no panic
		require.Zero(t, instructions(raw(-1, 1, 1)[:cut]))
	}
}
