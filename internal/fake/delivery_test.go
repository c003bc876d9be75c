package fake_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
)

// An endpoint notes what is posted to it, and answers with the next of its
// statuses, the last one from then on.
type endpoint struct {
	mu       sync.Mutex
	statuses []int
	posts    []fake.Request
	times    []time.Time
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.posts = append(e.posts, fake.Request{Method: r.Method, Host: r.Host, Path: r.URL.Path, Header: r.Header, Body: string(body)})
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

// signatures returns those of the events, post by post.
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

func courier(s *fake.Service, e http.Handler) *fake.Courier {
	return &fake.Courier{Service: s, Client: &http.Client{Transport: fake.Handler(e)}}
}

// events makes n of them, swaps and transfers in turn.
func events(n int) []fake.Event {
	var all []fake.Event
	for i := range n {
		if i%2 == 0 {
			all = append(all, fake.SwapEvent(i, watched))
		} else {
			all = append(all, fake.TransferEvent(i, watched))
		}
	}
	return all
}

func TestEventIsPostedToTheWebhook(t *testing.T) {
	t.Parallel()
	s, e := fake.New(), &endpoint{}
	hook(t, s, `{"authHeader":"let me in","webhookURL":"http://127.0.0.1:8080/hook"}`)
	event := events(1)[0]
	require.Equal(t, fake.Report{Acknowledged: 1, Tries: 1}, courier(s, e).Deliver(t.Context(), event))
	require.Len(t, e.posts, 1)
	p := e.posts[0]
	require.Equal(t, "POST 127.0.0.1:8080 /hook", p.Method+" "+p.Host+" "+p.Path)
	require.Equal(t, "application/json", p.Header.Get("Content-Type"))
	require.Equal(t, []string{"let me in"}, p.Header["Authorization"])
	same(t, "["+event.Enhanced+"]", p.Body)
}

func TestEventsHaveTheTimeTheyAreGiven(t *testing.T) {
	t.Parallel()
	for i, e := range events(2) {
		later := e.At(time.Unix(1_800_000_000, 999))
		require.Contains(t, later.Enhanced, `"timestamp":1800000000,`)
		require.Contains(t, later.Raw, `"blockTime":1800000000,`)
		first := fmt.Sprint(1_735_689_600 + i)
		require.Equal(t, e.Enhanced, strings.Replace(later.Enhanced, "1800000000", first, 1))
		require.Equal(t, e.Raw, strings.Replace(later.Raw, "1800000000", first, 1))
		require.Equal(t, e.Accounts, later.Accounts)
	}
}

func TestWebhooksGetWhatTheyWatch(t *testing.T) {
	t.Parallel()
	swap, transfer := fake.SwapEvent(0, watched), fake.TransferEvent(1, watched)
	elsewhere := fake.SwapEvent(2, fake.Wallet)
	failed := fake.TransferEvent(3, watched)
	failed.Failed = true
	all := []fake.Event{swap, transfer, elsewhere, failed}
	for more, want := range map[string][]fake.Event{
		`{}`:                            {swap, transfer},
		`{"transactionTypes":["SWAP"]}`: {swap},
		`{"transactionTypes":["NFT_SALE","TRANSFER"]}`:                 {transfer},
		`{"transactionTypes":null}`:                                    nil,
		`{"accountAddresses":["` + fake.Wallet + `"]}`:                 {elsewhere},
		`{"accountAddresses":["` + swap.Accounts[1] + `"]}`:            {swap}, // any account of the transaction counts
		`{"webhookType":"raw","transactionTypes":null}`:                {swap, transfer, failed},
		`{"webhookType":"raw","txnStatus":"failed"}`:                   {failed},
		`{"webhookType":"raw","txnStatus":"success"}`:                  {swap, transfer},
		`{"webhookType":"enhancedDevnet"}`:                             {swap, transfer},
		`{"webhookType":"discord","webhookURL":"https://discord.com"}`: nil,
	} {
		s, e := fake.New(), &endpoint{}
		hook(t, s, more)
		report := courier(s, e).Deliver(t.Context(), all...)
		require.Equal(t, len(want), report.Acknowledged, more)
		var signatures []string
		for _, w := range want {
			signatures = append(signatures, w.Signature)
		}
		require.Equal(t, signatures, e.signatures(t), more)
	}
}

func TestWebhookThatIsOffGetsNothing(t *testing.T) {
	t.Parallel()
	s, e := fake.New(), &endpoint{}
	id := hook(t, s, `{}`)
	for _, active := range []string{"false", "true"} {
		send(t, s, "PATCH", hooksURL+"/"+id+withKey, `{"active":`+active+`}`, "Content-Type", "application/json")
		courier(s, e).Deliver(t.Context(), events(1)...)
	}
	require.Len(t, e.posts, 1)
}

func TestDeliveryIsTriedAgain(t *testing.T) {
	event := events(1)[0]
	for _, row := range []struct {
		statuses []int
		want     fake.Report
	}{
		{[]int{500, 401, 200}, fake.Report{Acknowledged: 1, Tries: 3}},
		{[]int{503, 404, 429, 200}, fake.Report{Acknowledged: 1, Tries: 4}},
		{[]int{500}, fake.Report{Tries: 4, Lost: []string{event.Signature}}},
		{[]int{500, 403, 200}, fake.Report{Tries: 2, Lost: []string{event.Signature}}},
	} {
		synctest.Test(t, func(t *testing.T) {
			s, e := fake.New(), &endpoint{statuses: row.statuses}
			hook(t, s, `{}`)
			require.Equal(t, row.want, courier(s, e).Deliver(t.Context(), event))
			for i := range e.times[1:] {
				require.Equal(t, time.Second, e.times[i+1].Sub(e.times[i]))
			}
		})
	}
}

func TestSlowAnswerDoesNotCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, tries := fake.New(), 0
		hook(t, s, `{}`)
		slow := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			tries++
			time.Sleep(1001 * time.Millisecond)
		})
		report := courier(s, slow).Deliver(t.Context(), events(1)...)
		require.Zero(t, report.Acknowledged)
		require.Equal(t, 4, tries)
	})
}

