package parsed

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"regexp"
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
	IncludeRaw    bool                      `json:"includeRawTransaction,omitempty"` // as hosts without Raw name the encoding json

	optional map[string]bool // the members without which the response has all that was asked for
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

// fetch sends a request with the body for its members. A host that refuses an optional member
// as unknown gets the request again without it, and all later ones of the client.
func fetch[T any](ctx context.Context, c *Client, r transport.Request, m members, body func(members) any, check func(*T) error) (*T, error) {
	tried := map[string]bool{}
	for {
		sent := m
		c.refused.Range(func(name, _ any) bool {
			if name, _ := name.(string); m.optional[name] {
				sent.without(name)
			}
			return true
		})
		r.Body = body(sent)
		got, err := transport.Fetch(ctx, c.api, r, check)
		var refusal *types.APIError
		if !errors.As(err, &refusal) || refusal.StatusCode != http.StatusBadRequest {
			return got, err
		}
		text, _, _ := strings.Cut(refusal.Message+" "+refusal.Details, "expected") // the names of known members may follow
		name := memberName.FindString(text)
		if !m.optional[name] || tried[name] {
			return got, err
		}
		tried[name] = true
		c.refused.Store(name, true)
	}
}
