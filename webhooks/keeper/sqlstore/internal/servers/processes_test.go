package servers

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
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
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/internal/pace"
	"github.com/solwire/solwire-go/webhooks/keeper"
	"github.com/solwire/solwire-go/webhooks/keeper/sqlstore"
)

const secret = "Bearer 8c6976e5b5410415bde908bd4dee15df"

// TestMain also is the program of a receiver process.
func TestMain(m *testing.M) {
	if os.Getenv("SQLSTORE_PROCESS") != "" {
		if err := receive(); err != nil {
			log.Fatal(err)
		}
		return
	}
	os.Exit(m.Run())
}

// receive handles events by a row in the table calls, until the process is killed. Handle
// fails 7 % of its calls throughout, and takes long for some.
func receive() error {
	db, err := sql.Open(os.Getenv("SQLSTORE_DRIVER"), os.Getenv("SQLSTORE_DSN"))
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(8)
	dialect, err := strconv.Atoi(os.Getenv("SQLSTORE_DIALECT"))
	if err != nil {
		return err
	}
	service := os.Getenv("SQLSTORE_SERVICE")
	hooks, err := webhooks.New(types.Config{APIKey: types.Key(fake.Key), RPCURL: service, WebhooksURL: service})
	if err != nil {
		return err
	}
	pace.Most = 500 * time.Millisecond
	config := keeper.Config{Settings: settings(os.Getenv("SQLSTORE_HOOK")), Secrets: []webhooks.Secret{secret + "2"}}
	if os.Getenv("SQLSTORE_VERSION") == "2" {
		config.Settings.URL += "/moved"
		config.Settings.AuthHeader, config.Secrets = secret+"2", []webhooks.Secret{secret}
		config.Settings.TransactionTypes = []txtype.Type{txtype.Swap}
	}
	k, err := keeper.New(hooks, keeper.Config{
		Settings: config.Settings, Secrets: config.Secrets,
		Store: sqlstore.New(db, sqlstore.Dialect(dialect)),
		Handle: func(ctx context.Context, e *webhooks.Event) error {
			signature := e.Signature
			n := rand.IntN(100)
			if n < 7 {
				signature = "failed"
			}
			if n > 97 {
				time.Sleep(rand.N(1200 * time.Millisecond))
			}
			_, err := db.ExecContext(ctx, fmt.Sprintf("INSERT INTO calls (signature, process) VALUES ('%s', %d)", signature, os.Getpid()))
			if n < 7 {
				err = errors.Join(err, errors.New("not now"))
			}
			return err
		},
		Interval: 5 * time.Second,
	})
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/", k)
	mux.HandleFunc("/status", func(w http.ResponseWriter, _ *http.Request) { _ = json.NewEncoder(w).Encode(k.Status()) })
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	go func() { log.Fatal(http.Serve(listener, mux)) }()
	return k.Run(context.Background())
}

// A process is a receiver.
type process struct {
	cmd        *exec.Cmd
	host, hook string
}

// start starts a process of version 1 or 2, which differ in URL, secret and types.
func start(t *testing.T, d database, service, hook string, version int) *process {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "SQLSTORE_PROCESS=1", "SQLSTORE_DRIVER="+d.driver, "SQLSTORE_DSN="+d.dsn, "SQLSTORE_DIALECT="+strconv.Itoa(int(d.dialect)),
		"SQLSTORE_SERVICE="+service, "SQLSTORE_HOOK="+hook, "SQLSTORE_VERSION="+strconv.Itoa(version))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	host, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	return &process{cmd, strings.TrimSpace(host), hook}
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// A balancer passes each request to a random process, and to another one if that does
// not accept connections.
type balancer struct {
	processes [processes]atomic.Pointer[process]
	proxy     *httputil.ReverseProxy
	down      atomic.Bool // whether no request arrives
}

func newBalancer() *balancer {
	b := &balancer{}
	transport := &http.Transport{DisableKeepAlives: true} // a new process for each request
	b.proxy = &httputil.ReverseProxy{
		Rewrite:      func(r *httputil.ProxyRequest) { r.SetURL(&url.URL{Scheme: "http", Host: "process"}) },
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
		Transport:    transport,
	}
	transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
		first := rand.IntN(processes)
		var last error
		for i := range b.processes {
			conn, err := new(net.Dialer).DialContext(ctx, "tcp", b.processes[(first+i)%processes].Load().host)
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
	if b.down.Load() {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	b.proxy.ServeHTTP(w, r)
}
