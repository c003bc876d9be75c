package servers

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/keeper"
	"github.com/solwire/solwire-go/webhooks/keeper/sqlstore"
)

var stormTime = flag.Duration("storm", 20*time.Second, "how long each storm lasts")

// speed is how fast the time of the service runs: an hour takes 12 seconds. The leases of
// claims and the retries of deliveries are in real time.
const speed = 300

const (
	processes = 3
	watched   = 20 // addresses
)

// A storm is a webhook with three receiver processes on one database, and their events.
type storm struct {
	t        *testing.T
	d        database
	db       *sql.DB
	service  *fake.Service
	hooks    *webhooks.Client
	url      string // of the service
	balancer *balancer
	faults   map[string]int

	signals  sync.Mutex // of kill and stop
	database sync.Mutex // of the faults of the database

	mu     sync.Mutex
	events []happened
}

// A happened is an event that must be handled.
type happened struct {
	signature types.Signature
	address   types.Address
	slot      uint64
}

func address(i int) types.Address { return types.AddressOf([32]byte{7, byte(i)}) }

func settings(url string) webhooks.Settings {
	s := webhooks.Settings{URL: url, Type: webhooks.TypeEnhanced, AuthHeader: secret, TransactionTypes: []txtype.Type{txtype.Any}}
	for i := range watched {
		s.AccountAddresses = append(s.AccountAddresses, address(i))
	}
	return s
}

// Events are not lost, whatever happens to processes, database, deliveries and webhook, and
// the checkpoints do not pass any that is not handled.
func TestStorm(t *testing.T) {
	for _, d := range databases(t) {
		t.Run(d.name, func(t *testing.T) {
			db := d.open(t, sqlstore.DefaultTable)
			_, err := db.Exec("DROP TABLE IF EXISTS calls")
			require.NoError(t, err)
			_, err = db.Exec("CREATE TABLE calls (signature VARCHAR(88), process INTEGER)")
			require.NoError(t, err)
			t.Cleanup(func() { _, _ = db.Exec("DROP TABLE calls") })
			begin := time.Now()
			s := &storm{t: t, d: d, db: db, balancer: newBalancer(), faults: map[string]int{}}
			s.service = fake.New(&fake.Options{World: &fake.World{}, Journal: 100_000, Clock: func() time.Time { return begin.Add(time.Since(begin) * speed) }})
			s.run()
		})
	}
}

func (s *storm) run() {
	t := s.t
	server := httptest.NewServer(s.service)
	t.Cleanup(server.Close)
	hook := httptest.NewServer(s.balancer)
	t.Cleanup(hook.Close)
	s.url = server.URL
	var err error
	s.hooks, err = webhooks.New(s.service.Config())
	require.NoError(t, err)
	for i := range s.balancer.processes {
		s.balancer.processes[i].Store(start(t, s.d, s.url, hook.URL, 1))
		t.Cleanup(func() { s.balancer.processes[i].Load().kill() })
	}
	require.Eventually(t, s.begun, 30*time.Second, 50*time.Millisecond)

	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { s.sample(ctx) })
	// first without faults that make doubled calls unavoidable
	s.phase(*stormTime/4, []fault{s.outage, s.vanish, s.off})
	s.settle()
	calm, _ := s.calls()
	s.phase(*stormTime*3/4, []fault{s.outage, s.vanish, s.off, s.kill, s.kill, s.stop, s.stop, s.lock, s.disconnect, s.readOnly, s.restart})
	s.settle()
	cancel()
	wg.Wait()

	calls, failed := s.calls()
	total, doubled, doubledCalm := 0, 0, 0
	for signature, n := range calls {
		total += n
		doubled += min(n-1, 1)
		doubledCalm += min(max(calm[signature]-1, 0), 1)
	}
	credits := 0
	for _, r := range s.service.Requests() {
		switch {
		case !strings.HasPrefix(r.Path, "/v0/"):
			credits++
		case r.Method != http.MethodGet || !strings.HasPrefix(r.Path, "/v0/webhooks"):
			credits += 100
		}
	}
	t.Logf("%s: %d events, %d handled in %d calls (and %d that failed), %d handled twice, %d of these while only deliveries, webhook and Handle failed; %d credits; %d samples of the checkpoints; faults: %v",
		s.d.name, len(s.events), len(calls), total, failed, doubled, doubledCalm, credits, s.faults["sample"], s.faults)
	require.Zero(t, doubledCalm)
	all, err := s.hooks.Webhooks(t.Context())
	require.NoError(t, err)
	require.Len(t, all, 1, "one webhook")
}

