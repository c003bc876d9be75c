package fake

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	patience   = time.Second // for an answer to a delivery
	retries    = 3           // after the first try
	retryPause = time.Second
)

// An Event is a transaction that webhooks may deliver. It is made by
// [TransferEvent] or [SwapEvent], or by hand.
type Event struct {
	Signature string
	Type      string   // such as SWAP
	Accounts  []string // that it touches
	Failed    bool     // a failed transaction, which no enhanced webhook delivers
	Enhanced  string   // as enhanced webhooks carry it
	Raw       string   // as raw webhooks carry it
}

// A Courier delivers events to the webhooks of a Service, as the service does:
// a post to each webhook that is switched on and watches one of the accounts
// and, if it is enhanced, the type. It waits a second for each answer, and tries three
// more times a second apart, unless the answer is 403. What then is not
// acknowledged is lost.
type Courier struct {
	Service *Service
	Client  *http.Client // posts the events; nil: the default one, which takes loopback URLs

	Group     int  // events in one post; 0 means 1
	Parallel  int  // posts at once; 0 means 1
	Duplicate int  // every n-th post is made twice, the second time at any moment of the run; 0 means none
	Drop      int  // every n-th post is not made at all; 0 means none
	Shuffle   bool // posts are made in another order
}

// A Report is what became of events. Each counts once per webhook and
// duplicate.
type Report struct {
	Acknowledged int
	Tries        int      // posts, those that failed included
	Lost         []string // signatures of what was not acknowledged, in no certain order
	Dropped      []string // signatures of what was not posted
}

// A post is what is sent to one webhook at once.
type post struct {
	url, auth  string
	body       string
	signatures []string
}

// Deliver delivers events and returns when each is acknowledged or lost. When
// ctx ends, what is left is lost.
func (c *Courier) Deliver(ctx context.Context, events ...Event) Report {
	var report Report
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

// posts returns what is to be sent, in order.
func (c *Courier) posts(events []Event, report *Report) []post {
	var all []post
	for _, h := range c.Service.activeWebhooks() {
		var wanted []Event
		for _, e := range events {
			if h.wants(e) {
				wanted = append(wanted, e)
			}
		}
		for group := range slices.Chunk(wanted, max(c.Group, 1)) {
			all = append(all, h.post(group))
		}
	}
	return c.trouble(all, report)
}

// trouble repeats, drops and reorders posts.
func (c *Courier) trouble(posts []post, report *Report) []post {
	type placed struct {
		post
		at int
	}
	var all []placed
	x := seed(0xc0041e4).item(len(posts))
	for i, p := range posts {
		if every(c.Drop, i) {
			report.Dropped = append(report.Dropped, p.signatures...)
			continue
		}
		at := i
		if c.Shuffle {
			at = x.below(len(posts))
		}
		all = append(all, placed{p, at})
		if every(c.Duplicate, i) {
			all = append(all, placed{p, at + x.below(2)*x.below(len(posts)-i)}) // half of them follow at once
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

// deliver makes a post until it is acknowledged.
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

// try returns the status of the answer, 0 if there was none in time.
func (c *Courier) try(ctx context.Context, p post) int {
	ctx, cancel := context.WithTimeout(ctx, patience)
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
	if client == nil {
		client = http.DefaultClient
	}
	resp, err := client.Do(req)
	if err != nil {
		return 0
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, maxBody)) // so that the connection is used again
	_ = resp.Body.Close()
	return resp.StatusCode
}

// activeWebhooks returns those that are switched on. They are never changed,
// only replaced.
func (s *Service) activeWebhooks() []*webhook {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []*webhook
	for _, h := range s.hooks {
		if h.Active {
			all = append(all, h)
		}
	}
	return all
}

func (h *webhook) enhanced() bool { return strings.HasPrefix(h.Type, "enhanced") }

// wants reports whether h delivers e. What a discord webhook posts goes to
// Discord, and is no event.
func (h *webhook) wants(e Event) bool {
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

func (h *webhook) post(events []Event) post {
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

// Handler returns a transport that takes every request to h, without a
// network but as the bytes that one would carry.
func Handler(h http.Handler) http.RoundTripper { return toHandler{h} }

type toHandler struct{ h http.Handler }

func (t toHandler) RoundTrip(r *http.Request) (*http.Response, error) {
	var sent bytes.Buffer
	if err := r.Write(&sent); err != nil { // closes the body
		return nil, err
	}
	in, err := http.ReadRequest(bufio.NewReader(&sent))
	if err != nil {
		return nil, err
	}
	return exchange(t.h, in.WithContext(r.Context()), r)
}
