package fake

import (
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Limits of the service.
const (
	maxWebhooks     = 50 // of a paid plan
	maxWatched      = 100_000
	listedAddresses = 100 // of each webhook in a list
)

// A webhook is one as it is sent.
type webhook struct {
	ID       string   `json:"webhookID"`
	Wallet   string   `json:"wallet"`
	Project  string   `json:"project"`
	URL      string   `json:"webhookURL"`
	Types    []string `json:"transactionTypes"`
	Accounts []string `json:"accountAddresses"`
	Type     string   `json:"webhookType"`
	Auth     string   `json:"authHeader,omitempty"`
	Status   string   `json:"txnStatus"`
	Encoding string   `json:"encoding"`
	Active   bool     `json:"active"`
}

// webhooks answers the operations under /v0/webhooks.
func (s *Service) webhooks(r *http.Request, body []byte) answer {
	query := r.URL.Query()
	switch s.keyStatus(query.Get("api-key")) {
	case http.StatusUnauthorized:
		return webhookRefusal(http.StatusUnauthorized, "Unauthorized")
	case http.StatusTooManyRequests:
		a := webhookRefusal(http.StatusTooManyRequests, "Rate limit exceeded")
		a.header = []string{"Retry-After", "2"}
		return a
	}
	if len(query) != 1 || len(query["api-key"]) != 1 {
		return badWebhook("unknown or repeated query parameter")
	}
	media := r.Header.Get("Content-Type")
	switch r.Method {
	case http.MethodDelete:
		if media != "" && len(body) == 0 {
			return answer{status: http.StatusBadRequest, body: []byte(`{"statusCode":400,"error":"Bad Request",` +
				`"message":"Body cannot be empty when content-type is set to 'application/json'"}`)}
		}
	case http.MethodPost, http.MethodPut, http.MethodPatch:
		if media != "application/json" {
			return badWebhook("content-type is not application/json")
		}
	}
	if r.Method != http.MethodPost && r.Method != http.MethodPut && r.Method != http.MethodPatch && len(body) > 0 {
		return badWebhook("body is not expected")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	id, one := strings.CutPrefix(r.URL.Path, "/v0/webhooks/")
	switch {
	case one:
		return s.oneWebhook(r.Method, id, body)
	case r.URL.Path == "/v0/webhooks" && r.Method == http.MethodGet:
		return ok(encode(s.listWebhooks()))
	case r.URL.Path == "/v0/webhooks" && r.Method == http.MethodPost:
		return s.createWebhook(body)
	}
	return invalidPath()
}

func (s *Service) oneWebhook(method, id string, body []byte) answer {
	i := slices.IndexFunc(s.hooks, func(h *webhook) bool { return h.ID == id })
	if i < 0 {
		return webhookRefusal(http.StatusNotFound, "Webhook not found: "+id)
	}
	h := s.hooks[i]
	switch method {
	case http.MethodGet:
		return ok(encode(h))
	case http.MethodPut:
		next, mistake := readWebhook(body)
		if mistake == "" && len(next.Accounts) == 0 {
			mistake = "accountAddresses is required"
		}
		if mistake != "" {
			return badWebhook(mistake)
		}
		next.ID, next.Wallet, next.Project, next.Active = h.ID, h.Wallet, h.Project, h.Active
		s.hooks[i] = next
		return ok(encode(next))
	case http.MethodPatch:
		var in struct {
			Active *bool `json:"active"`
		}
		members, isObject := object(body)
		if !isObject || len(members) != 1 || json.Unmarshal(body, &in) != nil || in.Active == nil {
			return badWebhook("active is required, and nothing else")
		}
		next := *h
		next.Active = *in.Active
		s.hooks[i] = &next
		return ok(encode(next))
	case http.MethodDelete:
		s.hooks = slices.Delete(s.hooks, i, i+1)
		return ok(nil)
	}
	return invalidPath()
}

func (s *Service) listWebhooks() []webhook {
	all := []webhook{}
	for _, h := range s.hooks {
		short := *h
		short.Accounts = short.Accounts[:min(len(short.Accounts), listedAddresses)]
		all = append(all, short)
	}
	return all
}

func (s *Service) createWebhook(body []byte) answer {
	h, mistake := readWebhook(body)
	switch {
	case mistake != "":
		return badWebhook(mistake)
	case len(s.hooks) == maxWebhooks:
		return badWebhook(fmt.Sprintf("You have reached webhook limit of %d", maxWebhooks))
	}
	s.made++
	h.ID, h.Wallet, h.Project, h.Active = webhookID(s.made), Wallet, "solwire-demo", true
	s.hooks = append(s.hooks, h)
	return ok(encode(h))
}

// webhookID makes the UUID of the n-th webhook: version 4, as those of the
// service are.
func webhookID(n int) string {
	var b [16]byte
	x := seed(0x3eb400c5).item(n)
	x.bytes(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// readWebhook reads the body of a create or an edit. Neither merges: what is
// not given has its default.
func readWebhook(body []byte) (h *webhook, mistake string) {
	members, isObject := object(body)
	if !isObject {
		return nil, "body is not an object"
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		switch name {
		case "webhookURL", "transactionTypes", "accountAddresses", "webhookType", "authHeader", "txnStatus", "encoding":
		default: // wallet and webhookID too: an answer is no request
			return nil, fmt.Sprintf("property %s should not exist", name)
		}
	}
	h = &webhook{Types: []string{}, Accounts: []string{}, Status: "all", Encoding: "jsonParsed"}
	if err := json.Unmarshal(body, h); err != nil {
		return nil, "wrong type: " + err.Error()
	}
	switch {
	case !deliverable(h.URL):
		return nil, "webhookURL is not a valid URL"
	case !slices.Contains([]string{"enhanced", "raw", "discord", "enhancedDevnet", "rawDevnet", "discordDevnet"}, h.Type):
		return nil, "webhookType is not one of the types"
	case !slices.Contains([]string{"all", "success", "failed"}, h.Status):
		return nil, "txnStatus is not one of the statuses"
	case h.Encoding != "jsonParsed":
		return nil, "encoding is not jsonParsed"
	case len(h.Accounts) > maxWatched:
		return nil, fmt.Sprintf("accountAddresses has more than %d entries", maxWatched)
	}
	for _, a := range h.Accounts {
		if !isAddress(a) {
			return nil, "accountAddresses has an entry that is no address: " + a
		}
	}
	for _, t := range h.Types {
		if t == "" || t != strings.ToUpper(t) {
			return nil, "transactionTypes has an entry that is no type: " + t
		}
	}
	return h, ""
}

// deliverable is the service's rule for URLs, but loopback hosts, which it
// refuses, are how tests and examples receive.
func deliverable(raw string) bool {
	u, err := url.Parse(raw)
	if err != nil || u.Hostname() == "" {
		return false
	}
	local := u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback()
	return u.Scheme == "https" || u.Scheme == "http" && local
}

func badWebhook(message string) answer { return webhookRefusal(http.StatusBadRequest, message) }

// webhookRefusal is an error in the words of the webhook API, which dresses
// each status as a JSON-RPC error.
func webhookRefusal(status int, message string) answer {
	code := map[int]int{400: -32602, 401: -32001, 404: -32601, 429: -32005}[status]
	return answer{status: status, body: encode(struct {
		JSONRPC string `json:"jsonrpc"`
		Error   any    `json:"error"`
		ID      string `json:"id"`
	}{"2.0", struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}{code, message}, "1"})}
}
