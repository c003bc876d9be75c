package servers

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/sqlseen"
)

const (
	secret   = "Bearer 8c6976e5b5410415bde908bd4dee15df"
	parallel = 16
)

// TestMain also is the program of a receiver process.
func TestMain(m *testing.M) {
	if os.Getenv("SQLSEEN_PROCESS") != "" {
		if err := receive(); err != nil {
			log.Fatal(err)
		}
		return
	}
	os.Exit(m.Run())
}

// receive handles deliveries by a row in the table calls, until the process is killed.
func receive() error {
	db, err := sql.Open(os.Getenv("SQLSEEN_DRIVER"), os.Getenv("SQLSEEN_DSN"))
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(8)
	dialect, err := strconv.Atoi(os.Getenv("SQLSEEN_DIALECT"))
	if err != nil {
		return err
	}
	store, err := sqlseen.New(sqlseen.Config{DB: db, Dialect: sqlseen.Dialect(dialect), Webhook: "hook"})
	if err != nil {
		return err
	}
	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
		Secrets: []webhooks.Secret{secret},
		Seen:    store,
		Handle: func(ctx context.Context, e *webhooks.Event) error {
			_, err := db.ExecContext(ctx, fmt.Sprintf("INSERT INTO calls (signature, process) VALUES ('%s', %d)", e.Signature, os.Getpid()))
			return err
		},
	})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	return http.Serve(listener, receiver)
}

// A process is a receiver.
type process struct {
	cmd  *exec.Cmd
	host string
}

func start(t *testing.T, d database) *process {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "SQLSEEN_PROCESS=1", "SQLSEEN_DRIVER="+d.driver, "SQLSEEN_DSN="+d.dsn, "SQLSEEN_DIALECT="+strconv.Itoa(int(d.dialect)))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	host, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	return &process{cmd, strings.TrimSpace(host)}
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// A balancer passes each request to a random process, and to another one if that does
// not accept connections.
type balancer struct {
	processes [3]atomic.Pointer[process]
	proxy     *httputil.ReverseProxy
	posts     atomic.Int64
}

func newBalancer() *balancer {
	b := &balancer{}
	transport := &http.Transport{MaxIdleConnsPerHost: parallel}
	b.proxy = &httputil.ReverseProxy{
		Rewrite:      func(r *httputil.ProxyRequest) { r.SetURL(&url.URL{Scheme: "http", Host: "process"}) },
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
		Transport:    transport,
	}
	transport.DisableKeepAlives = true // a new process for each request
	transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
		first := rand.IntN(len(b.processes))
		var last error
		for i := range b.processes {
			conn, err := new(net.Dialer).DialContext(ctx, "tcp", b.processes[(first+i)%len(b.processes)].Load().host)
			if err == nil {
				return conn, nil
			}
			last = err
		}
		return nil, last
	}
	return b
}

func (b *balancer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.posts.Add(1)
	b.proxy.ServeHTTP(w, r)
}

// Three processes receive 10 000 events behind one address, each twice. One process is
// killed and started again.
func TestThreeProcesses(t *testing.T) {
	for _, d := range databases(t) {
		t.Run(d.name, func(t *testing.T) {
			db := d.open(t, sqlseen.DefaultTable)
			_, err := db.Exec("CREATE TABLE calls (signature VARCHAR(88), process INTEGER)")
			require.NoError(t, err)
			t.Cleanup(func() { _, _ = db.Exec("DROP TABLE calls") })
			receiveAll(t, d, db)
		})
	}
}

func receiveAll(t *testing.T, d database, db *sql.DB) {
	t.Helper()
	const events = 10_000
	b := newBalancer()
	for i := range b.processes {
		b.processes[i].Store(start(t, d))
		t.Cleanup(func() { b.processes[i].Load().kill() })
	}
	server := &http.Server{Handler: b, ReadHeaderTimeout: time.Second}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	s := fake.New()
	hooks, err := webhooks.New(s.Config())
	require.NoError(t, err)
	_, err = hooks.Create(t.Context(), webhooks.Settings{
		URL: "http://" + listener.Addr().String(), Type: webhooks.TypeEnhanced, AuthHeader: secret,
		TransactionTypes: []txtype.Type{txtype.Any}, AccountAddresses: []types.Address{fake.Wallet},
	})
	require.NoError(t, err)
	var all []fake.Event
	for i := range events {
		all = append(all, fake.TransferEvent(i, fake.Wallet))
	}

	var wg sync.WaitGroup
	wg.Go(func() {
		for b.posts.Load() < events {
			time.Sleep(10 * time.Millisecond)
		}
		b.processes[1].Load().kill()
		for at := b.posts.Load(); b.posts.Load() < at+events/10; {
			time.Sleep(10 * time.Millisecond)
		}
		b.processes[1].Store(start(t, d))
	})
	courier := &fake.Courier{
		Service: s, Duplicate: 1, Shuffle: true, Parallel: parallel,
		Client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: parallel}},
	}
	begin := time.Now()
	report := courier.Deliver(t.Context(), all...)
	took := time.Since(begin)
	wg.Wait()

	calls := map[string]int{}
	rows, err := db.Query("SELECT signature FROM calls")
	require.NoError(t, err)
	total := 0
	for rows.Next() {
		var signature string
		require.NoError(t, rows.Scan(&signature))
		calls[signature]++
		total++
	}
	require.NoError(t, rows.Err())
	require.NoError(t, rows.Close())
	var open, processes int
	require.NoError(t, db.QueryRow("SELECT COUNT(*) FROM "+sqlseen.DefaultTable+" WHERE done = 0").Scan(&open))
	require.NoError(t, db.QueryRow("SELECT COUNT(DISTINCT process) FROM calls").Scan(&processes))
	t.Logf("%s: %d events twice in %v, %d posts, %d lost after 3 retries; %d different events in %d calls of Handle by %d processes; %d open",
		d.name, events, took.Round(time.Millisecond), report.Tries, len(report.Lost), len(calls), total, processes, open)
	require.Empty(t, report.Lost)
	require.Len(t, calls, events, "none is lost")
	require.Zero(t, open)
	require.Equal(t, 4, processes)
	// A process that is killed between Handle and Done has handled an event that the
	// store takes for open. There are at most as many as were in flight.
	require.LessOrEqual(t, total, events+parallel)
}
