package progress

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// Main runs an example until it is interrupted, with the key of the environment or, without
// one, with a fake. It ends by printing the credits that this cost to standard error.
func Main(run func(ctx context.Context, cfg types.Config, line *Line) error) {
	cfg := types.Config{APIKey: os.Getenv("HELIUS_API_KEY")}
	if cfg.APIKey == "" {
		fmt.Fprintln(os.Stderr, "HELIUS_API_KEY is not set: this is made-up data.")
		cfg = fake.Config()
	}
	cfg.Meter = new(types.Meter)
	line := New(os.Stderr, cfg.Meter)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, cfg, line)
	stop()
	line.Clear()
	fmt.Fprintln(os.Stderr, cfg.Meter.Credits(), "credits")
	if err != nil {
		log.Fatal(err)
	}
}

// Arguments parses the command line of an example, and returns its arguments, or the fallback
// without any. Names are the names of the arguments in -h, such as "ADDRESS"; with "..." at the
// end there may be more, and without names there are none. Flags may stand before and after
// the arguments. What is not understood ends the program.
func Arguments(names string, fallback ...string) []string {
	flags := flag.CommandLine
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), strings.TrimSpace("usage: "+filepath.Base(flags.Name())+" [flags] "+names))
		if len(fallback) > 0 {
			fmt.Fprintln(flags.Output(), "  default:", strings.Join(fallback, " "))
		}
		flags.PrintDefaults()
	}
	flag.Parse()
	var all []string
	for flags.NArg() > 0 {
		all = append(all, flags.Arg(0))
		_ = flags.Parse(flags.Args()[1:]) // ends the program with an error
	}
	most := len(strings.Fields(names))
	if len(all) > most && !strings.HasSuffix(names, "...") {
		fmt.Fprintf(flags.Output(), "unknown argument %q\n", all[most])
		flags.Usage()
		os.Exit(2)
	}
	if len(all) == 0 {
		return fallback
	}
	return all
}
