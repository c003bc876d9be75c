package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"time"
)

// settings are what the flags say.
type settings struct {
	addr    string
	every   time.Duration
	trouble trouble
}

// parse reads the flags. What is wrong with them, or how to use them, is told.
func parse(args []string, notes io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("devserver", flag.ContinueOnError)
	flags.SetOutput(notes)
	flags.StringVar(&s.addr, "addr", "127.0.0.1:8899", "`address` to listen on; port 0 means a free one")
	flags.DurationVar(&s.every, "every", 5*time.Second, "`time` from one webhook event to the next; 0 for none")
	flags.Float64Var(&s.trouble.faults, "faults", 0, "`share` of the requests that fail, such as 0.1")
	flags.DurationVar(&s.trouble.latency, "latency", 0, "`time` before each answer")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	var err error
	switch {
	case flags.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case !(s.trouble.faults >= 0 && s.trouble.faults <= 1): // NaN neither
		err = errors.New("-faults is a share, from 0 to 1")
	case s.every < 0 || s.trouble.latency < 0:
		err = errors.New("-every and -latency are not below 0")
	}
	if err != nil {
		fmt.Fprintln(notes, "devserver:", err)
	}
	return s, err
}

// base returns the URL of a server that listens there. One that listens on
// every address is asked on loopback, where clients go without TLS.
func base(listening net.Addr) string {
	if tcp, ok := listening.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return fmt.Sprintf("http://127.0.0.1:%d", tcp.Port)
	}
	return "http://" + listening.String()
}
