package docs_test

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types/fake"
)

// The table in docs/logging.md has the attributes of all records: of a good call, a retried
// call and a batch.
func TestLoggingPageHasAllAttributes(t *testing.T) {
	var log bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		service := fake.New(nil)
		service.Fail("getSlot", 1, fake.RateLimited(time.Second))
		cfg := service.Config()
		cfg.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		client, err := rpc.New(cfg)
		require.NoError(t, err)
		_, err = client.Slot(t.Context(), nil)
		require.NoError(t, err)
		_, err = client.BlockCommitment(t.Context(), 5)
		require.NoError(t, err)
		require.NoError(t, client.Batch(t.Context(), []rpc.BatchCall{{Method: "getSlot"}, {Method: "getHealth"}}, nil))
	})
	want := map[string]bool{}
	for _, m := range regexp.MustCompile(` (\w+)=`).FindAllSubmatch(log.Bytes(), -1) {
		if name := string(m[1]); name != "level" && name != "msg" {
			want[name] = true
		}
	}
	page, err := os.ReadFile(filepath.Join(root, "docs", "logging.md"))
	require.NoError(t, err)
	got := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\|").FindAllSubmatch(page, -1) {
		got[string(m[1])] = true
	}
	require.Equal(t, want, got)
}

// The second table has the records of streams, with their levels and attributes.
func TestLoggingPageHasRecordsOfStreams(t *testing.T) {
	t.Parallel()
	var want []string
	for _, pattern := range []string{"rpc/stream/*.go", "rpc/stream/internal/pubsub/*.go"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		require.NoError(t, err)
		for _, file := range files {
			source, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, m := range regexp.MustCompile(`\.(Info|Warn|Error)Context\([^"\n]+, "([^"]+)"(.*)\)\n`).FindAllStringSubmatch(string(source), -1) {
				var attributes []string
				for _, name := range regexp.MustCompile(`"(\w+)"`).FindAllStringSubmatch(m[3], -1) {
					attributes = append(attributes, "`"+name[1]+"`")
				}
				want = append(want, strings.ReplaceAll("| "+m[2]+" | "+strings.ToUpper(m[1])+" | "+strings.Join(attributes, ", ")+" |", "  ", " "))
			}
		}
	}
	page := read(t, "docs/logging.md")
	require.Len(t, regexp.MustCompile(`(?m)^\| stream .*$`).FindAllString(page, -1), len(want))
	for _, row := range want {
		require.Contains(t, page, "\n"+row)
	}
}

// The third table has the records of package webhooks and of its Keeper.
func TestLoggingPageHasRecordsOfWebhooks(t *testing.T) {
	t.Parallel()
	page, found := read(t, "docs/logging.md"), 0
	for _, pattern := range []string{"webhooks/*.go", "webhooks/keeper/*.go"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		require.NoError(t, err)
		for _, file := range files {
			source, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, m := range regexp.MustCompile(`slog\.Level(\w+), "([^"]+)"(.*)\n`).FindAllStringSubmatch(string(source), -1) {
				row := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(m[2]) + ` \| ` + strings.ToUpper(m[1]) + ` \|.*$`).FindString(page)
				require.NotEmpty(t, row, "docs/logging.md does not list %q", m[2])
				for _, name := range regexp.MustCompile(`slog\.\w+\("(\w+)"`).FindAllStringSubmatch(m[3], -1) {
					require.Contains(t, row, "`"+name[1]+"`")
				}
				found++
			}
			for _, m := range regexp.MustCompile(`, "([^"]+)", slog\.Level(\w+)}`).FindAllStringSubmatch(string(source), -1) {
				require.Contains(t, page, "\n| "+m[1]+" | "+strings.ToUpper(m[2])+" | `error`, `signature` |")
				found++
			}
		}
	}
	require.Greater(t, found, 10)
}
