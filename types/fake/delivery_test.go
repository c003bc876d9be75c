package fake

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/types"
)

const watchedAddress = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"

// An endpoint notes the posted bodies, and answers with the next of its statuses, the last one
// from then on.
type endpoint struct {
	mu       sync.Mutex
	statuses []int
	posts    []fakeapi.Request
	times    []time.Time
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.posts = append(e.posts, fakeapi.Request{Method: r.Method, Host: r.Host, Path: r.URL.Path, Header: r.Header, Body: string(body)})
	e.times = append(e.times, time.Now())
	status := 200
	if len(e.statuses) > 0 {
		status = e.statuses[0]
	}
	if len(e.statuses) > 1 {
		e.statuses = e.statuses[1:]
	}
	w.WriteHeader(status)
}

// signatures returns the signatures of the events, post by post.
func (e *endpoint) signatures(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, p := range e.posts {
		var events []struct {
			Signature   string `json:"signature"`
			Transaction struct {
				Signatures []string `json:"signatures"`
			} `json:"transaction"`
		}
		require.NoError(t, json.Unmarshal([]byte(p.Body), &events), p.Body)
		var group []string
		for _, ev := range events {
			group = append(group, strings.Join(append(ev.Transaction.Signatures, ev.Signature), ""))
		}
		all = append(all, strings.Join(group, "+"))
	}
	return all
}

// webhook makes a webhook. More replaces or adds members of its settings.
func webhook(t *testing.T, s *Service, more string) {
	t.Helper()
	settings := map[string]any{
		"webhookURL": "https://example.com/hook", "webhookType": "enhanced", "transactionTypes": []string{"ANY"}, "accountAddresses": []string{watchedAddress},
	}
	require.NoError(t, json.Unmarshal([]byte(more), &settings))
	if settings["transactionTypes"] == nil {
		delete(settings, "transactionTypes")
	}
	body, err := json.Marshal(settings)
	require.NoError(t, err)
	request(t, s, http.MethodPost, "", string(body))
}

// request sends a request of the webhooks API.
func request(t *testing.T, s *Service, method, path, body string) []byte {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, "http://fake/v0/webhooks"+path+"?api-key="+Key, strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	resp, err := s.Transport().RoundTrip(req)
	require.NoError(t, err)
	answer, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, 200, resp.StatusCode, "%s", answer)
	return answer
}

// standing is a Service whose clock stands still.
func standing() *Service { return wrap(fakeapi.New()) }

// events makes n of them, swaps and transfers in turn.
func events(n int) []Event {
	s := New(&Options{Seed: 1})
	var all []Event
	for i := range n {
		if i%2 == 0 {
			all = append(all, s.Swap(watchedAddress))
		} else {
			all = append(all, s.Transfer(watchedAddress, ExchangeAddress, 1_000_000))
		}
	}
	return all
}

func TestEventIsPostedToTheWebhook(t *testing.T) {
	t.Parallel()
	s, e := standing(), &endpoint{}
	webhook(t, s, `{"authHeader":"let me in","webhookURL":"http://127.0.0.1:8080/hook"}`)
	event := events(1)[0]
	require.Equal(t, Report{Acknowledged: 1, Tries: 1}, s.Deliver(t.Context(), &Delivery{Handler: e}, event))
	require.Len(t, e.posts, 1)
	p := e.posts[0]
	require.Equal(t, "POST 127.0.0.1:8080 /hook", p.Method+" "+p.Host+" "+p.Path)
	require.Equal(t, "application/json", p.Header.Get("Content-Type"))
	require.Equal(t, []string{"let me in"}, p.Header["Authorization"])
	require.Equal(t, "["+string(event.Enhanced())+"]", p.Body)
}

func TestWebhooksGetWhatTheyWatch(t *testing.T) {
	t.Parallel()
	from := New(nil)
	swap, transfer := from.Swap(watchedAddress), from.Transfer(watchedAddress, OwnerAddress, 1)
	elsewhere := from.Swap(WalletAddress)
	failed := from.Happen(Transaction{FeePayer: watchedAddress, TransactionError: "InstructionError: [0, Custom(1)]"})
	all := []Event{swap, transfer, elsewhere, failed}
	for more, want := range map[string][]Event{
		`{}`:                            {swap, transfer},
		`{"transactionTypes":["SWAP"]}`: {swap},
		`{"transactionTypes":["NFT_SALE","TRANSFER"]}`:                 {transfer},
		`{"transactionTypes":null}`:                                    nil,
		`{"accountAddresses":["` + fakeapi.Wallet + `"]}`:              {elsewhere},
		`{"accountAddresses":["` + swap.tx.Transfers[0].To + `"]}`:     {swap}, // any account counts
		`{"webhookType":"raw","transactionTypes":null}`:                {swap, transfer, failed},
		`{"webhookType":"raw","txnStatus":"failed"}`:                   {failed},
		`{"webhookType":"raw","txnStatus":"success"}`:                  {swap, transfer},
		`{"webhookType":"enhancedDevnet"}`:                             {swap, transfer},
		`{"webhookType":"discord","webhookURL":"https://discord.com"}`: nil,
	} {
		s, e := standing(), &endpoint{}
		webhook(t, s, more)
		report := s.Deliver(t.Context(), &Delivery{Handler: e}, all...)
		require.Equal(t, len(want), report.Acknowledged, more)
		var signatures []string
		for _, w := range want {
			signatures = append(signatures, string(w.Signature()))
		}
		require.Equal(t, signatures, e.signatures(t), more)
	}
}

func TestDeliveryIsTriedAgain(t *testing.T) {
	event := events(1)[0]
	for _, row := range []struct {
		statuses []int
		want     Report
	}{
		{[]int{500, 401, 200}, Report{Acknowledged: 1, Tries: 3}},
		{[]int{503, 404, 429, 200}, Report{Acknowledged: 1, Tries: 4}},
		{[]int{500}, Report{Tries: 4, Lost: []types.Signature{event.Signature()}}},
		{[]int{500, 403, 200}, Report{Tries: 2, Lost: []types.Signature{event.Signature()}}},
	} {
		synctest.Test(t, func(t *testing.T) {
			s, e := standing(), &endpoint{statuses: row.statuses}
			webhook(t, s, `{}`)
			require.Equal(t, row.want, s.Deliver(t.Context(), &Delivery{Handler: e}, event))
			for i := range e.times[1:] {
				require.Equal(t, time.Second, e.times[i+1].Sub(e.times[i]))
			}
		})
	}
}
