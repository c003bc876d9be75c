package hooks

import (
	"slices"
	"strings"

	"github.com/solwire/solwire-go/types"
)

// A Post is a request to a webhook with one event.
type Post struct {
	URL, Auth, Body string
	Signature       types.Signature
}

// Posts returns the posts that deliver to each active webhook the events that it wants. Webhooks
// that are not on loopback get nothing unless anywhere is true. Without webhooks, fallback gets
// all events unless it is nil.
func (b *Book) Posts(events []Event, anywhere bool, fallback *Webhook) []Post {
	var all []Post
	hooks, count := b.activeWebhooks()
	if count == 0 && fallback != nil {
		hooks = append(hooks, fallback)
	}
	for _, h := range hooks {
		for _, e := range events {
			body := e.Raw
			if h.enhanced() {
				body = e.Enhanced
			}
			if (anywhere || onLoopback(h.URL)) && (h == fallback || h.wants(e)) {
				all = append(all, Post{h.URL, h.Auth, "[" + body + "]", types.Signature(e.Signature)})
			}
		}
	}
	return all
}

// Watched returns the accounts that active webhooks watch, each once, in order.
func (b *Book) Watched() []string {
	var all []string
	active, _ := b.activeWebhooks()
	for _, h := range active {
		all = append(all, h.Accounts...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// activeWebhooks returns the active webhooks, and the number of all webhooks.
func (b *Book) activeWebhooks() (active []*Webhook, all int) {
	b.World.Lock()
	defer b.World.Unlock()
	for _, h := range b.hooks {
		if h.Active {
			active = append(active, h)
		}
	}
	return active, len(b.hooks)
}

func (h *Webhook) enhanced() bool { return strings.HasPrefix(h.Type, "enhanced") }

// wants reports whether h delivers e. A discord webhook posts messages to
// Discord instead of events.
func (h *Webhook) wants(e Event) bool {
	switch {
	case strings.HasPrefix(h.Type, "discord"):
		return false
	case h.Status == "success" && e.Failed, h.Status == "failed" && !e.Failed:
		return false
	case h.enhanced() && (e.Failed || !slices.Contains(h.Types, e.Type) && !slices.Contains(h.Types, "ANY")):
		return false
	}
	return slices.ContainsFunc(e.Accounts, func(a string) bool { return slices.Contains(h.Accounts, a) })
}
