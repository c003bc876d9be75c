package stream

import (
	"encoding/base64"
	"strings"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
)

const voteProgram types.Address = "Vote111111111111111111111111111111111111111"

// isVote reports whether nodes leave a transaction out as a plain vote: a legacy one with
// fewer than three signatures and one instruction, of the vote program.
func isVote(t *tx.Transaction) bool {
	s := &t.Signed
	if len(s.Signatures) >= 3 || t.Version != "" && t.Version != "legacy" || !callsVote(t) {
		return false
	}
	if s.Encoded == "" {
		return len(s.Message.Instructions) == 1
	}
	raw, err := base64.StdEncoding.DecodeString(s.Encoded)
	if s.Encoding == string(types.EncodingBase58) {
		raw, err = base58.Decode(s.Encoded)
	}
	return err == nil && instructions(raw) == 1
}

// callsVote reports whether a transaction calls nothing but the vote program, by its logs,
// which it has in every encoding.
func callsVote(t *tx.Transaction) bool {
	votes := false
	for _, line := range t.Meta.LogMessages {
		if strings.HasSuffix(line, " invoke [1]") {
			if !strings.HasPrefix(line, "Program "+string(voteProgram)+" ") {
				return false
			}
			votes = true
		}
	}
	return votes
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
