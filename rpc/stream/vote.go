package stream

import (
	"strings"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
)

// isVote reports whether nodes leave a transaction out as a plain vote: a legacy one with
// fewer than three signatures and one instruction, of the vote program. Its logs, which it
// has in every encoding, begin with the program.
func isVote(t *tx.Transaction) bool {
	s, logs := &t.Signed, t.Meta.LogMessages
	if len(s.Signatures) >= 3 || t.Version != "" && t.Version != "legacy" || len(logs) == 0 || !strings.HasPrefix(logs[0], "Program "+string(types.VoteProgram)+" ") {
		return false
	}
	if s.Encoded == "" {
		return len(s.Message.Instructions) == 1
	}
	raw, err := s.Bytes()
	return err == nil && instructions(raw) == 1
}

// instructions returns the number of instructions of a legacy transaction; 0 if it is
// truncated. Its lengths up to 127 are one byte.
func instructions(raw []byte) byte {
	const signature, header, key, blockhash = 64, 3, 32, 32
	at := 0
	for _, part := range [2][2]int{{signature, header}, {key, blockhash}} { // each list, and what follows it
		if at >= len(raw) {
			return 0
		}
		at += 1 + int(raw[at])*part[0] + part[1]
	}
	if at >= len(raw) {
		return 0
	}
	return raw[at]
}
