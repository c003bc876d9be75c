package types

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/solwire/solwire-go/internal/facts"
	"github.com/solwire/solwire-go/internal/meter"
)

// A Meter counts the credits that calls cost. Set one as [Config.Meter]; clients
// that are created from copies of the Config share it. The zero value is ready to use,
// and all methods are safe for concurrent use. Set Limit for a budget.
//
// It counts by the documented prices: each response with a 2xx status costs, retries included.
// Other statuses, requests without a response and errors of getTransactionsForAddress and
// getTransfersByAddress cost nothing. Each delivery of a webhook costs a credit, which no Meter
// counts. The bill of the service may differ.
type Meter struct {
	// Limit is a budget in credits; 0 means none. An attempt that would exceed it fails with
	// [ErrBudget] before anything is sent, and a stream ends with it. Spending may exceed it a
	// little: some prices depend on the result, and a stream ends up to a minute after Limit is
	// spent. Set it before the first call.
	Limit uint64

	mu       sync.Mutex
	spent    map[string]Spent
	reserved uint64 // by running attempts
}

// Spent is the cost of the calls of one operation.
type Spent struct {
	Op        string // the JSON-RPC method, or the HTTP method and route
	Responses uint64 // that cost credits, retries included; one per operation of a batch
	Credits   uint64
}

// Credits returns the sum of all operations.
func (m *Meter) Credits() uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sum()
}

func (m *Meter) sum() uint64 {
	var sum uint64
	for _, s := range m.spent {
		sum += s.Credits
	}
	return sum
}

// String returns the sum of the credits and the credits of each operation, the most expensive
// first.
func (m *Meter) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d credits", m.Credits())
	separator := ": "
	for _, s := range m.Spent() {
		fmt.Fprintf(&b, "%s%s %d", separator, s.Op, s.Credits)
		separator = ", "
	}
	return b.String()
}

// Spent returns the credits of each operation, the most expensive first.
func (m *Meter) Spent() []Spent {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := make([]Spent, 0, len(m.spent))
	for _, s := range m.spent {
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b Spent) int {
		return cmp.Or(cmp.Compare(b.Credits, a.Credits), cmp.Compare(a.Op, b.Op))
	})
	return all
}

// Estimate returns the most credits that a listing of this many items costs, by the documented
// prices and with default options. Op is its JSON-RPC method, or its HTTP method and route, as in
// [Spent]. A [Page] with a Total says the number of items. The result is 0 for scans, whose price
// depends on the history, and for operations without pages.
func Estimate(op string, items uint64) uint64 { return facts.Listing(op, items) }

var _ = meter.Export(meter.Functions{
	Add: func(m any, op string, credits, reserved uint64) {
		if m, ok := m.(*Meter); ok {
			m.add(op, credits, reserved)
		}
	},
	Reserve: func(m any, credits uint64) bool {
		meter, ok := m.(*Meter)
		return !ok || meter.reserve(credits)
	},
	Release: func(m any, credits uint64) {
		if m, ok := m.(*Meter); ok {
			m.release(credits)
		}
	},
})

// reserve sets credits aside for an attempt, unless they would exceed the limit.
func (m *Meter) reserve(credits uint64) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.Limit != 0 && m.sum()+m.reserved+credits > m.Limit {
		return false
	}
	m.reserved += credits
	return true
}

// release gives back the credits of an attempt that cost nothing.
func (m *Meter) release(credits uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reserved -= credits
}

// add counts one response of an operation.
func (m *Meter) add(op string, credits, reserved uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reserved -= reserved
	if m.spent == nil {
		m.spent = map[string]Spent{}
	}
	s := m.spent[op]
	m.spent[op] = Spent{op, s.Responses + 1, s.Credits + credits}
}
