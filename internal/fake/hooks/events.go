// Package hooks answers the APIs of webhooks and of parsed transactions from the world, and
// delivers events to webhooks.
package hooks

import (
	"fmt"
	"math/bits"
	"slices"
	"time"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/internal/fake/decoded"
	"github.com/solwire/solwire-go/internal/fake/node"
	"github.com/solwire/solwire-go/internal/fake/wire"
	"github.com/solwire/solwire-go/internal/fake/world"
)

const project = "solwire-demo"

// A Book is the webhooks of a world.
type Book struct {
	World *world.World

	hooks []*Webhook // in the order of creation
	made  int        // webhooks created so far
}

// Routes are the routes of webhooks and parsed transactions.
func (b *Book) Routes() map[string]wire.Operation {
	return map[string]wire.Operation{
		"POST /v0/transactions":                    b.parsedTransactions,
		"GET /v0/addresses/{address}/transactions": b.parsedHistory,

		"POST /v1/parsed-events/transactions":        decoded.Transactions,
		"POST /v1/parsed-events/transaction-history": decoded.History,

		"GET /v0/webhooks":                b.listWebhooks,
		"POST /v0/webhooks":               b.createWebhook,
		"GET /v0/webhooks/{webhookID}":    b.getWebhook,
		"PUT /v0/webhooks/{webhookID}":    b.replaceWebhook,
		"PATCH /v0/webhooks/{webhookID}":  b.setWebhookActive,
		"DELETE /v0/webhooks/{webhookID}": b.deleteWebhook,
	}
}

// Add adds an active webhook. Without an ID one is made up.
func (b *Book) Add(h Webhook) {
	b.made++
	if h.ID == "" {
		h.ID = webhookID(b.made)
	}
	h.Status, h.Encoding, h.Wallet, h.Project, h.Active = "all", "jsonParsed", world.Demo, project, true
	b.hooks = append(b.hooks, &h)
}

// An Event is a transaction that webhooks may deliver.
type Event struct {
	Signature string
	Type      string   // such as SWAP
	Accounts  []string // those in the transaction
	Failed    bool     // whether the transaction failed; enhanced webhooks do not deliver it then
	Enhanced  string   // as enhanced webhooks carry it
	Raw       string   // as raw webhooks carry it

	tx *world.Transaction
}

// EventOf returns a transaction as an event. The caller holds the lock.
func EventOf(w *world.World, x *world.Transaction) Event {
	accounts := walletsOf(x)
	slices.SortStableFunc(accounts, func(a, b string) int { return order(a == x.FeePayer) - order(b == x.FeePayer) })
	return Event{x.Signature, x.Kind, accounts, x.Failure != "", enhanced(w, x), raw(w, x), x}
}

func order(first bool) int {
	if first {
		return 0
	}
	return 1
}

// raw returns a transaction as raw webhooks carry it.
func raw(w *world.World, x *world.Transaction) string {
	members, _ := wire.Object(node.Text(w, x, node.Options{}))
	members["indexWithinBlock"] = world.Encode(x.Index)
	return string(world.Encode(members))
}

func base58Of(data []byte) string { return base58.Encode(data) }

// The slot and the time of event 0.
const (
	firstEventSlot = 312_000_000
	firstEventTime = 1_735_689_600 // the start of 2025
)

// eventFee is the fee of an event in lamports.
const eventFee = 5000

// TransferEvent returns event i, the same in every run: owner sends SOL to another wallet.
func TransferEvent(i int, owner string) Event {
	s := world.Seed(0xe7e47).Item(i)
	x := transaction(&s, owner)
	x.Kind = "TRANSFER"
	x.Transfers = []world.Transfer{{From: owner, To: other(&s), Mint: world.SOL, Raw: 1_000_000 * uint64(1+s.Below(5000))}}
	return numbered(i, x)
}

// SwapEvent returns event i: owner swaps USDC for SOL.
func SwapEvent(i int, owner string) Event {
	s := world.Seed(0xe7e47).Item(i)
	x := transaction(&s, owner)
	swap(x, &s, 1_000_000*uint64(5+s.Below(900)))
	return numbered(i, x)
}

