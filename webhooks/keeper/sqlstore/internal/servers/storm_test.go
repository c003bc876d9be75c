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
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
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

// A storm is a webhook with three receiver processes on one database, and what happens to
// them.
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
	// first without what makes doubled calls unavoidable
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

// phase lets events happen for some time, while faults occur.
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

// event lets an event happen, and delivers it, unless the delivery is dropped: some twice,
// some in a form that cannot be decoded.
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
			slots[c.Address] = max(slots[c.Address], c.Slot)
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

// A fault breaks something, and mends it.
type fault func()

func (s *storm) count(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults[name]++
}

// outage keeps deliveries away for up to an hour of the service's time.
func (s *storm) outage() {
	s.count("outage")
	s.balancer.down.Store(true)
	time.Sleep(min(rand.N(time.Hour/speed), *stormTime/4))
	s.balancer.down.Store(false)
}

// vanish removes half of the addresses from the webhook.
func (s *storm) vanish() {
	s.count("vanish")
	var half []types.Address
	for _, i := range rand.Perm(watched)[:watched/2] {
		half = append(half, address(i))
	}
	_, _ = s.hooks.RemoveAddresses(s.t.Context(), s.webhook(), half...) // fails if too few are left
}

// off switches the webhook off.
func (s *storm) off() {
	s.count("off")
	_, _ = s.hooks.SetActive(s.t.Context(), s.webhook(), false)
}

func (s *storm) kill() {
	s.signals.Lock()
	defer s.signals.Unlock()
	s.count("kill")
	at := &s.balancer.processes[rand.IntN(processes)]
	old := at.Load()
	old.kill()
	s.mu.Lock()
	version := 1 + s.faults["kill"]%2 // in turn
	s.mu.Unlock()
	s.count(fmt.Sprint("version ", version))
	at.Store(start(s.t, s.d, s.url, old.hook, version))
}

// stop stops a process for longer than its claims hold.
func (s *storm) stop() {
	s.signals.Lock()
	defer s.signals.Unlock()
	s.count("stop")
	p := s.balancer.processes[rand.IntN(processes)].Load().cmd.Process
	_ = p.Signal(syscall.SIGSTOP)
	time.Sleep(3*time.Second + rand.N(2*time.Second))
	_ = p.Signal(syscall.SIGCONT)
}

// lock locks the tables for a while.
func (s *storm) lock() {
	s.database.Lock()
	defer s.database.Unlock()
	s.count("lock")
	conn, err := s.db.Conn(s.t.Context())
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	script := map[sqlstore.Dialect][2]string{
		sqlstore.DialectPostgreSQL: {"BEGIN; LOCK TABLE keeper_events IN ACCESS EXCLUSIVE MODE", "COMMIT"},
		sqlstore.DialectMySQL:      {"LOCK TABLES keeper_events WRITE", "UNLOCK TABLES"},
		sqlstore.DialectSQLite:     {"BEGIN EXCLUSIVE", "COMMIT"},
	}[s.d.dialect]
	if _, err := conn.ExecContext(s.t.Context(), script[0]); err != nil {
		return
	}
	time.Sleep(time.Second + rand.N(3*time.Second))
	_, _ = conn.ExecContext(s.t.Context(), script[1])
}

// disconnect ends all connections to the database.
func (s *storm) disconnect() {
	s.database.Lock()
	defer s.database.Unlock()
	switch s.d.dialect {
	case sqlstore.DialectPostgreSQL:
		s.count("disconnect")
		_, _ = s.db.Exec("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()")
	case sqlstore.DialectMySQL:
		s.count("disconnect")
		var ids []int
		rows, err := s.db.Query("SELECT id FROM information_schema.processlist WHERE id <> CONNECTION_ID()")
		if err != nil {
			return
		}
		for rows.Next() {
			var id int
			_ = rows.Scan(&id)
			ids = append(ids, id)
		}
		_ = rows.Close()
		for _, id := range ids {
			_, _ = s.db.Exec(fmt.Sprintf("KILL %d", id))
		}
	}
}

