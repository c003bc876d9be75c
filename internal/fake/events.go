package fake

import (
	"embed"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// The slot and the time of event 0.
const (
	firstEventSlot = 312_000_000
	firstEventTime = 1_735_689_600 // the start of 2025
)

// eventFiles are events with placeholders in angle brackets.
//
//go:embed events
var eventFiles embed.FS

// eventFee is the fee of an event in lamports.
const eventFee = 5000

// TransferEvent returns event i: owner sends SOL to another wallet.
func TransferEvent(i int, owner string) Event {
	e := numbered(i, owner)
	return e.transfer(1_000_000*uint64(1+e.x.below(5000)), 50_000_000_000, 0)
}

// SwapEvent returns event i: owner swaps USDC for SOL.
func SwapEvent(i int, owner string) Event {
	e := numbered(i, owner)
	usdc := 1_000_000 * uint64(5+e.x.below(900))
	return e.swap(usdc, usdc, 50_000_000_000)
}

// Transfer lets one wallet send lamports to another, now. The fake makes sure that
// it has them.
func (s *Service) Transfer(from, to string, lamports uint64) Event {
	e := s.newEvent(from)
	e.other = to
	before := max(s.has(from, nativeSOL().mint), lamports+eventFee)
	event := e.transfer(lamports, before, s.has(to, nativeSOL().mint))
	event.at = e.at
	s.Happen(event)
	return event
}

// Swap lets owner swap USDC for SOL, now. The fake makes sure that it has them.
func (s *Service) Swap(owner string) Event {
	e := s.newEvent(owner)
	e.account, e.other = s.tokenAccountOf(owner, usdcMint), s.tokenAccountOf(e.pool, usdcMint)
	usdc := 1_000_000 * uint64(5+e.x.below(90))
	sol := max(s.has(owner, nativeSOL().mint), eventFee)
	event := e.swap(usdc, max(s.has(owner, usdcMint), usdc), sol)
	event.at = e.at
	s.Happen(event)
	return event
}

// newEvent returns an event at the time of the world, with a signature of its own.
func (s *Service) newEvent(owner string) *madeEvent {
	s.mu.Lock()
	x := source(s.random().Uint64())
	s.mu.Unlock()
	at := s.now()
	e := makeEvent(x, owner, s.slotAt(at), at)
	e.at = at
	return e
}

// A madeEvent has the values of the placeholders.
type madeEvent struct {
	x         source
	signature string
	owner     string
	account   string // of the USDC of owner
	other     string // that of the pool, or another wallet
	pool      string
	pairs     []string
	at        time.Time
}

// transfer sends lamports to the other wallet. The wallets have so many lamports
// before.
func (e *madeEvent) transfer(lamports, before, otherBefore uint64) Event {
	e.set("other", e.other, "type", "TRANSFER", "source", "SYSTEM_PROGRAM", "lamports", lamports, "spent", lamports+eventFee,
		"before", before, "after", before-lamports-eventFee, "otherBefore", otherBefore, "otherAfter", otherBefore+lamports,
		"description", fmt.Sprintf("%s transferred %s SOL to %s.", e.owner, shown(lamports, 9), e.other))
	return e.event("TRANSFER", move{nativeSOL(), true, lamports, e.other})
}

// swap swaps USDC for SOL with a pool. The owner has so many USDC and
// lamports before.
func (e *madeEvent) swap(usdc, usdcBefore, before uint64) Event {
	lamports := usdc * 7 // at about 143 USDC
	left := usdcBefore - usdc
	e.set("account", e.account, "other", e.other, "type", "SWAP", "source", "JUPITER", "usdc", usdc, "amount", number(units(usdc, 6)), "got", number(units(lamports, 9)),
		"usdcBefore", usdcBefore, "uiBefore", number(units(usdcBefore, 6)), "usdcAfter", left, "uiAfter", number(units(left, 6)),
		"lamports", lamports, "gained", int64(lamports)-eventFee, "before", before, "after", before+lamports-eventFee,
		"description", fmt.Sprintf("%s swapped %s USDC for %s SOL", e.owner, shown(usdc, 6), shown(lamports, 9)))
	return e.event("SWAP", move{wellKnown()[1].asset(), true, usdc, e.pool}, move{nativeSOL(), false, lamports, e.pool})
}

var eventTime = regexp.MustCompile(`"(timestamp|blockTime)":\d+`)

// At returns e at another time. By default the times of events are at the start
// of 2025, the same in every run.
func (e Event) At(t time.Time) Event {
	member := fmt.Sprintf(`"${1}":%d`, t.Unix())
	e.Enhanced = eventTime.ReplaceAllString(e.Enhanced, member)
	e.Raw = eventTime.ReplaceAllString(e.Raw, member)
	return e
}

// numbered returns event i, the same in every run.
func numbered(i int, owner string) *madeEvent {
	return makeEvent(seed(0xe7e47).item(i), owner, uint64(firstEventSlot+2*i), time.Unix(int64(firstEventTime+i), 0))
}

func makeEvent(x source, owner string, slot uint64, at time.Time) *madeEvent {
	e := &madeEvent{x: x, owner: owner}
	e.signature = e.x.signature()
	e.other = e.x.address()
	e.account = e.x.address()
	e.pool = e.x.address()
	hash := e.x.address()
	e.set("signature", e.signature, "owner", owner, "pool", e.pool, "blockhash", hash,
		"slot", slot, "time", at.Unix(), "sol", solMint, "usdcMint", usdcMint)
	return e
}

// set adds placeholders and their values.
func (e *madeEvent) set(pairs ...any) {
	for i := 0; i+1 < len(pairs); i += 2 {
		e.pairs = append(e.pairs, fmt.Sprintf("<%s>", pairs[i]), fmt.Sprint(pairs[i+1]))
	}
}

func (e *madeEvent) event(kind string, moves ...move) Event {
	values := strings.NewReplacer(append(e.pairs, "\n", "")...)
	fill := func(form string) string {
		text, err := eventFiles.ReadFile("events/" + form + "-" + strings.ToLower(kind) + ".json")
		if err != nil {
			panic(err)
		}
		return values.Replace(string(text))
	}
	return Event{
		Signature: e.signature,
		Type:      kind,
		Accounts:  []string{e.owner, moves[0].with},
		Enhanced:  fill("enhanced"),
		Raw:       fill("raw"),
		owner:     e.owner,
		moves:     moves,
	}
}
