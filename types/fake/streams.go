package fake

import (
	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/internal/fake/pubsub"
)

// Streams says how the WebSocket connections of a [Service] misbehave, and how late its
// histories and balances are. The zero value is connections without faults.
//
// Refusals are faults like others, of the operation [Upgrade] for the opening of a
// connection, and of methods such as logsSubscribe for requests on it.
type Streams struct {
	Silent     bool    // delivers nothing more, but answers requests and pings
	Early      bool    // delivers for a second before the answer to a request to subscribe
	Lag        uint64  // how many slots notifications come late
	Repeat     float64 // the share of notifications that come twice
	Disorder   bool    // lets slots go back now and then
	Unreadable float64 // the share of notifications that are not JSON
	Padding    int     // bytes of white space in each notification
	FirstID    uint64  // the first subscription id, from which they count

	// HistoryLag is how many slots the histories of addresses are behind. In the service
	// it is about 30.
	HistoryLag uint64

	// BalanceLag is how many slots the balances of the Wallet API and of digital assets are
	// behind. How late the service is, is not documented.
	BalanceLag uint64
}

// SetStreams says how WebSocket connections misbehave from now on.
func (s *Service) SetStreams(how Streams) { s.inner.SetStreams(pubsub.Streams(how)) }

// CutStreams closes all WebSocket connections with a status code such as 1001, or without
// a close frame if code is 0, and returns how many there were.
func (s *Service) CutStreams(code int) int { return s.inner.CutStreams(code) }

// Upgrade is the operation that opens a WebSocket connection, for [Service.Fail].
const Upgrade = fake.Upgrade
