package keeper

import (
	"context"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/internal/pace"
)

// A Store is the memory of a [Keeper]. Several processes may share it, and it may survive restarts.
// Package sqlstore implements it on a SQL database, and package storetest tests an implementation.
// Ages and waits follow the clock of the store. It is safe for concurrent use, and its methods
// return soon after their context has ended.
//
// An event is pending, done, unwanted or a dead letter; a done event stays done. Each process has
// a Store value of its own, and only this value can renew and release the claims that it made.
type Store interface {
	// Claim makes an event pending and Wanted, unless it is done. Without a renewal, the
	// claim lapses, such as after 3 seconds. After Release, the next attempt is due after
	// [RetryAfter]. A delivery may claim the event earlier.
	webhooks.Renewer

	// Add adds new events as pending. Events that are unwanted under another filter become pending
	// again. Add returns the number of both. They are due after RetryAfter(0). The filter is the
	// FilterHash of the process. Only Signature, Slot, Address and Wanted are used.
	Add(ctx context.Context, filter string, events ...Pending) (added int, err error)

	// Move changes the state of events. It skips done and claimed events and, for StateUnwanted,
	// Wanted events. The note is the last failure, or the filter for StateUnwanted. It is printable
	// ASCII of at most 200 bytes.
	//
	// A move to StatePending counts as an attempt. The next attempt is due after [RetryAfter], or
	// at once if the event was a dead letter.
	Move(ctx context.Context, to State, note string, signatures ...types.Signature) error

	// Pending returns pending events or dead letters, sorted by Attempts and then by due time.
	Pending(ctx context.Context, q Query) ([]Pending, error)

	// Checkpoints returns all checkpoints.
	Checkpoints(ctx context.Context) (map[types.Address]Checkpoint, error)

	// SetCheckpoints stores checkpoints. Each replaces the previous one of its address.
	SetCheckpoints(ctx context.Context, all ...Checkpoint) error

	// Lock stores the record of a process, and returns the shared state. The process leads for the
	// time hold, unless another one leads. With a hold of 0, it stops leading. If the process leads,
	// Lock also stores its Webhook, unless that is zero.
	Lock(ctx context.Context, own Process, hold time.Duration) (*Shared, error)

	// Clean deletes the checkpoints of addresses that were not listed for age. It also deletes
	// events that have been done or unwanted for age, if their slots are below all checkpoints.
	// It returns the number of deleted events, and may leave some, so that claims need not wait:
	// call it until it returns 0.
	Clean(ctx context.Context, age time.Duration) (deleted int, err error)
}

// RetryAfter returns how long an event waits after a failed attempt: 15 seconds and half of its
// age, but at most two hours.
func RetryAfter(age time.Duration) time.Duration { return min(pace.Of(firstRetry)+age/2, longestRetry) }

// A State is the state of an event.
type State int

// The states.
const (
	StatePending  State = iota // waits for an attempt, or is claimed
	StateUnwanted              // the Settings do not select it
	StateDead                  // a dead letter, which is not tried again
	StateDone                  // was handled: only Done sets it
)

// A Pending is a pending event or a dead letter.
type Pending struct {
	Signature types.Signature `json:"signature"`
	Slot      uint64          `json:"slot"`     // 0 when unknown
	Address   types.Address   `json:"address"`  // the listed address; empty if delivered
	Wanted    bool            `json:"wanted"`   // must be handled under any Settings; Claim sets it
	Age       time.Duration   `json:"age"`      // since the first Claim or Add
	Attempts  int             `json:"attempts"` // calls of Claim, and of Move to StatePending
	Error     string          `json:"error"`    // the last failure; empty if none
}

// A Query selects events.
type Query struct {
	Dead  bool // dead letters instead of pending events
	Due   bool // only events that are due and not claimed
	Limit int  // the most events; 0 returns none
}

// A Checkpoint bounds the next listing of an address. Its times are in whole milliseconds.
type Checkpoint struct {
	Address types.Address
	Slot    uint64    // lowest slot of the next listing; 0 before the first one
	Since   time.Time // lowest block time of the next listing
	Listed  time.Time // when the last listing began, or when the address was added
}

// A Process is the record of a running Keeper, which a database stores as JSON. Its times are in
// whole milliseconds.
type Process struct {
	ID         string            `json:"-"`         // random
	URLHash    string            `json:"url"`       // of the URL of the webhook
	FilterHash string            `json:"filter"`    // of type, transaction types and outcome
	AuthHash   string            `json:"auth"`      // first digits of the hash of AuthHeader
	Delivered  time.Time         `json:"delivered"` // when an event was last received; zero for never
	Asked      uint64            `json:"asked"`     // how often it asked for a listing of all addresses
	Behind     int               `json:"behind"`    // as in Status, if it leads
	Problems   map[Cause]Problem `json:"problems"`
	Webhook    Webhook           `json:"-"` // if it leads
}

// A Webhook is the record of the webhook of a Keeper, which a database stores as JSON. Its time is
// in whole milliseconds.
type Webhook struct {
	ID       string    `json:"id"`       // empty until it is known
	Creating string    `json:"creating"` // hash of its URL while it is being created, or empty
	Created  time.Time `json:"created"`  // when the creation began
}

// Shared is the state that the processes of a Store share.
type Shared struct {
	Leader      string    // ID of the process that leads; empty if none does
	Processes   []Process // that called Lock within the last minute
	Webhook     Webhook
	Pending     int           // number of pending events
	DeadLetters int           // number of dead letters
	OldestAge   time.Duration // the greatest Age of a pending event; 0 without one
	LowestSlot  uint64        // of a pending event; 0 without one
}