// phase makes events for some time, while faults occur.
func (s *storm) phase(d time.Duration, faults []fault) {
	ctx, cancel := context.WithTimeout(s.t.Context(), d)
	defer cancel()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for ctx.Err() == nil {
				s.event(&wg)
				time.Sleep(rand.N(150 * time.Millisecond))
			}
		})
	}
	todo := make(chan fault, 1)
	go func() { // ends with ctx
		defer close(todo)
		for ctx.Err() == nil { // each as often as the others
			for _, i := range rand.Perm(len(faults)) {
				select {
				case todo <- faults[i]:
				case <-ctx.Done():
				}
			}
		}
	}()
	for range 2 { // at the same time
		wg.Go(func() {
			for f := range todo {
				if ctx.Err() != nil {
					return
				}
				f()
				time.Sleep(rand.N(500 * time.Millisecond))
			}
		})
	}
	wg.Wait()
}

// event makes an event, and delivers it, unless the delivery is dropped: some twice, some in a
// form that cannot be decoded.
func (s *storm) event(wg *sync.WaitGroup) {
	a := address(rand.IntN(watched))
	e := s.service.Swap(a)
	var in struct{ Slot uint64 }
	if err := json.Unmarshal(e.Enhanced(), &in); err != nil {
		s.t.Error(err)
	}
	s.mu.Lock()
	s.events = append(s.events, happened{e.Signature(), a, in.Slot})
	s.mu.Unlock()
	kind := rand.IntN(20)
	wg.Go(func() {
		ctx := context.WithoutCancel(s.t.Context())
		switch {
		case kind == 0: // is dropped
		case kind == 1: // cannot be decoded
			body := fmt.Sprintf(`[{"signature":%q,"slot":%d,"fee":"none"}]`, e.Signature(), in.Slot)
			req, _ := http.NewRequestWithContext(ctx, http.MethodPost, "http://hook", strings.NewReader(body))
			req.Header.Set("Authorization", secret)
			req.Header.Set("Content-Type", "application/json")
			s.balancer.ServeHTTP(httptest.NewRecorder(), req)
		default:
			s.service.Deliver(ctx, nil, slices.Repeat([]fake.Event{e}, 1+kind%2)...)
		}
	})
}

// settle waits until all events are handled.
func (s *storm) settle() {
	s.t.Helper()
	deadline := time.Now().Add(90 * time.Second)
	for {
		calls, _ := s.calls()
		var lost []happened
		for _, e := range s.events {
			if calls[e.signature] == 0 {
				lost = append(lost, e)
			}
		}
		if len(lost) == 0 {
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("%s: %d of %d events are lost, such as %v; status: %s", s.d.name, len(lost), len(s.events), lost[0], s.status())
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// calls returns how often each event was handled, and how many calls failed.
func (s *storm) calls() (calls map[types.Signature]int, failed int) {
	calls = map[types.Signature]int{}
	rows, err := s.db.Query("SELECT signature FROM calls")
	if err != nil { // the database is being restarted
		return calls, 0
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var signature types.Signature
		if rows.Scan(&signature) != nil {
			break
		}
		if signature == "failed" {
			failed++
		} else {
			calls[signature]++
		}
	}
	return calls, failed
}

// begun reports whether a process leads and has a webhook.
func (s *storm) begun() bool {
	var status keeper.Status
	return json.Unmarshal([]byte(s.status()), &status) == nil && status.Webhook != ""
}

// sample compares the checkpoints with the events that are handled.
func (s *storm) sample(ctx context.Context) {
	store := sqlstore.New(s.db, s.d.dialect)
	for wrong := 0; ctx.Err() == nil && wrong < 5; {
		time.Sleep(250 * time.Millisecond)
		s.mu.Lock()
		events := s.events[:len(s.events):len(s.events)]
		s.mu.Unlock()
		all, err := store.Checkpoints(ctx)
		calls, _ := s.calls()
		if err != nil || len(calls) == 0 {
			continue
		}
		slots := map[types.Address]uint64{}
		for _, c := range all {
			slots[c.Address] = c.Slot
		}
		for _, e := range events {
			if e.slot < slots[e.address] && calls[e.signature] == 0 {
				if again, _ := s.calls(); len(again) > 0 && again[e.signature] == 0 {
					wrong++
					s.t.Errorf("the checkpoint of %s is at %d, past the unhandled event %s of slot %d", e.address, slots[e.address], e.signature, e.slot)
				}
			}
		}
		s.mu.Lock()
		s.faults["sample"]++
		s.mu.Unlock()
	}
}

// status returns the status of a process, "" if none answers.
func (s *storm) status() string {
	for i := range s.balancer.processes {
		ctx, cancel := context.WithTimeout(s.t.Context(), time.Second)
		req, _ := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.balancer.processes[i].Load().host+"/status", http.NoBody)
		resp, err := http.DefaultClient.Do(req)
		if err == nil {
			var body bytes.Buffer
			_, err = body.ReadFrom(resp.Body)
			_ = resp.Body.Close()
			if err == nil && resp.StatusCode == http.StatusOK {
				cancel()
				return body.String()
			}
		}
		cancel()
	}
	return ""
}

// webhook returns the ID of the webhook, "" if there is none.
func (s *storm) webhook() string {
	all, err := s.hooks.Webhooks(s.t.Context())
	if err != nil || len(all) == 0 {
		return ""
	}
	return all[0].ID
}
