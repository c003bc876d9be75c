package parsedapi

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// members are the members of requests that older hosts refuse.
type members struct {
	Status        types.Outcome             `json:"status,omitempty"`
	TokenAccounts types.TokenAccountHistory `json:"tokenAccounts,omitempty"`
	Raw           types.Encoding            `json:"rawTransaction,omitempty"`
	// hosts without Raw name the encoding json
	IncludeRaw bool `json:"includeRawTransaction,omitempty"`

	optional map[string]bool // members without which the response is still complete
}

// membersOf returns the members of a history. The status is always sent, since hosts differ in
// its default.
func membersOf(o types.Outcome, accounts types.TokenAccountHistory, raw types.Encoding) members {
	status := map[types.Outcome]types.Outcome{"": "any", types.OutcomeAll: "any", types.OutcomeSucceeded: "succeeded"}
	return members{
		Status: cmp.Or(status[o], o), TokenAccounts: cmp.Or(accounts, types.TokenAccountHistoryChanged), Raw: raw,
		optional: map[string]bool{"status": status[o] == "any", "tokenAccounts": accounts == "", "rawTransaction": raw == types.EncodingJSON},
	}
}

func checkRaw(raw types.Encoding) error {
	return argument.OneOf("Raw", raw, "", types.EncodingJSON, types.EncodingJSONParsed, types.EncodingBase64)
}

// without leaves a member out.
func (m *members) without(name string) {
	switch name {
	case "status":
		m.Status = ""
	case "tokenAccounts":
		m.TokenAccounts = ""
	case "rawTransaction":
		m.Raw, m.IncludeRaw = "", m.Raw == types.EncodingJSON
	}
}

// memberName matches the names of members in the text of a refusal.
var memberName = regexp.MustCompile(`\b(status|tokenAccounts|rawTransaction)\b`)

// fetch sends a request with the body for its members. If a host refuses an optional member, the
// request is repeated without it. If that succeeds, the host does not know the member, and later
// requests of the client leave it out.
func fetch[T any](ctx context.Context, c *Client, r transport.Request, m members, body func(members) any, check func(*T) error) (*T, error) {
	var left []string // members that this call has left out
	for {
		sent := m
		for name, optional := range m.optional {
			_, refused := c.refused.Load(name)
			if optional && (refused || slices.Contains(left, name)) {
				sent.without(name)
			}
		}
		r.Body = body(sent)
		got, err := transport.Fetch(ctx, c.api, r, check)
		if err == nil {
			for _, name := range left {
				c.refused.Store(name, true)
			}
		}
		var refusal *types.APIError
		if !errors.As(err, &refusal) || refusal.StatusCode != http.StatusBadRequest {
			return got, err
		}
		// the names of known members may follow
		text, _, _ := strings.Cut(refusal.Message+" "+refusal.Details, "expected")
		name := memberName.FindString(text)
		if !m.optional[name] || slices.Contains(left, name) {
			return got, err
		}
		left = append(left, name)
	}
}