func TestCourierMakesTrouble(t *testing.T) {
	t.Parallel()
	all := events(100)
	var want []string
	for _, e := range all {
		want = append(want, e.Signature)
	}
	deliver := func(c fake.Courier) (got []string, report fake.Report) {
		s, e := fake.New(), &endpoint{}
		hook(t, s, `{}`)
		c.Service, c.Client = s, &http.Client{Transport: fake.Handler(e)}
		report = c.Deliver(t.Context(), all...)
		return e.signatures(t), report
	}

	got, _ := deliver(fake.Courier{})
	require.Equal(t, want, got)

	got, report := deliver(fake.Courier{Shuffle: true})
	require.NotEqual(t, want, got)
	require.ElementsMatch(t, want, got)
	require.Equal(t, 100, report.Acknowledged)

	got, report = deliver(fake.Courier{Duplicate: 10})
	require.Len(t, got, 110)
	require.Equal(t, 110, report.Acknowledged)
	times := map[string]int{}
	for _, s := range got {
		times[s]++
	}
	for i, s := range want {
		if i%10 == 9 {
			require.Equal(t, 2, times[s])
		} else {
			require.Equal(t, 1, times[s])
		}
	}

	got, report = deliver(fake.Courier{Drop: 20})
	require.Len(t, got, 95)
	require.Equal(t, []string{want[19], want[39], want[59], want[79], want[99]}, report.Dropped)

	got, report = deliver(fake.Courier{Group: 40})
	require.Equal(t, []string{strings.Join(want[:40], "+"), strings.Join(want[40:80], "+"), strings.Join(want[80:], "+")}, got)
	require.Equal(t, 100, report.Acknowledged)
	require.Equal(t, 3, report.Tries)

	got, report = deliver(fake.Courier{Parallel: 8, Duplicate: 7, Drop: 9, Shuffle: true, Group: 3})
	require.NotEmpty(t, got)
	require.NotEmpty(t, report.Dropped)
}

func TestEventsAreDeliveredOverTheNetwork(t *testing.T) {
	t.Parallel()
	s, e := fake.New(), &endpoint{}
	server := httptest.NewServer(e)
	defer server.Close()
	hook(t, s, fmt.Sprintf(`{"webhookURL":%q}`, server.URL))
	report := (&fake.Courier{Service: s}).Deliver(t.Context(), events(3)...)
	require.Equal(t, fake.Report{Acknowledged: 3, Tries: 3}, report)
}

func TestMadeEventsAreJSONWithTheirAccounts(t *testing.T) {
	t.Parallel()
	for i, e := range events(20) {
		for _, text := range []string{e.Enhanced, e.Raw} {
			require.True(t, json.Valid([]byte(text)), text)
			require.NotContains(t, text, "<", "a name of the template that has no value")
			require.Contains(t, text, e.Signature)
			for _, a := range e.Accounts {
				require.Contains(t, text, a)
			}
			require.Contains(t, text, fmt.Sprint(1735689600+i))
		}
		require.Contains(t, e.Enhanced, `"type":"`+e.Type+`"`)
	}
	require.Equal(t, events(3), events(3))
}
