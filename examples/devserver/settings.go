package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"time"

	"github.com/solwire/solwire-go/types/fake"
)

// settings are the values of the flags.
type settings struct {
	addr     string
	every    time.Duration
	faults   float64
	latency  time.Duration
	rand     uint64
	journal  int
	anywhere bool
	open     bool
	pass     string
	world    *fake.World
}

// parse reads the flags. It prints errors and usage to notes.
func parse(args []string, notes io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("devserver", flag.ContinueOnError)
	flags.SetOutput(notes)
	flags.StringVar(&s.addr, "addr", "127.0.0.1:8899", "`address` to listen on; port 0 chooses a free port")
	flags.DurationVar(&s.every, "every", 5*time.Second, "`time` between webhook events; 0 for no events")
	flags.Float64Var(&s.faults, "faults", 0, "`fraction` of the requests that fail, such as 0.1")
	flags.DurationVar(&s.latency, "latency", 0, "`time` to wait before each response")
	flags.Uint64Var(&s.rand, "rand", 0, "`number` that determines signatures and random faults; 0 for others in each run")
	flags.IntVar(&s.journal, "journal", 10_000, "`number` of requests, and of transactions that happen, that are kept, the latest")
	flags.BoolVar(&s.anywhere, "anywhere", false, "deliver events to webhook URLs beyond loopback too")
	flags.BoolVar(&s.open, "open", false, "let requests to /_fake/ control the server")
	flags.StringVar(&s.pass, "pass", "", "`URL` of a node for JSON-RPC methods that the server does not have")
	seed := flags.String("seed", "", "JSON `file` with the data, instead of the default data")
	accounts := flags.Int("accounts", 0, "`number` of generated compressed accounts; 0 for 3500")
	hostile := flags.Bool("hostile", false, "serve unusual values that strict clients refuse")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	var err error
	switch {
	case flags.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case !(s.faults >= 0 && s.faults <= 1): // false for NaN
		err = errors.New("-faults must be from 0 to 1")
	case s.pass != "" && !isURL(s.pass):
		err = errors.New("-pass is not a URL") // without its value, which may contain a key
	case s.every < 0 || s.latency < 0 || s.journal < 0:
		err = errors.New("-every, -latency and -journal must not be negative")
	case *hostile && *seed != "":
		err = errors.New(`-hostile and -seed exclude each other; the file can say "preset": "hostile"`)
	default:
		s.world, err = world(*seed, *accounts, *hostile)
	}
	if err != nil {
		fmt.Fprintln(notes, "devserver:", err)
	}
	return s, err
}

func isURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Host != ""
}

// world returns the data of the seed file, or of a preset.
func world(seed string, accounts int, hostile bool) (*fake.World, error) {
	w := &fake.World{Preset: fake.PresetDefault}
	if hostile {
		w.Preset = fake.PresetHostile
	}
	if seed != "" {
		data, err := os.ReadFile(seed)
		if err != nil {
			return nil, err
		}
		if w, err = fake.ParseWorld(data); err != nil {
			return nil, fmt.Errorf("%s: %w", seed, err)
		}
	}
	if accounts < 0 || accounts > 1_000_000 {
		return nil, errors.New("-accounts must be from 0 to 1000000")
	}
	if accounts > 0 {
		w.Accounts = accounts
	}
	return w, nil
}

// base returns the URL of a server. One that listens on all interfaces is named by
// its loopback address, since clients use plain HTTP only there.
func base(addr net.Addr) string {
	if tcp, ok := addr.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return fmt.Sprintf("http://127.0.0.1:%d", tcp.Port)
	}
	return "http://" + addr.String()
}