func transaction(s *world.Source, owner string) *world.Transaction {
	return &world.Transaction{Signature: s.Signature(), Fee: eventFee, FeePayer: owner}
}

// other returns one of a few thousand wallets, so that events do not fill the memory with
// wallets.
func other(s *world.Source) string {
	who := world.Seed(44).Item(s.Below(4000))
	return who.Address()
}

// swap makes x a swap of USDC for SOL, at about 143 USDC, with a pool.
func swap(x *world.Transaction, s *world.Source, usdc uint64) {
	pool := other(s)
	x.Kind = "SWAP"
	x.Transfers = []world.Transfer{{From: x.FeePayer, To: pool, Mint: world.USDC, Raw: usdc}, {From: pool, To: x.FeePayer, Mint: world.SOL, Raw: 7 * usdc}}
}

// numbered returns an event in a world of its own.
func numbered(i int, x *world.Transaction) Event {
	x.Slot, x.Time = firstEventSlot+2*uint64(i), time.Unix(firstEventTime+int64(i), 0).UTC()
	return alone(x)
}

func alone(x *world.Transaction) Event {
	w := world.Default("")
	w.Begin()
	w.Post(x)
	return EventOf(w, x)
}

// At returns e, which is numbered, at another time. By default the times of events are at the
// start of 2025.
func (e Event) At(t time.Time) Event {
	x := *e.tx
	x.Time = t.UTC()
	return alone(&x)
}

// Happen adds events to the world. Delivered events are in it too, and each event is in it
// once.
func (b *Book) Happen(events ...Event) {
	b.World.Lock()
	defer b.World.Unlock()
	b.World.Begin()
	for _, e := range events {
		if b.World.Transaction(e.Signature) == nil {
			x := *e.tx
			b.World.Post(&x)
		}
	}
}

// Transfer lets one wallet send lamports to another, now. It returns a mistake if an address
// is invalid, or if the world says what the sender holds and it is less.
func (b *Book) Transfer(s *world.Source, from, to string, lamports uint64) (Event, error) {
	for _, address := range []string{from, to} {
		if !world.IsAddress(address) {
			return Event{}, fmt.Errorf("%q is not an address", address)
		}
	}
	b.World.Lock()
	defer b.World.Unlock()
	b.World.Begin()
	if x := b.World.Wallet(from); x != nil && x.Stated && (x.Has(world.SOL) < eventFee || x.Has(world.SOL)-eventFee < lamports) {
		return Event{}, fmt.Errorf("%s holds %d lamports, which is less than %d and a fee of %d", from, x.Has(world.SOL), lamports, eventFee)
	}
	_, sends := bits.Add64(lamports, eventFee, 0)
	if _, holds := bits.Add64(b.World.Wallet(to).Has(world.SOL), lamports, 0); sends+holds > 0 {
		return Event{}, fmt.Errorf("%d lamports, with a fee or what %s holds, exceed 64 bits", lamports, to)
	}
	x := transaction(s, from)
	x.Kind, x.Transfers = "TRANSFER", []world.Transfer{{From: from, To: to, Mint: world.SOL, Raw: lamports}}
	return b.now(x), nil
}

// Swap lets owner swap USDC for SOL, now. An owner of whom the world says that it holds
// less receives them first.
func (b *Book) Swap(s *world.Source, owner string) (Event, error) {
	if !world.IsAddress(owner) {
		return Event{}, fmt.Errorf("%q is not an address", owner)
	}
	b.World.Lock()
	defer b.World.Unlock()
	b.World.Begin()
	usdc := 1_000_000 * uint64(5+s.Below(90))
	if x := b.World.Wallet(owner); x != nil && x.Stated && x.Has(world.USDC) < usdc {
		funding := transaction(s, other(s))
		funding.Kind, funding.Transfers = "TRANSFER", []world.Transfer{{From: funding.FeePayer, To: owner, Mint: world.USDC, Raw: usdc}}
		b.now(funding)
	}
	x := transaction(s, owner)
	swap(x, s, usdc)
	return b.now(x), nil
}

// now adds a transaction to the newest block.
func (b *Book) now(x *world.Transaction) Event {
	x.Time = b.World.Now()
	x.Slot = b.World.SlotAt(x.Time)
	b.World.Post(x)
	return EventOf(b.World, x)
}
