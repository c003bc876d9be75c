package stream

import (
	"bytes"
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
	if !callsVote(t) || t.Version != "" && t.Version != "legacy" {
		return false
	}
	m := &t.Signed.Message
	if t.Signed.Encoded == "" {
		return len(t.Signed.Signatures) < 3 && len(m.Instructions) == 1
	}
	raw, err := base64.StdEncoding.DecodeString(t.Signed.Encoded)
	if t.Signed.Encoding == string(types.EncodingBase58) {
		raw, err = base58.Decode(t.Signed.Encoded)
	}
	if err != nil {
		return false
	}
	return isPlainVote(raw)
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

// isPlainVote reads a legacy transaction, whose lengths up to 127 are one byte.
func isPlainVote(raw []byte) bool {
	const signature, header, key, blockhash = 64, 3, 32, 32
	if len(raw) == 0 || raw[0] >= 3 {
		return false
	}
	keys := 1 + int(raw[0])*signature + header
	if len(raw) <= keys || raw[keys] >= 128 {
		return false
	}
	instructions := keys + 1 + int(raw[keys])*key + blockhash
	if len(raw) <= instructions+1 || raw[instructions] != 1 {
		return false
	}
	program, err := voteProgram.Bytes()
	at := keys + 1 + int(raw[instructions+1])*key
	return err == nil && at+key <= instructions && bytes.Equal(raw[at:at+key], program)
}
