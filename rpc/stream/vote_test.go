package stream

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
)

// Nodes leave out plain votes, as they recognize them, and notify all others.
func TestOnlyPlainVotesAreLeftOut(t *testing.T) {
	const vote, other = "Program " + string(types.VoteProgram), "Program " + string(types.SystemProgram)
	for name, test := range map[string]struct {
		version    tx.Version
		signatures int
		logs       []string
		vote       bool
	}{
		"vote":               {"legacy", 1, []string{vote + " invoke [1]", vote + " success"}, true},
		"failed vote":        {"legacy", 1, []string{vote + " invoke [1]", vote + " failed: custom program error: 0x0"}, true},
		"two signatures":     {"", 2, []string{vote + " invoke [1]", vote + " success"}, true},
		"three signatures":   {"legacy", 3, []string{vote + " invoke [1]", vote + " success"}, false},
		"two instructions":   {"legacy", 1, []string{vote + " invoke [1]", vote + " success", vote + " invoke [1]"}, false},
		"version 0":          {"0", 1, []string{vote + " invoke [1]", vote + " success"}, false},
		"of another program": {"legacy", 1, []string{other + " invoke [1]", other + " success"}, false},
		"without logs":       {"legacy", 1, nil, false},
	} {
		executed := tx.Transaction{Version: test.version, Meta: tx.Meta{LogMessages: test.logs}, Signed: tx.Signed{Signatures: make([]types.Signature, test.signatures)}}
		require.Equal(t, test.vote, isVote(&executed), name)
	}
}
