package hooks

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/solwire/solwire-go/internal/fake/world"
)

const (
	deliveryTimeout = time.Second
	retries         = 3 // after the first try
	retryPause      = time.Second
	maxResponse     = 10 << 20
)

// A Courier delivers events to the webhooks of a Book, as the service does:
// with a post to each active webhook that watches one of the accounts and, if it
// is enhanced, the type. It waits a second for the answer and retries three times,
// a second apart, unless the answer is 403. Then the event is lost.
type Courier struct {
	Book   *Book
	Client *http.Client // posts the events; nil means one that reaches loopback URLs

	Group     int  // events in one post; 0 means 1
	Parallel  int  // concurrent posts; 0 means 1
	Duplicate int  // every n-th post is sent twice, the second time at any point of the run; 0 means none
	Drop      int  // every n-th post is not sent; 0 means none
	Shuffle   bool // whether posts are sent in another order

	// Anywhere allows URLs that are not on loopback. Otherwise webhooks with such
	// a URL get nothing without a Client: it may be one of production.
	Anywhere bool

	Unrecorded bool // does not add the events to the world

	// Fallback makes a webhook for every event if there is none: for a Client
	// that ignores URLs.
	Fallback bool
	Auth     string // the authHeader of that webhook
	Raw      bool   // whether that webhook is raw
}

// A Report is the result of a delivery. Each event counts once per webhook and
// duplicate.
type Report struct {
	Acknowledged int
	Tries        int      // posts, including failed ones
	Lost         []string // signatures of events that were not acknowledged, in any order
	Dropped      []string // signatures of events that were not posted
}

// A post is one request to a webhook.
type post struct {
	url, auth  string
	body       string
	signatures []string
}

// Deliver delivers events and returns when each is acknowledged or lost. When
// ctx ends, the remaining events are lost.
func (c *Courier) Deliver(ctx context.Context, events ...Event) Report {
	var report Report
	if !c.Unrecorded {
		c.Book.Happen(events...)
	}
	posts := c.posts(events, &report)
	var (
		mu    sync.Mutex
		wg    sync.WaitGroup
		queue = make(chan post)
	)
	for range min(max(c.Parallel, 1), len(posts)) {
		wg.Go(func() {
			for p := range queue {
				tries, done := c.deliver(ctx, p)
				mu.Lock()
				report.Tries += tries
				if done {
					report.Acknowledged += len(p.signatures)
				} else {
					report.Lost = append(report.Lost, p.signatures...)
				}
				mu.Unlock()
			}
		})
	}
	for _, p := range posts {
		queue <- p
	}
	close(queue)
	wg.Wait()
	return report
}

// posts returns the posts to send, in order.
func (c *Courier) posts(events []Event, report *Report) []post {
	var all []post
	hooks, count := c.Book.activeWebhooks()
	everything := c.Fallback && count == 0
	if everything {
		h := &Webhook{URL: "http://127.0.0.1/", Type: "enhanced", Auth: c.Auth}
		if c.Raw {
			h.Type = "raw"
		}
		hooks = append(hooks, h)
	}
	for _, h := range hooks {
		if c.Client == nil && !c.Anywhere && !onLoopback(h.URL) {
			continue
		}
		var wanted []Event
		for _, e := range events {
			if everything || h.wants(e) {
				wanted = append(wanted, e)
			}
		}
		for group := range slices.Chunk(wanted, max(c.Group, 1)) {
			all = append(all, h.post(group))
		}
	}
	return c.disorder(all, report)
}

// disorder repeats, drops and reorders posts.
func (c *Courier) disorder(posts []post, report *Report) []post {
	type placed struct {
		post
		at int
	}
	var all []placed
	x := world.Seed(0xc0041e4).Item(len(posts))
	for i, p := range posts {
		if every(c.Drop, i) {
			report.Dropped = append(report.Dropped, p.signatures...)
			continue
		}
		at := i
		if c.Shuffle {
			at = x.Below(len(posts))
		}
		all = append(all, placed{p, at})
		if every(c.Duplicate, i) {
			all = append(all, placed{p, at + x.Below(2)*x.Below(len(posts)-i)}) // half of them follow immediately
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int { return a.at - b.at })
	made := make([]post, len(all))
	for i, p := range all {
		made[i] = p.post
	}
	return made
}

func every(n, i int) bool { return n > 0 && i%n == n-1 }

// deliver sends a post until it is acknowledged.
func (c *Courier) deliver(ctx context.Context, p post) (tries int, done bool) {
	for tries = 1; ; tries++ {
		status := c.try(ctx, p)
		if status == http.StatusOK {
			return tries, true
		}
		if status == http.StatusForbidden || tries > retries {
			return tries, false
		}
		select {
		case <-time.After(retryPause):
		case <-ctx.Done():
			return tries, false
		}
	}
}

// try returns the status of the answer, or 0 if there was none in time.
func (c *Courier) try(ctx context.Context, p post) int {
	ctx, cancel := context.WithTimeout(ctx, deliveryTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url, strings.NewReader(p.body))
	if err != nil {
		return 0
	}
	req.Header.Set("Content-Type", "application/json")
	if p.auth != "" {
		req.Header.Set("Authorization", p.auth)
	}
	client := c.Client
	if client == nil { // a redirect could leave loopback
		client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	}
	resp, err := client.Do(req)
	if err != nil {
		return 0
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, maxResponse)) // so that the connection is reused
	_ = resp.Body.Close()
	return resp.StatusCode
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

func (h *Webhook) post(events []Event) post {
	p := post{url: h.URL, auth: h.Auth}
	var bodies []string
	for _, e := range events {
		p.signatures = append(p.signatures, e.Signature)
		if h.enhanced() {
			bodies = append(bodies, e.Enhanced)
		} else {
			bodies = append(bodies, e.Raw)
		}
	}
	p.body = "[" + strings.Join(bodies, ",") + "]"
	return p
}
