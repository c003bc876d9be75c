package progress

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

func TestLineShowsCreditsAndTimeLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		line := &Line{out: &out, meter: new(types.Meter)}
		shown := func() string {
			text := out.String()
			out.Reset()
			return text
		}
		show := func(share float64, done, want string) {
			t.Helper()
			line.Show(share, done)
			require.Equal(t, want, shown())
			time.Sleep(time.Second)
		}
		show(0.5, "10 items", "\r\x1b[K10 items, 0 credits") // resumed in the middle
		time.Sleep(9 * time.Second)
		cfg := fake.Config()
		cfg.Meter = line.meter
		client, err := rpc.New(cfg)
		require.NoError(t, err)
		for range 7 {
			_, err := client.Slot(t.Context(), nil)
			require.NoError(t, err)
		}
		show(0.6, "12 items", "\r\x1b[K12 items, 7 credits, 40s left")
		show(0, "13 items", "\r\x1b[K13 items, 7 credits")
		show(1, "14 items", "\r\x1b[K14 items, 7 credits")

		for i := range 100 { // at once
			line.Show(0, fmt.Sprint(i))
		}
		require.Equal(t, "\r\x1b[K0, 7 credits", shown())
		line.Clear()
		line.Clear()
		require.Equal(t, "\r\x1b[K", shown())
		show(0, "a", "\r\x1b[Ka, 7 credits")
	})
}

func TestFilesAndPipesStayEmpty(t *testing.T) {
	t.Parallel()
	file, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	line := New(file, nil)
	line.Show(0.1, "1 item")
	line.Clear()
	info, err := file.Stat()
	require.NoError(t, err)
	require.Zero(t, info.Size())

	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	defer func() { require.NoError(t, reader.Close()) }()
	New(writer, nil).Show(0.1, "1 item")
	require.NoError(t, writer.Close())
	n, err := reader.Read(make([]byte, 1))
	require.Zero(t, n)
	require.Error(t, err)
}

func TestShareOfAPeriod(t *testing.T) {
	t.Parallel()
	since := time.Date(2025, 5, 1, 0, 0, 0, 0, time.UTC)
	until := since.AddDate(0, 0, 10)
	require.InDelta(t, 0.3, Of(since.AddDate(0, 0, 3), since, until), 1e-9)
	require.InDelta(t, 1, Of(until.Add(time.Hour), since, until), 0)
	require.InDelta(t, 0, Of(since.Add(-time.Hour), since, until), 0)
	require.InDelta(t, 0, Of(time.Time{}, since, until), 0)
	require.InDelta(t, 0, Of(since, time.Time{}, until), 0)
	require.InDelta(t, 0.5, Of(time.Now().Add(-time.Hour), time.Now().Add(-2*time.Hour), time.Now().AddDate(1, 0, 0)), 0.01)
}
