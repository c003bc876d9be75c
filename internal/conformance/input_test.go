package conformance_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
)

// An error names the address, hash, signature, slot or ID that the request asks for: the
// first one of several.
func TestErrorsNameTheirInput(t *testing.T) {
	t.Parallel()
	input := regexp.MustCompile(`"[1-9A-HJ-NP-Za-km-z]{32,88}"|/([1-9A-HJ-NP-Za-km-z]{32,44}|[0-9a-f-]{36})\b`)
	each(t, func(t *testing.T, r row) {
		s, c := serve(t, answer{400, `{"error":"no"}`})
		_, err := r.any()(t.Context(), c)
		var refusal *types.APIError
		require.ErrorAs(t, err, &refusal)
		sent := strings.Trim(input.FindString(strings.ReplaceAll(s.requests[0], r.wire, "")), `/"`)
		switch r.wire {
		case "getLatestNonVotingSignatures", "getLatestCompressionSignatures", "getLeaderSchedule": // a cursor, a slot
			sent = ""
		}
		first, _, _ := strings.Cut(refusal.Input, " and ")
		require.Contains(t, first, sent)
		if refusal.Input != "" {
			require.Contains(t, s.requests[0], first)
			require.Contains(t, err.Error(), r.wire+" of "+refusal.Input+": ")
		}
	})
}
