package fake

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/internal/fakeapi/hooks"
	"github.com/solwire/solwire-go/types"
)

const (
	deliveryTimeout = time.Second
	retries         = 3 // after the first try
	retryPause      = time.Second
	maxResponse     = 10 << 20
)

// A Delivery says how events are delivered. The zero value posts each event to each webhook that
// wants it.
type Delivery struct {
	// Handler receives all posts, instead of the URLs of the webhooks. If there is no webhook, it
	// receives all events, as enhanced ones.
	Handler http.Handler

	AuthHeader string // sent to a Handler without a webhook

	// Anywhere posts to the URLs of all webhooks, and not only to loopback hosts.
	Anywhere bool
}

// A Report is the result of a delivery. Each event counts once per webhook.
type Report struct {
	Acknowledged int
	Tries        int               // posts, including failed ones
	Lost         []types.Signature // of events that were not acknowledged
}

// Deliver delivers events in their order and returns when each is acknowledged or lost. Pass an
// event twice to deliver it twice. Like the service, it waits a second for a response and tries
// three times more, a second apart, unless the response is 403. When ctx ends, the remaining events
// are lost. A nil d means the defaults.
func (s *Service) Deliver(ctx context.Context, d *Delivery, events ...Event) Report {
	d = cmp.Or(d, new(Delivery))
	// A redirect could leave loopback.
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	var fallback *hooks.Webhook
	if d.Handler != nil {
		client = &http.Client{Transport: fakeapi.Handler(d.Handler)}
		fallback = &hooks.Webhook{Settings: hooks.Settings{URL: "http://127.0.0.1/", Type: "enhanced", Auth: d.AuthHeader}}
	}
	var inner []hooks.Event
	for _, e := range events {
		inner = append(inner, e.of.Of(e.tx))
	}
	var report Report
	for _, p := range s.inner.Book().Posts(inner, d.Anywhere || d.Handler != nil, fallback) {
		tries, done := deliver(ctx, client, p)
		report.Tries += tries
		if done {
			report.Acknowledged++
		} else {
			report.Lost = append(report.Lost, p.Signature)
		}
	}
	return report
}

// deliver sends a post until it is acknowledged.
func deliver(ctx context.Context, client *http.Client, p hooks.Post) (tries int, done bool) {
	for tries = 1; ; tries++ {
		status := try(ctx, client, p)
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

// try returns the status of the response, or 0 if there was none in time.
func try(ctx context.Context, client *http.Client, p hooks.Post) int {
	ctx, cancel := context.WithTimeout(ctx, deliveryTimeout)
	defer cancel()
	// the URL of a webhook is valid
	req, _ := http.NewRequestWithContext(ctx, http.MethodPost, p.URL, strings.NewReader(p.Body))
	req.Header.Set("Content-Type", "application/json")
	if p.Auth != "" {
		req.Header.Set("Authorization", p.Auth)
	}
	resp, err := client.Do(req)
	if err != nil {
		return 0
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, maxResponse)) // to reuse the connection
	_ = resp.Body.Close()
	return resp.StatusCode
}
