// Package progress runs the examples on a terminal: it has their arguments, their Config, and
// what they cost so far.
package progress

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// Main runs an example until it is interrupted, with the key of the environment or, without
// one, with a fake. The example writes to out. The last line of a terminal is the credits that
// it has cost so far, and standard error ends with their sum.
func Main(run func(ctx context.Context, cfg types.Config, out io.Writer) error) {
	log.SetFlags(0)
	cfg := types.Config{APIKey: os.Getenv("HELIUS_API_KEY")}
	if cfg.APIKey == "" {
		log.Print("HELIUS_API_KEY is not set: this is made-up data.")
		cfg = fake.Config()
	}
	cfg.Meter = new(types.Meter)
	out := &output{out: os.Stdout, line: os.Stderr}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	var following sync.WaitGroup
	if info, err := os.Stderr.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb" {
		following.Go(func() { out.follow(ctx, cfg.Meter) })
	}
	err := run(ctx, cfg, out)
	stop()
	following.Wait()
	log.Print("credits: ", cfg.Meter.Credits())
	if err != nil {
		log.Fatal(err)
	}
}

// An output is written above a line that changes.
type output struct {
	out, line io.Writer
	mu        sync.Mutex
	shown     string // in the line
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.show("")
	return o.out.Write(b)
}

// show replaces the line.
func (o *output) show(text string) {
	if text != o.shown {
		fmt.Fprint(o.line, "\r\x1b[K", text)
		o.shown = text
	}
}

// follow shows the credits until ctx ends.
func (o *output) follow(ctx context.Context, meter *types.Meter) {
	for text := ""; ctx.Err() == nil; text = fmt.Sprint("credits: ", meter.Credits()) {
		o.mu.Lock()
		o.show(text)
		o.mu.Unlock()
		select {
		case <-ctx.Done():
		case <-time.After(200 * time.Millisecond):
		}
	}
	_, _ = o.Write(nil)
}
