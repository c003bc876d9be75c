package stream

import (
	"slices"
	"strings"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
)

// isVote reports whether a transaction is a plain vote, which nodes leave out. It is a legacy
// transaction with fewer than three signatures and one instruction, of the vote program. Its logs
// name the program in every encoding.
func isVote(t *tx.Transaction) bool {
	const invoke = " invoke [1]"
	logs := t.Meta.LogMessages
	return len(t.Signed.Signatures) < 3 && (t.Version == "" || t.Version == "legacy") &&
		len(logs) > 0 && logs[0] == "Program "+string(types.VoteProgram)+invoke &&
		!slices.ContainsFunc(logs[1:], func(line string) bool { return strings.HasSuffix(line, invoke) })
}
