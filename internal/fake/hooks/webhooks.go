package hooks

import (
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"

	"github.com/solwire/solwire-go/internal/fake/wire"
	"github.com/solwire/solwire-go/internal/fake/world"
)

// Limits of the service.
const (
	maxWebhooks     = 50 // of a paid plan
	maxWatched      = 100_000
	listedAddresses = 100 // of each webhook in a list
)

// A Webhook as it is sent. Webhooks are replaced, never changed.
type Webhook struct {
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

// find returns the webhook that c names, and its index.
func (b *Book) find(c *wire.Call) (int, *Webhook, *wire.Refusal) {
	id := c.Path("webhookID")
	i := slices.IndexFunc(b.hooks, func(h *Webhook) bool { return h.ID == id })
	if i < 0 {
		return 0, nil, &wire.Refusal{Code: http.StatusNotFound, Message: "Webhook not found: " + id}
	}
	return i, b.hooks[i], nil
}

func (b *Book) listWebhooks(*wire.Call) ([]byte, *wire.Refusal) {
	all := []Webhook{}
	for _, h := range b.hooks {
		short := *h
		short.Accounts = short.Accounts[:min(len(short.Accounts), listedAddresses)]
		all = append(all, short)
	}
	return world.Encode(all), nil
}

func (b *Book) createWebhook(c *wire.Call) ([]byte, *wire.Refusal) {
	h, refused := b.readWebhook(c)
	if refused != nil {
		return nil, refused
	}
	if len(b.hooks) == maxWebhooks {
		return nil, bad("You have reached webhook limit of %d", maxWebhooks)
	}
	b.made++
	h.ID, h.Wallet, h.Project, h.Active = webhookID(b.made), world.Demo, project, true
	b.hooks = append(b.hooks, h)
	return world.Encode(h), nil
}

func (b *Book) getWebhook(c *wire.Call) ([]byte, *wire.Refusal) {
	_, h, refused := b.find(c)
	if refused != nil {
		return nil, refused
	}
	return world.Encode(h), nil
}

func (b *Book) replaceWebhook(c *wire.Call) ([]byte, *wire.Refusal) {
	i, h, refused := b.find(c)
	if refused != nil {
		return nil, refused
	}
	next, refused := b.readWebhook(c)
	if refused != nil {
		return nil, refused
	}
	if len(next.Accounts) == 0 {
		return nil, bad("accountAddresses is required")
	}
	next.ID, next.Wallet, next.Project, next.Active = h.ID, h.Wallet, h.Project, h.Active
	b.hooks[i] = next
	return world.Encode(next), nil
}

func (b *Book) setWebhookActive(c *wire.Call) ([]byte, *wire.Refusal) {
	i, h, refused := b.find(c)
	if refused != nil {
		return nil, refused
	}
	var active *bool
	members, isObject := wire.Object(c.Body)
	if !isObject || len(members) != 1 && !c.Lenient || json.Unmarshal(members["active"], &active) != nil || active == nil {
		return nil, bad("active is required, and nothing else")
	}
	next := *h
	next.Active = *active
	b.hooks[i] = &next
	return world.Encode(next), nil
}

func (b *Book) deleteWebhook(c *wire.Call) ([]byte, *wire.Refusal) {
	i, _, refused := b.find(c)
	if refused != nil {
		return nil, refused
	}
	b.hooks = slices.Delete(b.hooks, i, i+1)
	return nil, nil
}

// webhookID returns the UUID of the n-th webhook, of version 4 as the service
// makes them.
func webhookID(n int) string {
	var b [16]byte
	x := world.Seed(0x3eb400c5).Item(n)
	x.Bytes(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// readWebhook reads the body of a create or a replace. Absent members have their
// defaults: neither merges.
func (b *Book) readWebhook(c *wire.Call) (*Webhook, *wire.Refusal) {
	members, isObject := wire.Object(c.Body)
	if !isObject {
		return nil, bad("body is not an object")
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		switch name {
		case "accountAddressOwners": // sent by an old client of the service
		case "webhookURL", "transactionTypes", "accountAddresses", "webhookType", "authHeader", "txnStatus", "encoding":
		default: // including wallet and webhookID, which only answers have
			if !c.Lenient {
				return nil, bad("property %s should not exist", name)
			}
		}
	}
	for _, name := range []string{"webhookID", "wallet", "project", "active"} {
		delete(members, name) // only answers have them
	}
	h := &Webhook{Types: []string{}, Accounts: []string{}, Status: "all", Encoding: "jsonParsed"}
	if err := json.Unmarshal(world.Encode(members), h); err != nil {
		return nil, bad("wrong type: %v", err)
	}
	switch {
	case !Deliverable(h.URL):
		return nil, bad("webhookURL is not a valid URL")
	case !IsType(h.Type):
		return nil, bad("webhookType is not one of the types")
	case !slices.Contains([]string{"all", "success", "failed"}, h.Status):
		return nil, bad("txnStatus is not one of the statuses")
	case h.Encoding != "jsonParsed" && !c.Lenient:
		return nil, bad("encoding is not jsonParsed")
	case len(h.Accounts) > maxWatched:
		return nil, bad("accountAddresses has more than %d entries", maxWatched)
	}
	for _, a := range h.Accounts {
		if !world.IsAddress(a) {
			return nil, bad("accountAddresses has an invalid address: %s", a)
		}
	}
	for _, t := range h.Types {
		if !wire.IsType(t) {
			return nil, bad("transactionTypes has an invalid type: %s", t)
		}
	}
	return h, nil
}

// IsType reports whether a text is a type of webhooks.
func IsType(text string) bool {
	return slices.Contains([]string{"enhanced", "raw", "discord", "enhancedDevnet", "rawDevnet", "discordDevnet"}, text)
}

// Deliverable is the service's rule for URLs. Loopback hosts, which the service
// refuses, are how tests and examples receive.
func Deliverable(raw string) bool {
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

func bad(format string, args ...any) *wire.Refusal {
	return &wire.Refusal{Code: http.StatusBadRequest, Message: fmt.Sprintf(format, args...)}
}
