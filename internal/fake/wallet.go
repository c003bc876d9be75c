package fake

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/solwire/solwire-go/types"
)

// wallet answers the operations under /v1/wallet.
func (s *Service) wallet(r *http.Request, body []byte) answer {
	q := query{values: r.URL.Query()}
	switch s.keyStatus(r.Header.Get("X-Api-Key"), q.text("api-key")) {
	case http.StatusUnauthorized:
		return refusal(http.StatusUnauthorized, "API key required. Pass via ?api-key=xxx or X-Api-Key header", "")
	case http.StatusTooManyRequests:
		a := refusal(http.StatusTooManyRequests, "RATE_LIMIT_EXCEEDED", "Too many requests. Retry after 2 seconds.")
		a.header = []string{"Retry-After", "2"}
		return a
	}
	wallet, operation, _ := strings.Cut(strings.TrimPrefix(r.URL.EscapedPath(), "/v1/wallet/"), "/")
	wallet, err := url.PathUnescape(wallet)
	if err != nil {
		return invalidPath()
	}
	if wallet == "batch-identity" && operation == "" && r.Method == http.MethodPost {
		return batchIdentity(r.Header.Get("Content-Type"), body, &q)
	}
	if r.Method != http.MethodGet {
		return invalidPath()
	}
	if len(body) > 0 {
		return badRequest("GET has no body")
	}
	switch operation {
	case "identity":
		return identityOf(wallet, &q)
	case "balances":
		return balances(wallet, &q)
	case "history":
		return history(wallet, &q)
	case "transfers":
		return transfers(wallet, &q)
	case "funded-by":
		return fundedBy(wallet, &q)
	case "balance-at":
		return balanceAt(wallet, &q)
	}
	return invalidPath()
}

// refusal is an error in the words of the wallet API.
func refusal(status int, text, details string) answer {
	return answer{status: status, body: encode(struct {
		Error   string `json:"error"`
		Code    int    `json:"code"`
		Details string `json:"details,omitempty"`
	}{text, status, details})}
}

func badRequest(details string) answer {
	return refusal(http.StatusBadRequest, "Invalid request", details)
}

func badAddress(wallet string) answer {
	return refusal(http.StatusBadRequest, "Invalid wallet address", fmt.Sprintf("'%s' is not a valid Solana address", wallet))
}

func isAddress(s string) bool {
	_, err := types.ParseAddress(s)
	return err == nil
}

// encode returns v, which is a value of this package, as JSON.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		return []byte(err.Error()) // a mistake in the data, to be seen in the answer
	}
	return b
}

// A query reads the parameters of a request and keeps the first mistake. What
// was not read when it is finished is one: the service may ignore it, but a
// client that sends it is wrong.
type query struct {
	values  url.Values
	mistake string
}

func (q *query) text(name string) string {
	values := q.values[name]
	delete(q.values, name)
	switch {
	case len(values) == 0:
		return ""
	case len(values) > 1:
		q.failf("%s is given %d times", name, len(values))
	case values[0] == "":
		q.failf("%s is empty", name)
	}
	return values[0]
}

// integer returns a number from 1 on.
func (q *query) integer(name string, missing, highest int) int {
	if !q.values.Has(name) {
		return missing
	}
	return int(q.long(name, 1, int64(highest)))
}

// long returns a parameter that must be there.
func (q *query) long(name string, lowest, highest int64) int64 {
	text := q.text(name)
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < lowest || n > highest || text != strconv.FormatInt(n, 10) {
		q.failf("%s must be an integer between %d and %d", name, lowest, highest)
	}
	return n
}

func (q *query) flag(name string, missing bool) bool {
	switch q.text(name) {
	case "":
		return missing
	case "true":
		return true
	case "false":
	default:
		q.failf("%s must be true or false", name)
	}
	return false
}

func (q *query) failf(format string, args ...any) {
	if q.mistake == "" {
		q.mistake = fmt.Sprintf(format, args...)
	}
}

// finish returns the answer to a mistake, if there was one, that of an address
// included.
func (q *query) finish(wallet string) (a answer, refused bool) {
	for _, name := range slices.Sorted(maps.Keys(q.values)) {
		q.failf("unknown parameter %s", name)
	}
	if q.mistake != "" {
		return badRequest(q.mistake), true
	}
	return badAddress(wallet), !isAddress(wallet)
}
