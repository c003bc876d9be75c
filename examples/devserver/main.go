// Devserver serves the service in small over HTTP, for programs in any
// language, until it is interrupted.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/solwire/solwire-go/internal/fake"
)

func main() {
	var t trouble
	addr := flag.String("addr", "127.0.0.1:8899", "`address` to listen on; port 0 means a free one")
	every := flag.Duration("every", 5*time.Second, "`time` from one webhook event to the next")
	flag.Float64Var(&t.faults, "faults", 0, "`share` of the requests that fail, such as 0.1")
	flag.DurationVar(&t.latency, "latency", 0, "`time` before each answer")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second interrupt ends the process at once
	if err := run(ctx, *addr, *every, t, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "devserver:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, addr string, every time.Duration, t trouble, out io.Writer) error {
	if !(t.faults >= 0 && t.faults <= 1) { // NaN neither
		return errors.New("-faults is a share, from 0 to 1")
	}
	var background sync.WaitGroup
	defer background.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	service := fake.New()
	service.Unrecorded = true
	service.Before = t.before
	server := &http.Server{Handler: service, ReadHeaderTimeout: 10 * time.Second}
	fmt.Fprint(out, welcome("http://"+listener.Addr().String()))
	context.AfterFunc(ctx, func() { _ = server.Close() })
	background.Go(func() { deliver(ctx, service, every) })
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
