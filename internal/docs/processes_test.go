package docs_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
)

// The examples as a newcomer has them: processes, with flags, an environment,
// signals, and pipes for their output. They are built once.
func TestExamplesAsProcesses(t *testing.T) {
	t.Parallel()
	built := examples(t.TempDir())
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", string(built)+string(filepath.Separator), "./examples/...")
	build.Dir = root
	said, err := build.CombinedOutput()
	require.NoError(t, err, "%s", said)
	t.Run("InterruptedListIsResumed", built.interruptedListIsResumed)
	t.Run("ReadmeSaysWhatToRun", built.readmeSaysWhatToRun)
	t.Run("HelpBearsTheNameOfTheProgram", built.helpBearsTheNameOfTheProgram)
	t.Run("DevserverEndsWhenAsked", built.devserverEndsWhenAsked)
}

// examples is the directory that the examples are in.
type examples string

// A process is one of them that runs, or did.
type process struct {
	*exec.Cmd
	out, notes bytes.Buffer
	ended      chan struct{}
}

// command is a program without a key.
func (e examples) command(t *testing.T, name string, args ...string) *exec.Cmd {
	file := filepath.Join(string(e), name)
	if runtime.GOOS == "windows" {
		file += ".exe"
	}
	c := exec.CommandContext(t.Context(), file, args...)
	c.Env = append(os.Environ(), "HELIUS_API_KEY=")
	return c
}

// start runs a program, and gathers what it prints.
func (e examples) start(t *testing.T, name string, args ...string) *process {
	c := &process{Cmd: e.command(t, name, args...), ended: make(chan struct{})}
	c.Stdout, c.Stderr = &c.out, &c.notes
	require.NoError(t, c.Start())
	go func() {
		defer close(c.ended)
		_ = c.Wait() // ProcessState has it
	}()
	return c
}

// run runs a program to its end, and returns what it printed.
func (e examples) run(t *testing.T, name string, args ...string) string {
	c := e.start(t, name, args...)
	<-c.ended
	require.Zero(t, c.ProcessState.ExitCode(), "%s: %s", c, c.notes.String())
	return c.out.String()
}

var goRun = regexp.MustCompile(`^go run \./examples/(\w+)(.*)$`)

// The commands of the README do what it says of them: the resuming one goes on
// where the one before it says, and those of the table print the golden files.
// Only the devserver runs on and on.
func (e examples) readmeSaysWhatToRun(t *testing.T) {
	t.Parallel()
	readme := read(t, filepath.Join(root, "README.md"))
	commands, resumed := 0, 0
	for _, b := range readme.code {
		var cursor string
		for line := range strings.Lines(b.text) {
			m := goRun.FindStringSubmatch(strings.TrimSpace(line))
			if m == nil || m[1] == "devserver" {
				continue
			}
			commands++
			c := e.start(t, m[1], strings.Fields(m[2])...)
			<-c.ended
			if strings.Contains(m[2], " -resume ") {
				resumed++
				require.NotEmpty(t, cursor, b.at)
				require.Contains(t, m[2], " -resume "+cursor, b.at)
			}
			status := 0
			if _, cursor, _ = strings.Cut(strings.TrimSpace(c.notes.String()), " -resume "); cursor != "" {
				status = 1 // there is more
			}
			require.Equal(t, status, c.ProcessState.ExitCode(), "%s: %s: %s", b.at, line, c.notes.String())
			require.NotEmpty(t, c.out.String(), "%s: %s", b.at, line)
		}
	}
	require.Equal(t, 3, commands)
	require.Equal(t, 1, resumed)
	for _, span := range readme.spans() {
		m := goRun.FindStringSubmatch(span)
		if m == nil || m[1] == "devserver" {
			continue
		}
		golden, err := os.ReadFile(filepath.Join(root, "examples", m[1], "testdata", "golden.txt"))
		require.NoError(t, err)
		require.Equal(t, string(golden), e.run(t, m[1], strings.Fields(m[2])...), span)
	}
}

// A list that is interrupted while a page is on its way is good up to the page
// before, says only where to go on, and gives the rest from there.
func (e examples) interruptedListIsResumed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot interrupt another one here")
	}
	for _, row := range []struct {
		name   string
		signal os.Signal
		each   int
	}{
		{"compressed", os.Interrupt, 1000},
		{"compressed", syscall.SIGTERM, 1000},
		{"history", os.Interrupt, 100},
		{"history", syscall.SIGTERM, 100},
	} {
		t.Run(row.name+" "+row.signal.String(), func(t *testing.T) {
			t.Parallel()
			service := fake.New()
			asked := make(chan struct{})
			service.Before = func(_ http.ResponseWriter, r *http.Request) bool {
				if len(service.Requests()) != 3 {
					return false
				}
				close(asked)
				<-r.Context().Done()
				return true
			}
			server := httptest.NewServer(service)
			t.Cleanup(server.Close)
			args := []string{"-devserver", server.URL, "-json"}
			if row.name == "history" {
				args = append(args, "-n", "0")
			}
			list := e.start(t, row.name, args...)
			select {
			case <-asked:
			case <-list.ended:
				require.Fail(t, "ended by itself", list.notes.String())
			}
			require.NoError(t, list.Process.Signal(row.signal))
			<-list.ended
			require.Equal(t, 1, list.ProcessState.ExitCode())
			m := regexp.MustCompile(`^(\w+): stopped after (\d+); go on with -resume (\w+)\n$`).FindStringSubmatch(list.notes.String())
			require.NotNil(t, m, list.notes.String())
			require.Equal(t, []string{row.name, strconv.Itoa(2 * row.each)}, m[1:3])
			lines := 0
			for line := range strings.Lines(list.out.String()) {
				require.True(t, json.Valid([]byte(line)), line)
				lines++
			}
			require.Equal(t, 2*row.each, lines)
			rest := e.run(t, row.name, append(args, "-resume", m[3])...)
			require.Equal(t, e.run(t, row.name, args...), list.out.String()+rest)
		})
	}
}

func (e examples) helpBearsTheNameOfTheProgram(t *testing.T) {
	t.Parallel()
	all, err := os.ReadDir(string(e))
	require.NoError(t, err)
	require.Len(t, all, 9)
	for _, file := range all {
		name := strings.TrimSuffix(file.Name(), ".exe")
		c := e.start(t, name, "-h")
		<-c.ended
		require.Zero(t, c.ProcessState.ExitCode())
		require.Regexp(t, "^Usage of "+name+":\n  -", c.notes.String())
		require.Empty(t, c.out.String())
	}
}

func (e examples) devserverEndsWhenAsked(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot interrupt another one here")
	}
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			server := e.command(t, "devserver", "-addr", "127.0.0.1:0")
			out, err := server.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, server.Start())
			text := bufio.NewReader(out)
			url, err := text.ReadString('\n')
			require.NoError(t, err)
			answer, err := http.Get(strings.TrimSpace(url) + "/v0/webhooks?api-key=demo-key")
			require.NoError(t, err)
			require.NoError(t, answer.Body.Close())
			require.Equal(t, http.StatusOK, answer.StatusCode)
			require.NoError(t, server.Process.Signal(signal))
			_, err = io.Copy(io.Discard, text)
			require.NoError(t, err)
			require.NoError(t, server.Wait(), "exit status 0")
		})
	}
}
