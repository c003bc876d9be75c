package progress

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Arguments parses the command line of an example, and returns its arguments, or the fallback
// without any. Names are the names of the arguments in -h, such as "ADDRESS"; "..." at the end
// allows more, and no names allow none. Flags may stand before and after the arguments. An
// unknown argument ends the program.
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

// Duration defines a flag of a time that is not negative, and returns its value.
func Duration(name string, d time.Duration, usage string) *time.Duration {
	if d > 0 {
		usage += fmt.Sprintf(" (default %v)", d)
	}
	flag.Func(name, usage, func(text string) (err error) {
		if d, err = time.ParseDuration(text); d < 0 {
			err = errors.New("is negative")
		}
		return err
	})
	return &d
}

// Month defines the flag -month, and returns the bounds of the month in UTC that it names. They
// are zero, for all times, without it.
func Month() (since, until *time.Time) {
	since, until = new(time.Time), new(time.Time)
	flag.Func("month", "`month` in UTC, such as 2025-05; without it all transactions", func(text string) (err error) {
		*since, err = time.Parse("2006-01", text)
		*until = since.AddDate(0, 1, 0)
		return err
	})
	return since, until
}
