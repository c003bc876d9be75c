package keeper

import (
	"context"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/internal/pace"
)

// A Store is the memory of a [Keeper] across restarts, and of several processes. Package sqlstore
// implements it on a SQL database, and package storetest tests an implementation. Ages and waits
// are by the clock of the store. It is safe for concurrent use, and its methods return soon after
// their context has ended.
//
// An event is pending, done, unwanted or a dead letter. A claim makes it pending, and so does
// Add. Each process makes its own Store, and its claims belong to that.
type Store interface {
	// A Store remembers the events of a Receiver, whose claims lapse after some seconds. Release
	// makes the next attempt due after [RetryAfter], and a delivery may claim the event before.
	webhooks.Renewer

	// Add adds events as pending if they are missing, or unwanted with another filter, and
	// returns how many. They are due after RetryAfter(0). It uses Signature, Slot, Address and
	// Wanted.
	Add(ctx context.Context, filter string, events ...Pending) (added int, err error)

	// Move moves events to a state, unless they are done or somebody claims them; Wanted ones are
	// not moved to StateUnwanted. The note is the reason of the last failure, or for StateUnwanted
	// the filter. To StatePending, it counts an attempt: the next one is due after [RetryAfter],
	// of a dead letter at once.
	Move(ctx context.Context, to State, note string, signatures ...types.Signature) error

	// Pending returns events, the fewest attempts first, and of these the next due.
	Pending(ctx context.Context, q Query) ([]Pending, error)

	// Checkpoints returns all checkpoints.
	Checkpoints(ctx context.Context) (map[types.Address]Checkpoint, error)

	// SetCheckpoints stores checkpoints, by address.
	SetCheckpoints(ctx context.Context, all ...Checkpoint) error

	// Lock records a process, which leads for the time hold if no other one does. With a hold of
	// 0, it does not lead any more. It stores the webhook of a process that leads, unless it is
	// the zero Webhook, and returns the shared state.
	Lock(ctx context.Context, own Process, hold time.Duration) (*Shared, error)

	// Clean deletes checkpoints that were not listed for an age, and events of slots below all
	// checkpoints that have been done or unwanted for as long. It does not hold up claims: it
	// may leave some events for the next call, until it returns 0.
	Clean(ctx context.Context, age time.Duration) (deleted int, err error)
}

// RetryAfter returns the wait of an event of an age after a failed attempt: 15 seconds and half
// of its age, but at most two hours. Waits grow up to that.
func RetryAfter(age time.Duration) time.Duration { return min(pace.Of(firstRetry)+age/2, longestRetry) }

// A State is the state of an event.
type State int

// The states.
const (
	StatePending  State = iota // waits for an attempt, or is being handled
	StateUnwanted              // the webhook does not deliver it
	StateDead                  // a dead letter: no attempt follows
	StateDone                  // was handled; Done moves it there
)

// A Pending is an event that is pending or a dead letter.
type Pending struct {
	Signature types.Signature `json:"signature"`
	Slot      uint64          `json:"slot"`     // 0 when unknown
	Address   types.Address   `json:"address"`  // the listed address; empty if delivered
	Wanted    bool            `json:"wanted"`   // delivered or claimed: handled under any settings
	Age       time.Duration   `json:"age"`      // since the event was claimed or added first
	Attempts  int             `json:"attempts"` // claims and other attempts until now
	Error     string          `json:"error"`    // of the last attempt; empty if none failed
}

// A Query selects events.
type Query struct {
	Dead  bool // dead letters instead of pending events
	Due   bool // only events whose next attempt is due and that nobody claims
	Limit int  // the most events
}

// A Checkpoint says from where an address is listed next. Its times are in milliseconds.
type Checkpoint struct {
	Address types.Address
	Slot    uint64    // the earlier events are done or pending; 0 before the first listing
	Since   time.Time // block time of the first event that counts
	Listed  time.Time // when the address was last listed, or added
}

// A Process is a running Keeper. Its JSON is the record in a database.
type Process struct {
	ID        string            `json:"-"`         // random
	Settings  [3]string         `json:"settings"`  // hashes of URL, types and secret
	Delivered time.Time         `json:"delivered"` // the last event; zero for none; in milliseconds
	Asked     uint64            `json:"asked"`     // how often it wanted all addresses to be listed
	Behind    int               `json:"behind"`    // addresses that were not listed in time, if it leads
	Problems  map[Cause]Problem `json:"problems"`
	Webhook   Webhook           `json:"-"` // if it leads
}

// A Webhook is the webhook of a Keeper. Its JSON is the record in a database.
type Webhook struct {
	ID       string    `json:"id"`       // empty if none was found or created yet
	Creating string    `json:"creating"` // hash of the URL of a webhook until its ID is known
	Created  time.Time `json:"created"`  // when it began; in milliseconds
}

// Shared is the state that the processes of a Store share.
type Shared struct {
	Leader      string    // ID of the process that leads; empty if none does
	Processes   []Process // that called Lock within a minute
	Webhook     Webhook
	Pending     int // events
	DeadLetters int
	Oldest      time.Duration // the greatest Age of a pending event; 0 without one
	LowestSlot  uint64        // of a pending event; 0 without one
}
