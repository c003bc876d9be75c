package fleet

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-redis/redis_rate/v10"
	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"
	"golang.org/x/time/rate"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

const (
	perSecond = 50 // requests of the fleet
	processes = 4
)

// TestMain also is the program of a process of the fleet.
func TestMain(m *testing.M) {
	if os.Getenv("FLEET_SERVICE") != "" {
		if err := process(context.Background()); err != nil {
			log.Fatal(err)
		}
		return
	}
	os.Exit(m.Run())
}

// process calls the service until it is killed, or works through the table of jobs.
func process(ctx context.Context) error {
	cfg := types.Config{APIKey: types.Key(fake.Key), RPCURL: os.Getenv("FLEET_SERVICE"), MaxAttempts: 1}
	alone := rate.NewLimiter(perSecond/processes, 1)
	var db *sql.DB
	if dsn := os.Getenv("FLEET_POSTGRESQL"); dsn != "" {
		var err error
		if db, err = sql.Open("pgx", dsn); err != nil {
			return err
		}
		cfg.Limiter = &sqlLimiter{db: db, name: "helius", interval: time.Second / perSecond, alone: alone}
	}
	if address := os.Getenv("FLEET_REDIS"); address != "" {
		logging.Disable()
		client := redis.NewClient(&redis.Options{Addr: address, MaxRetries: -1, DialerRetries: 1, DialTimeout: time.Second, ReadTimeout: time.Second})
		cfg.Limiter = &redisLimiter{redis_rate.NewLimiter(client), "helius", redis_rate.Limit{Rate: perSecond, Burst: 1, Period: time.Second}, alone}
	}
	if os.Getenv("FLEET_JOBS") != "" {
		cfg.Limiter = nil
	}
	client, err := rpc.New(cfg)
	if err != nil {
		return err
	}
	if os.Getenv("FLEET_JOBS") != "" {
		for {
			err := work(ctx, db, client, rpc.TransactionsForAddressOptions{Ascending: true})
			if errors.Is(err, sql.ErrNoRows) {
				return nil
			}
			if err != nil {
				return err
			}
		}
	}
	failed := make(chan error)
	for range 4 {
		go func() { // ends with the process
			for {
				if _, err := client.Slot(ctx, nil); err != nil {
					failed <- err
					return
				}
			}
		}()
	}
	return <-failed
}

// A fleet is the processes that call a fake of the service.
type fleet struct {
	t       *testing.T
	service *fake.Service
	url     string
	env     []string // of each process

	mu    sync.Mutex
	calls map[int][]time.Time // by process
	next  int
	dead  sync.WaitGroup
}

