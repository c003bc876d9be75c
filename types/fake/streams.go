package fake

import "github.com/solwire/solwire-go/internal/fakeapi"

// Streams says how the WebSocket connections of a [Service] misbehave, and how late its histories
// and balances are. The zero value has no faults.
//
// [Service.Fail] refuses a connection with the operation [Upgrade], and a request on it with its
// method, such as logsSubscribe.
type Streams struct {
	Silent bool    // delivers nothing more, but answers requests and pings
	Lag    uint64  // slots by which notifications are late
	Repeat float64 // the share of notifications that come twice

	// HistoryLag is how many slots the histories of addresses are behind: about 30 in the service.
	HistoryLag uint64

	// BalanceLag is how many slots the balances of the Wallet API and of digital assets are behind.
	// The lag of the service is not documented.
	BalanceLag uint64
}

// SetStreams sets how WebSocket connections misbehave from now on.
func (s *Service) SetStreams(how Streams) {
	hub := s.inner.Hub()
	hub.World.Lock()
	defer hub.World.Unlock()
	hub.Silent, hub.Lag, hub.Repeat = how.Silent, how.Lag, how.Repeat
	hub.World.HistoryLag, hub.World.BalanceLag = how.HistoryLag, how.BalanceLag
}

// CutStreams closes all WebSocket connections with a status code such as 1001, or without a
// close frame if code is 0. It returns their number.
func (s *Service) CutStreams(code int) int { return s.inner.Hub().Cut(code) }

// Upgrade is the operation that opens a WebSocket connection, for [Service.Fail].
const Upgrade = fakeapi.Upgrade
