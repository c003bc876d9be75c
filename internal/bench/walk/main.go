// Walk lists all compressed accounts of an owner, and prints the time, the peak memory and
// the credits. It asks the fake, which it starts as another process.
//
//	go run ./internal/bench/walk -accounts 1000000
//	go run ./internal/bench/walk -accounts 100000 -latency 20ms -work 10ms -prefetch
package main

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/bench"
	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/types"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	accounts := flag.Int("accounts", 1_000_000, "how many there are")
	latency := flag.Duration("latency", 0, "time that the service takes to answer")
	work := flag.Duration("work", 0, "time that is spent on a page, as by a database that stores it")
	prefetch := flag.Bool("prefetch", false, "ask for the next page meanwhile")
	procs := flag.Int("procs", 1, "how many processors to use; more take more memory")
	serving := flag.Bool("serve", false, "be the service, until the input ends")
	flag.Parse()
	if *serving {
		service := fakeapi.NewSized(*accounts)
		service.Keep = 1
		return bench.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			service.ServeHTTP(slow{w, time.Now().Add(*latency)}, r)
		}), os.Stdin, os.Stdout)
	}
	runtime.GOMAXPROCS(*procs)
	url, stop, err := bench.Apart(ctx, append([]string{"-serve"}, os.Args[1:]...)...)
	if err != nil {
		return err
	}
	defer stop()
	meter := new(types.Meter)
	client, err := compressed.New(types.Config{APIKey: types.Key(fakeapi.Key), RPCURL: url, Meter: meter})
	if err != nil {
		return err
	}
	began := time.Now()
	pages, items := 0, 0
	for page, err := range client.AccountsByOwner(ctx, fakeapi.Owner, &compressed.AccountsByOwnerOptions{PageOptions: types.PageOptions{Prefetch: *prefetch}}).Pages() {
		if err != nil {
			return err
		}
		if len(page.Items) == 0 {
			continue // after a full last page
		}
		pages++
		items += len(page.Items)
		time.Sleep(*work)
	}
	if items != *accounts {
		return fmt.Errorf("%d accounts instead of %d", items, *accounts)
	}
	took := time.Since(began)
	// As go test prints benchmarks, which make bench collects.
	_, err = fmt.Fprintf(os.Stdout, "BenchmarkWalk/%d/latency=%v/work=%v/prefetch=%v/procs=%d %d %.2f s %.2f ms/page %.1f peak-MB %d credits\n",
		items, *latency, *work, *prefetch, *procs, pages, took.Seconds(), 1000*took.Seconds()/float64(pages), peak(), meter.Credits())
	return err
}

// slow holds a response back until it is due.
type slow struct {
	http.ResponseWriter
	due time.Time
}

func (s slow) Write(b []byte) (int, error) {
	time.Sleep(time.Until(s.due))
	return s.ResponseWriter.Write(b)
}

// peak is the peak of the resident memory of this process, in megabytes. It is 0 except on Linux.
func peak() float64 {
	status, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	line, _, _ := strings.Cut(rest, "\n")
	kib, _ := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(line, "kB")), 64)
	return kib * 1024 / 1e6
}
