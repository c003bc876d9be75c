package hooks

import (
	"cmp"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"

	"github.com/solwire/solwire-go/internal/fakeapi/wire"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
)

// listedAddresses is the number of addresses of each webhook in a list.
const listedAddresses = 100

// A Webhook as it is sent. Webhooks are replaced, never changed.
type Webhook struct {
	ID      string `json:"webhookID"`
	Wallet  string `json:"wallet"`
	Project string `json:"project"`
	Settings
	Active bool `json:"active"`
}

// Settings are the settings of a webhook when it is created.
type Settings struct {
	URL      string   `json:"webhookURL"`
	Types    []string `json:"transactionTypes"`
	Accounts []string `json:"accountAddresses"`
	Type     string   `json:"webhookType"`
	Auth     string   `json:"authHeader,omitempty"`
	Status   string   `json:"txnStatus"`
	Encoding string   `json:"encoding"`
}

// Add adds an active webhook. Without an ID one is made up.
func (b *Book) Add(id string, s Settings) *Webhook {
	b.made++
	s.Status, s.Encoding = cmp.Or(s.Status, "all"), cmp.Or(s.Encoding, "jsonParsed")
	h := &Webhook{cmp.Or(id, webhookID(b.made)), world.Demo, "solwire-demo", s, true}
	b.hooks = append(b.hooks, h)
	return h
}

// one answers about the webhook that a call names.
func (b *Book) one(answer func(c *wire.Call, i int) []byte) wire.Operation {
	return func(c *wire.Call) []byte {
		id := c.Path("webhookID")
		i := slices.IndexFunc(b.hooks, func(h *Webhook) bool { return h.ID == id })
		if i < 0 {
			c.Fail(http.StatusNotFound, "Webhook not found: %s", id)
			return nil
		}
		return answer(c, i)
	}
}

// replaced answers about a webhook that change replaces.
func (b *Book) replaced(change func(c *wire.Call, h *Webhook)) wire.Operation {
	return b.one(func(c *wire.Call, i int) []byte {
		h := *b.hooks[i]
		change(c, &h)
		if c.Refused == nil {
			b.hooks[i] = &h
		}
		return world.Encode(h)
	})
}

func (b *Book) listWebhooks(*wire.Call) []byte {
	all := []Webhook{}
	for _, h := range b.hooks {
		short := *h
		short.Accounts = short.Accounts[:min(len(short.Accounts), listedAddresses)]
		all = append(all, short)
	}
	return world.Encode(all)
}

func (b *Book) createWebhook(c *wire.Call) []byte {
	s := settingsOf(c)
	if c.Refused != nil {
		return nil
	}
	return world.Encode(b.Add("", s))
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

// settingsOf reads the body of a create or a replace. Absent members have their defaults: neither
// merges.
func settingsOf(c *wire.Call) Settings {
	in := Settings{Types: []string{}, Accounts: []string{}, Status: "all", Encoding: "jsonParsed"}
	c.Decode(c.Body, &in, false)
	if mistake := in.Mistake(); mistake != "" {
		c.Invalid("%s", mistake)
	}
	return in
}

// Mistake returns why the service refuses settings, empty if it does not.
func (s *Settings) Mistake() string {
	odd := func(all []string, valid func(string) bool) bool {
		return slices.ContainsFunc(all, func(text string) bool { return !valid(text) })
	}
	switch {
	case !deliverable(s.URL):
		return "webhookURL is neither https nor on loopback"
	case !slices.Contains([]string{"enhanced", "raw", "discord", "enhancedDevnet", "rawDevnet", "discordDevnet"}, s.Type):
		return "webhookType is not one of the types"
	case !slices.Contains([]string{"", "all", "success", "failed"}, s.Status):
		return "txnStatus is not one of the statuses"
	case odd(s.Accounts, world.IsAddress):
		return "accountAddresses has an invalid address"
	case odd(s.Types, wire.IsType):
		return "transactionTypes has an invalid type"
	}
	return ""
}

// deliverable is the service's rule for URLs. Loopback hosts, which the service
// refuses, are how tests and examples receive.
func deliverable(raw string) bool {
	u, err := url.Parse(raw)
	return err == nil && u.Hostname() != "" && (u.Scheme == "https" || u.Scheme == "http" && onLoopback(raw))
}

// onLoopback reports whether a URL is on this machine.
func onLoopback(raw string) bool {
	u, err := url.Parse(raw)
	return err == nil && (u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback())
}
