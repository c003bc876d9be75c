package keeper_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
)

// An address has transactions all the time that the webhook does not deliver.
func TestUnwantedTransactionsCostLittle(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		s.cfg.Settings.AccountAddresses, s.cfg.Settings.TransactionTypes = []types.Address{account}, []txtype.Type{txtype.NFTSale}
		s.start()
		before := s.credits()
		for range 24 * 6 {
			s.swap(account, false)
			time.Sleep(10 * time.Minute)
		}
		require.Less(t, s.credits()-before, 288+24+12*100, "less and less often")
		require.Empty(t, s.handled())
	})
}

// The credits of the documentation.
func TestCredits(t *testing.T) {
	for _, row := range []struct {
		name      string
		addresses int
		run       func(*setup)
		most      int
	}{
		{"a day of three processes, 200 addresses", 200, func(s *setup) { s.run(); s.run(); time.Sleep(24 * time.Hour) }, 500},
		{"a restart, 200 addresses", 200, func(s *setup) { s.stop(); s.through(s.service.Transport()); s.start() }, 203},
		{"an hour offline with 400 events, 5 addresses", 5, func(s *setup) {
			s.stop()
			for range 400 {
				s.swap(addresses(5)[3], false)
			}
			time.Sleep(time.Hour)
			s.start()
			require.Len(s.t, s.handled(), 400)
		}, 420},
	} {
		in(t, func(t *testing.T, s *setup) {
			s.startWith(row.addresses)
			before := s.credits()
			row.run(s)
			t.Logf("| %s | %d |", row.name, s.credits()-before)
			require.LessOrEqual(t, s.credits()-before, row.most)
		})
	}
}

var manyAddresses = flag.Int("addresses", 400, "how many addresses TestManyAddresses has")

// A start and a day cost a credit for each address, and little memory, also with 100 000 of them.
func TestManyAddresses(t *testing.T) {
	n := *manyAddresses
	in(t, func(t *testing.T, s *setup) {
		var listings atomic.Int64
		scripted(s).set(func(_ *http.Request, in string, _ func() string) string {
			if !strings.Contains(in, "getSignaturesForAddress") {
				return ""
			}
			listings.Add(1)
			var request struct{ ID json.RawMessage }
			require.NoError(t, json.Unmarshal([]byte(in), &request))
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":[]}`, request.ID)
		})
		s.cfg.Settings.AccountAddresses = addresses(n)
		note := func(what string, credits int64) {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			t.Logf("| %s of %d addresses | %d credits | %d MB |", what, n, credits, m.HeapAlloc>>20)
		}
		note("before the start", 0)
		s.start()
		first := listings.Load()
		note("start", first)
		require.InDelta(t, n, first, float64(n)/100)
		time.Sleep(24 * time.Hour)
		note("day", listings.Load()-first)
		require.InDelta(t, n, listings.Load()-first, float64(n)/100)
		require.Zero(t, s.status().Behind)
		text, err := json.Marshal(s.status())
		require.NoError(t, err)
		require.Less(t, len(text), 1000, "Status is small")
	})
}
