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

// A webhook as it is sent. Webhooks are replaced, never changed.
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

// webhooks answers the routes under /v0/webhooks.
func (s *Service) webhooks(r *http.Request, body []byte) answer {
	query := r.URL.Query()
	switch s.keyStatus(query.Get("api-key")) {
	case http.StatusUnauthorized:
		return webhookRefusal(&refusal{http.StatusUnauthorized, "Unauthorized", ""})
	case http.StatusTooManyRequests:
		return webhookRefusal(&refusal{http.StatusTooManyRequests, "Rate limit exceeded", ""}).overLimit()
	}
	media := r.Header.Get("Content-Type")
	hasBody := r.Method == http.MethodPost || r.Method == http.MethodPut || r.Method == http.MethodPatch
	switch {
	case !s.Lenient && (len(query) != 1 || len(query["api-key"]) != 1):
		return webhookRefusal(badWebhook("unknown or repeated query parameter"))
	case r.Method == http.MethodDelete && media != "" && len(body) == 0:
		return answer{status: http.StatusBadRequest, body: []byte(`{"statusCode":400,"error":"Bad Request",` +
			`"message":"Body cannot be empty when content-type is set to 'application/json'"}`)}
	case hasBody && !isJSON(media):
		return webhookRefusal(badWebhook("content-type is not application/json"))
	case !hasBody && len(body) > 0 && !s.Lenient:
		return webhookRefusal(badWebhook("body is not expected"))
	}
	op, values := routed(r)
	if op == nil {
		return invalidPath()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	result, refused := op(s, &call{path: values, body: body})
	if refused != nil {
		return webhookRefusal(refused)
	}
	return ok(result)
}

// find returns the webhook that c names, and its index.
func (s *Service) find(c *call) (int, *webhook, *refusal) {
	id := c.path["webhookID"]
	i := slices.IndexFunc(s.hooks, func(h *webhook) bool { return h.ID == id })
	if i < 0 {
		return 0, nil, &refusal{http.StatusNotFound, "Webhook not found: " + id, ""}
	}
	return i, s.hooks[i], nil
}

func (s *Service) listWebhooks(*call) ([]byte, *refusal) {
	all := []webhook{}
	for _, h := range s.hooks {
		short := *h
		short.Accounts = short.Accounts[:min(len(short.Accounts), listedAddresses)]
		all = append(all, short)
	}
	return encode(all), nil
}

func (s *Service) createWebhook(c *call) ([]byte, *refusal) {
	h, refused := s.readWebhook(c.body)
	if refused != nil {
		return nil, refused
	}
	if len(s.hooks) == maxWebhooks {
		return nil, badWebhook("You have reached webhook limit of %d", maxWebhooks)
	}
	s.made++
	h.ID, h.Wallet, h.Project, h.Active = webhookID(s.made), Wallet, "solwire-demo", true
	s.hooks = append(s.hooks, h)
	return encode(h), nil
}

func (s *Service) getWebhook(c *call) ([]byte, *refusal) {
	_, h, refused := s.find(c)
	if refused != nil {
		return nil, refused
	}
	return encode(h), nil
}

func (s *Service) replaceWebhook(c *call) ([]byte, *refusal) {
	i, h, refused := s.find(c)
	if refused != nil {
		return nil, refused
	}
	next, refused := s.readWebhook(c.body)
	if refused != nil {
		return nil, refused
	}
	if len(next.Accounts) == 0 {
		return nil, badWebhook("accountAddresses is required")
	}
	next.ID, next.Wallet, next.Project, next.Active = h.ID, h.Wallet, h.Project, h.Active
	s.hooks[i] = next
	return encode(next), nil
}

func (s *Service) setWebhookActive(c *call) ([]byte, *refusal) {
	i, h, refused := s.find(c)
	if refused != nil {
		return nil, refused
	}
	var active *bool
	members, isObject := object(c.body)
	if !isObject || len(members) != 1 && !s.Lenient || json.Unmarshal(members["active"], &active) != nil || active == nil {
		return nil, badWebhook("active is required, and nothing else")
	}
	next := *h
	next.Active = *active
	s.hooks[i] = &next
	return encode(next), nil
}

func (s *Service) deleteWebhook(c *call) ([]byte, *refusal) {
	i, _, refused := s.find(c)
	if refused != nil {
		return nil, refused
	}
	s.hooks = slices.Delete(s.hooks, i, i+1)
	return nil, nil
}

// webhookID returns the UUID of the n-th webhook, of version 4 like those of the
// service.
func webhookID(n int) string {
	var b [16]byte
	x := seed(0x3eb400c5).item(n)
	x.bytes(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// readWebhook reads the body of a create or a replace. Absent members have their
// defaults: neither merges.
func (s *Service) readWebhook(body []byte) (*webhook, *refusal) {
	members, isObject := object(body)
	if !isObject {
		return nil, badWebhook("body is not an object")
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		switch name {
		case "accountAddressOwners": // sent by an old client of the service
		case "webhookURL", "transactionTypes", "accountAddresses", "webhookType", "authHeader", "txnStatus", "encoding":
		default: // including wallet and webhookID, which only answers have
			if !s.Lenient {
				return nil, badWebhook("property %s should not exist", name)
			}
		}
	}
	for _, name := range []string{"webhookID", "wallet", "project", "active"} {
		delete(members, name) // only answers have them
	}
	h := &webhook{Types: []string{}, Accounts: []string{}, Status: "all", Encoding: "jsonParsed"}
	if err := json.Unmarshal(encode(members), h); err != nil {
		return nil, badWebhook("wrong type: %v", err)
	}
	switch {
	case !deliverable(h.URL):
		return nil, badWebhook("webhookURL is not a valid URL")
	case !slices.Contains([]string{"enhanced", "raw", "discord", "enhancedDevnet", "rawDevnet", "discordDevnet"}, h.Type):
		return nil, badWebhook("webhookType is not one of the types")
	case !slices.Contains([]string{"all", "success", "failed"}, h.Status):
		return nil, badWebhook("txnStatus is not one of the statuses")
	case h.Encoding != "jsonParsed" && !s.Lenient:
		return nil, badWebhook("encoding is not jsonParsed")
	case len(h.Accounts) > maxWatched:
		return nil, badWebhook("accountAddresses has more than %d entries", maxWatched)
	}
	for _, a := range h.Accounts {
		if !isAddress(a) {
			return nil, badWebhook("accountAddresses has an invalid address: %s", a)
		}
	}
	for _, t := range h.Types {
		if !isType(t) {
			return nil, badWebhook("transactionTypes has an invalid type: %s", t)
		}
	}
	return h, nil
}

// isType reports whether a text can be a transaction type. The service has hundreds,
// and more to come.
func isType(word string) bool {
	return word != "" && strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == ""
}

// deliverable is the service's rule for URLs. Loopback hosts, which the service
// refuses, are how tests and examples receive.
func deliverable(raw string) bool {
	u, err := url.Parse(raw)
	if err != nil || u.Hostname() == "" {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && onLoopback(raw)
}

// onLoopback reports whether a URL is one of this machine.
func onLoopback(raw string) bool {
	u, err := url.Parse(raw)
	return err == nil && (u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback())
}

func badWebhook(format string, args ...any) *refusal {
	return &refusal{http.StatusBadRequest, fmt.Sprintf(format, args...), ""}
}

// webhookRefusal is an error as the webhook API sends it: a status in the form
// of a JSON-RPC error.
func webhookRefusal(r *refusal) answer {
	code := map[int]int{400: -32602, 401: -32001, 404: -32601, 429: -32005}[r.code]
	return answer{status: r.code, body: failure(&refusal{code, r.message, ""}, []byte(`"1"`))}
}