// readOnly makes the database refuse changes for a while.
func (s *storm) readOnly() {
	s.database.Lock()
	defer s.database.Unlock()
	var on, off []string
	admin := s.db
	switch s.d.dialect {
	case sqlstore.DialectPostgreSQL:
		on = []string{"ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()"}
		off = []string{"SET default_transaction_read_only = off", "ALTER SYSTEM RESET default_transaction_read_only", "SELECT pg_reload_conf()", "RESET default_transaction_read_only"}
	case sqlstore.DialectMySQL:
		dsn := os.Getenv("SQLSTORE_MYSQL_ADMIN")
		if dsn == "" {
			return
		}
		var err error
		if admin, err = sql.Open("mysql", dsn); err != nil {
			s.t.Error(err)
			return
		}
		defer func() { _ = admin.Close() }()
		on, off = []string{"SET GLOBAL read_only = 1"}, []string{"SET GLOBAL read_only = 0"}
	default:
		return
	}
	conn, err := admin.Conn(s.t.Context())
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	s.count("read-only")
	for _, statement := range on {
		if _, err := conn.ExecContext(s.t.Context(), statement); err != nil {
			s.t.Error(err)
		}
	}
	time.Sleep(time.Second + rand.N(2*time.Second))
	for _, statement := range off {
		if _, err := conn.ExecContext(s.t.Context(), statement); err != nil {
			s.t.Error(err)
		}
	}
}

// restart restarts the database with the command that the environment names.
func (s *storm) restart() {
	s.database.Lock()
	defer s.database.Unlock()
	command := os.Getenv(map[sqlstore.Dialect]string{
		sqlstore.DialectPostgreSQL: "SQLSTORE_POSTGRESQL_RESTART", sqlstore.DialectMySQL: "SQLSTORE_MYSQL_RESTART",
	}[s.d.dialect])
	if command == "" {
		return
	}
	s.count("restart")
	out, err := exec.Command("bash", "-c", command).CombinedOutput()
	if err != nil {
		s.t.Errorf("%s: %v: %s", command, err, out)
	}
	for range 100 {
		if s.db.Ping() == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	s.t.Error("the database did not come back")
}

var cleanRows = flag.Int("rows", 100_000, "how many rows Clean deletes")

// Clean does not hold up claims.
func TestCleanBesideClaims(t *testing.T) {
	each(t, func(t *testing.T, d database, db *sql.DB, table string) {
		j := d.store(db, table)
		require.NoError(t, j.SetCheckpoints(t.Context(), keeper.Checkpoint{Address: "a", Slot: uint64(*cleanRows) + 1}))
		insertDone(t, db, table, *cleanRows)
		var stop atomic.Bool
		var claims, failed atomic.Int64
		var slowest atomic.Int64
		var wg sync.WaitGroup
		for worker := range 4 {
			wg.Go(func() {
				for i := 0; !stop.Load(); i++ {
					ctx, cancel := context.WithTimeout(t.Context(), 800*time.Millisecond)
					begin := time.Now()
					signature := types.Signature(fmt.Sprintf("new%d-%d", worker, i))
					e := &webhooks.Event{Signature: signature, Slot: uint64(*cleanRows + i + 1)}
					isNew, err := j.Claim(ctx, e)
					if err == nil && isNew {
						err = j.Done(ctx, e)
					}
					cancel()
					slowest.Store(max(slowest.Load(), int64(time.Since(begin))))
					if claims.Add(1); err != nil || !isNew {
						failed.Add(1)
						t.Log(err)
					}
					time.Sleep(5 * time.Millisecond)
				}
			})
		}
		begin := time.Now()
		n, more, err := 0, 1, error(nil)
		for more > 0 && err == nil { // as a Keeper does
			call := time.Now()
			more, err = j.Clean(t.Context(), time.Hour)
			n += more
			time.Sleep(time.Since(call))
		}
		took := time.Since(begin)
		begin = time.Now()
		totals, totalsErr := j.Totals(t.Context())
		asked := time.Since(begin)
		stop.Store(true)
		wg.Wait()
		t.Logf("%s: %d rows deleted in %v; %d claims beside it, %d failed, the slowest took %v; the totals were counted in %v",
			d.name, n, took.Round(time.Millisecond), claims.Load(), failed.Load(), time.Duration(slowest.Load()).Round(time.Millisecond), asked.Round(time.Microsecond))
		require.NoError(t, err)
		require.NoError(t, totalsErr)
		require.LessOrEqual(t, totals.Pending, 4)
		require.Equal(t, *cleanRows, n)
		require.Zero(t, failed.Load())
	})
}

// insertDone inserts events that have been done for long.
func insertDone(t *testing.T, db *sql.DB, table string, n int) {
	t.Helper()
	for from := 0; from < n; from += 1000 {
		var values []string
		for i := from; i < from+1000; i++ {
			values = append(values, fmt.Sprintf("('%088d', %d, '', 3, 1, 1000, %d, '', 1, '')", i, i+1, 1000+i))
		}
		_, err := db.Exec("INSERT INTO " + table + "_events (signature, slot, address, state, wanted, opened_at, due_at, claimed_by, attempts, note) VALUES " + strings.Join(values, ", "))
		require.NoError(t, err)
	}
}