func newFleet(t *testing.T, w *fake.World, env ...string) *fleet {
	f := &fleet{t: t, service: fake.New(&fake.Options{World: w}), env: env, calls: map[int][]time.Time{}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		i, err := strconv.Atoi(n)
		if err != nil {
			t.Error(err)
		}
		f.mu.Lock()
		f.calls[i] = append(f.calls[i], time.Now())
		f.mu.Unlock()
		r.URL.Path = "/" + rest
		f.service.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	t.Cleanup(f.dead.Wait)
	f.url = server.URL
	return f
}

// start starts a process and returns its number and a function that kills it.
func (f *fleet) start() (n int, kill func()) {
	n = f.next
	f.next++
	c := exec.CommandContext(f.t.Context(), os.Args[0])
	c.Env = append(os.Environ(), append(f.env, fmt.Sprintf("FLEET_SERVICE=%s/%d/", f.url, n))...)
	c.Stderr = os.Stderr
	require.NoError(f.t, c.Start())
	killed := make(chan struct{})
	f.dead.Go(func() {
		err := c.Wait()
		select {
		case <-killed:
		case <-f.t.Context().Done():
		default:
			if err != nil {
				f.t.Errorf("process %d: %v", n, err)
			}
		}
	})
	return n, func() {
		close(killed)
		_ = c.Process.Kill()
	}
}

// within returns the number of calls of the fleet in a period, and of each process.
func (f *fleet) within(since, until time.Time) (sum int, each map[int]int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	each = map[int]int{}
	for n, times := range f.calls {
		for _, at := range times {
			if !at.Before(since) && at.Before(until) {
				sum++
				each[n]++
			}
		}
	}
	return sum, each
}

// requireRate runs the fleet for a while, and fails if it calls faster than its rate. Slow
// machines call more slowly, so the other bound is lower.
func (f *fleet) requireRate(d time.Duration, least int) (each map[int]int) {
	f.t.Helper()
	since := time.Now()
	time.Sleep(d)
	until := time.Now()
	sum, each := f.within(since, until)
	allowed := until.Sub(since).Seconds() * perSecond
	f.t.Logf("%d calls in %v, allowed are %.0f, by process %v", sum, until.Sub(since).Round(time.Millisecond), allowed, each)
	require.LessOrEqual(f.t, float64(sum), allowed+perSecond/5, "faster than the rate of the fleet")
	require.GreaterOrEqual(f.t, float64(sum), allowed*float64(least)/100, "slower than %d %% of the rate", least)
	return each
}

func (f *fleet) requireCalling(n ...int) {
	f.t.Helper()
	for _, i := range n {
		require.Eventually(f.t, func() bool {
			f.mu.Lock()
			defer f.mu.Unlock()
			return len(f.calls[i]) > 0
		}, 20*time.Second, 10*time.Millisecond, "process %d does not call", i)
	}
}

// requireSharedRate starts a fleet and kills a process, whose part the others use.
func requireSharedRate(t *testing.T, f *fleet) {
	_, kill := f.start()
	for range processes - 1 {
		f.start()
	}
	f.requireCalling(0, 1, 2, 3)
	each := f.requireRate(2*time.Second, 60)
	for n := range processes {
		require.GreaterOrEqual(t, each[n], perSecond/10, "process %d had too small a part: %v", n, each)
	}
	kill()
	f.requireRate(2*time.Second, 60)
}

func TestRateInPostgreSQL(t *testing.T) {
	t.Parallel()
	db, dsn := postgreSQL(t, "fleet_rate")
	_, err := db.Exec("CREATE TABLE rates (name TEXT PRIMARY KEY, next TIMESTAMPTZ NOT NULL)")
	require.NoError(t, err)
	requireSharedRate(t, newFleet(t, nil, "FLEET_POSTGRESQL="+dsn))
}

func TestRateInRedis(t *testing.T) {
	t.Parallel()
	address, stop := startRedis(t)
	f := newFleet(t, nil, "FLEET_REDIS="+address)
	requireSharedRate(t, f)
	f.start() // for the killed one
	f.requireCalling(processes)
	stop()
	time.Sleep(500 * time.Millisecond)
	f.requireRate(2*time.Second, 40) // no call fails while Redis is down
}

// The rows of each address equal its history, although processes are killed.
func TestJobsInPostgreSQL(t *testing.T) {
	t.Parallel()
	db, dsn := postgreSQL(t, "fleet_jobs")
	_, err := db.Exec(`CREATE TABLE jobs (address VARCHAR(44) PRIMARY KEY, cursor TEXT NOT NULL DEFAULT '', done BOOLEAN NOT NULL DEFAULT false);
		CREATE TABLE transactions (address VARCHAR(44), signature VARCHAR(88), body TEXT, PRIMARY KEY (address, signature))`)
	require.NoError(t, err)
	const addresses, each = 8, 750
	w := &fake.World{Wallets: []fake.Wallet{{Address: types.AddressOf([32]byte{9}), SOL: decimal.NewFromInt(1_000_000)}}}
	for i := range addresses {
		address := types.AddressOf([32]byte{8, byte(i)})
		w.Wallets = append(w.Wallets, fake.Wallet{Address: address, SOL: decimal.NewFromInt(5000)})
		for range each {
			w.Transactions = append(w.Transactions, fake.Transaction{Transfers: []fake.Transfer{{From: w.Wallets[0].Address, To: address, Amount: decimal.New(1, -3)}}})
		}
		_, err := db.Exec("INSERT INTO jobs (address) VALUES ($1)", address)
		require.NoError(t, err)
	}
	f := newFleet(t, w, "FLEET_JOBS=1", "FLEET_POSTGRESQL="+dsn)
	kills := 0
	_, kill := f.start()
	f.start()
	f.start()
	for open := addresses; open > 0; {
		require.NoError(t, db.QueryRow("SELECT COUNT(*) FROM jobs WHERE NOT done").Scan(&open))
		if kills < 5 {
			time.Sleep(200 * time.Millisecond)
			kill()
			kills++
			_, kill = f.start()
		}
		time.Sleep(20 * time.Millisecond)
	}
	f.dead.Wait()
	var rows int
	require.NoError(t, db.QueryRow("SELECT COUNT(*) FROM transactions").Scan(&rows))
	client, err := rpc.New(f.service.Config())
	require.NoError(t, err)
	for i := range addresses {
		address := types.AddressOf([32]byte{8, byte(i)})
		for want, err := range client.TransactionsForAddress(t.Context(), address, nil).All() {
			require.NoError(t, err)
			rows--
			var n int
			require.NoError(t, db.QueryRow("SELECT COUNT(*) FROM transactions WHERE address = $1 AND signature = $2", address, want.Signature).Scan(&n))
			require.Equal(t, 1, n, "%s of %s", want.Signature, address)
		}
	}
	require.Zero(t, rows, "rows that are not in the histories")
	pages := addresses * (each/100 + 1)
	sum, _ := f.within(time.Time{}, time.Now())
	t.Logf("%d pages of %d addresses in %d requests, %d processes were killed", pages, addresses, sum, kills)
	require.LessOrEqual(t, sum, pages+addresses+kills, "pages that were stored are requested again")
}

// postgreSQL opens a schema in the database of the gate.
func postgreSQL(t *testing.T, schema string) (db *sql.DB, dsn string) {
	dsn = os.Getenv("SQLSTORE_POSTGRESQL")
	if dsn == "" {
		t.Skip("SQLSTORE_POSTGRESQL is not set")
	}
	dsn += "&search_path=" + schema
	db, err := sql.Open("pgx", dsn)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	drop := func() {
		_, err := db.Exec("DROP SCHEMA IF EXISTS " + schema + " CASCADE")
		require.NoError(t, err)
	}
	drop()
	t.Cleanup(drop)
	_, err = db.Exec("CREATE SCHEMA " + schema)
	require.NoError(t, err)
	return db, dsn
}

// startRedis starts Valkey or Redis, and returns its address and a function that kills it.
func startRedis(t *testing.T) (address string, stop func()) {
	program, err := exec.LookPath("valkey-server")
	if err != nil {
		program, err = exec.LookPath("redis-server")
	}
	if err != nil {
		t.Skip("neither valkey-server nor redis-server is installed")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address = listener.Addr().String()
	_, port, err := net.SplitHostPort(address)
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	c := exec.Command(program, "--bind", "127.0.0.1", "--port", port, "--save", "", "--dir", t.TempDir())
	require.NoError(t, c.Start())
	stop = sync.OnceFunc(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	t.Cleanup(stop)
	client := redis.NewClient(&redis.Options{Addr: address})
	defer func() { require.NoError(t, client.Close()) }()
	require.Eventually(t, func() bool { return client.Ping(t.Context()).Err() == nil }, 10*time.Second, 20*time.Millisecond)
	info, err := client.Info(t.Context(), "server").Result()
	require.NoError(t, err)
	for line := range strings.Lines(info) {
		if strings.HasPrefix(line, "redis_version:") || strings.HasPrefix(line, "valkey_version:") {
			t.Log(filepath.Base(program), strings.TrimSpace(line))
		}
	}
	return address, stop
}
